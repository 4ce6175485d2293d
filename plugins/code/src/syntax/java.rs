//! Java: what javac's parser refuses and the grammar accepts.

use super::java_places;
use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Id, Tree, ROOT};

/// Words that are not names.
const RESERVED: [&str; 53] = [
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue", "default", "do", "double", "else", "enum",
    "extends", "final", "finally", "float", "for", "goto", "if", "implements", "import", "instanceof", "int", "interface", "long", "native", "new",
    "package", "private", "protected", "public", "return", "short", "static", "strictfp", "super", "switch", "synchronized", "this", "throw", "throws",
    "transient", "try", "void", "volatile", "while", "true", "false", "null",
];

pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    if !findings.list.is_empty() {
        return Ok(());
    }
    super::spaces(tree, &['\u{b}'], findings);
    let types = |c: &Id| tree.kind(*c) == ";" || tree.kind(*c).ends_with("_declaration") && !matches!(tree.kind(*c), "package_declaration" | "import_declaration");
    let late = tree.children(ROOT).skip_while(|c| !types(c)).find(|&c| tree.kind(c) == "import_declaration");
    findings.at(tree, late, "import", "imports stand before the first type, and before a ; of its own");
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        java_places::node(tree, id, findings);
        match n.kind {
            // The grammar takes the default of `case null, default` for a name.
            "identifier" if tree.text(id) == "default" && tree.kind(n.parent) == "switch_label" => {}
            // What `names` hides from the grammar: statements before super() and this().
            "identifier" if matches!(tree.text(id), "super" | "this") && in_constructor(tree, id) => {}
            "identifier" | "type_identifier" if RESERVED.contains(&tree.text(id)) => {
                findings.add("reserved", n.start, n.end, format!("{} is a reserved word", tree.text(id)));
            }
            // What no type may be called, but `var` where the type is that of a value.
            "type_identifier" if matches!(tree.text(id), "_" | "permits" | "record" | "sealed" | "yield") || tree.text(id) == "var" && !inferred(tree, id) => {
                findings.add("type", n.start, n.end, format!("{} is not a type here", tree.text(id)));
            }
            "identifier" if tree.text(id) == "_" && is_value(tree, id) => findings.add("reserved", n.start, n.end, "_ has no value"),
            "expression_statement" => statement(tree, id, findings),
            "for_statement" => {
                for e in tree.named_children(id).filter(|&c| matches!(tree.node(c).field, "init" | "update") && tree.kind(c) != "local_variable_declaration") {
                    is_statement(tree, e, findings);
                }
            }
            "local_variable_declaration" | "class_declaration" | "record_declaration" | "interface_declaration" | "enum_declaration" if matches!(tree.kind(n.parent), "if_statement" | "while_statement" | "do_statement" | "labeled_statement") || n.field == "body" => {
                findings.add("declaration", n.start, n.end, "a declaration is not a statement of its own here");
            }
            "local_variable_declaration" => local(tree, id, findings),
            "character_literal" if !tree.text(id).starts_with("'\\") && tree.text(id).chars().count() > 3 => findings.add("literal", n.start, n.end, "a literal of one character has one"),
            "constant_declaration" => {
                let bare = tree.named_children(id).find(|&c| tree.kind(c) == "variable_declarator" && tree.field(c, "value").is_none());
                findings.at(tree, bare, "declaration", "a field of an interface has a value");
            }
            "field_declaration" if tree.kind(tree.node(n.parent).parent) == "record_declaration" && !tree.child(id, "modifiers").is_some_and(|m| tree.child(m, "static").is_some()) => {
                findings.add("declaration", n.start, n.end, "a field of a record is static");
            }
            "import_declaration" if tree.child(id, "identifier").is_some() && tree.child(id, "asterisk").is_none() => {
                findings.add("import", n.start, n.end, "expected a . in the name of an import");
            }
            "spread_parameter" if tree.named_children(n.parent).any(|c| c > id && !tree.node(c).is_trivia()) => {
                findings.add("parameters", n.start, n.end, "only the last parameter takes any number of arguments");
            }
            "modifiers" => modifiers(tree, id, findings),
            "constructor_declaration" => constructor(tree, id, findings),
            "type_arguments" if tree.named_children(id).next().is_none() && tree.kind(tree.node(n.parent).parent) != "object_creation_expression" => {
                findings.add("type", n.start, n.end, "expected a type");
            }
            _ => {}
        }
        if n.parent == ROOT && (n.kind.ends_with("_statement") || matches!(n.kind, "block" | "switch_expression")) {
            findings.add("declaration", n.start, n.end, "a statement outside of a method");
        }
    }
    Ok(())
}

/// Only some expressions are statements.
fn statement(tree: &Tree, id: Id, findings: &mut Findings) {
    // The arrow of a switch that is an expression, or may be one, has any expression.
    let rule = tree.node(id).parent;
    if tree.kind(rule) == "switch_rule" {
        let switch = tree.node(tree.node(rule).parent).parent;
        if !matches!(tree.kind(tree.node(switch).parent), "block" | "constructor_body" | "switch_block_statement_group") {
            return;
        }
    }
    if let Some(e) = tree.elements(id).next().filter(|&e| tree.kind(e) != "switch_expression") {
        is_statement(tree, e, findings);
    }
}

fn is_statement(tree: &Tree, e: Id, findings: &mut Findings) {
    let n = tree.node(e);
    let negated = || tree.named_children(e).any(|c| tree.kind(c) == "unary_expression"); // !a++ is !(a++)
    let good = match n.kind {
        "update_expression" => !negated(),
        kind => matches!(kind, "assignment_expression" | "method_invocation" | "object_creation_expression"),
    };
    if !good {
        findings.add("statement", n.start, n.end, "not a statement");
    }
}

/// A local variable may be final, and `var` stands before one name.
fn local(tree: &Tree, id: Id, findings: &mut Findings) {
    let modifier = tree.child(id, "modifiers").and_then(|m| tree.children(m).find(|&c| !tree.node(c).named && tree.kind(c) != "final"));
    if let Some(m) = modifier.map(|m| tree.node(m)) {
        findings.add("modifier", m.start, m.end, "a local variable has no such modifier");
    }
    let mut names = tree.named_children(id).filter(|&c| tree.kind(c) == "variable_declarator");
    if let Some(second) = names.nth(1).filter(|_| tree.field(id, "type").is_some_and(|t| tree.text(t) == "var")).map(|c| tree.node(c)) {
        findings.add("declaration", second.start, second.end, "var declares one name");
    }
}

/// Whether a type is that of a local variable, a parameter of a lambda expression or a part of a pattern.
fn inferred(tree: &Tree, id: Id) -> bool {
    let parent = tree.node(id).parent;
    match tree.kind(parent) {
        "formal_parameter" => tree.kind(tree.node(tree.node(parent).parent).parent) == "lambda_expression",
        kind => matches!(kind, "local_variable_declaration" | "enhanced_for_statement" | "resource") || kind.contains("pattern"),
    }
}

/// Whether a name stands for a value.
fn is_value(tree: &Tree, id: Id) -> bool {
    let n = tree.node(id);
    match tree.kind(n.parent) {
        "lambda_expression" => n.field == "body",
        "instanceof_expression" if n.field == "name" => false,
        kind => n.field == "value" || kind.ends_with("_expression") || kind == "switch_label" || matches!(kind, "argument_list" | "field_access" | "method_invocation" | "array_access" | "return_statement"),
    }
}

/// Puts other names for words that are keywords in some places, where no word follows: the grammar takes them for keywords
/// in more. `None`: there are none.
pub fn names(text: &str) -> Option<String> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let other = java_places::known(text);
    let text = other.as_deref().unwrap_or(text);
    let mut bytes = text.as_bytes().to_vec();
    for (at, word) in ["module", "open", "permits", "record", "sealed", "with"].iter().flat_map(|w| text.match_indices(w)) {
        let end = at + word.len();
        if !text[..at].ends_with(part) && !text[end..].starts_with(part) && !text[end..].trim_start().starts_with(part) {
            bytes[end - 1] = b'_';
        }
    }
    String::from_utf8(bytes).ok().filter(|named| named != text).or(other)
}

/// Whether a name is that of a call which is a statement of a constructor.
fn in_constructor(tree: &Tree, id: Id) -> bool {
    let call = tree.node(id).parent;
    let statement = tree.node(call).parent;
    tree.kind(call) == "method_invocation" && tree.kind(statement) == "expression_statement" && tree.kind(tree.node(statement).parent) == "constructor_body"
}

/// A method of another name than its class has a type.
fn constructor(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut class = tree.node(id).parent;
    while class != ROOT && tree.field(class, "body").is_none() {
        class = tree.node(class).parent;
    }
    let (Some(name), class) = (tree.field(id, "name"), tree.field(class, "name")) else { return };
    if class.is_none_or(|c| tree.text(c) != tree.text(name)) {
        findings.at(tree, name, "type", "a method needs the type that it returns");
    }
}

/// Each modifier stands once.
fn modifiers(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut seen: Vec<&str> = Vec::new();
    for c in tree.children(id).filter(|&c| tree.text(c).bytes().all(|b| b.is_ascii_lowercase())) {
        if seen.contains(&tree.text(c)) {
            findings.at(tree, c, "modifier", format!("{} is repeated", tree.text(c)));
        }
        seen.push(tree.text(c));
    }
}
