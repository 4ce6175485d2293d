//! Character n-grams. Each place of a text has a key: the numbers of its next
//! characters, the first one in the highest bits. Sorted keys have equal n-grams of
//! every order side by side, so that two texts are compared without a hash table.

use rubric_host_text::edit::Numbers;
use std::ops::{BitAnd, BitOr, Shl, Shr};

/// The most bytes that keys may take: a call has 64 MiB.
const MOST_BYTES: usize = 40 << 20;

/// Candidate, reference and clipped matches of one order.
pub type Counts = [u64; 3];

/// Numbers for characters, from 1, with few bits.
pub struct Alphabet {
    ascii: [u32; 128],
    others: Numbers<u32>,
    known: u32,
}

impl Alphabet {
    pub fn new() -> Self {
        Alphabet { ascii: [0; 128], others: Numbers::default(), known: 0 }
    }

    /// The numbers of the characters of a text.
    pub fn number(&mut self, text: impl Iterator<Item = char>) -> Vec<u32> {
        text.map(|c| match self.ascii.get_mut(c as usize) {
            Some(n) => {
                if *n == 0 {
                    self.known += 1;
                    *n = self.known;
                }
                *n
            }
            // Above every number of an ASCII character; compact enough.
            None => {
                let hash = |c: u32| c.wrapping_mul(0x9e37_79b9).rotate_left(15);
                129 + self.others.of(c as u32, hash(c as u32), hash)
            }
        })
        .collect()
    }

    /// How many bits a number takes.
    pub fn bits(&self) -> u32 {
        let most = if self.others.is_empty() { self.known } else { 129 + self.others.len() as u32 };
        32 - most.leading_zeros()
    }
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
        (1..=self.order)
            .map(|n| {
                let (a, b) = ((self.len + 1).saturating_sub(n), (reference.len + 1).saturating_sub(n));
                let shift = (self.order - n) as u32 * self.bits;
                let matches = match (&self.keys, &reference.keys) {
                    (Keys::Short(x), Keys::Short(y)) => matches(x, y, shift, self.bits),
                    (Keys::Long(x), Keys::Long(y)) => matches(x, y, shift, self.bits),
                    _ => 0,
                };
                [if b > 0 { a as u64 } else { 0 }, b as u64, matches]
            })
            .collect()
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

/// The clipped matches of the n-grams that are left of the keys after `shift`.
fn matches<K: Key>(a: &[K], b: &[K], shift: u32, bits: u32) -> u64 {
    let last = !(!0u32 << bits);
    let (mut i, mut j, mut found) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i] >> shift, b[j] >> shift);
        match x.cmp(&y) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                // A key whose last number is zero is cut off by the end of the text.
                found += u64::from(!(x & K::from(last)).is_zero());
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    found
}
