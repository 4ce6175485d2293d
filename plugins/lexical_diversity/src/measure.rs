//! The measures, over the numbers of a text's words.

/// The words of a text by number, from 0, and how often each occurs.
pub struct Words<'w> {
    pub ids: &'w [u32],
    pub counts: &'w [u32],
}

fn of_lengths(types: usize, tokens: usize) -> (f64, f64) {
    (types as f64, tokens as f64)
}

impl Words<'_> {
    fn sizes(&self) -> (f64, f64) {
        of_lengths(self.counts.len(), self.ids.len())
    }

    pub fn ttr(&self) -> Option<f64> {
        let (types, tokens) = self.sizes();
        (tokens > 0.0).then(|| types / tokens)
    }

    /// Types / square root of tokens.
    pub fn root_ttr(&self) -> Option<f64> {
        let (types, tokens) = self.sizes();
        (tokens > 0.0).then(|| types / tokens.sqrt())
    }

    /// Types / square root of twice the tokens.
    pub fn corrected_ttr(&self) -> Option<f64> {
        let (types, tokens) = self.sizes();
        (tokens > 0.0).then(|| types / (2.0 * tokens).sqrt())
    }

    pub fn herdan(&self) -> Option<f64> {
        let (types, tokens) = self.sizes();
        (tokens > 1.0).then(|| types.ln() / tokens.ln())
    }

    pub fn maas(&self) -> Option<f64> {
        let (types, tokens) = self.sizes();
        (tokens > 1.0).then(|| (tokens.ln() - types.ln()) / (tokens.ln() * tokens.ln()))
    }

    /// The mean over consecutive windows. The last one never counts, not even if it
    /// is whole, as in the original.
    pub fn msttr(&self, window: usize) -> Option<f64> {
        if window >= self.ids.len() {
            return None;
        }
        let windows = self.ids.len().div_ceil(window) - 1;
        // In which window each word was last seen, from 1.
        let mut seen = vec![0; self.counts.len()];
        let mut sum = 0.0;
        for (n, words) in (1..).zip(self.ids.chunks(window).take(windows)) {
            let new = words.iter().filter(|&&w| std::mem::replace(&mut seen[w as usize], n) != n).count();
            sum += new as f64 / window as f64;
        }
        Some(sum / windows as f64)
    }

    /// The mean over all windows.
    pub fn mattr(&self, window: usize) -> Option<f64> {
        if window > self.ids.len() {
            return None;
        }
        let mut inside = vec![0u32; self.counts.len()];
        let (mut types, mut sum) = (0u64, 0u64);
        for (i, &word) in self.ids.iter().enumerate() {
            if i >= window {
                let left = &mut inside[self.ids[i - window] as usize];
                *left -= 1;
                types -= u64::from(*left == 0);
            }
            let here = &mut inside[word as usize];
            types += u64::from(*here == 0);
            *here += 1;
            if i + 1 >= window {
                sum += types;
            }
        }
        let windows = self.ids.len() + 1 - window;
        Some(sum as f64 / window as f64 / windows as f64)
    }

    pub fn mtld(&self, threshold: f64) -> Option<f64> {
        let one_way = |ids: &mut dyn Iterator<Item = u32>| {
            let mut seen = vec![0; self.counts.len()];
            let (mut factor, mut types, mut tokens, mut factors, mut ttr) = (1, 0, 0, 0.0, 1.0);
            for word in ids {
                tokens += 1;
                types += usize::from(std::mem::replace(&mut seen[word as usize], factor) != factor);
                ttr = types as f64 / tokens as f64;
                if ttr <= threshold {
                    (factor, types, tokens) = (factor + 1, 0, 0);
                    factors += 1.0;
                }
            }
            if tokens > 0 {
                factors += (1.0 - ttr) / (1.0 - threshold);
            }
            if factors == 0.0 {
                // Every word is another one.
                factors = 1.0;
            }
            self.ids.len() as f64 / factors
        };
        if self.ids.is_empty() {
            return None;
        }
        let forward = one_way(&mut self.ids.iter().copied());
        let backward = one_way(&mut self.ids.iter().rev().copied());
        Some((forward + backward) / 2.0)
    }

    pub fn hdd(&self, draws: usize) -> Option<f64> {
        let n = self.ids.len();
        if n < draws {
            return None;
        }
        // That a word of `count` is in none of the draws, computed once for each count.
        let mut known: Vec<Option<f64>> = vec![None; 64];
        let mut sum = 0.0;
        for &count in self.counts {
            let count = count as usize;
            let absent = || {
                let factor = |i: usize| (n - count).saturating_sub(i) as f64 / (n - i) as f64;
                (0..draws).map(factor).product::<f64>()
            };
            let p = match known.get_mut(count) {
                Some(p) => *p.get_or_insert_with(absent),
                None => absent(),
            };
            sum += (1.0 - p) / draws as f64;
        }
        Some(sum)
    }
}
