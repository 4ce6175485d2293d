//! JavaScript and TypeScript: what V8 refuses and the grammars accept. Code is valid if it
//! is, as a script or as a module.

use super::{javascript_early, regex, typescript};
use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Id, Node, Tree, ROOT};
use std::collections::{HashMap, HashSet};

pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    let script = is_script(tree);
    findings.undecided = unknown(tree);
    super::spaces(tree, &['\u{200b}', '\u{2060}'], findings);
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        shared(tree, id, n, findings);
        match n.kind {
            "object" => prototypes(tree, id, findings),
            "jsx_element" | "jsx_self_closing_element" if !tree.above(id).any(|a| tree.kind(a).starts_with("jsx_")) => {
                findings.add("jsx", n.start, n.end, "JSX is not JavaScript");
            }
            _ => {}
        }
    }
    javascript_early::rules(tree, script, findings);
    declarations(tree, script, &javascript_early::strict(tree, script), findings);
    Ok(())
}

pub fn typescript(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    findings.undecided = unknown(tree);
    super::spaces(tree, &['\u{200b}', '\u{2060}'], findings);
    for id in tree.below(ROOT) {
        shared(tree, id, tree.node(id), findings);
        types(tree, id, findings);
        typescript::node(tree, id, findings);
        if tree.kind(id) == "object" {
            typescript::members(tree, id, findings);
        }
    }
    javascript_early::typescript(tree, findings);
    Ok(())
}

/// Types: reserved words as names, and a | or & without a type before it.
fn types(tree: &Tree, id: Id, findings: &mut Findings) {
    let (n, parent) = (tree.node(id), tree.kind(tree.node(id).parent));
    // The elements of a tuple have any names.
    let tuple = || tree.kind(tree.node(tree.node(id).parent).parent).contains("tuple");
    let named = match n.kind {
        // Not of A.default.
        "type_identifier" => parent != "nested_type_identifier",
        "shorthand_property_identifier" => true,
        "identifier" => match parent {
            "import_specifier" => n.field == "alias" || tree.field(n.parent, "alias").is_none(),
            "export_specifier" | "namespace_export" | "nested_identifier" => false,
            _ => !tuple(),
        },
        _ => false,
    };
    let values = n.kind == "shorthand_property_identifier" || !matches!(tree.text(id), "this" | "true" | "false");
    if named && values && javascript_early::is_keyword(tree.text(id)) {
        findings.add("reserved", n.start, n.end, format!("{} is a reserved word", tree.text(id)));
    }
    let leads = |operator| tree.children(id).next().is_some_and(|c| tree.kind(c) == operator);
    let inside = |kind| parent == kind && n.start > tree.node(n.parent).start;
    let error = match n.kind {
        "union_type" if leads("|") && (inside("union_type") || parent == "intersection_type") => Some(("type", "expected a type")),
        "intersection_type" if leads("&") && inside("intersection_type") => Some(("type", "expected a type")),
        "member_expression" | "subscript_expression" | "non_null_expression" if n.field == "pattern" && parent.ends_with("_parameter") => Some(("parameter", "a parameter is a name or a pattern")),
        "type_annotation" if parent == "parenthesized_expression" => Some(("type", "a type in parentheses needs an arrow behind them")),
        "," if parent == "class_body" => Some(("comma", "members of a class are separated by ;")),
        // The grammar ends one whose body begins on the next line, and takes that for a block.
        "internal_module" | "module" if n.named && tree.field(id, "body").is_none() && !typescript::code(&tree.text[n.end..]).starts_with('{') && !(n.kind == "module" && parent == "ambient_declaration") => Some(("module", "a namespace needs a body")),
        "number" if n.end > n.start + 1 && tree.text(id).starts_with('0') && tree.text.as_bytes()[n.start + 1].is_ascii_digit() => Some(("octal", "a decimal number does not begin with 0; octal is 0o17")),
        "update_expression" if parent == n.kind => Some(("target", "invalid target of an assignment")),
        _ => None,
    };
    if let Some((rule, message)) = error {
        findings.add(rule, n.start, n.end, message);
    }
}

/// What valid code may have, and the grammars do not know.
fn unknown(tree: &Tree) -> Option<String> {
    let escape = |n: &Node| n.is_error() && ["\\u", "\\x"].iter().any(|e| tree.text[n.start..n.end].starts_with(e));
    (tree.has_error && tree.nodes.iter().any(escape) && has_tag(tree.text))
        .then(|| "the output's code has an invalid escape and a tagged template, which may have it; the grammar does not know that".into())
}

/// Reports whether a template stands behind a tag, such as String.raw`\users`. Quotes and templates in templates are not looked at.
fn has_tag(text: &str) -> bool {
    let (mut inside, mut before, mut chars) = (false, ' ', text.chars());
    while let Some(c) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '`' if !inside && (before.is_alphanumeric() || matches!(before, '_' | '$' | ')' | ']')) => return true,
            '`' => inside = !inside,
            _ => {}
        }
        before = c;
    }
    false
}

/// Punctuation and symbols beyond ASCII, such as the quotes of prose: the grammars take them for letters.
pub fn is_symbol(c: char) -> bool {
    match c {
        'ª' | 'µ' | '·' | 'º' | '\u{200c}' | '\u{200d}' | '‿' | '⁀' | '⁔' => false,
        '\u{2070}'..='\u{209f}' => !c.is_alphabetic(),
        '\u{7f}'..='¿' | '\u{180e}' | '×' | '÷' | '\u{2000}'..='\u{206f}' | '₠'..='\u{20cf}' | '←'..='\u{2bff}' | '⸀'..='\u{2fff}' | '、'..='〄' | '〈'..='〠' | '〰' => true,
        '︐'..='︙' | '︰'..='︲' | '︵'..='﹌' | '﹐'..='﹫' | '！'..='／' | '：'..='＠' | '［'..='＾' | '｀' | '｛'..='､' | '\u{1f000}'..='\u{1faff}' => true,
        _ => false,
    }
}

/// The rules of both languages.
fn shared(tree: &Tree, id: Id, n: &Node, findings: &mut Findings) {
    if n.kind.contains("identifier") && tree.children(id).next().is_none() {
        if let Some((_, c)) = tree.text(id).char_indices().find(|&(at, c)| is_symbol(c) || at == 0 && matches!(c, '\u{200c}' | '\u{200d}')) {
            findings.add("name", n.start, n.end, format!("{c} cannot be there in a name"));
        } else if javascript_early::spelled(tree.text(id)).is_none() {
            findings.add("name", n.start, n.end, "an escape spells no letter of a name");
        }
    }
    match n.kind {
        "return_statement" if function(tree, id).is_none() => findings.add("return", n.start, n.end, "return outside of a function"),
        "await_expression" => {
            if let Some(f) = function(tree, id) {
                if tree.child(f, "async").is_none() {
                    findings.add("await", n.start, n.end, "await outside of an async function");
                }
            }
        }
        "break_statement" | "continue_statement" => jump(tree, id, findings),
        "regex_pattern" => {
            if let Err(what) = regex::check(tree.text(id)) {
                findings.add("regex", n.start, n.end, format!("invalid regular expression: {what}"));
            }
        }
        "string" if tree.kind(n.parent) != "jsx_attribute" && unended(tree.text(id)) => findings.add("literal", n.start, n.end, "a string ends on its line"),
        "yield_expression" if matches!(tree.kind(n.parent), "binary_expression" | "unary_expression") || n.field == "condition" && tree.kind(n.parent) == "ternary_expression" => findings.add("operand", n.start, n.end, "yield needs parentheses here"),
        "import_attribute" => attributes(tree, id, findings),
        "private_property_identifier" if tree.kind(n.parent) == "member_expression" || tree.kind(n.parent) == "binary_expression" => private(tree, id, findings),
        "meta_property" if tree.text(id).starts_with("new") => {
            let allowed = tree.above(id).any(|a| {
                matches!(tree.kind(a), "function_declaration" | "function_expression" | "function" | "generator_function" | "generator_function_declaration"
                    | "method_definition" | "field_definition" | "public_field_definition" | "class_static_block")
            });
            if !allowed {
                findings.add("new-target", n.start, n.end, "new.target outside of a function");
            }
        }
        "object" if tree.kind(n.parent) == "arrow_function" && !block(tree, id) => findings.add("statement", n.start, n.end, "the body of an arrow function is a block"),
        "arguments" | "object" | "object_pattern" | "object_type" | "tuple_type" | "export_clause" | "named_imports" => commas(tree, id, findings),
        "super" if !matches!(n.field, "object" | "function") => findings.add("super", n.start, n.end, "super stands before a member or a call"),
        "export_statement" if tree.child(id, "default").is_some() => {
            let variables = tree.field(id, "declaration").filter(|&d| matches!(tree.kind(d), "lexical_declaration" | "variable_declaration"));
            findings.at(tree, variables, "module", "export default takes an expression, a function or a class");
        }
        "binary_expression" => coalescing(tree, id, findings),
        "method_definition" if tree.kind(n.parent) == "object" && ["static", "accessibility_modifier", "override_modifier", "readonly", "abstract"].iter().any(|m| tree.child(id, m).is_some())
            || tree.child(id, "async").is_some() && tree.child(id, "get").or(tree.child(id, "set")).is_some() => {
            findings.add("modifier", n.start, n.end, "a member of an object has no such modifier");
        }
        "export_specifier" if tree.field(id, "name").is_some_and(|m| tree.kind(m) == "string") && tree.above(id).nth(1).is_some_and(|e| tree.field(e, "source").is_none()) => {
            findings.add("module", n.start, n.end, "a string is exported from another module only");
        }
        "private_property_identifier" if tree.above(id).take(2).any(|a| matches!(tree.kind(a), "object" | "object_pattern")) => findings.add("private", n.start, n.end, "a private name is one of a class"),
        "update_expression" if matches!(n.field, "object" | "function") => findings.add("operand", n.start, n.end, "++ and -- need parentheses here"),
        "variable_declarator" => constant(tree, id, findings),
        "using_declaration" if matches!(tree.kind(n.parent), "switch_case" | "switch_default") => findings.add("declaration", n.start, n.end, "using needs a block here"),
        "assignment_expression" | "augmented_assignment_expression" if matches!(tree.kind(n.parent), "binary_expression" | "unary_expression" | "await_expression") && tree.child(id, "using").is_none() => {
            findings.add("operand", n.start, n.end, "an assignment needs parentheses here");
        }
        "expression_statement" => {
            unnamed(tree, id, findings);
            let first = tree.named_children(id).next();
            let target = first.and_then(|c| tree.field(c, "left")).filter(|&l| tree.kind(l) == "object_pattern" && tree.kind(n.parent) != "for_statement"); // { a: b } = c
            if first.is_some_and(|c| tree.kind(c) == "object" && !block(tree, c)) || target.is_some() {
                findings.add("statement", n.start, n.end, "a statement does not begin with an object");
            }
        }
        "class_heritage" => {
            let looser = |c: &Id| matches!(tree.kind(*c), "binary_expression" | "unary_expression" | "update_expression" | "await_expression" | "yield_expression"
                | "assignment_expression" | "augmented_assignment_expression" | "arrow_function" | "ternary_expression");
            let value = tree.child(id, "extends_clause").unwrap_or(id); // TypeScript has one
            findings.at(tree, tree.named_children(value).find(looser), "operand", "this expression needs parentheses after extends");
        }
        _ => {}
    }
}

/// Whether a line break in a string is not escaped.
fn unended(text: &str) -> bool {
    let mut lines = text.split('\n').peekable();
    std::iter::from_fn(|| lines.next().filter(|_| lines.peek().is_some())).any(|line| !line.trim_end_matches('\r').ends_with('\\'))
}

/// The attributes of an import are strings of different names.
fn attributes(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut seen = HashSet::new();
    for member in tree.child(id, "object").into_iter().flat_map(|o| tree.named_children(o)).filter(|&m| !tree.node(m).is_trivia()) {
        let n = tree.node(member);
        let name = tree.field_text(member, "key").trim_matches(['"', '\'']);
        if tree.field(member, "value").is_none_or(|v| tree.kind(v) != "string") || !seen.insert(name) {
            findings.add("module", n.start, n.end, "an attribute of an import is a name with a string, once");
        }
    }
}

/// Expression statements do not begin as declarations and blocks do.
fn unnamed(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut at = id;
    while let Some(first) = tree.children(at).next().filter(|&c| tree.node(c).named) {
        let n = tree.node(first);
        match n.kind {
            "function_expression" | "generator_function" | "class" => return findings.add("name", n.start, n.end, "a declaration needs a name"),
            // A block, and a statement that begins with what the grammar takes for an operator.
            "object" if at != id => {
                let after = tree.text[n.end..].trim_start();
                if !after.starts_with(['+', '-', '[', '(', '`', '/']) || after.starts_with("()") || !block(tree, first) {
                    findings.add("statement", n.start, n.end, "a statement does not begin with an object");
                }
                return;
            }
            "string" | "template_string" | "arrow_function" | "array" => return,
            _ => at = first,
        }
    }
}

/// Reports whether what the grammars take for an object is a block: of an expression, which may have a label.
fn block(tree: &Tree, object: Id) -> bool {
    let label_of = |pair: Id| tree.field(pair, "key").filter(|&k| tree.kind(k) == "property_identifier").map(|k| tree.text(k));
    let mut at = object;
    for _ in 0..500 {
        let members: Vec<Id> = tree.named_children(at).filter(|&c| tree.kind(c) != "comment").collect();
        let Some((&first, others)) = members.split_first() else { return true };
        if !others.iter().all(|&c| tree.kind(c) == "shorthand_property_identifier") || tree.children(at).filter(|&c| tree.kind(c) == ",").count() != others.len() {
            return false;
        }
        match tree.kind(first) {
            "shorthand_property_identifier" => return true,
            "pair" => {}
            _ => return false,
        }
        let Some(label) = label_of(first) else { return false };
        let again = tree.above(first).take_while(|&a| !is_function(tree.kind(a))).any(|a| match tree.kind(a) {
            "labeled_statement" => tree.field(a, "label").is_some_and(|l| tree.text(l) == label),
            "pair" => label_of(a) == Some(label),
            _ => false,
        });
        if again {
            return false;
        }
        match tree.field(first, "value") {
            Some(value) if tree.kind(value) == "object" && others.is_empty() => at = value,
            value => return value.is_some_and(|v| !matches!(tree.kind(v), "object" | "class" | "function_expression" | "generator_function")),
        }
    }
    true // it nests so deep that it is not a program
}

pub fn is_function(kind: &str) -> bool {
    matches!(
        kind,
        "function_declaration" | "function_expression" | "function" | "arrow_function" | "method_definition" | "generator_function"
            | "generator_function_declaration"
    )
}

/// The innermost function around a node; a class body that is not in a method is none, and a computed name is not in its method.
pub fn function(tree: &Tree, id: Id) -> Option<Id> {
    let mut child = id;
    for a in tree.above(id).take_while(|&a| tree.kind(a) != "class_static_block") {
        if is_function(tree.kind(a)) && tree.kind(child) != "computed_property_name" {
            return Some(a);
        }
        child = a;
    }
    None
}

fn jump(tree: &Tree, id: Id, findings: &mut Findings) {
    let n = tree.node(id);
    let label = tree.field(id, "label").map(|l| tree.text(l));
    let found = tree.above(id).take_while(|&a| !is_function(tree.kind(a)) && tree.kind(a) != "class_static_block").any(|a| match (tree.kind(a), label) {
        ("labeled_statement", Some(l)) => tree.field(a, "label").is_some_and(|x| tree.text(x) == l),
        ("for_statement" | "for_in_statement" | "while_statement" | "do_statement", None) => true,
        ("switch_statement", None) => n.kind == "break_statement",
        _ => false,
    });
    if !found {
        let what = n.kind.trim_end_matches("_statement");
        findings.add("jump", n.start, n.end, match label {
            Some(l) => format!("{what}: no label {l}"),
            None => format!("{what} outside of a loop"),
        });
    }
}

fn prototypes(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut seen = false;
    for pair in tree.children(id).filter(|&c| tree.kind(c) == "pair") {
        let Some(key) = tree.field(pair, "key") else { continue };
        let name = tree.text(key);
        if tree.kind(key) != "computed_property_name" && name.trim_matches(['"', '\'']) == "__proto__" {
            if seen {
                findings.at(tree, key, "prototype", "duplicate __proto__");
            }
            seen = true;
        }
    }
}

fn private(tree: &Tree, id: Id, findings: &mut Findings) {
    let name = javascript_early::spelled(tree.text(id));
    if tree.field(tree.node(id).parent, "object").is_some_and(|o| tree.kind(o) == "super") {
        findings.at(tree, id, "private", "super has no private names");
    }
    let declared = tree.above(id).filter(|&a| tree.kind(a) == "class_body").any(|body| {
        tree.children(body).any(|member| {
            tree.field(member, "property").or_else(|| tree.field(member, "name")).is_some_and(|p| javascript_early::spelled(tree.text(p)) == name)
        })
    });
    if !declared {
        findings.at(tree, id, "private", format!("no class around has a field {}", name.unwrap_or_default()));
    }
}

/// Lists without holes: a comma follows an element.
fn commas(tree: &Tree, id: Id, findings: &mut Findings) {
    let what = if tree.kind(id) == "arguments" { "an argument" } else { "a member" };
    let mut last = "(";
    for c in tree.children(id) {
        let n = tree.node(c);
        if n.kind == "," && matches!(last, "," | "(" | "{" | "{|" | "[") {
            findings.add("comma", n.start, n.end, format!("expected {what}, found ,"));
        }
        if n.kind != "comment" {
            last = n.kind;
        }
    }
}

/// ?? needs parentheses next to && and ||.
fn coalescing(tree: &Tree, id: Id, findings: &mut Findings) {
    let operator = |e: Id| tree.field(e, "operator").map(|o| tree.kind(o)).unwrap_or("");
    let mine = operator(id);
    for side in ["left", "right"] {
        let Some(e) = tree.field(id, side).filter(|&e| tree.kind(e) == "binary_expression") else { continue };
        if matches!((mine, operator(e)), ("??", "&&" | "||") | ("&&" | "||", "??")) {
            findings.at(tree, id, "coalescing", "?? needs parentheses next to && and ||");
            return;
        }
    }
}

/// A const needs a value, unless a for loop gives it one, or a declaration of TypeScript has none.
fn constant(tree: &Tree, id: Id, findings: &mut Findings) {
    let n = tree.node(id);
    let using = tree.kind(n.parent) == "using_declaration";
    // using[a] = b is an assignment.
    let member = |p: Id| tree.kind(p) == "array_pattern" && tree.kind(id - 1) == "using" && tree.kind(id - 2) != "await";
    if using && tree.field(id, "name").is_some_and(|p| tree.kind(p).ends_with("_pattern") && !member(p)) {
        findings.add("declaration", n.start, n.end, "using declares names, not patterns");
    }
    let is_const = using || tree.kind(n.parent + 1) == "const";
    let ambient = tree.above(n.parent).any(|a| matches!(tree.kind(a), "ambient_declaration" | "for_in_statement"));
    if is_const && !ambient && tree.field(id, "value").is_none() {
        findings.add("const", n.start, n.end, if using { "a declaration by using needs a value" } else { "a const needs a value" });
    }
}

/// Reports whether nothing in the file makes it a module.
fn is_script(tree: &Tree) -> bool {
    !tree.children(ROOT).any(|c| matches!(tree.kind(c), "import_statement" | "export_statement"))
}

/// Two declarations of a name in one scope, one of them let, const or class.
fn declarations(tree: &Tree, script: bool, strict: &[bool], findings: &mut Findings) {
    let mut scopes = Scopes { tree, lexical: HashMap::new(), others: HashMap::new(), functions: HashMap::new(), findings };
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        match n.kind {
            "class_declaration" => {
                if let Some(name) = tree.field(id, "name") {
                    scopes.lexical(name, scope(tree, id));
                }
            }
            "function_declaration" | "generator_function_declaration" => {
                let Some(name) = tree.field(id, "name") else { continue };
                let place = scope(tree, id);
                let body = place == outer(tree, id);
                if body && !(place == ROOT && !script) {
                    scopes.variable(name, id, place);
                } else if n.kind == "function_declaration" && !strict[id] && tree.child(id, "async").is_none() {
                    scopes.sloppy(name, place);
                } else {
                    scopes.lexical(name, place);
                }
            }
            "import_clause" => {
                for name in tree.below(id).filter(|&i| tree.kind(i) == "identifier") {
                    let m = tree.node(name);
                    let renamed = tree.kind(m.parent) == "import_specifier" && m.field == "name" && tree.field(m.parent, "alias").is_some();
                    if !renamed {
                        scopes.lexical(name, ROOT);
                    }
                }
            }
            "formal_parameters" | "catch_clause" => {
                let (pattern, body) = match n.kind {
                    "catch_clause" => (tree.field(id, "parameter"), tree.field(id, "body")),
                    _ => (Some(id), Some(n.parent).filter(|&p| !tree.node(p).is_error()).and_then(|p| tree.field(p, "body"))),
                };
                let (Some(pattern), Some(body)) = (pattern, body) else { continue };
                for name in bound(tree, pattern) {
                    if n.kind == "catch_clause" && pattern != name {
                        scopes.lexical(name, body); // unlike a name, not even with a var
                    } else {
                        scopes.others.entry(body).or_default().insert(tree.text(name));
                    }
                }
            }
            "arrow_function" => {
                if let (Some(name), Some(body)) = (tree.field(id, "parameter"), tree.field(id, "body")) {
                    scopes.others.entry(body).or_default().insert(tree.text(name));
                }
            }
            "lexical_declaration" | "variable_declaration" => {
                for d in tree.children(id).filter(|&d| tree.kind(d) == "variable_declarator") {
                    if let Some(pattern) = tree.field(d, "name") {
                        scopes.all(pattern, id, n.kind == "lexical_declaration", scope(tree, id), strict);
                    }
                }
            }
            "for_in_statement" => {
                if let (Some(kind), Some(left)) = (tree.field(id, "kind"), tree.field(id, "left")) {
                    scopes.all(left, id, tree.text(kind) != "var", id, strict);
                }
            }
            _ => {}
        }
    }
    if script {
        return;
    }
    for e in tree.children(ROOT).filter(|&c| tree.kind(c) == "export_statement" && tree.field(c, "source").is_none()) {
        let Some(clause) = tree.child(e, "export_clause") else { continue };
        for s in tree.named_children(clause) {
            let Some(name) = tree.field(s, "name") else { continue };
            let known = [&scopes.lexical, &scopes.others].iter().any(|m| m.get(&ROOT).is_some_and(|names| names.contains(tree.text(name))));
            if !known {
                scopes.findings.at(tree, name, "module", format!("{} is exported and not declared", tree.text(name)));
            }
        }
    }
}

/// By scope: names that may not come again, and names of parameters, var and functions.
struct Scopes<'t, 'f> {
    tree: &'t Tree<'t>,
    lexical: HashMap<Id, HashSet<&'t str>>,
    others: HashMap<Id, HashSet<&'t str>>,
    /// Those of the first that are functions in blocks of sloppy code.
    functions: HashMap<Id, HashSet<&'t str>>,
    findings: &'f mut Findings,
}

impl Scopes<'_, '_> {
    fn has(names: &HashMap<Id, HashSet<&str>>, scope: Id, name: &str) -> bool {
        names.get(&scope).is_some_and(|s| s.contains(name))
    }

    fn again(&mut self, name: Id) {
        self.findings.at(self.tree, name, "redeclared", format!("{} is already declared", self.tree.text(name)));
    }

    fn lexical(&mut self, name: Id, scope: Id) {
        let text = self.tree.text(name);
        if Self::has(&self.others, scope, text) || !self.lexical.entry(scope).or_default().insert(text) {
            self.again(name);
        }
    }

    /// A function in a block of sloppy code may come again as such.
    fn sloppy(&mut self, name: Id, scope: Id) {
        let text = self.tree.text(name);
        let again = Self::has(&self.functions, scope, text);
        self.functions.entry(scope).or_default().insert(text);
        if !again {
            self.lexical(name, scope);
        }
    }

    /// A var is seen in all scopes up to that of the function.
    fn variable(&mut self, name: Id, declaration: Id, innermost: Id) {
        let tree = self.tree;
        let (text, last) = (tree.text(name), outer(tree, declaration));
        let mut at = innermost;
        loop {
            if Self::has(&self.lexical, at, text) {
                return self.again(name);
            }
            self.others.entry(at).or_default().insert(text);
            if at == last || at == ROOT {
                return;
            }
            at = scope(tree, at);
        }
    }

    fn all(&mut self, pattern: Id, declaration: Id, is_lexical: bool, scope: Id, strict: &[bool]) {
        let tree = self.tree;
        for name in bound(tree, pattern) {
            let text = tree.text(name);
            let reserved = is_lexical && text == "let" || strict[name] && matches!(text, "eval" | "arguments");
            if reserved {
                self.findings.at(tree, name, "reserved", format!("{text} is reserved here"));
            }
            if is_lexical {
                self.lexical(name, scope);
            } else {
                self.variable(name, declaration, scope);
            }
        }
    }
}

/// The names that a pattern, or a list of parameters, binds: not those in default values and keys.
pub fn bound(tree: &Tree, pattern: Id) -> Vec<Id> {
    let mut names = Vec::new();
    let mut id = pattern;
    while id < tree.node(pattern).last {
        let n = tree.node(id);
        let value = id != pattern && (n.field == "right" || n.field == "key" || n.kind == "computed_property_name" || n.kind.ends_with("expression"));
        if !value && matches!(n.kind, "identifier" | "shorthand_property_identifier_pattern") {
            names.push(id);
        }
        id = if value { n.last } else { id + 1 };
    }
    names
}

/// The block that a let, const or class of a node belongs to.
fn scope(tree: &Tree, id: Id) -> Id {
    tree.above(id)
        .find(|&a| matches!(tree.kind(a), "statement_block" | "program" | "for_statement" | "for_in_statement" | "switch_body" | "class_static_block"))
        .unwrap_or(ROOT)
}

/// The function body or file that a var of a node belongs to.
fn outer(tree: &Tree, id: Id) -> Id {
    tree.above(id)
        .find(|&a| {
            let parent = tree.kind(tree.node(a).parent);
            tree.kind(a) == "statement_block" && (is_function(parent) || parent == "class_static_block")
        })
        .unwrap_or(ROOT)
}
