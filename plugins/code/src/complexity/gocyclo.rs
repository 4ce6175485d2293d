//! Cyclomatic complexity as gocyclo 0.6.0 counts it.

use super::Measured;
use crate::shape::{part, Part};
use rubric_host_tree::{Id, Tree, ROOT};

pub fn functions(tree: &Tree) -> Vec<Measured> {
    let mut list = Vec::new();
    for id in tree.named_children(ROOT) {
        match tree.kind(id) {
            "function_declaration" | "method_declaration" => list.push(one(tree, id, name(tree, id))),
            "var_declaration" => {
                for spec in tree.below(id).filter(|&s| tree.kind(s) == "var_spec") {
                    let Some(values) = tree.field(spec, "value") else { continue };
                    for literal in tree.named_children(values).filter(|&v| tree.kind(v) == "func_literal") {
                        list.push(one(tree, literal, tree.field_text(spec, "name").into()));
                    }
                }
            }
            _ => {}
        }
    }
    list
}

fn one(tree: &Tree, id: Id, name: String) -> Measured {
    let value = 1 + tree.below(id).filter(|&i| matches!(part(tree, i), Part::If | Part::ElseIf | Part::Loop | Part::Case | Part::Logic)).count();
    Measured::of(tree, id, name, value)
}

/// F, (T).F or (*T).F.
fn name(tree: &Tree, id: Id) -> String {
    let name = tree.field_text(id, "name");
    let receiver = tree.field(id, "receiver").and_then(|r| tree.below(r).find(|&i| tree.node(i).field == "type"));
    match receiver {
        None => name.into(),
        Some(t) => {
            let text = tree.text(t);
            let plain = text.split('[').next().unwrap_or(text);
            format!("({plain}).{name}")
        }
    }
}
