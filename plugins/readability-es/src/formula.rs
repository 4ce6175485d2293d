//! textstat's formulas for Spanish. What would divide by nothing is 0.

use crate::syllables::Spanish;
use rubric_host_prose::{Index, Unit};

type Text<'t> = rubric_host_prose::Text<'t, Spanish>;

/// Every index; the first is the default.
pub const INDICES: [Index<Spanish>; 7] = [
    Index("fernandez_huerta", Unit::Ease, fernandez_huerta),
    Index("flesch_reading_ease", Unit::Ease, flesch_reading_ease),
    Index("szigriszt_pazos", Unit::Ease, szigriszt_pazos),
    Index("gutierrez_polini", Unit::Ease, gutierrez_polini),
    Index("crawford", Unit::Grade, crawford),
    Index("lix", Unit::Other, |text| text.lix()),
    Index("rix", Unit::Other, |text| text.rix()),
];

/// Fernández Huerta 1959.
fn fernandez_huerta(text: &Text) -> f64 {
    let (length, syllables) = (text.words_per_sentence(), text.syllables_per_word());
    if length == 0.0 || syllables == 0.0 {
        return 0.0;
    }
    206.84 - 60.0 * syllables - 1.02 * length
}

/// textstat's name for the same formula, with its order of operations.
fn flesch_reading_ease(text: &Text) -> f64 {
    let (length, syllables) = (text.words_per_sentence(), text.syllables_per_word());
    if length == 0.0 || syllables == 0.0 {
        return 0.0;
    }
    206.84 - 1.02 * length - 60.0 * syllables
}

/// Szigriszt Pazos 1993, the index of the INFLESZ scale. textstat has 206.84, where the thesis has 206.835.
fn szigriszt_pazos(text: &Text) -> f64 {
    if text.words.is_empty() {
        return 0.0;
    }
    206.84 - 62.3 * text.syllables_per_word() - text.words_per_sentence()
}

/// Gutiérrez de Polini 1972: the only one made for Spanish, and without syllables.
fn gutierrez_polini(text: &Text) -> f64 {
    let (letters, length) = (text.letters_per_word(), text.words_per_sentence());
    if letters == 0.0 || length == 0.0 {
        return 0.0;
    }
    95.2 - 9.7 * letters - 0.35 * length
}

/// Crawford 1989: the years of school for texts of children.
fn crawford(text: &Text) -> f64 {
    let (sentences, syllables) = (100.0 * text.sentences_per_word(), 100.0 * text.syllables_per_word());
    if sentences == 0.0 || syllables == 0.0 {
        return 0.0;
    }
    -0.205 * sentences + 0.049 * syllables - 3.407
}
