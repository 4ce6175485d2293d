//! Distances between sequences of numbers, by bits: 64 cells of the table in a
//! step (Myers 1999, Hyyro 2003 and 2004). The table is computed in strips of 64
//! rows; what a strip hands to the next is a byte for each column, so that memory
//! does not grow with the product of the lengths.

use crate::ngram::Words;

/// The most steps that a distance takes: 64 cells of the table in one of these,
/// one cell where an algorithm is not by bits. About half of a call's fuel.
pub const MOST_STEPS: usize = 25_000_000;

/// Two sequences of numbers below `kinds`.
pub struct Pair {
    a: Vec<u32>,
    b: Vec<u32>,
    kinds: usize,
}

/// Numbers for distinct characters.
pub struct Numbers {
    slots: Vec<u32>,
    list: Vec<char>,
}

impl Default for Numbers {
    fn default() -> Self {
        Numbers { slots: vec![u32::MAX; 64], list: Vec::new() }
    }
}

impl Numbers {
    /// The number of a character, from 0 up.
    pub fn of(&mut self, c: char) -> u32 {
        if self.list.len() * 2 >= self.slots.len() {
            let size = self.slots.len() * 4;
            self.slots = vec![u32::MAX; size];
            for (n, &c) in (0..).zip(&self.list) {
                let mut at = hash(c) & (size - 1);
                while self.slots[at] != u32::MAX {
                    at = (at + 1) & (size - 1);
                }
                self.slots[at] = n;
            }
        }
        let mask = self.slots.len() - 1;
        let mut at = hash(c) & mask;
        loop {
            match self.slots[at] {
                u32::MAX => {
                    self.slots[at] = self.list.len() as u32;
                    self.list.push(c);
                    return self.slots[at];
                }
                n if self.list[n as usize] == c => return n,
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// How many distinct characters there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

fn hash(c: char) -> usize {
    (c as u32).wrapping_mul(0x9e37_79b9).rotate_left(15) as usize
}

/// The code points below this are their own numbers.
const OWN: u32 = 128;

impl Pair {
    /// The code points of two texts.
    pub fn chars(a: &str, b: &str) -> Self {
        if a.is_ascii() && b.is_ascii() {
            return Pair::bytes(a, b);
        }
        let mut numbers = Numbers::default();
        let mut number = |c: char| match c as u32 {
            c if c < OWN => c,
            _ => OWN + numbers.of(c),
        };
        let a = a.chars().map(&mut number).collect();
        let b = b.chars().map(&mut number).collect();
        Pair { a, b, kinds: OWN as usize + numbers.len() }
    }

    /// The bytes of two texts.
    pub fn bytes(a: &str, b: &str) -> Self {
        let kinds = if a.is_ascii() && b.is_ascii() { 128 } else { 256 };
        Pair { a: a.bytes().map(u32::from).collect(), b: b.bytes().map(u32::from).collect(), kinds }
    }

    /// Two lists of texts: words, clusters.
    pub fn texts<'t>(a: &[&'t str], b: &[&'t str]) -> Self {
        let mut words = Words::new(a.len() + b.len());
        let mut number = |t: &&'t str| words.intern(t.as_bytes());
        let a = a.iter().map(&mut number).collect();
        let b = b.iter().map(&mut number).collect();
        Pair { a, b, kinds: words.len() }
    }

    /// The two sequences.
    pub fn both(&self) -> (&[u32], &[u32]) {
        (&self.a, &self.b)
    }

    /// One more than the largest number.
    pub fn kinds(&self) -> usize {
        self.kinds
    }

    /// The length of the longer one.
    pub fn longest(&self) -> usize {
        self.a.len().max(self.b.len())
    }

    /// How many items both begin with, and how many of the rest they end with.
    pub fn common_ends(&self) -> (usize, usize) {
        let start = self.a.iter().zip(&self.b).take_while(|(x, y)| x == y).count();
        let end = self.a[start..].iter().rev().zip(self.b[start..].iter().rev()).take_while(|(x, y)| x == y).count();
        (start, end)
    }

    /// The middles that differ: rows (the shorter one) and columns.
    fn middles(&self) -> (&[u32], &[u32]) {
        let (start, end) = self.common_ends();
        let (a, b) = (&self.a[start..self.a.len() - end], &self.b[start..self.b.len() - end]);
        if a.len() <= b.len() {
            (a, b)
        } else {
            (b, a)
        }
    }

    /// Insertions, deletions and substitutions; `None` if they take too many steps.
    pub fn levenshtein(&self) -> Option<usize> {
        let (rows, columns) = self.middles();
        match rows.len().div_ceil(64) {
            1 => Some(columns_of::<1>(rows, columns, self.kinds)),
            2 => Some(columns_of::<2>(rows, columns, self.kinds)),
            3 => Some(columns_of::<3>(rows, columns, self.kinds)),
            4 => Some(columns_of::<4>(rows, columns, self.kinds)),
            _ => strips::<false>(rows, columns, self.kinds),
        }
    }

    /// The same and transpositions of neighbours, no part edited twice (optimal
    /// string alignment).
    pub fn osa(&self) -> Option<usize> {
        let (rows, columns) = self.middles();
        strips::<true>(rows, columns, self.kinds)
    }

    /// The length of a longest common subsequence.
    pub fn lcs(&self) -> Option<usize> {
        let (start, end) = self.common_ends();
        let (rows, columns) = self.middles();
        Some(start + end + lcs(rows, columns, self.kinds)?)
    }

    /// Damerau's distance without restrictions (Lowrance and Wagner 1975), in
    /// Zhao's linear space.
    pub fn damerau_levenshtein(&self) -> Option<usize> {
        let (a, b) = self.middles();
        if a.len().saturating_mul(b.len()) > MOST_STEPS {
            return None;
        }
        Some(damerau(a, b, self.kinds))
    }

    /// The operations of a shortest edit of the first sequence, the reference, into
    /// the second: of several, the one that RapidFuzz takes. `None` if that takes too
    /// much time or memory.
    pub fn operations(&self) -> Option<Operations> {
        let (start, end) = self.common_ends();
        let mut found = operations(&self.a[start..self.a.len() - end], &self.b[start..self.b.len() - end], self.kinds)?;
        found.hits += start + end;
        Some(found)
    }

    /// Positions where the two differ, and the difference of their lengths.
    pub fn hamming(&self) -> usize {
        let differ = self.a.iter().zip(&self.b).filter(|(x, y)| x != y).count();
        differ + self.a.len().abs_diff(self.b.len())
    }
}

/// The rows of a strip as masks: for each number, which of 64 rows have it.
struct Masks(Vec<u64>);

impl Masks {
    fn set(&mut self, rows: &[u32]) {
        for (i, &n) in rows.iter().enumerate() {
            self.0[n as usize] |= 1 << i;
        }
    }

    fn clear(&mut self, rows: &[u32]) {
        rows.iter().for_each(|&n| self.0[n as usize] = 0);
    }
}

/// What a strip hands to the one below: the cell below is higher or lower than
/// its left neighbour, and a bit of the transpositions.
const UP: u8 = 1;
const DOWN: u8 = 2;
const SWAP: u8 = 4;

/// How many steps a table takes.
pub fn steps(rows: usize, columns: usize) -> usize {
    rows.div_ceil(64).saturating_mul(columns)
}

/// Levenshtein's distance of 1 to `64 * W` rows, column by column: what one word of rows
/// hands to the next stays in registers. Sentences take half the time that strips take.
fn columns_of<const W: usize>(rows: &[u32], columns: &[u32], kinds: usize) -> usize {
    let mut masks = vec![[0u64; W]; kinds];
    for (i, &n) in rows.iter().enumerate() {
        masks[n as usize][i / 64] |= 1 << (i % 64);
    }
    let last = (rows.len() - 1) % 64;
    let (mut vp, mut vn) = ([u64::MAX; W], [0; W]);
    let mut distance = rows.len() as u64;
    for &n in columns {
        let eq = &masks[n as usize];
        let (mut up, mut down) = (1, 0);
        for w in 0..W {
            let x = eq[w] | down;
            let d = (((x & vp[w]).wrapping_add(vp[w])) ^ vp[w]) | x | vn[w];
            let (hp, hn) = (vn[w] | !(d | vp[w]), d & vp[w]);
            if w == W - 1 {
                distance = distance + (hp >> last & 1) - (hn >> last & 1);
            }
            let (p, n) = (hp << 1 | up, hn << 1 | down);
            (up, down) = (hp >> 63, hn >> 63);
            vp[w] = n | !(d | p);
            vn[w] = p & d;
        }
    }
    distance as usize
}

fn strips<const SWAPS: bool>(rows: &[u32], columns: &[u32], kinds: usize) -> Option<usize> {
    if steps(rows.len(), columns.len()) > MOST_STEPS {
        return None;
    }
    if rows.is_empty() {
        return Some(columns.len());
    }
    let edge = table::<SWAPS>(rows, columns, kinds, |_, _| {});
    let (up, down) = edge.iter().fold((0, 0), |(u, d), e| (u + usize::from(e & UP), d + usize::from(e / DOWN & 1)));
    Some(rows.len() + up - down)
}

/// The table in strips: `cells` sees where the cells of a strip's column are higher, and where they are lower, than
/// those above them. The edge below the last row.
fn table<const SWAPS: bool>(rows: &[u32], columns: &[u32], kinds: usize, mut cells: impl FnMut(u64, u64)) -> Vec<u8> {
    let mut masks = Masks(vec![0; kinds]);
    let mut edge = vec![UP; columns.len()];
    for strip in rows.chunks(64) {
        masks.set(strip);
        let last = strip.len() - 1;
        let (mut vp, mut vn) = (u64::MAX, 0u64);
        let (mut d_before, mut eq_before) = (u64::MAX, 0u64);
        for (edge, &n) in edge.iter_mut().zip(columns) {
            let eq = masks.0[n as usize];
            let (up, down) = (u64::from(*edge & UP), u64::from(*edge / DOWN & 1));
            let x = eq | down;
            let mut d = (((x & vp).wrapping_add(vp)) ^ vp) | x | vn;
            let mut swap = 0;
            if SWAPS {
                let begun = !d_before & eq;
                d |= (begun << 1 | u64::from(*edge / SWAP)) & eq_before;
                swap = (begun >> 63) as u8 * SWAP;
                (d_before, eq_before) = (d, eq);
            }
            let hp = vn | !(d | vp);
            let hn = d & vp;
            *edge = (hp >> last & 1) as u8 | (hn >> last & 1) as u8 * DOWN | swap;
            let (hp, hn) = (hp << 1 | up, hn << 1 | down);
            vp = hn | !(d | hp);
            vn = hp & d;
            cells(vp, vn);
        }
        masks.clear(strip);
    }
    edge
}

/// How often each operation occurs in an edit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Operations {
    /// Equal items.
    pub hits: usize,
    /// Items replaced.
    pub substitutions: usize,
    /// Items of the reference that are missing.
    pub deletions: usize,
    /// Items that the reference does not have.
    pub insertions: usize,
}

/// The most cells of a table that is kept whole: 2 bits each, 32 MiB.
const MOST_CELLS: usize = 1 << 27;

fn operations(rows: &[u32], columns: &[u32], kinds: usize) -> Option<Operations> {
    let height = rows.len().div_ceil(64);
    if height.saturating_mul(columns.len()) > MOST_CELLS / 64 {
        return None;
    }
    // Of each strip and column: where a cell is higher, and where it is lower, than
    // the one above it.
    let mut cells = Vec::with_capacity(height * columns.len());
    table::<false>(rows, columns, kinds, |higher, lower| cells.push((higher, lower)));
    let mut found = Operations::default();
    let (mut i, mut j) = (rows.len(), columns.len());
    while i > 0 && j > 0 {
        let (strip, bit) = ((i - 1) / 64 * columns.len(), (i - 1) % 64);
        if cells[strip + j - 1].0 >> bit & 1 == 1 {
            found.deletions += 1;
            i -= 1;
        } else if j > 1 && cells[strip + j - 2].1 >> bit & 1 == 1 {
            found.insertions += 1;
            j -= 1;
        } else {
            (i, j) = (i - 1, j - 1);
            if rows[i] == columns[j] {
                found.hits += 1;
            } else {
                found.substitutions += 1;
            }
        }
    }
    found.deletions += i;
    found.insertions += j;
    Some(found)
}

fn lcs(rows: &[u32], columns: &[u32], kinds: usize) -> Option<usize> {
    if steps(rows.len(), columns.len()) > MOST_STEPS {
        return None;
    }
    let mut length = 0;
    subsequences(rows, columns, kinds, |_, _| {}, |n| length += n);
    Some(length)
}

/// The lengths of longest common subsequences of `rows` with the first 1, 2, ...
/// items of `columns`. The caller has counted the [`steps`].
pub fn lcs_of_prefixes(rows: &[u32], columns: &[u32], kinds: usize) -> Vec<usize> {
    let mut lengths = vec![0; columns.len()];
    subsequences(rows, columns, kinds, |column, n| lengths[column] += n, |_| {});
    lengths
}

/// Tells of each strip how many of its rows are on a longest common subsequence:
/// after each column, and at its end.
fn subsequences(
    rows: &[u32],
    columns: &[u32],
    kinds: usize,
    mut column: impl FnMut(usize, usize),
    mut end: impl FnMut(usize),
) {
    let mut masks = Masks(vec![0; kinds]);
    let mut carries = vec![0u8; columns.len()];
    for strip in rows.chunks(64) {
        masks.set(strip);
        let all = u64::MAX >> (64 - strip.len());
        let mut v = u64::MAX;
        for (i, (carry, &n)) in carries.iter_mut().zip(columns).enumerate() {
            let u = v & masks.0[n as usize];
            let (sum, a) = v.overflowing_add(u);
            let (sum, b) = sum.overflowing_add(u64::from(*carry));
            *carry = u8::from(a | b);
            v = sum | (v - u);
            column(i, (!v & all).count_ones() as usize);
        }
        masks.clear(strip);
        end((!v & all).count_ones() as usize);
    }
}

fn damerau(a: &[u32], b: &[u32], kinds: usize) -> usize {
    let far = a.len() + b.len() + 1;
    // The row in which each item of a was last seen, from 1; 0: not yet.
    let mut last_row = vec![0; kinds];
    // Column j of these rows is at j + 1; at 0 is a wall.
    let mut swapped = vec![far; b.len() + 2];
    let mut above = vec![far; b.len() + 2];
    let mut row: Vec<usize> = std::iter::once(far).chain(0..=b.len()).collect();
    for (i, &x) in (1..).zip(a) {
        std::mem::swap(&mut above, &mut row);
        let mut last_column = None;
        // Of row i - 2: the cell left of the current one, and the one that the
        // last equal column had there.
        let mut corner = row[1];
        let mut swapped_here = far;
        row[1] = i;
        for (j, &y) in (1..).zip(b) {
            let mut best = (above[j] + usize::from(x != y)).min(row[j] + 1).min(above[j + 1] + 1);
            if x == y {
                last_column = Some(j);
                swapped[j + 1] = above[j - 1];
                swapped_here = corner;
            } else {
                let k = last_row[y as usize];
                if last_column == Some(j - 1) {
                    best = best.min(swapped[j + 1] + i - k);
                } else if k > 0 && i - k == 1 {
                    best = best.min(swapped_here + j - last_column.unwrap_or(0));
                }
            }
            corner = row[j + 1];
            row[j + 1] = best;
        }
        last_row[x as usize] = i;
    }
    row[b.len() + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    type Table = Vec<Vec<usize>>;

    /// The table as the definitions have it; `swap` adds what a cell may also be.
    fn table(a: &[u32], b: &[u32], swap: impl Fn(&Table, usize, usize) -> usize) -> usize {
        let mut t = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                t[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let same = usize::from(a[i - 1] != b[j - 1]);
                    let plain = (t[i - 1][j - 1] + same).min(t[i - 1][j] + 1).min(t[i][j - 1] + 1);
                    plain.min(swap(&t, i, j))
                };
            }
        }
        t[a.len()][b.len()]
    }

    fn naive_osa(a: &[u32], b: &[u32]) -> usize {
        table(a, b, |t, i, j| {
            let swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if swaps {
                t[i - 2][j - 2] + 1
            } else {
                usize::MAX
            }
        })
    }

    fn naive_damerau(a: &[u32], b: &[u32]) -> usize {
        table(a, b, |t, i, j| {
            let mut best = usize::MAX;
            for k in 1..i {
                for l in 1..j {
                    if a[k - 1] == b[j - 1] && a[i - 1] == b[l - 1] {
                        best = best.min(t[k - 1][l - 1] + (i - k - 1) + 1 + (j - l - 1));
                    }
                }
            }
            best
        })
    }

    fn naive_lcs(a: &[u32], b: &[u32]) -> usize {
        let mut t = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 1..=a.len() {
            for j in 1..=b.len() {
                t[i][j] = if a[i - 1] == b[j - 1] { t[i - 1][j - 1] + 1 } else { t[i - 1][j].max(t[i][j - 1]) };
            }
        }
        t[a.len()][b.len()]
    }

    #[test]
    fn distances_are_those_of_the_tables_as_defined() {
        let mut seed = 5u64;
        let mut draw = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        for round in 0..3000 {
            let kinds = 1 + draw(8) as usize;
            let most = if round % 20 == 0 { 200 } else { 12 };
            let mut list = || -> Vec<u32> { (0..draw(most)).map(|_| draw(kinds as u64) as u32).collect() };
            let (a, mut b) = (list(), list());
            if round % 3 == 0 {
                b = a.clone();
                for _ in 0..3 {
                    if let n @ 2.. = b.len() {
                        b.swap(n / 2, n / 2 - 1);
                        b.remove(n / 3);
                    }
                }
            }
            let pair = Pair { a: a.clone(), b: b.clone(), kinds };
            assert_eq!(pair.levenshtein(), Some(table(&a, &b, |_, _, _| usize::MAX)), "{a:?} {b:?}");
            let found = pair.operations().unwrap();
            assert_eq!(
                Some(found.substitutions + found.deletions + found.insertions),
                pair.levenshtein(),
                "{a:?} {b:?}"
            );
            assert_eq!(found.hits + found.substitutions + found.deletions, a.len());
            assert_eq!(found.hits + found.substitutions + found.insertions, b.len());
            assert_eq!(pair.osa(), Some(naive_osa(&a, &b)), "osa {a:?} {b:?}");
            assert_eq!(pair.lcs(), Some(naive_lcs(&a, &b)), "lcs {a:?} {b:?}");
            if most == 12 {
                assert_eq!(pair.damerau_levenshtein(), Some(naive_damerau(&a, &b)), "damerau {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn what_would_take_too_long_has_no_answer() {
        let (a, b) = ("ab".repeat(50_000), "bca".repeat(40_000));
        let pair = Pair::chars(&a, &b);
        assert_eq!((pair.levenshtein(), pair.lcs(), pair.damerau_levenshtein()), (None, None, None));
        assert_eq!(Pair::chars(&a, &a).levenshtein(), Some(0));
    }
}
