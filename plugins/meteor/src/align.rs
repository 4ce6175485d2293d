//! Which words of two texts are matched.

use crate::wordnet::WordNet;
use rubric_host_text::{lower, split, stem, stem_cased, Counts, NONE};

/// The words of an output, numbered.
pub struct Words<'t> {
    list: Vec<&'t str>,
    counts: Counts<'t>,
    /// Whether the texts are in lower case.
    lower: bool,
}

/// The matches of an output and a reference.
pub struct Alignment {
    /// Positions in the output and in the reference, by the first.
    pub pairs: Vec<(u32, u32)>,
    /// How many words there are.
    pub output: usize,
    pub reference: usize,
}

impl Alignment {
    /// How many stretches of matches stand side by side in both texts.
    pub fn chunks(&self) -> usize {
        let breaks = self.pairs.windows(2).filter(|w| (w[0].0 + 1, w[0].1 + 1) != w[1]).count();
        breaks + usize::from(!self.pairs.is_empty())
    }
}

impl<'t> Words<'t> {
    /// Takes the words of a text that stand between white space.
    pub fn new(text: &'t str, lower: bool) -> Self {
        let mut list = Vec::with_capacity(text.len() / 4 + 1);
        split(text, &mut list);
        Words { counts: Counts::new(&list, 1), list, lower }
    }

    /// Matches equal words, then of the others those with equal stems, then those of which
    /// the reference has a synonym. Each stage goes from the last word of the output to the
    /// first, and takes for each the last word of the reference that is left.
    ///
    /// In one function of 15 KB with its caller and callees, the module compiles an eighth longer: so
    /// several are never inlined.
    #[inline(never)]
    pub fn align(&self, reference: &str, stems: bool, wordnet: Option<&WordNet>) -> Alignment {
        let mut words = Vec::with_capacity(reference.len() / 4 + 1);
        split(reference, &mut words);
        // For each word of the output the one of the reference that it matches.
        let mut found = vec![NONE; self.list.len()];
        let mut left: Vec<u32> = (0..self.list.len() as u32).collect();
        let mut right: Vec<u32> = (0..words.len() as u32).collect();
        greedy(&self.counts, &self.counts.ids_of(&words), &mut left, &mut right, &mut found);
        if stems && !left.is_empty() && !right.is_empty() {
            let a = Stems::new(left.iter().map(|&i| self.list[i as usize]), self.lower);
            let b = Stems::new(right.iter().map(|&j| words[j as usize]), self.lower);
            let counts = Counts::new(&a.list(), 1);
            greedy(&counts, &counts.ids_of(&b.list()), &mut left, &mut right, &mut found);
        }
        if let Some(wordnet) = wordnet {
            // NLTK looks up the stems that the stage before compared, not the words.
            let shown = |word: &str| if stems { stemmed(word) } else { word.to_string() };
            synonyms(
                wordnet,
                left.iter().map(|&i| (i, shown(self.list[i as usize]))),
                right.iter().map(|&j| (j, shown(words[j as usize]))),
                &mut found,
            );
        }
        let pairs = (0..).zip(found).filter(|(_, j)| *j != NONE).collect();
        Alignment { pairs, output: self.list.len(), reference: words.len() }
    }
}

/// Matches equal numbers. `left` and `right` are the positions of the words that `counts`
/// and `others` number; those without a match stay.
fn greedy(counts: &Counts, others: &[u32], left: &mut Vec<u32>, right: &mut Vec<u32>, found: &mut [u32]) {
    // For each number its last place in `others`, and for each place the one before it.
    let mut last = vec![NONE; counts.counts(1).len()];
    let mut before = vec![NONE; others.len()];
    for (j, &id) in others.iter().enumerate() {
        if id != NONE {
            before[j] = std::mem::replace(&mut last[id as usize], j as u32);
        }
    }
    let mut matched = vec![false; others.len()];
    let mut i = left.len();
    let mut rest = Vec::new();
    for &id in counts.ids().iter().rev() {
        i -= 1;
        let j = last[id as usize];
        if j == NONE {
            rest.push(left[i]);
            continue;
        }
        last[id as usize] = before[j as usize];
        matched[j as usize] = true;
        found[left[i] as usize] = right[j as usize];
    }
    rest.reverse();
    *left = rest;
    let mut j = 0;
    right.retain(|_| {
        j += 1;
        !matched[j - 1]
    });
}

/// Matches words with synonyms. Both lists have positions and words, by position.
#[inline(never)]
fn synonyms(
    wordnet: &WordNet,
    left: impl DoubleEndedIterator<Item = (u32, String)>,
    right: impl Iterator<Item = (u32, String)>,
    found: &mut [u32],
) {
    let mut words: Vec<(u32, u32)> = right.filter_map(|(j, word)| Some((wordnet.find(&word)?, j))).collect();
    words.sort_unstable();
    // For each word of the list how many places of its own, up to here, are left.
    let mut free = vec![0u32; words.len()];
    let mut k = 0;
    while k < words.len() {
        let last = words.partition_point(|w| w.0 <= words[k].0) - 1;
        free[last] = (last - k + 1) as u32; // kept with the last one
        k = last + 1;
    }
    for (i, word) in left.rev() {
        let mut best: Option<(u32, usize)> = None; // the last place, and where its word is kept
        wordnet.synonyms(&lower(&word), |id| {
            let Some(last) = words.partition_point(|w| w.0 <= id).checked_sub(1) else { return };
            if words[last].0 == id && free[last] > 0 {
                let first = words.partition_point(|w| w.0 < id);
                let place = words[first + free[last] as usize - 1].1;
                best = best.max(Some((place, last)));
            }
        });
        if let Some((place, last)) = best {
            free[last] -= 1;
            found[i as usize] = place;
        }
    }
}

#[inline(never)]
fn stemmed(word: &str) -> String {
    let mut out = Vec::new();
    stem_cased(word, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// The stems of words, end to end.
struct Stems {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Stems {
    fn new<'w>(words: impl Iterator<Item = &'w str>, in_lower: bool) -> Self {
        let mut stems = Stems { text: Vec::new(), ends: Vec::new() };
        for word in words {
            if in_lower { stem(word.as_bytes(), &mut stems.text) } else { stem_cased(word, &mut stems.text) }
            stems.ends.push(stems.text.len());
        }
        stems
    }

    fn list(&self) -> Vec<&[u8]> {
        let mut start = 0;
        let word = |&end: &usize| &self.text[std::mem::replace(&mut start, end)..end];
        self.ends.iter().map(word).collect()
    }
}
