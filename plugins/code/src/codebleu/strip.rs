//! Removing comments and docstrings as the package `codebleu` 0.7.0 does, with its quirks:
//! regular expressions for languages with comments of C, and CPython 3.11's `tokenize` for
//! Python, whose text stays as it is where `tokenize` fails.

use crate::tokenize::{Kind, Token, Tokenizer};
use rubric_host_text::strip;

/// Removes comments of Python, and strings at the start of a line.
pub fn python(source: &str) -> String {
    match without_remarks(source) {
        Some(text) => full_lines(&text),
        None => source.into(),
    }
}

/// Removes comments `//` and `/* */` outside of quotes, each for a space.
pub fn c_like(source: &str) -> String {
    let b = source.as_bytes();
    let mut out = String::with_capacity(source.len());
    let (mut at, mut copied) = (0, 0);
    // Whether a quote of that kind was not closed. Then no later one is: each of them is escaped.
    let mut unclosed = [false; 2];
    while at < b.len() {
        let end = match (b[at], b.get(at + 1)) {
            (b'/', Some(b'/')) => Some(b[at..].iter().position(|&c| c == b'\n').map_or(b.len(), |n| at + n)),
            (b'/', Some(b'*')) => b[at + 2..].windows(2).position(|w| w == b"*/").map(|n| at + n + 4),
            (quote @ (b'\'' | b'"'), _) => {
                let kind = usize::from(quote == b'"');
                if !unclosed[kind] {
                    if let Some(end) = closing(b, at + 1, quote) {
                        at = end;
                        continue;
                    }
                    unclosed[kind] = true;
                }
                None
            }
            _ => None,
        };
        match end {
            Some(end) => {
                out.push_str(&source[copied..at]);
                out.push(' ');
                (at, copied) = (end, end);
            }
            None => at += 1,
        }
    }
    out.push_str(&source[copied..]);
    full_lines(&out)
}

/// One past the quote that ends a literal.
fn closing(b: &[u8], mut at: usize, quote: u8) -> Option<usize> {
    while at < b.len() {
        match b[at] {
            b'\\' => at += 2,
            c if c == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// Leaves out blank lines.
fn full_lines(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').filter(|l| !strip(l).is_empty()).collect();
    lines.join("\n")
}

/// The tokens of a text without comments and docstrings, with blanks for the columns
/// between them. `None`: tokenize raises an exception.
fn without_remarks(source: &str) -> Option<String> {
    let mut out = String::new();
    let mut before = Kind::Indent;
    let mut last = (0, 0);
    let mut write = |t: Token| {
        if t.start.0 > last.0 {
            last.1 = 0;
        }
        out.extend((last.1..t.start.1).map(|_| ' '));
        let drop = match t.kind {
            Kind::Comment => true,
            Kind::String => matches!(before, Kind::Indent | Kind::Newline) || t.start.1 == 0,
            _ => false,
        };
        if !drop {
            out.push_str(t.text);
        }
        before = t.kind;
        last = t.end;
    };
    let mut tokens = Tokenizer::new(&mut write);
    if !source.split_inclusive('\n').all(|line| tokens.read(line)) || !tokens.is_complete() {
        return None;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_loses_comments_and_docstrings() {
        for (source, want) in [
            ("x = 1 # c\n\n# d\ny = 'a#b'\n", "x = 1 \ny = 'a#b'"),
            ("def f():\n    \"\"\"doc\n    more\"\"\"\n    return 'x'", "def f():\n    return 'x'"),
            ("'''m'''\nx = ('a'\n'b')", "x = ('a'\n)"),
            ("def f():\n\tx\n\ty", "def f():\n\tx\n y"),
            ("x = (1, # open\n", "x = (1, # open\n"),
            ("if x:\n    a\n  b # c", "if x:\n    a\n  b # c"),
            ("a = 1 \\\n  + 2 # c", "a = 1  + 2 "),
            ("s = 'a\\\nb' # c", "s = 'a\\\nb' "),
            ("s = 'open # c\nx", "s = 'open \nx"),
            ("$ 'x'", "$ 'x'"),
        ] {
            assert_eq!(python(source), want, "{source:?}");
        }
    }

    #[test]
    fn c_like_languages_lose_comments_outside_of_quotes() {
        for (source, want) in [
            ("a // b\nc", "a  \nc"),
            ("a /* b\n */ c", "a   c"),
            ("s = \"// no\" // yes", "s = \"// no\"  "),
            ("it's // gone\nb", "it's  \nb"),
            ("'\\'//' //", "'\\'//'  "),
            ("/* open", "/* open"),
            ("\n\n x \n", " x "),
        ] {
            assert_eq!(c_like(source), want, "{source:?}");
        }
    }
}
