//! Which words of two texts are matched.

use crate::wordnet::WordNet;
use rubric_host_text::{each_word, key, lower, place, stem, stem_cased, NONE, SHORT};

/// A word and its place in its text.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    key: u64,
    at: u32,
}

impl<'t> Word<'t> {
    #[inline(always)] // else it is copied once more: 2 % of a call
    fn new(at: u32, text: &'t str) -> Self {
        Word { text, key: key(text.as_bytes()), at }
    }
}

/// The words of an output.
pub struct Words<'t> {
    list: Vec<Word<'t>>,
    /// Whether the texts are in lower case.
    lower: bool,
}

/// The matches of an output and a reference.
pub struct Alignment {
    /// Positions in the output and in the reference, by the first.
    pub pairs: Vec<[f64; 2]>,
    /// How many stretches of matches stand side by side in both texts.
    pub chunks: usize,
    /// How many words there are.
    pub output: usize,
    pub reference: usize,
}

/// The words of a text that stand between white space.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut list = Vec::with_capacity(text.len() / 4 + 1);
    each_word(text, |word| list.push(Word::new(list.len() as u32, word)));
    list
}

impl<'t> Words<'t> {
    /// Takes the words of a text that stand between white space.
    pub fn new(text: &'t str, lower: bool) -> Self {
        Words { list: words(text), lower }
    }

    /// Matches equal words, then of the others those with equal stems, then those of which
    /// the reference has a synonym. Each stage goes from the last word of the output to the
    /// first, and takes for each the last word of the reference that is left.
    ///
    /// In one function of 15 KB with its caller and callees, the module compiles an eighth longer: so
    /// several are never inlined.
    #[inline(never)]
    pub fn align(&self, reference: &str, stems: bool, wordnet: Option<&WordNet>) -> Alignment {
        let (mut left, mut right) = (self.list.clone(), words(reference));
        let reference = right.len();
        // For each word of the output the one of the reference that it matches.
        let mut found = vec![NONE; left.len()];
        greedy(&mut left, &mut right, &mut found);
        let (a, b);
        if stems && self.lower && wordnet.is_none() {
            rivals(&mut left, &right);
            rivals(&mut right, &left);
        }
        if stems && !left.is_empty() && !right.is_empty() {
            (a, b) = (Stems::new(&left, self.lower), Stems::new(&right, self.lower));
            (left, right) = (a.of(&left), b.of(&right)); // NLTK also looks for synonyms of stems
            greedy(&mut left, &mut right, &mut found);
        }
        if let Some(wordnet) = wordnet {
            synonyms(wordnet, &left, &right, &mut found);
        }
        let (mut pairs, mut chunks, mut next) = (Vec::with_capacity(found.len()), 0, None);
        for (i, j) in (0..).zip(found) {
            if j != NONE {
                chunks += usize::from(next != Some((i, j)));
                next = Some((i + 1, j + 1));
                pairs.push([f64::from(i), f64::from(j)]);
            }
        }
        Alignment { pairs, chunks, output: self.list.len(), reference }
    }
}

/// Matches equal words. Those without a match stay.
fn greedy(left: &mut Vec<Word>, right: &mut Vec<Word>, found: &mut [u32]) {
    // Lists of the words of `right`, from the last to the first: those that have the same place have one. A link
    // is the number of a word plus one, 0 at the end. The first of each list come first, then the next of each word.
    let lists = (2 * right.len() + 1).next_power_of_two();
    let mut links = vec![0; lists + right.len()];
    for (j, word) in right.iter().enumerate() {
        links[lists + j] = std::mem::replace(&mut links[place(word.key, lists)], j as u32 + 1);
    }
    for word in left.iter().rev() {
        let mut link = place(word.key, lists);
        while let Some(j) = links[link].checked_sub(1) {
            let (other, next) = (&mut right[j as usize], lists + j as usize);
            if other.key == word.key && (word.text.len() <= SHORT || other.text == word.text) {
                found[word.at as usize] = std::mem::replace(&mut other.at, NONE);
                links[link] = links[next];
                break;
            }
            link = next;
        }
    }
    left.retain(|word| found[word.at as usize] == NONE);
    right.retain(|word| word.at != NONE);
}

/// Keeps the words that begin as one of `others` does: a stem has the first letter of its word, so no other word can
/// have a stem in common with them. Half of the words need no stem then, which saves a fourteenth of a line's time.
fn rivals(words: &mut Vec<Word>, others: &[Word]) {
    let mark = |word: &Word| 1u64 << (word.text.as_bytes()[0] % 64);
    let marks = others.iter().fold(0, |all, word| all | mark(word));
    words.retain(|word| marks & mark(word) != 0);
}

/// Matches words with synonyms.
#[inline(never)]
fn synonyms(wordnet: &WordNet, left: &[Word], right: &[Word], found: &mut [u32]) {
    let mut words: Vec<(u32, u32)> = right.iter().filter_map(|w| Some((wordnet.find(w.text)?, w.at))).collect();
    words.sort_unstable();
    // For each word of the list how many places of its own, up to here, are left.
    let mut free = vec![0u32; words.len()];
    let mut k = 0;
    while k < words.len() {
        let last = words.partition_point(|w| w.0 <= words[k].0) - 1;
        free[last] = (last - k + 1) as u32; // kept with the last one
        k = last + 1;
    }
    for word in left.iter().rev() {
        let mut best: Option<(u32, usize)> = None; // the last place, and where its word is kept
        wordnet.synonyms(&lower(word.text), |id| {
            let Some(last) = words.partition_point(|w| w.0 <= id).checked_sub(1) else { return };
            if words[last].0 == id && free[last] > 0 {
                let first = words.partition_point(|w| w.0 < id);
                let place = words[first + free[last] as usize - 1].1;
                best = best.max(Some((place, last)));
            }
        });
        if let Some((place, last)) = best {
            free[last] -= 1;
            found[word.at as usize] = place;
        }
    }
}

/// The stems of words, end to end.
struct Stems {
    text: String,
    ends: Vec<usize>,
}

impl Stems {
    fn new(words: &[Word], in_lower: bool) -> Self {
        let (mut text, mut ends) = (Vec::new(), Vec::with_capacity(words.len()));
        for word in words {
            if in_lower { stem(word.text.as_bytes(), &mut text) } else { stem_cased(word.text, &mut text) }
            ends.push(text.len());
        }
        Stems { text: String::from_utf8(text).unwrap_or_default(), ends }
    }

    /// The words with their stems.
    fn of<'t>(&'t self, words: &[Word]) -> Vec<Word<'t>> {
        let mut start = 0;
        let stem = |(word, &end): (&Word, &usize)| Word::new(word.at, &self.text[std::mem::replace(&mut start, end)..end]);
        words.iter().zip(&self.ends).map(stem).collect()
    }
}
