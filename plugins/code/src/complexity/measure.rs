//! Cyclomatic complexity of languages without a tool of their own, and cognitive complexity.

use super::Measured;
use crate::shape::{functions, part, qualified, Part};
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
/// sequence of the same logical operator, and a jump to a label. Recursion costs nothing
/// here. Nested functions are part of the function around them, and of the list.
pub fn cognitive(tree: &Tree) -> Vec<Measured> {
    measured(tree, |f| {
        let mut value = 0;
        // The ends of the nodes around that nest.
        let mut nest: Vec<Id> = Vec::new();
        for id in tree.below(f) {
            while nest.last().is_some_and(|&end| end <= id) {
                nest.pop();
            }
            let n = tree.node(id);
            match part(tree, id) {
                Part::Loop | Part::If | Part::Switch | Part::Catch | Part::Ternary => {
                    value += 1 + nest.len();
                    nest.push(n.last);
                }
                Part::ElseIf | Part::Else => value += 1,
                Part::Function | Part::Lambda => nest.push(n.last),
                Part::Logic => {
                    let same = |a: Id| part(tree, a) == Part::Logic && operator(tree, a) == operator(tree, id);
                    let chained = if n.named {
                        same(n.parent)
                    } else {
                        // Bash: a && b && c nests to the left, like binary expressions.
                        let outer = tree.node(n.parent).parent;
                        tree.children(outer).any(same)
                    };
                    value += usize::from(!chained);
                }
                Part::Other if matches!(n.kind, "goto_statement") => value += 1,
                Part::Other if matches!(n.kind, "break_statement" | "continue_statement") && tree.named_children(id).next().is_some() => value += 1,
                _ => {}
            }
        }
        value
    })
}

fn operator(tree: &Tree, id: Id) -> &'static str {
    if !tree.node(id).named {
        return tree.kind(id);
    }
    tree.field(id, "operator").map_or("", |o| tree.kind(o))
}

fn measured(tree: &Tree, value: impl Fn(Id) -> usize) -> Vec<Measured> {
    functions(tree)
        .into_iter()
        .map(|f| Measured { name: qualified(tree, f), value: value(f), start: tree.node(f).start, end: tree.node(f).end })
        .collect()
}
