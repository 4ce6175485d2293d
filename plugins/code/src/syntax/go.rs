//! Go: what go/parser refuses and the grammar accepts.

use super::tokens::{Quotes, Tokens};
use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Id, Tree, ROOT};
use std::collections::HashSet;

pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    struct_tags(tree, findings);
    let parsed = findings.list.is_empty();
    super::spaces(tree, &['\u{b}', '\u{c}'], findings);
    file(tree, findings);
    for id in tree.below(ROOT) {
        match tree.kind(id) {
            "unary_expression" => operators(tree, id, findings),
            "binary_expression" => arrow(tree, id, findings),
            "go_statement" | "defer_statement" => calls(tree, id, findings),
            "parameter_list" => {
                parameters(tree, id, findings);
                variadic(tree, id, findings);
            }
            "negated_type" if matches!(tree.kind(tree.node(id).parent), "parameter_declaration" | "variadic_parameter_declaration" | "const_spec" | "var_spec" | "field_declaration" | "function_declaration" | "method_declaration" | "func_literal" | "function_type") => {
                findings.at(tree, id, "type", "~ stands in constraints only");
            }
            "statement_list" | "block" => statements(tree, id, findings),
            kind => {
                if let Some((rule, message)) = place(tree, id, kind) {
                    findings.at(tree, id, rule, message);
                }
            }
        }
    }
    if parsed {
        line_ends(tree, findings);
    }
    Ok(())
}

/// The grammar needs the end of a line after the tag of a field, also before a }.
fn struct_tags(tree: &Tree, findings: &mut Findings) {
    if !tree.has_error || tree.nodes.iter().any(|n| n.is_error() || n.missing) {
        return;
    }
    let innermost = |id: &Id| tree.node(*id).faulty && !tree.children(*id).any(|c| tree.node(c).faulty);
    let tagged = |id: Id| {
        let fields: Vec<Id> = tree.named_children(id).filter(|&c| tree.kind(c) == "field_declaration").collect();
        let ended = |pair: &[Id]| tree.text[tree.node(pair[0]).end..tree.node(pair[1]).start].contains(['\n', ';']);
        tree.kind(id) == "field_declaration_list" && fields.last().is_some_and(|&f| tree.field(f, "tag").is_some()) && fields.windows(2).all(ended)
    };
    if tree.below(ROOT).filter(innermost).all(tagged) {
        findings.list.clear();
    }
}

/// A file is a package clause, imports, and declarations.
fn file(tree: &Tree, findings: &mut Findings) {
    let mut first = true;
    let mut declared = false;
    let mut before = None;
    for id in tree.named_children(ROOT) {
        let n = tree.node(id);
        match n.kind {
            "comment" | "ERROR" => continue,
            "package_clause" if first => {}
            _ if first => findings.add("package", n.start, n.end.min(n.start + 1), "expected a package clause"),
            "import_declaration" if declared => findings.add("import-order", n.start, n.end, "imports come before other declarations"),
            "import_declaration" => {}
            "const_declaration" | "var_declaration" | "type_declaration" | "function_declaration" | "method_declaration" => declared = true,
            _ => findings.add("declaration", n.start, n.end.min(n.start + 1), "expected a declaration"),
        }
        if before.is_some_and(|end: usize| !tree.text[end..n.start].contains(['\n', ';'])) {
            findings.add("declaration", n.start, n.end.min(n.start + 1), "expected the end of a line before a declaration");
        }
        before = Some(n.end);
        first = false;
    }
    if first && findings.list.is_empty() {
        findings.add("package", tree.text.len(), tree.text.len(), "expected a package clause");
    }
}

/// All parameters have names, or none has. In `a, b int` the grammar may take a name for a type.
fn parameters(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut named = false;
    let list: Vec<Id> = tree.named_children(id).filter(|&c| tree.kind(c).ends_with("parameter_declaration")).collect();
    if !list.iter().any(|&c| tree.field(c, "name").is_some()) {
        return;
    }
    for &c in list.iter().rev() {
        let n = tree.node(c);
        let name = tree.kind(c) == "parameter_declaration" && tree.field(c, "type").is_some_and(|t| tree.kind(t) == "type_identifier");
        match tree.field(c, "name") {
            Some(_) => named = true,
            None if !named || !name => findings.add("parameters", n.start, n.end, "parameters with and without names"),
            None => {}
        }
    }
}

/// The last parameter alone, which has at most one name, may be variadic, and no result.
fn variadic(tree: &Tree, id: Id, findings: &mut Findings) {
    let list: Vec<Id> = tree.named_children(id).filter(|&c| tree.kind(c).ends_with("parameter_declaration")).collect();
    for (i, &c) in list.iter().enumerate().filter(|&(_, &c)| tree.kind(c) == "variadic_parameter_declaration") {
        // The grammar takes the first name of `a, b ...int` for a type.
        let another = tree.field(c, "name").is_some() && i > 0 && tree.field(list[i - 1], "name").is_none();
        if i + 1 < list.len() || another || tree.node(id).field == "result" {
            findings.at(tree, c, "parameters", "only the last parameter is variadic");
        }
    }
}

/// Two adjacent signs are one token: ++x is not +(+x).
fn operators(tree: &Tree, id: Id, findings: &mut Findings) {
    let (Some(outer), Some(operand)) = (tree.field(id, "operator"), tree.field(id, "operand")) else { return };
    if tree.kind(operand) != "unary_expression" {
        return;
    }
    let Some(inner) = tree.field(operand, "operator") else { return };
    let (a, b) = (tree.node(outer), tree.node(inner));
    if a.end == b.start && matches!((a.kind, b.kind), ("+", "+") | ("-", "-") | ("&", "&") | ("<-", "-") | ("&", "^")) {
        findings.add("operator", a.start, b.end, format!("expected an expression, found {}{}", a.kind, b.kind));
    }
}

/// `a <-b` is not a comparison with `-b`: the longest token counts.
fn arrow(tree: &Tree, id: Id, findings: &mut Findings) {
    let Some(operator) = tree.field(id, "operator") else { return };
    let n = tree.node(operator);
    let longer = matches!((n.kind, tree.text.as_bytes().get(n.end)), ("<", Some(b'-')) | ("+", Some(b'+')) | ("-", Some(b'-')));
    if longer && tree.kind(tree.node(id).parent) != "expression_statement" {
        findings.add("operator", n.start, n.end + 1, format!("unexpected {}", &tree.text[n.start..n.end + 1]));
    }
}

/// A semicolon or the end of a line is between two statements.
fn statements(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut before: Option<usize> = None;
    for c in tree.named_children(id).filter(|&c| tree.kind(c) != "comment") {
        let n = tree.node(c);
        let gap = before.and_then(|end| tree.text.get(end..n.start));
        if gap.is_some_and(|gap| !gap.contains(['\n', ';'])) && !matches!(n.kind, "statement_list" | "empty_statement") {
            findings.add("statement", n.start, n.end, "expected a semicolon or the end of the line before a statement");
        }
        before = Some(n.end);
    }
}

/// Leaves out what the grammar does not know, `new` before values, the semicolon of `if ;x {` and the brackets of `const (A = 1)`, and completes `const A T`. `None`: there
/// is neither.
pub fn headers(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    for (at, header) in ["if ;", "switch ;"].iter().flat_map(|h| text.match_indices(h)) {
        if !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            bytes[at + header.len() - 1] = b' ';
        }
    }
    for (at, _) in text.match_indices("const (") {
        let open = at + "const ".len();
        let end = text[open + 1..].find(['(', ')', ';', '\n', '"', '\'', '`']).map(|n| open + 1 + n);
        if let Some(end) = end.filter(|&end| bytes[end] == b')') {
            (bytes[open], bytes[end]) = (b' ', b' ');
        }
    }
    constants(&mut bytes);
    let other = String::from_utf8(bytes).ok()?;
    let mut tokens = Tokens::of(&other, Quotes::Plain);
    semicolons(&mut tokens);
    values(&mut tokens);
    tokens.changed().or(Some(other)).filter(|other| other != text)
}

/// Leaves out empty statements, but in heads of statements, and puts the semicolon that ends a list of declarations on one line.
fn semicolons(t: &mut Tokens) {
    let mut i = 0;
    while i < t.len() {
        match t.at(i) {
            "for" | "if" | "switch" => i = t.find(i, &["{"]).unwrap_or(i),
            ";" if matches!(t.before(i, 1), ";" | "{") => t.blank(i, i),
            "var" | "const" | "type" | "import" if t.at(i + 1) == "(" => {
                let close = t.close(i + 1).filter(|&c| c > i + 2 && t.before(c, 1) != ";" && !t.gap(c - 1).is_empty() && !t.gap(c - 1).contains('\n'));
                if let Some(close) = close {
                    t.put_before(close, b';');
                }
            }
            _ => {}
        }
        i += 1;
    }
}

/// Puts another name for `new` before a value, which it takes since Go 1.26. What may be a type in brackets stays.
fn values(t: &mut Tokens) {
    for i in 0..t.len() {
        if t.starts(i, &["new", "("]) && t.before(i, 1) != "." && !matches!(t.at(i + 2), "[" | "*" | "(" | "map" | "chan" | "func" | "struct" | "interface" | "<") {
            t.put(i, "ne_");
        }
    }
}

/// Gives constants a value that have only a type, which is not an error of syntax: `const A T`, also in brackets.
fn constants(bytes: &mut [u8]) {
    let (mut at, mut group) = (0, false);
    while at < bytes.len() {
        let end = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n);
        let line = String::from_utf8_lossy(&bytes[at..end]).into_owned();
        let code = line.split("//").next().unwrap_or("").trim_end();
        let words: Vec<&str> = code.split_whitespace().collect();
        let name = |w: &str| !w.starts_with(|c: char| c.is_ascii_digit()) && w.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let constant = match words[..] {
            ["const", "("] | ["const("] => {
                group = true;
                None
            }
            [")"] => {
                group = false;
                None
            }
            ["const", a, t] | [a, t] if (group || words.len() == 3) && name(a) && name(t) => Some(code.len() - t.len() - 1),
            _ => None,
        };
        if let Some(from) = constant.filter(|_| line.is_ascii()) {
            bytes[at + from] = b'=';
        }
        at = end + 1;
    }
}

/// Literals, and lists that are too long or go on.
fn place(tree: &Tree, id: Id, kind: &str) -> Option<(&'static str, &'static str)> {
    match kind {
        "rune_literal" if tree.text(id).contains('\n') => Some(("literal", "a rune literal ends on its line")),
        "escape_sequence" | "rune_literal" if no_character(tree.text(id).trim_matches('\'')) => Some(("literal", "this escape is not a character")),
        "rune_literal" if tree.text(id) == "'\\\"'" => Some(("literal", "unknown escape")),
        "type_switch_statement" if tree.field(id, "alias").is_some_and(|a| tree.named_children(a).nth(1).is_some()) => Some(("switch", "a switch of types declares one name")),
        "escape_sequence" if !matches!(tree.text(id).as_bytes().get(1), Some(b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' | b'"' | b'x' | b'u' | b'U' | b'0'..=b'7')) => Some(("literal", "unknown escape")),
        "range_clause" if tree.field(id, "left").is_some_and(|l| tree.elements(l).count() > 2) => Some(("range", "range has at most two variables")),
        "variadic_argument" if tree.named_children(tree.node(id).parent).any(|c| c > id && tree.node(c).parent == tree.node(id).parent && !tree.node(c).is_trivia()) => Some(("arguments", "... stands behind the last argument")),
        _ => None,
    }
}

/// Whether an escape stands for a number that no character or byte has.
fn no_character(escape: &str) -> bool {
    let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok();
    match escape.as_bytes() {
        [b'\\', b'0'..=b'7', ..] => number(&escape[1..], 8).is_some_and(|n| n > 255),
        [b'\\', b'u' | b'U', ..] => number(&escape[2..], 16).is_some_and(|n| char::from_u32(n).is_none()),
        _ => false,
    }
}

/// go and defer need a call.
fn calls(tree: &Tree, id: Id, findings: &mut Findings) {
    let other = |c: Id| !matches!(tree.kind(c), "call_expression" | "type_conversion_expression" | "comment" | "ERROR");
    findings.at(tree, tree.named_children(id).find(|&c| other(c)), "call", "expected a function call");
}

/// The end of a line after some tokens is a semicolon. The grammar knows it where a statement may end; elsewhere
/// it takes the end of the line for white space.
fn line_ends(tree: &Tree, findings: &mut Findings) {
    let (mut last, mut id, mut headers) = (ROOT, ROOT + 1, HashSet::new());
    while id < tree.nodes.len() {
        let n = tree.node(id);
        let at = id;
        let token = n.is_leaf(id) || matches!(n.kind, "interpreted_string_literal" | "raw_string_literal" | "rune_literal");
        id = if token { n.last } else { id + 1 };
        if !token || n.kind == "comment" || tree.text(at).trim().is_empty() {
            continue;
        }
        if last != ROOT {
            let breaks = tree.text.get(tree.node(last).end..n.start).is_some_and(|gap| gap.contains('\n'));
            if breaks && ends_line(tree.text(last)) {
                semicolon(tree, last, at, &mut headers, findings);
            } else if !breaks && matches!(n.kind, "case" | "default") && !matches!(tree.kind(last), ":" | ";" | "{") {
                findings.add("newline", n.start, n.end, format!("expected the end of a line before {}", n.kind));
            }
        }
        last = at;
    }
}

/// Whether a semicolon follows a token that ends a line: a name, a literal, ++, --, a closing bracket, and some keywords.
fn ends_line(token: &str) -> bool {
    const OTHER_KEYWORDS: [&str; 21] = [
        "case", "chan", "const", "default", "defer", "else", "for", "func", "go", "goto", "if", "import", "interface", "map", "package",
        "range", "select", "struct", "switch", "type", "var",
    ];
    match token {
        "++" | "--" => true,
        _ => token.ends_with(|c: char| c.is_alphanumeric() || "_)]}\"'`.".contains(c)) && !OTHER_KEYWORDS.contains(&token) && !matches!(token, "." | "..."),
    }
}

/// A semicolon between two tokens, where the syntax has one or not.
fn semicolon(tree: &Tree, a: Id, b: Id, headers: &mut HashSet<Id>, findings: &mut Findings) {
    let within = |id: Id| id <= a && a < tree.node(id).last;
    let mut around = tree.node(b).parent;
    while !within(around) {
        around = tree.node(around).parent;
    }
    let mut left = a;
    while tree.node(left).parent != around {
        left = tree.node(left).parent;
    }
    let (start, end) = (tree.node(a).end, tree.node(b).start);
    match (tree.kind(around), tree.kind(b)) {
        (
            "source_file" | "block" | "statement_list" | "import_spec_list" | "const_declaration" | "var_declaration" | "var_spec_list"
            | "type_declaration" | "field_declaration_list" | "interface_type",
            _,
        ) => {}
        (_, _) if matches!(tree.kind(left), "expression_case" | "default_case" | "type_case" | "communication_case") => {}
        // What precedes the semicolon is a statement, and nothing is switched on.
        ("expression_switch_statement" | "type_switch_statement", "{") if tree.field(around, "initializer").is_none() => {}
        ("literal_value" | "argument_list" | "parameter_list", "}" | ")") => findings.add("comma", end, end, "missing , before newline"),
        (kind, _) => match splits(tree, around, left, b) {
            Split::Statements => {}
            Split::Header(statement) if headers.insert(statement) => {}
            Split::Loop(statement) if headers.insert(statement) => unexpected_newline(kind, start, end, findings),
            Split::Loop(_) | Split::Unknown => {
                findings.undecided = Some("the output's code may go on as another statement after the end of a line; the grammar does not tell".into());
            }
            Split::Header(_) | Split::Error => unexpected_newline(kind, start, end, findings),
        },
    }
}

fn unexpected_newline(kind: &str, start: usize, end: usize, findings: &mut Findings) {
    findings.add("newline", start, end, format!("unexpected newline in this {}", kind.replace('_', " ")));
}

/// What a semicolon inside of an expression or a type makes of it.
enum Split {
    /// Two statements or fields, each whole.
    Statements,
    /// The initializer and the condition of this statement, if it is the only semicolon.
    Header(Id),
    /// A clause of this loop, if it is not the only semicolon.
    Loop(Id),
    Unknown,
    Error,
}

fn splits(tree: &Tree, around: Id, left: Id, b: Id) -> Split {
    let (kind, next) = (tree.kind(around), tree.kind(b));
    if kind == "array_type" && tree.kind(left) == "]" {
        // A generic type with one argument, and another type: both embedded.
        let field = tree.node(around).parent;
        let element = tree.field(around, "element").map_or("", |e| tree.kind(e));
        let names = tree.children(field).filter(|&c| tree.node(c).field == "name").count();
        let embedded = matches!(element, "type_identifier" | "qualified_type" | "generic_type" | "pointer_type");
        return if tree.kind(field) == "field_declaration" && names == 1 && embedded { Split::Statements } else { Split::Error };
    }
    let mut top = around;
    loop {
        let parent = tree.node(top).parent;
        let first = tree.children(parent).next() == Some(top);
        match tree.kind(parent) {
            "binary_expression" | "unary_expression" => top = parent,
            "call_expression" | "index_expression" | "slice_expression" | "selector_expression" | "type_assertion_expression"
            | "type_conversion_expression" | "composite_literal"
                if first => top = parent,
            _ => break,
        }
    }
    let header = tree.node(top).parent;
    // What is in parentheses as an expression is one.
    let one = |list: Id| tree.named_children(list).filter(|&c| tree.kind(c) != "comment").count() == 1 && !tree.children(list).any(|c| matches!(tree.kind(c), "," | "variadic_argument"));
    if next == "(" && tree.kind(tree.node(b).parent) == "argument_list" && !one(tree.node(b).parent) {
        return Split::Error;
    }
    let starts = matches!(next, "+" | "-" | "*" | "&" | "^" | "<-" | "(" | "[" | "{");
    match tree.kind(header) {
        "if_statement" | "expression_switch_statement" | "type_switch_statement" if starts && tree.field(header, "initializer").is_none() => {
            return if matches!(next, "[" | "{") { Split::Unknown } else { Split::Header(header) };
        }
        "for_statement" if starts => return Split::Loop(header),
        _ => {}
    }
    let end = tree.node(around).end;
    while matches!(
        tree.kind(tree.node(top).parent),
        "expression_list" | "expression_statement" | "short_var_declaration" | "assignment_statement" | "var_spec" | "var_declaration" | "const_spec" | "const_declaration" | "return_statement" | "send_statement" | "labeled_statement"
    ) {
        let parent = tree.node(top).parent;
        if tree.kind(parent) == "expression_list" && tree.node(parent).end != tree.node(top).end {
            return Split::Error;
        }
        top = parent;
    }
    let whole = matches!(tree.kind(tree.node(top).parent), "statement_list" | "labeled_statement");
    let tail = tree.node(top).end == end;
    match (kind, next) {
        ("func_literal", "{") if whole && tail => Split::Statements,
        ("composite_literal", "{") if whole && tail => {
            let elements = tree.field(around, "body").map_or(0, |body| tree.elements(body).count());
            match elements {
                0 => Split::Statements,
                1 => Split::Unknown,
                _ => Split::Error,
            }
        }
        ("type_conversion_expression" | "call_expression", "(") if whole => Split::Statements,
        (_, "[") if whole => Split::Unknown,
        _ => Split::Error,
    }
}
