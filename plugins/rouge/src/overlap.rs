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
    /// The figures of a type; nothing if they take more than what is left of `steps`.
    pub fn score(&self, kind: Type, settings: &Settings, steps: &mut usize) -> Option<Prf> {
        let grams = &self.prediction.grams;
        let (predicted, wanted) = (grams.ids().len(), self.ids.len());
        let hits = match kind {
            Type::N(n) => {
                let less = n - 1;
                let hits = grams.matches(n, &self.occurrences) as usize;
                return Some(Prf::new(hits, predicted.saturating_sub(less), wanted.saturating_sub(less)));
            }
            Type::L => {
                take(steps, wanted.saturating_mul(predicted.div_ceil(64)))?;
                Columns::new(grams.ids(), grams.counts(1).len()).length(self.ids.iter().copied())
            }
            Type::Lsum => self.summary_hits(steps)?,
            Type::W => {
                let lines = |t: &Tokens| t.lines().collect::<Vec<Range<usize>>>();
                let (ours, theirs) = (lines(self.prediction.tokens), lines(self.tokens));
                let (precision, recall) = skip::weighted(grams.ids(), &ours, &self.ids, &theirs, settings.weight);
                return Some(Prf { precision, recall });
            }
            Type::S | Type::SU => {
                let (gap, unigrams) = (settings.skip_gap, kind == Type::SU);
                let hits = skip::common(
                    &skip::grams(grams.ids(), gap, unigrams, NONE),
                    &skip::grams(&self.ids, gap, unigrams, NONE),
                );
                let total = |n: usize| skip::count(n, gap) + if unigrams { n.saturating_sub(1) } else { 0 };
                return Some(Prf::new(hits, total(predicted), total(wanted)));
            }
        };
        Some(Prf::new(hits, predicted, wanted))
    }

    /// For each line of the reference the union of its subsequences with every
    /// line of the output; a token counts while both texts still have it.
    ///
    /// Tokens of the reference that a line of the output lacks change nothing there: each line is
    /// compared with those that it has.
    #[inline(never)]
    fn summary_hits(&self, steps: &mut usize) -> Option<usize> {
        let grams = &self.prediction.grams;
        let kinds = grams.counts(1).len();
        let ranges: Vec<Range<usize>> = self.prediction.tokens.lines().collect();
        let having = Having::new(grams.ids(), &ranges, kinds);
        let (mut most, mut rows) = (0, 0);
        for range in self.tokens.lines() {
            let pairs = self.ids[range.clone()].iter().map(|id| having.of(*id).len()).sum();
            (most, rows) = (most.max(pairs), rows.max(range.len()));
        }
        let longest = ranges.iter().map(|r| r.len().div_ceil(64)).max().unwrap_or(0);
        if rows.saturating_mul(longest) > MOST_TABLE || most > MOST_TABLE {
            return None;
        }
        let columns: Vec<Columns> = ranges.iter().map(|r| Columns::new(&grams.ids()[r.clone()], kinds)).collect();
        let mut table = Table::new(longest, rows);
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(most);
        let (mut part, mut marked) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
        let mut left: Vec<u32> = grams.counts(1).iter().zip(&self.occurrences).map(|(&a, &b)| a.min(b)).collect();
        let mut hits = 0;
        for range in self.tokens.lines() {
            let ids = &self.ids[range];
            pairs.clear();
            for (row, id) in ids.iter().enumerate() {
                pairs.extend(having.of(*id).iter().map(|line| (*line, row as u32)));
            }
            take(steps, pairs.len().saturating_mul(SORTED))?;
            pairs.sort_unstable();
            let mut union = vec![false; ids.len()];
            for group in pairs.chunk_by(|a, b| a.0 == b.0) {
                let line = group[0].0 as usize;
                if let [(_, row)] = group {
                    union[*row as usize] = true; // one token is its own subsequence
                    continue;
                }
                take(steps, MARKED + group.len() * (columns[line].words() + 8) + 4 * ranges[line].len())?;
                part.clear();
                part.extend(group.iter().map(|(_, row)| ids[*row as usize]));
                marked.clear();
                marked.resize(group.len(), false);
                columns[line].mark(&part, &mut marked, &mut table);
                group.iter().zip(&marked).for_each(|((_, row), marked)| union[*row as usize] |= marked);
            }
            for (&id, _) in ids.iter().zip(&union).filter(|(_, marked)| **marked) {
                let left = &mut left[id as usize];
                hits += usize::from(*left > 0);
                *left = left.saturating_sub(1);
            }
        }
        Some(hits)
    }
}

/// What it costs to find a line that has a token, and to compare two lines, beside the words of
/// the rows, in steps.
const SORTED: usize = 12;
const MARKED: usize = 60;

/// The most words of the table of two lines, of 8 bytes each.
const MOST_TABLE: usize = 3 << 20;

/// Takes from what is left of the steps, if there are so many.
fn take(steps: &mut usize, count: usize) -> Option<()> {
    *steps = steps.checked_sub(count)?;
    Some(())
}

/// For each kind of token the lines that have it.
struct Having {
    starts: Vec<u32>,
    lines: Vec<u32>,
}

impl Having {
    fn new(ids: &[u32], ranges: &[Range<usize>], kinds: usize) -> Self {
        // The last line in which a kind was seen, from 1.
        let mut seen = vec![0u32; kinds];
        let mut each = |visit: &mut dyn FnMut(usize, u32)| {
            seen.fill(0);
            for (line, range) in ranges.iter().enumerate() {
                for &id in &ids[range.clone()] {
                    if std::mem::replace(&mut seen[id as usize], line as u32 + 1) != line as u32 + 1 {
                        visit(id as usize, line as u32);
                    }
                }
            }
        };
        let mut starts = vec![0u32; kinds + 1];
        each(&mut |id, _| starts[id + 1] += 1);
        for i in 0..kinds {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut lines = vec![0; starts[kinds] as usize];
        each(&mut |id, line| {
            lines[next[id] as usize] = line;
            next[id] += 1;
        });
        Having { starts, lines }
    }

    /// None of a token that the text lacks.
    fn of(&self, id: u32) -> &[u32] {
        match self.starts.get(id as usize..) {
            Some(&[start, end, ..]) => &self.lines[start as usize..end as usize],
            _ => &[],
        }
    }
}
