//! `think`: reasoning in tags, as TRL's think_format_reward requires it. `tool_call`: calls
//! in tags that can be read.

use crate::output;
use rubric_host_sdk::{parse, Answer, Object, Request, Result, Value};
use rubric_host_text::{after_reasoning, one_if, or_answer};

pub fn think(request: &Request) -> Result<Answer> {
    let config = request.config();
    let tag = config.text("tag", "think")?;
    let answer_tag = config.text("answer_tag", "")?;
    let text = or_answer!(output(request)?);
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let reason = match text.strip_prefix(open.as_str()) {
        None => Some(format!("the output does not start with {open}")),
        Some(rest) if rest.contains(&open) => Some(format!("{open} comes twice")),
        Some(rest) => match rest.split_once(close.as_str()) {
            None => Some(format!("{close} is missing")),
            Some((_, after)) if !answer_tag.is_empty() => answered(after, &close, answer_tag),
            Some(_) => None,
        },
    };
    Ok(Answer::score(one_if(reason.is_none())).reason(reason.unwrap_or_default()))
}

/// What is wrong with the part after the reasoning: one answer in tags, nothing else.
fn answered(text: &str, close: &str, tag: &str) -> Option<String> {
    let (start, end) = (format!("<{tag}>"), format!("</{tag}>"));
    if text.contains(close) {
        return Some(format!("{close} comes twice"));
    }
    match text.trim().strip_prefix(start.as_str()).and_then(|t| t.strip_suffix(end.as_str())) {
        None => Some(format!("the reasoning is not followed by {start}...{end} alone")),
        Some(inner) if inner.contains(&start) || inner.contains(&end) => Some(format!("{start} comes twice")),
        Some(_) => None,
    }
}

pub fn tool_call(request: &Request) -> Result<Answer> {
    let config = request.config();
    let tag = config.text("tag", "tool_call")?;
    let tools = config.texts("tools")?;
    // A model may think of a call before it makes one.
    let text = after_reasoning(or_answer!(output(request)?)).unwrap_or("");
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let (mut calls, mut valid, mut reason) = (0u64, 0u64, String::new());
    let (mut rest, mut stray) = (text, false);
    while let Some((before, after)) = rest.split_once(open.as_str()) {
        calls += 1;
        stray |= before.contains(&close);
        let end = end_of(after, &close);
        let checked = match end {
            Some(end) => call(&after[..end], tools.as_deref()),
            None => Err(format!("{close} is missing")),
        };
        match checked {
            Ok(()) => valid += 1,
            Err(what) if reason.is_empty() => reason = format!("call {calls}: {what}"),
            Err(_) => {}
        }
        rest = end.map_or("", |end| &after[end + close.len()..]);
    }
    if stray || rest.contains(&close) {
        reason = format!("{close} without {open}");
        valid = 0;
    }
    if calls == 0 && reason.is_empty() {
        reason = format!("no {open} in the output");
    }
    let mut details = Object::new();
    details.int("calls", calls).int("valid", valid);
    Ok(Answer::score(one_if(calls > 0 && valid == calls)).details(details).reason(reason))
}

/// Where the closing tag is: the first that is in no string of the JSON, else the first.
fn end_of(text: &str, close: &str) -> Option<usize> {
    let first = text.find(close)?;
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.bytes().enumerate() {
        match c {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'\n' if quoted => break, // no JSON
            _ if !quoted && at >= first && text.as_bytes()[at..].starts_with(close.as_bytes()) => return Some(at),
            _ => {}
        }
    }
    Some(first)
}

/// Checks the JSON of a call: a name, and arguments that are an object.
fn call(body: &str, tools: Option<&[&str]>) -> std::result::Result<(), String> {
    let value = parse(body).map_err(|e| e.to_string())?;
    let name = value.get("name").and_then(Value::as_str).filter(|n| !n.is_empty()).ok_or("no name")?;
    let arguments = value.get("arguments").or_else(|| value.get("parameters"));
    if arguments.and_then(Value::as_object).is_none() {
        return Err("the arguments are missing or not an object".into());
    }
    match tools {
        Some(known) if !known.contains(&name) => {
            Err(format!("unknown tool \"{}\"", name.chars().take(100).collect::<String>()))
        }
        _ => Ok(()),
    }
}
