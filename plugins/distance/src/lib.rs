//! Distances of texts as RapidFuzz 3.14.5 computes them, and as jellyfish 1.2.1
//! computes Jaro's. Scores are similarities, 0 to 1; with several references, the
//! highest.

mod fuzz;
mod jaro;
#[cfg(test)]
mod vectors_test;

use rubric_host_sdk::{export, manifest, scorers, Answer, Error, Object, Request, Result};
use rubric_host_text::{edit::Pair, graphemes, lower, split};
use std::borrow::Cow;

manifest!("../plugin.yaml");
export!(string_distance => string_distance);
scorers!(
    levenshtein(r) => answer(r, |t, _| Some(distance(t.pair.levenshtein()?, t.pair.longest()))),
    osa(r) => answer(r, |t, _| Some(distance(t.pair.osa()?, t.pair.longest()))),
    damerau_levenshtein(r) => answer(r, |t, _| Some(distance(t.pair.damerau_levenshtein()?, t.pair.longest()))),
    indel(r) => answer(r, |t, _| {
        let (distance, all) = fuzz::indel(&t.pair)?;
        Some(crate::distance(distance, all))
    }),
    lcs(r) => answer(r, |t, _| {
        let (length, most) = (t.pair.lcs()?, t.pair.longest());
        Some(Found { similarity: similarity(most - length, most), raw: Some(("length", length)) })
    }),
    hamming(r) => answer(r, |t, _| Some(distance(t.pair.hamming(), t.pair.longest()))),
    jaro(r) => answer(r, |t, _| plain(jaro::jaro(&t.pair))),
    jaro_winkler(r) => answer(r, |t, settings| plain(jaro::jaro_winkler(&t.pair, settings.prefix_weight))),
    ratio(r) => answer(r, |t, _| plain(fuzz::ratio(&t.pair)?)),
    partial_ratio(r) => answer(r, |t, _| plain(fuzz::partial_ratio(t.output, t.reference)?)),
    token_sort_ratio(r) => answer(r, |t, _| plain(fuzz::token_sort_ratio(t.output, t.reference)?)),
    token_set_ratio(r) => answer(r, |t, _| plain(fuzz::token_set_ratio(t.output, t.reference)?)),
);

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Codepoint,
    Grapheme,
    Byte,
    Token,
}

struct Settings {
    unit: Unit,
    lowercase: bool,
    prefix_weight: f64,
}

impl Settings {
    fn read(request: &Request) -> Result<Self> {
        let config = request.config();
        let unit = match config.text("unit", "codepoint")? {
            "codepoint" => Unit::Codepoint,
            "grapheme" => Unit::Grapheme,
            "byte" => Unit::Byte,
            "token" => Unit::Token,
            other => {
                return Err(Error::new(format!("unknown unit \"{other}\": use codepoint, grapheme, byte or token")))
            }
        };
        let prefix_weight = config.number("prefix_weight", jaro::PREFIX_WEIGHT)?;
        if !(0.0..=0.25).contains(&prefix_weight) {
            return Err("prefix_weight out of range: use 0 to 0.25, so that no similarity exceeds 1".into());
        }
        Ok(Settings { unit, lowercase: config.flag("lowercase", false)?, prefix_weight })
    }

    fn pair(&self, a: &str, b: &str) -> Pair {
        match self.unit {
            Unit::Codepoint => Pair::chars(a, b),
            Unit::Byte => Pair::bytes(a, b),
            Unit::Grapheme => by(graphemes, a, b),
            Unit::Token => by(split, a, b),
        }
    }
}

/// The items that `cut` makes of two texts.
fn by<'t>(cut: impl Fn(&'t str, &mut Vec<&'t str>), a: &'t str, b: &'t str) -> Pair {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    cut(a, &mut x);
    cut(b, &mut y);
    Pair::texts(&x, &y)
}

/// Two texts to compare, and their items.
struct Texts<'t> {
    output: &'t str,
    reference: &'t str,
    pair: Pair,
}

/// A similarity, 0 to 1, and the figure that it comes from, if that is another one.
struct Found {
    similarity: f64,
    raw: Option<(&'static str, usize)>,
}

/// Computes a measure of two texts; `None`: it would take too long.
type Measure = fn(&Texts, &Settings) -> Option<Found>;

fn distance(raw: usize, most: usize) -> Found {
    Found { similarity: similarity(raw, most), raw: Some(("distance", raw)) }
}

fn similarity(distance: usize, most: usize) -> f64 {
    if most == 0 {
        1.0
    } else {
        1.0 - distance as f64 / most as f64
    }
}

fn plain(similarity: f64) -> Option<Found> {
    Some(Found { similarity, raw: None })
}

fn answer(request: &Request, measure: Measure) -> Result<Answer> {
    best(request, measure, |details, found, texts, _| {
        if let Some((name, raw)) = found.raw {
            details.int(name, raw as u64);
        }
        let (a, b) = texts.pair.both();
        details.num("similarity", found.similarity).int("output_length", a.len() as u64);
        details.int("reference_length", b.len() as u64);
    })
}

/// The measures of a reference vector, under its names and in its units.
fn string_distance(request: &Request) -> Result<Answer> {
    let measure: Measure = |t, _| Some(distance(t.pair.levenshtein()?, t.pair.longest()));
    best(request, measure, |details, found, t, settings| {
        let mut int = |name, n: Option<usize>| {
            match n {
                Some(n) => details.int(name, n as u64),
                None => details.null(name),
            };
        };
        let indel = fuzz::indel(&t.pair);
        int("levenshtein", found.raw.map(|(_, n)| n));
        int("osa", t.pair.osa());
        int("damerau_levenshtein", t.pair.damerau_levenshtein());
        int("indel", indel.map(|(n, _)| n));
        int("lcs", t.pair.lcs());
        int("hamming_padded", Some(t.pair.hamming()));
        let mut num = |name, n: Option<f64>, unit: f64| {
            match n {
                Some(n) => details.num(name, n * unit),
                None => details.null(name),
            };
        };
        num("levenshtein_norm_sim", Some(found.similarity), 1.0);
        num("indel_norm_sim", indel.map(|(n, all)| similarity(n, all)), 1.0);
        num("jaro", Some(jaro::jaro(&t.pair)), 1.0);
        num("jaro_winkler", Some(jaro::jaro_winkler(&t.pair, settings.prefix_weight)), 1.0);
        num("jaro_winkler_pw_0.05", Some(jaro::jaro_winkler(&t.pair, 0.05)), 1.0);
        num("ratio_0_100", fuzz::ratio(&t.pair), 100.0);
        num("partial_ratio", fuzz::partial_ratio(t.output, t.reference), 100.0);
        num("token_sort_ratio", fuzz::token_sort_ratio(t.output, t.reference), 100.0);
        num("token_set_ratio", fuzz::token_set_ratio(t.output, t.reference), 100.0);
        let clusters = by(graphemes, t.output, t.reference);
        num("jellyfish_jaro", Some(jaro::jellyfish(&clusters)), 1.0);
        num("jellyfish_jaro_winkler", Some(jaro::jellyfish_winkler(&clusters)), 1.0);
        num("autoevals_levenshtein", Some(found.similarity), 1.0);
    })
}

/// Answers the highest similarity over the references, the first of several, with
/// the details that `describe` writes of it.
fn best(
    request: &Request,
    measure: Measure,
    describe: impl Fn(&mut Object, &Found, &Texts, &Settings),
) -> Result<Answer> {
    let settings = Settings::read(request)?;
    let Some(output) = request.output()? else {
        return Ok(Answer::unscored("the case has no output"));
    };
    let fold = |text| if settings.lowercase { lower(text) } else { Cow::Borrowed(text) };
    let output = fold(output);
    let references: Vec<Cow<str>> = request.references()?.into_iter().map(fold).collect();
    let mut best: Option<(Found, Texts)> = None;
    for reference in &references {
        let texts = Texts { output: &output, reference, pair: settings.pair(&output, reference) };
        let Some(found) = measure(&texts, &settings) else {
            let (a, b) = texts.pair.both();
            return Ok(Answer::unscored(format!(
                "texts of {} and {} items take too long to compare",
                a.len(),
                b.len()
            )));
        };
        if best.as_ref().is_none_or(|(b, _)| found.similarity > b.similarity) {
            best = Some((found, texts));
        }
    }
    let Some((found, texts)) = best else {
        return Ok(Answer::unscored("the case has no references"));
    };
    let mut details = Object::new();
    describe(&mut details, &found, &texts, &settings);
    Ok(Answer::score(found.similarity.clamp(0.0, 1.0)).details(details))
}
