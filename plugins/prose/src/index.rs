//! The answer of a plugin for one language.

use crate::scale::Scale;
use crate::text::{Language, Text};
use rubric_host_sdk::{Answer, Error, Object, Request, Result};

/// What the numbers of an index mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// About 0 to 100, higher is easier.
    Ease,
    /// Years of school.
    Grade,
    /// A scale of its own.
    Other,
}

/// One index: its name, the unit of its numbers, its formula.
pub struct Index<L: 'static>(pub &'static str, pub Unit, pub fn(&Text<L>) -> f64);

/// Answers every count and index; the score is that of the index which the configuration names,
/// or of the first one.
pub fn readability<L: Language>(request: &Request, indices: &[Index<L>]) -> Result<Answer> {
    let index = find(indices, request.config().text("index", indices[0].0)?)?;
    let scale = Scale::read(request, index.0, index.1)?;
    let Some(text) = request.output()?.map(Text::new) else {
        return Ok(Answer::unscored("the case has no output"));
    };
    let mut details = Object::new();
    details
        .int("lexicon_count", text.words.len() as u64)
        .int("sentence_count", text.sentences as u64)
        .int("char_count", text.chars as u64)
        .int("letter_count", text.letters as u64)
        .int("syllable_count", text.syllables as u64)
        .int("polysyllabcount", text.of_syllables[3] as u64)
        .int("monosyllabcount", text.of_syllables[1] as u64)
        .int("long_word_count", text.long as u64)
        .num("avg_syllables_per_word", text.syllables_per_word())
        .num("avg_letter_per_word", text.letters_per_word())
        .num("words_per_sentence", text.words_per_sentence());
    for Index(name, _, formula) in indices {
        details.num(name, formula(&text));
    }
    Ok(answer(index, &text, scale.score(index.2(&text))).details(details))
}

fn find<'i, L>(indices: &'i [Index<L>], name: &str) -> Result<&'i Index<L>> {
    indices.iter().find(|index| index.0 == name).ok_or_else(|| {
        let known: Vec<&str> = indices.iter().map(|index| index.0).collect();
        Error::new(format!("unknown index \"{name}\"; use one of {}", known.join(", ")))
    })
}

/// A text without a word has no readability, whatever its formulas come to; nor has one that
/// is mostly in another script, by an index that counts syllables or letters of this language.
fn answer<L: Language>(index: &Index<L>, text: &Text<L>, score: f64) -> Answer {
    if text.words.is_empty() {
        Answer::unscored("the output has no words")
    } else if index.1 != Unit::Other && !text.is_latin() {
        Answer::unscored("the output is not mostly in Latin letters, and the index is one for a language written in them")
    } else {
        Answer::score(score)
    }
}
