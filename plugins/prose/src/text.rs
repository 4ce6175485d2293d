//! textstat's segmentation of a text into words and sentences.

use rubric_host_text::{alphanumerics, is_space, lower, WORD};
use std::borrow::Cow;
use std::marker::PhantomData;

/// A language: the syllables of its words.
pub trait Language {
    /// Looks up a word in lower case; letters in ASCII may be in upper case.
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

/// A text, segmented and counted.
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
    /// Letters that are not Latin.
    foreign: usize,
    /// Stretches between white space, whatever is in them.
    pub tokens: usize,
    /// The syllables of all words.
    pub syllables: usize,
    /// Words of more than six letters; apostrophes are none.
    pub long: usize,
    /// Words of at most three letters.
    pub mini: usize,
    /// Words without a syllable, of one, of two, of more.
    pub of_syllables: [usize; 4],
    /// The same of difficult words: those that are not easy.
    pub difficult: [usize; 4],
    /// When the hundredth word was read: the stretches, the sentences, and `of_syllables`.
    hundredth: (usize, usize, [usize; 4]),
    language: PhantomData<L>,
}

/// A word.
pub struct Word<'t> {
    /// As it stands in the text, from its first letter to its last.
    text: &'t str,
    /// As many syllables as textstat counts when it asks whether the word is difficult; `None`: it is easy.
    pub difficult: Option<usize>,
}

/// Contractions whose apostrophe counts: what follows it.
const CONTRACTIONS: [&str; 6] = ["t", "s", "d", "ve", "ll", "re"];

/// What the rules distinguish.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Letter,
    Space,
    Stop,
    Apostrophe,
    Other,
    /// Beyond ASCII: one of the others.
    Wide,
}

const CLASS: [Class; 256] = {
    let mut class = [Class::Wide; 256];
    let mut c = 0;
    while c < 128 {
        class[c] = match c as u8 {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' => Class::Letter,
            b'\t'..=b'\r' | 0x1c..=0x20 => Class::Space,
            b'.' | b'!' | b'?' => Class::Stop,
            b'\'' => Class::Apostrophe,
            _ => Class::Other,
        };
        c += 1;
    }
    class
};

/// The class of a byte; behind the end is white space.
fn class_at(text: &[u8], at: usize) -> Class {
    text.get(at).map_or(Class::Space, |c| CLASS[usize::from(*c)])
}

/// Whether a letter is a Latin one.
fn latin(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ɏ' | 'Ḁ'..='ỿ')
}

/// The class of a character beyond ASCII, its length, and whether it is a letter that is not Latin.
#[cold]
#[inline(never)]
fn wide(text: &str) -> (Class, usize, bool) {
    let c = text.chars().next().unwrap_or(' ');
    let class = if WORD.has(c) {
        Class::Letter
    } else if is_space(c) {
        Class::Space
    } else {
        Class::Other
    };
    (class, c.len_utf8(), class == Class::Letter && !latin(c) && c.is_alphabetic())
}

/// The sentence being read. It begins at a word, holds no stop and goes on over the
/// stops that follow. One of two words or fewer does not count.
#[derive(Default)]
struct Sentence {
    words: usize,
    stopped: bool,
}

/// The stretch between white space being read.
#[derive(Default)]
struct Stretch {
    /// What is kept of it begins and ends here.
    start: usize,
    end: usize,
    /// Something between is left out.
    gap: bool,
    /// A letter is beyond ASCII.
    wide: bool,
    letters: usize,
    chars: usize,
    /// The sentence has counted it.
    counted: bool,
}

impl<'t> Word<'t> {
    /// The word without punctuation, but with the apostrophes of contractions.
    pub fn spelling(&self) -> Cow<'t, str> {
        spelling(self.text)
    }
}

fn spelling(text: &str) -> Cow<'_, str> {
    let kept = |(at, c): (usize, char)| WORD.has(c) || c == '\'' && contracts(text.as_bytes(), at + 1);
    if alphanumerics(text.as_bytes()) == text.len() || text.char_indices().all(kept) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.char_indices().filter(|c| kept(*c)).map(|(_, c)| c).collect())
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
            foreign: 0,
            tokens: 0,
            syllables: 0,
            long: 0,
            mini: 0,
            of_syllables: [0; 4],
            difficult: [0; 4],
            hundredth: (0, 0, [0; 4]),
            language: PhantomData,
        };
        let bytes = raw.as_bytes();
        let (mut sentence, mut stretch) = (Sentence::default(), Stretch::default());
        let mut at = 0;
        // White space ends the last stretch, too.
        while at <= bytes.len() {
            let start = at;
            let (mut class, mut chars) = (class_at(bytes, at), 1);
            at += 1;
            if class == Class::Letter {
                at += alphanumerics(&bytes[at..]);
                chars = at - start;
                // Most stretches are a word, and perhaps a mark behind it. Of others the next steps read the rest.
                if stretch.chars == 0 {
                    let after = class_at(bytes, at);
                    let mark = matches!(after, Class::Stop | Class::Other);
                    let end = at + usize::from(mark);
                    if (mark || after == Class::Space) && class_at(bytes, end) == Class::Space {
                        text.chars += end - start;
                        text.tokens += 1;
                        sentence.words += 1;
                        if after == Class::Stop {
                            text.sentences += usize::from(sentence.words > 2);
                            sentence = Sentence::default();
                        }
                        let word = &raw[start..at];
                        let known = L::look_up(word);
                        text.count(word, known, known.syllables, chars, &sentence);
                        at = end + 1;
                        continue;
                    }
                }
            } else if class == Class::Wide {
                let (length, foreign);
                (class, length, foreign) = wide(&raw[start..]);
                at = start + length;
                text.foreign += usize::from(foreign);
                stretch.wide |= class == Class::Letter;
            }
            if class == Class::Stop {
                sentence.stopped = true;
            } else if sentence.stopped {
                text.sentences += usize::from(sentence.words > 2);
                sentence = Sentence::default();
                stretch.counted = false;
            }
            if class == Class::Space {
                text.take(std::mem::take(&mut stretch), &sentence);
                continue;
            }
            stretch.chars += chars;
            if class == Class::Letter {
                stretch.letters += chars;
                sentence.words += usize::from(!stretch.counted);
                stretch.counted = true;
            }
            if class == Class::Letter || class == Class::Apostrophe && contracts(bytes, at) {
                if stretch.end == 0 {
                    stretch.start = start;
                } else {
                    stretch.gap |= stretch.end != start;
                }
                stretch.end = at;
            }
        }
        text.sentences = (text.sentences + usize::from(sentence.words > 2)).max(usize::from(!raw.is_empty()));
        text
    }

    /// Takes one stretch between white space.
    fn take(&mut self, stretch: Stretch, sentence: &Sentence) {
        if stretch.chars == 0 {
            return;
        }
        self.tokens += 1;
        self.chars += stretch.chars;
        if stretch.end == 0 {
            return;
        }
        let text = &self.raw[stretch.start..stretch.end];
        let (known, syllables) = if stretch.wide {
            look_up_wide::<L>(&spelling(text))
        } else {
            let known = if stretch.gap { L::look_up(&spelling(text)) } else { L::look_up(text) };
            (known, known.syllables)
        };
        self.count(text, known, syllables, stretch.letters, sentence);
    }

    /// Counts a word, and the syllables that decide whether it is difficult.
    #[inline(never)] // it is called twice
    fn count(&mut self, text: &'t str, known: Known, syllables: usize, letters: usize, sentence: &Sentence) {
        self.letters += letters;
        self.long += usize::from(letters > 6);
        self.mini += usize::from(letters <= 3);
        self.syllables += known.syllables;
        self.of_syllables[known.syllables.min(3)] += 1;
        self.difficult[syllables.min(3)] += usize::from(!known.easy);
        self.words.push(Word { text, difficult: (!known.easy).then_some(syllables) });
        if self.words.len() == 100 {
            self.hundredth = (self.tokens, self.sentences + usize::from(sentence.words > 2), self.of_syllables);
        }
    }

    /// Whether the words have Latin letters, and at least as many as others.
    pub fn is_latin(&self) -> bool {
        let letters = self.words.iter().flat_map(|word| word.text.chars());
        letters.filter(|c| latin(*c)).nth(self.foreign.saturating_sub(1)).is_some()
    }

    /// The text up to its hundredth word, if it has more than a hundred
    /// stretches: `of_syllables`, and the sentences of that part. White
    /// space alone makes no sentence here.
    pub fn first_hundred(&self) -> ([usize; 4], usize) {
        let (tokens, sentences, of_syllables) = self.hundredth;
        if self.tokens > 100 && tokens > 0 && tokens < self.tokens {
            return (of_syllables, sentences.max(1));
        }
        (self.of_syllables, if self.tokens == 0 { 0 } else { self.sentences })
    }

    /// Words over sentences; 0 of an empty text.
    pub fn words_per_sentence(&self) -> f64 {
        over(self.words.len(), self.sentences)
    }

    /// Syllables over words; 0 without words.
    pub fn syllables_per_word(&self) -> f64 {
        over(self.syllables, self.words.len())
    }

    /// Word characters over words; 0 without words.
    pub fn letters_per_word(&self) -> f64 {
        over(self.letters, self.words.len())
    }

    /// Sentences over words; 0 without words.
    pub fn sentences_per_word(&self) -> f64 {
        over(self.sentences, self.words.len())
    }

    /// Words per sentence and the percentage of long words (Björnsson 1968).
    pub fn lix(&self) -> f64 {
        if self.words.is_empty() {
            return 0.0;
        }
        self.words_per_sentence() + 100.0 * self.long as f64 / self.words.len() as f64
    }

    /// Long words per sentence (Anderson 1983).
    pub fn rix(&self) -> f64 {
        over(self.long, self.sentences)
    }
}

/// A quotient; 0 if it would divide by nothing.
pub fn over(a: usize, b: usize) -> f64 {
    if b == 0 {
        0.0
    } else {
        a as f64 / b as f64
    }
}

/// What is known of a word that is not all in ASCII, and the syllables that textstat gives it when
/// it asks whether it is difficult: lower case first, then the punctuation goes, which takes the dot
/// that a dotted capital I leaves.
#[cold]
fn look_up_wide<L: Language>(word: &str) -> (Known, usize) {
    let word = lower(word);
    let known = L::look_up(&word);
    let syllables = if word.contains(DOT) { L::look_up(&word.replace(DOT, "")).syllables } else { known.syllables };
    (known, syllables)
}

/// Above an i in lower case.
const DOT: char = '\u{307}';

/// Whether an apostrophe before `at` is that of a contraction.
fn contracts(text: &[u8], at: usize) -> bool {
    CONTRACTIONS.iter().any(|c| text[at..].starts_with(c.as_bytes()))
}
