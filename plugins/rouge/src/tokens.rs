//! rouge_score's tokenizer: lower case, runs of `a-z0-9`, and with the stemmer
//! the stems of tokens longer than three. And two for texts that are not English: white
//! space, and the words of Unicode's text segmentation (UAX #29), lower-cased.

use crate::settings::{Settings, Tokenizer};
use rubric_host_text::{alphanumerics, ascii_lower, is_space, lower, stem};
use std::borrow::Cow;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// The tokens of a text, line by line.
pub struct Tokens {
    text: Vec<u8>,
    /// Where in `text` each token is.
    places: Vec<Range<usize>>,
    /// How many tokens there are at the end of each line.
    lines: Vec<usize>,
}

impl Tokens {
    pub fn new(text: &str, settings: &Settings) -> Self {
        match settings.tokenizer {
            Tokenizer::RougeScore => Self::of_rouge_score(text, settings),
            Tokenizer::Whitespace => Self::of_words(Cow::Borrowed(text), settings.marks, |sentence, token| {
                sentence.split(is_space).filter(|w| !w.is_empty()).for_each(token);
            }),
            Tokenizer::Words => Self::of_words(lower(text), settings.marks, |sentence, token| {
                sentence.unicode_words().for_each(token);
            }),
        }
    }

    #[inline(never)]
    fn of_rouge_score(text: &str, settings: &Settings) -> Self {
        let mut text = Cow::Borrowed(text);
        // Only two other characters have a lower case with a letter a-z in it: the Kelvin
        // sign and the dotted capital I (an i and a combining dot, which ends the token).
        if !text.is_ascii() {
            let mut plain = String::with_capacity(text.len());
            for c in text.chars() {
                match c {
                    '\u{212a}' => plain.push('k'),
                    'İ' => plain.push_str("i\u{307}"),
                    _ => plain.push(c),
                }
            }
            text = Cow::Owned(plain);
        }
        let bytes = text.as_bytes();
        let mut places = Vec::with_capacity(bytes.len() / 4 + 4);
        let mut lines = Vec::new();
        let mut at = 0;
        loop {
            let n = alphanumerics(&bytes[at..]);
            if n > 0 {
                places.push(at..at + n);
            }
            at += n;
            let Some(&c) = bytes.get(at) else { break };
            if c == b'\n' || settings.marks && ends_sentence(&bytes[at..]) {
                lines.push(places.len());
            }
            at += 1;
        }
        lines.push(places.len());
        let tokens = Tokens { text: ascii_lower(bytes), places, lines };
        if settings.stem {
            tokens.stemmed()
        } else {
            tokens
        }
    }

    /// The tokens that `words` finds in each sentence.
    fn of_words(text: Cow<str>, marks: bool, words: fn(&str, &mut dyn FnMut(&str))) -> Self {
        let (mut places, mut lines) = (Vec::new(), Vec::new());
        let mut start = 0;
        for (at, c) in text.char_indices() {
            let end = at + c.len_utf8();
            if end < text.len() && c != '\n' && !(marks && ends_sentence(&text.as_bytes()[at..])) {
                continue;
            }
            words(&text[start..end], &mut |word| {
                let from = word.as_ptr() as usize - text.as_ptr() as usize;
                places.push(from..from + word.len());
            });
            lines.push(places.len());
            start = end;
        }
        Tokens { text: text.into_owned().into_bytes(), places, lines }
    }

    /// The stems of the tokens.
    fn stemmed(mut self) -> Self {
        let mut stems = Vec::with_capacity(self.text.len() + 8);
        for place in &mut self.places {
            let (start, word) = (stems.len(), &self.text[place.clone()]);
            if word.len() > 3 {
                stem(word, &mut stems);
            } else {
                stems.extend_from_slice(word);
            }
            *place = start..stems.len();
        }
        Tokens { text: stems, ..self }
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn list(&self) -> Vec<&[u8]> {
        self.places.iter().map(|place| &self.text[place.clone()]).collect()
    }

    /// The ranges of tokens of each line that has any.
    pub fn lines(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let starts = std::iter::once(&0).chain(&self.lines);
        starts.zip(&self.lines).map(|(&a, &b)| a..b).filter(|r| !r.is_empty())
    }
}

/// Whether a text begins with a mark that ends a sentence: `。`, `！`, `？`, or `.`, `!` or `?`,
/// any closing quotes and brackets after it, and white space.
fn ends_sentence(rest: &[u8]) -> bool {
    let after = match rest {
        [b'.' | b'!' | b'?', after @ ..] => after,
        [0xe3, 0x80, 0x82, ..] | [0xef, 0xbc, 0x81 | 0x9f, ..] => return true,
        _ => return false,
    };
    let text = String::from_utf8_lossy(&after[..after.len().min(32)]);
    text.trim_start_matches(['"', '\'', ')', ']', '”', '’', '»']).starts_with(is_space)
}
