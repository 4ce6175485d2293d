//! Cyclomatic complexity as mccabe 0.7.0 counts it: by paths through statements, with all
//! of its quirks. Expressions, match and finally count nothing; try counts one more than
//! its handlers; a nested function adds its own complexity.

use super::Lines;
use rubric_host_sdk::Object;
use rubric_host_tree::{Id, Tree, ROOT};

/// The graphs, in the order in which mccabe first sees a name; a later one of the same
/// name replaces it.
pub fn graphs(tree: &Tree, lines: &Lines) -> Vec<Object> {
    let mut found: Vec<(String, String, usize)> = Vec::new();
    // Statements still to see, the next one last; each with the classes around it.
    let mut rest: Vec<(Id, String)> = Vec::new();
    push(tree, ROOT, "", &mut rest);
    while let Some((id, class)) = rest.pop() {
        let line = lines.at(tree.node(id).start);
        let (key, entity) = match tree.kind(id) {
            "decorated_definition" => {
                if let Some(d) = tree.field(id, "definition") {
                    rest.push((d, class));
                }
                continue;
            }
            "class_definition" => {
                let name = tree.field_text(id, "name");
                if let Some(body) = tree.field(id, "body") {
                    push(tree, body, &format!("{class}{name}."), &mut rest);
                }
                continue;
            }
            "with_statement" => {
                if let Some(body) = tree.field(id, "body") {
                    push(tree, body, &class, &mut rest);
                }
                continue;
            }
            "function_definition" => {
                let name = format!("{class}{}", tree.field_text(id, "name"));
                (name.clone(), name)
            }
            "if_statement" => (format!("{class}If {line}"), format!("If {line}")),
            "for_statement" | "while_statement" => (format!("{class}Loop {line}"), format!("Loop {line}")),
            "try_statement" if tree.children(id).all(|c| tree.child(c, "*").is_none()) => (format!("{class}TryExcept {line}"), format!("TryExcept {line}")),
            _ => continue,
        };
        let value = if tree.kind(id) == "function_definition" { paths(tree, id) - 1 } else { paths(tree, id) } + 1;
        match found.iter_mut().find(|f| f.0 == key) {
            Some(f) => *f = (key, entity, value),
            None => found.push((key, entity, value)),
        }
    }
    found
        .into_iter()
        .map(|(_, entity, value)| {
            let mut o = Object::new();
            o.text("name", &entity).int("complexity", value as u64);
            o
        })
        .collect()
}

fn push(tree: &Tree, block: Id, class: &str, rest: &mut Vec<(Id, String)>) {
    let list: Vec<Id> = tree.named_children(block).collect();
    rest.extend(list.into_iter().rev().map(|s| (s, class.to_string())));
}

/// What a statement adds. Match statements and finally clauses are not entered.
fn paths(tree: &Tree, statement: Id) -> usize {
    let mut count = 0;
    let mut id = statement;
    while id < tree.node(statement).last {
        let n = tree.node(id);
        match n.kind {
            "match_statement" | "finally_clause" => {
                id = n.last;
                continue;
            }
            "function_definition" | "if_statement" | "elif_clause" | "for_statement" | "while_statement" => count += 1,
            "try_statement" => {
                if tree.children(id).any(|c| tree.kind(c) == "except_clause" && tree.child(c, "*").is_some()) {
                    id = n.last;
                    continue;
                }
                count += 1 + tree.children(id).filter(|&c| tree.kind(c) == "except_clause").count();
            }
            _ => {}
        }
        id += 1;
    }
    count
}
