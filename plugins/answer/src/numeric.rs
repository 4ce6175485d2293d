//! `numeric`: a number in the output equals that of a reference.

use crate::{clip, one_if, unknown, Take, Texts};
use rubric_host_sdk::{Answer, Error, Object, Request, Result};
use rubric_host_text::equal::same_decimal;
use rubric_host_text::{after_reasoning, decimals, given, joins, number_word, numbers, undenied, visible, worded_line, Comma, Given, Link, Number, Sure, NUMBERS};

pub fn numeric(request: &Request) -> Result<Answer> {
    let config = request.config();
    let take = Take::read(request)?;
    let comma = match config.text("decimal", "point")? {
        "point" => Comma::Thousands,
        "comma" => Comma::Decimal,
        other => return Err(unknown("decimal", other, "point or comma")),
    };
    let size = |name| match config.number(name, 0.0)? {
        n if n >= 0.0 => Ok(n),
        _ => Err(Error::new(format!("config {name} is negative; use 0 or more"))),
    };
    let (tolerance, relative) = (size("tolerance")?, size("relative_tolerance")?);
    let percent = config.text("percent", "")?;
    let value = |n: Number| if n.percent && percent != "number" { n.value / 100.0 } else { n.value };
    if !matches!(percent, "" | "fraction" | "number") {
        return Err(unknown("percent", percent, "fraction or number"));
    }
    let graded = config.flag("graded", false)?;
    let texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(unscored) => return Ok(unscored),
    };
    let (mut wanted, mut bare, mut written, mut bounds) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for reference in &texts.references {
        let found = numbers(reference, comma);
        match found[..] {
            [n] if n.sure != Sure::All => {
                return Ok(Answer::unscored(format!("a reference cannot be read as one number: \"{}\"", clip(reference))))
            }
            [n] if n.value.is_finite() => {
                wanted.push(value(n));
                bare.push(if n.percent { value(n) } else { n.bare });
                written.push((n.percent, n.value));
                bounds.push(n.bound);
            }
            [] => return Ok(Answer::unscored(format!("a reference has no number: \"{}\"", clip(reference)))),
            [_] => return Ok(Answer::unscored("a reference has a number that is too large")),
            _ => return Ok(Answer::unscored(format!("a reference has several numbers: \"{}\"", clip(reference)))),
        }
    }
    let output = visible(after_reasoning(texts.output).unwrap_or(""));
    let output = output.trim();
    let place = if take == Take::Last { given(output, comma) } else { Given { part: output, ..Given::default() } };
    let output = place.part;
    let found = numbers(output, comma);
    if found.len() == NUMBERS {
        return Ok(Answer::unscored(format!("the output has {NUMBERS} numbers or more")));
    }
    let found = undenied(found);
    let taken = take.of(&found);
    let words: String = output.chars().skip(found.last().map_or(0, |n| n.span.1)).collect();
    if taken.is_empty() && found.is_empty() && in_words(&words, &wanted, true) {
        return Ok(Answer::unscored("the output has a number in words"));
    }
    if taken.is_empty() {
        let several = take == Take::Only && !found.is_empty();
        return Ok(Answer::score(0.0).reason(if several { "the output has several numbers" } else { "the output has no number" }));
    }
    let unread = |n: &Number| {
        let text: String = output.chars().skip(n.span.0).take((n.span.1 - n.span.0 + 12).min(200)).collect();
        Ok(Answer::unscored(format!("the output has a number that is read in part only: \"{}\"", text.trim())))
    };
    if let Some(n) = taken.iter().find(|n| take != Take::Any && n.sure != Sure::All) {
        return unread(n);
    }
    if taken.iter().any(|n| n.sure != Sure::Part && !n.value.is_finite()) {
        return Ok(Answer::unscored("the output has a number that is too large"));
    }
    if let ([n], false) = (taken, take == Take::Any) {
        let is = |m: &Number| wanted.iter().any(|w| close(*w, value(*m), tolerance, relative));
        let others = alternatives(&found, if take == Take::First { 0 } else { found.len() - 1 });
        if others.iter().any(is) && !(is(n) && others.iter().all(is)) {
            return Ok(Answer::unscored("the output does not choose one of its numbers"));
        }
    }
    let meant = |n: &Number| wanted.iter().any(|w| close(*w, value(*n), tolerance, relative));
    let right = taken.iter().any(meant);
    if right && place.open || !right && place.doubts.iter().flat_map(|part| undenied(numbers(part, comma))).any(|n| meant(&n)) {
        return Ok(Answer::unscored("the output has several numbers that may be its answer"));
    }
    let (mut best, mut bounded) = ((-1.0, 0.0, 0.0), false);
    for n in taken.iter().filter(|n| n.sure != Sure::Part) {
        let got = value(*n);
        for (want, bound) in wanted.iter().zip(&bounds) {
            if n.bound != *bound && close(*want, got, tolerance, relative) {
                bounded = true;
                continue;
            }
            let score = if graded { closeness(*want, got) } else { one_if(close(*want, got, tolerance, relative)) };
            if score > best.0 {
                best = (score, got, *want);
            }
        }
    }
    if best.0 < 1.0 && bounded {
        return Ok(Answer::unscored("one of two equal numbers is a bound: at least, more than, almost, ..."));
    }
    // Of several, one that is read in part may be the right one.
    let near = |n: f64| wanted.iter().any(|w| n.is_nan() || close(*w, n, tolerance, relative));
    if let Some(n) = taken.iter().find(|n| best.0 < 1.0 && n.sure == Sure::Part && (near(value(**n)) || near(-value(**n)))) {
        return unread(n);
    }
    let counted = taken.iter().any(|n| {
        let counts = |(w, b): (&f64, &f64)| n.bare != n.value && close(*w, n.bare, tolerance, relative) || b != w && close(*b, n.value, tolerance, relative);
        !n.percent && wanted.iter().zip(&bare).any(counts)
    });
    if best.0 < 1.0 && counted {
        return Ok(Answer::unscored("one of two equal numbers counts in dozens, thousands or millions"));
    }
    // 50% for 50: the question may ask for the percentage.
    let as_written = |n: &Number| written.iter().any(|(percent, w)| n.percent != *percent && close(*w, n.value, tolerance, relative));
    if best.0 < 1.0 && percent.is_empty() && taken.iter().any(as_written) {
        return Ok(Answer::unscored("one of two equal numbers is a percentage; set percent to number or fraction"));
    }
    if best.0 < 1.0 && in_words(&words, &wanted, false) {
        return Ok(Answer::unscored("the output has a number in words"));
    }
    if take == Take::Last && worded_line(&words) {
        return Ok(Answer::unscored("the output ends with a number in words"));
    }
    // 1 in 2 may be a half.
    let ratio = |pair: &[Number]| pair[1].link == Link::Or && wanted.iter().any(|w| close(*w, pair[0].value / pair[1].value, tolerance, relative));
    if best.0 < 1.0 && take == Take::Last && found.windows(2).last().is_some_and(ratio) {
        return Ok(Answer::unscored("the output has a ratio of two numbers"));
    }
    // 1.500 and 0,5: what separates decimals is not known.
    let other = if comma == Comma::Decimal { Comma::Thousands } else { Comma::Decimal };
    let chars: Vec<char> = output.chars().collect();
    let mark = |pair: &[char]| matches!(pair[0], ',' | '.' | '\u{ff0c}' | '\u{ff0e}') && joins(pair[1]);
    let separated = |n: &Number| chars[n.span.0.saturating_sub(1)..chars.len().min(n.span.1 + 2)].windows(2).any(mark);
    let read = if best.0 < 1.0 && taken.iter().any(separated) { numbers(output, other) } else { Vec::new() };
    let around = |n: &Number| taken.iter().any(|t| n.span.0 <= t.span.0 && n.span.1 >= t.span.1 && n.value != t.value);
    if best.0 < 1.0 && take.of(&read).iter().any(|n| n.sure == Sure::All && around(n) && wanted.iter().any(|w| close(*w, value(*n), tolerance, relative))) {
        return Ok(Answer::unscored("a comma or point in the output has two readings: thousands or decimals"));
    }
    // Numbers that differ behind 16 digits are the same double.
    if best.0 == 1.0 && tolerance.max(relative) == 0.0 {
        let right = |n: &Number| (close(best.2, value(*n), 0.0, 0.0) && n.sure != Sure::Part).then_some(*n);
        let got: Option<Vec<_>> = taken.iter().filter_map(right).map(|n| decimals(output, &n, comma)).collect();
        let want: Option<Vec<_>> = texts.references.iter().flat_map(|r| numbers(r, comma).iter().filter_map(right).map(|n| decimals(r, &n, comma)).collect::<Vec<_>>()).collect();
        if got.zip(want).is_some_and(|(got, want)| !got.iter().any(|a| want.iter().any(|b| same_decimal(a, b)))) {
            return Ok(Answer::score(0.0).reason("the numbers differ in their last digits"));
        }
    }
    let mut details = Object::new();
    details.num("number", best.1).num("expected", best.2);
    Ok(Answer::score(best.0).details(details))
}

/// Equal within a tolerance; what the decimals of the input cannot tell apart is equal.
fn close(want: f64, got: f64, tolerance: f64, relative: f64) -> bool {
    let most = tolerance.max(relative * want.abs());
    let noise = if most > 0.0 { 4.0 * f64::EPSILON * want.abs().max(got.abs()) } else { 0.0 };
    (want - got).abs() <= most + noise
}

/// Whether a text has one of the numbers as a word; with `parts`, or words that make numbers of several: a half.
fn in_words(text: &str, wanted: &[f64], parts: bool) -> bool {
    const WORDS: [&str; 28] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
        "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    let pi = |word: &str| word == "pi" || word.contains('\u{3c0}');
    // The last words: each costs a look into a list.
    text.rsplit(|c: char| !c.is_alphabetic()).take(2_000).any(|word| match WORDS.iter().position(|w| word.eq_ignore_ascii_case(w)) {
        Some(n) => {
            let value = if n > 20 { 10.0 * (n as f64 - 18.0) } else { n as f64 };
            wanted.iter().any(|w| w.abs() == value || parts && w.fract() != 0.0) && (parts || n != 1) || parts && n >= 20
        }
        None => parts && (number_word(word) || pi(word)),
    })
}

/// The numbers that `or` joins with one of them: 7, 8 and 9 of `7, 8 or 9`.
fn alternatives(found: &[Number], at: usize) -> &[Number] {
    let (mut from, mut to) = (at, at + 1);
    while from > 0 && found[from].link == Link::Or {
        from -= 1;
    }
    while to < found.len() && found[to].link == Link::Or {
        to += 1;
    }
    &found[from..to]
}

/// autoevals' NumericDiff: 1 - |a - b| / (|a| + |b|).
fn closeness(a: f64, b: f64) -> f64 {
    // Halves, so that the sum stays finite.
    let (a, b) = (a / 2.0, b / 2.0);
    if a == b { 1.0 } else { (1.0 - (a - b).abs() / (a.abs() + b.abs())).max(0.0) }
}
