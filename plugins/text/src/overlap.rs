//! The n-grams that two short texts share, by bits: one for each place of the second text, so that
//! no n-gram is looked up.

/// The highest order of n-grams.
const MOST_ORDER: usize = 16;

/// The n-grams of a text that have an equal one in another, each as often as that has it.
pub struct Overlap {
    /// For each place of the text the orders of those that end there: bit n - 1 for order n.
    found: Vec<u16>,
    order: usize,
}

impl Overlap {
    /// The longest second text for which this is faster than sorting or hashing n-grams.
    pub const SHORT: usize = 512;

    /// Compares the n-grams of `a` and `b` of the orders 1 to `order`, at most 16, in time
    /// that grows with the product of the lengths. The numbers in `a` are below `kinds`.
    pub fn new(a: &[u32], b: &[u32], kinds: usize, order: usize) -> Self {
        let mut found = vec![0; a.len()];
        match order {
            0..=4 => strips::<4>(a, b, kinds, &mut found),
            5..=6 => strips::<6>(a, b, kinds, &mut found),
            _ => strips::<MOST_ORDER>(a, b, kinds, &mut found),
        }
        Overlap { found, order }
    }

    /// From the orders of the n-grams that end at each place.
    pub(crate) fn of(found: Vec<u16>, order: usize) -> Self {
        Overlap { found, order }
    }

    /// Adds the n-grams of the same text that another one has, or that has more often.
    pub fn join(&mut self, other: &Overlap) {
        self.found.iter_mut().zip(&other.found).for_each(|(a, b)| *a |= b);
    }

    /// How many n-grams there are of each order, from 1.
    pub fn matches(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.order).map(|n| self.found.iter().map(|f| u64::from(f >> n & 1)).sum())
    }
}

/// Takes 64 places of `b` at a time. Each strip begins with the last ones of that before, so that
/// it has the n-grams that end beyond those.
fn strips<const ORDER: usize>(a: &[u32], b: &[u32], kinds: usize, found: &mut [u16]) {
    let mut masks = vec![0u64; kinds];
    let (mut start, mut free) = (0, u64::MAX);
    loop {
        let places = &b[start..b.len().min(start + 64)];
        for (j, &n) in places.iter().enumerate() {
            if let Some(mask) = masks.get_mut(n as usize) {
                *mask |= 1 << j;
            }
        }
        strip::<ORDER>(a, &masks, free, found);
        start += 64 - (ORDER - 1);
        if start + ORDER > b.len() {
            return;
        }
        places.iter().for_each(|&n| masks.get_mut(n as usize).into_iter().for_each(|mask| *mask = 0));
        free = u64::MAX << (ORDER - 1);
    }
}

/// `free` has the places at which an n-gram may end that no other has taken.
fn strip<const ORDER: usize>(a: &[u32], masks: &[u64], free: u64, found: &mut [u16]) {
    // For each order the places where the n-gram that ends here ends, too.
    let mut ends = [0; ORDER];
    let mut free = [free; ORDER];
    for (&number, found) in a.iter().zip(found) {
        let mask = masks[number as usize];
        for n in (0..ORDER).rev() {
            ends[n] = if n == 0 { mask } else { ends[n - 1] << 1 & mask };
            // Without a branch, which processors would mispredict.
            let taken = u64::from(*found >> n & 1);
            let places = ends[n] & free[n] & taken.wrapping_sub(1);
            free[n] ^= places & places.wrapping_neg();
            *found |= u16::from(places != 0) << n;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_counting_one_by_one() {
        let mut seed = 5u64;
        let mut draw = |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % n
        };
        for round in 0..600 {
            let (kinds, most, order) = (1 + draw(12), if round % 4 == 0 { 300 } else { 20 }, 1 + draw(MOST_ORDER));
            let mut text = |more| -> Vec<u32> { (0..draw(most)).map(|_| draw(kinds + more) as u32).collect() };
            let (a, mut b) = (text(0), text(2));
            // Texts that share long stretches.
            if round % 2 == 0 && !a.is_empty() {
                b.extend(a.iter().skip(draw(a.len())).cycle().take(draw(150)));
            }
            let found = Overlap::new(&a, &b, kinds, order);
            assert_eq!(found.matches().count(), order);
            for (n, matches) in (1..).zip(found.matches()) {
                let got: Vec<bool> = found.found.iter().map(|f| f >> (n - 1) & 1 == 1).collect();
                assert_eq!(got.iter().filter(|f| **f).count() as u64, matches);
                let mut left: Vec<&[u32]> = b.windows(n).collect();
                let mut matched = |g: &[u32]| left.iter().position(|w| *w == g).map(|at| left.swap_remove(at));
                let want: Vec<bool> = a.windows(n).map(|g| matched(g).is_some()).collect();
                assert!(!got.iter().take(n - 1).any(|&f| f));
                assert_eq!(got[got.len().min(n - 1)..], want[..], "{a:?} {b:?} order {n}");
            }
        }
    }
}
