//! JavaScript and TypeScript: other names for what the grammars do not know.

use super::tokens::{Quotes, Tokens};
use super::{javascript_early, typescript};

/// Puts another name for `using` where it is a name: the grammars take it for a keyword. And nothing for the attributes of `export ... from`.
pub fn using(text: &str) -> Option<String> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '\\');
    let mut other = String::with_capacity(text.len());
    let mut from = 0;
    for (at, word) in text.match_indices("using") {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        if before.ends_with(part) || after.starts_with(part) {
            continue;
        }
        let next = after.trim_start_matches([' ', '\t']);
        let follower = next.split(|c| !part(c)).next().unwrap_or("");
        if matches!(follower, "" | "in" | "instanceof") && !next.starts_with("/*") || follower == "of" && before.trim_end().ends_with('(') {
            other.push_str(&text[from..at]);
            other.push_str("usin_");
            from = at + word.len();
        }
    }
    other.push_str(&text[from..]);
    let other = clauses(&other).unwrap_or(other);
    let other = exported(&other).unwrap_or(other);
    fields(&other).or(Some(other)).filter(|other| other != text)
}

/// Ends fields that are a private name alone before a line with `[` or `*`, where the grammar reads on.
fn fields(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    for (at, _) in text.match_indices('\n') {
        let line = text[..at].rsplit('\n').next().unwrap_or("").trim();
        let name = line.strip_prefix("static ").unwrap_or(line).strip_prefix('#').unwrap_or("");
        if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$')) && text[at..].trim_start().starts_with(['[', '*']) {
            bytes[at] = b';';
        }
    }
    String::from_utf8(bytes).ok()
}

/// Leaves out the attributes of exports, which the grammars know of imports only.
fn exported(text: &str) -> Option<String> {
    let mut t = Tokens::of(text, Quotes::Plain);
    let mut export = false;
    for i in 0..t.len() {
        match t.at(i) {
            word @ ("import" | "export") => export = word == "export",
            "with" if export && t.before(i, 2) == "from" && t.before(i, 1).starts_with(['"', '\'']) && t.at(i + 1) == "{" => {
                if let Some(close) = (i + 2..t.len()).find(|&i| matches!(t.at(i), "{" | "}")).filter(|&i| t.at(i) == "}") {
                    t.blank(i, close);
                }
            }
            _ => {}
        }
    }
    t.changed()
}

/// Puts other names for reserved words that `import { if as x }` and `export { x as if }` may have.
fn clauses(text: &str) -> Option<String> {
    let mut t = Tokens::of(text, Quotes::Plain);
    for open in 0..t.len() {
        let before = t.before(open, 1);
        let export = before == "export" || before == "type" && t.before(open, 2) == "export";
        if t.at(open) != "{" || !export && !matches!(before, "import" | ",") {
            continue;
        }
        let Some(close) = (open + 1..t.len()).find(|&i| matches!(t.at(i), "{" | "}")).filter(|&i| t.at(i) == "}") else { continue };
        let from = t.at(close + 1) == "from";
        for i in open + 2..close {
            if t.at(i) != "as" || !matches!(t.before(i, 2), "{" | ",") || !matches!(t.at(i + 2), "}" | ",") {
                continue;
            }
            if from && javascript_early::is_keyword(t.before(i, 1)) {
                t.put(i - 1, "_k");
            }
            if export && javascript_early::is_keyword(t.at(i + 1)) {
                t.put(i + 1, "_k");
            }
        }
    }
    t.changed()
}

/// Puts names for what the grammar does not know: `import('x')` before a dot, which may be of a type with arguments; and
/// does what `typescript::known` and `using` do.
pub fn types_of_modules(text: &str) -> Option<String> {
    let letters = typescript::escapes(text);
    let plain = letters.as_deref().unwrap_or(text);
    let mut other = typescript::known(plain).unwrap_or_else(|| plain.into());
    if let Some(renamed) = using(&other) {
        other = renamed;
    }
    let mut other = other.into_bytes();
    for (at, _) in text.match_indices("import(") {
        let call = text[at..].find(')').map(|n| at..at + n + 1).filter(|c| text[c.end..].starts_with('.'));
        let Some(call) = call.filter(|c| matches!(text[c.start + 7..c.end - 1].as_bytes(), [q @ (b'"' | b'\''), .., end] if q == end)) else { continue };
        other[call].iter_mut().filter(|b| !b.is_ascii_alphanumeric()).for_each(|b| *b = b'_');
    }
    String::from_utf8(other).ok().filter(|other| other != text)
}
