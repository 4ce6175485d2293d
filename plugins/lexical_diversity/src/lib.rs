//! Lexical diversity as LexicalRichness 0.5.1 computes it.

mod measure;
#[cfg(test)]
mod vectors_test;

use measure::Words;
use rubric_host_sdk::{export, manifest, scorers, Answer, Object, Request, Result, Value};
use rubric_host_text::{lower, split, Counts};

manifest!("../plugin.yaml");
export!(lexical_diversity => lexical_diversity, mtld => mtld, hdd => hdd);
scorers!(
    ttr(r) => one(r, "ttr", |w| Ok(w.ttr())),
    msttr(r) => one(r, "msttr", |w| Ok(w.msttr(window(r)?))),
    mattr(r) => one(r, "mattr", |w| Ok(w.mattr(window(r)?))),
);

fn mtld(request: &Request) -> Result<Answer> {
    if request.config().get("band").is_none() {
        return Err("mtld has no upper bound: give a band, such as band: [50, 120]".into());
    }
    let threshold = request.config().number("threshold", 0.72)?;
    if !(threshold > 0.0 && threshold < 1.0) {
        return Err("threshold out of range: use a number between 0 and 1".into());
    }
    one(request, "mtld", |w| Ok(w.mtld(threshold)))
}

fn hdd(request: &Request) -> Result<Answer> {
    let draws = request.config().count("draws", 42, 1, 1000)?;
    one(request, "hdd", |w| Ok(w.hdd(draws)))
}

fn window(request: &Request) -> Result<usize> {
    request.config().count("window", 50, 1, 1_000_000)
}

fn lexical_diversity(request: &Request) -> Result<Answer> {
    let Some(output) = request.output()? else {
        return Ok(Answer::unscored("the case has no output"));
    };
    scored(request, output, |w, details| {
        let mut put = |name, n: Option<f64>| {
            match n {
                Some(n) => details.num(name, n),
                None => details.null(name),
            };
        };
        put("ttr", w.ttr());
        put("rttr", w.root_ttr());
        put("cttr", w.corrected_ttr());
        put("herdan", w.herdan());
        put("maas", w.maas());
        put("msttr_10", w.msttr(10));
        put("mattr_10", w.mattr(10));
        put("mattr_25", w.mattr(25));
        put("mtld_0.72", w.mtld(0.72));
        put("hdd_42_closed_form", w.hdd(42));
        Ok(w.ttr())
    })
}

fn one(request: &Request, name: &str, measure: impl Fn(&Words) -> Result<Option<f64>>) -> Result<Answer> {
    let Some(output) = request.output()? else {
        return Ok(Answer::unscored("the case has no output"));
    };
    scored(request, output, |w, details| {
        let found = measure(w)?;
        if let Some(n) = found {
            details.num(name, n);
        }
        Ok(found)
    })
}

fn scored(
    request: &Request,
    output: &str,
    measure: impl Fn(&Words, &mut Object) -> Result<Option<f64>>,
) -> Result<Answer> {
    let text = words(output);
    let mut tokens = Vec::new();
    split(&text, &mut tokens);
    let counts = Counts::new(&tokens, 1);
    let words = Words { ids: counts.ids(), counts: counts.counts(1) };
    let mut details = Object::new();
    details.int("words", words.ids.len() as u64).int("terms", words.counts.len() as u64);
    let answer = match measure(&words, &mut details)? {
        Some(n) => Answer::score(scale(request, n)?),
        None => Answer::unscored(format!("the measure is not defined for an output of {} words", words.ids.len())),
    };
    Ok(answer.details(details))
}

/// LexicalRichness's tokenizer: lower case, no digits, dashes joined, ASCII punctuation
/// as spaces.
fn words(text: &str) -> String {
    let drop = |c: &char| !matches!(c, '0'..='9' | '-' | '–' | '—');
    lower(text).chars().filter(drop).map(|c| if c.is_ascii_punctuation() { ' ' } else { c }).collect()
}

/// The measure as a score: itself, or by how far it is outside of the band.
fn scale(request: &Request, n: f64) -> Result<f64> {
    let config = request.config();
    let Some(band) = config.get("band") else { return Ok(n.clamp(0.0, 1.0)) };
    let ends: Vec<f64> = band.as_array().unwrap_or(&[]).iter().filter_map(Value::as_f64).collect();
    let (low, high) = match ends[..] {
        [low, high] if low <= high => (low, high),
        _ => return Err("invalid band: use two numbers, the lower one first".into()),
    };
    let width = config.number("width", low)?;
    if config.get("width").is_none() && low <= 0.0 {
        return Err("a band that starts at 0 or below has no default width: set width".into());
    }
    if width <= 0.0 {
        return Err("width out of range: use a number above 0".into());
    }
    Ok((1.0 - (low - n).max(n - high).max(0.0) / width).max(0.0))
}
