//! ROUGE as rouge_score 0.1.2 computes it: precision, recall and F1 of n-gram
//! overlap (rouge1 to rouge9), of the longest common subsequence of the texts
//! (rougeL) and of their lines (rougeLsum), 0 to 1; and rougeW, rougeS and rougeSU as
//! ROUGE-1.5.5 does.
//!
//! Definition: Lin 2004; traps: rouge_score's tokenizer and stemmer.

mod lcs;
mod overlap;
mod settings;
mod skip;
mod tokens;
#[cfg(test)]
mod vectors_test;

use overlap::{Prediction, Prf};
use rubric_host_sdk::{manifest, scorers, Answer, Object, Request, Result};
use rubric_host_text::{or_answer, Texts};
use settings::{Settings, Tokenizer, Type};
use tokens::Tokens;

manifest!("../plugin.yaml");
scorers!(
    rouge(r) => answer(r, None), rouge1(r) => answer(r, Some(Type::N(1))), rouge2(r) => answer(r, Some(Type::N(2))),
    rougeL(r) => answer(r, Some(Type::L)), rougeLsum(r) => answer(r, Some(Type::Lsum)),
    rougeW(r) => answer(r, Some(Type::W)), rougeS(r) => answer(r, Some(Type::S)), rougeSU(r) => answer(r, Some(Type::SU)),
);

fn answer(request: &Request, fixed: Option<Type>) -> Result<Answer> {
    let settings = Settings::read(request, fixed)?;
    let Texts { output, references } = or_answer!(Texts::read(request)?);
    let too_long = |kind: Type| Answer::unscored(format!("the texts are too long for {}", kind.name()));
    let best = or_answer!(score(output, &references, &settings).map_err(too_long));
    let mut details = Object::new();
    let mut score = 0.0;
    for (kind, prf) in settings.types.iter().zip(&best) {
        let mut o = Object::new();
        o.num("precision", prf.precision).num("recall", prf.recall).num("fmeasure", prf.fmeasure());
        details.object(&kind.name(), &o);
        if *kind == settings.variant {
            score = settings.field.of(prf);
        }
    }
    let answer = Answer::score(score.clamp(0.0, 1.0)).details(details);
    if settings.tokenizer == Tokenizer::RougeScore && std::iter::once(output).chain(references).any(other_script) {
        return Ok(answer.reason("compares a-z and 0-9 only: the words of other scripts are left out (tokenizer: words compares them)"));
    }
    Ok(answer)
}

/// Whether a text has letters of another script than Latin, by the blocks that have them.
fn other_script(text: &str) -> bool {
    let letter = |c| matches!(c, '\u{370}'..='\u{1fff}' | '\u{2c80}'..='\u{2dff}' | '\u{3041}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{ff66}'..='\u{ffdc}' | '\u{10000}'..='\u{1cfff}' | '\u{20000}'..='\u{3ffff}');
    !text.is_ascii() && text.chars().any(letter)
}

/// The figures of each type against the reference with the highest F1, the
/// first one of several; a type if the texts are too long for it.
///
/// In one function with its callers and callees of 18 KB, the module compiles a seventh longer: so
/// several are never inlined.
#[inline(never)]
fn score(output: &str, references: &[&str], settings: &Settings) -> std::result::Result<Vec<Prf>, Type> {
    let output = Tokens::new(output, settings);
    let prediction = Prediction::new(&output, settings.order());
    let (mut best, mut steps): (Vec<Prf>, usize) = (Vec::new(), settings::MOST_STEPS);
    for reference in references {
        let reference = Tokens::new(reference, settings);
        if let Some(kind) = settings.too_long(output.len(), reference.len()) {
            return Err(kind);
        }
        let target = prediction.against(&reference);
        for (i, kind) in settings.types.iter().enumerate() {
            let prf = target.score(*kind, settings, &mut steps).ok_or(*kind)?;
            match best.get_mut(i) {
                None => best.push(prf),
                Some(b) if prf.fmeasure() > b.fmeasure() => *b = prf,
                Some(_) => {}
            }
        }
    }
    Ok(best)
}
