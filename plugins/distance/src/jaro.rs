//! Jaro's similarity and Winkler's. An item of the second text matches the first
//! free equal item of the first text within a window; a queue of positions for
//! each item makes that linear.

use rubric_host_text::edit::Pair;

/// The weight of each equal first item, of at most [`PREFIX`].
pub const PREFIX_WEIGHT: f64 = 0.1;

const PREFIX: usize = 4;

/// Winkler's raise applies above this; both libraries have it.
const THRESHOLD: f64 = 0.7;

/// As RapidFuzz: two empty texts are equal, one empty text is like no other.
pub fn jaro(pair: &Pair) -> f64 {
    match pair.both() {
        ([], []) => 1.0,
        (a, b) => matched(a, b, pair.kinds()),
    }
}

/// As RapidFuzz.
pub fn jaro_winkler(pair: &Pair, weight: f64) -> f64 {
    raised(jaro(pair), pair, weight)
}

/// As jellyfish: an empty text is like no other, not even an empty one.
pub fn jellyfish(pair: &Pair) -> f64 {
    let (a, b) = pair.both();
    matched(b, a, pair.kinds())
}

/// As jellyfish.
pub fn jellyfish_winkler(pair: &Pair) -> f64 {
    raised(jellyfish(pair), pair, PREFIX_WEIGHT)
}

fn raised(jaro: f64, pair: &Pair, weight: f64) -> f64 {
    if jaro <= THRESHOLD {
        return jaro;
    }
    let (a, b) = pair.both();
    let prefix = a.iter().zip(b).take(PREFIX).take_while(|(x, y)| x == y).count();
    (jaro + prefix as f64 * weight * (1.0 - jaro)).min(1.0)
}

/// Matches the items of `b`, in their order, with items of `a`.
fn matched(a: &[u32], b: &[u32], kinds: usize) -> f64 {
    const END: u32 = u32::MAX;
    let window = (a.len().max(b.len()) / 2).saturating_sub(1);
    // For each kind of item, its first free place in a; for each place the next one.
    let mut first = vec![END; kinds];
    let mut next = vec![END; a.len()];
    for (i, &x) in a.iter().enumerate().rev() {
        next[i] = first[x as usize];
        first[x as usize] = i as u32;
    }
    let mut taken = vec![false; a.len()];
    let mut found = Vec::with_capacity(a.len().min(b.len()));
    for (j, &y) in b.iter().enumerate() {
        let free = &mut first[y as usize];
        while *free != END && (*free as usize) + window < j {
            *free = next[*free as usize];
        }
        let at = *free as usize;
        if *free != END && at <= j + window {
            taken[at] = true;
            found.push(y);
            *free = next[at];
        }
    }
    if found.is_empty() {
        return 0.0;
    }
    let order = a.iter().zip(&taken).filter(|(_, taken)| **taken).map(|(x, _)| x);
    let swapped = order.zip(&found).filter(|(x, y)| x != y).count() / 2;
    let m = found.len() as f64;
    (m / a.len() as f64 + m / b.len() as f64 + (m - swapped as f64) / m) / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The windows as jellyfish searches them.
    fn naive(a: &[u32], b: &[u32]) -> f64 {
        if a.is_empty() || b.is_empty() {
            return 0.0;
        }
        let window = (a.len().max(b.len()) / 2).saturating_sub(1);
        let (mut x, mut y) = (vec![false; a.len()], vec![false; b.len()]);
        for i in 0..a.len() {
            for j in i.saturating_sub(window)..(i + window + 1).min(b.len()) {
                if !y[j] && a[i] == b[j] {
                    (x[i], y[j]) = (true, true);
                    break;
                }
            }
        }
        let left: Vec<u32> = (0..a.len()).filter(|&i| x[i]).map(|i| a[i]).collect();
        let right: Vec<u32> = (0..b.len()).filter(|&j| y[j]).map(|j| b[j]).collect();
        let m = left.len() as f64;
        if m == 0.0 {
            return 0.0;
        }
        let swapped = left.iter().zip(&right).filter(|(a, b)| a != b).count() / 2;
        (m / a.len() as f64 + m / b.len() as f64 + (m - swapped as f64) / m) / 3.0
    }

    #[test]
    fn queues_find_what_windows_find() {
        let mut seed = 9u64;
        let mut draw = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        for _ in 0..20_000 {
            let kinds = 1 + draw(6);
            let mut list = || -> Vec<u32> { (0..draw(16)).map(|_| draw(kinds) as u32).collect() };
            let (a, b) = (list(), list());
            assert_eq!(matched(&b, &a, kinds as usize), naive(&a, &b), "{a:?} {b:?}");
        }
    }
}
