//! `length` and `repetition`.

use crate::tokens::{self, Encoding};
use crate::output;
use rubric_host_sdk::{Answer, Error, Object, Request, Result};
use rubric_host_text::{graphemes, is_space, one_if, or_answer, split};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

pub fn length(request: &Request) -> Result<Answer> {
    let config = request.config();
    let unit = config.text("unit", "words")?;
    let bound = |name| match config.get(name) {
        Some(_) => config.count(name, 0, 0, 1 << 30).map(Some),
        None => Ok(None),
    };
    let (least, most) = (bound("min")?, bound("max")?);
    let width = config.count("width", 0, 0, 1 << 30)?;
    let (Some(low), Some(high)) = (least.or(Some(0)), most.or(Some(usize::MAX))) else { unreachable!() };
    if least.is_none() && most.is_none() {
        return Err("config has neither min nor max: give one, or both".into());
    }
    if low > high {
        return Err(Error::new(format!("config min {low} is above max {high}")));
    }
    let text = or_answer!(output(request)?);
    let mut parts = Vec::new();
    let count = match unit {
        "characters" => {
            graphemes(text, &mut parts);
            parts.len()
        }
        "codepoints" => text.chars().count(),
        "bytes" => text.len(),
        "words" => {
            split(text, &mut parts);
            parts.len()
        }
        "sentences" => sentences(text),
        "lines" => text.lines().filter(|l| !l.chars().all(is_space)).count(),
        name => {
            let Some(encoding) = Encoding::named(name) else {
                return Err(Error::new(format!(
                    "unknown unit \"{name}\": use characters, codepoints, bytes, words, sentences, lines, cl100k_base or o200k_base"
                )));
            };
            let Some(vocabulary) = encoding.vocabulary() else {
                return Err(Error::new(format!("unit {name} needs the data file {name}, which is not installed")));
            };
            tokens::count(text, encoding, vocabulary)
        }
    };
    let beyond = low.saturating_sub(count).max(count.saturating_sub(high));
    let score = if width == 0 { one_if(beyond == 0) } else { (1.0 - beyond as f64 / width as f64).max(0.0) };
    let mut details = Object::new();
    details.int(unit, count as u64);
    Ok(Answer::score(score).details(details))
}

/// Stretches with a letter or digit that end with . ! ? or their kin, closing marks
/// included, before white space or at the end; those of scripts without spaces end at once.
fn sentences(text: &str) -> usize {
    let (mut count, mut any, mut ended) = (0, false, false);
    for c in text.chars() {
        match c {
            '\u{3002}' | '\u{ff01}' | '\u{ff1f}' | '\u{ff0e}' => {
                count += usize::from(any);
                (any, ended) = (false, false);
            }
            '.' | '!' | '?' | '\u{2026}' | '\u{61f}' | '\u{6d4}' | '\u{964}' | '\u{965}' | '\u{203c}' | '\u{2049}' => ended = true,
            '"' | '\'' | ')' | ']' | '\u{201d}' | '\u{2019}' | '\u{bb}' | '*' => {}
            c if is_space(c) => {
                if ended {
                    count += usize::from(any);
                    any = false;
                }
                ended = false;
            }
            c => {
                ended = false;
                any |= c.is_alphanumeric();
            }
        }
    }
    count + usize::from(any)
}

/// Identities of words: small numbers, so that equal ones compare at once.
#[derive(Default)]
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3).rotate_left(5);
        }
    }
}

type Map<K, V> = HashMap<K, V, BuildHasherDefault<Fnv>>;

/// The longest block of a loop, in tokens.
const PERIOD: usize = 64;

pub fn repetition(request: &Request) -> Result<Answer> {
    let config = request.config();
    let n = config.count("n", 3, 1, 50)?;
    let text = or_answer!(output(request)?);
    let mut tokens = Vec::new();
    match config.text("unit", "words")? {
        "words" => split(text, &mut tokens),
        "characters" => graphemes(text, &mut tokens),
        other => return Err(Error::new(format!("unknown unit \"{other}\": use words or characters"))),
    }
    let mut names: Map<&str, u32> = Map::default();
    let ids: Vec<u32> = tokens
        .iter()
        .map(|t| {
            let next = names.len() as u32;
            *names.entry(t).or_insert(next)
        })
        .collect();
    let total = (ids.len() + 1).saturating_sub(n);
    let mut counts: Map<&[u32], u32> = Map::default();
    for gram in ids.windows(n) {
        *counts.entry(gram).or_default() += 1;
    }
    let (period, times, end) = longest_loop(&ids);
    let score = if total == 0 { 1.0 } else { counts.len() as f64 / total as f64 };
    let mut details = Object::new();
    details
        .int("ngrams", total as u64)
        .int("unique", counts.len() as u64)
        .int("most", u64::from(counts.values().copied().max().unwrap_or(0)))
        .int("loop_times", times as u64)
        .int("loop_length", period as u64)
        .flag("loop_at_end", times > 1 && end == ids.len());
    Ok(Answer::score(score).details(details))
}

/// The block that is repeated without a break the longest: its length, how often it
/// comes, and where it ends. Blocks have at most [`PERIOD`] tokens.
fn longest_loop(ids: &[u32]) -> (usize, usize, usize) {
    let mut best = (0, 0, 0);
    let mut covered = 0;
    for period in 1..=PERIOD.min(ids.len() / 2) {
        let mut equal = 0;
        for at in period..=ids.len() {
            if at < ids.len() && ids[at] == ids[at - period] {
                equal += 1;
                continue;
            }
            // `equal` tokens repeat those before: so many whole blocks.
            let times = equal / period + 1;
            if times > 1 && times * period > covered {
                covered = times * period;
                best = (period, times, at - equal % period);
                if at == ids.len() {
                    best.2 = at;
                }
            }
            equal = 0;
        }
    }
    best
}
