//! A reader for the JSON of a request: it borrows what it can, keeps numbers
//! as they are written, and bounds its depth.

use crate::answer::{Error, Result};
use std::borrow::Cow;

/// The deepest nesting of arrays and objects that [`parse`] takes.
const MAX_DEPTH: u32 = 64;

/// A JSON value that borrows from the text it was read from.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it is written; [`Value::as_f64`] reads it.
    Number(&'a str),
    /// A string with its escapes decoded.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Value<'a>>),
    /// The members of an object in the order written. A name that is written
    /// twice is there twice; [`Value::get`] finds the last, as JavaScript and Python have it.
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// The member of an object; `None` for anything else, and for `null`.
    pub fn get(&self, name: &str) -> Option<&Value<'a>> {
        match self {
            Value::Object(members) => {
                members.iter().rfind(|(n, _)| n == name).map(|(_, v)| v).filter(|v| !matches!(v, Value::Null))
            }
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(s) => Some(s),
            _ => None,
        }
    }

    /// The value of a number; a literal too large for a double is infinite.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Number(s) => crate::number::read(s),
            _ => None,
        }
    }

    /// The value of a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The elements of an array.
    pub fn as_array(&self) -> Option<&[Value<'a>]> {
        match self {
            Value::Array(v) => Some(v),
            _ => None,
        }
    }

    /// The members of an object.
    pub fn as_object(&self) -> Option<&[(Cow<'a, str>, Value<'a>)]> {
        match self {
            Value::Object(m) => Some(m),
            _ => None,
        }
    }

    /// What the value is, for messages: `"a string"`, `"null"`, ...
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        }
    }
}

/// Reads one JSON value that fills `text`, white space around it aside.
pub fn parse(text: &str) -> Result<Value<'_>> {
    let mut reader = Reader { text, at: 0 };
    reader.space();
    let value = reader.value(0)?;
    reader.space();
    if reader.at != text.len() {
        return Err(reader.fail("something follows the value"));
    }
    Ok(value)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    #[cold]
    fn fail(&self, what: &str) -> Error {
        Error::new(format!("not JSON at byte {}: {what}", self.at))
    }

    #[inline]
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    #[inline]
    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: u32) -> Result<Value<'a>> {
        match self.peek() {
            b'"' => Ok(Value::String(self.string()?)),
            b'{' => self.object(depth + 1),
            b'[' => self.array(depth + 1),
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => Err(self.fail("no value")),
        }
    }

    fn word(&mut self, word: &str, value: Value<'a>) -> Result<Value<'a>> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(self.fail("no value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn array(&mut self, depth: u32) -> Result<Value<'a>> {
        if self.open(b']', depth)? {
            return Ok(Value::Array(Vec::new()));
        }
        let mut list = Vec::with_capacity(4); // as the first push would make it
        loop {
            list.push(self.value(depth)?);
            if self.closed(b']')? {
                return Ok(Value::Array(list));
            }
        }
    }

    fn object(&mut self, depth: u32) -> Result<Value<'a>> {
        if self.open(b'}', depth)? {
            return Ok(Value::Object(Vec::new()));
        }
        let mut members = Vec::with_capacity(4);
        loop {
            if self.peek() != b'"' {
                return Err(self.fail("no name"));
            }
            let name = self.string()?;
            self.space();
            if self.peek() != b':' {
                return Err(self.fail("no colon"));
            }
            self.at += 1;
            self.space();
            members.push((name, self.value(depth)?));
            if self.closed(b'}')? {
                return Ok(Value::Object(members));
            }
        }
    }

    /// Steps over the opening bracket; true if the closing one follows.
    fn open(&mut self, close: u8, depth: u32) -> Result<bool> {
        if depth > MAX_DEPTH {
            return Err(self.fail("nested too deeply"));
        }
        self.at += 1;
        self.space();
        let empty = self.peek() == close;
        self.at += usize::from(empty);
        Ok(empty)
    }

    /// Steps over a comma and says false, or over the closing bracket: true.
    #[inline(always)]
    fn closed(&mut self, close: u8) -> Result<bool> {
        self.space();
        let c = self.peek();
        if c != b',' && c != close {
            return Err(self.fail("no comma"));
        }
        self.at += 1;
        if c == b',' {
            self.space();
        }
        Ok(c == close)
    }

    fn number(&mut self) -> Result<Value<'a>> {
        let start = self.at;
        self.at += usize::from(self.peek() == b'-');
        if self.peek() == b'0' {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), b'+' | b'-'));
            self.digits()?;
        }
        Ok(Value::Number(&self.text[start..self.at]))
    }

    fn digits(&mut self) -> Result<()> {
        if !self.peek().is_ascii_digit() {
            return Err(self.fail("no digit"));
        }
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        Ok(())
    }

    #[inline(always)]
    fn string(&mut self) -> Result<Cow<'a, str>> {
        self.at += 1;
        let start = self.at;
        self.plain();
        if self.peek() == b'"' {
            self.at += 1;
            return Ok(Cow::Borrowed(&self.text[start..self.at - 1]));
        }
        self.escaped(start).map(Cow::Owned)
    }

    /// Reads the rest of a string that begins at `start`, and has an escape.
    #[inline(never)]
    fn escaped(&mut self, start: usize) -> Result<String> {
        let mut out = String::with_capacity(2 * (self.at - start) + 32);
        out.push_str(&self.text[start..self.at]);
        loop {
            match self.peek() {
                b'"' => {
                    self.at += 1;
                    return Ok(out);
                }
                b'\\' => out.push(self.escape()?),
                _ => return Err(self.fail("a string is not closed, or holds a control character")),
            }
            let start = self.at;
            self.plain();
            out.push_str(&self.text[start..self.at]);
        }
    }

    /// Steps over everything that stands for itself in a string.
    #[inline]
    fn plain(&mut self) {
        self.at += plain(&self.text.as_bytes()[self.at..]);
    }

    fn escape(&mut self) -> Result<char> {
        self.at += 1;
        let c = self.peek();
        self.at += 1;
        Ok(match c {
            b'"' | b'\\' | b'/' => c as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(self.fail("an unknown escape")),
        })
    }

    fn unicode(&mut self) -> Result<char> {
        let high = self.hex4()?;
        let mut code = high;
        if (0xd800..0xdc00).contains(&high) {
            if !self.text.as_bytes()[self.at..].starts_with(b"\\u") {
                return Err(self.fail("half a surrogate pair"));
            }
            self.at += 2;
            let low = self.hex4()?;
            if !(0xdc00..0xe000).contains(&low) {
                return Err(self.fail("half a surrogate pair"));
            }
            code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        }
        char::from_u32(code).ok_or_else(|| self.fail("half a surrogate pair"))
    }

    fn hex4(&mut self) -> Result<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = (self.peek() as char).to_digit(16);
            code = code * 16 + digit.ok_or_else(|| self.fail("an escape needs four hex digits"))?;
            self.at += 1;
        }
        Ok(code)
    }
}

/// How many bytes at the start stand for themselves in a string: all but quotes, backslashes
/// and control characters.
pub(crate) fn plain(text: &[u8]) -> usize {
    let mut at = 0;
    for chunk in text.chunks_exact(8) {
        let special = special(chunk);
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    // Most texts end with eight bytes that stand for themselves.
    if text.len() >= 8 && special(&text[text.len() - 8..]) == 0 {
        return text.len();
    }
    at + text[at..].iter().take_while(|&&c| c >= 0x20 && c != b'"' && c != b'\\').count()
}

/// Of eight bytes the highest bit of the first that does not stand for itself, and perhaps of others after it.
#[inline(always)]
fn special(bytes: &[u8]) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let bytes = bytes.try_into().map_or(0, u64::from_le_bytes);
    // The highest bit of each byte below `n`, and perhaps of others after the first of them. With 2
    // flipped, a quote is below 0x21, as control characters are.
    let below = |flip: u64, n: u64| (bytes ^ (flip * ONES)).wrapping_sub(n * ONES);
    (below(2, 0x21) | below(u64::from(b'\\'), 1)) & !bytes & (0x80 * ONES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_kind_of_value() {
        let v = parse(r#" {"a":[1,-2.5e3,0],"b":{"c":null,"d":true},"e":"x\ty\u00e9\ud83d\ude00"} "#).unwrap();
        let a = v.get("a").unwrap().as_array().unwrap();
        assert_eq!(a.iter().map(|x| x.as_f64().unwrap()).collect::<Vec<_>>(), [1.0, -2500.0, 0.0]);
        assert_eq!(v.get("b").unwrap().get("c"), None);
        assert_eq!(v.get("b").unwrap().get("d").unwrap().as_bool(), Some(true));
        assert_eq!(v.get("e").unwrap().as_str(), Some("x\tyé😀"));
        assert_eq!(v.get("missing"), None);
        assert_eq!(parse(r#"{"a":1,"a":2}"#).unwrap().get("a"), Some(&Value::Number("2")));
    }

    #[test]
    fn borrows_a_string_without_escapes() {
        let v = parse(r#""plain é""#).unwrap();
        assert!(matches!(v, Value::String(Cow::Borrowed("plain é"))));
    }

    #[test]
    fn refuses_what_is_not_json() {
        for bad in [
            "",
            " ",
            "{",
            "[",
            "[1",
            "[1,",
            "[1,]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "01",
            "1.",
            ".5",
            "-",
            "1e",
            "+1",
            "NaN",
            "tru",
            "nul",
            "\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"\\udc00\"",
            "\"a\nb\"",
            "1 2",
            "[1 2]",
            "'a'",
            "\"\\",
        ] {
            assert!(parse(bad).is_err(), "{bad:?} was read");
        }
    }

    #[test]
    fn every_special_byte_ends_what_stands_for_itself() {
        for c in 0..=255u8 {
            for at in 0..20 {
                for after in [b'a', b'"', 0, 0x1f, 0xff] {
                    let mut text = [b'x'; 20];
                    text[at..].fill(after);
                    text[at] = c;
                    let special = |c: &u8| *c < 0x20 || matches!(c, b'"' | b'\\');
                    for text in [&text[..], &text[3..], &text[12..], &text[15..]] {
                        assert_eq!(plain(text), text.iter().position(special).unwrap_or(text.len()), "{text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn bounds_the_depth() {
        let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(parse(&deep(64)).is_ok());
        assert!(parse(&deep(65)).is_err());
        assert!(parse(&"[".repeat(1_000_000)).is_err());
    }

    #[test]
    fn never_panics_on_a_cut_or_changed_request() {
        let good = r#"{"contract":1,"case":{"output":"a\u00e9\n","references":["b",1e5]},"config":{"x":[true,null]}}"#;
        for cut in 0..good.len() {
            let _ = parse(&good[..cut]);
            for c in [b'"', b'\\', b'{', b']', b',', b'u', 0x1f, b'9'] {
                let mut changed = good.as_bytes().to_vec();
                changed[cut] = c;
                if let Ok(s) = std::str::from_utf8(&changed) {
                    let _ = parse(s);
                }
            }
        }
    }
}
