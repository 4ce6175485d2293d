//! Tool calls in the notations of agents' messages.

use rubric_host_sdk::{parse, Result, Value};

/// A call: the name of the tool and its arguments, if they are given.
#[derive(Clone, Debug)]
pub struct Call<'v> {
    pub tool: String,
    pub args: Option<&'v Value<'v>>,
}

/// A message: its role and its calls. `None`: it has no list of calls.
#[derive(Clone, Debug)]
pub struct Message<'v> {
    pub role: String,
    pub calls: Option<Vec<Call<'v>>>,
}

/// Keeps a value to the end of the call, after which the host puts all memory back.
fn keep<'v>(value: Value<'v>) -> &'v Value<'v> {
    Box::leak(Box::new(value))
}

/// The messages of a value: a list of messages or calls, an object that holds one, or
/// one of these as JSON text. Other text is a message, with calls in `<tool_call>` tags.
pub fn messages<'v>(value: &'v Value<'v>) -> Result<Vec<Message<'v>>> {
    match value {
        Value::Array(list) => list.iter().map(message).collect(),
        Value::Object(_) => {
            for name in ["messages", "output_messages", "trajectory", "tool_calls"] {
                if let Some(Value::Array(list)) = value.get(name).filter(|_| value.get("role").is_none()) {
                    return list.iter().map(message).collect();
                }
            }
            Ok(vec![message(value)?])
        }
        Value::String(text) => {
            let trimmed = text.trim();
            if trimmed.starts_with(['[', '{']) {
                if let Ok(inner) = parse(trimmed) {
                    return messages(keep(inner));
                }
            }
            Ok(vec![Message { role: "assistant".into(), calls: tagged(text)? }])
        }
        other => Err(format!("expected messages or tool calls, got {}", other.kind()).into()),
    }
}

/// All calls, in order.
pub fn flat(messages: Vec<Message>) -> Vec<Call> {
    messages.into_iter().filter_map(|m| m.calls).flatten().collect()
}

fn message<'v>(value: &'v Value<'v>) -> Result<Message<'v>> {
    let role = value.get("role").and_then(Value::as_str);
    if role.is_none() {
        // A call by itself.
        if let Some(call) = call(value)? {
            return Ok(Message { role: "assistant".into(), calls: Some(vec![call]) });
        }
    }
    let mut calls = None;
    for name in ["tool_calls", "toolCalls"] {
        if let Some(list) = value.get(name).and_then(Value::as_array) {
            let read = |c| match call(c)? {
                Some(call) => Ok(call),
                None => Err("a tool call has no name".into()),
            };
            calls.get_or_insert_with(Vec::new).extend(list.iter().map(read).collect::<Result<Vec<_>>>()?);
        }
    }
    if let Some(parts) = value.get("content").and_then(Value::as_array) {
        for part in parts.iter().filter(|p| kind(p) == "tool_use") {
            calls.get_or_insert_with(Vec::new).extend(call(part)?);
        }
    }
    if calls.is_none() && role == Some("assistant") {
        if let Some(text) = value.get("content").and_then(Value::as_str) {
            calls = tagged(text)?;
        }
    }
    Ok(Message { role: role.unwrap_or("assistant").into(), calls })
}

fn kind<'v>(value: &'v Value) -> &'v str {
    value.get("type").and_then(Value::as_str).unwrap_or("")
}

/// A call in the notation of OpenAI, Anthropic, LangChain, Inspect or AgentV; nothing if
/// the value names no tool.
fn call<'v>(value: &'v Value<'v>) -> Result<Option<Call<'v>>> {
    let function = value.get("function");
    let inner = function.filter(|f| f.as_object().is_some()).unwrap_or(value);
    let name = function.and_then(Value::as_str).or_else(|| {
        ["tool", "name"].iter().find_map(|n| inner.get(n)).and_then(Value::as_str)
    });
    let Some(name) = name else { return Ok(None) };
    let args = ["arguments", "args", "input", "parameters"].iter().find_map(|n| inner.get(n));
    Ok(Some(Call { tool: name.into(), args: args.map(arguments) }))
}

/// Arguments as a value: those in a string are JSON, if they are.
fn arguments<'v>(value: &'v Value<'v>) -> &'v Value<'v> {
    match value {
        Value::String(text) if text.trim_start().starts_with('{') => match parse(text) {
            Ok(inner) => keep(inner),
            Err(_) => value,
        },
        _ => value,
    }
}

/// The calls between `<tool_call>` and `</tool_call>`.
fn tagged<'v>(text: &'v str) -> Result<Option<Vec<Call<'v>>>> {
    let mut calls = Vec::new();
    for part in text.split("<tool_call>").skip(1) {
        let Some((body, _)) = part.split_once("</tool_call>") else { break };
        let value = keep(parse(body).map_err(|e| format!("a <tool_call> is {e}"))?);
        match call(value)? {
            Some(call) => calls.push(call),
            None => return Err("a <tool_call> has no name".into()),
        }
    }
    Ok((!calls.is_empty()).then_some(calls))
}
