//! JSON by RFC 8259: the grammar accepts comments, several values and more.

use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::Tree;

/// Adds the first violation of RFC 8259. Duplicate keys and lone surrogates in escapes are
/// allowed there, and here. What the grammar reports is dropped: this reader is complete.
pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    findings.list.clear();
    if let Err((at, what)) = check(tree.text.as_bytes()) {
        findings.add("syntax-error", at, at + usize::from(at < tree.text.len()), what);
    }
    Ok(())
}

type Checked = std::result::Result<(), (usize, &'static str)>;

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

/// Checks a text without recursion, so that nesting has no limit.
fn check(text: &[u8]) -> Checked {
    let mut r = Reader { text, at: 0 };
    let mut open: Vec<u8> = Vec::new();
    r.space();
    loop {
        // A value is due.
        match r.peek() {
            Some(b'{') => {
                r.at += 1;
                r.space();
                if !r.take(b'}') {
                    open.push(b'}');
                    r.key()?;
                    continue;
                }
            }
            Some(b'[') => {
                r.at += 1;
                r.space();
                if !r.take(b']') {
                    open.push(b']');
                    continue;
                }
            }
            Some(b'"') => r.string()?,
            Some(b'-' | b'0'..=b'9') => r.number()?,
            Some(b't') => r.word(b"true")?,
            Some(b'f') => r.word(b"false")?,
            Some(b'n') => r.word(b"null")?,
            Some(_) => return Err((r.at, "expected a value")),
            None => return Err((r.at, "expected a value, found the end")),
        }
        // A value has ended; so may what contains it.
        loop {
            r.space();
            let Some(&end) = open.last() else {
                return if r.at == text.len() { Ok(()) } else { Err((r.at, "unexpected text after the value")) };
            };
            if r.take(end) {
                open.pop();
                continue;
            }
            if !r.take(b',') {
                return Err((r.at, if end == b'}' { "expected , or }" } else { "expected , or ]" }));
            }
            r.space();
            if end == b'}' {
                r.key()?;
            }
            break;
        }
    }
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self, c: u8) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn key(&mut self) -> Checked {
        if self.peek() != Some(b'"') {
            return Err((self.at, "expected a key in double quotes"));
        }
        self.string()?;
        self.space();
        if !self.take(b':') {
            return Err((self.at, "expected : after the key"));
        }
        self.space();
        Ok(())
    }

    fn string(&mut self) -> Checked {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err((start, "the string has no end")),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    let escape = self.at;
                    self.at += 1;
                    match self.peek() {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
                        Some(b'u') if self.text.get(self.at + 1..self.at + 5).is_some_and(|h| h.iter().all(u8::is_ascii_hexdigit)) => self.at += 5,
                        _ => return Err((escape, "invalid escape")),
                    }
                }
                Some(0..=0x1f) => return Err((self.at, "control character in a string")),
                Some(_) => self.at += 1,
            }
        }
    }

    fn digits(&mut self) -> Checked {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err((start, "expected a digit")) } else { Ok(()) }
    }

    fn number(&mut self) -> Checked {
        self.take(b'-');
        let zero = self.peek() == Some(b'0');
        let start = self.at;
        self.digits()?;
        if zero && self.at > start + 1 {
            return Err((start, "a number does not begin with 0"));
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(())
    }

    fn word(&mut self, word: &[u8]) -> Checked {
        if !self.text[self.at..].starts_with(word) {
            return Err((self.at, "expected a value"));
        }
        self.at += word.len();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn rfc_8259() {
        for good in ["{}", " [1, -0.5e+3, \"\\u00fc\", true, false, null, {\"a\": [[]]}] ", "0", "\"\"", "-0", "[[[[]]]]"] {
            assert_eq!(check(good.as_bytes()), Ok(()), "{good}");
        }
        for (bad, at) in [
            ("", 0), ("{} {}", 3), ("01", 0), ("1.", 2), (".5", 0), ("+1", 0), ("[1,]", 3), ("{\"a\":1,}", 7), ("'a'", 0),
            ("\"a\tb\"", 2), ("\u{feff}{}", 0), ("NaN", 0), ("nul", 0), ("truex", 4), ("[1 2]", 3), ("{a:1}", 1), ("\"\\x\"", 1),
            ("\"a", 0), ("[", 1), ("{\"a\"}", 4), ("1e", 2), ("-", 1), ("\"\\u12\"", 1), ("{} // c", 3),
        ] {
            assert_eq!(check(bad.as_bytes()).map_err(|e| e.0), Err(at), "{bad}");
        }
        let deep = "[".repeat(1_000_000);
        assert!(check(deep.as_bytes()).is_err());
    }
}
