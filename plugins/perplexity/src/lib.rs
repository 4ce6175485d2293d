//! Perplexity from the log-probabilities that a model gave its own tokens.
//!
//! The score is the geometric mean of the token probabilities,
//! exp(mean log p) = 1 / perplexity, which lies in 0 to 1 by itself. Word and
//! byte perplexity and bits per byte are lm-evaluation-harness's.

mod logprobs;
#[cfg(test)]
mod vectors_test;

use logprobs::Logprobs;
use rubric_host_sdk::{export, manifest, Answer, Error, Object, Request, Result};
use rubric_host_text::is_space;

manifest!("../plugin.yaml");
export!(perplexity => perplexity);

fn perplexity(request: &Request) -> Result<Answer> {
    let config = request.config();
    let nats = match config.get("log_base") {
        None => 1.0,
        Some(v) if v.as_str() == Some("e") => 1.0,
        Some(v) => match v.as_f64() {
            Some(base) if base > 1.0 && base.is_finite() => base.ln(),
            _ => return Err("invalid log_base: use \"e\" or a number above 1".into()),
        },
    };
    if config.text("word_split", WORD_SPLIT)? != WORD_SPLIT {
        return Err(Error::new(format!("invalid word_split: use {WORD_SPLIT}")));
    }
    let Some(field) = request.field("logprobs") else {
        return Ok(Answer::unscored("the case has no logprobs"));
    };
    let logprobs = Logprobs::read(field, nats)?;
    if logprobs.list.is_empty() {
        return Ok(Answer::unscored("the case's logprobs have no numbers"));
    }
    if logprobs.beyond > 0 {
        return Ok(Answer::unscored(format!(
            "{} of the logprobs are -9999, which stands for a very unlikely token, not for a log-probability",
            logprobs.beyond
        )));
    }
    Ok(answer(&logprobs, request.output()?))
}

/// The pieces that words are counted in: a leading or trailing space makes an
/// empty one, which counts.
const WORD_SPLIT: &str = r"re.split(r'\s+')";

fn answer(logprobs: &Logprobs, output: Option<&str>) -> Answer {
    let sum = logprobs.sum();
    let n = logprobs.list.len() as f64;
    let mut details = Object::new();
    details.num("nll_sum_nats", -sum).num("token_ppl", (-sum / n).exp());
    match output {
        None => details.null("word_ppl").null("byte_ppl").null("bits_per_byte"),
        Some(text) => {
            details.num("word_ppl", (-sum / pieces(text) as f64).exp());
            match text.len() {
                0 => details.null("byte_ppl").null("bits_per_byte"),
                bytes => {
                    let each = -sum / bytes as f64;
                    details.num("byte_ppl", each.exp()).num("bits_per_byte", each / std::f64::consts::LN_2)
                }
            }
        }
    };
    let least = logprobs.list.iter().copied().fold(0.0, f64::min);
    details.num("mean_logprob", sum / n).num("min_logprob", least);
    let answer = Answer::score((sum / n).exp()).details(details);
    if logprobs.skipped == 0 {
        return answer;
    }
    answer.reason(format!(
        "{} of {} tokens have no log-probability and are left out",
        logprobs.skipped,
        logprobs.skipped + logprobs.list.len()
    ))
}

/// How many pieces a split on runs of white space makes.
fn pieces(text: &str) -> usize {
    let mut count = 1;
    let mut before = false;
    for c in text.chars() {
        let space = is_space(c);
        count += usize::from(space && !before);
        before = space;
    }
    count
}
