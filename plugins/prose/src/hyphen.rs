//! Hyphenation by patterns (Liang 1983), with pyphen's margins: two letters at
//! each end of a word.

use crate::automaton::Automaton;

/// The patterns of a language, as tables.py writes them.
pub struct Hyphenation {
    /// Each pattern without its digits; its value is where in `points` they are.
    pub patterns: Automaton,
    /// Where in a pattern its digits begin, how many there are, and the digits.
    pub points: &'static [u8],
}

impl Hyphenation {
    /// How many points a word in lower case can be hyphenated at.
    pub fn count(&self, word: &str) -> usize {
        let mut n = 0;
        self.each(word, |_| n += 1);
        n
    }

    /// Calls `see` with each point: how many letters come before the hyphen.
    pub fn each(&self, word: &str, mut see: impl FnMut(usize)) {
        if word.len() < 4 {
            return;
        }
        // The labels of the letters between dots, and the digit before each, from the first dot on.
        let (mut short, mut long) = ([(0u8, 0u8); SHORT], Vec::new());
        let length = word.chars().count();
        let marks = match short.get_mut(..length + 2) {
            Some(marks) => marks,
            None => {
                long.resize(length + 2, (0, 0));
                &mut long[..]
            }
        };
        let dot = self.patterns.label('.');
        (marks[0].0, marks[length + 1].0) = (dot, dot);
        for (mark, c) in marks[1..].iter_mut().zip(word.chars()) {
            mark.0 = self.patterns.label(c);
        }
        if length < 4 {
            return;
        }
        for start in 0..=length {
            let rest = &mut marks[start..];
            if let Some(at) = self.patterns.single(rest[0].0) {
                raise(rest, self.points, at);
            }
            let Some(mut node) = self.patterns.pair(rest[0].0, rest[1].0) else { continue };
            let mut next = 2;
            loop {
                if let Some(at) = self.patterns.value(node) {
                    raise(rest, self.points, at);
                }
                match rest.get(next).and_then(|mark| self.patterns.next(node, mark.0)) {
                    Some(to) => (node, next) = (to, next + 1),
                    None => break,
                }
            }
        }
        for (at, mark) in marks.iter().enumerate().take(length).skip(3) {
            if mark.1 % 2 == 1 {
                see(at - 1);
            }
        }
    }
}

/// The letters and dots of words that need no memory of their own.
const SHORT: usize = 32;

/// Raises digits to those of a pattern. One behind the last dot counts for nothing.
fn raise(marks: &mut [(u8, u8)], points: &[u8], at: usize) {
    let Some(&[begin, count]) = points.get(at..at + 2) else { return };
    let values = points.get(at + 2..at + 2 + usize::from(count)).unwrap_or(&[]);
    for (mark, &value) in marks.iter_mut().skip(usize::from(begin)).zip(values) {
        if mark.1 < value {
            mark.1 = value;
        }
    }
}
