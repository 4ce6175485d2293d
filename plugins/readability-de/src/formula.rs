//! Formulas for German. What would divide by nothing is 0.

use crate::syllables::German;
use rubric_host_prose::{Index, Unit};

type Text<'t> = rubric_host_prose::Text<'t, German>;

/// Every index; the first is the default.
pub const INDICES: [Index<German>; 7] = [
    Index("flesch_reading_ease", Unit::Ease, flesch_reading_ease),
    Index("wiener_sachtextformel_1", Unit::Grade, |text| {
        let s = Shares::of(text);
        0.1935 * s.many + 0.1672 * s.length + 0.1297 * s.long - 0.0327 * s.one - 0.875
    }),
    Index("wiener_sachtextformel_2", Unit::Grade, |text| {
        let s = Shares::of(text);
        0.2007 * s.many + 0.1682 * s.length + 0.1373 * s.long - 2.779
    }),
    Index("wiener_sachtextformel_3", Unit::Grade, |text| {
        let s = Shares::of(text);
        0.2963 * s.many + 0.1905 * s.length - 1.1144
    }),
    Index("wiener_sachtextformel_4", Unit::Grade, |text| {
        let s = Shares::of(text);
        0.2744 * s.many + 0.2656 * s.length - 1.693
    }),
    Index("lix", Unit::Other, |text| text.lix()),
    Index("rix", Unit::Other, |text| text.rix()),
];

/// Amstad 1978.
fn flesch_reading_ease(text: &Text) -> f64 {
    let (length, syllables) = (text.words_per_sentence(), text.syllables_per_word());
    if length == 0.0 || syllables == 0.0 {
        return 0.0;
    }
    180.0 - length - 58.5 * syllables
}

/// The variables of Bamberger and Vanecek 1984: words per sentence, and percentages of words.
struct Shares {
    /// Of three syllables and more.
    many: f64,
    /// Of one syllable.
    one: f64,
    /// Of more than six letters.
    long: f64,
    length: f64,
}

impl Shares {
    fn of(text: &Text) -> Self {
        let share = |n: usize| 100.0 * n as f64 / text.words.len().max(1) as f64;
        Shares {
            many: share(text.of_syllables[3]),
            one: share(text.of_syllables[1]),
            long: share(text.long),
            length: text.words_per_sentence(),
        }
    }
}
