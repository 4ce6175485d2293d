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
        let dot = self.patterns.label('.');
        let mut letters = Vec::with_capacity(word.len() + 2);
        letters.push(dot);
        letters.extend(word.chars().map(|c| self.patterns.label(c)));
        letters.push(dot);
        let length = letters.len() - 2;
        if length < 4 {
            return;
        }
        // The digit between the letters, from before the first dot on.
        let mut digits = vec![0u8; letters.len() + 1];
        for start in 0..letters.len() - 1 {
            if let Some(at) = self.patterns.single(letters[start]) {
                raise(&mut digits[start..], self.points, at);
            }
            let Some(mut node) = self.patterns.pair(letters[start], letters[start + 1]) else { continue };
            let mut rest = letters[start + 2..].iter();
            loop {
                if let Some(at) = self.patterns.value(node) {
                    raise(&mut digits[start..], self.points, at);
                }
                match rest.next().and_then(|&letter| self.patterns.next(node, letter)) {
                    Some(next) => node = next,
                    None => break,
                }
            }
        }
        for (at, digit) in digits.iter().enumerate().skip(3).take(length - 3) {
            if digit % 2 == 1 {
                see(at - 1);
            }
        }
    }
}

/// Raises digits to those of a pattern.
fn raise(digits: &mut [u8], points: &[u8], at: usize) {
    let (Some(&begin), Some(&count)) = (points.get(at), points.get(at + 1)) else { return };
    let values = points.get(at + 2..).unwrap_or(&[]).iter().take(usize::from(count));
    for (digit, &value) in digits.iter_mut().skip(usize::from(begin)).zip(values) {
        *digit = value.max(*digit);
    }
}
