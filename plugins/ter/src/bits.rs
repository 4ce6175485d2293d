//! The table of edit distances by bits (Myers 1999, Hyyro 2003).

use crate::cells::{Beam, BEAM};
use crate::edits::{kinds, Shift, Table};

/// The table without a beam: it has an answer where the beam changes nothing. The rows belong to output words; a bit belongs to a word of the reference.
pub struct Bits {
    /// Where each word is in the reference.
    masks: Vec<u64>,
    rows: Vec<Deltas>,
    /// The length of the reference.
    columns: u32,
    /// The highest distance at which no shortest path leaves the beam.
    most: u32,
}

/// Where a row of the table goes up by one from the cell before, and where down.
#[derive(Clone, Copy)]
struct Deltas {
    up: u64,
    down: u64,
}

impl Deltas {
    fn next(self, equal: u64) -> Self {
        let Deltas { up, down } = self;
        let diagonal = (((equal & up).wrapping_add(up)) ^ up) | equal | down;
        let right = (down | !(diagonal | up)) << 1 | 1;
        let left = (diagonal & up) << 1;
        Deltas { up: left | !(diagonal | right), down: diagonal & right }
    }

    /// Whether two rows have the same cells in the columns of a mask, if they begin with the same one.
    fn same(self, other: Self, columns: u64) -> bool {
        (self.up ^ other.up | self.down ^ other.down) & columns == 0
    }

    /// The cell `j` of row `i`.
    fn cell(self, i: usize, j: u32) -> u32 {
        let before = low(j);
        i as u32 + (self.up & before).count_ones() - (self.down & before).count_ones()
    }
}

/// The lowest `n` bits, at most 64.
fn low(n: u32) -> u64 {
    1u64.checked_shl(n).unwrap_or(0).wrapping_sub(1)
}

impl Bits {
    /// `None` if the reference is too long.
    ///
    /// A cell beyond the beam is more than `BEAM - 1` columns from the pseudo-diagonal. With k
    /// the difference of the lengths, a path through it costs more than 2 (BEAM - 1) - k. Two
    /// less than that allow for a diagonal that is rounded.
    pub fn new(output: &[u32], reference: &[u32]) -> Option<Self> {
        let most = (2 * BEAM - 4).checked_sub(output.len().abs_diff(reference.len()))? as u32;
        if reference.len() > 64 || Beam::new(output.len(), reference.len()).width > BEAM {
            return None;
        }
        let mut masks = vec![0; kinds(output, reference)];
        for (j, &word) in reference.iter().enumerate() {
            masks[word as usize] |= 1 << j;
        }
        Some(Bits { masks, rows: Vec::with_capacity(output.len() + 1), columns: reference.len() as u32, most })
    }

    fn known(&self, distance: u32) -> Option<u32> {
        (distance <= self.most).then_some(distance)
    }
}

impl Table for Bits {
    fn fill(&mut self, words: &[u32]) -> Option<()> {
        let mut row = Deltas { up: u64::MAX, down: 0 };
        self.rows.clear();
        self.rows.push(row);
        for &word in words {
            row = row.next(self.masks[word as usize]);
            self.rows.push(row);
        }
        self.known(self.distance()).map(|_| ())
    }

    fn cell(&self, i: usize, j: usize) -> u32 {
        self.rows[i].cell(i, j as u32)
    }

    fn distance(&self) -> u32 {
        let last = self.rows.len() - 1;
        self.rows[last].cell(last, self.columns)
    }

    fn after(&mut self, words: &[u32], shift: &Shift) -> Option<u32> {
        let (from, to, turn) = shift.region(words.len());
        let mut row = self.rows[from];
        let (first, second) = words[from..to].split_at(turn);
        for &word in second.iter().chain(first) {
            row = row.next(self.masks[word as usize]);
        }
        for (&word, &before) in words[to..].iter().zip(&self.rows[to..]) {
            if row.same(before, low(self.columns)) {
                return Some(self.distance());
            }
            row = row.next(self.masks[word as usize]);
        }
        self.known(row.cell(words.len(), self.columns))
    }

    fn look(&mut self, _: usize) -> Option<()> {
        Some(())
    }
}
