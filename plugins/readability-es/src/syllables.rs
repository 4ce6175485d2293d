//! Syllables of Spanish words.

use rubric_host_prose::{Automaton, Hyphenation, Known, Language};

static HYPHENATION: Hyphenation = Hyphenation {
    patterns: Automaton::new(
        include_bytes!("../data/hyphens.bin"),
        ".abcdefghijklmnopqrstuvwxyz'",
        &[('á', 29), ('é', 30), ('í', 31), ('ñ', 32), ('ó', 33), ('ú', 34)],
    ),
    points: include_bytes!("../data/hyphen_points.bin"),
};

/// Spanish.
pub struct Spanish;

impl Language for Spanish {
    /// One more than the hyphenation points, as in textstat.
    fn look_up(word: &str) -> Known {
        Known { syllables: HYPHENATION.count(word) + 1, easy: false }
    }
}
