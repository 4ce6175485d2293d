//! Syllables of French words.

use rubric_host_prose::{Automaton, Hyphenation, Known, Language};

static HYPHENATION: Hyphenation = Hyphenation {
    patterns: Automaton::new(
        include_bytes!("../data/hyphens.bin"),
        ".abcdefghijklmnopqrstuvwxyz'",
        &[
            ('à', 29),
            ('â', 30),
            ('ç', 31),
            ('è', 32),
            ('é', 33),
            ('ê', 34),
            ('î', 35),
            ('ï', 36),
            ('ô', 37),
            ('û', 38),
            ('œ', 39),
        ],
    ),
    points: include_bytes!("../data/hyphen_points.bin"),
};

/// French.
pub struct French;

impl Language for French {
    /// One more than the hyphenation points, as in textstat.
    fn look_up(word: &str) -> Known {
        Known { syllables: HYPHENATION.count(word) + 1, easy: false }
    }
}
