//! Reads tests that only assert what calls with literals answer, as most of HumanEval and MBPP do:
//!
//! ```python
//! assert f([1, 2], 'a') == (3, True), "a message"
//! ```
//!
//! What has another form, or may mean something else to Python, is not read.

use crate::value::{self, Value};
use std::borrow::Cow;

const MOST_NESTED: usize = 50;
const WATCHED: &str = "builtins compile eval exec globals locals vars f_globals f_locals CodeType FunctionType ForwardRef get_type_hints register config importlib.abc importlib.machinery importlib.util logging.config format format_map";

/// An assertion.
#[derive(Debug)]
pub struct Assertion<'a> {
    /// Of the call; `None`: it is `assert True`.
    pub args: Option<Vec<Value<'a>>>,
    pub expected: Value<'a>,
    /// It compares; else the answer is expected to be true or false.
    pub compares: bool,
    pub message: Option<&'a str>,
    /// From 0.
    pub line: usize,
    /// What is written behind `assert`, without comment.
    pub written: &'a str,
}

/// The assertions of a text.
#[derive(Debug)]
pub struct Asserted<'a> {
    pub name: &'a str,
    pub found: Vec<Assertion<'a>>,
}

/// Reads a text, or one with the function `check(candidate)`.
pub fn read<'a>(text: &'a str, is_check: bool) -> Option<Asserted<'a>> {
    if !text.bytes().all(|c| c == b'\n' || (32..127).contains(&c) && c != b'\\') {
        return None;
    }
    let mut r = Reader { text: text.as_bytes(), all: text, at: 0, name: "" };
    let (mut lines, mut indent) = (0, 0);
    if is_check {
        let (head, rest) = if let Some(rest) = text.strip_prefix("def check(") { ("", rest) } else { text.split_once("\ndef check(")? };
        if !metadata(head) {
            return None;
        }
        let (name, body) = rest.split_once("):\n")?;
        r.name = name;
        r.at = text.len() - body.len();
        lines = text[..r.at].bytes().filter(|c| *c == b'\n').count();
        indent = 1;
    }
    let mut found = Vec::new();
    let (mut rest, mut width) = (&text[r.at..], None);
    loop {
        let (line, more) = rest.split_once('\n').map_or((rest, None), |(a, b)| (a, Some(b)));
        let body = line.trim_start_matches(' ');
        if !body.is_empty() && !body.starts_with('#') {
            let spaces = line.len() - body.len();
            if *width.get_or_insert(spaces) != spaces || (spaces > 0) != (indent > 0) {
                return None;
            }
            r.at = text.len() - rest.len() + spaces;
            found.push(r.assertion(lines)?);
        }
        lines += 1;
        match more {
            Some(more) => rest = more,
            None => break,
        }
    }
    if found.iter().all(|a| a.args.is_none()) {
        return None;
    }
    Some(Asserted { name: r.name.trim_end_matches(' '), found })
}

/// Whether a text is nothing, or what `HumanEval` has before `check`.
fn metadata(text: &str) -> bool {
    let rest = text.trim_matches([' ', '\n']);
    let Some(rest) = rest.strip_prefix("METADATA = {").and_then(|r| r.strip_suffix('}')) else { return rest.is_empty() };
    let mut rest = rest.trim_start_matches([' ', '\n']);
    while !rest.is_empty() {
        let Some(value) = quoted(rest).and_then(|more| more.strip_prefix(": ")).and_then(quoted) else { return false };
        let more = value.strip_prefix(',');
        rest = more.unwrap_or(value).trim_start_matches([' ', '\n']);
        if more.is_none() && !rest.is_empty() {
            return false;
        }
    }
    true
}

/// What follows a quoted text of one line.
fn quoted(text: &str) -> Option<&str> {
    text.strip_prefix('\'')?.split_once('\'').filter(|(s, _)| !s.contains('\n')).map(|(_, rest)| rest)
}

struct Reader<'a> {
    text: &'a [u8],
    all: &'a str,
    at: usize,
    name: &'a str,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(b'\n')
    }

    fn space(&mut self) {
        while self.peek() == b' ' {
            self.at += 1;
        }
    }

    fn takes(&mut self, text: &str) -> bool {
        let has = self.text[self.at.min(self.text.len())..].starts_with(text.as_bytes());
        self.at += if has { text.len() } else { 0 };
        has
    }

    fn assertion(&mut self, line: usize) -> Option<Assertion<'a>> {
        if !self.takes("assert ") {
            return None;
        }
        let start = self.at;
        let (mut args, mut expected, mut compares) = (None, Value::Bool(true), false);
        if self.takes("True") {
            if self.name.is_empty() {
                return None;
            }
        } else {
            let negated = self.takes("not ");
            if self.name.is_empty() {
                let end = self.all[self.at..].find(['(', '\n'])?;
                self.name = self.all[self.at..self.at + end].trim_end_matches(' ');
            }
            let name = self.name;
            if name.is_empty() || !self.takes(name) {
                return None;
            }
            self.space();
            if !self.takes("(") {
                return None;
            }
            args = Some(self.items(b')', 1)?.0);
            self.space();
            if negated {
                expected = Value::Bool(false);
            } else if self.takes("==") {
                compares = true;
                expected = self.value(0)?;
            }
        }
        self.space();
        let mut message = None;
        if self.takes(",") {
            self.space();
            message = Some(self.string()?);
            self.space();
        }
        let end = self.at;
        let written = self.all[start..end].trim_matches(' ');
        matches!(self.peek(), b'\n' | b'#').then_some(Assertion { args, expected, compares, message, line, written })
    }

    /// The values up to a closing bracket, and whether a comma precedes that.
    fn items(&mut self, close: u8, depth: usize) -> Option<(Vec<Value<'a>>, bool)> {
        if depth > MOST_NESTED {
            return None;
        }
        let (mut items, mut comma) = (Vec::new(), false);
        loop {
            self.space();
            if self.peek() == close {
                self.at += 1;
                return Some((items, comma));
            }
            if !items.is_empty() && !comma {
                return None;
            }
            items.push(self.value(depth)?);
            self.space();
            comma = self.takes(",");
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value<'a>> {
        self.space();
        match self.peek() {
            b'"' | b'\'' => self.string().map(|s| Value::Text(Cow::Borrowed(s))),
            b'[' => {
                self.at += 1;
                self.items(b']', depth + 1).map(|(items, _)| Value::List(items))
            }
            b'(' => {
                self.at += 1;
                let (mut items, comma) = self.items(b')', depth + 1)?;
                if items.len() == 1 && !comma {
                    return items.pop();
                }
                Some(Value::Tuple(items))
            }
            b'{' => {
                self.at += 1;
                self.dict(depth + 1)
            }
            b'-' | b'0'..=b'9' => self.number(),
            b'T' => self.takes("True").then_some(Value::Bool(true)),
            b'F' => self.takes("False").then_some(Value::Bool(false)),
            b'N' => self.takes("None").then_some(Value::None),
            _ => None,
        }
    }

    fn dict(&mut self, depth: usize) -> Option<Value<'a>> {
        if depth > MOST_NESTED {
            return None;
        }
        let mut items: Vec<Value> = Vec::new();
        self.space();
        while self.peek() != b'}' {
            if !items.is_empty() {
                if !self.takes(",") {
                    return None;
                }
                self.space();
            }
            items.push(self.value(depth)?);
            self.space();
            if !self.takes(":") {
                return None;
            }
            items.push(self.value(depth)?);
            self.space();
        }
        self.at += 1;
        value::pairs(&items).then_some(Value::Dict(items))
    }

    fn string(&mut self) -> Option<&'a str> {
        let quote = self.peek();
        if quote != b'"' && quote != b'\'' {
            return None;
        }
        let start = self.at + 1;
        let len = self.text[start..].iter().position(|c| *c == quote || *c == b'\n')?;
        self.at = start + len + 1;
        let s = &self.all[start..start + len];
        // Python would put two strings beside each other together, and ''' begins a longer one.
        let ends = self.text[start + len] == quote && !matches!(self.peek(), b'"' | b'\'');
        // The judge in Python watches tests with such words, and loads the candidate in another way.
        let watched = s.contains("__") || WATCHED.split(' ').any(|word| s == word);
        (ends && !watched).then_some(s)
    }

    fn number(&mut self) -> Option<Value<'a>> {
        let start = self.at;
        self.at += usize::from(self.peek() == b'-');
        let digits = self.digits();
        if digits == 0 || digits > 1 && self.text[self.at - digits] == b'0' {
            return None;
        }
        if self.takes(".") && self.digits() == 0 {
            return None;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), b'+' | b'-'));
            if self.digits() == 0 {
                return None;
            }
        }
        if matches!(self.peek(), b'_' | b'.' | b'a'..=b'z' | b'A'..=b'Z') {
            return None;
        }
        Value::number(&self.all[start..self.at])
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        self.at - start
    }
}
