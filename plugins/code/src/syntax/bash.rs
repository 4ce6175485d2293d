//! Bash: what `bash -n` refuses and the grammar accepts.

use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Id, Tree, ROOT};

pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    // A lone ! and an empty $() are valid.
    findings.list.retain(|f| {
        let (before, text) = (tree.text[..f.start].trim_end(), &tree.text[f.start..f.end]);
        !(text == "!" && tree.text[f.end..].trim_start_matches([' ', '\t']).starts_with(['\n', ';']) || text == "!" && f.end == tree.text.len())
            && !(text.is_empty() && before.ends_with("$(") && tree.text[f.end..].trim_start().starts_with(')'))
    });
    // Where the grammar takes for, if or while for a command, it is the one that errs.
    let names = || tree.nodes.iter().enumerate().filter(|(_, n)| n.kind == "command_name").map(|(id, _)| tree.text(id));
    let lost = names().any(|name| matches!(name, "if" | "for" | "while" | "until" | "case" | "select" | "function" | "{"));
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        match n.kind {
            "command" if !lost => reserved(tree, id, findings),
            ";;" | ";&" | ";;&" if tree.kind(n.parent) != "case_item" => findings.add("case", n.start, n.end, format!("{} outside of case", n.kind)),
            "do_group" => body(tree, id, "do", "done", findings),
            // {} is a word, unless a function needs a body.
            "compound_statement" if tree.child(id, "{").is_some() && (tree.text(id) != "{}" || tree.kind(n.parent) == "function_definition") => {
                body(tree, id, "{", "}", findings);
            }
            "if_statement" | "elif_clause" => {
                body(tree, id, "then", "", findings);
                if let Some(second) = tree.children(id).filter(|&c| tree.kind(c) == "else_clause").nth(1) {
                    let m = tree.node(second);
                    findings.add("else", m.start, m.end, "more than one else");
                }
            }
            "else_clause" => body(tree, id, "else", "", findings),
            _ => {}
        }
    }
    Ok(())
}

/// A reserved word that begins a command ends something that is not there.
fn reserved(tree: &Tree, id: Id, findings: &mut Findings) {
    let Some(first) = tree.children(id).next().filter(|&c| tree.kind(c) == "command_name") else { return };
    let n = tree.node(first);
    let text = tree.text(first);
    if matches!(text, "then" | "do" | "done" | "fi" | "esac" | "elif" | "else" | "in" | "}") {
        findings.add("reserved", n.start, n.end, format!("unexpected {text}"));
    }
}

/// There is a command between two words.
fn body(tree: &Tree, id: Id, from: &str, to: &str, findings: &mut Findings) {
    let Some(opening) = tree.child(id, from) else { return };
    let first = tree.children(id).find(|&c| c > opening && !tree.node(c).is_trivia());
    let empty = first.is_none_or(|c| tree.kind(c) == to || matches!(tree.kind(c), "fi" | "elif_clause" | "else_clause"));
    if empty {
        let n = tree.node(opening);
        findings.add("empty", n.start, n.end, format!("expected a command after {from}"));
    }
}
