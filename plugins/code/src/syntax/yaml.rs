//! YAML: what its loaders refuse and the grammar accepts.

use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Id, Tree, ROOT};
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
        if n.kind == "yaml_directive" && tree.children(n.parent).take_while(|&c| c < id).any(|c| tree.kind(c) == n.kind) {
            findings.add("directive", n.start, n.end, "a document has one %YAML");
        }
        if n.kind == "block_scalar" {
            leading(tree, id, findings);
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
    if tree.text.contains('\t') {
        tabs(tree, findings);
    }
    Ok(())
}

/// Indentation within an item of a block is at least a space more than that of the item; tabs stand behind it.
fn tabs(tree: &Tree, findings: &mut Findings) {
    let last = tree.text.trim_end().len();
    let (mut around, mut scalar, mut before, mut next, mut line) = (Vec::new(), None, 0, 0, 0);
    for text in tree.text.split_inclusive('\n') {
        while next < tree.nodes.len() && tree.node(next).start < line {
            let n = tree.node(next);
            if matches!(n.kind, "block_mapping_pair" | "block_sequence_item") {
                around.push(next);
            } else if n.kind == "block_scalar" {
                scalar = Some((around.iter().rev().find(|&&a| tree.node(a).end >= n.end).copied(), n.end));
            }
            next += 1;
        }
        while around.last().is_some_and(|&id| tree.node(id).end <= line) {
            around.pop();
        }
        let spaces = text.len() - text.trim_start_matches(' ').len();
        let content = text.trim_start();
        if text[spaces..].starts_with('\t') && !content.starts_with('#') {
            // A line of white space in a block scalar, or behind it, is empty or has its indentation.
            let item = match content.is_empty() {
                true => scalar.filter(|&(_, end)| before <= end && line < last).and_then(|(item, _)| item),
                false => around.last().copied(),
            };
            if item.is_some_and(|id| spaces <= column(tree, id)) {
                findings.add("tab", line, line + spaces + 1, "a tab in the indentation");
            }
        }
        if !content.is_empty() {
            before = line + text.trim_end().len();
        }
        line += text.len();
    }
}

fn column(tree: &Tree, id: Id) -> usize {
    let start = tree.node(id).start;
    tree.text[..start].chars().rev().take_while(|&c| c != '\n').count()
}

/// No empty line before a block scalar's first line has more spaces than that, and no other line in it fewer.
fn leading(tree: &Tree, id: Id, findings: &mut Findings) {
    let n = tree.node(id);
    let header = tree.text[n.start..].find('\n').map_or(tree.text.len(), |at| n.start + at + 1);
    if tree.text[n.start..header].split('#').next().is_some_and(|h| h.contains(|c: char| c.is_ascii_digit())) {
        return;
    }
    let around = tree.above(id).find(|&a| matches!(tree.kind(a), "block_mapping_pair" | "block_sequence_item"));
    let inside = |spaces, content: &str| around.is_none_or(|a| spaces > column(tree, a)) && !(content.starts_with("---") || content.starts_with("..."));
    let (mut line, mut most, mut first) = (header, 0, None);
    for text in tree.text[header..].split_inclusive('\n') {
        let spaces = text.len() - text.trim_start_matches(' ').len();
        let content = text[spaces..].trim_end_matches(['\r', '\n']);
        match first {
            None if content.is_empty() => most = most.max(spaces),
            None if !inside(spaces, content) => return,
            None if most > spaces => {
                findings.add("indentation", line, line + spaces, "an empty line before this one has more spaces");
                return;
            }
            None => first = Some(spaces),
            Some(least) if spaces < least && !content.trim().is_empty() => {
                if !content.starts_with('#') && inside(spaces, content) {
                    findings.add("indentation", line, line + spaces, "this line has fewer spaces than the first of its text");
                }
                return;
            }
            Some(_) => {}
        }
        line += text.len();
    }
}
