//! Lizard's tokens: what its regular expression matches, one after the other, white space included.

use rubric_host_text::{is_space, DIGIT, NUMBER, WORD};
use std::borrow::Cow;

/// A token: mostly a piece of the source.
pub type Token<'t> = Cow<'t, str>;

/// What a language adds to the expression: the length of a match at the start of a text.
pub type Addition = fn(&str) -> Option<usize>;

/// Operators in lizard's order. The first that matches wins, so `*=` is two tokens.
const SYMBOLS: [&str; 26] = [
    "<<=", ">>=", "||", "&&", "===", "!==", "==", "!=", "<=", ">=", "->", "=>", "++", "--", "+=", "-=", "+", "-", "*", "/", "*=", "/=", "^=", "&=", "|=", "...",
];

/// Python's `\w`.
pub fn is_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii() && WORD.has(c)
}

/// Python's `str.isalpha()` of one character.
pub fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || !c.is_ascii() && WORD.has(c) && !NUMBER.has(c)
}

/// Whether a token begins with a letter.
pub fn begins_with_letter(token: &str) -> bool {
    token.chars().next().is_some_and(is_letter)
}

/// Python's `str.isspace()`.
pub fn is_blank(token: &str) -> bool {
    !token.is_empty() && token.chars().all(is_space)
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || !c.is_ascii() && DIGIT.has(c)
}

/// The length of the first characters that are of a kind.
pub fn span(text: &str, of: impl Fn(char) -> bool) -> usize {
    text.find(|c| !of(c)).unwrap_or(text.len())
}

/// Appends the tokens of a text.
pub fn tokens<'t>(text: &'t str, addition: Addition, out: &mut Vec<Token<'t>>) {
    let mut at = 0;
    let mut directive: Option<usize> = None; // a # takes everything up to the end of the line
    while at < text.len() {
        let len = length(&text[at..], addition);
        let token = &text[at..at + len];
        match directive {
            Some(_) if token.contains("\\\n") || !token.contains('\n') => {}
            Some(start) => {
                out.push(text[start..at].into());
                out.push(token.into());
                directive = None;
            }
            None if token == "#" => directive = Some(at),
            None => out.push(token.into()),
        }
        at += len;
    }
    if let Some(start) = directive {
        out.push(text[start..].into());
    }
}

/// The length of the token at the start of a text that is not empty.
fn length(text: &str, addition: Addition) -> usize {
    let bytes = text.as_bytes();
    if text.starts_with("/*") {
        if let Some(end) = text[2..].find("*/") {
            return end + 4;
        }
    }
    if let Some(len) = addition(text) {
        return len;
    }
    let first = text.chars().next().unwrap_or(' ');
    if is_word(first) {
        let prefixed = |prefix: &str, of: fn(char) -> bool| text.strip_prefix(prefix).and_then(|t| groups(t, of)).map(|n| n + prefix.len());
        return groups(text, is_digit)
            .or_else(|| prefixed("0x", |c| c.is_ascii_hexdigit()))
            .or_else(|| prefixed("0b", |c| matches!(c, '0' | '1')))
            .unwrap_or_else(|| span(text, is_word));
    }
    match bytes[0] {
        b'"' | b'\'' => return quoted(text).unwrap_or(1),
        b'/' if bytes.get(1) == Some(&b'/') => return line(text),
        b'\n' | b'#' => return 1,
        b':' if matches!(bytes.get(1), Some(b'=' | b':')) => return 2,
        b'*' if bytes.get(1) == Some(&b'*') => return 2,
        b'<' => {
            if let Some(len) = generic(text) {
                return len;
            }
        }
        b'\\' if bytes.get(1) == Some(&b'\n') => return 2,
        _ => {}
    }
    if let Some(symbol) = SYMBOLS.iter().find(|s| text.starts_with(**s)) {
        return symbol.len();
    }
    match span(text, |c| c != '\n' && is_space(c)) {
        0 => first.len_utf8(),
        n => n,
    }
}

/// Digits with `'` between groups of them, as C++ has them.
fn groups(text: &str, of: fn(char) -> bool) -> Option<usize> {
    let mut end = span(text, of);
    let mut found = None;
    while end > 0 && text[end..].starts_with('\'') {
        let more = span(&text[end + 1..], of);
        if more == 0 {
            break;
        }
        end += 1 + more;
        found = Some(end);
    }
    found
}

/// A string from a quote to the same quote, over lines.
fn quoted(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            c if c == bytes[0] => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// A comment to the end of the line; a backslash continues it.
fn line(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() && (bytes[at] != b'\n' || bytes[at - 1] == b'\\') {
        at += 1;
    }
    at
}

/// Type arguments with a wildcard, such as `<? extends T>`, are one token.
fn generic(text: &str) -> Option<usize> {
    let end = text[1..].find(['<', '>'])? + 1;
    let inner = &text[1..end];
    let fits = text.as_bytes()[end] == b'>' && inner.contains('?') && inner.chars().all(|c| is_word(c) || is_space(c) || matches!(c, ',' | '.' | '?'));
    fits.then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_and_numbers_are_cut_as_lizard_cuts_them() {
        let of = |text| {
            let mut list = Vec::new();
            tokens(text, |_| None, &mut list);
            list.join("|")
        };
        assert_eq!(of("a*=b<<=1;x===y...z"), "a|*|=|b|<<=|1|;|x|===|y|...|z");
        assert_eq!(of("1'000'000' 0xF'F'"), "1'000'000|' 0xF'|F|'");
        assert_eq!(of("// a\\\nb\nc"), "// a\\\nb|\n|c");
        assert_eq!(of("#if a \\\n b\nc"), "#if a \\\n b|\n|c");
        assert_eq!(of("L<? extends T> \"a\\\"\n\" \"b"), "L|<? extends T>| |\"a\\\"\n\"| |\"|b");
        assert_eq!(of("/* a */ /* b"), "/* a */| |/|*| |b");
    }
}
