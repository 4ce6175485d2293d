//! What BLEU counts. Every figure adds up over sentences.

use crate::settings::{Settings, Tokenizer};
use crate::tokenize::{self, tokens as tokens_of};
use rubric_host_sdk::Result;
use rubric_host_text::{counts, lower, Counts, Overlap, References};
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
    pub references: References,
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
            references: References::default(),
        }
    }

    /// Counts one output against its references, of which there is at least one.
    pub fn new(output: &str, references: &[&str], settings: &Settings) -> Self {
        let prepare = |text| prepare(text, settings);
        let found = Matches::new(output, references, settings.order, settings.tokenizer, prepare);
        let len = found.output;
        Stats {
            sys_len: len as u64,
            // The closest length, the shorter one of two.
            ref_len: found.references.into_iter().min_by_key(|&r| (r.abs_diff(len), r)).unwrap_or(0) as u64,
            counts: found.counts,
            totals: (0..settings.order).map(|n| len.saturating_sub(n) as u64).collect(),
            references: References::of(references.len()),
        }
    }

    pub fn add(&mut self, other: &Stats) {
        self.sys_len += other.sys_len;
        self.ref_len += other.ref_len;
        self.counts.iter_mut().zip(&other.counts).for_each(|(a, b)| *a += b);
        self.totals.iter_mut().zip(&other.totals).for_each(|(a, b)| *a += b);
        self.references.add(&other.references);
    }

    /// The figures in the order of sacrebleu's own list, then ours.
    pub fn to_list(&self) -> Vec<f64> {
        let mut list = vec![self.sys_len, self.ref_len];
        list.extend(&self.counts);
        list.extend(&self.totals);
        let mut list: Vec<f64> = list.into_iter().map(|n| n as f64).collect();
        list.extend(self.references.to_list());
        list
    }

    pub fn from_list(list: &[f64], order: usize) -> Result<Self> {
        let list = counts(list, FIXED + 2 * order)?;
        let (sums, references) = list.split_at(2 + 2 * order);
        Ok(Stats {
            sys_len: sums[0],
            ref_len: sums[1],
            counts: sums[2..2 + order].to_vec(),
            totals: sums[2 + order..].to_vec(),
            references: References::from_list(&[references[0], references[1], references[2]]),
        })
    }
}

fn prepare<'t>(text: &'t str, settings: &Settings) -> Cow<'t, str> {
    if settings.lowercase {
        return Cow::Owned(tokenize::prepare(&lower(text), settings.tokenizer).into_owned());
    }
    tokenize::prepare(text, settings.tokenizer)
}

/// Clipped matches by order, and lengths in tokens.
pub struct Matches {
    pub counts: Vec<u64>,
    pub output: usize,
    pub references: Vec<usize>,
}

impl Matches {
    /// Counts an output against its references, each after `prepare`.
    pub fn new<'t>(
        output: &'t str,
        references: &[&'t str],
        order: usize,
        tokenizer: Tokenizer,
        prepare: impl Fn(&'t str) -> Cow<'t, str>,
    ) -> Self {
        let text = prepare(output);
        let words = Counts::new(&tokens_of(&text, tokenizer), 1);
        let mut best: Option<Overlap> = None;
        let mut lengths = Vec::with_capacity(references.len());
        for reference in references {
            let reference = words.ids_of(&tokens_of(&prepare(reference), tokenizer));
            lengths.push(reference.len());
            let found = words.overlap(&reference, order);
            match &mut best {
                None => best = Some(found),
                Some(best) => best.join(&found),
            }
        }
        let counts = best.map_or(vec![0; order], |best| best.matches().collect());
        Matches { counts, output: words.ids().len(), references: lengths }
    }
}
