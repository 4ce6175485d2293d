//! jiwer's transforms: what is done to a text before its words or characters are
//! compared.

use rubric_host_sdk::{Error, Request, Result};
use rubric_host_text::{is_space, lower, strip, PUNCTUATION};
use std::borrow::Cow;

/// The texts that jiwer's standardize transform replaces, in this order.
const CONTRACTIONS: [(&str, &str); 11] = [
    ("won't", "will not"),
    ("can't", "can not"),
    ("let's", "let us"),
    ("n't", " not"),
    ("'re", " are"),
    ("'s", " is"),
    ("'d", " would"),
    ("'ll", " will"),
    ("'t", " not"),
    ("'ve", " have"),
    ("'m", " am"),
];

pub struct Transform {
    standardize: bool,
    chars: bool,
    lowercase: bool,
    remove_punctuation: bool,
}

impl Transform {
    /// Reads the configuration; `chars`: the metric compares characters.
    pub fn read(request: &Request, chars: bool) -> Result<Self> {
        let config = request.config();
        let name = config.text("transform", if chars { "cer_default" } else { "wer_default" })?;
        match (name, chars) {
            ("wer_default" | "wer_standardize", false) | ("cer_default", true) => {}
            ("wer_default" | "wer_standardize", true) => {
                return Err(Error::new(format!("transform {name} makes words: use cer_default for cer")))
            }
            ("cer_default", false) => {
                return Err("transform cer_default makes characters: use wer_default or wer_standardize".into())
            }
            _ => {
                return Err(Error::new(format!(
                    "unknown transform \"{name}\": use wer_default, wer_standardize or cer_default"
                )))
            }
        }
        Ok(Transform {
            standardize: name == "wer_standardize",
            chars,
            lowercase: config.flag("lowercase", false)?,
            remove_punctuation: config.flag("remove_punctuation", false)?,
        })
    }

    /// The text whose items are compared.
    pub fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        if self.lowercase || self.standardize {
            text = Cow::Owned(lower(&text).into_owned());
        }
        if self.remove_punctuation {
            text = Cow::Owned(text.chars().filter(|&c| !PUNCTUATION.has(c)).collect());
        }
        if self.standardize {
            text = Cow::Owned(standardized(&text));
        }
        if self.chars {
            return Cow::Owned(strip(&text).into());
        }
        single_spaced(text)
    }

    /// The words of two texts that [`Transform::apply`] made, unless the metric
    /// compares characters.
    pub fn words<'t>(&self, a: &'t str, b: &'t str) -> Option<(Vec<&'t str>, Vec<&'t str>)> {
        // A single tab or newline is part of a word.
        let words = |text: &'t str| strip(text).split(' ').filter(|w| !w.is_empty()).collect();
        (!self.chars).then(|| (words(a), words(b)))
    }
}

fn standardized(text: &str) -> String {
    let mut text = text.to_string();
    for (from, to) in CONTRACTIONS {
        if text.contains(from) {
            text = text.replace(from, to);
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(open) = rest.find(['<', '[']) {
        let Some(close) = rest[open + 1..].find(['>', ']']) else { break };
        out.push_str(&rest[..open]);
        rest = &rest[open + 1 + close + 1..];
    }
    out.push_str(rest);
    out.chars().map(|c| if matches!(c, '\t'..='\r') { ' ' } else { c }).collect()
}

/// Makes one space of each run of two or more white spaces.
fn single_spaced(text: Cow<str>) -> Cow<str> {
    let mut before = false;
    let runs = text.chars().any(|c| std::mem::replace(&mut before, is_space(c)) && is_space(c));
    if !runs {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let mut run = 1;
        while is_space(c) && chars.next_if(|&c| is_space(c)).is_some() {
            run += 1;
        }
        out.push(if run > 1 { ' ' } else { c });
    }
    Cow::Owned(out)
}
