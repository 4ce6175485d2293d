//! What BLEU counts. Every figure adds up over sentences.

use crate::settings::Settings;
use crate::tokenize::{self, tokens as tokens_of};
use rubric_host_sdk::{Error, Result};
use rubric_host_text::{lower, Counts};
use std::borrow::Cow;

/// The statistics of one output, or the sums of many.
#[derive(Clone, Debug, PartialEq)]
pub struct Stats {
    pub sys_len: u64,
    pub ref_len: u64,
    /// Clipped matches of each n-gram order.
    pub counts: Vec<u64>,
    /// N-grams of the output of each order.
    pub totals: Vec<u64>,
    segments: u64,
    references: u64,
    /// The sum of the squares of the numbers of references: together with the
    /// two above it tells whether every output has the same number.
    squares: u64,
}

/// The figures of a list of stats that are not per order.
const FIXED: usize = 5;

impl Stats {
    pub fn zero(order: usize) -> Self {
        Stats {
            sys_len: 0,
            ref_len: 0,
            counts: vec![0; order],
            totals: vec![0; order],
            segments: 0,
            references: 0,
            squares: 0,
        }
    }

    /// Counts one output against its references, of which there is at least one.
    pub fn new(output: &str, references: &[&str], settings: &Settings) -> Self {
        let text = prepare(output, settings);
        let tokens = tokens_of(&text, settings.tokenizer);
        let grams = Counts::new(&tokens, settings.order);
        let mut best: Vec<u32> = Vec::new();
        let mut lengths = Vec::with_capacity(references.len());
        for reference in references {
            let text = prepare(reference, settings);
            let reference = tokens_of(&text, settings.tokenizer);
            lengths.push(reference.len());
            let found = grams.occurrences(&reference);
            if best.is_empty() {
                best = found;
            } else {
                best.iter_mut().zip(found).for_each(|(b, f)| *b = f.max(*b));
            }
        }
        let len = tokens.len();
        let refs = references.len() as u64;
        Stats {
            sys_len: len as u64,
            // The closest length, the shorter one of two.
            ref_len: lengths.into_iter().min_by_key(|&r| (r.abs_diff(len), r)).unwrap_or(0) as u64,
            counts: (1..=settings.order).map(|n| u64::from(grams.matches(n, &best))).collect(),
            totals: (0..settings.order).map(|n| len.saturating_sub(n) as u64).collect(),
            segments: 1,
            references: refs,
            squares: refs * refs,
        }
    }

    pub fn add(&mut self, other: &Stats) {
        self.sys_len += other.sys_len;
        self.ref_len += other.ref_len;
        self.counts.iter_mut().zip(&other.counts).for_each(|(a, b)| *a += b);
        self.totals.iter_mut().zip(&other.totals).for_each(|(a, b)| *a += b);
        self.segments += other.segments;
        self.references += other.references;
        self.squares += other.squares;
    }

    /// How many references each output has; 0 if their number varies.
    pub fn references_each(&self) -> u64 {
        // Equal numbers are the only ones whose squares sum to this.
        let equal = u128::from(self.references).pow(2) == u128::from(self.segments) * u128::from(self.squares);
        if equal && self.segments > 0 {
            self.references / self.segments
        } else {
            0
        }
    }

    /// The figures in the order of sacrebleu's own list, then ours.
    pub fn to_list(&self) -> Vec<f64> {
        let mut list = Vec::with_capacity(FIXED + 2 * self.counts.len());
        list.extend([self.sys_len, self.ref_len]);
        list.extend(&self.counts);
        list.extend(&self.totals);
        list.extend([self.segments, self.references, self.squares]);
        list.into_iter().map(|n| n as f64).collect()
    }

    pub fn from_list(list: &[f64], order: usize) -> Result<Self> {
        if list.len() != FIXED + 2 * order {
            return Err(Error::new(format!(
                "{} stats were given; n-grams up to order {order} have {}",
                list.len(),
                FIXED + 2 * order
            )));
        }
        if list.iter().any(|n| n.fract() != 0.0 || !(0.0..9e15).contains(n)) {
            return Err("the stats hold something that is no sum of counts".into());
        }
        let list: Vec<u64> = list.iter().map(|&n| n as u64).collect();
        Ok(Stats {
            sys_len: list[0],
            ref_len: list[1],
            counts: list[2..2 + order].to_vec(),
            totals: list[2 + order..2 + 2 * order].to_vec(),
            segments: list[2 + 2 * order],
            references: list[3 + 2 * order],
            squares: list[4 + 2 * order],
        })
    }
}

fn prepare<'t>(text: &'t str, settings: &Settings) -> Cow<'t, str> {
    if settings.lowercase {
        return Cow::Owned(tokenize::prepare(&lower(text), settings.tokenizer).into_owned());
    }
    tokenize::prepare(text, settings.tokenizer)
}
