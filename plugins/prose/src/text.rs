//! textstat's segmentation of a text into words and sentences.

use rubric_host_text::{is_space, lower, WORD};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::marker::PhantomData;

/// A language: the syllables of its words.
pub trait Language {
    /// Looks up a word in lower case.
    fn look_up(word: &str) -> Known;
}

/// What is known of a word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// As many as textstat counts.
    pub syllables: usize,
    /// On the list of easy words, inflections not included.
    pub easy: bool,
}

/// A text, segmented.
pub struct Text<'t, L> {
    raw: &'t str,
    /// In order, those without a letter left out.
    pub words: Vec<Word<'t>>,
    /// As textstat counts them: those of more than two words, at least one.
    pub sentences: usize,
    /// Code points that are not white space.
    pub chars: usize,
    /// Code points that are word characters.
    pub letters: usize,
    /// Stretches between white space, whatever is in them.
    pub tokens: usize,
    known: OnceCell<Vec<Known>>,
    language: PhantomData<L>,
}

/// A word without its punctuation, but with the apostrophes of contractions.
pub struct Word<'t> {
    /// As it stands in the text.
    pub text: Cow<'t, str>,
    /// Code points, apostrophes left out.
    pub letters: usize,
    /// Where in the raw text the stretch that holds it ends.
    end: usize,
    /// How many stretches there are up to and with that one.
    token: usize,
    /// In lower case already.
    low: bool,
}

/// Contractions whose apostrophe counts: what follows it.
const CONTRACTIONS: [&str; 6] = ["t", "s", "d", "ve", "ll", "re"];

const LETTER: u8 = 1;
const SPACE: u8 = 2;
const STOP: u8 = 4;
const APOSTROPHE: u8 = 8;
const WIDE: u8 = 16;
/// A letter that is not in lower case.
const CAPITAL: u8 = 32 | LETTER;

/// What the rules distinguish.
const CLASS: [u8; 256] = {
    let mut class = [WIDE; 256];
    let mut c = 0;
    while c < 128 {
        class[c] = match c as u8 {
            b'A'..=b'Z' => CAPITAL,
            b'0'..=b'9' | b'a'..=b'z' | b'_' => LETTER,
            b'\t'..=b'\r' | 0x1c..=0x20 => SPACE,
            b'.' | b'!' | b'?' => STOP,
            b'\'' => APOSTROPHE,
            _ => 0,
        };
        c += 1;
    }
    class
};

/// How many letters in ASCII a text begins with; what they are is added to `seen`.
#[inline(always)]
fn letters(text: &[u8], seen: &mut u8) -> usize {
    let mut n = 0;
    for &c in text {
        let class = CLASS[usize::from(c)];
        if class & LETTER == 0 {
            break;
        }
        *seen |= class;
        n += 1;
    }
    n
}

/// The class of the character at a place, and its length in bytes.
#[inline(always)]
fn class(raw: &str, at: usize) -> (u8, usize) {
    match CLASS[usize::from(raw.as_bytes()[at])] {
        WIDE => wide_class(raw, at),
        class => (class, 1),
    }
}

#[cold]
#[inline(never)]
fn wide_class(raw: &str, at: usize) -> (u8, usize) {
    let c = raw[at..].chars().next().unwrap_or(' ');
    let class = if WORD.has(c) {
        CAPITAL // perhaps
    } else if is_space(c) {
        SPACE
    } else {
        0
    };
    (class, c.len_utf8())
}

/// Counts sentences: stretches that begin at a word, hold no stop and go on
/// over the stops that follow. Those of two words or fewer do not count, and
/// there is always one, unless the text is empty.
#[derive(Default)]
struct Sentences {
    count: usize,
    /// Words of the current sentence.
    words: usize,
    /// The current stretch has a letter already.
    lettered: bool,
    stopped: bool,
}

impl Sentences {
    /// Takes a character, or letters in a row.
    #[inline(always)]
    fn take(&mut self, class: u8) {
        if class == STOP {
            self.stopped = true;
            return;
        }
        if self.stopped {
            *self = Sentences { count: self.all(), ..Sentences::default() };
        }
        if class & LETTER != 0 {
            self.words += usize::from(!self.lettered);
            self.lettered = true;
        } else if class == SPACE {
            self.lettered = false;
        }
    }

    fn all(&self) -> usize {
        self.count + usize::from(self.words > 2)
    }

    /// Those of a whole text.
    fn of(raw: &str) -> usize {
        let mut sentences = Sentences::default();
        let mut at = 0;
        while at < raw.len() {
            let (class, len) = class(raw, at);
            sentences.take(class);
            at += len;
        }
        sentences.all().max(usize::from(!raw.is_empty()))
    }
}

impl<'t, L: Language> Text<'t, L> {
    /// Segments a text.
    pub fn new(raw: &'t str) -> Self {
        let mut text = Text {
            raw,
            words: Vec::with_capacity(raw.len() / 5 + 4),
            sentences: 0,
            chars: 0,
            letters: 0,
            tokens: 0,
            known: OnceCell::new(),
            language: PhantomData,
        };
        let mut sentences = Sentences::default();
        let mut at = 0;
        while at < raw.len() {
            match class(raw, at) {
                (SPACE, len) => {
                    sentences.take(SPACE);
                    at += len;
                }
                _ => at = text.token(at, &mut sentences),
            }
        }
        text.sentences = sentences.all().max(usize::from(!raw.is_empty()));
        text
    }

    /// Takes one stretch between white space; answers where it ends.
    fn token(&mut self, start: usize, sentences: &mut Sentences) -> usize {
        self.tokens += 1;
        let raw = self.raw;
        let (mut at, mut chars, mut found, mut kept, mut seen) = (start, 0, 0, 0, 0);
        loop {
            let run = letters(&raw.as_bytes()[at..], &mut seen);
            if run > 0 {
                sentences.take(LETTER);
                (at, chars, found) = (at + run, chars + run, found + run);
            }
            if at == raw.len() {
                break;
            }
            let (class, len) = class(raw, at);
            match class {
                SPACE => break,
                CAPITAL => {
                    found += 1;
                    seen = CAPITAL;
                }
                APOSTROPHE => kept += usize::from(contracts(raw, at + 1)),
                _ => {}
            }
            sentences.take(class);
            chars += 1;
            at += len;
        }
        kept += found;
        self.chars += chars;
        self.letters += found;
        if kept > 0 {
            let stretch = &raw[start..at];
            let text = if kept == chars { Cow::Borrowed(stretch) } else { Cow::Owned(clean(stretch)) };
            self.words.push(Word { text, letters: found, end: at, token: self.tokens, low: seen != CAPITAL });
        }
        at
    }

    /// What is known of each word; looked up once.
    pub fn known(&self) -> &[Known] {
        self.known.get_or_init(|| {
            let mut known = Vec::with_capacity(self.words.len());
            known.extend(
                self.words.iter().map(|w| if w.low { L::look_up(&w.text) } else { L::look_up(&lower(&w.text)) }),
            );
            known
        })
    }

    /// The syllables of all words.
    pub fn syllables(&self) -> usize {
        self.known().iter().map(|k| k.syllables).sum()
    }

    /// How many words satisfy a condition on their syllables.
    pub fn count_syllables(&self, condition: impl Fn(usize) -> bool) -> usize {
        self.known().iter().filter(|k| condition(k.syllables)).count()
    }

    /// The words that are not easy and have at least `least` syllables, each as
    /// often as it occurs.
    pub fn difficult(&self, least: usize) -> impl Iterator<Item = &str> {
        let hard = move |(_, known): &(&Word, &Known)| !known.easy;
        // What is in ASCII keeps its letters.
        let syllables = |word: &Word, known: Known| if word.text.is_ascii() { known.syllables } else { of_lowered::<L>(&lower(&word.text), known) };
        let long = move |(word, known): &(&Word, &Known)| least == 0 || syllables(word, **known) >= least;
        self.words.iter().zip(self.known()).filter(hard).filter(long).map(|(w, _)| &*w.text)
    }

    /// The text up to its hundredth word, if it has more than a hundred
    /// stretches: the number of words, and the sentences of that part. White
    /// space alone makes no sentence here.
    pub fn first_hundred(&self) -> (usize, usize) {
        match self.words.get(99) {
            Some(word) if self.tokens > 100 && word.token < self.tokens => (100, Sentences::of(&self.raw[..word.end])),
            _ => (self.words.len(), if self.tokens == 0 { 0 } else { self.sentences }),
        }
    }

    /// Words over sentences; 0 of an empty text.
    pub fn words_per_sentence(&self) -> f64 {
        over(self.words.len(), self.sentences)
    }

    /// Syllables over words; 0 without words.
    pub fn syllables_per_word(&self) -> f64 {
        over(self.syllables(), self.words.len())
    }

    /// Word characters over words; 0 without words.
    pub fn letters_per_word(&self) -> f64 {
        over(self.letters, self.words.len())
    }

    /// Sentences over words; 0 without words.
    pub fn sentences_per_word(&self) -> f64 {
        over(self.sentences, self.words.len())
    }

    /// Words of more than six letters.
    pub fn long_words(&self) -> usize {
        self.words.iter().filter(|w| w.letters > 6).count()
    }

    /// Words per sentence and the percentage of long words (Björnsson 1968).
    pub fn lix(&self) -> f64 {
        if self.words.is_empty() {
            return 0.0;
        }
        self.words_per_sentence() + 100.0 * self.long_words() as f64 / self.words.len() as f64
    }

    /// Long words per sentence (Anderson 1983).
    pub fn rix(&self) -> f64 {
        over(self.long_words(), self.sentences)
    }
}

/// A quotient; 0 if it would divide by nothing.
fn over(a: usize, b: usize) -> f64 {
    if b == 0 {
        0.0
    } else {
        a as f64 / b as f64
    }
}

/// The syllables that textstat gives a word when it asks whether it is
/// difficult: lower case first, then the punctuation goes, which takes the dot
/// that a dotted capital I leaves.
fn of_lowered<L: Language>(word: &str, known: Known) -> usize {
    if word.is_ascii() || word.chars().all(|c| c == '\'' || WORD.has(c)) {
        return known.syllables;
    }
    let word: String = word.chars().filter(|&c| c == '\'' || WORD.has(c)).collect();
    if word.is_empty() {
        0
    } else {
        L::look_up(&word).syllables
    }
}

/// Whether an apostrophe before `at` is that of a contraction.
fn contracts(raw: &str, at: usize) -> bool {
    CONTRACTIONS.iter().any(|c| raw.as_bytes()[at..].starts_with(c.as_bytes()))
}

fn clean(stretch: &str) -> String {
    let mut out = String::with_capacity(stretch.len());
    let mut at = 0;
    while at < stretch.len() {
        let (class, len) = class(stretch, at);
        if class & LETTER != 0 || (class == APOSTROPHE && contracts(stretch, at + 1)) {
            out.push_str(&stretch[at..at + len]);
        }
        at += len;
    }
    out
}
