//! rouge_score's tokenizer: lower case, runs of `a-z0-9`, and with the stemmer
//! the stems of tokens longer than three.

use crate::settings::Settings;
use rubric_host_text::{alphanumerics, ascii_lower, is_space, stem};
use std::borrow::Cow;
use std::ops::Range;

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

/// Whether a text begins with a mark that ends a sentence: `.`, `!` or `?`, any closing
/// quotes and brackets after it, and white space.
fn ends_sentence(rest: &[u8]) -> bool {
    let [b'.' | b'!' | b'?', after @ ..] = rest else { return false };
    let text = String::from_utf8_lossy(&after[..after.len().min(32)]);
    text.trim_start_matches(['"', '\'', ')', ']', '”', '’', '»']).starts_with(is_space)
}
