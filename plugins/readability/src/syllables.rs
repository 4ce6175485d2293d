//! Syllables and easy words.

use crate::automaton::Automaton;
use crate::hyphen;
use rubric_host_text::WORD;

static WORDS: Automaton =
    Automaton::new(include_bytes!("../data/words.bin"), "'_0123456789abcdefghijklmnopqrstuvwxyz", &[]);

/// The bit of a word that is on the list of easy ones; below it the syllables.
const EASY: usize = 16;

/// What is known of a word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    pub syllables: usize,
    /// On the list of easy words, inflections not included.
    pub easy: bool,
}

/// Looks up a word in lower case: CMUdict's first pronunciation, else one more
/// than the hyphenation points.
pub fn look_up(word: &str) -> Known {
    match WORDS.get(word) {
        Some(value) => Known { syllables: value & (EASY - 1), easy: value & EASY != 0 },
        None => Known { syllables: hyphen::count(word) + 1, easy: false },
    }
}

/// The syllables that textstat gives a word when it asks whether it is
/// difficult: lower case first, then the punctuation goes, which takes the dot
/// that a dotted capital I leaves.
pub fn of_lowered(word: &str, known: Known) -> usize {
    if word.is_ascii() || word.chars().all(|c| c == '\'' || WORD.has(c)) {
        return known.syllables;
    }
    let word: String = word.chars().filter(|&c| c == '\'' || WORD.has(c)).collect();
    if word.is_empty() {
        0
    } else {
        look_up(&word).syllables
    }
}
