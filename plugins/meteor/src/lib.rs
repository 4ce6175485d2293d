//! METEOR as NLTK 3.8 computes it (`translate.meteor_score`), 0 to 1: words are matched
//! exactly, then by their stems, then by WordNet's synonyms where its data file is there; the
//! order of the matches lowers the score.
//!
//! Definition: Lavie and Agarwal 2007; traps: NLTK's greedy matching, and a score below 1
//! for equal texts. It is not the Java program METEOR 1.5.

mod align;
#[cfg(test)]
mod vectors_test;
mod wordnet;

use align::{Alignment, Words};
use rubric_host_sdk::{data, export, manifest, Answer, Config, Error, Object, Request, Result};
use rubric_host_text::{lower, or_answer, treebank, Texts};
use std::borrow::Cow;

manifest!("../plugin.yaml");
data!(wordnet::take);
export!(meteor => meteor);

struct Settings {
    treebank: bool,
    lowercase: bool,
    stem: bool,
    wordnet: Option<&'static wordnet::WordNet>,
    alpha: f64,
    beta: f64,
    gamma: f64,
}

impl Settings {
    #[inline(never)]
    fn read(config: &Config) -> Result<Self> {
        let number = |name: &str, default: f64, most: u8| match config.number(name, default)? {
            n if (0.0..=f64::from(most)).contains(&n) => Ok(n),
            _ => Err(Error::new(format!("{name} out of range: use 0 to {most}"))),
        };
        let wordnet = match choice(config, "synonyms", ["none", wordnet::DATA])? {
            0 => None,
            _ => Some(
                wordnet::installed()
                    .ok_or("synonyms \"wordnet-3.0\" needs the data file wordnet-3.0, which is not installed")?,
            ),
        };
        Ok(Settings {
            treebank: choice(config, "tokenizer", ["nltk_word", "whitespace"])? == 0,
            lowercase: choice(config, "preprocess", ["lower", "none"])? == 0,
            stem: choice(config, "stemmer", ["porter_nltk", "none"])? == 0,
            wordnet,
            alpha: number("alpha", 0.9, 1)?,
            beta: number("beta", 3.0, 100)?,
            gamma: number("gamma", 0.5, 1)?,
        })
    }

    /// The text as tokens between white space.
    fn prepare<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let text = if self.treebank { Cow::Owned(treebank(text)) } else { Cow::Borrowed(text) };
        match (self.lowercase, text) {
            (false, text) => text,
            (true, Cow::Borrowed(text)) => lower(text),
            (true, Cow::Owned(text)) => Cow::Owned(lower(&text).into_owned()),
        }
    }

    /// The signature that makes a score reproducible, in the form of sacrebleu's.
    fn signature(&self) -> String {
        let tok = if self.treebank { "tok:nltk_word|case:" } else { "tok:whitespace|case:" };
        let case = if self.lowercase { "lc|stem:" } else { "mixed|stem:" };
        let stem = if self.stem { "porter_nltk|wn:" } else { "no|wn:" };
        let wn = if self.wordnet.is_some() { "3.0|alpha:" } else { "no|alpha:" };
        let [alpha, beta, gamma] = [self.alpha, self.beta, self.gamma].map(decimal);
        // format! takes several times as long.
        [tok, case, stem, wn, &alpha, "|beta:", &beta, "|gamma:", &gamma, "|nltk:3.8.1"].concat()
    }

    fn score(&self, a: &Alignment) -> f64 {
        let matches = a.pairs.len() as f64;
        if matches == 0.0 {
            return 0.0;
        }
        let (precision, recall) = (matches / a.output as f64, matches / a.reference as f64);
        let mean = precision * recall / (self.alpha * precision + (1.0 - self.alpha) * recall);
        let penalty = self.gamma * (a.chunks as f64 / matches).powf(self.beta);
        (1.0 - penalty) * mean
    }
}

/// A finite number as text; the defaults are in every signature. `{}` takes 17 KB of core::fmt,
/// a sixth of the module.
fn decimal(n: f64) -> Cow<'static, str> {
    match [(0.9, "0.9"), (3.0, "3"), (0.5, "0.5")].into_iter().find(|d| d.0 == n) {
        Some((_, text)) => Cow::Borrowed(text),
        None => Cow::Owned(zmij::Buffer::new().format_finite(n).trim_end_matches(".0").into()),
    }
}

/// Reads which of two values a key has; the first is the default.
fn choice(config: &Config, name: &str, values: [&str; 2]) -> Result<usize> {
    let text = config.text(name, values[0])?;
    values
        .iter()
        .position(|v| *v == text)
        .ok_or_else(|| Error::new(format!("unknown {name} \"{text}\": use {} or {}", values[0], values[1])))
}

/// How many references and pairs of matches are listed: details have a limit.
const MOST_REFERENCES: usize = 100;
const MOST_PAIRS: usize = 2000;

fn meteor(request: &Request) -> Result<Answer> {
    let settings = Settings::read(&request.config())?;
    let Texts { output, references } = or_answer!(Texts::read(request)?);
    let output = settings.prepare(output);
    let output = Words::new(&output, settings.lowercase);
    let (mut best, mut listed, mut all) = (0.0, 0, Vec::new());
    for reference in references {
        let alignment = output.align(&settings.prepare(reference), settings.stem, settings.wordnet);
        best = f64::max(best, settings.score(&alignment));
        listed += alignment.pairs.len();
        if all.len() == MOST_REFERENCES {
            listed = MOST_PAIRS + 1;
            continue;
        }
        let mut o = Object::new();
        o.int("matches", alignment.pairs.len() as u64)
            .int("chunks", alignment.chunks as u64)
            .int("hyp_len", alignment.output as u64)
            .int("ref_len", alignment.reference as u64);
        if listed <= MOST_PAIRS {
            o.num_lists("alignment", &alignment.pairs);
        }
        all.push(o);
    }
    let mut details = Object::new();
    details.num("score", best).text("signature", &settings.signature()).objects("per_reference", &all);
    let answer = Answer::score(best.clamp(0.0, 1.0)).details(details);
    Ok(if listed > MOST_PAIRS { answer.reason("details leave out alignments of long texts") } else { answer })
}
