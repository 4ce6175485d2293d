//! `json`: the output is JSON. `json_equal`: it is the JSON that is expected.

use crate::{checked, output};
use rubric_host_sdk::{parse, Answer, Error, Request, Result, Value};
use rubric_host_text::{after_reasoning, or_answer};
use rubric_host_text::equal::{Equality, Found};

/// The most bytes that a search for JSON in a text reads.
const SCAN: usize = 16 << 20;

/// The most values behind the first that a search reads.
const OTHERS: usize = 100;

/// What was read, or that there is nothing and why; an answer if it is undecided.
type Read<T> = std::result::Result<std::result::Result<T, Error>, Answer>;

/// The value that counts, and others that a text has behind it.
fn read<'t>(request: &Request, text: &'t str) -> Result<Read<Vec<Value<'t>>>> {
    if request.config().text("within", "whole")? == "anywhere" {
        return Ok(anywhere(after_reasoning(text).unwrap_or("")));
    }
    Ok(decided(parse(checked(request, text, &["json"])?)).map(|read| read.map(|value| vec![value])))
}

fn decided(read: Result<Value<'_>>) -> Read<Value<'_>> {
    match read {
        Err(e) if too_deep(&e) => Err(Answer::unscored("the JSON is nested too deeply: more than 64 levels")),
        // RFC 8259 allows it, and CPython reads it; no text can hold it.
        Err(e) if e.to_string().ends_with("half a surrogate pair") => {
            Err(Answer::unscored("the JSON has a \\u escape of half a surrogate pair"))
        }
        other => Ok(other),
    }
}

fn too_deep(e: &Error) -> bool {
    e.to_string().ends_with("nested too deeply")
}

/// The objects and lists in a text, but for those within what was meant to be one and is
/// broken, and behind it: a part of the answer is not the answer.
fn anywhere(text: &str) -> Read<Vec<Value<'_>>> {
    let mut budget = SCAN;
    let mut from = 0;
    let mut broken = None;
    let mut found = Vec::new();
    while let Some(at) = text[from..].find(['{', '[']) {
        let start = from + at;
        let end = closed(&text[start..]);
        let read = end.unwrap_or(text.len() - start);
        if read > budget || found.len() > OTHERS {
            if !found.is_empty() {
                break;
            }
            return Err(Answer::unscored("the output has too many unclosed brackets to search for JSON"));
        }
        budget -= read;
        from = start + 1;
        if let Some(end) = end {
            match decided(parse(&text[start..start + end])) {
                Ok(Ok(value)) => {
                    found.push(value);
                    from = start + end;
                }
                Err(unscored) if found.is_empty() => return Err(unscored),
                Err(_) => break,
                Ok(Err(e)) if meant(&text[start..]) => {
                    broken = broken.or(Some(e));
                    from = start + end;
                }
                Ok(Err(_)) => {}
            }
        } else if meant(&text[start..]) {
            broken = broken.or(Some(Error::new("JSON that is not closed")));
            break;
        }
    }
    if found.is_empty() {
        return Ok(Err(broken.unwrap_or_else(|| Error::new("no JSON object or list in the output"))));
    }
    Ok(Ok(found))
}

/// Whether what begins with a bracket was meant as JSON: a quote or a name and a colon follow,
/// or in a list a bracket, or a number and a comma.
fn meant(text: &str) -> bool {
    let rest = text[1..].trim_start();
    let word = rest.bytes().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-' | b'.' | b'+')).count();
    let after = rest[word..].trim_start();
    match rest.bytes().next() {
        Some(b'"' | b'\'') => true,
        Some(b'{' | b'[') => text.starts_with('['),
        _ if text.starts_with('{') => word > 0 && after.starts_with(':'),
        _ => {
            let scalar = matches!(&rest[..word], "true" | "false" | "null") || Value::Number(&rest[..word]).as_f64().is_some();
            scalar && after.starts_with([',', ']'])
        }
    }
}

/// One past the bracket that closes the first one.
fn closed(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (i, c) in text.bytes().enumerate() {
        match c {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
    }
    None
}

pub fn valid(request: &Request) -> Result<Answer> {
    let text = or_answer!(output(request)?);
    let values = or_answer!(read(request, text)?);
    let wanted = request.config().text("type", "")?;
    if !matches!(wanted, "" | "object" | "array") {
        return Err(Error::new(format!("unknown type \"{wanted}\": use object or array")));
    }
    let right = |v: &Value| match wanted {
        "object" => v.as_object().is_some(),
        "array" => v.as_array().is_some(),
        _ => true,
    };
    Ok(match values {
        Err(e) => Answer::score(0.0).reason(e.to_string()),
        Ok(values) if right(&values[0]) => Answer::score(1.0),
        Ok(values) if values.iter().any(right) => Answer::unscored(format!("the first JSON in the output is {}, and another one is wanted", values[0].kind())),
        Ok(values) => Answer::score(0.0).reason(format!("the JSON is {}", values[0].kind())),
    })
}

pub fn equal(request: &Request) -> Result<Answer> {
    let config = request.config();
    let rules = Equality::read(&config)?;
    let text = or_answer!(output(request)?);
    let references = request.references()?;
    let mut expected = Vec::new();
    if let Some(value) = config.get("expected") {
        expected.push(value.clone());
    } else {
        for reference in &references {
            match parse(reference) {
                Ok(value) => expected.push(value),
                Err(e) => return Ok(Answer::unscored(format!("a reference is {e}"))),
            }
        }
    }
    if expected.is_empty() {
        return Ok(Answer::unscored("nothing is expected: config has no expected, and the case has no references"));
    }
    let values = match read(request, text)? {
        Ok(Ok(values)) => values,
        Ok(Err(e)) => return Ok(Answer::score(0.0).reason(e.to_string())),
        Err(unscored) => return Ok(unscored),
    };
    let mut first = None;
    for value in &expected {
        match rules.compare(value, &values[0]) {
            Found::Equal => return Ok(Answer::score(1.0)),
            Found::Differs(what) => first = first.or(Some(what)),
            Found::TooLarge => return Ok(Answer::unscored("the JSON is too large to compare without order")),
        }
    }
    // See [1]: {"a": 1}
    let other = |got| expected.iter().any(|value| rules.compare(value, got) == Found::Equal);
    if values[1..].iter().any(other) {
        return Ok(Answer::unscored("the first JSON in the output is not the expected one, but another is"));
    }
    Ok(Answer::score(0.0).reason(first.unwrap_or_default()))
}
