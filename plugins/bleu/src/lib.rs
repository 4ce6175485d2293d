//! BLEU as sacrebleu 2.6.0 computes it, for one output, for a list of them, and for a corpus from the
//! sums of its cases; GLEU, NIST and BLEU as NLTK does, and evaluate's `bleu`.
//!
//! Definition and traps: Papineni et al. 2002; sacrebleu's `BLEU` class, whose
//! option names the configuration uses and whose result fields `details` has.

mod gleu;
mod nist;
mod score;
mod settings;
mod stats;
mod tokenize;
mod variants;
#[cfg(test)]
mod vectors_test;

use rubric_host_sdk::{export, manifest, Answer, Request, Result};
use rubric_host_text::{or_answer, Segments};
use settings::Settings;
use stats::Stats;

manifest!("../plugin.yaml");
export!(
    bleu => bleu, corpus => corpus, gleu => gleu::gleu, google_bleu => gleu::gleu, corpus_gleu => gleu::corpus,
    bleu_hf => variants::hf, corpus_hf => variants::hf_corpus, bleu_nltk => variants::nltk, nist => nist::nist,
);

/// Scores one case. A list of outputs with a list of references for each is a
/// corpus of its own.
fn bleu(request: &Request) -> Result<Answer> {
    let segments = Segments::read(request)?;
    let settings = Settings::read(request, segments.as_ref().is_ok_and(|s| s.is_corpus))?;
    let segments = or_answer!(segments).list;
    let mut sum = Stats::zero(settings.order);
    for (output, references) in segments {
        sum.add(&Stats::new(output, &references, &settings));
    }
    Ok(score::answer(&sum, &settings).stats(sum.to_list()))
}

/// Scores a corpus from the sums of its cases' stats.
fn corpus(request: &Request) -> Result<Answer> {
    let settings = Settings::read(request, true)?;
    let stats = Stats::from_list(&request.stats()?, settings.order)?;
    Ok(score::answer(&stats, &settings))
}
