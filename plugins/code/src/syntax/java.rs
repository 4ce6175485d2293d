//! Java: what javac's parser refuses and the grammar accepts.

use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Id, Tree, ROOT};

/// Words that are no names.
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
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        match n.kind {
            // The grammar takes the default of `case null, default` for a name.
            "identifier" if tree.text(id) == "default" && tree.kind(n.parent) == "switch_label" => {}
            "identifier" | "type_identifier" if RESERVED.contains(&tree.text(id)) => {
                findings.add("reserved", n.start, n.end, format!("{} is a reserved word", tree.text(id)));
            }
            "expression_statement" => statement(tree, id, findings),
            "local_variable_declaration" if matches!(tree.kind(n.parent), "if_statement" | "while_statement" | "do_statement" | "labeled_statement") || n.field == "body" => {
                findings.add("declaration", n.start, n.end, "a declaration is not a statement of its own here");
            }
            "modifiers" => modifiers(tree, id, findings),
            "constructor_declaration" => constructor(tree, id, findings),
            "type_arguments" if tree.named_children(id).next().is_none() && tree.kind(tree.node(n.parent).parent) != "object_creation_expression" => {
                findings.add("type", n.start, n.end, "expected a type");
            }
            _ => {}
        }
        if n.parent == ROOT && n.kind.ends_with("_statement") {
            findings.add("declaration", n.start, n.end, "a statement outside of a method");
        }
    }
    Ok(())
}

/// Only some expressions are statements.
fn statement(tree: &Tree, id: Id, findings: &mut Findings) {
    // The arrow of a switch has any expression.
    if tree.kind(tree.node(id).parent) == "switch_rule" {
        return;
    }
    let Some(e) = tree.named_children(id).find(|&c| !tree.node(c).is_trivia()) else { return };
    let n = tree.node(e);
    if !matches!(n.kind, "assignment_expression" | "update_expression" | "method_invocation" | "object_creation_expression" | "switch_expression") {
        findings.add("statement", n.start, n.end, "not a statement");
    }
}

/// A method of another name than its class has a type.
fn constructor(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut class = tree.node(id).parent;
    while class != ROOT && tree.field(class, "body").is_none() {
        class = tree.node(class).parent;
    }
    let (Some(name), class) = (tree.field(id, "name"), tree.field(class, "name")) else { return };
    if class.is_none_or(|c| tree.text(c) != tree.text(name)) {
        findings.add("type", tree.node(name).start, tree.node(name).end, "a method needs the type that it returns");
    }
}

/// Each modifier stands once.
fn modifiers(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut seen: Vec<&str> = Vec::new();
    for c in tree.children(id).filter(|&c| tree.text(c).bytes().all(|b| b.is_ascii_lowercase())) {
        if seen.contains(&tree.text(c)) {
            findings.add("modifier", tree.node(c).start, tree.node(c).end, format!("{} is repeated", tree.text(c)));
        }
        seen.push(tree.text(c));
    }
}
