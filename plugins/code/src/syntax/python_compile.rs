//! Python: what CPython's compiler refuses after parsing.

use crate::finding::Findings;
use rubric_host_tree::{Id, Tree};
use std::collections::HashSet;

pub fn rules(tree: &Tree, findings: &mut Findings) {
    for id in 0..tree.nodes.len() {
        let n = tree.node(id);
        let mut add = |what: String| findings.add("compile", n.start, n.end, what);
        match n.kind {
            "return_statement" if !in_function(tree, id, false) => add("return outside of a function".into()),
            "yield" if !in_function(tree, id, true) => add("yield outside of a function".into()),
            "await" if !is_async(tree, id) => add("await outside of an async function".into()),
            "break_statement" | "continue_statement" if !in_loop(tree, id) => {
                add(format!("{} outside of a loop", n.kind.trim_end_matches("_statement")));
            }
            "parameters" | "lambda_parameters" => {
                let mut seen = HashSet::new();
                for p in tree.named_children(id) {
                    if let Some(name) = parameter(tree, p) {
                        if !seen.insert(name) {
                            add(format!("duplicate parameter {name}"));
                        }
                    }
                }
            }
            "argument_list" => {
                let mut seen = HashSet::new();
                for a in tree.named_children(id).filter(|&a| tree.kind(a) == "keyword_argument") {
                    if let Some(name) = tree.field(a, "name") {
                        if !seen.insert(tree.text(name)) {
                            add(format!("keyword argument {} repeated", tree.text(name)));
                        }
                    }
                }
            }
            "nonlocal_statement" if !in_function(tree, id, true) => add("nonlocal at module level".into()),
            "global_statement" => {
                for name in tree.named_children(id) {
                    if used_before(tree, id, tree.text(name)) {
                        add(format!("{} is used before its global declaration", tree.text(name)));
                    }
                }
            }
            _ => {}
        }
    }
}

/// Reports whether a node is in a function, or, if asked, in a lambda; not in a class in it.
fn in_function(tree: &Tree, id: Id, lambda: bool) -> bool {
    body(tree, id).is_some_and(|f| tree.kind(f) == "function_definition" || lambda && tree.kind(f) == "lambda")
}

/// The function, lambda or class whose body a node is in.
fn body(tree: &Tree, id: Id) -> Option<Id> {
    let mut child = id;
    tree.above(id).find(|&a| {
        let inside = tree.node(child).field == "body";
        child = a;
        inside && matches!(tree.kind(a), "function_definition" | "class_definition" | "lambda")
    })
}

fn is_async(tree: &Tree, id: Id) -> bool {
    body(tree, id).is_some_and(|f| tree.child(f, "async").is_some())
}

fn in_loop(tree: &Tree, id: Id) -> bool {
    let mut child = id;
    for a in tree.above(id) {
        let in_body = tree.node(child).field == "body";
        child = a;
        match tree.kind(a) {
            "for_statement" | "while_statement" if in_body => return true,
            "function_definition" | "class_definition" | "lambda" => return false,
            _ => {}
        }
    }
    false
}

/// The name that a parameter binds.
fn parameter<'t>(tree: &Tree<'t>, id: Id) -> Option<&'t str> {
    let name = match tree.kind(id) {
        "identifier" => Some(id),
        "default_parameter" | "typed_default_parameter" => tree.field(id, "name"),
        _ => tree.below(id).find(|&c| tree.kind(c) == "identifier"),
    };
    name.map(|n| tree.text(n))
}

fn used_before(tree: &Tree, id: Id, name: &str) -> bool {
    let Some(function) = body(tree, id) else { return false };
    let Some(block) = tree.field(function, "body") else { return false };
    (block..id).any(|i| tree.kind(i) == "identifier" && tree.text(i) == name && body(tree, i) == Some(function))
}
