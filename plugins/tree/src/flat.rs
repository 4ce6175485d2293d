//! A tree as a flat list.

use crate::ffi::{Grammar, Limits, Root};

/// The position of a node in a tree's list.
pub type Id = usize;

/// The id of the root.
pub const ROOT: Id = 0;

/// The symbol of error nodes, in every grammar.
const ERROR: u16 = u16::MAX;

/// One node.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its kind: for named nodes a rule of the grammar, otherwise the token itself. "ERROR": the parser skipped it.
    pub kind: &'static str,
    /// Its field in the parent; empty: none.
    pub field: &'static str,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The parent; the root is its own.
    pub parent: Id,
    /// One past the last node of the subtree, which starts with this node.
    pub last: Id,
    /// Number of nodes above it.
    pub depth: u32,
    /// Whether it is a rule of the grammar, not a token such as "+".
    pub named: bool,
    /// Whether the parser inserted it: it is expected here, and not in the text.
    pub missing: bool,
    /// Whether it is or contains an error, or a token that the parser inserted; such a token
    /// may be in no node, if the grammar hides it.
    pub faulty: bool,
}

impl Node {
    /// Reports whether the parser could not use the text of this node.
    pub fn is_error(&self) -> bool {
        self.kind == "ERROR"
    }

    /// Reports whether it is a comment or a backslash at the end of a line: it may stand between
    /// any two tokens, and means nothing.
    pub fn is_trivia(&self) -> bool {
        self.kind.ends_with("comment") || self.kind == "line_continuation"
    }

    /// Reports whether it has no children.
    pub fn is_leaf(&self, id: Id) -> bool {
        self.last == id + 1
    }
}

/// A syntax tree, in preorder.
pub struct Tree<'a> {
    /// The source.
    pub text: &'a str,
    /// The nodes; the first is the root.
    pub nodes: Vec<Node>,
    /// Whether tree-sitter reports a syntax error.
    pub has_error: bool,
    pub(crate) root: Root,
}

impl<'a> Tree<'a> {
    /// Parses a text. `None`: the parser took more steps, as it does on long texts that are not of the language.
    pub fn parse(grammar: Grammar, text: &'a str, limits: Limits) -> Option<Tree<'a>> {
        let root = Root::parse(grammar, text, limits)?;
        let seen = root.flatten();
        let mut symbols: Vec<&'static str> = Vec::new();
        let mut fields: Vec<&'static str> = Vec::new();
        let mut nodes: Vec<Node> = Vec::with_capacity(seen.len());
        for n in seen {
            let kind = match n.symbol {
                ERROR => "ERROR",
                s => named(&mut symbols, s, |s| root.symbol_name(s)),
            };
            let field = match n.field {
                0 => "",
                f => named(&mut fields, f, |f| root.field_name(f)),
            };
            let parent = n.parent as usize;
            nodes.push(Node {
                kind,
                field,
                start: n.start as usize,
                end: n.end as usize,
                parent,
                last: n.last as usize,
                depth: nodes.get(parent).map_or(0, |p| p.depth + 1),
                named: n.named,
                missing: n.missing,
                faulty: n.faulty,
            });
        }
        Some(Tree { text, nodes, has_error: seen[ROOT].faulty, root })
    }

    /// The same tree over another text of the same length.
    pub fn with_text(self, text: &str) -> Tree<'_> {
        Tree { text, nodes: self.nodes, has_error: self.has_error, root: self.root }
    }

    /// A node.
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    /// The kind of a node.
    pub fn kind(&self, id: Id) -> &'static str {
        self.nodes[id].kind
    }

    /// The source of a node.
    pub fn text(&self, id: Id) -> &'a str {
        let n = &self.nodes[id];
        self.text.get(n.start..n.end).unwrap_or("")
    }

    /// The children of a node, in order.
    pub fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let last = self.nodes[id].last;
        let mut at = id + 1;
        std::iter::from_fn(move || {
            let child = at;
            (child < last).then(|| {
                at = self.nodes[child].last;
                child
            })
        })
    }

    /// The named children of a node.
    pub fn named_children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        self.children(id).filter(|&c| self.nodes[c].named)
    }

    /// The named children that are no trivia.
    pub fn elements(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        self.named_children(id).filter(|&c| !self.nodes[c].is_trivia())
    }

    /// The first child in a field.
    pub fn field(&self, id: Id, field: &str) -> Option<Id> {
        self.children(id).find(|&c| self.nodes[c].field == field)
    }

    /// The source of the first child in a field; empty: there is none.
    pub fn field_text(&self, id: Id, field: &str) -> &'a str {
        self.field(id, field).map_or("", |c| self.text(c))
    }

    /// The first child of a kind.
    pub fn child(&self, id: Id, kind: &str) -> Option<Id> {
        self.children(id).find(|&c| self.nodes[c].kind == kind)
    }

    /// All nodes below a node, in preorder.
    pub fn below(&self, id: Id) -> std::ops::Range<Id> {
        id + 1..self.nodes[id].last
    }

    /// The nodes above a node, from its parent to the root.
    pub fn above(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let mut at = id;
        std::iter::from_fn(move || {
            (at != ROOT).then(|| {
                at = self.nodes[at].parent;
                at
            })
        })
    }
}

/// The name of a number, looked up once.
fn named(names: &mut Vec<&'static str>, n: u16, find: impl Fn(u16) -> &'static str) -> &'static str {
    let n = usize::from(n);
    if names.len() <= n {
        names.resize(n + 1, "");
    }
    if names[n].is_empty() {
        names[n] = find(n as u16);
    }
    names[n]
}
