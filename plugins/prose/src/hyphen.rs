//! Hyphenation by patterns (Liang 1983), with pyphen's margins: two letters at
//! each end of a word.

use crate::automaton::{Automaton, ROOT};

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
        let mut labels = vec![self.patterns.label('.'); word.len() + 2];
        let mut length = 0;
        for c in word.chars() {
            length += 1;
            labels[length] = self.patterns.label(c);
        }
        let mut digits = vec![0; length + 2];
        for start in 0..=length {
            let mut node = ROOT;
            for &label in &labels[start..length + 2] {
                let Some(to) = self.patterns.next(node, label) else { break };
                node = to;
                if let Some(at) = self.patterns.value(node) {
                    raise(&mut digits[start..], self.points, at);
                }
            }
        }
        for (at, digit) in digits.iter().enumerate().take(length).skip(3) {
            if digit % 2 == 1 {
                see(at - 1);
            }
        }
    }
}

/// Raises digits to those of a pattern. One behind the last dot counts for nothing.
fn raise(digits: &mut [u8], points: &[u8], at: usize) {
    let Some(&[begin, count]) = points.get(at..at + 2) else { return };
    let values = points.get(at + 2..at + 2 + usize::from(count)).unwrap_or_default();
    let digits = digits.get_mut(usize::from(begin)..).unwrap_or_default();
    for (digit, value) in digits.iter_mut().zip(values) {
        *digit = (*digit).max(*value);
    }
}
