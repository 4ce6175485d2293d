//! From the text of a pattern to a tree.

use rubric_host_sdk::{Error, Result};

/// The longest pattern, in characters, and the deepest nesting.
const MAX_LEN: usize = 4096;
const MAX_DEPTH: usize = 50;

/// The most that a quantifier may ask for.
pub const MAX_REPEAT: u32 = 1000;

#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Flags {
    pub ignore_case: bool,
    pub multi_line: bool,
    pub dot_all: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Word,
    Digit,
    Space,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Range(char, char),
    Kind(Kind, bool), // false: everything else
}

/// A set of characters.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    pub items: Vec<Item>,
    pub negated: bool,
    pub ignore_case: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Assert {
    TextStart,
    TextEnd,
    LineStart,
    LineEnd,
    /// The end, or before the newline that ends the text.
    LastLineEnd,
    Boundary,
    NoBoundary,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Char(char),
    /// Any character; not a newline unless true.
    Any(bool),
    Class(Class),
    Assert(Assert),
    /// A group that captures, with its number from 0.
    Group(usize, Box<Node>),
    Concat(Vec<Node>),
    Either(Vec<Node>),
    Repeat {
        node: Box<Node>,
        least: u32,
        most: Option<u32>,
        greedy: bool,
    },
}

pub fn about(pattern: &str, what: impl std::fmt::Display) -> Error {
    let shown: String = pattern.chars().take(80).collect();
    Error::new(format!("pattern \"{shown}\": {what}"))
}

/// Returns the tree of a pattern and the number of its groups that capture.
pub fn parse(pattern: &str, flags: Flags) -> Result<(Node, usize)> {
    let chars: Vec<char> = pattern.chars().collect();
    if chars.len() > MAX_LEN {
        return Err(about(pattern, format_args!("it has {} characters; {MAX_LEN} is the most", chars.len())));
    }
    let mut parser = Parser { chars, at: 0, flags, depth: 0, groups: 0 };
    let fail = |e: String, at: usize| about(pattern, format_args!("{e}, at character {}", at + 1));
    let node = parser.either().map_err(|e| fail(e, parser.at))?;
    match parser.peek() {
        None => Ok((node, parser.groups)),
        Some(_) => Err(fail("this bracket closes nothing".into(), parser.at)),
    }
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    flags: Flags,
    depth: usize,
    groups: usize,
}

type Parsed<T> = std::result::Result<T, String>;

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn ahead(&self, n: usize) -> Option<char> {
        self.chars.get(self.at + n).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    fn either(&mut self) -> Parsed<Node> {
        let mut arms = vec![self.concat()?];
        while self.eat('|') {
            arms.push(self.concat()?);
        }
        Ok(if arms.len() == 1 { arms.remove(0) } else { Node::Either(arms) })
    }

    fn concat(&mut self) -> Parsed<Node> {
        let mut parts = Vec::new();
        loop {
            self.comments()?;
            if matches!(self.peek(), None | Some('|' | ')')) {
                break;
            }
            if let Some(node) = self.atom()? {
                let node = self.repeat(node)?;
                parts.push(node);
            }
        }
        Ok(Node::Concat(parts))
    }

    /// Steps over comments. A quantifier after one is for what was before it.
    fn comments(&mut self) -> Parsed<()> {
        while self.chars[self.at..].starts_with(&['(', '?', '#']) {
            let length = self.chars[self.at..].iter().position(|&c| c == ')');
            self.at += length.ok_or("a comment is not closed")? + 1;
        }
        Ok(())
    }

    /// One thing that can be repeated; `None` for flags.
    fn atom(&mut self) -> Parsed<Option<Node>> {
        let line = self.flags.multi_line;
        let Some(c) = self.next() else { return Ok(None) };
        Ok(Some(match c {
            '(' => return self.group(),
            '[' => self.class()?,
            '.' => Node::Any(self.flags.dot_all),
            '^' => Node::Assert(if line { Assert::LineStart } else { Assert::TextStart }),
            '$' => Node::Assert(if line { Assert::LineEnd } else { Assert::LastLineEnd }),
            '\\' => self.escape()?,
            '*' | '+' | '?' => return Err("nothing to repeat".into()),
            '{' => {
                self.at -= 1;
                if self.counted()?.is_some() {
                    return Err("nothing to repeat".into());
                }
                self.at += 1;
                self.char('{')
            }
            c => self.char(c),
        }))
    }

    fn char(&self, c: char) -> Node {
        if self.flags.ignore_case {
            return self.set(vec![Item::Range(c, c)], false);
        }
        Node::Char(c)
    }

    fn set(&self, items: Vec<Item>, negated: bool) -> Node {
        Node::Class(Class { items, negated, ignore_case: self.flags.ignore_case })
    }

    fn repeat(&mut self, node: Node) -> Parsed<Node> {
        self.comments()?;
        let Some((least, most)) = self.quantifier()? else { return Ok(node) };
        if matches!(node, Node::Assert(_)) {
            return Err("an assertion cannot be repeated".into());
        }
        let greedy = !self.eat('?');
        if greedy && self.peek() == Some('+') {
            return Err("possessive quantifiers are not supported".into());
        }
        let after = self.at;
        if self.quantifier()?.is_some() {
            self.at = after;
            return Err("a quantifier follows another".into());
        }
        Ok(Node::Repeat { node: Box::new(node), least, most, greedy })
    }

    fn quantifier(&mut self) -> Parsed<Option<(u32, Option<u32>)>> {
        let range = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.counted(),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(range))
    }

    /// `{2}`, `{2,}`, `{,3}`, `{2,3}`; any other brace stands for itself.
    fn counted(&mut self) -> Parsed<Option<(u32, Option<u32>)>> {
        let start = self.at;
        self.at += 1;
        let least = self.number()?;
        let comma = self.eat(',');
        let most = if comma { self.number()? } else { least };
        if !self.eat('}') || (least.is_none() && !comma) {
            self.at = start;
            return Ok(None);
        }
        let least = least.unwrap_or(0);
        if most.is_some_and(|most| most < least) {
            return Err("the least of a repeat is above its most".into());
        }
        Ok(Some((least, most)))
    }

    fn number(&mut self) -> Parsed<Option<u32>> {
        let mut n = None;
        while let Some(d) = self.peek().filter(char::is_ascii_digit) {
            n = Some(n.unwrap_or(0) * 10 + (d as u32 - '0' as u32));
            if n > Some(MAX_REPEAT) {
                return Err(format!("{MAX_REPEAT} repeats are the most"));
            }
            self.at += 1;
        }
        Ok(n)
    }

    fn group(&mut self) -> Parsed<Option<Node>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("groups nest deeper than {MAX_DEPTH}"));
        }
        let outer = self.flags;
        let named = self.chars[self.at..].starts_with(&['?', 'P']);
        let number = (named || self.peek() != Some('?')).then_some(self.groups);
        self.groups += usize::from(number.is_some());
        if self.eat('?') && !self.group_kind()? {
            // Flags: nothing to match, no end to look for.
            self.depth -= 1;
            return Ok(None);
        }
        let node = self.either()?;
        if !self.eat(')') {
            return Err("a group is not closed".into());
        }
        self.flags = outer;
        self.depth -= 1;
        Ok(Some(match number {
            Some(n) => Node::Group(n, Box::new(node)),
            None => node,
        }))
    }

    /// Reads what follows `(?`; true if a pattern follows.
    fn group_kind(&mut self) -> Parsed<bool> {
        match self.next() {
            Some(':') => Ok(true),
            Some('P') => self.named(),
            Some('=' | '!') => Err("look-ahead is not supported".into()),
            Some('<') => Err("look-behind is not supported".into()),
            Some('>') => Err("atomic groups are not supported".into()),
            Some('(') => Err("conditionals are not supported".into()),
            Some(c) => self.inline_flags(c),
            None => Err("a group is not closed".into()),
        }
    }

    fn named(&mut self) -> Parsed<bool> {
        if !self.eat('<') {
            return Err("back-references are not supported".into());
        }
        let start = self.at;
        while self.peek().is_some_and(|c| rubric_host_text::WORD.has(c)) {
            self.at += 1;
        }
        if self.at == start || self.chars[start].is_ascii_digit() || !self.eat('>') {
            return Err("a group's name is missing or malformed".into());
        }
        Ok(true)
    }

    /// `(?i)` at the start of the pattern, `(?i:...)` and `(?-i:...)` anywhere.
    fn inline_flags(&mut self, first: char) -> Parsed<bool> {
        let start = self.at;
        let (mut c, mut on) = (first, true);
        loop {
            match c {
                'i' => self.flags.ignore_case = on,
                'm' => self.flags.multi_line = on,
                's' => self.flags.dot_all = on,
                'u' if on => {}
                '-' if on => on = false,
                'x' => return Err("verbose mode is not supported".into()),
                'a' | 'L' => return Err("the flags a and L are not supported".into()),
                ':' => return Ok(true),
                ')' if on && start == 3 => return Ok(false),
                ')' => return Err("flags for the whole pattern belong at its start".into()),
                _ => return Err("an unknown kind of group".into()),
            }
            c = self.next().ok_or("a group is not closed")?;
        }
    }

    fn escape(&mut self) -> Parsed<Node> {
        let Some(c) = self.next() else { return Err("it ends in a backslash".into()) };
        if let Some(item) = kind(c) {
            return Ok(Node::Class(Class { items: vec![item], negated: false, ignore_case: false }));
        }
        Ok(match c {
            'b' => Node::Assert(Assert::Boundary),
            'B' => Node::Assert(Assert::NoBoundary),
            'A' => Node::Assert(Assert::TextStart),
            'Z' => Node::Assert(Assert::TextEnd),
            '1'..='9' => return Err("back-references are not supported".into()),
            _ => {
                let c = self.escaped_char(c)?;
                self.char(c)
            }
        })
    }

    fn escaped_char(&mut self, c: char) -> Parsed<char> {
        Ok(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\x0c',
            'v' => '\x0b',
            'a' => '\x07',
            '0' => self.octal(),
            'x' => self.hex(2)?,
            'u' => self.hex(4)?,
            'U' => self.hex(8)?,
            c if c.is_ascii_alphanumeric() => return Err(format!("an unknown escape, \\{c}")),
            c => c,
        })
    }

    fn octal(&mut self) -> char {
        let mut n = 0;
        for _ in 0..2 {
            match self.peek().and_then(|c| c.to_digit(8)) {
                Some(d) => n = n * 8 + d,
                None => break,
            }
            self.at += 1;
        }
        char::from_u32(n).unwrap_or('\0')
    }

    fn hex(&mut self, digits: usize) -> Parsed<char> {
        let mut n: u32 = 0;
        for _ in 0..digits {
            let d = self.next().and_then(|c| c.to_digit(16));
            n = (n << 4) | d.ok_or_else(|| format!("an escape needs {digits} hex digits"))?;
        }
        char::from_u32(n).ok_or_else(|| "an escape is not a character".into())
    }

    fn class(&mut self) -> Parsed<Node> {
        let negated = self.eat('^');
        let mut items = Vec::new();
        let mut first = true;
        loop {
            let c = self.next().ok_or("a set is not closed")?;
            if c == ']' && !first {
                return Ok(self.set(items, negated));
            }
            first = false;
            let low = self.class_item(c)?;
            if self.peek() == Some('-') && self.ahead(1).is_some_and(|c| c != ']') {
                self.at += 1;
                let c = self.next().ok_or("a set is not closed")?;
                let high = self.class_item(c)?;
                match (low, high) {
                    (Item::Range(a, _), Item::Range(b, _)) if a <= b => items.push(Item::Range(a, b)),
                    _ => return Err("a range of a set is upside down, or ends in a class".into()),
                }
            } else {
                items.push(low);
            }
        }
    }

    fn class_item(&mut self, c: char) -> Parsed<Item> {
        if c != '\\' {
            return Ok(Item::Range(c, c));
        }
        let c = self.next().ok_or("it ends in a backslash")?;
        if let Some(item) = kind(c) {
            return Ok(item);
        }
        let c = if c == 'b' { '\x08' } else { self.escaped_char(c)? };
        Ok(Item::Range(c, c))
    }
}

fn kind(c: char) -> Option<Item> {
    let kind = match c.to_ascii_lowercase() {
        'w' => Kind::Word,
        'd' => Kind::Digit,
        's' => Kind::Space,
        _ => return None,
    };
    Some(Item::Kind(kind, c.is_ascii_lowercase()))
}
