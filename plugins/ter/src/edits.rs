//! The number of edits and block shifts, by tercom's greedy search with sacrebleu's
//! limits. Its order of candidates, ties and limits decide scores, so they are kept;
//! its cache of rows is replaced by computing only what a shift changes.

/// Limits of tercom and sacrebleu.
const MAX_SHIFT_SIZE: usize = 10;
const MAX_SHIFT_DIST: usize = 50;
const BEAM: usize = 25;
const MAX_CANDIDATES: usize = 1000;

/// The most cells that a score takes: about half of a call's fuel.
const MOST_CELLS: usize = 60_000_000;

/// The most cells that are kept: 24 MiB.
const MOST_KEPT: usize = 6 << 20;

/// A cell that the beam leaves out.
const FAR: u32 = 1 << 30;

/// Counts the edits that make `reference` of `output`, both words by number; `None`
/// if that takes too long.
pub fn edits(output: &[u32], reference: &[u32]) -> Option<usize> {
    if reference.is_empty() {
        return Some(output.len());
    }
    let beam = Beam::new(output.len(), reference.len());
    let cells: usize = (0..=output.len()).map(|i| beam.range(i)).map(|(start, end)| end - start).sum();
    if cells > MOST_KEPT {
        return None;
    }
    let mut search = Search { reference, cells: 0, beam, scratch: Scratch::default() };
    let mut words = output.to_vec();
    // All that is large is used again: the allocator frees nothing.
    let (mut table, mut alignment) = (Table::default(), Alignment::default());
    table.cells.reserve_exact(cells);
    table.starts.reserve_exact(output.len() + 1);
    table.ends.reserve_exact(output.len() + 1);
    let (mut shifts, mut tried) = (0, 0);
    loop {
        search.fill(&mut table, &words)?;
        alignment.read(&table, &words, reference);
        let best = search.best_shift(&words, &table, &alignment, &mut tried)?;
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

/// Which columns a row of the table has: those around a pseudo-diagonal.
struct Beam {
    rows: usize,
    columns: usize,
    ratio: f64,
    width: usize,
}

impl Beam {
    fn new(rows: usize, columns: usize) -> Self {
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
struct Table {
    starts: Vec<usize>,
    ends: Vec<usize>,
    cells: Vec<u32>,
}

impl Table {
    fn row(&self, i: usize) -> Row<'_> {
        let from = if i == 0 { 0 } else { self.ends[i - 1] };
        Row { start: self.starts[i], cells: &self.cells[from..self.ends[i]] }
    }

    fn distance(&self) -> u32 {
        self.cells.last().copied().unwrap_or(0)
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
    fn read(&mut self, table: &Table, words: &[u32], reference: &[u32]) {
        let (mut i, mut j) = (words.len(), reference.len());
        self.places.resize(j, 0);
        self.output_errors.resize(i, true);
        self.reference_errors.resize(j, true);
        while i > 0 || j > 0 {
            let here = table.row(i).at(j);
            let differ = i > 0 && j > 0 && words[i - 1] != reference[j - 1];
            if i > 0 && j > 0 && table.row(i - 1).at(j - 1) + u32::from(differ) == here {
                self.places[j - 1] = i;
                self.output_errors[i - 1] = differ;
                self.reference_errors[j - 1] = differ;
                (i, j) = (i - 1, j - 1);
            } else if i > 0 && table.row(i - 1).at(j) + 1 == here {
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
struct Shift {
    gain: i64,
    start: usize,
    length: usize,
    target: usize,
}

impl Shift {
    /// The words that it reorders, and how many of them come first in their place.
    fn region(&self) -> (usize, usize, usize) {
        let Shift { start, length, target, .. } = *self;
        if target < start {
            (target, start + length, start - target)
        } else if target > start + length {
            (start, target, length)
        } else {
            (start, length + target, length)
        }
    }

    fn apply(&self, words: &mut [u32]) {
        let (from, to, turn) = self.region();
        // Beyond the end there is nothing to change places with.
        let to = to.min(words.len());
        words[from..to].rotate_left(turn.min(to - from));
    }

    /// Tercom's ranking: the highest gain, the longest block, the first one, the first
    /// target.
    fn beats(&self, other: &Shift) -> bool {
        let rank = |s: &Shift| (s.gain, s.length as i64, -(s.start as i64), -(s.target as i64));
        rank(self) > rank(other)
    }
}

struct Search<'r> {
    reference: &'r [u32],
    cells: usize,
    beam: Beam,
    scratch: Scratch,
}

/// What the distance after a shift is computed in.
#[derive(Default)]
struct Scratch {
    words: Vec<u32>,
    before: Vec<u32>,
    row: Vec<u32>,
}

impl Search<'_> {
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

    fn fill(&mut self, table: &mut Table, words: &[u32]) -> Option<()> {
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
        Some(())
    }

    /// The edit distance after a shift, from the table before it.
    fn distance(&mut self, words: &[u32], table: &Table, shift: &Shift) -> Option<u32> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let distance = self.distance_in(&mut scratch, words, table, shift);
        self.scratch = scratch;
        distance
    }

    fn distance_in(&mut self, scratch: &mut Scratch, words: &[u32], table: &Table, shift: &Shift) -> Option<u32> {
        let (from, to, _) = shift.region();
        let to = to.min(words.len());
        // Only the words from the shift to where the rows are alike again are read.
        let Scratch { words: shifted, before, row } = scratch;
        shifted.clear();
        shifted.extend_from_slice(&words[from..to]);
        Shift { start: shift.start - from, target: shift.target - from, ..*shift }.apply(shifted);
        before.clear();
        before.extend_from_slice(table.row(from).cells);
        let mut start = table.row(from).start;
        for i in from + 1..=words.len() {
            row.clear();
            let word = shifted.get(i - 1 - from).copied().unwrap_or(words[i - 1]);
            start = self.row(i, word, Row { start, cells: before }, row);
            std::mem::swap(before, row);
            if i >= to {
                // From here on the words are the same: if the whole row differs by
                // one number, so does the distance.
                let old = table.row(i).cells;
                let differs = |a: u32, b: u32| i64::from(a) - i64::from(b);
                let by = differs(before[before.len() - 1], old[old.len() - 1]);
                if before.iter().zip(old).all(|(&a, &b)| if b >= FAR { a >= FAR } else { differs(a, b) == by }) {
                    return u32::try_from(i64::from(table.distance()) + by).ok();
                }
            }
        }
        if self.cells > MOST_CELLS {
            return None;
        }
        before.last().copied()
    }

    /// The best of all shifts; `Some(None)` if there is none to try.
    fn best_shift(
        &mut self,
        words: &[u32],
        table: &Table,
        alignment: &Alignment,
        tried: &mut usize,
    ) -> Option<Option<Shift>> {
        let Alignment { places, output_errors, reference_errors } = alignment;
        let reference = self.reference;
        let mut best: Option<Shift> = None;
        for start in 0..words.len() {
            let near = start.saturating_sub(MAX_SHIFT_DIST)..reference.len().min(start + MAX_SHIFT_DIST + 1);
            self.cells += near.len() / 4;
            for at in near {
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
                        let distance = self.distance(words, table, &shift)?;
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
            if self.cells > MOST_CELLS {
                return None;
            }
        }
        Some(best)
    }
}
