//! Cyclomatic complexity of languages without a tool of their own, and cognitive complexity.

use super::Measured;
use crate::shape::{docstring, functions, name, part, qualified, Part};
use rubric_host_tree::{Id, Tree};

/// 1, and 1 for each loop, if, case, catch, ternary and logical operator. Nested functions
/// with a name of their own are counted apart.
pub fn cyclomatic(tree: &Tree) -> Vec<Measured> {
    measured(tree, |f| {
        let mut value = 1;
        let mut id = f + 1;
        while id < tree.node(f).last {
            match part(tree, id) {
                Part::Function => {
                    id = tree.node(id).last;
                    continue;
                }
                Part::Loop | Part::If | Part::ElseIf | Part::Case | Part::Catch | Part::Ternary | Part::Logic => value += 1,
                _ => {}
            }
            id += 1;
        }
        value
    })
}

/// Cognitive complexity (G. Ann Campbell, SonarSource, 2018): breaks of the linear flow
/// cost 1 and as much again as they are nested; else and else-if cost 1; so does each
/// logical operator that differs from the one before it in the expression, but not `??`, and a jump to a label. Recursion costs nothing
/// here. Nested functions are part of the function around them, and of the list; one that a decorator of Python
/// returns is not nested.
pub fn cognitive(tree: &Tree) -> Vec<Measured> {
    measured(tree, |f| {
        let mut value = 0;
        // What is nested in the nodes around: from and to.
        let mut nest: Vec<(Id, Id)> = Vec::new();
        for id in tree.below(f) {
            while nest.last().is_some_and(|&(_, end)| end <= id) {
                nest.pop();
            }
            let n = tree.node(id);
            match part(tree, id) {
                Part::Loop | Part::If | Part::Switch | Part::Catch | Part::Ternary => {
                    value += 1 + nest.iter().filter(|&&(from, _)| from <= id).count();
                    nest.push(nested(tree, id));
                }
                Part::ElseIf | Part::Else => value += 1,
                Part::Function if returned(tree, id) => {}
                Part::Function | Part::Lambda => nest.push((id, n.last)),
                Part::Logic if operator(tree, id) == "??" => {}
                Part::Logic => {
                    // The operator is a token in Bash, where a && b && c nests to the left, and in Rust's list of conditions.
                    let logic = |parent| tree.children(parent).filter(|&c| !tree.node(c).named && part(tree, c) == Part::Logic);
                    let before = if n.named { logic_before(tree, id) } else { logic(n.parent).take_while(|&c| c < id).last().or_else(|| logic(tree.node(n.parent).parent).next()) };
                    let chained = before.is_some_and(|b| operator(tree, b) == operator(tree, id));
                    value += usize::from(!chained);
                }
                Part::Other if matches!(n.kind, "goto_statement") => value += 1,
                Part::Other if matches!(n.kind, "break_statement" | "continue_statement") && tree.named_children(id).next().is_some() => value += 1,
                Part::Other if matches!(n.kind, "break_expression" | "continue_expression") && tree.child(id, "label").is_some() => value += 1,
                _ => {}
            }
        }
        value
    })
}

/// Whether the function around one of Python has no statements but it, the return of it, and a docstring.
fn returned(tree: &Tree, inner: Id) -> bool {
    let outer = tree.above(inner).find(|&a| part(tree, a) == Part::Function);
    let Some(body) = outer.and_then(|o| tree.field(o, "body")).filter(|&b| tree.kind(b) == "block") else { return false };
    let mut rest = tree.elements(body).skip(usize::from(docstring(tree, body)));
    rest.next().is_some_and(|c| c == inner || tree.kind(c) == "decorated_definition" && tree.field(c, "definition") == Some(inner))
        && rest.next().is_some_and(|c| tree.kind(c) == "return_statement" && tree.named_children(c).any(|r| tree.text(r) == name(tree, inner)))
        && rest.next().is_none()
}

/// The logical operation whose operator is the last one before that of another, in one expression. Parentheses
/// make no other expression.
fn logic_before(tree: &Tree, id: Id) -> Option<Id> {
    let bare = |mut e: Id| {
        while tree.kind(e) == "parenthesized_expression" {
            e = tree.elements(e).next()?;
        }
        Some(e).filter(|&e| part(tree, e) == Part::Logic)
    };
    let operand = |e: Id, field| tree.field(e, field).and_then(bare);
    if let Some(mut left) = operand(id, "left") {
        while let Some(right) = operand(left, "right") {
            left = right;
        }
        return Some(left);
    }
    let mut at = id;
    loop {
        let parent = tree.node(at).parent;
        match part(tree, parent) {
            Part::Logic if tree.node(at).field == "right" => return Some(parent),
            Part::Logic => {}
            _ if tree.kind(parent) == "parenthesized_expression" => {}
            _ => return None,
        }
        at = parent;
    }
}

/// What a loop or a branch nests: its body, but not its condition.
fn nested(tree: &Tree, id: Id) -> (Id, Id) {
    let end = tree.node(id).last;
    match (tree.field(id, "body"), tree.field(id, "condition")) {
        (Some(body), Some(condition)) if condition > body => (body, tree.node(body).last),
        (Some(body), _) => (body, end),
        (None, Some(condition)) => (tree.node(condition).last, end),
        (None, None) => (id, end),
    }
}

fn operator(tree: &Tree, id: Id) -> &'static str {
    if !tree.node(id).named {
        return tree.kind(id);
    }
    tree.field(id, "operator").map_or("", |o| tree.kind(o))
}

/// Each function with its value.
pub fn measured(tree: &Tree, value: impl Fn(Id) -> usize) -> Vec<Measured> {
    functions(tree).into_iter().map(|f| Measured::of(tree, f, qualified(tree, f), value(f))).collect()
}
