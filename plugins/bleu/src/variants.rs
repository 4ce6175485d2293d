//! Other figures that are called BLEU: evaluate's `bleu` (tensorflow/nmt's routine over 13a
//! tokens) and NLTK 3.8's `sentence_bleu` with its smoothing functions.

use crate::settings::Tokenizer;
use crate::stats::Matches;
use crate::tokenize;
use rubric_host_sdk::{Answer, Config, Error, Object, Request, Result};
use rubric_host_text::{counts, or_answer, Segments};

/// The highest n-gram order that is accepted.
const MAX_ORDER: usize = 16;

/// How an option `tokenizer` is spelled.
pub fn tokenizer(config: &Config, default: &'static str) -> Result<Tokenizer> {
    match config.text("tokenizer", default)? {
        "13a" => Ok(Tokenizer::Thirteen),
        "none" | "whitespace" => Ok(Tokenizer::None),
        other => Err(Error::new(format!("unknown tokenizer \"{other}\": use 13a or whitespace"))),
    }
}

/// Counts an output against its references.
fn matches(output: &str, references: &[&str], order: usize, tokenizer: Tokenizer) -> Matches {
    Matches::new(output, references, order, tokenizer, |text| tokenize::prepare(text, tokenizer))
}

impl Matches {
    /// How many n-grams of an order, from 1, the output has.
    fn total(&self, n: usize) -> usize {
        (self.output + 1).saturating_sub(n)
    }
}

/// Scores one case, or a corpus of its own, as evaluate's `bleu`.
pub fn hf(request: &Request) -> Result<Answer> {
    let config = request.config();
    let (order, tokenizer) = (config.count("max_order", 4, 1, MAX_ORDER)?, tokenizer(&config, "13a")?);
    let segments = or_answer!(Segments::read(request)?).list;
    // Matches and n-grams by order, then the lengths of output and reference.
    let mut sums = vec![0; 2 * order + 2];
    for (output, references) in segments {
        let found = matches(output, &references, order, tokenizer);
        for n in 1..=order {
            sums[n - 1] += found.counts[n - 1];
            sums[order + n - 1] += found.total(n) as u64;
        }
        sums[2 * order] += found.output as u64;
        sums[2 * order + 1] += found.references.iter().min().copied().unwrap_or(0) as u64;
    }
    hf_answer(&sums, config.flag("smooth", false)?)
}

/// Scores a corpus from the sums of its cases' stats.
pub fn hf_corpus(request: &Request) -> Result<Answer> {
    let config = request.config();
    let order = config.count("max_order", 4, 1, MAX_ORDER)?;
    hf_answer(&counts(&request.stats()?, 2 * order + 2)?, config.flag("smooth", false)?)
}

fn hf_answer(sums: &[u64], smooth: bool) -> Result<Answer> {
    let (figures, lengths) = sums.split_at(sums.len() - 2);
    let (matches, totals) = figures.split_at(figures.len() / 2);
    let stats = sums.iter().map(|&n| n as f64).collect();
    let mut details = Object::new();
    details.int("translation_length", lengths[0]).int("reference_length", lengths[1]);
    if lengths.contains(&0) {
        // The original divides by zero.
        let what = if lengths[0] == 0 { "the output has no tokens" } else { "the shortest reference has no tokens" };
        return Ok(Answer::unscored(what).details(details).stats(stats));
    }
    let precision = |(&matched, &total): (&u64, &u64)| match (smooth, total) {
        (true, _) => (matched as f64 + 1.0) / (total as f64 + 1.0),
        (false, 0) => 0.0,
        (false, _) => matched as f64 / total as f64,
    };
    let precisions: Vec<f64> = matches.iter().zip(totals).map(precision).collect();
    let ratio = lengths[0] as f64 / lengths[1] as f64;
    let penalty = if ratio > 1.0 { 1.0 } else { (1.0 - 1.0 / ratio).exp() };
    let mut bleu = 0.0;
    if precisions.iter().all(|&p| p > 0.0) {
        bleu = penalty * (precisions.iter().map(|p| p.ln()).sum::<f64>() / precisions.len() as f64).exp();
    }
    details
        .num("bleu", bleu)
        .nums("precisions", &precisions)
        .num("brevity_penalty", penalty)
        .num("length_ratio", ratio);
    Ok(Answer::score(bleu.clamp(0.0, 1.0)).details(details).stats(stats))
}

/// Scores one case as NLTK's `sentence_bleu`.
pub fn nltk(request: &Request) -> Result<Answer> {
    let config = request.config();
    let tokenizer = tokenizer(&config, "whitespace")?;
    let smoothing = match config.text("smoothing", "method0")?.strip_prefix("method").map(str::as_bytes) {
        Some(&[n @ b'0'..=b'7']) => n - b'0',
        _ => return Err("unknown smoothing: use method0 to method7".into()),
    };
    let weights = weights(&config)?;
    let mut segments = or_answer!(Segments::read(request)?);
    if segments.is_corpus {
        return Err("bleu_nltk scores one output, not a list".into());
    }
    let (output, references) = segments.list.swap_remove(0);
    // One order more, and five at least, for method5.
    let found = matches(output, &references, weights.len().max(5), tokenizer);
    let closest = found.references.iter().copied().min_by_key(|&r| (r.abs_diff(found.output), r)).unwrap_or(0);
    let penalty = match found.output {
        n if n > closest => 1.0,
        0 => 0.0,
        n => (1.0 - closest as f64 / n as f64).exp(),
    };
    let mut bleu = 0.0;
    if found.counts[0] > 0 {
        let Some(precisions) = smooth(&found, weights.len(), smoothing) else {
            return Ok(Answer::unscored("smoothing method6 needs a matching trigram"));
        };
        let logs = weights.iter().zip(&precisions).filter(|(_, p)| **p > 0.0).map(|(w, p)| w * p.ln());
        bleu = penalty * logs.sum::<f64>().exp();
    }
    let mut details = Object::new();
    details
        .num("bleu", bleu)
        .num("brevity_penalty", penalty)
        .int("translation_length", found.output as u64)
        .int("reference_length", closest as u64);
    Ok(Answer::score(bleu.clamp(0.0, 1.0)).details(details))
}

/// Reads the weights of the orders, a quarter for each of four if unset.
fn weights(config: &Config) -> Result<Vec<f64>> {
    let Some(value) = config.get("weights") else { return Ok(vec![0.25; 4]) };
    let wrong = || Error::new(format!("weights must be a list of 1 to {MAX_ORDER} numbers from 0 to 1, not all 0"));
    let list: Option<Vec<f64>> = value.as_array().and_then(|list| list.iter().map(|w| w.as_f64()).collect());
    list.filter(|l| (1..=MAX_ORDER).contains(&l.len()) && l.iter().all(|w| (0.0..=1.0).contains(w)) && l.iter().any(|w| *w > 0.0)).ok_or_else(wrong)
}

/// NLTK's `SmoothingFunction` with its own epsilon (0.1), alpha (5) and k (5). `None`: the
/// original refuses the text.
fn smooth(found: &Matches, orders: usize, method: u8) -> Option<Vec<f64>> {
    let matches = |i: usize| found.counts[i] as f64;
    let total = |i: usize| found.total(i + 1).max(1) as f64;
    let mut p: Vec<f64> = (0..orders).map(|i| matches(i) / total(i)).collect();
    let mut halved = 1.0;
    match method {
        0 => p.iter_mut().filter(|p| **p == 0.0).for_each(|p| *p = f64::MIN_POSITIVE),
        1 => (0..orders).filter(|&i| matches(i) == 0.0).for_each(|i| p[i] = 0.1 / total(i)),
        2 => (1..orders).for_each(|i| p[i] = (matches(i) + 1.0) / (total(i) + 1.0)),
        3 => {
            for i in (0..orders).filter(|&i| matches(i) == 0.0) {
                halved /= 2.0;
                p[i] = halved / total(i);
            }
        }
        6 => {
            if orders < 3 || p[2] == 0.0 {
                return None;
            }
            for i in 2..orders {
                let prior = if p[i - 2] == 0.0 { 0.0 } else { p[i - 1] * p[i - 1] / p[i - 2] };
                p[i] = (matches(i) + 5.0 * prior) / (found.total(i + 1) as f64 + 5.0);
            }
        }
        _ => {}
    }
    if matches!(method, 4 | 7) && found.output > 1 {
        for i in (0..orders).filter(|&i| matches(i) == 0.0) {
            halved /= 2.0;
            p[i] = halved / 5.0 * (found.output as f64).ln() / total(i);
        }
    }
    if matches!(method, 5 | 7) {
        let mut next = p.split_off(1);
        // The original takes order 5 whatever the number of weights.
        next.push(matches(4) / total(4));
        let (mut before, mut here) = (p[0] + 1.0, p[0]);
        p.clear();
        for after in next {
            before = (before + here + after) / 3.0;
            p.push(before);
            here = after;
        }
    }
    Some(p)
}
