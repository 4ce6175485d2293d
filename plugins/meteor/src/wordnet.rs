//! Synonyms of WordNet 3.0, looked up as NLTK does (`WordNetCorpusReader.synsets`).
//!
//! The data file is made by plugins/data; it is used where it lies. After eight bytes that name its
//! form come numbers of 32 bits, least byte first: how many strings, senses, synsets, names
//! and exceptions there are; then these lists, then the strings, sorted, end to end.

use std::sync::OnceLock;

/// The name of the data file.
pub const DATA: &str = "wordnet-3.0";

static WORDNET: OnceLock<WordNet> = OnceLock::new();

/// Takes a data file.
pub fn take(name: &'static str, content: &'static mut [u8]) {
    if name == DATA {
        let _ = WORDNET.set(WordNet::read(content).expect("the data file has the form that its digest fixes"));
    }
}

/// The dictionary, if the host gave it.
pub fn installed() -> Option<&'static WordNet> {
    WORDNET.get()
}

/// A list of numbers.
#[derive(Clone, Copy)]
struct Numbers(&'static [[u8; 4]]);

impl Numbers {
    fn at(self, i: u32) -> u32 {
        u32::from_le_bytes(self.0[i as usize])
    }
}

/// A dictionary.
pub struct WordNet {
    strings: u32,
    ends: Numbers,        // of each string: where it begins in text, and the end of the last
    senses_from: Numbers, // of each string: where its senses begin, and the end of the last
    senses: Numbers,      // part of speech << 28 | synset
    names_from: Numbers,  // of each synset: where its names begin, and the end of the last
    names: Numbers,       // strings: the words of a synset that are single ones
    exceptions: Numbers,  // part of speech << 28 | string, and a base form of it; sorted
    text: &'static [u8],
}

/// Noun, verb, adjective, adverb.
const PARTS: u32 = 4;

/// Endings of a part of speech and what replaces them.
fn endings(part: u32) -> &'static [(&'static str, &'static str)] {
    match part {
        0 => &[
            ("s", ""),
            ("ses", "s"),
            ("ves", "f"),
            ("xes", "x"),
            ("zes", "z"),
            ("ches", "ch"),
            ("shes", "sh"),
            ("men", "man"),
            ("ies", "y"),
        ],
        1 => &[("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
        2 => &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
        _ => &[],
    }
}

/// The longest word that is looked up, in bytes: NLTK takes endings off a longer one for minutes.
const LONGEST: usize = 200;

impl WordNet {
    /// Reads a data file. None: the bytes are not one.
    pub fn read(content: &'static [u8]) -> Option<Self> {
        let rest = content.strip_prefix(b"RHWN\x03\x00\x01\n")?;
        let (head, mut rest) = rest.split_at_checked(20)?;
        let count = |i: usize| u32::from_le_bytes([head[4 * i], head[4 * i + 1], head[4 * i + 2], head[4 * i + 3]]);
        let mut list = |n: u32| {
            let (list, after) = rest.split_at_checked(usize::try_from(n).ok()?.checked_mul(4)?)?;
            rest = after;
            Some(Numbers(list.as_chunks().0))
        };
        let strings = count(0);
        Some(WordNet {
            strings,
            ends: list(strings.checked_add(1)?)?,
            senses_from: list(strings + 1)?,
            senses: list(count(1))?,
            names_from: list(count(2).checked_add(1)?)?,
            names: list(count(3))?,
            exceptions: list(count(4).checked_mul(2)?)?,
            text: rest,
        })
    }

    fn string(&self, id: u32) -> &'static [u8] {
        &self.text[self.ends.at(id) as usize..self.ends.at(id + 1) as usize]
    }

    /// The number of a word, if it is there.
    pub fn find(&self, word: &str) -> Option<u32> {
        let (mut from, mut to) = (0, self.strings);
        while from < to {
            let middle = from + (to - from) / 2;
            if self.string(middle) < word.as_bytes() {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        (from < self.strings && self.string(from) == word.as_bytes()).then_some(from)
    }

    /// Calls `each` with the number of every single word that is in a synset with `word`, which is in
    /// lower case, or with a base form of it. A word may come more than once.
    pub fn synonyms(&self, word: &str, mut each: impl FnMut(u32)) {
        if word.len() > LONGEST {
            return;
        }
        for part in 0..PARTS {
            for form in self.bases(word, part) {
                for s in self.senses_from.at(form)..self.senses_from.at(form + 1) {
                    let sense = self.senses.at(s);
                    if sense >> 28 == part {
                        let synset = sense & 0x0fff_ffff;
                        (self.names_from.at(synset)..self.names_from.at(synset + 1))
                            .for_each(|n| each(self.names.at(n)));
                    }
                }
            }
        }
    }

    /// The number of a word that has a sense as this part of speech.
    fn known(&self, word: &str, part: u32) -> Option<u32> {
        let id = self.find(word)?;
        (self.senses_from.at(id)..self.senses_from.at(id + 1)).any(|s| self.senses.at(s) >> 28 == part).then_some(id)
    }

    /// The words of a part of speech that a word is a form of, as NLTK's `_morphy` finds them.
    #[inline(never)]
    fn bases(&self, word: &str, part: u32) -> Vec<u32> {
        let mut found: Vec<u32> = self.known(word, part).into_iter().collect();
        if let Some(id) = self.find(word) {
            let key = part << 28 | id;
            let (mut from, mut to) = (0, self.exceptions.0.len() as u32 / 2);
            while from < to {
                let middle = from + (to - from) / 2;
                if self.exceptions.at(2 * middle) < key {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            if 2 * from < self.exceptions.0.len() as u32 && self.exceptions.at(2 * from) == key {
                while 2 * from < self.exceptions.0.len() as u32 && self.exceptions.at(2 * from) == key {
                    let base = self.exceptions.at(2 * from + 1);
                    if base != id && !found.contains(&base) {
                        found.push(base);
                    }
                    from += 1;
                }
                return found; // rules do not apply to exceptions
            }
        }
        let mut forms = vec![word.to_string()];
        loop {
            forms = shortened(&forms, part);
            for form in &forms {
                if let Some(id) = self.known(form, part).filter(|id| !found.contains(id)) {
                    found.push(id);
                }
            }
            if !found.is_empty() || forms.is_empty() {
                return found;
            }
        }
    }
}

/// Applies every rule to every form once.
fn shortened(forms: &[String], part: u32) -> Vec<String> {
    let mut out = Vec::new();
    for form in forms {
        for (old, new) in endings(part) {
            if let Some(stem) = form.strip_suffix(old) {
                let next = format!("{stem}{new}");
                if !out.contains(&next) {
                    out.push(next);
                }
            }
        }
    }
    out
}
