//! BLEU as sacrebleu 2.6.0 computes it, and GLEU as NLTK does: for one output, for a list of them, and
//! for a corpus from the sums of its cases.
//!
//! Definition and traps: Papineni et al. 2002; sacrebleu's `BLEU` class, whose
//! option names the configuration uses and whose result fields `details` has.

mod gleu;
mod score;
mod settings;
mod stats;
mod tokenize;
#[cfg(test)]
mod vectors_test;

use rubric_host_sdk::{export, manifest, Answer, Error, Request, Result, Value};
use settings::{Level, Settings};
use stats::Stats;

manifest!("../plugin.yaml");
export!(
    bleu => bleu, corpus => corpus, gleu => gleu::gleu, google_bleu => gleu::gleu, corpus_gleu => gleu::corpus,
);

/// Scores one case. A list of outputs with a list of references for each is a
/// corpus of its own.
fn bleu(request: &Request) -> Result<Answer> {
    let Some(output) = request.field("output") else {
        return Ok(Answer::unscored("the case has no output"));
    };
    let references = request.field("references").and_then(Value::as_array).unwrap_or(&[]);
    if references.is_empty() {
        return Ok(Answer::unscored("the case has no references"));
    }
    let (stats, settings) = match output {
        Value::Array(outputs) => {
            let settings = Settings::read(request, Level::Corpus)?;
            (many(outputs, references, &settings)?, settings)
        }
        _ => {
            let settings = Settings::read(request, Level::Sentence)?;
            let output = request.output()?.unwrap_or_default();
            (Stats::new(output, &request.references()?, &settings), settings)
        }
    };
    Ok(score::answer(&stats, &settings).stats(stats.to_list()))
}

fn many(outputs: &[Value], references: &[Value], settings: &Settings) -> Result<Stats> {
    if outputs.len() != references.len() {
        return Err(Error::new(format!(
            "{} outputs have {} lists of references; they want one each",
            outputs.len(),
            references.len()
        )));
    }
    let mut sum = Stats::zero(settings.order);
    for (output, references) in outputs.iter().zip(references) {
        let output = output.as_str().ok_or("an output is no string")?;
        let references = match references {
            Value::Array(list) => list.iter().map(Value::as_str).collect::<Option<Vec<_>>>(),
            one => one.as_str().map(|s| vec![s]),
        };
        let references = references.filter(|r| !r.is_empty()).ok_or("an output has no list of reference strings")?;
        sum.add(&Stats::new(output, &references, settings));
    }
    Ok(sum)
}

/// Scores a corpus from the sums of its cases' stats.
fn corpus(request: &Request) -> Result<Answer> {
    let settings = Settings::read(request, Level::Corpus)?;
    let stats = Stats::from_list(&request.stats()?, settings.order)?;
    Ok(score::answer(&stats, &settings))
}
