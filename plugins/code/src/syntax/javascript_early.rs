//! JavaScript: early errors, which grammars do not describe. Each node is looked at once.

use super::javascript::{is_function, is_symbol};
use super::regex;
use crate::finding::Findings;
use rubric_host_tree::{Id, Node, Tree, ROOT};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

pub fn rules(tree: &Tree, script: bool, findings: &mut Findings) {
    let strict = strict(tree, script);
    let mut rules = Rules { tree, script, strict, findings };
    for id in tree.below(ROOT) {
        rules.node(id, tree.node(id));
    }
    rules.exports();
}

/// The early errors that TypeScript reports as errors of syntax, too.
pub fn typescript(tree: &Tree, findings: &mut Findings) {
    let mut rules = Rules { tree, script: true, strict: vec![false; tree.nodes.len()], findings };
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        match n.kind {
            "arrow_function" => rules.arrow_line(id),
            "labeled_statement" => rules.label(id, n),
            "variable_declarator" => rules.patterns(tree.field(id, "name")),
            "required_parameter" | "optional_parameter" => rules.patterns(tree.field(id, "pattern")),
            "for_in_statement" if tree.field(id, "kind").is_some() => rules.patterns(tree.field(id, "left")),
            "interface_declaration" | "lexical_declaration" | "type_alias_declaration" => rules.substatement(id, n),
            _ => rules.common(id, n),
        }
    }
}

pub struct Rules<'t, 'f> {
    pub(super) tree: &'t Tree<'t>,
    script: bool,
    /// By node.
    pub(super) strict: Vec<bool>,
    findings: &'f mut Findings,
}

/// Which nodes are strict code: modules, classes, and functions and scripts with the directive.
pub fn strict(tree: &Tree, script: bool) -> Vec<bool> {
    let mut strict = vec![!script; tree.nodes.len()];
    for id in 0..tree.nodes.len() {
        let n = tree.node(id);
        strict[id] |= strict[n.parent]
            || matches!(n.kind, "class" | "class_declaration")
            || n.kind == "program" && directive(tree, id)
            || is_function(n.kind) && tree.field(id, "body").is_some_and(|b| directive(tree, b));
    }
    strict
}

/// Reports whether a program or function body begins with "use strict".
fn directive(tree: &Tree, id: Id) -> bool {
    matches!(tree.kind(id), "program" | "statement_block")
        && tree
            .named_children(id)
            .filter(|&c| !matches!(tree.kind(c), "comment" | "hash_bang_line"))
            .take_while(|&c| tree.kind(c) == "expression_statement" && tree.named_children(c).next().is_some_and(|s| tree.kind(s) == "string"))
            .any(|c| tree.named_children(c).next().is_some_and(|s| matches!(tree.text(s), "'use strict'" | "\"use strict\"")))
}

/// The name that a text with escapes spells; none if it spells no name.
pub fn spelled(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('\\') {
        return Some(text.into());
    }
    let mut parts = text.split('\\');
    let mut name = String::from(parts.next()?);
    for part in parts {
        let part = part.strip_prefix('u')?;
        let (hex, rest) = match part.strip_prefix('{') {
            Some(braced) => braced.split_once('}')?,
            None => part.split_at_checked(4)?,
        };
        let c = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32)?;
        let begins = matches!(name.as_str(), "" | "#");
        let invalid = if c.is_ascii() { !(c.is_alphabetic() || matches!(c, '_' | '$') || c.is_ascii_digit() && !begins) } else { c.is_whitespace() || is_symbol(c) };
        if invalid || begins && matches!(c, '\u{200c}' | '\u{200d}') {
            return None;
        }
        name.push(c);
        name.push_str(rest);
    }
    Some(name.into())
}

/// Names that are reserved in strict code.
pub fn is_reserved(name: &str) -> bool {
    matches!(name, "implements" | "interface" | "let" | "package" | "private" | "protected" | "public" | "static" | "yield")
}

pub fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "break" | "case" | "catch" | "class" | "const" | "continue" | "debugger" | "default" | "delete" | "do" | "else" | "enum" | "export" | "extends"
            | "false" | "finally" | "for" | "function" | "if" | "import" | "in" | "instanceof" | "new" | "null" | "return" | "super" | "switch" | "this"
            | "throw" | "true" | "try" | "typeof" | "var" | "void" | "while" | "with"
    )
}

pub fn is_generator(tree: &Tree, function: Id) -> bool {
    tree.child(function, "*").is_some()
}

fn is_loop(kind: &str) -> bool {
    matches!(kind, "for_statement" | "for_in_statement" | "while_statement" | "do_statement")
}

impl<'t> Rules<'t, '_> {
    pub(super) fn add(&mut self, id: impl Into<Option<Id>>, rule: &'static str, message: impl Into<String>) {
        self.findings.at(self.tree, id, rule, message);
    }

    fn node(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        match n.kind {
            "decorator" => self.add(id, "decorator", "decorators are not JavaScript yet"),
            "regex" => self.regex(id),
            "identifier" | "shorthand_property_identifier" | "shorthand_property_identifier_pattern" | "statement_identifier" => self.name(id, n),
            "yield_expression" => self.yields(id),
            "await_expression" => {
                if self.initializes(id) {
                    self.add(id, "await", "await in a field or a static block of a class");
                }
                if self.in_parameters(id, |f| tree.child(f, "async").is_some()) {
                    self.add(id, "await", "await in the parameters of an async function");
                }
            }
            "with_statement" if self.strict[id] => self.add(id, "with", "with is not allowed in strict mode"),
            "escape_sequence" => self.escape(id, n),
            "number" => self.number(id, n),
            "super" => self.supers(id, n),
            "arrow_function" => self.arrow(id, n),
            "formal_parameters" => self.accessor(n.parent, id),
            "array_pattern" => {
                for c in tree.named_children(id) {
                    self.target(c, true);
                }
            }
            "pair_pattern" => self.part(id, "value"),
            "assignment_pattern" | "object_assignment_pattern" => self.part(id, "left"),
            "assignment_expression" => self.part(id, "left"),
            "augmented_assignment_expression" => {
                if let Some(left) = tree.field(id, "left") {
                    self.target(left, false);
                }
            }
            "update_expression" => {
                if let Some(argument) = tree.field(id, "argument") {
                    self.target(argument, false);
                }
            }
            "variable_declarator" => {
                let pattern = tree.field(id, "name").is_some_and(|p| tree.kind(p).ends_with("_pattern"));
                if pattern && tree.field(id, "value").is_none() {
                    self.add(id, "pattern", "a pattern needs a value");
                }
                if let Some(name) = tree.field(id, "name") {
                    self.binding(name);
                }
            }
            "unary_expression" if tree.child(id, "delete").is_some() => self.delete(id),
            "class_body" => self.class(id, n),
            "import_statement" | "export_statement" if n.parent != ROOT => self.add(id, "module", "import and export stand at the top level"),
            "for_in_statement" => self.for_in(id),
            "labeled_statement" => self.label(id, n),
            _ => self.common(id, n),
        }
        if is_function(n.kind) {
            self.function(id, n);
        }
        self.substatement(id, n);
    }

    /// The rules of TypeScript, too.
    fn common(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        match n.kind {
            "catch_clause" => self.patterns(tree.field(id, "parameter")),
            "continue_statement" => self.continues(id),
            "rest_pattern" => self.rest(id, n),
            "throw_statement" => self.one_line(id, "throw", 0),
            "binary_expression" if tree.child(id, "**").is_some() => {
                let unary = tree.field(id, "left").filter(|&l| matches!(tree.kind(l), "unary_expression" | "await_expression" | "type_assertion"));
                self.add(unary, "exponent", "the base of ** needs parentheses");
            }
            "new_expression" => {
                let first = |c| std::iter::successors(Some(c), |&c| tree.field(c, "object")).last().unwrap_or(c);
                self.add(tree.field(id, "constructor").filter(|&c| self.optional(c) || self.imports(first(c))), "new", "new does not take ?. or import()");
            }
            "call_expression" => self.call(id),
            "switch_body" => self.add(tree.children(id).filter(|&c| tree.kind(c) == "switch_default").nth(1), "switch", "more than one default"),
            "try_statement" if tree.field(id, "handler").is_none() && tree.field(id, "finalizer").is_none() => {
                self.add(id, "try", "try needs catch or finally");
            }
            _ => {}
        }
    }

    fn part(&mut self, id: Id, field: &str) {
        if let Some(part) = self.tree.field(id, field) {
            self.target(part, true);
        }
    }

    fn regex(&mut self, id: Id) {
        let tree = self.tree;
        let flags = tree.field_text(id, "flags");
        let bad = flags.char_indices().any(|(i, c)| !"dgimsuvy".contains(c) || flags[..i].contains(c)) || flags.contains('u') && flags.contains('v');
        if bad {
            return self.add(id, "regex", format!("invalid flags {flags}"));
        }
        let Some(pattern) = tree.field(id, "pattern") else { return };
        if let Err(what) = regex::early(tree.text(pattern), flags) {
            self.add(pattern, "regex", format!("invalid regular expression: {what}"));
        }
    }

    /// Names that are reserved where they stand.
    fn name(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        let text = &*spelled(tree.text(id)).unwrap_or_default();
        let reserved = match text {
            "eval" | "arguments" if self.strict[id] && (n.kind == "shorthand_property_identifier_pattern" || matches!(tree.kind(n.parent), "catch_clause" | "import_clause" | "import_specifier" | "namespace_import")) => true,
            _ if is_keyword(text) => true,
            "await" => !self.script || self.in_function(id, true, |f| tree.kind(f) == "class_static_block" || tree.child(f, "async").is_some()),
            "yield" => self.strict[id] || self.in_function(id, false, |f| is_generator(tree, f)),
            "arguments" => tree.above(id).find(|&a| is_function(tree.kind(a)) && tree.kind(a) != "arrow_function" || matches!(tree.kind(a), "field_definition" | "class_static_block")).is_some_and(|a| !is_function(tree.kind(a))),
            _ => self.strict[id] && is_reserved(text),
        };
        // import { if as x } and export { x as if } take any name; await (x) is read as a call.
        let other = match tree.kind(n.parent) {
            "import_specifier" => n.field == "name" && tree.field(n.parent, "alias").is_some(),
            "export_specifier" => n.field == "alias" || tree.above(id).nth(2).is_some_and(|e| tree.field(e, "source").is_some()),
            "call_expression" => text == "await" && n.field == "function",
            _ => false,
        };
        if reserved && !other {
            self.add(id, "reserved", format!("{text} is reserved here"));
        }
    }

    /// Reports whether the innermost function, of which a declaration's own name is not part, is of a kind.
    fn in_function(&self, id: Id, through_arrows: bool, is: impl Fn(Id) -> bool) -> bool {
        let tree = self.tree;
        let mut child = id;
        for a in tree.above(id) {
            let own = tree.node(child).field == "name" && matches!(tree.kind(a), "function_declaration" | "generator_function_declaration" | "method_definition");
            child = a;
            let kind = tree.kind(a);
            if own || !is_function(kind) && kind != "class_static_block" {
                continue;
            }
            if is(a) {
                return true;
            }
            if kind != "arrow_function" || !through_arrows && kind == "class_static_block" {
                return false;
            }
        }
        false
    }

    fn yields(&mut self, id: Id) {
        let tree = self.tree;
        let inside = super::javascript::function(tree, id).is_some_and(|f| is_generator(tree, f));
        if self.in_parameters(id, |f| is_generator(tree, f)) {
            return self.add(id, "yield", "yield in the parameters of a generator");
        }
        if inside {
            return;
        }
        if self.strict[id] || tree.named_children(id).next().is_some() && !tree.has_error {
            self.add(id, "yield", "yield outside of a generator");
        } else if tree.has_error {
            self.findings.undecided = Some("the output's code has yield as a name, which the grammar does not know".into());
        }
    }

    /// Reports whether a node is in the parameters of the innermost function, and that is of a kind.
    fn in_parameters(&self, id: Id, is: impl Fn(Id) -> bool) -> bool {
        let tree = self.tree;
        let mut child = id;
        for a in tree.above(id) {
            if is_function(tree.kind(a)) {
                return tree.kind(child) == "formal_parameters" && is(a);
            }
            child = a;
        }
        false
    }

    /// Reports whether a node is in the value of a field, or in a static block, and in no function there.
    fn initializes(&self, id: Id) -> bool {
        let tree = self.tree;
        let mut child = id;
        for a in tree.above(id) {
            match tree.kind(a) {
                "class_static_block" => return true,
                "field_definition" => return tree.node(child).field == "value",
                kind if is_function(kind) => return false,
                _ => child = a,
            }
        }
        false
    }

    fn escape(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        let template = tree.kind(n.parent) == "template_string";
        if template && tree.kind(tree.node(n.parent).parent) == "call_expression" {
            return; // a tag gets what is invalid as undefined
        }
        let text = &tree.text(id)[1..];
        if let Some(hex) = text.strip_prefix("u{").and_then(|t| t.strip_suffix('}')) {
            if u32::from_str_radix(hex, 16).map_or(true, |c| c > 0x10_ffff) {
                self.add(id, "escape", "\\u{...} is beyond 10FFFF");
            }
        }
        let next = tree.text.as_bytes().get(n.end).is_some_and(u8::is_ascii_digit);
        let octal = text.starts_with(|c: char| c.is_ascii_digit()) && (text != "0" || next);
        if octal && (template || self.strict[id]) {
            self.add(id, "escape", "octal escapes are not allowed in templates and strict mode");
        }
    }

    fn number(&mut self, id: Id, n: &Node) {
        let text = self.tree.text(id);
        let digits = text.len() > 1 && text.starts_with('0') && text.as_bytes()[1].is_ascii_digit();
        let octal = digits && text.split('.').next().is_some_and(|whole| whole.bytes().all(|b| b < b'8'));
        if text.starts_with("0_") || digits && text.contains(['_', 'n']) || octal && text.contains('.') {
            self.add(id, "number", "invalid number");
        } else if digits && self.strict[id] {
            self.add(id, "octal", "octal literals such as 010 are not allowed in strict mode; use 0o10");
        }
        if self.tree.text[n.end..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$')) {
            self.add(id, "number", "a name follows a number without a space");
        }
    }

    fn supers(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        let call = tree.kind(n.parent) == "call_expression" && n.field == "function";
        if !call && n.field != "object" {
            return; // the rule of both languages
        }
        let around = tree.above(id).find(|&a| is_function(tree.kind(a)) && tree.kind(a) != "arrow_function" || matches!(tree.kind(a), "field_definition" | "class_static_block"));
        let allowed = around.is_some_and(|f| {
            if !call {
                return matches!(tree.kind(f), "method_definition" | "field_definition" | "class_static_block");
            }
            let constructor = tree.kind(f) == "method_definition" && tree.field(f, "name").is_some_and(|m| tree.text(m) == "constructor") && tree.child(f, "static").is_none();
            let body = tree.node(f).parent;
            constructor && tree.kind(body) == "class_body" && tree.child(tree.node(body).parent, "class_heritage").is_some()
        });
        if !allowed {
            self.add(id, "super", if call { "super() outside of a constructor of a derived class" } else { "super outside of a method" });
        }
    }

    fn arrow(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        let operand = match tree.kind(n.parent) {
            "call_expression" => n.field == "function",
            "member_expression" | "subscript_expression" => n.field == "object",
            "ternary_expression" => n.field == "condition",
            "new_expression" => n.field == "constructor",
            "binary_expression" | "unary_expression" | "await_expression" => true,
            _ => false,
        };
        // On another line, what follows may be a statement.
        let next = tree.children(n.parent).find(|&c| c > id && tree.kind(c) != "comment").map(|c| tree.node(c).start);
        if operand && !next.is_some_and(|start| tree.text[n.end..start].contains('\n') && tree.text[start..].starts_with(['(', '[', '`', '+', '-', '/'])) {
            self.add(id, "arrow", "an arrow function needs parentheses here");
        }
        self.arrow_line(id);
    }

    /// Line breaks within the head of an arrow function.
    fn arrow_line(&mut self, id: Id) {
        let tree = self.tree;
        if let Some(arrow) = tree.child(id, "=>") {
            let before = tree.children(id).take_while(|&c| c < arrow).filter(|&c| tree.kind(c) != "comment").last();
            if before.is_some_and(|b| tree.text[tree.node(b).end..tree.node(arrow).start].contains('\n')) {
                self.add(arrow, "arrow", "=> stands on the line of the parameters");
            }
        }
        self.one_line(id, "async", 0);
    }

    /// The token after another stands on its line.
    fn one_line(&mut self, id: Id, token: &str, from: usize) {
        let tree = self.tree;
        let Some(t) = tree.child(id, token) else { return };
        let next = tree.children(id).skip(from).find(|&c| c > t && tree.kind(c) != "comment");
        if next.is_some_and(|c| tree.text[tree.node(t).end..tree.node(c).start].contains('\n')) {
            self.add(t, "newline", format!("no line break is allowed after {token}"));
        }
    }

    fn call(&mut self, id: Id) {
        let tree = self.tree;
        let (Some(function), Some(arguments)) = (tree.field(id, "function"), tree.field(id, "arguments")) else { return };
        if tree.kind(arguments) == "template_string" && self.optional(function) {
            self.add(arguments, "template", "a template cannot follow ?.");
        }
        if tree.kind(function) == "import" {
            let list: Vec<Id> = tree.named_children(arguments).filter(|&c| tree.kind(c) != "comment").collect();
            if !matches!(list.len(), 1 | 2) || list.iter().any(|&a| tree.kind(a) == "spread_element") {
                self.add(arguments, "import", "import() takes one or two arguments");
            }
        }
    }

    fn class(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        if tree.kind(n.parent) == "class_declaration" {
            if let Some(name) = tree.field(n.parent, "name").filter(|&c| self.is_restricted(c)) {
                self.add(name, "reserved", format!("{} is reserved here", tree.text(name)));
            }
        }
        let mut constructors = 0;
        let mut private: HashMap<&str, &str> = HashMap::new();
        for m in tree.named_children(id) {
            let method = tree.kind(m) == "method_definition";
            let Some(name) = tree.field(m, "name").or_else(|| tree.field(m, "property")) else { continue };
            let fixed = tree.child(m, "static").is_some();
            let special = tree.child(m, "get").is_some() || tree.child(m, "set").is_some() || tree.child(m, "async").is_some() || is_generator(tree, m);
            let text = if tree.kind(name) == "computed_property_name" { "" } else { tree.text(name).trim_matches(['"', '\'']) };
            if text == "constructor" && (!fixed && method && special || !method) || text == "#constructor" || text == "prototype" && fixed {
                self.add(name, "class", format!("a class member cannot be named {text} here"));
            } else if text == "constructor" && method && !fixed {
                constructors += 1;
                if constructors == 2 {
                    self.add(name, "class", "a class has one constructor");
                }
            }
            if text.starts_with('#') {
                let kind = match (fixed, tree.child(m, "get").is_some(), tree.child(m, "set").is_some()) {
                    (true, true, _) => "static get",
                    (true, _, true) => "static set",
                    (_, true, _) => "get",
                    (_, _, true) => "set",
                    _ => "",
                };
                let pair = private.insert(text, kind).is_none_or(|other| matches!((other, kind), ("get", "set") | ("set", "get") | ("static get", "static set") | ("static set", "static get")));
                if !pair {
                    self.add(name, "class", format!("{text} is already declared"));
                }
            }
        }
    }

    fn for_in(&mut self, id: Id) {
        let tree = self.tree;
        let of = tree.field(id, "operator").is_some_and(|o| tree.text(o) == "of");
        let kind = tree.field_text(id, "kind");
        let waits = tree.child(id, "await").is_some();
        if waits {
            let around = tree.above(id).find(|&a| is_function(tree.kind(a)));
            if !of || around.is_some_and(|f| tree.child(f, "async").is_none()) {
                self.add(id, "await", "for await needs of, and an async function");
            }
        }
        self.add(tree.field(id, "right").filter(|&r| of && tree.kind(r) == "sequence_expression"), "for", "for of takes one expression");
        let Some(left) = tree.field(id, "left") else { return };
        if kind.is_empty() {
            if of && (tree.text(left) == "let" || tree.text(left) == "async" && !waits) {
                self.add(left, "for", format!("{} cannot stand before of", tree.text(left)));
            }
            self.target(left, true);
        } else {
            self.binding(left);
        }
        if tree.field(id, "value").is_some() && (of || kind != "var" || self.strict[id] || tree.kind(left) != "identifier") {
            self.add(left, "for", "the variable of this loop has no value");
        }
    }

    fn label(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        let Some(label) = tree.field(id, "label") else { return };
        let text = tree.text(label);
        let again = n.depth < 500 && tree.above(id).take_while(|&a| !is_function(tree.kind(a))).any(|a| tree.kind(a) == "labeled_statement" && tree.field(a, "label").is_some_and(|l| tree.text(l) == text));
        if again {
            self.add(label, "label", format!("label {text} is already declared"));
        }
    }

    fn continues(&mut self, id: Id) {
        let tree = self.tree;
        let Some(label) = tree.field(id, "label") else { return };
        let named = tree.above(id).take_while(|&a| !is_function(tree.kind(a))).find(|&a| tree.kind(a) == "labeled_statement" && tree.field(a, "label").is_some_and(|l| tree.text(l) == tree.text(label)));
        let mut body = named;
        while let Some(b) = body.filter(|&b| tree.kind(b) == "labeled_statement") {
            body = tree.field(b, "body");
        }
        if body.is_some_and(|b| !is_loop(tree.kind(b))) {
            self.add(label, "label", format!("{} is not the label of a loop", tree.text(label)));
        }
    }

    /// Declarations are not bodies of other statements.
    fn substatement(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        let parent = tree.kind(n.parent);
        let body = match parent {
            "if_statement" => n.field == "consequence",
            "else_clause" => n.named,
            "labeled_statement" | "with_statement" => n.field == "body",
            _ => is_loop(parent) && n.field == "body",
        };
        if !body {
            return;
        }
        let is_labelled = n.kind == "labeled_statement" && parent != n.kind;
        let labelled = |l| std::iter::successors(Some(l), |&l| tree.field(l, "body").filter(|_| tree.kind(l) == "labeled_statement")).last();
        let bad = match n.kind {
            _ if is_labelled => labelled(id).is_some_and(|b| tree.kind(b) == "function_declaration"),
            "lexical_declaration" | "using_declaration" | "interface_declaration" | "type_alias_declaration" | "class_declaration" | "generator_function_declaration" => true,
            "function_declaration" => self.strict[id] || tree.child(id, "async").is_some() || !matches!(parent, "if_statement" | "else_clause" | "labeled_statement"),
            _ => false,
        };
        if bad {
            self.add(id, "declaration", "a declaration needs a block here");
        }
    }

    fn is_restricted(&self, name: Id) -> bool {
        self.strict[name] && matches!(self.tree.text(name), "eval" | "arguments")
    }

    /// Parameters: duplicates, names, and those that the directive does not allow.
    fn function(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        if n.kind != "method_definition" {
            if let Some(name) = tree.field(id, "name").filter(|&c| self.is_restricted(c)) {
                self.add(name, "reserved", format!("{} is reserved here", tree.text(name)));
            }
        }
        let Some(parameters) = tree.field(id, "parameters").or_else(|| tree.field(id, "parameter")) else { return };
        let names = if tree.kind(parameters) == "identifier" { vec![parameters] } else { super::javascript::bound(tree, parameters) };
        let simple = tree.kind(parameters) == "identifier" || tree.named_children(parameters).all(|p| matches!(tree.kind(p), "identifier" | "comment"));
        let body = tree.field(id, "body");
        if !simple && body.is_some_and(|b| directive(tree, b)) {
            self.add(parameters, "parameters", "\"use strict\" needs parameters that are names");
        }
        let unique = !simple || self.strict[id] || matches!(n.kind, "arrow_function" | "method_definition");
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(tree.text(name)) && unique {
                self.add(name, "parameters", format!("duplicate parameter {}", tree.text(name)));
            }
            if self.is_restricted(name) {
                self.add(name, "reserved", format!("{} is reserved here", tree.text(name)));
            }
        }
    }

    /// A name is exported once.
    fn exports(&mut self) {
        let tree = self.tree;
        let mut seen = HashSet::new();
        for e in tree.children(ROOT).filter(|&c| tree.kind(c) == "export_statement") {
            let mut names: Vec<(Id, &str)> = Vec::new();
            if let Some(default) = tree.child(e, "default") {
                names.push((default, "default"));
            }
            if let Some(clause) = tree.child(e, "export_clause") {
                for s in tree.named_children(clause).filter(|&s| tree.kind(s) == "export_specifier") {
                    if let Some(name) = tree.field(s, "alias").or_else(|| tree.field(s, "name")) {
                        names.push((name, tree.text(name).trim_matches(['"', '\''])));
                    }
                }
            }
            if let Some(d) = tree.field(e, "declaration").filter(|_| names.is_empty()) {
                if let Some(name) = tree.field(d, "name") {
                    names.push((name, tree.text(name)));
                }
                for v in tree.children(d).filter(|&v| tree.kind(v) == "variable_declarator") {
                    if let Some(pattern) = tree.field(v, "name") {
                        names.extend(super::javascript::bound(tree, pattern).into_iter().map(|i| (i, tree.text(i))));
                    }
                }
            }
            for (id, name) in names {
                if !seen.insert(name) {
                    self.add(id, "module", format!("{name} is exported twice"));
                }
            }
        }
    }
}
