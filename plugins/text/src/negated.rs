//! Whether what follows is denied.

/// Whether a text ends with a word that denies what follows: `not`, `isn't`, `cannot be equal to`.
pub fn negated(before: &str) -> bool {
    let mark = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '"' | '$' | ',' | '(' | '\\' | '/');
    let lower = before.to_lowercase().replace('\u{2019}', "'");
    let mut rest = lower.trim_end_matches(mark);
    while let Some(less) = ["be", "on", "equal to", "equal", "exactly", "just", "simply", "the number"].iter().find_map(|w| rest.strip_suffix(w)?.strip_suffix(mark)) {
        rest = less.trim_end_matches(mark);
    }
    let last = rest.rsplit(|c: char| !c.is_alphabetic() && c != '\'').next().unwrap_or("");
    last.ends_with("n't") || matches!(last, "not" | "cannot" | "never" | "neither" | "nor")
}
