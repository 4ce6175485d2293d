//! Raw figures, Halstead's volume and the maintainability index as radon 6.0.1 computes them.

use crate::tokenize::{Kind, Tokenizer};
use rubric_host_sdk::Object;
use rubric_host_text::strip;
use rubric_host_tree::{Id, Tree, ROOT};
use std::collections::HashSet;

/// radon's counts of lines.
#[derive(Debug, Default, PartialEq)]
pub struct Raw {
    pub logical: usize,
    pub source: usize,
    pub comments: usize,
    pub multi: usize,
    pub blank: usize,
    pub single_comments: usize,
}

/// The counts; `None`: radon cannot tokenize the code.
pub fn raw(text: &str) -> Option<Raw> {
    let mut raw = Raw::default();
    // The lines of a statement, or one that is blank or a comment, and its tokens.
    let mut lines: Vec<&str> = Vec::new();
    let mut found: Vec<(Kind, usize, usize)> = Vec::new();
    let mut tokens = Tokenizer::new(|t| found.push((t.kind, t.start.0, t.end.0)));
    let mut complete = true;
    let mut chunks: Vec<Vec<&str>> = Vec::new();
    for line in split_lines(text) {
        let line = strip(line);
        lines.push(line);
        if !tokens.read(&format!("{line}\n")) {
            return None;
        }
        complete = tokens.is_complete();
        if complete {
            chunks.push(std::mem::take(&mut lines));
        }
    }
    if !complete || found.iter().any(|t| t.0 == Kind::Error) {
        return None;
    }
    // Tokens belong to the chunk in whose lines they begin.
    let (mut token, mut last_line) = (0, 0);
    for lines in chunks {
        last_line += lines.len();
        let end = token + found[token..].iter().take_while(|t| t.1 <= last_line).count();
        raw.add(&lines, &found[token..end]);
        token = end;
    }
    Some(raw)
}

impl Raw {
    fn add(&mut self, lines: &[&str], tokens: &[(Kind, usize, usize)]) {
        self.comments += tokens.iter().filter(|t| t.0 == Kind::Comment).count();
        let only = |kind| tokens.first().is_some_and(|t| t.0 == kind) && tokens[1..].iter().all(|t| matches!(t.0, Kind::Newline | Kind::Blank));
        let blank = lines.iter().filter(|l| l.is_empty()).count();
        if only(Kind::Comment) || only(Kind::String) && tokens[0].1 == tokens[0].2 {
            self.single_comments += 1;
        } else if only(Kind::String) {
            self.multi += lines.len() - blank;
            self.blank += blank;
        } else {
            self.source += lines.len() - blank;
            self.blank += blank;
        }
        let mut parts = tokens.split(|t| t.0 == Kind::Semicolon).peekable();
        while let Some(part) = parts.next() {
            let kinds: Vec<Kind> = part.iter().map(|t| t.0).filter(|k| !matches!(k, Kind::Comment | Kind::Blank | Kind::Newline)).collect();
            // The last part also has the end of the text as a token. A colon is the last but
            // one there, and wherever else one token follows it.
            let length = kinds.len() + usize::from(parts.peek().is_none());
            self.logical += match kinds.iter().rposition(|k| *k == Kind::Colon) {
                Some(colon) => 2 - usize::from(colon + 2 == length),
                None => usize::from(!kinds.is_empty()),
            };
        }
    }

    pub fn lines(&self) -> usize {
        self.source + self.blank + self.multi + self.single_comments
    }

    pub fn object(&self) -> Object {
        let mut o = Object::new();
        o.int("loc", self.lines() as u64).int("lloc", self.logical as u64).int("sloc", self.source as u64).int("comments", self.comments as u64);
        o.int("multi", self.multi as u64).int("blank", self.blank as u64).int("single_comments", self.single_comments as u64);
        o
    }
}

/// Python's `str.splitlines()`.
pub fn split_lines(text: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if !matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}') {
            continue;
        }
        list.push(&text[start..at]);
        if c == '\r' && chars.peek().is_some_and(|n| n.1 == '\n') {
            chars.next();
        }
        start = chars.peek().map_or(text.len(), |n| n.0);
    }
    if start < text.len() {
        list.push(&text[start..]);
    }
    list
}

/// The maintainability index, 0 to 100.
pub fn maintainability(tree: &Tree, raw: &Raw, complexity: u64) -> f64 {
    let volume = volume(tree);
    if volume <= 0.0 || raw.logical == 0 {
        return 100.0;
    }
    let remarks = (raw.comments + raw.multi) as f64;
    let percent = if raw.source == 0 { 0.0 } else { remarks / raw.source as f64 * 100.0 };
    let index = 171.0 - 5.2 * volume.ln() - 0.23 * complexity as f64 - 16.2 * (raw.logical as f64).ln() + 50.0 * (2.46 * percent.to_radians()).sqrt().sin();
    (index * 100.0 / 171.0).clamp(0.0, 100.0)
}

/// An operand, as far as it is equal to others of the same function.
#[derive(PartialEq, Eq, Hash)]
enum Operand<'t> {
    /// A name, an attribute or a string: for radon one and the same.
    Text(String),
    Bytes(String),
    /// A number that is an integer: 1, 1.0 and True are equal.
    Integer(String),
    Float(u64),
    Word(&'t str),
    Node(Id),
}

/// Halstead's volume of a file. Functions count with their bodies alone, without decorators,
/// parameters and annotations.
fn volume(tree: &Tree) -> f64 {
    let mut operators: HashSet<&str> = HashSet::new();
    let mut operands: HashSet<(&str, Operand)> = HashSet::new();
    let (mut operator_count, mut operand_count) = (0usize, 0usize);
    // The functions around, with the ends of their bodies.
    let mut around: Vec<(Id, &str)> = Vec::new();
    let mut id = ROOT;
    while id < tree.nodes.len() {
        while around.last().is_some_and(|a| a.0 <= id) {
            around.pop();
        }
        let n = tree.node(id);
        let mut seen: Vec<Id> = Vec::new();
        match n.kind {
            "decorated_definition" => {
                if let Some(f) = tree.field(id, "definition").filter(|&d| tree.kind(d) == "function_definition") {
                    id = f;
                    continue;
                }
            }
            "function_definition" => {
                let name = tree.field_text(id, "name");
                match tree.field(id, "body") {
                    Some(body) => {
                        around.push((tree.node(body).last, name));
                        id = body;
                    }
                    None => id = n.last,
                }
                continue;
            }
            "binary_operator" | "augmented_assignment" => {
                operator_count += 1;
                operators.extend(tree.field(id, "operator").map(|o| binary(tree.kind(o))));
                seen.extend(tree.field(id, "left").into_iter().chain(tree.field(id, "right")));
            }
            // In an annotation, the grammar's name for the operator |.
            "union_type" => {
                operator_count += 1;
                operators.insert("|");
                seen.extend(tree.elements(id));
            }
            "unary_operator" => {
                operator_count += 1;
                operators.extend(tree.field(id, "operator").map(|o| match tree.kind(o) {
                    "-" => "USub",
                    "+" => "UAdd",
                    other => other,
                }));
                seen.extend(tree.field(id, "argument"));
            }
            "not_operator" => {
                operator_count += 1;
                operators.insert("Not");
                seen.extend(tree.field(id, "argument"));
            }
            "boolean_operator" if !continues(tree, id) => {
                operator_count += 1;
                operators.extend(tree.field(id, "operator").map(|o| tree.kind(o)));
                let mut at = id;
                loop {
                    seen.extend(tree.field(at, "right"));
                    match tree.field(at, "left") {
                        Some(left) if continues(tree, left) => at = left,
                        left => break seen.extend(left),
                    }
                }
            }
            "comparison_operator" => {
                for c in tree.children(id).filter(|&c| !tree.node(c).is_trivia()) {
                    if tree.node(c).named {
                        seen.push(c);
                    } else {
                        operator_count += 1;
                        operators.insert(tree.kind(c));
                    }
                }
            }
            _ => {}
        }
        operand_count += seen.len();
        let context = around.last().map_or("", |a| a.1);
        operands.extend(seen.into_iter().map(|o| (context, operand(tree, o))));
        id += 1;
    }
    let vocabulary = operators.len() + operands.len();
    if vocabulary == 0 {
        return 0.0;
    }
    (operator_count + operand_count) as f64 * (vocabulary as f64).log2()
}

/// Whether a node is the left part of a chain of the same logical operator.
fn continues(tree: &Tree, id: Id) -> bool {
    let n = tree.node(id);
    let operator = |id| tree.field(id, "operator").map(|o| tree.kind(o));
    n.kind == "boolean_operator" && tree.kind(n.parent) == "boolean_operator" && n.field == "left" && operator(id) == operator(n.parent)
}

/// An operator without the `=` of an augmented assignment.
fn binary(kind: &'static str) -> &'static str {
    kind.strip_suffix('=').unwrap_or(kind)
}

fn operand<'t>(tree: &Tree<'t>, id: Id) -> Operand<'t> {
    let text = tree.text(id);
    match tree.kind(id) {
        "parenthesized_expression" | "type" => {
            let inner = tree.elements(id).next();
            inner.map_or(Operand::Node(id), |i| operand(tree, i))
        }
        "identifier" => Operand::Text(text.into()),
        "member_type" => Operand::Text(text.rsplit('.').next().unwrap_or("").trim().into()),
        "attribute" => Operand::Text(tree.field_text(id, "attribute").into()),
        "integer" => integer(text),
        "float" => float(text).unwrap_or(Operand::Node(id)),
        "true" => Operand::Integer("1".into()),
        "false" => Operand::Integer("0".into()),
        "none" => Operand::Word("None"),
        "ellipsis" => Operand::Word("..."),
        "string" => literal(tree, &[id]).unwrap_or(Operand::Node(id)),
        "concatenated_string" => {
            let parts: Vec<Id> = tree.elements(id).collect();
            literal(tree, &parts).unwrap_or(Operand::Node(id))
        }
        _ => Operand::Node(id),
    }
}

/// The value of an integer literal. Above 128 bits only equal digits are equal.
fn integer<'t>(text: &str) -> Operand<'t> {
    let plain = text.replace('_', "").to_ascii_lowercase();
    if plain.ends_with('j') {
        return imaginary(&plain);
    }
    let (digits, radix) = match plain.get(..2) {
        Some("0x") => (&plain[2..], 16),
        Some("0o") => (&plain[2..], 8),
        Some("0b") => (&plain[2..], 2),
        _ => (&plain[..], 10),
    };
    Operand::Integer(u128::from_str_radix(digits, radix).map_or(plain.clone(), |n| n.to_string()))
}

/// Numbers are one operand if they are equal: 0j is 0.
fn imaginary<'t>(text: &str) -> Operand<'t> {
    let value: f64 = text.trim_end_matches('j').parse().unwrap_or(f64::NAN);
    Operand::Integer(if value == 0.0 { "0".into() } else { format!("{value}j") })
}

fn float<'t>(text: &str) -> Option<Operand<'t>> {
    let plain = text.replace('_', "").to_ascii_lowercase();
    if plain.ends_with('j') {
        return Some(imaginary(&plain));
    }
    let value: f64 = plain.parse().ok()?;
    if value.fract() == 0.0 && value < 1e38 {
        return Some(Operand::Integer((value as u128).to_string()));
    }
    Some(Operand::Float(value.to_bits()))
}

/// The value of string literals next to each other; `None`: one has interpolations.
fn literal<'t>(tree: &Tree, parts: &[Id]) -> Option<Operand<'t>> {
    let mut value = String::new();
    let mut bytes = false;
    for &part in parts {
        let text = tree.text(part);
        let prefix = text.find(['\'', '"'])?;
        let kind = text[..prefix].to_ascii_lowercase();
        if kind.contains('f') {
            return None;
        }
        bytes |= kind.contains('b');
        let quote = if text[prefix..].starts_with("'''") || text[prefix..].starts_with("\"\"\"") { 3 } else { 1 };
        let body = text.get(prefix + quote..text.len().checked_sub(quote)?)?;
        if kind.contains('r') {
            value.push_str(body);
        } else {
            unescape(body, &mut value);
        }
    }
    Some(if bytes { Operand::Bytes(value) } else { Operand::Text(value) })
}

/// Replaces the escapes of a string. Names of characters are kept as they are.
fn unescape(body: &str, out: &mut String) {
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(c) = rest.chars().next() else { break };
        let digits = |radix: u32, most: usize, skip: usize| {
            let len = rest[skip..].chars().take(most).take_while(|c| c.is_digit(radix)).count();
            (u32::from_str_radix(&rest[skip..skip + len], radix).ok().and_then(char::from_u32), skip + len)
        };
        let (value, used) = match c {
            '\n' => (None, 1),
            'n' => (Some('\n'), 1),
            't' => (Some('\t'), 1),
            'r' => (Some('\r'), 1),
            'a' => (Some('\u{7}'), 1),
            'b' => (Some('\u{8}'), 1),
            'f' => (Some('\u{c}'), 1),
            'v' => (Some('\u{b}'), 1),
            '\\' | '\'' | '"' => (Some(c), 1),
            'x' => digits(16, 2, 1),
            'u' => digits(16, 4, 1),
            'U' => digits(16, 8, 1),
            '0'..='7' => digits(8, 3, 0),
            _ => (Some('\\'), 0),
        };
        out.extend(value);
        rest = &rest[used..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_radon_does() {
        let text = "\"\"\"Doc.\n\nmore\"\"\"\nimport os; x = 1\n\n# c\nif x: y = a[1:2]  # d\ns = (1,\n\n     2)\n'one'\n";
        let raw = raw(text).unwrap();
        assert_eq!(raw, Raw { logical: 7, source: 4, comments: 2, multi: 2, blank: 3, single_comments: 2 });
        assert_eq!(super::raw("x = (1,\n"), None);
    }

    #[test]
    fn operands_are_equal_if_their_values_are() {
        assert!(integer("0x10") == integer("1_6") && float("16.0") == Some(integer("16")) && integer("1j") != integer("1"));
        let mut out = String::new();
        unescape("a\\n\\x41\\u00e9\\101\\d\\\nb", &mut out);
        assert_eq!(out, "a\nAéA\\db");
    }
}
