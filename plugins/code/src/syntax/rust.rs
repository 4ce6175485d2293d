//! Rust: what rustc's parser refuses and the grammar accepts.

use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Tree, ROOT};

/// Words that are no names in any edition.
const RESERVED: [&str; 35] = [
    "as", "break", "const", "continue", "else", "enum", "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move",
    "mut", "pub", "ref", "return", "static", "struct", "trait", "true", "type", "unsafe", "use", "where", "while", "abstract", "become", "final", "override",
];

pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    if !findings.list.is_empty() {
        return Ok(());
    }
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        // Not of 'static.
        let name = matches!(n.kind, "identifier" | "type_identifier" | "field_identifier") && !matches!(tree.kind(n.parent), "lifetime" | "label");
        if name && RESERVED.contains(&tree.text(id)) && !macro_tokens(tree, id) {
            findings.add("reserved", n.start, n.end, format!("{} is a reserved word", tree.text(id)));
        }
        if n.parent != ROOT {
            continue;
        }
        let call = |id| tree.named_children(id).next().is_some_and(|c| tree.kind(c) == "macro_invocation");
        match n.kind {
            "empty_statement" => findings.add("item", n.start, n.end, "expected an item, found ;"),
            "let_declaration" => findings.add("item", n.start, n.end, "let outside of a function"),
            "expression_statement" if !call(id) => findings.add("item", n.start, n.end, "expected an item"),
            "macro_invocation" if !tree.text(id).ends_with('}') => findings.add("item", n.end, n.end, "expected ; after a macro"),
            _ => {}
        }
    }
    Ok(())
}

/// Whether a token is one of a macro, which may be any word.
fn macro_tokens(tree: &Tree, id: usize) -> bool {
    let mut up = tree.node(id).parent;
    while up != ROOT {
        if matches!(tree.kind(up), "token_tree" | "token_tree_pattern" | "macro_rule" | "attribute" | "token_repetition" | "token_repetition_pattern") {
            return true;
        }
        up = tree.node(up).parent;
    }
    false
}
