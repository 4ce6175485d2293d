//! YAML: what its loaders refuse and the grammar accepts.

use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Tree, ROOT};

pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    let printable = |c: char| !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}');
    if let Some((at, c)) = tree.text.char_indices().find(|(_, c)| !printable(*c)) {
        findings.add("character", at, at + c.len_utf8(), "a control character");
    }
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        // !a!b needs the directive %TAG !a! in its document.
        if let Some(handle) = Some(tree.text(id)).filter(|_| n.kind == "tag").and_then(|t| t[1..].find('!').map(|at| &t[..at + 2])) {
            let document = tree.above(id).find(|&a| tree.kind(a) == "document");
            let known = |d| tree.children(d).filter(|&c| tree.kind(c) == "tag_directive").any(|c| tree.below(c).any(|h| tree.text(h) == handle));
            if handle != "!!" && !tree.text(id).starts_with("!<") && !document.is_some_and(known) {
                findings.add("tag", n.start, n.end, format!("%TAG does not define {handle}"));
            }
        }
        if !matches!(n.kind, "block_mapping_pair" | "block_sequence_item") {
            continue;
        }
        let line = tree.text[..n.start].rfind('\n').map_or(0, |at| at + 1);
        let indent = &tree.text[line..n.start];
        if indent.contains('\t') && indent.trim_matches([' ', '\t']).is_empty() {
            findings.add("tab", line, n.start, "a tab in the indentation");
        }
    }
    Ok(())
}
