//! ROUGE-W, ROUGE-S and ROUGE-SU as ROUGE-1.5.5 computes them, over rouge_score's tokens.

use std::ops::Range;

/// The most pairs of tokens that are compared or counted: a call has 64 MiB.
pub const MOST_PAIRS: usize = 4_000_000;

/// How many skip-bigrams `len` tokens have, with at most `gap` tokens inside of each.
pub fn count(len: usize, gap: usize) -> usize {
    let (len, reach) = (len as u64, (len as u64).min((gap as u64).saturating_add(1)));
    // A token has `reach` others after it, but for those at the end.
    (len * reach - reach * (reach + 1) / 2) as usize
}

/// The skip-bigrams of a text, sorted; with `unigrams` also its tokens but for the last one,
/// which ROUGE-1.5.5 leaves out. A number of `unknown` is a token that matches nothing.
#[inline(never)]
pub fn grams(ids: &[u32], gap: usize, unigrams: bool, unknown: u32) -> Vec<u64> {
    let mut grams = Vec::with_capacity(count(ids.len(), gap) + ids.len());
    for (i, &first) in ids.iter().enumerate().filter(|(_, id)| **id != unknown) {
        if unigrams && i + 1 < ids.len() {
            grams.push(u64::from(first) << 32 | u64::from(unknown));
        }
        let rest = ids[i + 1..].iter().take(gap.saturating_add(1));
        grams.extend(rest.filter(|id| **id != unknown).map(|&id| u64::from(first) << 32 | u64::from(id)));
    }
    grams.sort_unstable();
    grams
}

/// How many members two sorted lists have in common.
pub fn common(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut hits) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let order = a[i].cmp(&b[j]);
        hits += usize::from(order.is_eq());
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    hits
}

/// Precision and recall of ROUGE-W. Each line of the reference takes the union of its
/// weighted subsequences with the lines of the output; a stretch of k hits counts k^weight.
/// As in ROUGE-1.5.5 the lengths are weighted once more, so that equal texts have less than 1.
#[inline(never)]
pub fn weighted(output: &[u32], lines: &[Range<usize>], reference: &[u32], their: &[Range<usize>], weight: f64) -> (f64, f64) {
    let most = their.iter().map(|r| r.len()).max().unwrap_or(0);
    let power: Vec<f64> = (0..=most + 1).map(|k| (k as f64).powf(weight)).collect();
    let kinds = output.iter().max().map_or(0, |&id| id as usize + 1);
    let mut left = vec![0u32; kinds];
    output.iter().for_each(|&id| left[id as usize] += 1);
    let longest = lines.iter().map(|r| r.len()).max().unwrap_or(0);
    let mut ways = vec![Way::Both; most * longest];
    let (mut hits, mut base) = (0.0, 0.0);
    for line in their {
        let tokens = &reference[line.clone()];
        base += power[tokens.len()];
        let mut marked = vec![false; tokens.len()];
        for other in lines {
            mark(tokens, &output[other.clone()], &power, &mut ways, &mut marked);
        }
        let mut run = 0;
        for (j, &id) in tokens.iter().enumerate().filter(|(j, _)| marked[*j]) {
            if left[id as usize] == 0 {
                continue;
            }
            left[id as usize] -= 1;
            run += 1;
            if marked.get(j + 1) != Some(&true) {
                hits += power[run];
                run = 0;
            }
        }
    }
    let share = |length: f64| if length > 0.0 { (hits / length.powf(weight)).powf(1.0 / weight) } else { 0.0 };
    (share(output.len() as f64), share(base))
}

/// Where a cell of the table comes from.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Both,
    Up,
    Left,
}

/// Marks which tokens of the reference are on the weighted longest common subsequence.
fn mark(reference: &[u32], output: &[u32], power: &[f64], ways: &mut [Way], marked: &mut [bool]) {
    let width = output.len();
    // Scores, and lengths of the matches that end here, of the row before.
    let (mut scores, mut runs) = (vec![0.0; width + 1], vec![0usize; width + 1]);
    for (i, &id) in reference.iter().enumerate() {
        let (mut corner, mut run) = (0.0, 0);
        for j in 1..=width {
            let (score, length) = (scores[j], runs[j]);
            let way = &mut ways[i * width + j - 1];
            if output[j - 1] == id {
                (scores[j], runs[j]) = (corner + power[run + 1] - power[run], run + 1);
                *way = Way::Both;
            } else {
                *way = if score >= scores[j - 1] { Way::Up } else { Way::Left };
                (scores[j], runs[j]) = (f64::max(score, scores[j - 1]), 0);
            }
            (corner, run) = (score, length);
        }
    }
    let (mut i, mut j) = (reference.len(), width);
    while i > 0 && j > 0 {
        let way = ways[(i - 1) * width + j - 1];
        i -= usize::from(way != Way::Left);
        j -= usize::from(way != Way::Up);
        if way == Way::Both {
            marked[i] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_it_lists() {
        for len in 0..12usize {
            for gap in 0..14 {
                let ids: Vec<u32> = (0..len as u32).collect();
                assert_eq!(grams(&ids, gap, false, u32::MAX).len(), count(len, gap), "{len} {gap}");
            }
        }
        assert_eq!(count(10, usize::MAX), 45);
    }
}
