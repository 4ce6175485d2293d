//! Longest common subsequences, by bits: one row of the table of lengths is a
//! word for each 64 columns, a clear bit where the length steps up (Hyyro 2004).

/// Where each number occurs in a list of numbers, for bit rows over that list.
pub struct Columns<'c> {
    list: &'c [u32],
    /// For each number, the range of `places` that holds its columns.
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl<'c> Columns<'c> {
    /// Indexes `list`, whose numbers are below `kinds`.
    pub fn new(list: &'c [u32], kinds: usize) -> Self {
        let mut starts = vec![0; kinds + 1];
        for &id in list {
            starts[id as usize + 1] += 1;
        }
        for i in 0..kinds {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut places = vec![0; list.len()];
        for (column, &id) in list.iter().enumerate() {
            places[next[id as usize] as usize] = column as u32;
            next[id as usize] += 1;
        }
        Columns { list, starts, places }
    }

    fn of(&self, id: u32) -> &[u32] {
        match self.starts.get(id as usize..) {
            Some(&[start, end, ..]) => &self.places[start as usize..end as usize],
            _ => &[],
        }
    }

    fn words(&self) -> usize {
        self.list.len().div_ceil(64)
    }

    /// Computes the row of `id` from the row before it.
    fn step(&self, id: u32, row: &mut [u64], mask: &mut [u64]) {
        let places = self.of(id);
        if places.is_empty() {
            return;
        }
        for &p in places {
            mask[p as usize / 64] |= 1 << (p % 64);
        }
        let mut carry = false;
        for (v, m) in row.iter_mut().zip(mask.iter_mut()) {
            let (sum, a) = v.overflowing_add(*v & *m);
            let (sum, b) = sum.overflowing_add(u64::from(carry));
            carry = a | b;
            *v = sum | (*v & !*m);
            *m = 0;
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
    pub fn mark(&self, rows: &[u32], union: &mut [bool]) {
        let words = self.words();
        // Row 0, then one for each of rows.
        let mut table = vec![u64::MAX; words * (rows.len() + 1)];
        let mut mask = vec![0; words];
        for (i, &id) in rows.iter().enumerate() {
            let (before, row) = table[i * words..].split_at_mut(words);
            row[..words].copy_from_slice(before);
            self.step(id, &mut row[..words], &mut mask);
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
            let index = Columns::new(&columns, kinds as usize);
            assert_eq!(index.length(rows.iter().copied()), length, "{rows:?} {columns:?}");
            let mut got = vec![false; rows.len()];
            index.mark(&rows, &mut got);
            assert_eq!(got, marks, "{rows:?} {columns:?}");
        }
    }
}
