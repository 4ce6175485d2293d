//! RapidFuzz's ratios, 0 to 1; its own are 0 to 100.

use rubric_host_text::edit::{lcs_of_prefixes, steps, Pair, MOST_STEPS};
use rubric_host_text::is_space;

/// Insertions and deletions, and the most there can be.
pub fn indel(pair: &Pair) -> Option<(usize, usize)> {
    let (a, b) = pair.both();
    let all = a.len() + b.len();
    Some((all - 2 * pair.lcs()?, all))
}

pub fn ratio(pair: &Pair) -> Option<f64> {
    indel(pair).map(|(distance, all)| crate::similarity(distance, all))
}

pub fn token_sort_ratio(a: &str, b: &str) -> Option<f64> {
    ratio(&Pair::chars(&words(a).join(" "), &words(b).join(" ")))
}

/// The words of a text, sorted. In a text without characters above U+00FF, RapidFuzz
/// does not take U+0085 and the no-break space for white space.
fn words(text: &str) -> Vec<&str> {
    let narrow = text.chars().all(|c| c <= '\u{ff}');
    let space = |c| is_space(c) && !(narrow && matches!(c, '\u{85}' | '\u{a0}'));
    let mut words: Vec<&str> = text.split(space).filter(|w| !w.is_empty()).collect();
    words.sort_unstable();
    words
}

pub fn token_set_ratio(a: &str, b: &str) -> Option<f64> {
    let (mut a, mut b) = (words(a), words(b));
    a.dedup();
    b.dedup();
    if a.is_empty() || b.is_empty() {
        return Some(0.0);
    }
    let without = |x: &[&str], y: &[&str]| -> String {
        let list: Vec<&str> = x.iter().copied().filter(|w| y.binary_search(w).is_err()).collect();
        list.join(" ")
    };
    let (only_a, only_b) = (without(&a, &b), without(&b, &a));
    let both: Vec<&str> = a.iter().copied().filter(|w| b.binary_search(w).is_ok()).collect();
    if !both.is_empty() && (only_a.is_empty() || only_b.is_empty()) {
        return Some(1.0);
    }
    let both = both.join(" ").chars().count();
    let space = usize::from(both > 0);
    let pair = Pair::chars(&only_a, &only_b);
    let (x, y) = pair.both();
    let (x, y) = (x.len() + space, y.len() + space);
    let (distance, _) = indel(&pair)?;
    let whole = crate::similarity(distance, 2 * both + x + y);
    if both == 0 {
        return Some(whole);
    }
    Some(whole.max(crate::similarity(x, 2 * both + x)).max(crate::similarity(y, 2 * both + y)))
}

/// The best ratio of the shorter text with a part of the longer one that is as long,
/// or shorter at an end. Texts of one length take both parts.
pub fn partial_ratio(a: &str, b: &str) -> Option<f64> {
    let pair = Pair::chars(a, b);
    let (a, b) = pair.both();
    if a.is_empty() || b.is_empty() {
        return Some(if a.len() == b.len() { 1.0 } else { 0.0 });
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let mut budget = MOST_STEPS;
    let one = partial(short, long, pair.kinds(), &mut budget)?;
    if short.len() < long.len() || one == 1.0 {
        return Some(one);
    }
    Some(one.max(partial(long, short, pair.kinds(), &mut budget)?))
}

fn partial(short: &[u32], long: &[u32], kinds: usize, budget: &mut usize) -> Option<f64> {
    let n = short.len();
    let mut prefixes = |short: &[u32], long: &[u32]| {
        *budget = budget.checked_sub(steps(n, n).max(1))?;
        let lengths = lcs_of_prefixes(short, &long[..n], kinds);
        Some((1..).zip(lengths).map(|(i, l)| 2.0 * l as f64 / (n + i) as f64).fold(0.0, f64::max))
    };
    let backwards = |list: &[u32]| -> Vec<u32> { list.iter().rev().copied().collect() };
    let ends = prefixes(short, long)?.max(prefixes(&backwards(short), &backwards(long))?);
    let mut window = |at: usize| {
        *budget = budget.checked_sub(steps(n, n).max(1))?;
        lcs_of_prefixes(short, &long[at..at + n], kinds).last().copied()
    };
    // Neighbouring windows differ by one item at each end, and so by one in length
    // of the subsequence: between two windows it rises no higher than this.
    let mut best = (ends * n as f64).floor() as usize;
    let last = long.len() - n;
    let mut open = vec![(0, window(0)?, last, window(last)?)];
    while let Some((from, x, to, y)) = open.pop() {
        best = best.max(x).max(y);
        let highest = (x + y + to - from) / 2;
        if to - from < 2 || highest <= best {
            continue;
        }
        let middle = (from + to) / 2;
        let z = window(middle)?;
        open.push((from, x, middle, z));
        open.push((middle, z, to, y));
    }
    Some(ends.max(best as f64 / n as f64))
}
