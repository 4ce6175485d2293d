//! What an output and a reference have in common.

use crate::lcs::{Columns, Table};
use crate::settings::{Settings, Type};
use crate::skip;
use crate::tokens::Tokens;
use rubric_host_text::{Counts, NONE};
use std::ops::Range;

/// Precision and recall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prf {
    pub precision: f64,
    pub recall: f64,
}

impl Prf {
    /// The figures of `hits` in the two totals; 0 over nothing is 0.
    fn new(hits: usize, predicted: usize, wanted: usize) -> Self {
        let over = |n: usize| hits as f64 / n.max(1) as f64;
        Prf { precision: over(predicted), recall: over(wanted) }
    }

    pub fn fmeasure(&self) -> f64 {
        let sum = self.precision + self.recall;
        if sum > 0.0 {
            2.0 * self.precision * self.recall / sum
        } else {
            0.0
        }
    }
}

/// An output, counted once for all references.
pub struct Prediction<'t> {
    tokens: &'t Tokens,
    grams: Counts<'t>,
}

/// One reference beside the output.
pub struct Target<'p, 't> {
    prediction: &'p Prediction<'t>,
    tokens: &'p Tokens,
    ids: Vec<u32>,
    occurrences: Vec<u32>,
}

impl<'t> Prediction<'t> {
    pub fn new(tokens: &'t Tokens, order: usize) -> Self {
        Prediction { tokens, grams: Counts::new(&tokens.list(), order) }
    }

    pub fn against<'p>(&'p self, reference: &'p Tokens) -> Target<'p, 't> {
        let ids = self.grams.ids_of(&reference.list());
        Target { prediction: self, tokens: reference, occurrences: self.grams.occurrences_of(&ids), ids }
    }
}

impl Target<'_, '_> {
    pub fn score(&self, kind: Type, settings: &Settings) -> Prf {
        let grams = &self.prediction.grams;
        let (predicted, wanted) = (grams.ids().len(), self.ids.len());
        let hits = match kind {
            Type::N(n) => {
                let less = n - 1;
                let hits = grams.matches(n, &self.occurrences) as usize;
                return Prf::new(hits, predicted.saturating_sub(less), wanted.saturating_sub(less));
            }
            Type::L => Columns::new(grams.ids(), grams.counts(1).len()).length(self.ids.iter().copied()),
            Type::Lsum => self.summary_hits(),
            Type::W => {
                let lines = |t: &Tokens| t.lines().collect::<Vec<Range<usize>>>();
                let (ours, theirs) = (lines(self.prediction.tokens), lines(self.tokens));
                let (precision, recall) = skip::weighted(grams.ids(), &ours, &self.ids, &theirs, settings.weight);
                return Prf { precision, recall };
            }
            Type::S | Type::SU => {
                let (gap, unigrams) = (settings.skip_gap, kind == Type::SU);
                let hits = skip::common(
                    &skip::grams(grams.ids(), gap, unigrams, NONE),
                    &skip::grams(&self.ids, gap, unigrams, NONE),
                );
                let total = |n: usize| skip::count(n, gap) + if unigrams { n.saturating_sub(1) } else { 0 };
                return Prf::new(hits, total(predicted), total(wanted));
            }
        };
        Prf::new(hits, predicted, wanted)
    }

    /// For each line of the reference the union of its subsequences with every
    /// line of the output; a token counts while both texts still have it.
    fn summary_hits(&self) -> usize {
        let grams = &self.prediction.grams;
        let kinds = grams.counts(1).len();
        let lines: Vec<Columns> =
            self.prediction.tokens.lines().map(|r| Columns::new(&grams.ids()[r], kinds)).collect();
        let mut left: Vec<u32> = grams.counts(1).iter().zip(&self.occurrences).map(|(&a, &b)| a.min(b)).collect();
        let words = lines.iter().map(Columns::words).max().unwrap_or(0);
        let mut table = Table::new(words, self.tokens.lines().map(|line| line.len()).max().unwrap_or(0));
        let mut hits = 0;
        for range in self.tokens.lines() {
            let rows = &self.ids[range];
            let mut union = vec![false; rows.len()];
            lines.iter().for_each(|line| line.mark(rows, &mut union, &mut table));
            for (&id, _) in rows.iter().zip(&union).filter(|(_, marked)| **marked) {
                let left = &mut left[id as usize];
                hits += usize::from(*left > 0);
                *left = left.saturating_sub(1);
            }
        }
        hits
    }
}
