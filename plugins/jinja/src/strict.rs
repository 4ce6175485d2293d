//! Makes a template strict: every name and attribute that it reads must be
//! defined, wherever it stands, unless `default`, `is defined` or `is undefined`
//! asks. minijinja's strict mode looks only where a value is printed, compared or
//! computed with; `[name]`, `name is none` and `x.f(name)` pass it.
//!
//! The syntax tree is copied with a check around each such read. What a prompt
//! does not need is refused on the way, so that it is found when the rubric is
//! loaded and not when the first case is judged.

use minijinja::machinery::ast::{self, BinOpKind, CallArg, CallType, Expr, Spanned, Stmt};
use minijinja::machinery::Span;
use minijinja::{Environment, Error, ErrorKind, Value};

/// How deep statements and expressions nest at most.
const MAX_DEPTH: usize = 100;

/// The longest name of an expression in a message, in bytes.
const MAX_NAME: usize = 80;

/// The filters that templates can use.
#[rustfmt::skip]
const FILTERS: [&str; 40] = [
    "abs", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float", "indent", "int", "items", "join", "last",
    "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "replace", "reverse", "round", "safe", "select", "selectattr",
    "sort", "string", "striptags", "sum", "title", "tojson", "trim", "truncate", "unique", "upper", "wordcount",
];

/// The tests that templates can use.
#[rustfmt::skip]
const TESTS: [&str; 34] = [
    "!=", "<", "<=", "==", ">", ">=", "boolean", "defined", "divisibleby", "eq", "equalto", "even", "false", "float", "ge", "greaterthan",
    "gt", "in", "integer", "iterable", "le", "lessthan", "lower", "lt", "mapping", "ne", "none", "number", "odd", "sequence", "string",
    "true", "undefined", "upper",
];

/// The names of the checks. No template can write them.
const DEFINED: &str = "\0defined";
const ELEMENTS: &str = "\0elements";
const HAS: &str = "\0has";
const FINITE: &str = "\0finite";
const RANGE: &str = "\0range";

/// Adds the checks to what templates can use.
pub fn add_filters(environment: &mut Environment) {
    environment.add_filter(DEFINED, |v: Value, what: &str| if v.is_undefined() { Err(undefined(what)) } else { Ok(v) });
    environment.add_filter(ELEMENTS, |v: Value, what: &str| {
        let complete = v.try_iter()?.all(|e| !e.is_undefined());
        if complete {
            Ok(v)
        } else {
            Err(undefined(&format!("an element of {what}")))
        }
    });
    environment.add_filter(HAS, |v: Value, path: &str| {
        for mut e in v.try_iter()? {
            for name in path.split('.') {
                e = match name.parse::<usize>() {
                    Ok(at) => e.get_item(&Value::from(at)),
                    Err(_) => e.get_attr(name),
                }?;
                if e.is_undefined() {
                    return Err(undefined(&format!("attribute '{path}' of an element")));
                }
            }
        }
        Ok(v)
    });
    environment.add_filter(FINITE, |v: Value| match f64::try_from(v.clone()) {
        Ok(n) if !n.is_finite() => Err(refused("a number beyond the range of floating point")),
        _ => Ok(v),
    });
    environment.add_function(RANGE, minijinja::functions::range);
}

fn undefined(what: &str) -> Error {
    Error::new(ErrorKind::UndefinedError, format!("{what} is undefined"))
}

fn refused(text: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, text.into())
}

/// Copies a template with the checks in it.
pub fn check<'a>(source: &'a str, template: &Stmt<'a>) -> Result<Stmt<'a>, Error> {
    Checker { source, depth: 0, line: 1 }
        .stmt(template)
        .map_err(|(line, text)| Error::new(ErrorKind::SyntaxError, format!("line {line}: {text}")))
}

/// An error with its line.
type Refusal = (u16, String);
type Checked<T> = Result<T, Refusal>;

struct Checker<'a> {
    source: &'a str,
    depth: usize,
    line: u16,
}

impl<'a> Checker<'a> {
    fn refuse<T>(&self, text: impl Into<String>) -> Checked<T> {
        Err((self.line, text.into()))
    }

    fn body(&mut self, list: &[Stmt<'a>]) -> Checked<Vec<Stmt<'a>>> {
        list.iter().map(|s| self.stmt(s)).collect()
    }

    fn stmt(&mut self, s: &Stmt<'a>) -> Checked<Stmt<'a>> {
        Ok(match s {
            Stmt::Template(t) => {
                Stmt::Template(Spanned::new(ast::Template { children: self.body(&t.children)? }, t.span()))
            }
            Stmt::EmitRaw(raw) => Stmt::EmitRaw(Spanned::new(ast::EmitRaw { raw: raw.raw }, raw.span())),
            Stmt::EmitExpr(e) => Stmt::EmitExpr(Spanned::new(ast::EmitExpr { expr: self.expr(&e.expr)? }, e.span())),
            Stmt::ForLoop(f) => {
                self.line = f.span().start_line;
                if f.recursive {
                    return self.refuse("recursive loops are not supported");
                }
                let checked = ast::ForLoop {
                    target: self.target(&f.target)?,
                    iter: self.expr(&f.iter)?,
                    filter_expr: self.some(&f.filter_expr)?,
                    recursive: false,
                    body: self.body(&f.body)?,
                    else_body: self.body(&f.else_body)?,
                };
                Stmt::ForLoop(Spanned::new(checked, f.span()))
            }
            Stmt::IfCond(c) => {
                let checked = ast::IfCond {
                    expr: self.expr(&c.expr)?,
                    true_body: self.body(&c.true_body)?,
                    false_body: self.body(&c.false_body)?,
                };
                Stmt::IfCond(Spanned::new(checked, c.span()))
            }
            Stmt::Set(s) => Stmt::Set(Spanned::new(
                ast::Set { target: self.target(&s.target)?, expr: self.expr(&s.expr)? },
                s.span(),
            )),
            Stmt::SetBlock(s) => {
                let checked = ast::SetBlock {
                    target: self.target(&s.target)?,
                    filter: self.some(&s.filter)?,
                    body: self.body(&s.body)?,
                };
                Stmt::SetBlock(Spanned::new(checked, s.span()))
            }
            Stmt::WithBlock(w) => {
                let pairs = w
                    .assignments
                    .iter()
                    .map(|(target, e)| Ok((self.target(target)?, self.expr(e)?)))
                    .collect::<Checked<_>>()?;
                Stmt::WithBlock(Spanned::new(
                    ast::WithBlock { assignments: pairs, body: self.body(&w.body)? },
                    w.span(),
                ))
            }
            Stmt::FilterBlock(f) => {
                let checked = ast::FilterBlock {
                    filter: self.expr(&f.filter)?,
                    filter_span: f.filter_span,
                    body: self.body(&f.body)?,
                };
                Stmt::FilterBlock(Spanned::new(checked, f.span()))
            }
            Stmt::AutoEscape(a) => {
                self.line = a.span().start_line;
                return self.refuse("autoescape is not supported");
            }
            Stmt::Do(d) => {
                self.line = d.span().start_line;
                return self.refuse("do is not supported");
            }
        })
    }

    /// Copies the names that a loop, `set` or `with` assigns to.
    fn target(&mut self, e: &Expr<'a>) -> Checked<Expr<'a>> {
        self.line = e.span().start_line;
        match e {
            Expr::Var(v) => Ok(Expr::Var(Spanned::new(ast::Var { id: v.id }, v.span()))),
            Expr::Tuple(t) => {
                let items = t.items.iter().map(|e| self.target(e)).collect::<Checked<_>>()?;
                Ok(Expr::Tuple(Spanned::new(ast::Tuple { items }, t.span())))
            }
            Expr::List(l) => {
                let items = l.items.iter().map(|e| self.target(e)).collect::<Checked<_>>()?;
                Ok(Expr::List(Spanned::new(ast::List { items }, l.span())))
            }
            _ => self.refuse("only names can be assigned to"),
        }
    }

    fn some(&mut self, e: &Option<Expr<'a>>) -> Checked<Option<Expr<'a>>> {
        e.as_ref().map(|e| self.expr(e)).transpose()
    }

    fn list(&mut self, list: &[Expr<'a>]) -> Checked<Vec<Expr<'a>>> {
        list.iter().map(|e| self.expr(e)).collect()
    }

    fn args(&mut self, list: &[CallArg<'a>]) -> Checked<Vec<CallArg<'a>>> {
        let one = |arg: &CallArg<'a>| {
            Ok(match arg {
                CallArg::Pos(e) => CallArg::Pos(self.expr(e)?),
                CallArg::Kwarg(name, e) => CallArg::Kwarg(name, self.expr(e)?),
                CallArg::PosSplat(e) => CallArg::PosSplat(self.expr(e)?),
                CallArg::KwargSplat(e) => CallArg::KwargSplat(self.expr(e)?),
            })
        };
        list.iter().map(one).collect()
    }

    /// Copies an expression whose value must be defined.
    fn expr(&mut self, e: &Expr<'a>) -> Checked<Expr<'a>> {
        let span = e.span();
        let copy = self.unchecked(e)?;
        let check = match e {
            Expr::Filter(f) if f.name == "map" => ELEMENTS,
            Expr::Var(_) | Expr::GetAttr(_) | Expr::GetItem(_) | Expr::Filter(_) | Expr::Call(_) => DEFINED,
            Expr::IfExpr(i) if i.false_expr.is_none() => DEFINED,
            _ => return Ok(copy),
        };
        let name = Expr::Const(Spanned::new(ast::Const { value: Value::from(self.label(e)) }, span));
        Ok(filter(check, copy, vec![CallArg::Pos(name)], span))
    }

    /// What messages call an expression.
    fn label(&self, e: &Expr<'a>) -> String {
        let name = self.name(e);
        match e {
            Expr::Filter(f) => format!("the result of {}", f.name),
            Expr::IfExpr(_) => "an if without else".to_owned(),
            _ if name.is_empty() || name.len() > MAX_NAME => "a value".to_owned(),
            _ => format!("'{name}'"),
        }
    }

    /// The source of an expression: the spans of attributes leave out what they are of.
    fn name(&self, e: &Expr<'a>) -> String {
        match e {
            Expr::Var(v) => v.id.to_owned(),
            Expr::GetAttr(g) => format!("{}.{}", self.name(&g.expr), g.name),
            Expr::GetItem(g) => format!("{}[{}]", self.name(&g.expr), self.quote(g.subscript_expr.span())),
            _ => self.quote(e.span()).to_owned(),
        }
    }

    fn quote(&self, span: Span) -> &'a str {
        self.source.get(span.start_offset as usize..span.end_offset as usize).unwrap_or_default()
    }

    /// Copies an expression that may be undefined as a whole, and not in its parts.
    fn unchecked(&mut self, e: &Expr<'a>) -> Checked<Expr<'a>> {
        self.line = e.span().start_line;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.refuse(format!("an expression nests more than {MAX_DEPTH} deep"));
        }
        let copy = self.copy(e);
        self.depth -= 1;
        copy
    }

    fn copy(&mut self, e: &Expr<'a>) -> Checked<Expr<'a>> {
        let span = e.span();
        Ok(match e {
            Expr::Var(v) if v.id == "self" => return self.refuse("self is not supported"),
            Expr::Var(v) => Expr::Var(Spanned::new(ast::Var { id: v.id }, span)),
            Expr::Const(c) => Expr::Const(Spanned::new(ast::Const { value: c.value.clone() }, span)),
            Expr::Slice(s) => {
                let (start, stop, step) = (self.some(&s.start)?, self.some(&s.stop)?, self.some(&s.step)?);
                Expr::Slice(Spanned::new(ast::Slice { expr: self.expr(&s.expr)?, start, stop, step }, span))
            }
            Expr::UnaryOp(u) => {
                let op = match u.op {
                    ast::UnaryOpKind::Not => ast::UnaryOpKind::Not,
                    ast::UnaryOpKind::Neg => ast::UnaryOpKind::Neg,
                };
                Expr::UnaryOp(Spanned::new(ast::UnaryOp { op, expr: self.expr(&u.expr)? }, span))
            }
            Expr::BinOp(b) => {
                let copy = ast::BinOp { op: b.op, left: self.expr(&b.left)?, right: self.expr(&b.right)? };
                let copy = Expr::BinOp(Spanned::new(copy, span));
                match b.op {
                    BinOpKind::Add | BinOpKind::Sub | BinOpKind::Mul | BinOpKind::Div | BinOpKind::Pow => {
                        filter(FINITE, copy, vec![], span)
                    }
                    _ => copy,
                }
            }
            Expr::Compare(c) => {
                let first = self.expr(&c.expr)?;
                let ops = c
                    .ops
                    .iter()
                    .map(|o| Ok(ast::CompareOp { op: o.op, expr: self.expr(&o.expr)? }))
                    .collect::<Checked<_>>()?;
                Expr::Compare(Spanned::new(ast::Compare { expr: first, ops }, span))
            }
            Expr::IfExpr(i) => {
                let copy = ast::IfExpr {
                    test_expr: self.expr(&i.test_expr)?,
                    true_expr: self.expr(&i.true_expr)?,
                    false_expr: self.some(&i.false_expr)?,
                };
                Expr::IfExpr(Spanned::new(copy, span))
            }
            Expr::Filter(f) => self.filter(f)?,
            Expr::Test(t) => {
                if !TESTS.contains(&t.name) {
                    return self.refuse(format!("unknown test \"{}\"", t.name));
                }
                let asks = matches!(t.name, "defined" | "undefined");
                let expr = if asks { self.unchecked(&t.expr)? } else { self.expr(&t.expr)? };
                Expr::Test(Spanned::new(ast::Test { name: t.name, expr, args: self.args(&t.args)? }, span))
            }
            Expr::GetAttr(g) => {
                Expr::GetAttr(Spanned::new(ast::GetAttr { expr: self.expr(&g.expr)?, name: g.name }, span))
            }
            Expr::GetItem(g) => {
                let copy = ast::GetItem { expr: self.expr(&g.expr)?, subscript_expr: self.expr(&g.subscript_expr)? };
                Expr::GetItem(Spanned::new(copy, span))
            }
            Expr::Call(c) => {
                let callee = match c.identify_call() {
                    // Its own name: a member of the values may be called range.
                    CallType::Function("range") => Expr::Var(Spanned::new(ast::Var { id: RANGE }, span)),
                    CallType::Function(name) => return self.refuse(format!("unknown function \"{name}\"")),
                    CallType::Method(of, name) => {
                        Expr::GetAttr(Spanned::new(ast::GetAttr { expr: self.expr(of)?, name }, span))
                    }
                    CallType::Object(_) => return self.refuse("only range and methods can be called"),
                };
                Expr::Call(Spanned::new(ast::Call { expr: callee, args: self.args(&c.args)? }, span))
            }
            Expr::List(l) => Expr::List(Spanned::new(ast::List { items: self.list(&l.items)? }, span)),
            Expr::Tuple(t) => Expr::Tuple(Spanned::new(ast::Tuple { items: self.list(&t.items)? }, span)),
            Expr::Map(m) => {
                Expr::Map(Spanned::new(ast::Map { keys: self.list(&m.keys)?, values: self.list(&m.values)? }, span))
            }
        })
    }

    fn filter(&mut self, f: &Spanned<ast::Filter<'a>>) -> Checked<Expr<'a>> {
        let span = f.span();
        if !FILTERS.contains(&f.name) {
            return self.refuse(format!("unknown filter \"{}\"", f.name));
        }
        let mut on = match &f.expr {
            Some(e) if matches!(f.name, "default" | "d") => Some(self.unchecked(e)?),
            e => self.some(e)?,
        };
        if let Some(attribute) = attribute(f) {
            let attribute = self.expr(attribute)?;
            on = on.map(|e| filter(HAS, e, vec![CallArg::Pos(attribute)], span));
        }
        Ok(Expr::Filter(Spanned::new(ast::Filter { name: f.name, expr: on, args: self.args(&f.args)? }, span)))
    }
}

/// The attribute of its elements that a filter reads, which each must have.
/// `map`, whose default can stand in, is not among them.
fn attribute<'f, 'a>(f: &'f ast::Filter<'a>) -> Option<&'f Expr<'a>> {
    let at = match f.name {
        "sum" => 0,
        "join" => 1,
        "max" | "min" | "sort" | "unique" => usize::MAX,
        _ => return None,
    };
    f.args.iter().enumerate().find_map(|(i, arg)| match arg {
        CallArg::Pos(e) if i == at => Some(e),
        CallArg::Kwarg("attribute", e) => Some(e),
        _ => None,
    })
}

fn filter<'a>(name: &'static str, e: Expr<'a>, args: Vec<CallArg<'a>>, span: Span) -> Expr<'a> {
    Expr::Filter(Spanned::new(ast::Filter { name, expr: Some(e), args }, span))
}
