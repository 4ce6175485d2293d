//! textstat's formulas for French. What would divide by nothing is 0.

use crate::syllables::French;
use rubric_host_prose::{Index, Unit};

type Text<'t> = rubric_host_prose::Text<'t, French>;

/// Every index; the first is the default.
pub const INDICES: [Index<French>; 3] = [
    Index("flesch_reading_ease", Unit::Ease, flesch_reading_ease),
    Index("lix", Unit::Other, |text| text.lix()),
    Index("rix", Unit::Other, |text| text.rix()),
];

/// Kandel and Moles 1958.
fn flesch_reading_ease(text: &Text) -> f64 {
    let (length, syllables) = (text.words_per_sentence(), text.syllables_per_word());
    if length == 0.0 || syllables == 0.0 {
        return 0.0;
    }
    207.0 - 1.015 * length - 73.6 * syllables
}
