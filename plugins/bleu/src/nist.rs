//! NIST as NLTK 3.8 computes it (`translate.nist_score`): matched n-grams count by how much
//! information they carry in the references.

use crate::tokenize::{self, tokens};
use crate::variants::tokenizer;
use rubric_host_sdk::{Answer, Object, Request, Result};
use rubric_host_text::{or_answer, Counts, Segments};

/// A segment's tokens.
struct Segment<'t> {
    output: Vec<&'t str>,
    references: Vec<Vec<&'t str>>,
}

/// Scores one case, or a corpus of its own. The information of an n-gram depends on all
/// references, so that scores of cases do not add up to that of their corpus.
pub fn nist(request: &Request) -> Result<Answer> {
    let config = request.config();
    let (order, tokenizer) = (config.count("n", 5, 1, 16)?, tokenizer(&config, "13a")?);
    let segments = or_answer!(Segments::read(request)?).list;
    let prepare = |text| tokenize::prepare(text, tokenizer);
    let texts: Vec<_> =
        segments.iter().map(|(o, list)| (prepare(o), list.iter().map(|r| prepare(r)).collect::<Vec<_>>())).collect();
    let segments: Vec<Segment> = texts
        .iter()
        .map(|(output, references)| Segment {
            output: tokens(output, tokenizer),
            references: references.iter().map(|r| tokens(r, tokenizer)).collect(),
        })
        .collect();
    // All references in one, with a mark between them that no token equals.
    let mut all = Vec::new();
    for reference in segments.iter().flat_map(|s| &s.references) {
        all.extend_from_slice(reference);
        all.push(" ");
    }
    let words = segments.iter().flat_map(|s| &s.references).map(Vec::len).sum::<usize>();
    if words == 0 {
        return Ok(Answer::unscored("the references have no tokens"));
    }
    let weights = Information { grams: Counts::new(&all, order), words };
    let score = weights.score(&segments, order, |s| &s.output);
    let ideal = weights.score(&segments, order, |s| s.references.iter().max_by_key(|r| r.len()).map_or(&[], |r| r));
    let mut details = Object::new();
    details.num("nist_mt", score).num("ideal", ideal);
    let answer = if ideal > 0.0 {
        Answer::score((score / ideal).clamp(0.0, 1.0))
    } else {
        Answer::unscored("the references are too short: no n-gram in them carries information")
    };
    Ok(answer.details(details))
}

/// The n-grams of all references.
struct Information<'t> {
    grams: Counts<'t>,
    words: usize,
}

impl Information<'_> {
    /// The score of a text for each segment against its references.
    fn score<'s>(&self, segments: &'s [Segment], order: usize, text: impl Fn(&'s Segment) -> &'s [&'s str]) -> f64 {
        let (mut mean, mut lengths) = (0.0, (0, 0));
        let mut counts = vec![0; (1..=order).map(|n| self.grams.counts(n).len()).sum()];
        for n in 1..=order {
            let (mut matched, mut total) = (0.0, 0);
            for segment in segments {
                let output = text(segment);
                let here = (output.len() + 1).saturating_sub(n);
                let grams = self.weighted(output, n, &mut counts);
                // The best reference; of equal ones the longest.
                let best = segment.references.iter().map(|r| (self.common(&grams, r, n, &mut counts), r.len()));
                let (sum, length) = best.fold((0.0, 0), |a, b| if b > a { b } else { a });
                matched += sum;
                total += here;
                lengths = (lengths.0 + length, lengths.1 + output.len());
            }
            if total > 0 {
                mean += matched / total as f64;
            }
        }
        mean * penalty(lengths.1 as f64 / lengths.0 as f64)
    }

    /// The different n-grams of a text that the references have, the first in it first, with their counts and information.
    /// `counts` is all zeros, before and after.
    fn weighted(&self, text: &[&str], n: usize, counts: &mut [u32]) -> Vec<(usize, u32, f64)> {
        let grams: Vec<_> = self.grams.numbers(text, n).collect();
        grams.iter().for_each(|gram| counts[gram.0 as usize] += 1);
        let different = grams.iter().filter_map(|&(number, shorter)| {
            let count = Some(std::mem::take(&mut counts[number as usize])).filter(|count| *count > 0)?;
            let of = if n == 1 { self.words as f64 } else { f64::from(self.grams.count(shorter)) };
            // As Python's log(x, 2), which is not log2.
            Some((number as usize, count, (of / f64::from(self.grams.count(number))).ln() / std::f64::consts::LN_2))
        });
        different.collect()
    }

    /// The information that weighted n-grams have in common with a reference, summed in their order: as NLTK does, because
    /// references are compared by it to the last bit. `counts` is all zeros, before and after.
    fn common(&self, grams: &[(usize, u32, f64)], reference: &[&str], n: usize, counts: &mut [u32]) -> f64 {
        let found: Vec<_> = self.grams.numbers(reference, n).map(|gram| gram.0 as usize).collect();
        found.iter().for_each(|gram| counts[*gram] += 1);
        let sum = grams.iter().filter(|g| counts[g.0] > 0).map(|&(gram, count, bits)| bits * f64::from(count.min(counts[gram]))).sum();
        found.iter().for_each(|gram| counts[*gram] = 0);
        sum
    }
}

/// The penalty of short outputs: a half at two thirds of the length.
fn penalty(ratio: f64) -> f64 {
    if 0.0 < ratio && ratio < 1.0 {
        let beta = 0.5f64.ln() / 1.5f64.ln().powi(2);
        (beta * ratio.ln().powi(2)).exp()
    } else {
        ratio.clamp(0.0, 1.0)
    }
}
