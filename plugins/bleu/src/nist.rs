//! NIST as NLTK 3.8 computes it (`translate.nist_score`): matched n-grams count by how much
//! information they carry in the references.

use crate::tokenize::{self, tokens};
use crate::variants::tokenizer;
use rubric_host_sdk::{Answer, Object, Request, Result};
use rubric_host_text::{Counts, Segments};

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
    let segments = match Segments::read(request)? {
        Segments::None(answer) => return Ok(answer),
        Segments::One(segment) => vec![segment],
        Segments::Many(list) => list,
    };
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
        for n in 1..=order {
            let (mut matched, mut total) = (0.0, 0);
            for segment in segments {
                let output = text(segment);
                let here = (output.len() + 1).saturating_sub(n);
                let grams = self.weighted(output, n);
                // The best reference; of equal ones the longest.
                let best = segment.references.iter().map(|r| (overlap(&grams, self.weighted(r, n)), r.len()));
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

    /// The n-grams of a text that the references have, sorted by number.
    fn weighted(&self, text: &[&str], n: usize) -> Vec<Gram> {
        let mut list: Vec<Gram> = self
            .grams
            .numbers(text, n)
            .enumerate()
            .map(|(first, (number, shorter))| {
                let of = if n == 1 { self.words as f64 } else { f64::from(self.grams.count(shorter)) };
                // As Python's log(x, 2), which is not log2.
                let bits = (of / f64::from(self.grams.count(number))).ln() / std::f64::consts::LN_2;
                Gram { number, count: 1, first, bits }
            })
            .collect();
        list.sort_unstable_by_key(|g| (g.number, g.first));
        list.dedup_by(|next, kept| {
            let same = next.number == kept.number;
            kept.count += u32::from(same);
            same
        });
        list
    }
}

/// An n-gram of a text.
struct Gram {
    number: u32,
    count: u32,
    /// Where it is first, among the n-grams that the references have.
    first: usize,
    /// Its information.
    bits: f64,
}

/// The information that two sorted lists have in common, summed in the order of the first: as
/// NLTK does, because references are compared by it to the last bit.
fn overlap(a: &[Gram], b: Vec<Gram>) -> f64 {
    let (mut i, mut j, mut both) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        match a[i].number.cmp(&b[j].number) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                both.push((a[i].first, a[i].bits * f64::from(a[i].count.min(b[j].count))));
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    both.sort_unstable_by_key(|g| g.0);
    both.iter().map(|g| g.1).sum()
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
