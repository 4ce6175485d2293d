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
    let lost = names().any(|name| matches!(name, "if" | "for" | "while" | "until" | "case" | "select" | "function" | "coproc" | "{"));
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        match n.kind {
            "command" => {
                if !lost {
                    reserved(tree, id, findings);
                }
                if let Some(m) = tree.child(id, "subshell").map(|s| tree.node(s)) {
                    findings.add("bracket", m.start, m.start + 1, "a ( after a word of a command");
                }
            }
            "parenthesized_expression" if in_command(tree, id) => findings.add("bracket", n.start, n.start + 1, "a ( among the words of [: use \\("),
            "test_command" if tree.child(id, "[[").is_some() => {
                let mut inside = tree.named_children(id);
                if let Some(m) = inside.next().map(|c| tree.node(c)).filter(|m| m.kind == "word" && m.end - m.start == 2 && tree.text[m.start..].starts_with('-') && inside.next().is_none()) {
                    findings.add("condition", m.start, m.end, "expected a word after an operator");
                }
            }
            "<=" | ">=" if tree.kind(n.parent) == "binary_expression" && tree.above(id).find(|&a| tree.kind(a) == "test_command").is_some_and(|a| tree.child(a, "[[").is_some()) => {
                findings.add("condition", n.start, n.end, format!("{} is not an operator of [[: use -le or -ge, or ((", n.kind));
            }
            "file_redirect" => {
                if let Some(m) = tree.field(id, "destination").map(|d| tree.node(d)).filter(|m| tree.text[n.start..m.start].contains('\n')) {
                    findings.add("redirect", n.start, m.start, "a redirection ends at the end of the line");
                }
            }
            "case_statement" => {
                if let Some(esac) = tree.child(id, "esac").filter(|&e| tree.kind(last_command(tree, id, e)) == "command") {
                    let m = tree.node(esac);
                    findings.add("case", m.start, m.end, "expected ; or the end of the line before esac");
                }
            }
            ";;" | ";&" | ";;&" if tree.kind(n.parent) != "case_item" => findings.add("case", n.start, n.end, format!("{} outside of case", n.kind)),
            "do_group" => body(tree, id, "do", "done", findings),
            "{" if tree.kind(n.parent) == "compound_statement" && !tree.text[n.end..].starts_with([' ', '\t', '\n', '\r', '(', ')', ';', '<', '>', '|', '&', '}', '\\']) => {
                findings.add("space", n.start, n.end + 1, "expected a space after {");
            }
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

/// Reports whether parentheses are those of the command `[`, not of `[[` or arithmetic.
fn in_command(tree: &Tree, id: Id) -> bool {
    let around = tree.above(id).find(|&a| !tree.kind(a).ends_with("_expression"));
    around.is_some_and(|a| tree.kind(a) == "test_command" && tree.child(a, "[").is_some())
}

/// What is right before the `esac` of a case: the command of the last item, if nothing ends it.
fn last_command(tree: &Tree, case: Id, esac: Id) -> Id {
    let item = tree.children(case).filter(|&c| c < esac && tree.kind(c) == "case_item").last();
    let last = item.and_then(|i| tree.children(i).last().filter(|_| tree.field(i, "termination").is_none()));
    last.filter(|&l| !tree.text[tree.node(l).end..tree.node(esac).start].contains(['\n', ';', '&'])).unwrap_or(ROOT)
}

/// Puts words for what the grammar takes for more: the brackets of the command `[`, whose arguments are any words, and
/// a `$` that no name follows; `>` for `<>`; `<` for `<<<`; a `;` between `]]` or `)` and `then` or `do`; and nothing for `in` before an empty list. `None`: there are none.
pub fn words(text: &str) -> Option<String> {
    const STARTS: [&str; 9] = ["if", "while", "until", "elif", "then", "else", "do", "!", "{"];
    let mut bytes = text.as_bytes().to_vec();
    for (at, word) in text.match_indices(" in") {
        let mut before = text[..at].rsplit([' ', '\t', '\n', ';', '&', '|', '(', '{']).filter(|w| !w.is_empty());
        let empty = text[at + word.len()..].trim_start_matches([' ', '\t']).starts_with([';', '\n']);
        if empty && before.next().is_some() && matches!(before.next(), Some("for" | "select")) {
            bytes[at..at + word.len()].fill(b' ');
        }
    }
    let space = |b: Option<&u8>| b.is_none_or(|b| matches!(b, b' ' | b'\t' | b'\n'));
    let mut at = 0;
    while let Some(n) = text[at..].find(['[', '$', '\\', '<', 't', 'd']) {
        at += n;
        let next = bytes.get(at + 1);
        match bytes[at] {
            b'$' if matches!(next, Some(b':' | b',' | b'.' | b'/' | b'%' | b'+' | b'=' | b'~' | b'^' | b'|' | b';')) => bytes[at] = b'x',
            b'[' if space(next) => {
                let before = text[..at].trim_end_matches([' ', '\t']);
                let word = before.rsplit(|c: char| !c.is_alphabetic() && !matches!(c, '!' | '{')).next().unwrap_or("");
                let line = text[at..].split('\n').next().unwrap_or("").len();
                if before.is_empty() || before.ends_with(['\n', ';', '&', '|', '(']) || STARTS.contains(&word) {
                    bytes[at] = b'x';
                    let ends = |i: usize| matches!(text.as_bytes().get(i), None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')'));
                    for i in at + 1..at + line {
                        if bytes[i] == b']' && space(bytes.get(i - 1)) && ends(i + 1) {
                            bytes[i] = b'x';
                        }
                    }
                }
            }
            b'<' if next == Some(&b'>') => bytes[at] = b' ',
            b'<' if text[at..].starts_with("<<<") => {
                bytes[at + 1..at + 3].fill(b' ');
                at += 2;
            }
            b't' | b'd' if ends_condition(text, at) => bytes[at - 1] = b';',
            // The second of two belongs to the first.
            b'$' | b'\\' if matches!(next, Some(b'$' | b'[' | b'\\')) => at += 1,
            _ => {}
        }
        at += 1;
    }
    String::from_utf8(bytes).ok().filter(|other| other != text)
}

/// Whether `then` or `do` is at a place, after `[[ ... ]]`, `(( ... ))` or `( ... )`.
fn ends_condition(text: &str, at: usize) -> bool {
    let (before, after) = (&text[..at], &text[at..]);
    let word = ["then", "do"].iter().any(|w| after.strip_prefix(w).is_some_and(|rest| rest.starts_with([' ', '\t', '\n', ';', '#']) || rest.is_empty()));
    if !word || !before.ends_with([' ', '\t']) {
        return false;
    }
    let condition = before.trim_end_matches([' ', '\t']);
    if let Some(inner) = condition.strip_suffix("]]") {
        return inner.rsplit('\n').next().is_some_and(|line| line.contains("[["));
    }
    let mut depth = 0usize;
    for (i, b) in condition.bytes().enumerate().rev().take(2000) {
        match b {
            b')' => depth += 1,
            b'(' if depth == 1 => return condition[..i].ends_with([' ', '\t', '\n', ';', '&', '|']),
            b'(' => depth -= 1,
            _ if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

/// A reserved word that begins a command ends something that is not there.
fn reserved(tree: &Tree, id: Id, findings: &mut Findings) {
    let Some(first) = tree.children(id).next().filter(|&c| tree.kind(c) == "command_name") else { return };
    let n = tree.node(first);
    let text = tree.text(first);
    // The grammar takes the braces behind `time` for words.
    let timed = || tree.children(tree.node(id).parent).any(|c| c < id && tree.kind(c) == "command" && tree.text(c).starts_with("time ") && tree.text(c).split_whitespace().nth(1) == Some("{"));
    if text == "}" && timed() {
        return;
    }
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
