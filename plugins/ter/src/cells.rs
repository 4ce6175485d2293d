//! The table of edit distances, cell by cell, with sacrebleu's beam.

use crate::edits::{Shift, Table};

/// How many columns on each side of the pseudo-diagonal are computed.
pub const BEAM: usize = 25;

/// The most cells that a score takes: about half of a call's fuel.
const MOST_CELLS: usize = 60_000_000;

/// The most cells that are kept: 24 MiB.
const MOST_KEPT: usize = 6 << 20;

/// A cell that the beam leaves out.
const FAR: u32 = 1 << 30;

/// Which columns a row of the table has: those around a pseudo-diagonal.
pub struct Beam {
    rows: usize,
    columns: usize,
    ratio: f64,
    pub width: usize,
}

impl Beam {
    pub fn new(rows: usize, columns: usize) -> Self {
        let ratio = if rows > 0 { columns as f64 / rows as f64 } else { 1.0 };
        let wide = (ratio / 2.0 + BEAM as f64).ceil() as usize;
        Beam { rows, columns, ratio, width: if (BEAM as f64) < ratio / 2.0 { wide } else { BEAM } }
    }

    fn range(&self, row: usize) -> (usize, usize) {
        if row == 0 {
            return (0, self.columns + 1);
        }
        let diagonal = (row as f64 * self.ratio).floor() as usize;
        let end = if row == self.rows { self.columns + 1 } else { (self.columns + 1).min(diagonal + self.width) };
        (diagonal.saturating_sub(self.width), end)
    }
}

/// A row of the table from the column `start` on; outside, all is far.
#[derive(Clone, Copy)]
struct Row<'t> {
    start: usize,
    cells: &'t [u32],
}

impl Row<'_> {
    fn at(&self, column: usize) -> u32 {
        // Before `start` this wraps to an index that no row has.
        self.cells.get(column.wrapping_sub(self.start)).copied().unwrap_or(FAR)
    }
}

/// The edit distances of all beginnings of the output.
#[derive(Default)]
struct Rows {
    starts: Vec<usize>,
    ends: Vec<usize>,
    cells: Vec<u32>,
}

impl Rows {
    fn row(&self, i: usize) -> Row<'_> {
        let from = if i == 0 { 0 } else { self.ends[i - 1] };
        Row { start: self.starts[i], cells: &self.cells[from..self.ends[i]] }
    }

    fn distance(&self) -> u32 {
        self.cells.last().copied().unwrap_or(0)
    }
}

/// The table with the beam.
pub struct Cells<'r> {
    reference: &'r [u32],
    table: Rows,
    beam: Beam,
    /// How many were computed.
    cells: usize,
    scratch: Scratch,
}

/// What the distance after a shift is computed in.
#[derive(Default)]
struct Scratch {
    words: Vec<u32>,
    before: Vec<u32>,
    row: Vec<u32>,
}

impl<'r> Cells<'r> {
    /// `None` if the table would be too large.
    pub fn new(output: &[u32], reference: &'r [u32]) -> Option<Self> {
        let beam = Beam::new(output.len(), reference.len());
        let cells: usize = (0..=output.len()).map(|i| beam.range(i)).map(|(start, end)| end - start).sum();
        if cells > MOST_KEPT {
            return None;
        }
        let rows = output.len() + 1;
        let table =
            Rows { starts: Vec::with_capacity(rows), ends: Vec::with_capacity(rows), cells: Vec::with_capacity(cells) };
        Some(Cells { reference, table, beam, cells: 0, scratch: Scratch::default() })
    }

    /// Computes row `i`, that of `word`, from the one before it.
    fn row(&mut self, i: usize, word: u32, before: Row, out: &mut Vec<u32>) -> usize {
        let (start, end) = self.beam.range(i);
        self.cells += end - start;
        let mut left = FAR;
        let mut diagonal = if start > 0 { before.at(start - 1) } else { FAR };
        for j in start..end {
            let up = before.at(j);
            let same = j > 0 && self.reference[j - 1] == word;
            let here = (diagonal + u32::from(!same)).min(up + 1).min(left + 1).min(FAR);
            out.push(here);
            left = here;
            diagonal = up;
        }
        start
    }

    /// The edit distance after a shift, from the table before it.
    fn distance_in(&mut self, scratch: &mut Scratch, words: &[u32], shift: &Shift) -> Option<u32> {
        let (from, to, turn) = shift.region(words.len());
        // Only the words from the shift to where the rows are alike again are read.
        let Scratch { words: shifted, before, row } = scratch;
        shifted.clear();
        shifted.extend_from_slice(&words[from..to]);
        shifted.rotate_left(turn);
        before.clear();
        before.extend_from_slice(self.table.row(from).cells);
        let mut start = self.table.row(from).start;
        for i in from + 1..=words.len() {
            row.clear();
            let word = shifted.get(i - 1 - from).copied().unwrap_or(words[i - 1]);
            start = self.row(i, word, Row { start, cells: before }, row);
            std::mem::swap(before, row);
            if i >= to {
                // From here on the words are the same: if the whole row differs by
                // one number, so does the distance.
                let old = self.table.row(i).cells;
                let differs = |a: u32, b: u32| i64::from(a) - i64::from(b);
                let by = differs(before[before.len() - 1], old[old.len() - 1]);
                if before.iter().zip(old).all(|(&a, &b)| if b >= FAR { a >= FAR } else { differs(a, b) == by }) {
                    return u32::try_from(i64::from(self.table.distance()) + by).ok();
                }
            }
        }
        if self.cells > MOST_CELLS {
            return None;
        }
        before.last().copied()
    }
}

impl Table for Cells<'_> {
    fn fill(&mut self, words: &[u32]) -> Option<()> {
        let mut table = std::mem::take(&mut self.table);
        table.starts.clear();
        table.ends.clear();
        table.cells.clear();
        table.starts.push(0);
        table.cells.extend(0..=self.reference.len() as u32);
        table.ends.push(table.cells.len());
        let mut row = std::mem::take(&mut self.scratch.row);
        for (i, &word) in (1..).zip(words) {
            row.clear();
            let start = self.row(i, word, table.row(i - 1), &mut row);
            table.cells.extend_from_slice(&row);
            table.starts.push(start);
            table.ends.push(table.cells.len());
            if self.cells > MOST_CELLS {
                return None;
            }
        }
        self.scratch.row = row;
        self.table = table;
        Some(())
    }

    fn cell(&self, i: usize, j: usize) -> u32 {
        self.table.row(i).at(j)
    }

    fn distance(&self) -> u32 {
        self.table.distance()
    }

    fn after(&mut self, words: &[u32], shift: &Shift) -> Option<u32> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let distance = self.distance_in(&mut scratch, words, shift);
        self.scratch = scratch;
        distance
    }

    fn look(&mut self, places: usize) -> Option<()> {
        self.cells += places / 4;
        (self.cells <= MOST_CELLS).then_some(())
    }
}
