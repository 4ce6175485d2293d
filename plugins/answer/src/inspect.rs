//! Inspect's `match`, `answer`, `f1` and `exact` scorers, under names of our own where
//! theirs say little: `text_match`, `marked`, `word_f1`.

use crate::{clip, one_if, unknown, Texts};
use rubric_host_sdk::{Answer, Object, Request, Result, Value};
use rubric_host_text::{casefold, fraction, is_space, lower, split, strip, WORD};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// `string.punctuation` and `string.whitespace`.
fn punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || matches!(c, ' ' | '\t'..='\r')
}

pub fn text_match(request: &Request) -> Result<Answer> {
    let config = request.config();
    let location = config.text("location", "end")?;
    if !matches!(location, "begin" | "end" | "any" | "exact") {
        return Err(unknown("location", location, "begin, end, any or exact"));
    }
    let ignore_case = config.flag("ignore_case", true)?;
    let numeric = config.flag("numeric", false)?;
    let texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(unscored) => return Ok(unscored),
    };
    let fold = |text| if ignore_case { casefold(text) } else { Cow::Borrowed(text) };
    let value = fold(strip(texts.output));
    let (mut right, mut compared) = (false, 0);
    let mut numbers = None;
    for reference in texts.references {
        let mut target = fold(strip(reference));
        if numeric {
            target = Cow::Owned(without_marks(&target));
            if let Some(want) = rounded(&target, true) {
                compared += 1;
                let found = numbers.get_or_insert_with(|| without_marks(&value));
                right |= same_number(found, &want, location);
                continue;
            }
        }
        let target = target.trim_matches(punctuation);
        if target.is_empty() {
            continue;
        }
        compared += 1;
        let value = value.trim_matches(punctuation);
        right |= match location {
            "begin" => value.starts_with(target),
            "end" => value.ends_with(target),
            "exact" => value == target,
            _ => value.contains(target),
        };
    }
    if compared == 0 {
        return Ok(Answer::unscored("the references have only punctuation, which every output matches"));
    }
    Ok(Answer::score(one_if(right)))
}

fn same_number(text: &str, want: &str, location: &str) -> bool {
    let mut words = text.split(is_space).filter_map(|w| rounded(w, true));
    match location {
        "begin" => words.next().as_deref() == Some(want),
        "end" => text.rsplit(is_space).find_map(|w| rounded(w, true)).as_deref() == Some(want),
        "exact" => rounded(text, false).as_deref() == Some(want),
        _ => words.any(|w| w == want),
    }
}

/// Without signs of currency, thousands and emphasis, and full stops that end a word.
fn without_marks(text: &str) -> String {
    let mark = |c| matches!(c, '$' | ',' | '£' | '€' | '*' | '_');
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek().is_some_and(|n| mark(*n)) => {}
            c if mark(c) => {}
            c => plain.push(c),
        }
    }
    let mut out = String::with_capacity(plain.len());
    let mut chars = plain.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '.' || chars.peek().is_some_and(|n| rubric_host_text::DIGIT.has(*n)) {
            out.push(c);
        }
    }
    out
}

/// A number to five significant digits, as Inspect compares them.
fn rounded(word: &str, trim: bool) -> Option<String> {
    let word = if trim {
        word.trim_matches(|c| "!?:;()[]{}'\"`".contains(c))
    } else {
        word
    };
    let n = python_float(word).or_else(|| unicode_float(word)).filter(|n| n.is_finite())?;
    Some(format!("{n:.4e}"))
}

/// `float()` of Python, finite.
fn python_float(text: &str) -> Option<f64> {
    let text = strip(text);
    if text.len() > 1000 {
        return None;
    }
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    let mut plain = String::new();
    let mut last = ' ';
    for c in digits.chars() {
        match c {
            '_' if last.is_ascii_digit() => {}
            _ if last == '_' && !c.is_ascii_digit() => return None,
            '0'..='9' | '.' | 'e' | 'E' | '+' | '-' => plain.push(c),
            '\u{ff10}'..='\u{ff19}' => plain.push(char::from_digit(c as u32 - 0xff10, 10)?),
            '\u{660}'..='\u{669}' => plain.push(char::from_digit(c as u32 - 0x660, 10)?),
            _ => return None,
        }
        last = if c == '_' { '_' } else { plain.chars().next_back()? };
    }
    if last == '_' || !plain.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    Value::Number(&plain).as_f64().filter(|n| n.is_finite()).map(|n| n * sign)
}

/// A number with a Unicode sign, a fraction such as ½, or superscript digits as exponent.
fn unicode_float(text: &str) -> Option<f64> {
    let mut text = strip(text);
    let mut negative = false;
    while let Some(c) = text.chars().next().filter(|c| matches!(c, '+' | '-' | '\u{2212}' | '\u{ff0b}' | '\u{ff0d}')) {
        negative ^= !matches!(c, '+' | '\u{ff0b}');
        text = text[c.len_utf8()..].trim_start();
    }
    const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let power = |c: char| SUPERSCRIPTS.chars().position(|s| s == c);
    let base = text.trim_end_matches(|c| power(c).is_some());
    let mut exponent = 0i32;
    for c in text[base.len()..].chars() {
        exponent = exponent.checked_mul(10)?.checked_add(power(c)? as i32)?;
    }
    let (base, inverse) = match base.strip_suffix('\u{207b}') {
        Some(rest) if base.len() < text.len() => (rest, true),
        _ => (base.strip_suffix('\u{207a}').filter(|_| base.len() < text.len()).unwrap_or(base), false),
    };
    let base = base.trim();
    let (whole, part) = match base.chars().next_back().and_then(|c| Some((c, fraction(c)?))) {
        Some((c, part)) => (&base[..base.len() - c.len_utf8()], Some(part)),
        None => (base, None),
    };
    let whole = match (whole.trim().is_empty(), part) {
        (true, Some(_)) => 0.0,
        _ => python_float(whole).filter(|_| !whole.starts_with(['-', '+']))?,
    };
    let mut n = whole + part.unwrap_or(0.0);
    if negative {
        n = -n;
    }
    if base.len() < text.len() {
        n = n.powi(if inverse { -exponent } else { exponent });
    }
    Some(n)
}

pub fn marked(request: &Request) -> Result<Answer> {
    let config = request.config();
    let pattern = config.text("pattern", "line")?;
    let texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(unscored) => return Ok(unscored),
    };
    let found = match pattern {
        "letter" => last_mark(texts.output).and_then(letter),
        "word" => word(texts.output),
        "line" => line(texts.output),
        other => return Err(unknown("pattern", other, "letter, word or line")),
    };
    let Some(found) = found else {
        return Ok(Answer::score(0.0).reason(format!("the output has no {pattern} after ANSWER:")));
    };
    let right = texts.references.iter().any(|r| lower(r) == lower(found));
    let mut details = Object::new();
    details.text("answer", &clip(found));
    Ok(Answer::score(one_if(right)).details(details))
}

/// What follows each `ANSWER:`, in any case, with white space before the colon.
fn marks(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    (0..text.len().saturating_sub(5)).filter(|&i| bytes[i..i + 6].eq_ignore_ascii_case(b"answer")).filter_map(|i| {
        text[i + 6..].trim_start_matches(is_space).strip_prefix(':')
    })
}

fn last_mark(text: &str) -> Option<&str> {
    marks(text).last()
}

fn letter(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(is_space);
    let letter = rest.get(..1).filter(|l| l.as_bytes()[0].is_ascii_alphabetic())?;
    (!rest[1..].chars().next().is_some_and(|c| WORD.has(c))).then_some(letter)
}

/// The first word after a mark that ends a line, or the text, and has no mark after it: that of the
/// last mark, or one that has the last mark in it.
fn word(text: &str) -> Option<&str> {
    let colon = text.len() - last_mark(text)?.len() - 1;
    let last = text[..colon].trim_end_matches(is_space).len() - "answer".len();
    let mut tried = 0; // words of several marks are tried once
    marks(text).map(|t| t.trim_start_matches(is_space)).find_map(|rest| {
        let start = text.len() - rest.len();
        if start < tried {
            return None;
        }
        let word = rest.split(is_space).next().filter(|w| !w.is_empty())?;
        tried = start + word.len();
        let after = &rest[word.len()..];
        let space = &after[..after.len() - after.trim_start_matches(is_space).len()];
        if tried <= last || (space.len() < after.len() && !space.contains('\n')) {
            return None;
        }
        Some(word.strip_suffix(['.', ',', ';', ':', '!', '?']).filter(|w| !w.is_empty()).unwrap_or(word))
    })
}

/// What follows the first mark of the last line, or before it.
fn line(text: &str) -> Option<&str> {
    let last = text.trim_end_matches(is_space).rfind('\n').map_or(0, |i| i + 1);
    let rest = marks(text).map(|t| t.trim_start_matches(is_space)).find(|t| text.len() - t.len() >= last)?;
    let end = rest.find('\n').unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

pub fn word_f1(request: &Request) -> Result<Answer> {
    let config = request.config();
    let f1 = match config.text("field", "f1")? {
        "f1" => true,
        "exact" => false,
        other => return Err(unknown("field", other, "f1 or exact")),
    };
    let stop: Vec<String> = config.texts("stop_words")?.unwrap_or_default().into_iter().map(token).collect();
    let texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(unscored) => return Ok(unscored),
    };
    let got = normal(texts.output, &stop);
    let plain = if stop.is_empty() { got.clone() } else { normal(texts.output, &[]) };
    let words = |text: &str| {
        let mut list = Vec::new();
        split(text, &mut list);
        let mut counts = BTreeMap::<String, usize>::new();
        for word in list {
            *counts.entry(word.into()).or_default() += 1;
        }
        counts
    };
    let total = |counts: &BTreeMap<String, usize>| counts.values().sum::<usize>() as f64;
    let got = words(&got);
    let (mut best, mut exact, mut compared) = (0.0f64, false, 0);
    for reference in texts.references {
        let text = normal(reference, &[]);
        exact |= !text.is_empty() && text == plain;
        let want = words(&normal(reference, &stop));
        if want.is_empty() {
            continue;
        }
        compared += 1;
        let same: usize = want.iter().map(|(w, n)| got.get(w).map_or(0, |m| *n.min(m))).sum();
        let precision = if got.is_empty() { 1.0 } else { same as f64 / total(&got) };
        let recall = same as f64 / total(&want);
        if precision > 0.0 || recall > 0.0 {
            best = best.max(2.0 * precision * recall / (precision + recall));
        }
    }
    if compared == 0 {
        return Ok(Answer::unscored("the references have no words"));
    }
    let mut details = Object::new();
    details.num("f1", best).num("exact", one_if(exact));
    Ok(Answer::score(if f1 { best } else { one_if(exact) }).details(details))
}

/// Inspect's normalisation: words between spaces and hyphens, in lower case, without
/// punctuation and articles; numbers by their value.
fn normal(text: &str, stop: &[String]) -> String {
    let tokens = text.split([' ', '-']).map(token).filter(|t| !stop.contains(t) && !strip(t).is_empty());
    tokens.collect::<Vec<_>>().join(" ")
}

fn token(text: &str) -> String {
    let text = casefold(text);
    // Most words are not numbers.
    let numeric = text.contains(char::is_numeric) || text.contains("inf") || text.contains("nan");
    let float = |t: &str| if numeric { python_float(t) } else { None };
    let number = float(&text).or_else(|| float(text.trim_matches(punctuation)));
    if let Some(n) = number {
        // No word has this form: punctuation is gone from all others.
        return format!("{:x}.", n.to_bits());
    }
    let kept: String = text.chars().filter(|c| !c.is_ascii_punctuation()).collect();
    if let Some(n) = float(&kept) {
        return format!("{:x}.", n.to_bits());
    }
    let mut out = String::new();
    let mut word = String::new();
    for c in kept.chars().chain(['\0']) {
        if c != '\0' && WORD.has(c) {
            word.push(c);
            continue;
        }
        out.push_str(if matches!(word.as_str(), "a" | "an" | "the") { " " } else { &word });
        word.clear();
        if c != '\0' {
            out.push(c);
        }
    }
    let mut words = Vec::new();
    split(&out, &mut words);
    words.join(" ")
}
