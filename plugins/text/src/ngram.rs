//! Counting n-grams by number: tokens are numbered once, and an n-gram is the
//! pair of its first n-1 tokens' number and its last token's. No n-gram is ever
//! compared token by token.

use crate::overlap::Overlap;

/// The number of a token that the counted text does not have.
pub const NONE: u32 = u32::MAX;

/// The n-grams of one text, numbered and counted, from single tokens up to a
/// given order.
pub struct Counts<'t> {
    words: Words<'t>,
    ids: Vec<u32>,
    grams: Grams,
}

/// The n-grams of a list of numbers.
struct Grams {
    pairs: Pairs,
    counts: Vec<u32>,
    starts: Vec<usize>,
}

impl<'t> Counts<'t> {
    /// Counts the n-grams of `tokens` of the orders 1 to `order`.
    pub fn new<T: AsRef<[u8]> + ?Sized>(tokens: &[&'t T], order: usize) -> Self {
        let mut words = Words::new(tokens.len());
        let ids: Vec<u32> = tokens.iter().map(|t| words.intern(T::as_ref(t))).collect();
        let grams = Grams::new(&ids, words.list.len(), order);
        Counts { words, ids, grams }
    }

    /// The highest order that is counted.
    pub fn order(&self) -> usize {
        self.grams.starts.len() - 1
    }

    /// How often each distinct n-gram occurs, for one order from 1.
    pub fn counts(&self, n: usize) -> &[u32] {
        &self.grams.counts[self.grams.starts[n - 1]..self.grams.starts[n]]
    }

    /// How often the n-grams of this text occur in another one: a figure for
    /// each n-gram of `counts`, order by order.
    pub fn occurrences(&self, other: &[&str]) -> Vec<u32> {
        self.occurrences_of(&self.ids_of(other))
    }

    /// As [`Self::occurrences`], from the `ids_of` the other text.
    pub fn occurrences_of(&self, ids: &[u32]) -> Vec<u32> {
        self.grams.occurrences(ids)
    }

    /// The n-grams of this text, of the orders 1 to `order`, that occur in another one, from its
    /// `ids_of`. This text may have been counted for single tokens only.
    pub fn overlap(&self, other: &[u32], order: usize) -> Overlap {
        let kinds = self.counts(1).len();
        if other.len() <= Overlap::SHORT {
            return Overlap::new(&self.ids, other, kinds, order);
        }
        let grams = Grams::new(&self.ids, kinds, order);
        let mut left = grams.occurrences(other);
        let mut found = vec![0; self.ids.len()];
        for (i, &id) in self.ids.iter().enumerate() {
            let mut gram = id;
            for n in 0..order.min(self.ids.len() - i) {
                if n > 0 {
                    gram = grams.pairs.find(gram, self.ids[i + n]);
                }
                let left = &mut left[gram as usize];
                found[i + n] |= u16::from(*left > 0) << n;
                *left = left.saturating_sub(1);
            }
        }
        Overlap::of(found, order)
    }

    /// The clipped matches of one order: how many n-grams of this text also
    /// occur in one with those `occurrences`.
    pub fn matches(&self, n: usize, occurrences: &[u32]) -> u32 {
        let range = self.grams.starts[n - 1]..self.grams.starts[n];
        self.grams.counts[range.clone()].iter().zip(&occurrences[range]).map(|(&a, &b)| a.min(b)).sum()
    }

    /// The n-grams of another text that this text has, each with its own number and that
    /// of its first n-1 tokens (of itself if n is 1).
    pub fn numbers<'a>(&'a self, other: &[&str], n: usize) -> impl Iterator<Item = (u32, u32)> + 'a {
        let ids = self.ids_of(other);
        let pair = move |first: (u32, u32), &next: &u32| match (first.0, next) {
            (NONE, _) | (_, NONE) => (NONE, NONE),
            (gram, next) => (self.grams.pairs.find(gram, next), gram),
        };
        (0..(ids.len() + 1).saturating_sub(n))
            .map(move |i| ids[i + 1..i + n].iter().fold((ids[i], ids[i]), pair))
            .filter(|gram| gram.0 != NONE)
    }

    /// How often the n-gram of a number occurs.
    pub fn count(&self, number: u32) -> u32 {
        self.grams.counts[number as usize]
    }

    /// The numbers of this text's tokens; there are `counts(1).len()` of them.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// The numbers of another text's tokens, [`NONE`] for one that this text
    /// does not have.
    pub fn ids_of<T: AsRef<[u8]> + ?Sized>(&self, other: &[&T]) -> Vec<u32> {
        other.iter().map(|t| self.words.find(T::as_ref(t))).collect()
    }
}

impl Grams {
    /// Counts the n-grams of `ids`, which are below `kinds`, of the orders 1 to `order`.
    fn new(ids: &[u32], kinds: usize, order: usize) -> Self {
        let n = ids.len();
        let mut counts = Vec::with_capacity(n * order.min(n + 1));
        counts.resize(kinds, 0);
        for &id in ids {
            counts[id as usize] += 1;
        }
        let mut starts = vec![0, counts.len()];
        let longer: usize = (1..order).map(|k| n.saturating_sub(k)).sum();
        let mut pairs = Pairs { slots: slots(longer) };
        let mut grams = ids.to_vec();
        for k in 1..order {
            let last = ids.get(k..).unwrap_or(&[]);
            for (gram, &id) in grams.iter_mut().zip(last) {
                *gram = pairs.intern(*gram, id, &mut counts);
            }
            grams.truncate(last.len());
            starts.push(counts.len());
        }
        Grams { pairs, counts, starts }
    }

    /// How often each n-gram occurs in another list.
    fn occurrences(&self, ids: &[u32]) -> Vec<u32> {
        let mut found = vec![0; self.counts.len()];
        for (i, &id) in ids.iter().enumerate() {
            let mut gram = id;
            if gram == NONE {
                continue;
            }
            found[gram as usize] += 1;
            for &next in ids[i + 1..].iter().take(self.starts.len() - 2) {
                if next == NONE {
                    break;
                }
                gram = self.pairs.find(gram, next);
                if gram == NONE {
                    break;
                }
                found[gram as usize] += 1;
            }
        }
        found
    }
}

/// Slots for `n` entries, at most half full: a power of two. All zeros is an empty slot.
fn slots<T: Clone + Default>(n: usize) -> Vec<T> {
    vec![T::default(); (2 * n + 2).next_power_of_two()]
}

/// Where to look for a key first, of so many slots: a power of two.
#[inline]
pub fn place(key: u64, slots: usize) -> usize {
    (key.wrapping_mul(MIX) >> 32) as usize & (slots - 1)
}

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Up to seven bytes and their number; of a longer string a hash, whose highest bit is set.
#[inline]
pub fn key(word: &[u8]) -> u64 {
    let n = word.len();
    let bytes = match (word.first_chunk(), word.last_chunk()) {
        _ if n > SHORT => return hash(word) | LONG,
        (Some(&first), Some(&last)) => {
            u64::from(u32::from_le_bytes(first)) | u64::from(u32::from_le_bytes(last)) << (8 * (n - 4))
        }
        _ => match word {
            [] => 0,
            _ => u64::from(word[0]) | u64::from(word[n / 2]) << 8 | u64::from(word[n - 1]) << 16,
        },
    };
    bytes | (n as u64) << 56
}

fn hash(word: &[u8]) -> u64 {
    let mix = |h: u64, c: &[u8; 8]| (h.rotate_left(5) ^ u64::from_le_bytes(*c)).wrapping_mul(MIX);
    let h = word.as_chunks().0.iter().fold(word.len() as u64, mix);
    word.last_chunk().map_or(h, |last| mix(h, last))
}

/// The longest string that is its own key.
pub const SHORT: usize = 7;

/// A bit of all keys of longer strings, and of no other.
const LONG: u64 = 1 << 63;

/// Numbers for distinct byte strings.
pub(crate) struct Words<'t> {
    /// The key of a string, and its number plus one.
    slots: Vec<(u64, u32)>,
    list: Vec<&'t [u8]>,
}

impl<'t> Words<'t> {
    /// For at most `n` strings.
    pub fn new(n: usize) -> Self {
        Words { slots: slots(n), list: Vec::with_capacity(n) }
    }

    /// The slot of a string, or the one that it gets.
    #[inline]
    fn slot(&self, word: &[u8]) -> (u64, usize) {
        let key = key(word);
        let mut at = place(key, self.slots.len());
        loop {
            let (k, number) = self.slots[at];
            if number == 0 || k == key && (word.len() <= SHORT || self.list[number as usize - 1] == word) {
                return (key, at);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// The number of a string, from 0 up.
    pub fn intern(&mut self, word: &'t [u8]) -> u32 {
        let (key, at) = self.slot(word);
        if self.slots[at].1 == 0 {
            self.list.push(word);
            self.slots[at] = (key, self.list.len() as u32);
        }
        self.slots[at].1 - 1
    }

    /// How many distinct strings there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    fn find(&self, word: &[u8]) -> u32 {
        let (_, at) = self.slot(word);
        self.slots[at].1.wrapping_sub(1)
    }
}

/// Numbers for distinct pairs of numbers; 0 is none.
struct Pairs {
    slots: Vec<(u64, u32)>,
}

impl Pairs {
    #[inline]
    fn slot(&self, gram: u32, id: u32) -> (u64, usize) {
        let key = u64::from(gram) << 32 | u64::from(id);
        let mut at = place(key, self.slots.len());
        while self.slots[at].1 != 0 && self.slots[at].0 != key {
            at = (at + 1) & (self.slots.len() - 1);
        }
        (key, at)
    }

    /// Counts one occurrence of the pair and returns its number. `counts` is never empty:
    /// it has those of the tokens.
    #[inline]
    fn intern(&mut self, gram: u32, id: u32, counts: &mut Vec<u32>) -> u32 {
        let (key, at) = self.slot(gram, id);
        if self.slots[at].1 == 0 {
            self.slots[at] = (key, counts.len() as u32);
            counts.push(0);
        }
        let number = self.slots[at].1;
        counts[number as usize] += 1;
        number
    }

    #[inline]
    fn find(&self, gram: u32, id: u32) -> u32 {
        match self.slots[self.slot(gram, id).1].1 {
            0 => NONE,
            number => number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn naive<'a, 't>(tokens: &'a [&'t str], n: usize) -> HashMap<&'a [&'t str], u32> {
        let mut m = HashMap::new();
        for w in tokens.windows(n) {
            *m.entry(w).or_default() += 1;
        }
        m
    }

    #[test]
    fn agrees_with_counting_one_by_one() {
        let mut seed = 1u64;
        let mut draw = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        let words = ["a", "b", "the", "hyphenation", "hyphenations", "ω", ""];
        for round in 0..500 {
            let mut text = |most: u64| -> Vec<&str> {
                (0..draw(most)).map(|_| words[draw(words.len() as u64) as usize]).collect()
            };
            // Some longer than what is compared by bits.
            let (a, b) = (text(20), text(if round % 50 == 0 { 1000 } else { 20 }));
            let order = 1 + round % 6;
            let counts = Counts::new(&a, order);
            let found = counts.occurrences(&b);
            let overlap: Vec<u64> = Counts::new(&a, 1).overlap(&counts.ids_of(&b), order).matches().collect();
            assert_eq!(counts.order(), order);
            for n in 1..=order {
                let (x, y) = (naive(&a, n), naive(&b, n));
                assert_eq!(counts.counts(n).len(), x.len());
                assert_eq!(counts.counts(n).iter().sum::<u32>(), x.values().sum());
                let want: u32 = x.iter().map(|(g, &c)| c.min(y.get(g).copied().unwrap_or(0))).sum();
                assert_eq!(counts.matches(n, &found), want, "{a:?} {b:?} order {n}");
                assert_eq!(overlap[n - 1], u64::from(want), "{a:?} {b:?} order {n}");
                let numbers: Vec<(u32, u32)> = counts.numbers(&b, n).collect();
                let known: Vec<&[&str]> = b.windows(n).filter(|g| x.contains_key(g)).collect();
                assert_eq!(numbers.len(), known.len());
                for (&(gram, shorter), words) in numbers.iter().zip(known) {
                    assert_eq!(counts.count(gram), x[words]);
                    let first = a.windows(n.max(2) - 1).filter(|g| *g == &words[..n.max(2) - 1]).count();
                    assert_eq!(counts.count(shorter) as usize, first);
                }
            }
        }
    }

    #[test]
    fn numbers_tokens() {
        let counts = Counts::new(&["x", "y", "x"], 1);
        assert_eq!(counts.ids(), [0, 1, 0]);
        assert_eq!(counts.ids_of(&["z", "y", "x"]), [NONE, 1, 0]);
    }
}
