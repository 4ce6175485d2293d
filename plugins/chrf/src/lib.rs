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
use rubric_host_text::{counts, is_space, lower, References, Segments};
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
    let segments = match Segments::read(request)? {
        Segments::None(answer) => return Ok(answer),
        Segments::One(segment) => vec![segment],
        Segments::Many(list) => list,
    };
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
    let mut alphabet = Alphabet::new();
    let mut number = |text: &str| {
        let keep = |c: &char| settings.whitespace || !is_space(*c);
        if text.is_ascii() {
            alphabet.number(text.bytes().map(char::from).filter(keep))
        } else {
            alphabet.number(text.chars().filter(keep))
        }
    };
    let numbered = number(&output);
    let others: Vec<Vec<u32>> = references.iter().map(|r| number(r)).collect();
    let (order, bits) = (settings.char_order, alphabet.bits());
    let grams = Grams::new(&numbered, order, bits)?;
    let words = settings::words(&output);
    let words = (settings.word_order > 0).then(|| rubric_host_text::Counts::new(&words, settings.word_order));
    let mut best: Option<(f64, Vec<Counts>)> = None;
    for (text, reference) in references.iter().zip(&others) {
        let mut orders = grams.counts(&Grams::new(reference, order, bits)?);
        if let Some(words) = &words {
            orders.extend(word_counts(words, &settings::words(text)));
        }
        let score = score(&orders, settings);
        if best.as_ref().is_none_or(|(b, _)| score > *b) {
            best = Some((score, orders));
        }
    }
    best.map(|(_, orders)| orders)
}

fn word_counts(words: &rubric_host_text::Counts, reference: &[&str]) -> Vec<Counts> {
    let found = words.occurrences(reference);
    let total = |len: usize, n: usize| (len + 1).saturating_sub(n) as u64;
    (1..=words.order())
        .map(|n| {
            let b = total(reference.len(), n);
            [if b > 0 { total(words.ids().len(), n) } else { 0 }, b, u64::from(words.matches(n, &found))]
        })
        .collect()
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
