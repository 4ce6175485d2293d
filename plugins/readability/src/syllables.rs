//! Syllables and easy words.

use rubric_host_prose::{Automaton, Hyphenation, Known, Language};

static WORDS: Automaton =
    Automaton::new(include_bytes!("../data/words.bin"), "'_0123456789abcdefghijklmnopqrstuvwxyz", &[]);

/// pyphen's patterns.
pub static HYPHENATION: Hyphenation = Hyphenation {
    patterns: Automaton::new(
        include_bytes!("../data/hyphens.bin"),
        ".abcdefghijklmnopqrstuvwxyz'",
        &[
            ('’', 29),
            ('é', 30),
            ('\u{fb01}', 31),
            ('\u{fb02}', 32),
            ('\u{fb00}', 33),
            ('\u{fb03}', 34),
            ('\u{fb04}', 35),
        ],
    ),
    points: include_bytes!("../data/hyphen_points.bin"),
};

/// The bit of a word that is on the list of easy ones; below it the syllables.
const EASY: usize = 16;

/// US English.
pub struct English;

impl Language for English {
    /// CMUdict's first pronunciation, else one more than the hyphenation points.
    fn look_up(word: &str) -> Known {
        match WORDS.get(word) {
            Some(value) => Known { syllables: value & (EASY - 1), easy: value & EASY != 0 },
            None => Known { syllables: HYPHENATION.count(word) + 1, easy: false },
        }
    }
}
