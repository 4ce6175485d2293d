//! `quotes`: what the output quotes is in the context. `citations`: what it cites exists.

use crate::{output, show};
use rubric_host_sdk::{Answer, Error, Object, Request, Result, Value};
use rubric_host_text::{is_space, lower};

/// Pairs of quotation marks. The straight mark closes itself.
const MARKS: [(char, char); 9] = [
    ('"', '"'), ('\u{201c}', '\u{201d}'), ('\u{201e}', '\u{201c}'), ('\u{ab}', '\u{bb}'), ('\u{bb}', '\u{ab}'),
    ('\u{300c}', '\u{300d}'), ('\u{300e}', '\u{300f}'), ('\u{2039}', '\u{203a}'), ('\u{ff02}', '\u{ff02}'),
];

/// The texts of the context: one, or a list of texts or of objects with a text.
fn sources<'r>(request: &'r Request) -> Result<Vec<&'r str>> {
    let one = |v: &'r Value<'r>| {
        v.as_str().or_else(|| ["text", "content", "page_content"].iter().find_map(|n| v.get(n)?.as_str()))
    };
    match request.field("context") {
        None => request.references(),
        Some(Value::Array(list)) => list
            .iter()
            .map(one)
            .collect::<Option<_>>()
            .ok_or_else(|| Error::new("the case's context has an element that is no text and has no text")),
        Some(v) => Ok(vec![one(v).ok_or("the case's context is no text")?]),
    }
}

pub fn quotes(request: &Request) -> Result<Answer> {
    let config = request.config();
    let least = config.count("min_words", 3, 1, 1000)?;
    let ignore_case = config.flag("ignore_case", false)?;
    let required = config.flag("required", false)?;
    let text = match output(request)? {
        Ok(text) => text,
        Err(unscored) => return Ok(unscored),
    };
    let sources = sources(request)?;
    if sources.is_empty() {
        return Ok(Answer::unscored("the case has no context or references to look for quotes in"));
    }
    let sources: Vec<String> = sources.into_iter().map(|s| plain(s, ignore_case)).collect();
    let spans: Vec<_> = quoted(text).into_iter().filter(|&(a, b)| words(&text[a..b]) >= least).collect();
    if spans.is_empty() {
        let reason = format!("the output quotes nothing of {least} words or more");
        return Ok(if required { Answer::score(0.0).reason(reason) } else { Answer::unscored(reason) });
    }
    if spans.len().saturating_mul(sources.iter().map(String::len).sum::<usize>()) > 1 << 26 {
        return Ok(Answer::unscored("too many quotes in too long a context"));
    }
    let (mut found, mut missing) = (0usize, Vec::new());
    for &(from, to) in &spans {
        let quote = plain(&text[from..to], ignore_case);
        if sources.iter().any(|s| occurs(&quote, s)) {
            found += 1;
        } else {
            missing.push((from, to));
        }
    }
    let mut details = Object::new();
    details.int("quotes", spans.len() as u64).int("found", found as u64);
    Ok(show(Answer::score(found as f64 / spans.len() as f64).details(details), text, &missing))
}

/// The places between quotation marks on one paragraph, without nesting.
fn quoted(text: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut last = '\n';
    for (i, c) in text.char_indices() {
        match open {
            Some((from, close)) if c == close => {
                spans.push((from, i));
                open = None;
            }
            Some(_) if c == '\n' && last == '\n' => open = None,
            Some(_) => {}
            None => open = MARKS.iter().find(|m| m.0 == c).map(|m| (i + c.len_utf8(), m.1)),
        }
        last = c;
    }
    spans
}

/// Words between white space; a script without spaces counts its characters.
fn words(text: &str) -> usize {
    text.split(is_space)
        .filter(|w| !w.is_empty())
        .map(|w| w.chars().filter(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')).count().max(1))
        .sum()
}

/// A text with single spaces, straight marks and dashes, and no emphasis.
fn plain(text: &str, ignore_case: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let lowered;
    let text = if ignore_case {
        lowered = lower(text);
        &lowered
    } else {
        text
    };
    for c in text.chars() {
        match c {
            c if is_space(c) => {
                if !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            '\u{2018}' | '\u{2019}' | '\u{201b}' => out.push('\''),
            '\u{201c}' | '\u{201d}' | '\u{201e}' => out.push('"'),
            '\u{2010}'..='\u{2015}' => out.push('-'),
            '\u{2026}' => out.push_str("..."),
            '*' | '\u{ad}' | '\u{200b}' => {}
            c => out.push(c),
        }
    }
    out
}

/// Whether the parts of a quote between its ellipses are in the source in this order.
/// Punctuation at the end of a part may be the quoter's.
fn occurs(quote: &str, source: &str) -> bool {
    let mut rest = source;
    let mut any = false;
    for part in quote.replace("[...]", "...").split("...") {
        let part = part.trim_matches(|c: char| c == ' ' || c == ',' || c == '.' || c == ';' || c == ':');
        if part.is_empty() {
            continue;
        }
        any = true;
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    any
}

pub fn citations(request: &Request) -> Result<Answer> {
    let config = request.config();
    let required = config.flag("required", false)?;
    let text = match output(request)? {
        Ok(text) => text,
        Err(unscored) => return Ok(unscored),
    };
    let count = match config.get("sources") {
        Some(_) => config.count("sources", 0, 1, 1_000_000)?,
        None => sources(request)?.len(),
    };
    if count == 0 {
        return Ok(Answer::unscored("the case has no context or references, and config no number of sources"));
    }
    let (mut right, mut all, mut wrong) = (0u64, 0u64, Vec::new());
    let mut cited = std::collections::BTreeSet::new();
    for (from, to, numbers) in markers(text) {
        all += 1;
        let exists = |n: &usize| (1..=count).contains(n);
        if numbers.iter().all(exists) {
            right += 1;
            cited.extend(numbers);
        } else {
            wrong.push((from, to));
        }
    }
    if all == 0 {
        let reason = "the output has no citation such as [1]";
        return Ok(if required { Answer::score(0.0).reason(reason) } else { Answer::unscored(reason) });
    }
    let mut details = Object::new();
    details.int("citations", all).int("valid", right).int("sources", count as u64).int("cited", cited.len() as u64);
    Ok(show(Answer::score(right as f64 / all as f64).details(details), text, &wrong))
}

/// Citations: `[1]`, `[^1]`, `[1, 2]`, `[1-3]`; no links. Of a range, its ends.
fn markers(text: &str) -> Vec<(usize, usize, Vec<usize>)> {
    let mut found = Vec::new();
    for (from, _) in text.match_indices('[') {
        let inner = &text[from + 1..];
        let Some(end) = inner.bytes().take(80).position(|b| !matches!(b, b'0'..=b'9' | b',' | b' ' | b'-' | b'^' | 0xe2 | 0x80 | 0x93)) else {
            continue;
        };
        if inner.as_bytes()[end] != b']' || inner[end + 1..].starts_with('(') {
            continue;
        }
        let numbers: Option<Vec<usize>> = inner[..end]
            .split([',', '-', '\u{2013}'])
            .map(|n| n.trim_matches([' ', '^']).parse().ok())
            .collect();
        if let Some(numbers) = numbers {
            found.push((from, from + end + 2, numbers));
        }
    }
    found
}
