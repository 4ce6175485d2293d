//! The number of edits and block shifts, by tercom's greedy search with sacrebleu's
//! limits. Its order of candidates, ties and limits decide scores, so they are kept;
//! its cache of rows is replaced by computing only what a shift changes.

use crate::bits::Bits;
use crate::cells::Cells;

/// Limits of tercom and sacrebleu.
const MAX_SHIFT_SIZE: usize = 10;
const MAX_SHIFT_DIST: usize = 50;
const MAX_CANDIDATES: usize = 1000;

/// Counts the edits that make `reference` of `output`, both words by number; `None`
/// if that takes too long.
pub fn edits(output: &[u32], reference: &[u32]) -> Option<usize> {
    if reference.is_empty() {
        return Some(output.len());
    }
    let words = Places::new(output, reference);
    if let Some(n) = Bits::new(output, reference).and_then(|mut bits| words.edits(&mut bits)) {
        return Some(n);
    }
    words.edits(&mut Cells::new(output, reference)?)
}

/// The edit distances between all beginnings of the output and of the reference.
pub trait Table {
    /// Computes all; `None` if the table cannot.
    fn fill(&mut self, words: &[u32]) -> Option<()>;

    /// The distance of the first `i` words of the output and the first `j` of the reference.
    fn cell(&self, i: usize, j: usize) -> u32;

    /// The distance of the whole texts.
    fn distance(&self) -> u32;

    /// The distance after a shift of the words that the table was filled with.
    fn after(&mut self, words: &[u32], shift: &Shift) -> Option<u32>;

    /// Counts the work of looking at so many places; `None` if it is too much.
    fn look(&mut self, places: usize) -> Option<()>;
}

/// One more than the highest number.
pub fn kinds(output: &[u32], reference: &[u32]) -> usize {
    output.iter().chain(reference).max().map_or(0, |&n| n as usize + 1)
}

/// The texts, and where the words of the output are in the reference.
struct Places<'t> {
    output: &'t [u32],
    reference: &'t [u32],
    /// The first place of each word.
    first: Vec<usize>,
    /// The next place of the word at a place.
    next: Vec<usize>,
}

impl<'t> Places<'t> {
    fn new(output: &'t [u32], reference: &'t [u32]) -> Self {
        let mut first = vec![usize::MAX; kinds(output, reference)];
        let mut next = vec![usize::MAX; reference.len()];
        for (j, &word) in reference.iter().enumerate().rev() {
            next[j] = std::mem::replace(&mut first[word as usize], j);
        }
        Places { output, reference, first, next }
    }

    fn edits(&self, table: &mut dyn Table) -> Option<usize> {
        let mut words = self.output.to_vec();
        // All that is large is used again: the allocator frees nothing.
        let mut alignment = Alignment::default();
        let (mut shifts, mut tried) = (0, 0);
        loop {
            table.fill(&words)?;
            alignment.read(table, &words, self.reference);
            let best = self.best_shift(table, &words, &alignment, &mut tried)?;
            match best {
                // The shift that was just found is thrown away.
                _ if tried >= MAX_CANDIDATES => return Some(shifts + table.distance() as usize),
                Some(shift) if shift.gain > 0 => {
                    shift.apply(&mut words);
                    shifts += 1;
                }
                _ => return Some(shifts + table.distance() as usize),
            }
        }
    }

    /// The best of all shifts; `Some(None)` if there is none to try.
    fn best_shift(
        &self,
        table: &mut dyn Table,
        words: &[u32],
        alignment: &Alignment,
        tried: &mut usize,
    ) -> Option<Option<Shift>> {
        let Alignment { places, output_errors, reference_errors } = alignment;
        let reference = self.reference;
        let mut best: Option<Shift> = None;
        for start in 0..words.len() {
            let near = start.saturating_sub(MAX_SHIFT_DIST)..reference.len().min(start + MAX_SHIFT_DIST + 1);
            table.look(near.len())?;
            let mut ahead = self.first[words[start] as usize];
            while ahead < near.end {
                let at = ahead;
                ahead = self.next[at];
                if at < near.start {
                    continue;
                }
                let most = MAX_SHIFT_SIZE.min(words.len() - start).min(reference.len() - at);
                let equal = words[start..start + most].iter().zip(&reference[at..]).take_while(|(a, b)| a == b).count();
                for length in 1..=equal {
                    if !output_errors[start..start + length].contains(&true)
                        || !reference_errors[at..at + length].contains(&true)
                        || (start + 1..start + length + 1).contains(&places[at])
                    {
                        continue;
                    }
                    let mut previous = None;
                    for place in at..=at + length {
                        let target = match place {
                            0 => 0,
                            p if p <= reference.len() => places[p - 1],
                            _ => break,
                        };
                        if previous == Some(target) {
                            continue;
                        }
                        previous = Some(target);
                        let mut shift = Shift { gain: 0, start, length, target };
                        let distance = table.after(words, &shift)?;
                        shift.gain = i64::from(table.distance()) - i64::from(distance);
                        *tried += 1;
                        if best.is_none_or(|b| shift.beats(&b)) {
                            best = Some(shift);
                        }
                    }
                    if *tried >= MAX_CANDIDATES {
                        return Some(best);
                    }
                }
            }
        }
        Some(best)
    }
}

/// Where each reference word is in the output (the position before it, plus one, so
/// that 0 is before the beginning), and which words of both are in error.
#[derive(Default)]
struct Alignment {
    places: Vec<usize>,
    output_errors: Vec<bool>,
    reference_errors: Vec<bool>,
}

impl Alignment {
    fn read(&mut self, table: &dyn Table, words: &[u32], reference: &[u32]) {
        let (mut i, mut j) = (words.len(), reference.len());
        self.places.resize(j, 0);
        self.output_errors.resize(i, true);
        self.reference_errors.resize(j, true);
        while i > 0 || j > 0 {
            let here = table.cell(i, j);
            let differ = i > 0 && j > 0 && words[i - 1] != reference[j - 1];
            if i > 0 && j > 0 && table.cell(i - 1, j - 1) + u32::from(differ) == here {
                self.places[j - 1] = i;
                self.output_errors[i - 1] = differ;
                self.reference_errors[j - 1] = differ;
                (i, j) = (i - 1, j - 1);
            } else if i > 0 && table.cell(i - 1, j) + 1 == here {
                self.output_errors[i - 1] = true;
                i -= 1;
            } else {
                // A reference word that is missing: after the last word seen.
                self.places[j - 1] = i;
                self.reference_errors[j - 1] = true;
                j -= 1;
            }
        }
    }
}

/// A block of the output that is moved.
#[derive(Clone, Copy)]
pub struct Shift {
    gain: i64,
    start: usize,
    length: usize,
    target: usize,
}

impl Shift {
    /// The words that it reorders, of so many, and how many of them come first in their place.
    pub fn region(&self, words: usize) -> (usize, usize, usize) {
        let Shift { start, length, target, .. } = *self;
        let (from, to, turn) = if target < start {
            (target, start + length, start - target)
        } else if target > start + length {
            (start, target, length)
        } else {
            (start, length + target, length)
        };
        // Beyond the end there is nothing to change places with.
        let to = to.min(words);
        (from, to, turn.min(to - from))
    }

    fn apply(&self, words: &mut [u32]) {
        let (from, to, turn) = self.region(words.len());
        words[from..to].rotate_left(turn);
    }

    /// Tercom's ranking: the highest gain, the longest block, the first one, the first
    /// target.
    fn beats(&self, other: &Shift) -> bool {
        let rank = |s: &Shift| (s.gain, s.length as i64, -(s.start as i64), -(s.target as i64));
        rank(self) > rank(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tables_give_the_same_edits() {
        let mut seed = 7u64;
        let mut draw = |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % n
        };
        let mut by_bits = 0;
        for _ in 0..3000 {
            let (kinds, most) = (1 + draw(40), 1 + draw(70));
            let reference: Vec<u32> = (0..1 + draw(most)).map(|_| draw(kinds) as u32).collect();
            let mut output: Vec<u32> = reference.iter().copied().filter(|_| draw(8) > 0).collect();
            for _ in 0..draw(12) {
                let at = draw(output.len() + 1);
                match draw(3) {
                    0 => output.insert(at, draw(kinds + 2) as u32),
                    1 => output.rotate_left(at),
                    _ => output.truncate(at.max(output.len() / 2)),
                }
            }
            let words = Places::new(&output, &reference);
            let cells = words.edits(&mut Cells::new(&output, &reference).unwrap());
            if let Some(n) = Bits::new(&output, &reference).and_then(|mut bits| words.edits(&mut bits)) {
                assert_eq!(Some(n), cells, "{output:?} {reference:?}");
                by_bits += 1;
            }
        }
        assert!(by_bits > 1500, "{by_bits}");
    }
}
