//! Word and character error rates as jiwer 4.0.0 computes them, with the edit that
//! RapidFuzz finds: of one output, of a list of them, and of a corpus from the sums
//! of its cases.

mod transform;
#[cfg(test)]
mod vectors_test;

use rubric_host_sdk::{manifest, scorers, Answer, Object, Request, Result};
use rubric_host_text::{counts, edit::Pair, or_answer, Segments};
use transform::Transform;

manifest!("../plugin.yaml");
// 1 - information lost is the information preserved.
scorers!(
    wer(r) => score(r, Rate::Wer), cer(r) => score(r, Rate::Cer), mer(r) => score(r, Rate::Mer),
    wil(r) => score(r, Rate::Wip), wip(r) => score(r, Rate::Wip),
    corpus_wer(r) => corpus(r, Rate::Wer), corpus_cer(r) => corpus(r, Rate::Cer),
    corpus_mer(r) => corpus(r, Rate::Mer), corpus_wip(r) => corpus(r, Rate::Wip),
);

/// Which rate is the score.
#[derive(Clone, Copy, PartialEq)]
enum Rate {
    Wer,
    Cer,
    Mer,
    Wip,
}

/// How often each operation occurs, over all outputs.
#[derive(Clone, Copy, Default)]
struct Counts {
    hits: u64,
    substitutions: u64,
    deletions: u64,
    insertions: u64,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.hits += other.hits;
        self.substitutions += other.substitutions;
        self.deletions += other.deletions;
        self.insertions += other.insertions;
    }

    fn errors(&self) -> u64 {
        self.substitutions + self.deletions + self.insertions
    }

    fn reference(&self) -> u64 {
        self.hits + self.substitutions + self.deletions
    }

    fn output(&self) -> u64 {
        self.hits + self.substitutions + self.insertions
    }

    /// Errors for each item of the reference; without one, the number of errors.
    fn error_rate(&self) -> f64 {
        self.errors() as f64 / self.reference().max(1) as f64
    }

    fn match_error_rate(&self) -> f64 {
        match self.hits + self.errors() {
            0 => 0.0,
            all => self.errors() as f64 / all as f64,
        }
    }

    fn information_preserved(&self) -> f64 {
        let share = |n: u64| self.hits as f64 / n as f64;
        match (self.reference(), self.output()) {
            (0, 0) => 1.0,
            (0, _) | (_, 0) => 0.0,
            (a, b) => share(a) * share(b),
        }
    }

    fn answer(&self, rate: Rate) -> Answer {
        let mut details = Object::new();
        let mut named = |rate, items| {
            details.num(rate, self.error_rate()).int("errors", self.errors()).int(items, self.reference());
        };
        if rate == Rate::Cer {
            named("cer", "ref_chars");
        } else {
            named("wer", "ref_words");
        }
        details
            .int("hits", self.hits)
            .int("substitutions", self.substitutions)
            .int("deletions", self.deletions)
            .int("insertions", self.insertions);
        if rate != Rate::Cer {
            let preserved = self.information_preserved();
            details.num("mer", self.match_error_rate()).num("wil", 1.0 - preserved).num("wip", preserved);
        }
        let score = match rate {
            Rate::Wer | Rate::Cer => 1.0 - self.error_rate().min(1.0),
            Rate::Mer => 1.0 - self.match_error_rate(),
            Rate::Wip => self.information_preserved(),
        };
        let stats = [self.hits, self.substitutions, self.deletions, self.insertions];
        Answer::score(score).details(details).stats(stats.map(|n| n as f64).to_vec())
    }
}

fn score(request: &Request, rate: Rate) -> Result<Answer> {
    let transform = Transform::read(request, rate == Rate::Cer)?;
    let segments = or_answer!(Segments::read(request)?).list;
    let mut sum = Counts::default();
    for (output, references) in segments {
        match best(output, &references, &transform) {
            Ok(counts) => sum.add(counts),
            Err((a, b)) => {
                return Ok(Answer::unscored(format!(
                    "a reference of {a} items and an output of {b} take too long to compare"
                )))
            }
        }
    }
    Ok(sum.answer(rate))
}

/// The counts against the reference with the lowest error rate, the first of
/// several; the lengths of texts that are too long, as an error.
fn best(output: &str, references: &[&str], transform: &Transform) -> std::result::Result<Counts, (usize, usize)> {
    let output = transform.apply(output);
    let mut best: Option<Counts> = None;
    for reference in references {
        let reference = transform.apply(reference);
        let pair = if let Some((a, b)) = transform.words(&reference, &output) {
            Pair::texts(&a, &b)
        } else {
            Pair::chars(&reference, &output)
        };
        let (a, b) = pair.both();
        let found = pair.operations().ok_or((a.len(), b.len()))?;
        let counts = Counts {
            hits: found.hits as u64,
            substitutions: found.substitutions as u64,
            deletions: found.deletions as u64,
            insertions: found.insertions as u64,
        };
        if best.is_none_or(|b| counts.error_rate() < b.error_rate()) {
            best = Some(counts);
        }
    }
    Ok(best.unwrap_or_default())
}

/// Scores a corpus from the sums of its cases' stats.
fn corpus(request: &Request, rate: Rate) -> Result<Answer> {
    let stats = counts(&request.stats()?, 4)?;
    let sum = Counts { hits: stats[0], substitutions: stats[1], deletions: stats[2], insertions: stats[3] };
    Ok(sum.answer(rate))
}
