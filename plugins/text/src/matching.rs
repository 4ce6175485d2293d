//! Matchings of two lists, in which each element has at most one partner.

/// A matching that grows by one element of the first list at a time.
pub struct Matching {
    /// For each element of the second list the one of the first that has it.
    owner: Vec<Option<usize>>,
    /// Elements of the second list in which searches ended since the last that succeeded:
    /// none leads to a free one.
    seen: Vec<bool>,
}

impl Matching {
    /// An empty matching with a second list of `others` elements.
    pub fn new(others: usize) -> Self {
        Matching { owner: vec![None; others], seen: vec![false; others] }
    }

    /// Gives element `i` of the first list a partner, moving the partners of others where
    /// needed: one breadth-first search for an augmenting path. `edges` lists the possible
    /// partners of each element. Each edge that is looked at takes one of `steps`; nothing if
    /// they do not suffice.
    pub fn assign(&mut self, i: usize, edges: &[Vec<usize>], steps: &mut usize) -> Option<bool> {
        let mut queue = vec![(i, None)]; // elements to find a partner for, and the partner they have
        let mut from = Vec::new(); // of each partner in the queue, the place of its asker
        let mut at = 0;
        while let Some(&(asker, _)) = queue.get(at) {
            for &j in &edges[asker] {
                *steps = steps.checked_sub(1)?;
                if std::mem::replace(&mut self.seen[j], true) {
                    continue;
                }
                if let Some(other) = self.owner[j] {
                    queue.push((other, Some(j)));
                    from.push(at);
                    continue;
                }
                let (mut free, mut place) = (j, at);
                loop {
                    let (asker, had) = queue[place];
                    self.owner[free] = Some(asker);
                    let Some(before) = had else { break };
                    (free, place) = (before, from[place - 1]);
                }
                self.seen.fill(false);
                return Some(true);
            }
            at += 1;
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size of a largest matching, by trying all.
    fn most(edges: &[Vec<usize>], taken: &mut Vec<usize>) -> usize {
        let Some((first, rest)) = edges.split_first() else { return 0 };
        let mut best = most(rest, taken);
        for &j in first {
            if !taken.contains(&j) {
                taken.push(j);
                best = best.max(1 + most(rest, taken));
                taken.pop();
            }
        }
        best
    }

    #[test]
    fn a_matching_is_as_large_as_any() {
        let mut seed = 1_u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        for _ in 0..500 {
            let (rows, others, share) = (random(7), random(7) as usize, 1 + random(6));
            let edges: Vec<Vec<usize>> = (0..rows).map(|_| (0..others).filter(|_| random(6) < share).collect()).collect();
            let mut matching = Matching::new(others);
            let found = (0..edges.len()).filter(|i| matching.assign(*i, &edges, &mut 1_000_000).unwrap()).count();
            assert_eq!(found, most(&edges, &mut Vec::new()), "{edges:?}");
        }
    }
}
