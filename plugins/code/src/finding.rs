//! Findings: what is wrong, and where.

use crate::source::Code;
use rubric_host_sdk::{Answer, Evidence};
use rubric_host_tree::{Id, Tree};

/// One finding. Positions are bytes of the code.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub rule: &'static str,
    pub message: String,
    pub start: usize,
    pub end: usize,
}

/// The findings of a call.
#[derive(Debug, Default)]
pub struct Findings {
    /// Sorted by [`Findings::sort`] alone.
    pub list: Vec<Finding>,
    /// Why the rules cannot tell whether the code is valid.
    pub undecided: Option<String>,
}

/// How many findings an answer lists. A thousand entries are allowed, and 64 KiB of text.
const LISTED: usize = 100;

/// Longest message; longer ones are cut.
const MESSAGE: usize = 300;

impl Findings {
    /// Adds a finding.
    pub fn add(&mut self, rule: &'static str, start: usize, end: usize, message: impl Into<String>) {
        self.push(rule, start, end, message.into());
    }

    fn push(&mut self, rule: &'static str, start: usize, end: usize, mut message: String) {
        if message.len() > MESSAGE {
            let mut cut = MESSAGE;
            while !message.is_char_boundary(cut) {
                cut -= 1;
            }
            message.truncate(cut);
            message.push_str("...");
        }
        self.list.push(Finding { rule, message, start, end });
    }

    /// Adds a finding about a node, if there is one.
    pub fn at(&mut self, tree: &Tree, id: impl Into<Option<Id>>, rule: &'static str, message: impl Into<String>) {
        if let Some(n) = id.into().map(|id| tree.node(id)) {
            self.add(rule, n.start, n.end, message);
        }
    }

    /// Sorts by place. Of several findings of one place, the first added comes first.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|f| f.start);
    }
}

/// A place in a text: line and column from 1, in code points; and the offset in code points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
    pub offset: usize,
}

/// Finds places in one pass: each byte position must not be before the last one.
pub struct Places<'a> {
    text: &'a [u8],
    at: usize,
    place: Place,
}

impl<'a> Places<'a> {
    pub fn new(text: &'a str) -> Self {
        Places { text: text.as_bytes(), at: 0, place: Place { line: 1, column: 1, offset: 0 } }
    }

    /// The place of a byte. Lines end with \n, \r\n or \r.
    pub fn of(&mut self, byte: usize) -> Place {
        let end = byte.min(self.text.len());
        while self.at < end {
            let c = self.text[self.at];
            self.at += 1;
            if c & 0xc0 == 0x80 {
                continue;
            }
            self.place.offset += 1;
            self.place.column += 1;
            if c == b'\n' || c == b'\r' && self.text.get(self.at) != Some(&b'\n') {
                self.place.line += 1;
                self.place.column = 1;
            }
        }
        self.place
    }
}

/// Adds findings to an answer as evidence: "line:column: rule: message". They must be sorted.
pub fn report(mut answer: Answer, output: &str, code: &Code, findings: &Findings) -> Answer {
    let mut starts = Places::new(output);
    for f in findings.list.iter().take(LISTED) {
        let start = starts.of(code.place(f.start));
        let mut ends = Places { text: starts.text, at: starts.at, place: start };
        let end = ends.of(code.place(f.end)).offset;
        answer = answer.evidence(Evidence {
            field: "output".into(),
            start: start.offset,
            end: end.max(start.offset),
            text: format!("{}:{}: {}: {}", start.line, start.column, f.rule, f.message),
        });
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_code_points_and_every_kind_of_line_end() {
        let mut p = Places::new("a\r\nü\rb\n\nc");
        let at = |line, column, offset| Place { line, column, offset };
        assert_eq!(p.of(0), at(1, 1, 0));
        assert_eq!(p.of(3), at(2, 1, 3));
        assert_eq!(p.of(5), at(2, 2, 4));
        assert_eq!(p.of(6), at(3, 1, 5));
        assert_eq!(p.of(9), at(5, 1, 8));
        assert_eq!(p.of(99), at(5, 2, 9));
    }
}
