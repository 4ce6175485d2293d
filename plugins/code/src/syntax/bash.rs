//! Bash: what the grammar does not know, and the findings of a reader of its own.

use crate::finding::Findings;
use crate::syntax::bash_reader::{check, Fault, MOST_DEPTH};
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::Tree;

/// Adds the first syntax error. What the grammar reports is dropped: the reader is complete.
pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    findings.list.clear();
    match check(tree.text) {
        Ok(()) => {}
        Err(Fault::Syntax(start, end, what)) => findings.add("syntax-error", start, end, what),
        Err(Fault::TooDeep) => findings.undecided = Some(format!("the output's code nests more than {MOST_DEPTH} levels deep")),
    }
    Ok(())
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
