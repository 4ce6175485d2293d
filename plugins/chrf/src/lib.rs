//! chrF, chrF+ and chrF++ as sacrebleu 2.6.0 computes them: for one output, for a
//! list of them, and for a corpus from the sums of its cases.
//!
//! Definition: Popovic 2015 and 2017; sacrebleu's `CHRF` class, whose option names
//! the configuration uses and whose result fields `details` has.

mod grams;
mod settings;
#[cfg(test)]
mod vectors_test;

use grams::{Alphabet, Counts, Grams};
use rubric_host_sdk::{export, manifest, Answer, Object, Request, Result};
use rubric_host_text::{counts, lower, or_answer, Counts as WordGrams, Overlap, References, Segments};
use settings::Settings;
use std::borrow::Cow;

manifest!("../plugin.yaml");
// chrF++ differs by what the manifest configures.
export!(chrf => chrf, chrfpp => chrf, corpus => corpus);

/// The figures of one output, or the sums of many.
struct Stats {
    orders: Vec<Counts>,
    references: References,
}

fn chrf(request: &Request) -> Result<Answer> {
    let settings = Settings::read(request)?;
    let segments = or_answer!(Segments::read(request)?).list;
    let mut sum = Stats { orders: vec![[0; 3]; settings.orders()], references: References::default() };
    for (output, references) in segments {
        let Some(orders) = best(output, &references, &settings) else {
            return Ok(Answer::unscored(format!(
                "the texts are too long for chrF: the output has {} bytes, the longest reference {}",
                output.len(),
                references.iter().map(|r| r.len()).max().unwrap_or(0)
            )));
        };
        for (sum, counts) in sum.orders.iter_mut().zip(orders) {
            sum.iter_mut().zip(counts).for_each(|(a, b)| *a += b);
        }
        sum.references.add(&References::of(references.len()));
    }
    Ok(answer(&sum, &settings))
}

/// Scores a corpus from the sums of its cases' stats.
fn corpus(request: &Request) -> Result<Answer> {
    let settings = Settings::read(request)?;
    let n = 3 * settings.orders();
    let list = counts(&request.stats()?, n + 3)?;
    let orders = list[..n].chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
    let references = References::from_list(&[list[n], list[n + 1], list[n + 2]]);
    Ok(answer(&Stats { orders, references }, &settings))
}

fn answer(stats: &Stats, settings: &Settings) -> Answer {
    let score = score(&stats.orders, settings);
    let mut list: Vec<f64> = stats.orders.iter().flatten().map(|&n| n as f64).collect();
    let orders: Vec<&[f64]> = list.chunks_exact(3).collect();
    let mut details = Object::new();
    details
        .num("score", score)
        .num_lists("stats_hyp_ref_match", &orders)
        .text("signature", &settings.signature(&stats.references.signature()));
    list.extend(stats.references.to_list());
    Answer::score((score / 100.0).clamp(0.0, 1.0)).details(details).stats(list)
}

/// The counts against the reference with the highest score, the first of several;
/// `None` if the texts are too long.
fn best(output: &str, references: &[&str], settings: &Settings) -> Option<Vec<Counts>> {
    let fold = |text| if settings.lowercase { lower(text) } else { Cow::Borrowed(text) };
    let output = fold(output);
    let references: Vec<Cow<str>> = references.iter().map(|r| fold(r)).collect();
    let mut alphabet = Alphabet::default();
    let mut texts = vec![alphabet.number(&output, settings.whitespace)];
    texts.extend(references.iter().map(|r| alphabet.number(r, settings.whitespace)));
    let short = texts[1..].iter().all(|text| text.len() <= Overlap::SHORT);
    let bits = if short { 0 } else { alphabet.compact(&mut texts) };
    let order = settings.char_order;
    let grams = if short { None } else { Some(Grams::new(&texts[0], order, bits)?) };
    let words = (settings.word_order > 0).then(|| WordGrams::new(&settings::words(&output), 1));
    let mut best: Option<(f64, Vec<Counts>)> = None;
    for (text, reference) in references.iter().zip(&texts[1..]) {
        let mut orders = match &grams {
            Some(grams) => grams.counts(&Grams::new(reference, order, bits)?),
            None => {
                let found = Overlap::new(&texts[0], reference, alphabet.kinds(), order);
                grams::counts(texts[0].len(), reference.len(), found.matches())
            }
        };
        if let Some(words) = &words {
            let reference = words.ids_of(&settings::words(text));
            let found = words.overlap(&reference, settings.word_order);
            orders.extend(grams::counts(words.ids().len(), reference.len(), found.matches()));
        }
        let score = score(&orders, settings);
        if best.as_ref().is_none_or(|(b, _)| score > *b) {
            best = Some((score, orders));
        }
    }
    best.map(|(_, orders)| orders)
}

/// sacrebleu's stand-in for precision and recall that are not defined.
const EPSILON: f64 = 1e-16;

/// sacrebleu's score, 0 to 100.
fn score(orders: &[Counts], settings: &Settings) -> f64 {
    let factor = settings.beta * settings.beta;
    let (mut smoothed, mut precision, mut recall, mut defined) = (0.0, 0.0, 0.0, 0.0);
    for &[output, reference, matches] in orders {
        let share = |n: u64| if n > 0 { matches as f64 / n as f64 } else { EPSILON };
        let (p, r) = (share(output), share(reference));
        let denominator = factor * p + r;
        smoothed += if denominator > 0.0 { (1.0 + factor) * p * r / denominator } else { EPSILON };
        if output > 0 && reference > 0 {
            precision += p;
            recall += r;
            defined += 1.0;
        }
    }
    if settings.eps_smoothing {
        return 100.0 * smoothed / (orders.len() as f64);
    }
    if defined == 0.0 || precision + recall == 0.0 {
        return 0.0;
    }
    let (p, r) = (precision / defined, recall / defined);
    100.0 * ((1.0 + factor) * p * r / (factor * p + r))
}
