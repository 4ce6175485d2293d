//! rouge_score's tokenizer: lower case, runs of `a-z0-9`, and with the stemmer
//! the stems of tokens longer than three.

use crate::settings::Settings;
use rubric_host_text::{is_space, stem_into};

/// The tokens of a text, line by line.
pub struct Tokens {
    text: String,
    /// Where each token ends; it begins where the one before ended.
    ends: Vec<usize>,
    /// How many tokens there are at the end of each line.
    lines: Vec<usize>,
}

impl Tokens {
    pub fn new(text: &str, settings: &Settings) -> Self {
        let stem = settings.stem;
        let mut t = Tokens {
            text: String::with_capacity(text.len()),
            ends: Vec::with_capacity(text.len() / 4 + 4),
            lines: Vec::new(),
        };
        let bytes = text.as_bytes();
        let mut start = 0;
        let mut at = 0;
        while at < bytes.len() {
            let c = bytes[at].to_ascii_lowercase();
            if c.is_ascii_alphanumeric() {
                t.text.push(c as char);
                at += 1;
                continue;
            }
            // Only two other characters have a lower case with a letter a-z in
            // it: the dotted capital I (an i and a combining dot, which ends
            // the token) and the Kelvin sign.
            let rest = &bytes[at..];
            if rest.starts_with("\u{212a}".as_bytes()) {
                t.text.push('k');
                at += '\u{212a}'.len_utf8();
                continue;
            }
            if rest.starts_with("İ".as_bytes()) {
                t.text.push('i');
                at += 1;
            }
            start = t.end(start, stem);
            if c == b'\n' || settings.marks && ends_sentence(rest) {
                t.lines.push(t.ends.len());
            }
            at += 1;
        }
        t.end(start, stem);
        t.lines.push(t.ends.len());
        t
    }

    /// Ends the token that began at `start`, if it is not empty; answers where
    /// the next one begins.
    fn end(&mut self, start: usize, stem: bool) -> usize {
        if self.text.len() == start {
            return start;
        }
        if stem && self.text.len() - start > 3 {
            let word = self.text.split_off(start);
            stem_into(&word, &mut self.text);
        }
        self.ends.push(self.text.len());
        self.text.len()
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn list(&self) -> Vec<&str> {
        let mut start = 0;
        self.ends
            .iter()
            .map(|&end| {
                let token = &self.text[start..end];
                start = end;
                token
            })
            .collect()
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
