//! Subtrees of syntax trees as numbers: two have the same number if their S-expressions
//! are the same. Tokens such as "+" are in no S-expression, names of fields are.

use rubric_host_tree::{Id, Tree, ROOT};
use std::collections::HashMap;

/// The numbers of S-expressions, for any number of trees.
#[derive(Default)]
pub struct Shapes(HashMap<Vec<Part>, u32>);

/// What an S-expression is made of: first its own kind, then its parts with their fields.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Part {
    Kind(&'static str),
    /// A token that is a node with children, such as Python's `not in`.
    Token(&'static str),
    Missing(&'static str),
    /// An inserted token that the grammar hides, such as the end of a line.
    Hidden,
    /// An error without children, with its first character.
    Unexpected(Option<char>),
    Child(&'static str, u32),
}

impl Shapes {
    /// The subtrees that CodeBLEU compares: the tree, and those below it that have
    /// children. `left_out` says for each node whether it is left out.
    pub fn of(&mut self, tree: &Tree, left_out: Option<&[bool]>) -> Vec<u32> {
        let skip = |id: Id| left_out.is_some_and(|l| l[id]);
        let mut numbers = vec![0u32; tree.nodes.len()];
        // What nodes that are not part of an S-expression hand on to their parents.
        let mut handed: HashMap<Id, Vec<(&'static str, u32)>> = HashMap::new();
        let mut list = Vec::new();
        for id in (0..tree.nodes.len()).rev() {
            if skip(id) {
                continue;
            }
            let n = tree.node(id);
            let visible = n.named || n.missing;
            if !visible && n.is_leaf(id) {
                continue;
            }
            let mut parts = vec![match (n.missing, n.is_error() && n.is_leaf(id) && n.end > n.start) {
                (true, _) => Part::Missing(n.kind),
                (_, true) => Part::Unexpected(tree.text(id).chars().next()),
                _ if visible => Part::Kind(n.kind),
                _ => Part::Token(n.kind),
            }];
            if n.faulty && !n.missing && !n.is_error() && tree.children(id).all(|c| !tree.node(c).faulty) {
                parts.push(Part::Hidden);
            }
            let mut children = false;
            for c in tree.children(id).filter(|&c| !skip(c)) {
                children = true;
                let child = tree.node(c);
                if child.named || child.missing {
                    parts.push(Part::Child(child.field, numbers[c]));
                } else if let Some(below) = handed.remove(&c) {
                    parts.extend(below.into_iter().map(|(field, shape)| Part::Child(if field.is_empty() { child.field } else { field }, shape)));
                }
            }
            if !visible {
                let below = parts.iter().filter_map(|p| if let Part::Child(field, shape) = p { Some((*field, *shape)) } else { None });
                handed.insert(id, below.collect());
            }
            let next = self.0.len() as u32;
            numbers[id] = *self.0.entry(parts).or_insert(next);
            if children || id == ROOT {
                list.push(numbers[id]);
            }
        }
        list
    }
}
