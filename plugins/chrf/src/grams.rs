//! Character n-grams. Each place of a text has a key: the numbers of its next
//! characters, the first one in the highest bits. Sorted keys have equal n-grams of
//! every order side by side, so that two texts are compared without a hash table. Short texts
//! need none of it: see `rubric_host_text::overlap`.

use rubric_host_text::{edit::Numbers, is_space};
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

/// The most bytes that keys may take: a call has 128 MiB.
const MOST_BYTES: usize = 40 << 20;

/// Candidate, reference and clipped matches of one order.
pub type Counts = [u64; 3];

/// Numbers for characters: those of ASCII are their own.
#[derive(Default)]
pub struct Alphabet {
    others: Numbers,
}

const ASCII: u32 = 128;

impl Alphabet {
    /// The numbers of the characters of a text, white space only on demand.
    pub fn number(&mut self, text: &str, whitespace: bool) -> Vec<u32> {
        if !text.is_ascii() {
            let number = |c: char| match c as u32 {
                c @ 0..ASCII => c,
                _ => ASCII + self.others.of(c),
            };
            return text.chars().filter(|&c| whitespace || !is_space(c)).map(number).collect();
        }
        let mut numbers = vec![0; text.len()];
        let mut len = 0;
        for c in text.bytes() {
            // Without a branch, which processors would mispredict.
            numbers[len] = u32::from(c);
            len += usize::from(whitespace || !is_space(c as char));
        }
        numbers.truncate(len);
        numbers
    }

    /// One more than the highest number.
    pub fn kinds(&self) -> usize {
        ASCII as usize + self.others.len()
    }

    /// Numbers the characters of texts again, from 1, and returns how many bits a number takes.
    pub fn compact(&self, texts: &mut [Vec<u32>]) -> u32 {
        let mut numbers = vec![0; self.kinds()];
        let mut known = 0;
        for n in texts.iter_mut().flatten() {
            let number = &mut numbers[*n as usize];
            if *number == 0 {
                known += 1;
                *number = known;
            }
            *n = *number;
        }
        u32::BITS - known.leading_zeros()
    }
}

/// The counts of every order from the matches.
pub fn counts(output: usize, reference: usize, matches: impl Iterator<Item = u64>) -> Vec<Counts> {
    let total = |len: usize, n: usize| (len + 1).saturating_sub(n) as u64;
    (1..)
        .zip(matches)
        .map(|(n, matches)| match total(reference, n) {
            0 => [0, 0, matches],
            b => [total(output, n), b, matches],
        })
        .collect()
}

/// The n-grams of one text, of the orders 1 to `order`; `None` if their keys would
/// take too much memory.
pub struct Grams {
    keys: Keys,
    len: usize,
    order: usize,
    bits: u32,
}

enum Keys {
    Short(Vec<u64>),
    Long(Vec<u128>),
}

impl Grams {
    pub fn new(text: &[u32], order: usize, bits: u32) -> Option<Self> {
        let width = bits * order as u32;
        let size = if width <= 64 { 8 } else { 16 };
        if width > 128 || text.len() * size * 2 > MOST_BYTES / 2 {
            return None;
        }
        let keys = if width <= 64 { Keys::Short(keys(text, order, bits)) } else { Keys::Long(keys(text, order, bits)) };
        Some(Grams { keys, len: text.len(), order, bits })
    }

    /// The counts of every order against a reference.
    pub fn counts(&self, reference: &Grams) -> Vec<Counts> {
        let matches = match (&self.keys, &reference.keys) {
            (Keys::Short(x), Keys::Short(y)) => matches(x, y, self.order, self.bits),
            (Keys::Long(x), Keys::Long(y)) => matches(x, y, self.order, self.bits),
            _ => vec![0; self.order],
        };
        counts(self.len, reference.len, matches.into_iter())
    }
}

trait Key:
    Copy
    + Default
    + Ord
    + From<u32>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitOr<Output = Self>
    + BitAnd<Output = Self>
    + BitXor<Output = Self>
{
    fn low_byte(self) -> usize;
    fn is_zero(self) -> bool;
}

impl Key for u64 {
    fn low_byte(self) -> usize {
        self as usize & 255
    }
    fn is_zero(self) -> bool {
        self == 0
    }
}

impl Key for u128 {
    fn low_byte(self) -> usize {
        self as usize & 255
    }
    fn is_zero(self) -> bool {
        self == 0
    }
}

/// The sorted keys of a text; beyond its end they have zeros.
fn keys<K: Key>(text: &[u32], order: usize, bits: u32) -> Vec<K> {
    let mut keys = vec![K::default(); text.len()];
    if order == 0 {
        return keys;
    }
    let mut window = K::default();
    for (key, &n) in keys.iter_mut().zip(text).rev() {
        window = window >> bits | K::from(n) << (bits * (order as u32 - 1));
        *key = window;
    }
    let mut sorted = keys.clone();
    for pass in 0..(bits * order as u32).div_ceil(8) {
        let mut ends = [0u32; 256];
        for key in &keys {
            ends[(*key >> (8 * pass)).low_byte()] += 1;
        }
        let mut at = 0;
        for end in &mut ends {
            at += std::mem::replace(end, at);
        }
        for key in &keys {
            let place = &mut ends[(*key >> (8 * pass)).low_byte()];
            sorted[*place as usize] = *key;
            *place += 1;
        }
        std::mem::swap(&mut keys, &mut sorted);
    }
    keys
}

/// The clipped matches of each order, from 1.
fn matches<K: Key>(a: &[K], b: &[K], order: usize, bits: u32) -> Vec<u64> {
    let mut runs = Runs { open: vec![[0; 2]; order + 1], found: vec![0; order], last: K::default(), bits };
    let (mut i, mut j) = (0, 0);
    while let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) {
        // Without a branch, which processors would mispredict.
        let second = y < x;
        runs.add(if second { y } else { x }, second);
        i += usize::from(!second);
        j += usize::from(second);
    }
    a[i..].iter().for_each(|&key| runs.add(key, false));
    b[j..].iter().for_each(|&key| runs.add(key, true));
    runs.close(K::default(), 0);
    runs.found
}

/// Keys in their order, counted: equal n-grams follow each other.
struct Runs<K> {
    /// How often each text has the n-gram of the last key: of the orders 1 to the highest, those
    /// that an open run of the next order has left out.
    open: Vec<[u64; 2]>,
    found: Vec<u64>,
    last: K,
    bits: u32,
}

impl<K: Key> Runs<K> {
    #[inline]
    fn add(&mut self, key: K, second: bool) {
        let differ = key ^ self.last;
        if !differ.is_zero() {
            self.close(differ, 1);
            self.last = key;
        }
        if let Some(open) = self.open.last_mut() {
            open[usize::from(second)] += 1;
        }
    }

    /// Ends the runs of the n-grams that differ; with `least` 0 those of all orders.
    fn close(&mut self, differ: K, least: usize) {
        let digit = K::from(!(!0u32 << self.bits));
        let mut shift = 0;
        for n in (1..self.open.len()).rev() {
            if least > 0 && (differ >> shift).is_zero() {
                break;
            }
            let [a, b] = std::mem::take(&mut self.open[n]);
            // A key whose last number is zero is cut off by the end of the text.
            if !(self.last >> shift & digit).is_zero() {
                self.found[n - 1] += a.min(b);
            }
            self.open[n - 1][0] += a;
            self.open[n - 1][1] += b;
            shift += self.bits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_counting_one_by_one() {
        let mut seed = 11u64;
        let mut draw = |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % n
        };
        for round in 0..2000 {
            let (kinds, order) = (1 + draw(6), draw(9));
            let bits = if round % 2 == 0 { 3 } else { 9 };
            let mut text = || -> Vec<u32> { (0..draw(30)).map(|_| 1 + draw(kinds) as u32).collect() };
            let (a, b) = (text(), text());
            let grams = |t: &[u32]| Grams::new(t, order, bits).unwrap();
            let got = grams(&a).counts(&grams(&b));
            assert_eq!(got.len(), order);
            for (n, got) in (1..).zip(got) {
                let count = |t: &[u32], g: &[u32]| t.windows(n).filter(|w| *w == g).count();
                let mut distinct: Vec<&[u32]> = a.windows(n).collect();
                distinct.sort_unstable();
                distinct.dedup();
                let matches: usize = distinct.iter().map(|g| count(&a, g).min(count(&b, g))).sum();
                assert_eq!(got[2], matches as u64, "{a:?} {b:?} order {n}");
            }
        }
    }
}
