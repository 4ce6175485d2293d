//! Hyphenation by patterns (Liang 1983), with pyphen's margins: two letters at
//! each end of a word.

use crate::automaton::Automaton;

static PATTERNS: Automaton = Automaton::new(
    include_bytes!("../data/hyphens.bin"),
    ".abcdefghijklmnopqrstuvwxyz'",
    &[('’', 29), ('é', 30), ('\u{fb01}', 31), ('\u{fb02}', 32), ('\u{fb00}', 33), ('\u{fb03}', 34), ('\u{fb04}', 35)],
);

/// Where in a pattern its digits begin, how many there are, and the digits.
static POINTS: &[u8] = include_bytes!("../data/hyphen_points.bin");

/// How many points a word in lower case can be hyphenated at.
pub fn count(word: &str) -> usize {
    let mut n = 0;
    each(word, |_| n += 1);
    n
}

/// Calls `see` with each point: how many letters come before the hyphen.
pub fn each(word: &str, mut see: impl FnMut(usize)) {
    if word.len() < 4 {
        return;
    }
    let dot = PATTERNS.label('.');
    let mut letters = Vec::with_capacity(word.len() + 2);
    letters.push(dot);
    letters.extend(word.chars().map(|c| PATTERNS.label(c)));
    letters.push(dot);
    let length = letters.len() - 2;
    if length < 4 {
        return;
    }
    // The digit between the letters, from before the first dot on.
    let mut digits = vec![0u8; letters.len() + 1];
    for start in 0..letters.len() - 1 {
        let Some(mut node) = PATTERNS.first(letters[start]) else { continue };
        let mut rest = letters[start + 1..].iter();
        loop {
            if let Some(at) = PATTERNS.value(node) {
                raise(&mut digits[start..], at);
            }
            match rest.next().and_then(|&letter| PATTERNS.next(node, letter)) {
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

/// Raises digits to those of a pattern.
fn raise(digits: &mut [u8], at: usize) {
    let (Some(&begin), Some(&count)) = (POINTS.get(at), POINTS.get(at + 1)) else { return };
    let values = POINTS.get(at + 2..).unwrap_or(&[]).iter().take(usize::from(count));
    for (digit, &value) in digits.iter_mut().skip(usize::from(begin)).zip(values) {
        *digit = value.max(*digit);
    }
}
