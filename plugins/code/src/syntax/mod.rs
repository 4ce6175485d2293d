//! Syntax errors that the grammars accept, a file for each language that has rules.

pub mod bash;
mod bash_reader;
pub mod c;
mod c_newer;
pub mod go;
pub mod java;
mod java_places;
pub mod javascript;
mod typescript;
mod javascript_early;
pub mod javascript_names;
mod javascript_targets;
pub mod json;
pub mod preprocess;
pub mod python;
mod python_compile;
mod python_places;
mod python_statements;
mod regex;
pub mod rust;
mod rust_places;
pub mod tokens;
pub mod yaml;

use crate::finding::Findings;
use rubric_host_tree::Tree;

/// Characters without width between tokens, which grammars take for white space.
fn spaces(tree: &Tree, which: &[char], findings: &mut Findings) {
    if tree.text.is_ascii() || !tree.text.contains(which) {
        return;
    }
    let tokens = tree.nodes.iter().enumerate().filter(|&(id, n)| n.last == id + 1 || n.kind == "string_content").map(|(_, n)| (n.start, n.end));
    let mut from = 0;
    for (start, end) in tokens.chain([(tree.text.len(), 0)]) {
        if let Some(at) = tree.text.get(from..start).and_then(|gap| gap.find(which)) {
            findings.add("space", from + at, from + at + 3, "a character without width is not white space");
        }
        from = from.max(end);
    }
}
