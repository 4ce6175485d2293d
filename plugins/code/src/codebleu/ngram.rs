//! Counting n-grams of tokens for the BLEU parts.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// The orders of n-grams that are counted: 1 to 4.
pub const ORDERS: usize = 4;

/// Matches and totals of each order, and the lengths for the brevity penalty. All of them
/// add up over cases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grams {
    pub matches: [f64; ORDERS],
    pub totals: [f64; ORDERS],
    pub length: f64,
    pub reference: f64,
}

/// BLEU's clipped counts: each n-gram of the candidate counts as often as the reference
/// that has most of it. `weight` is that of a token, for single tokens.
pub fn precision(candidate: &[u32], references: &[Vec<u32>], weight: impl Fn(u32) -> f64) -> Grams {
    let mut g = Grams { length: candidate.len() as f64, ..Grams::default() };
    g.reference = references.iter().map(Vec::len).min_by_key(|&r| (r.abs_diff(candidate.len()), r)).unwrap_or(0) as f64;
    for n in 1..=ORDERS {
        let of_references: Vec<BTreeMap<&[u32], u32>> = references.iter().map(|r| grams(r, n)).collect();
        for (gram, count) in grams(candidate, n) {
            let most = of_references.iter().filter_map(|r| r.get(gram)).max().copied().unwrap_or(0);
            let w = if n == 1 { weight(gram[0]) } else { 1.0 };
            g.matches[n - 1] += w * f64::from(count.min(most));
            g.totals[n - 1] += w * f64::from(count);
        }
    }
    g
}

/// What the package calls weighted: a recall, summed over the references. Its brevity
/// penalty takes 2 for the length of each reference.
pub fn recall(candidate: &[u32], references: &[Vec<u32>], weight: impl Fn(u32) -> f64) -> Grams {
    let mut g = Grams { length: candidate.len() as f64, reference: 2.0, ..Grams::default() };
    for n in 1..=ORDERS {
        let of_candidate = grams(candidate, n);
        for reference in references {
            let mut total = 0.0;
            for (gram, count) in grams(reference, n) {
                let w = if n == 1 { weight(gram[0]) } else { 1.0 };
                g.matches[n - 1] += w * f64::from(count.min(of_candidate.get(gram).copied().unwrap_or(0)));
                total += w * f64::from(count);
            }
            g.totals[n - 1] += total.max(1.0);
        }
    }
    g
}

impl Grams {
    /// The geometric mean of the shares with brevity penalty. An order without a match has
    /// 0.1. `effective`: orders for which the candidate is too short are left out; otherwise
    /// their total is 1.
    pub fn bleu(&self, effective: bool) -> f64 {
        if self.matches[0] == 0.0 {
            return 0.0;
        }
        let (mut sum, mut orders) = (0.0, 0);
        for (&matched, &total) in self.matches.iter().zip(&self.totals) {
            if effective && total == 0.0 {
                continue;
            }
            let matched = if matched == 0.0 { 0.1 } else { matched };
            sum += (matched / total.max(1.0)).ln();
            orders += 1;
        }
        let penalty = match self.length {
            l if l > self.reference => 1.0,
            0.0 => return 0.0,
            l => (1.0 - self.reference / l).exp(),
        };
        penalty * (sum / f64::from(orders)).exp()
    }
}

/// How often each n-gram occurs, in order: weights are fractions, whose sum depends on it.
fn grams(tokens: &[u32], n: usize) -> BTreeMap<&[u32], u32> {
    let mut map = BTreeMap::new();
    for gram in tokens.windows(n) {
        *map.entry(gram).or_insert(0) += 1;
    }
    map
}

/// How often each item occurs. The order in which it is iterated is not the same in every
/// call: it depends on where memory was free.
pub fn counts<T: Eq + Hash>(items: impl Iterator<Item = T>) -> HashMap<T, u32> {
    let mut map = HashMap::new();
    for i in items {
        *map.entry(i).or_insert(0) += 1;
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_against_itself() {
        let text = vec![1, 2];
        let g = precision(&text, &[text.clone()], |_| 1.0);
        assert!((g.bleu(true) - 1.0).abs() < 1e-12);
        assert!((g.bleu(false) - 0.01f64.sqrt().sqrt()).abs() < 1e-12);
        assert_eq!(precision(&[], &[text.clone()], |_| 1.0).bleu(true), 0.0);
        assert_eq!(recall(&text, &[vec![3]], |_| 1.0).bleu(false), 0.0);
    }
}
