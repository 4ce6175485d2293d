//! Readability as textstat 0.7.11 computes it for US English: its counts and
//! indices, none of them rounded.
//!
//! `flesch_reading_ease` and the like answer one index; `readability` takes the
//! index that is the score from its configuration, and has all of them in its
//! details, or those that the configuration names.

mod index;
mod syllables;
#[cfg(test)]
mod vectors_test;

use index::{Choice, Index, Text};
use rubric_host_prose::{Scale, Unit};
use rubric_host_sdk::{export, manifest, scorers, Answer, Error, Object, Request, Result};

manifest!("../plugin.yaml");

/// A function for each index that is an export of its own.
macro_rules! exports {
    ($($name:ident),+ $(,)?) => {
        export!(readability => readability);
        scorers!($($name(request) => one(request, stringify!($name))),+);
    };
}

exports!(
    flesch_reading_ease,
    flesch_kincaid_grade,
    gunning_fog,
    smog_index,
    coleman_liau_index,
    automated_readability_index,
    dale_chall_readability_score,
    dale_chall_readability_score_v2,
    linsear_write_formula,
    spache_readability,
    text_standard,
    lix,
    rix,
    mcalpine_eflaw,
    reading_time,
);

/// Answers one index, with the counts it rests on.
fn one(request: &Request, name: &str) -> Result<Answer> {
    let index = Index::read(name)?;
    let scale = Scale::read(request, index.name(), index.unit())?;
    let Some(text) = read(request)? else {
        return Ok(Answer::unscored("the case has no output"));
    };
    let raw = index.of(&text);
    let mut details = Object::new();
    details.num(name, raw).int("lexicon_count", text.words.len() as u64).int("sentence_count", text.sentences as u64);
    Ok(answer(index, &text, scale.score(raw)).details(details))
}

/// Answers one index, with the details that the configuration names, or every count and index.
fn readability(request: &Request) -> Result<Answer> {
    let config = request.config();
    let index = Index::read(config.text("index", "flesch_reading_ease")?)?;
    let details = config.texts("details")?.map_or(Ok(Choice::ALL), |names| Choice::read(&names))?;
    let scale = Scale::read(request, index.name(), index.unit())?;
    let Some(text) = read(request)? else {
        return Ok(Answer::unscored("the case has no output"));
    };
    let answer = answer(index, &text, scale.score(index.of(&text)));
    Ok(if details == Choice::NONE { answer } else { answer.details(details.of(&text)) })
}

/// A text without a word has no readability, whatever its formulas come to; nor has one that
/// is mostly in another script, by an index that counts English syllables, easy words or letters.
fn answer(index: Index, text: &Text, score: f64) -> Answer {
    if text.words.is_empty() {
        Answer::unscored("the output has no words")
    } else if index.unit() != Unit::Other && !text.is_latin() {
        Answer::unscored("the output is not mostly in Latin letters, and the index is one for English")
    } else {
        Answer::score(score)
    }
}

fn read<'r>(request: &'r Request) -> Result<Option<Text<'r>>> {
    let config = request.config();
    let lang = config.text("lang", "en_US")?;
    if lang != "en_US" {
        return Err(Error::new(format!("lang \"{lang}\" is not carried; en_US is")));
    }
    let profile = config.text("profile", "textstat-0.7.11")?;
    if profile != "textstat-0.7.11" {
        return Err(Error::new(format!("profile \"{profile}\" is not carried; textstat-0.7.11 is")));
    }
    Ok(request.output()?.map(Text::new))
}
