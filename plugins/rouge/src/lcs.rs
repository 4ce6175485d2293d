//! Longest common subsequences, by bits: one row of the table of lengths is a
//! word for each 64 columns, a clear bit where the length steps up (Hyyro 2004).

/// Where each number occurs in a list of numbers, for bit rows over that list.
pub struct Columns<'c> {
    list: &'c [u32],
    /// The numbers of the list in order; empty if each is an index by itself.
    names: Vec<u32>,
    /// For each index, the range of `places` that holds its columns.
    starts: Vec<u32>,
    places: Vec<u32>,
    /// For each index, where `masks` has its columns as a row of bits, or none: only of numbers
    /// that have more columns than a row has words, which are 64 at most.
    dense: Vec<u32>,
    masks: Vec<u64>,
}

impl Table {
    /// Memory for lists of up to so many words and rows: the allocator takes nothing back.
    pub fn new(words: usize, rows: usize) -> Self {
        Table { rows: Vec::with_capacity(words * (rows + 1)), mask: Vec::with_capacity(words) }
    }
}

const SPARSE: u32 = u32::MAX;

/// Memory that the rows of many lists share.
pub struct Table {
    rows: Vec<u64>,
    mask: Vec<u64>,
}

impl<'c> Columns<'c> {
    /// Indexes `list`, whose numbers are below `kinds`.
    pub fn new(list: &'c [u32], kinds: usize) -> Self {
        let mut names = Vec::new();
        if kinds > 2 * list.len() + 16 {
            names = list.to_vec();
            names.sort_unstable();
            names.dedup();
        }
        let mut columns = Columns { list, names, starts: Vec::new(), places: vec![0; list.len()], dense: Vec::new(), masks: Vec::new() };
        let kinds = if kinds > 2 * list.len() + 16 { columns.names.len() } else { kinds };
        let mut starts = vec![0; kinds + 1];
        let indices: Vec<usize> = list.iter().map(|&id| columns.index(id)).collect();
        for &i in &indices {
            starts[i + 1] += 1;
        }
        for i in 0..kinds {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        for (column, &i) in indices.iter().enumerate() {
            columns.places[next[i] as usize] = column as u32;
            next[i] += 1;
        }
        columns.starts = starts;
        let words = columns.words();
        if words > 1 {
            columns.dense = vec![SPARSE; kinds];
            for i in 0..kinds {
                let range = columns.starts[i] as usize..columns.starts[i + 1] as usize;
                if range.len() > words {
                    let at = columns.masks.len();
                    columns.dense[i] = (at / words) as u32;
                    columns.masks.resize(at + words, 0);
                    for &p in &columns.places[range] {
                        columns.masks[at + p as usize / 64] |= 1 << (p % 64);
                    }
                }
            }
        }
        columns
    }

    /// The index of a number; beyond all if it is not in the list.
    fn index(&self, id: u32) -> usize {
        if self.names.is_empty() { id as usize } else { self.names.binary_search(&id).unwrap_or(usize::MAX) }
    }

    fn of(&self, index: usize) -> &[u32] {
        match self.starts.get(index..) {
            Some(&[start, end, ..]) => &self.places[start as usize..end as usize],
            _ => &[],
        }
    }

    /// How many words a row has.
    pub fn words(&self) -> usize {
        self.list.len().div_ceil(64)
    }

    /// Computes the row of `id` from the row before it.
    fn step(&self, id: u32, row: &mut [u64], mask: &mut [u64]) {
        let index = self.index(id);
        let places = self.of(index);
        if places.is_empty() {
            return;
        }
        match self.dense.get(index) {
            Some(&at) if at != SPARSE => {
                let from = at as usize * row.len();
                add(row, self.masks[from..from + row.len()].iter().copied());
            }
            _ => {
                for &p in places {
                    mask[p as usize / 64] |= 1 << (p % 64);
                }
                add(row, mask.iter_mut().map(std::mem::take));
            }
        }
    }

    /// The length of a longest common subsequence of `rows` and the list.
    pub fn length(&self, rows: impl Iterator<Item = u32>) -> usize {
        let mut row = vec![u64::MAX; self.words()];
        let mut mask = vec![0; self.words()];
        for id in rows {
            self.step(id, &mut row, &mut mask);
        }
        clear_bits(&row, self.list.len())
    }

    /// Marks in `union` which of `rows` are on the longest common subsequence
    /// that rouge_score finds: it walks the table back from its end, diagonally
    /// where the tokens are equal, else left if the cell there is larger than
    /// the one above, else up.
    ///
    /// The table has a row for each of `rows` and one before them.
    pub fn mark(&self, rows: &[u32], union: &mut [bool], memory: &mut Table) {
        let words = self.words();
        let Table { rows: table, mask } = memory;
        table.clear();
        table.resize(words * (rows.len() + 1), u64::MAX);
        mask.clear();
        mask.resize(words, 0);
        for (i, &id) in rows.iter().enumerate() {
            let (before, row) = table[i * words..].split_at_mut(words);
            row[..words].copy_from_slice(before);
            self.step(id, &mut row[..words], mask);
        }
        let row = |i: usize| &table[i * words..(i + 1) * words];
        let step = |i: usize, j: usize| usize::from(row(i)[(j - 1) / 64] >> ((j - 1) % 64) & 1 == 0);
        let above = |i: usize, j: usize| if i == 0 { 0 } else { clear_bits(row(i - 1), j) };
        let (mut i, mut j) = (rows.len(), self.list.len());
        // The lengths at (i, j) and at (i - 1, j).
        let (mut here, mut up) = (clear_bits(row(i), j), above(i, j));
        while here > 0 && i > 0 && j > 0 {
            let left = here - step(i, j);
            if rows[i - 1] == self.list[j - 1] {
                union[i - 1] = true;
                here = up - step(i - 1, j);
                (i, j) = (i - 1, j - 1);
                up = above(i, j);
            } else if left > up {
                up -= step(i - 1, j);
                here = left;
                j -= 1;
            } else {
                here = up;
                i -= 1;
                up = above(i, j);
            }
        }
    }
}

/// The next row: columns of `mask` may step up.
fn add(row: &mut [u64], mask: impl Iterator<Item = u64>) {
    let mut carry = false;
    for (v, m) in row.iter_mut().zip(mask) {
        let (sum, a) = v.overflowing_add(*v & m);
        let (sum, b) = sum.overflowing_add(u64::from(carry));
        carry = a | b;
        *v = sum | (*v & !m);
    }
}

/// How many of the first `n` bits are clear.
fn clear_bits(row: &[u64], n: usize) -> usize {
    let whole: u32 = row[..n / 64].iter().map(|w| w.count_zeros()).sum();
    let part = if n % 64 == 0 { 0 } else { (!row[n / 64] & ((1 << (n % 64)) - 1)).count_ones() };
    (whole + part) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// rouge_score's table and walk, as written.
    fn naive(rows: &[u32], columns: &[u32]) -> (usize, Vec<bool>) {
        let mut t = vec![vec![0usize; columns.len() + 1]; rows.len() + 1];
        for i in 1..=rows.len() {
            for j in 1..=columns.len() {
                t[i][j] =
                    if rows[i - 1] == columns[j - 1] { t[i - 1][j - 1] + 1 } else { t[i - 1][j].max(t[i][j - 1]) };
            }
        }
        let mut marks = vec![false; rows.len()];
        let (mut i, mut j) = (rows.len(), columns.len());
        while i > 0 && j > 0 {
            if rows[i - 1] == columns[j - 1] {
                marks[i - 1] = true;
                (i, j) = (i - 1, j - 1);
            } else if t[i][j - 1] > t[i - 1][j] {
                j -= 1;
            } else {
                i -= 1;
            }
        }
        (t[rows.len()][columns.len()], marks)
    }

    #[test]
    fn agrees_with_the_table_as_written() {
        let mut seed = 5u64;
        let mut draw = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        let mut table = Table::new(4, 200);
        for round in 0..4000 {
            let kinds = 1 + draw(8);
            let most = if round % 10 == 0 { 200 } else { 14 };
            let columns: Vec<u32> = (0..draw(most)).map(|_| draw(kinds) as u32).collect();
            // Unknown tokens have a number that the columns never have.
            let rows: Vec<u32> = (0..draw(most))
                .map(|_| draw(kinds + 2) as u32)
                .map(|id| if id >= kinds as u32 { u32::MAX } else { id })
                .collect();
            let (length, marks) = naive(&rows, &columns);
            // With many kinds the list has names of its own.
            let index = Columns::new(&columns, if round % 2 == 0 { kinds as usize } else { 1000 });
            assert_eq!(index.length(rows.iter().copied()), length, "{rows:?} {columns:?}");
            let mut got = vec![false; rows.len()];
            index.mark(&rows, &mut got, &mut table);
            assert_eq!(got, marks, "{rows:?} {columns:?}");
        }
    }
}
