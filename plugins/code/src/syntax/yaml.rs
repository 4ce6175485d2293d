//! YAML: what its loaders refuse and the grammar accepts.

use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Tree, ROOT};
use std::collections::HashSet;

/// Most lines, and most bytes of a line.
const MOST: usize = i16::MAX as usize;

pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    let printable = |c: char| !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}');
    if let Some((at, c)) = tree.text.char_indices().find(|(_, c)| !printable(*c)) {
        findings.add("character", at, at + c.len_utf8(), "a control character");
    }
    // The grammar's scanner counts lines and columns in 16 bits.
    if tree.text.lines().count() > MOST || tree.text.lines().any(|line| line.len() > MOST) {
        findings.undecided = Some(format!("the output's code has more than {MOST} lines, or a line of more bytes"));
        return Ok(());
    }
    let mut handles = HashSet::new();
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        match n.kind {
            "document" => handles.clear(),
            "tag_handle" => drop(handles.insert(tree.text(id))),
            "tag" if !tree.text(id).starts_with("!<") => {
                let handle = tree.text(id)[1..].find('!').map_or("!!", |at| &tree.text(id)[..at + 2]);
                if handle != "!!" && !handles.contains(handle) {
                    findings.add("tag", n.start, n.end, format!("%TAG does not define {handle}"));
                }
            }
            _ => {}
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
