//! TER as sacrebleu 2.6.0 computes it: for one output, for a list of them, and for a
//! corpus from the sums of its cases.
//!
//! Definition: Snover et al. 2006; sacrebleu's `TER` class, whose option names the
//! configuration uses and whose result fields `details` has.

mod bits;
mod cells;
mod edits;
mod tokenize;
#[cfg(test)]
mod vectors_test;

use rubric_host_sdk::{export, manifest, Answer, Object, Request, Result};
use rubric_host_text::{counts, edit::Pair, or_answer, split, References, Segments};
use std::borrow::Cow;
use tokenize::Tokenizer;

manifest!("../plugin.yaml");
export!(ter => ter, corpus => corpus);

/// The figures of one output, or the sums of many.
#[derive(Default)]
struct Stats {
    edits: u64,
    /// The mean length of the references of each output.
    length: f64,
    references: References,
}

fn ter(request: &Request) -> Result<Answer> {
    let tokenizer = Tokenizer::read(&request.config())?;
    let segments = or_answer!(Segments::read(request)?).list;
    let mut sum = Stats::default();
    for (output, references) in segments {
        let Some((edits, length)) = fewest(output, &references, &tokenizer) else {
            return Ok(Answer::unscored(format!(
                "the texts take too long for TER: the output has {} bytes, the longest reference {}",
                output.len(),
                references.iter().map(|r| r.len()).max().unwrap_or(0)
            )));
        };
        sum.edits += edits;
        sum.length += length;
        sum.references.add(&References::of(references.len()));
    }
    Ok(answer(&sum, &tokenizer))
}

/// Scores a corpus from the sums of its cases' stats.
fn corpus(request: &Request) -> Result<Answer> {
    let tokenizer = Tokenizer::read(&request.config())?;
    let stats = request.stats()?;
    let length = stats.get(1).copied().filter(|n| *n >= 0.0).ok_or("stats has no sum of reference lengths")?;
    let mut whole = stats.clone();
    whole.remove(1);
    let whole = counts(&whole, 4)?;
    let references = References::from_list(&[whole[1], whole[2], whole[3]]);
    Ok(answer(&Stats { edits: whole[0], length, references }, &tokenizer))
}

fn answer(stats: &Stats, tokenizer: &Tokenizer) -> Answer {
    let rate = match (stats.edits, stats.length) {
        (edits, length) if length > 0.0 => edits as f64 / length,
        (0, _) => 0.0,
        // Words where the reference has none.
        _ => 1.0,
    };
    let yes = |b| if b { "yes" } else { "no" };
    let signature = format!(
        "nrefs:{}|case:{}|tok:tercom|norm:{}|punct:{}|asian:{}|version:2.6.0",
        stats.references.signature(),
        if tokenizer.case_sensitive { "mixed" } else { "lc" },
        yes(tokenizer.normalized),
        yes(!tokenizer.no_punct),
        yes(tokenizer.asian_support)
    );
    let mut details = Object::new();
    details
        .num("score", 100.0 * rate)
        .int("num_edits", stats.edits)
        .num("ref_length", stats.length)
        .text("signature", &signature);
    let mut list = vec![stats.edits as f64, stats.length];
    list.extend(stats.references.to_list());
    Answer::score((1.0 - rate).max(0.0)).details(details).stats(list)
}

/// The most bytes of an output and a reference together.
const MOST_BYTES: usize = 2 << 20;

/// The fewest edits over the references, and their mean length; `None` if the texts
/// take too long.
fn fewest(output: &str, references: &[&str], tokenizer: &Tokenizer) -> Option<(u64, f64)> {
    if references.iter().any(|r| r.len() + output.len() > MOST_BYTES) {
        return None;
    }
    let output = tokenizer.apply(output);
    let (mut fewest, mut length) = (usize::MAX, 0);
    for reference in references {
        // sacrebleu tokenizes references twice, which splits possessives that the first
        // time had a comma or full stop after them.
        let mut reference = tokenizer.apply(reference);
        if tokenizer.normalized {
            reference = Cow::Owned(tokenizer.apply(&reference).into_owned());
        }
        let (mut a, mut b) = (Vec::new(), Vec::new());
        split(&output, &mut a);
        split(&reference, &mut b);
        let pair = Pair::texts(&a, &b);
        let (a, b) = pair.both();
        fewest = fewest.min(edits::edits(a, b)?);
        length += b.len();
    }
    Some((fewest as u64, length as f64 / references.len() as f64))
}
