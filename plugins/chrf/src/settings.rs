//! The configuration: sacrebleu's option names and defaults.

use rubric_host_sdk::{Error, Request, Result};
use rubric_host_text::split;

pub struct Settings {
    pub char_order: usize,
    pub word_order: usize,
    pub beta: f64,
    pub lowercase: bool,
    pub whitespace: bool,
    pub eps_smoothing: bool,
}

/// The highest order that is accepted; sacrebleu sets no limit.
const MAX_ORDER: usize = 16;

const MAX_BETA: f64 = 1000.0;

impl Settings {
    pub fn read(request: &Request) -> Result<Self> {
        let config = request.config();
        let settings = Settings {
            char_order: config.count("char_order", 6, 0, MAX_ORDER)?,
            word_order: config.count("word_order", 0, 0, MAX_ORDER)?,
            beta: config.number("beta", 2.0)?,
            lowercase: config.flag("lowercase", false)?,
            whitespace: config.flag("whitespace", false)?,
            eps_smoothing: config.flag("eps_smoothing", false)?,
        };
        if !(0.0..=MAX_BETA).contains(&settings.beta) {
            return Err(Error::new("beta out of range: use 0 to 1000"));
        }
        if settings.orders() == 0 {
            return Err("char_order and word_order are both 0: set one of them".into());
        }
        Ok(settings)
    }

    /// How many orders there are, of characters and of words.
    pub fn orders(&self) -> usize {
        self.char_order + self.word_order
    }

    /// The signature that makes a score reproducible, as sacrebleu prints it.
    pub fn signature(&self, references: &str) -> String {
        let case = if self.lowercase { "lc" } else { "mixed" };
        let yes = |b| if b { "yes" } else { "no" };
        format!(
            "nrefs:{references}|case:{case}|eff:{}|nc:{}|nw:{}|space:{}|version:2.6.0",
            yes(!self.eps_smoothing),
            self.char_order,
            self.word_order,
            yes(self.whitespace)
        )
    }
}

/// The words of a text. Of a longer one an ASCII punctuation mark at its end stands
/// apart; if there is none, one at its beginning.
pub fn words(text: &str) -> Vec<&str> {
    let mut whole = Vec::new();
    split(text, &mut whole);
    let mut words = Vec::with_capacity(whole.len() + whole.len() / 4);
    for word in whole {
        let (first, last) = (word.as_bytes()[0], word.as_bytes()[word.len() - 1]);
        let at = match (first.is_ascii_punctuation(), last.is_ascii_punctuation()) {
            _ if word.len() == 1 => 0,
            (_, true) => word.len() - 1,
            (true, false) => 1,
            (false, false) => 0,
        };
        if at > 0 {
            words.push(&word[..at]);
        }
        words.push(&word[at..]);
    }
    words
}
