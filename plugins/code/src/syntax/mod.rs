//! Syntax errors that the grammars accept, a file for each language that has rules.

pub mod bash;
mod bash_reader;
pub mod c;
pub mod c_newer;
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

/// Characters between tokens that grammars take for white space, and the language does not. A byte order mark may begin a text.
fn spaces(tree: &Tree, which: &[char], findings: &mut Findings) {
    if tree.text.is_ascii() && !which.iter().any(|&c| c.is_ascii() && tree.text.contains(c)) || !tree.text.contains(which) {
        return;
    }
    let tokens = tree.nodes.iter().enumerate().filter(|&(id, n)| n.last == id + 1 || n.kind == "string_content").map(|(_, n)| (n.start, n.end));
    let mut from = if tree.text.starts_with('\u{feff}') { 3 } else { 0 };
    for (start, end) in tokens.chain([(tree.text.len(), 0)]) {
        if let Some((at, c)) = tree.text.get(from..start).and_then(|gap| gap.char_indices().find(|(_, c)| which.contains(c))) {
            findings.add("space", from + at, from + at + c.len_utf8(), format!("U+{:04X} is not white space", u32::from(c)));
        }
        from = from.max(end);
    }
}
