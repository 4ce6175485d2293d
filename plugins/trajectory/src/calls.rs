//! Tool calls in the notations of agents' messages.

use rubric_host_sdk::{parse, Result, Value};
use rubric_host_text::after_reasoning;
use std::collections::BTreeSet;

/// A call: the name of the tool and its arguments, if they are given.
#[derive(Clone, Debug)]
pub struct Call<'v> {
    pub tool: String,
    pub args: Option<&'v Value<'v>>,
    /// Whether values are text whatever their type is, as in XML.
    pub untyped: bool,
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

/// The messages of a value: a list of messages or calls, an object that holds one (the answer of an endpoint, too), or
/// one of these as JSON text, alone or in a fenced block. Other text is a message, with calls in
/// `<tool_call>` tags.
pub fn messages<'v>(value: &'v Value<'v>) -> Result<Vec<Message<'v>>> {
    match value {
        Value::Array(list) => list.iter().map(message).collect(),
        Value::Object(_) => {
            for name in LISTS {
                match value.get(name).filter(|_| value.get("role").is_none()) {
                    Some(Value::Array(list)) if matches!(name, "choices" | "candidates") && list.len() != 1 => {
                        return Err(format!("expected one of the {name}, got {}", list.len()).into());
                    }
                    Some(Value::Array(list)) => return list.iter().map(message).collect(),
                    _ => {}
                }
            }
            // The responses of OpenAI and Bedrock. A call may have an output, too.
            match value.get("output").filter(|_| !matches!(call(value), Ok(Some(_)))) {
                Some(Value::Array(list)) => list.iter().map(message).collect(),
                Some(inner @ Value::Object(_)) => Ok(vec![message(inner)?]),
                _ => Ok(vec![message(value)?]),
            }
        }
        Value::String(text) => {
            let text = spoken(text);
            let marks = Marks::of(text);
            let trimmed = unfenced(text, &marks);
            if trimmed.starts_with(['[', '{']) {
                match json(trimmed) {
                    Ok(inner) if speaks_of_calls(&inner) => return messages(keep(inner)),
                    Ok(_) if !marks.has(APERTUS) => return Ok(vec![plain(None)]),
                    Err(e) if looks_like_calls(trimmed) => return Err(format!("the calls are {e}").into()),
                    _ => {}
                }
            }
            Ok(vec![plain(within(text, &marks)?)])
        }
        other => Err(format!("expected messages or tool calls, got {}", other.kind()).into()),
    }
}

/// Whether a value is text that tells nothing of calls: neither JSON of them nor tags.
pub fn is_plain(value: &Value) -> bool {
    let Some(text) = value.as_str().map(spoken) else { return false };
    let marks = Marks::of(text);
    let trimmed = unfenced(text, &marks);
    let json = trimmed.starts_with(['[', '{']) && json(trimmed).map_or_else(|_| looks_like_calls(trimmed), |v| speaks_of_calls(&v));
    !json && !marks.has("<tool_call>") && written(text, &marks).or_else(|| python(text, &marks)).is_none()
}

/// The text without reasoning, which calls nothing; nothing of JSON.
fn spoken(text: &str) -> &str {
    if text.trim_start().starts_with(['[', '{']) { text } else { after_reasoning(text).unwrap_or("") }
}

fn plain(calls: Option<Vec<Call>>) -> Message {
    Message { role: "assistant".into(), calls }
}

/// Words before calls. The first open calls in JSON or Python: of Mistral, Llama, Cohere, Granite, Liquid, Nemotron, MiniMax, Olmo, InternLM, Apertus, Gemini and Phi, and of LangChain's prompts.
const WORDS: [&str; 28] = [
    "[TOOL_CALLS]", "<|python_tag|>", "<|python_start|>", "<|START_ACTION|>", "<|tool_call|>", "<|tool_call_start|>", "<TOOLCALL>", "<tool_calls>", "<function_calls>", "<function_call>", "<|plugin|>", APERTUS, "```tool_code\n", "Action:\n```json\n", "Action:\n```\n",
    "functools[", "<tool_call>", "<function=", "<|tool_call_begin|>", "<\u{ff5c}tool\u{2581}call\u{2581}begin\u{ff5c}>", " to=functions.", "Action: ", "<invoke name=\"", DSML, "```tool_c", "\nAction Input:",
    GEMMA[0][0], GEMMA[1][0],
];

/// How many of the words open calls.
const OPENS: usize = 16;

/// DeepSeek's mark within tags.
const DSML: &str = "\u{ff5c}DSML\u{ff5c}";

/// Apertus' token before calls, `{"name": {arguments}}` each.
const APERTUS: &str = "<|tools_prefix|>";

/// What is before the name of a call of Gemma, behind its arguments, and around texts: of FunctionGemma and Gemma 4.
const GEMMA: [[&str; 3]; 2] = [["<start_function_call>call:", "<end_function_call>", "<escape>"], ["<|tool_call>call:", "<tool_call|>", "<|\"|>"]];

/// Which words a text has, and where what opens calls ends first.
struct Marks {
    words: u32,
    opened: Option<usize>,
}

impl Marks {
    /// In one pass: the first and fourth byte of a word tell most places apart.
    fn of(text: &str) -> Marks {
        let (mut first, mut fourth) = ([0u32; 256], [0u32; 256]);
        for (i, word) in WORDS.iter().enumerate() {
            first[usize::from(word.as_bytes()[0])] |= 1 << i;
            fourth[usize::from(word.as_bytes()[3])] |= 1 << i;
        }
        let bytes = text.as_bytes();
        let mut marks = Marks { words: 0, opened: None };
        for (at, four) in bytes.windows(4).enumerate() {
            let mut left = first[usize::from(four[0])] & fourth[usize::from(four[3])] & !marks.words;
            while left != 0 {
                let i = left.trailing_zeros() as usize;
                left &= left - 1;
                if bytes[at..].starts_with(WORDS[i].as_bytes()) {
                    marks.words |= 1 << i;
                    // functools[{"name": "weather"}]: the list is the calls, and functools.reduce() is not
                    marks.opened = marks.opened.or((i < OPENS).then_some(at + WORDS[i].trim_end_matches('[').len()));
                }
            }
        }
        marks
    }

    fn has(&self, word: &str) -> bool {
        WORDS.iter().position(|w| *w == word).is_some_and(|i| self.words & 1 << i != 0)
    }
}

/// The content of a text that is one fenced block, or the calls behind what opens them, without the special tokens at the end.
fn unfenced<'v>(text: &'v str, marks: &Marks) -> &'v str {
    let text = untokened(marks.opened.map_or(text, |at| &text[at..]));
    let inner = || {
        let (info, rest) = text.strip_prefix("```")?.split_once('\n')?;
        (!info.contains('`')).then_some(())?;
        rest.strip_suffix("```").filter(|inner| !inner.contains("```"))
    };
    inner().or(text.strip_suffix("```").filter(|inner| !inner.contains("```"))).map_or(text, str::trim)
}

/// A text without white space and the special tokens at its end.
fn untokened(text: &str) -> &str {
    let mut text = text.trim();
    for _ in 0..TOKENS {
        let last = || text.ends_with('>').then(|| text.rfind('<').filter(|at| token(&text[*at..]) == Some(""))).flatten();
        let Some(less) = text.strip_suffix(MINIMAX).or_else(|| last().map(|at| &text[..at])) else { break };
        text = less.trim_end();
    }
    text
}

/// One value in JSON, or an object in each line.
fn json(text: &str) -> Result<Value<'_>> {
    let lines = || text.lines().filter(|l| !l.trim().is_empty()).map(|l| parse(l).ok().filter(|v| v.as_object().is_some())).collect::<Option<_>>();
    parse(text).or_else(|e| lines().map(Value::Array).ok_or(e))
}

/// Members with messages or calls: of many notations, then the answers of OpenAI's, Gemini's and Mistral's endpoints.
const LISTS: [&str; 9] = ["messages", "output_messages", "trajectory", "tool_calls", "toolCalls", "contents", "choices", "candidates", "outputs"];

/// Members that hold a message: of LangChain's dumps and messages, OpenAI's choices and Gemini's candidates.
const HOLDERS: [&str; 4] = ["kwargs", "data", "message", "content"];

/// Members of messages and calls. An answer in JSON has none of them.
const MEMBERS: [&str; 17] = [
    "jsonrpc", "role", "messages", "output_messages", "trajectory", "tool_calls", "toolCalls", "contents", "tool", "function", "function_call",
    "functionCall", "toolName", "tool_name", "arguments", "args", "action_input",
];

/// Whether JSON in a text is of messages or calls; an empty list is one of calls.
fn speaks_of_calls(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.is_empty() || list.iter().any(|v| v.as_object().is_some() && speaks_of_calls(v)),
        v if ["choices", "candidates", "output", "outputs"].iter().chain(&HOLDERS).any(|n| {
            let holds = |inner: &&Value| inner.as_object().is_some() || inner.as_array().is_some_and(|list| !list.is_empty());
            v.get(n).filter(holds).is_some_and(speaks_of_calls)
        }) => true,
        // LangChain's agents end with an action that is no call.
        v if v.get("action").and_then(Value::as_str) == Some("Final Answer") => false,
        v => MEMBERS.iter().any(|n| v.get(n).is_some()) || v.get("name").is_some() && ARGUMENTS.iter().any(|n| v.get(n).is_some()) || kind(v) == "tool_use",
    }
}

/// Signs of calls in notations that are not read.
const UNREAD: [&str; 4] = ["[TOOL_CALLS]", " to=functions.", "```tool_c", "\nAction Input:"];

/// Whether a text has a tag or special token for calls.
fn tags(text: &str) -> bool {
    let near = |part: &str| part.chars().count() < 40;
    let tag = |part: &str| {
        // A tag that is cut off, such as <function=, has no blank before the word: i<n and a tool is none.
        let cut = Some((part.len(), ' ')).filter(|_| part.len() < 80 && part.starts_with(|c: char| c.is_alphabetic() || matches!(c, '|' | '\u{ff5c}')));
        let closed = part.char_indices().take(80).find(|c| c.1 == '>');
        let Some((end, _)) = closed.or(cut) else { return false };
        let begins = |at: usize| near(&part[..at]) && (closed.is_some() || !part[..at].contains(char::is_whitespace));
        ["tool", "function", "invoke", "plugin"].iter().any(|w| end >= w.len() && part[..end].match_indices(w).any(|(at, _)| begins(at) && near(&part[at..end])))
    };
    text.split('<').skip(1).any(tag)
}

/// Whether a text without calls has JSON of some within it, or calls in another notation: the text may show a call or make it.
pub fn may_call(value: &Value) -> bool {
    value.as_str().map(spoken).is_some_and(|text| {
        // [weather(city="Paris")]
        let list = text.trim().strip_prefix('[').and_then(|list| list.strip_suffix(")]"));
        let python = list.is_some_and(|list| list.split_once('(').is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))));
        let marks = Marks::of(text);
        python || tags(text) || UNREAD.iter().any(|start| marks.has(start)) || text.contains('{') && looks_like_calls(text)
    })
}

fn looks_like_calls(text: &str) -> bool {
    let last = text.contains("\"Final Answer\"") && text.matches("\"action\"").count() == 1;
    !last && text.rsplit_once(['"', '\'']).is_some_and(|(text, _)| text.split(['"', '\'']).skip(1).any(|part| MEMBERS.contains(&part)))
}

/// All calls, in order.
pub fn flat(messages: Vec<Message>) -> Vec<Call> {
    messages.into_iter().filter_map(|m| m.calls).flatten().collect()
}

fn message<'v>(value: &'v Value<'v>) -> Result<Message<'v>> {
    if value.as_object().is_none() {
        return Err(format!("expected a message or a tool call, got {}", value.kind()).into());
    }
    // MCP's: of its requests, notifications and responses, one calls.
    if value.get("jsonrpc").is_some() {
        let calls = value.get("method").and_then(Value::as_str) == Some("tools/call");
        let call = calls.then(|| named(value.get("params").unwrap_or(value))).transpose()?;
        return Ok(Message { role: if calls { "assistant" } else { "tool" }.into(), calls: call.map(|c| vec![c]) });
    }
    // LangChain's dumps wrap a message, and call its role the type, or name its class. Other messages may have data of their own.
    let class = |v: &'v Value<'v>| v.get("id").and_then(Value::as_array).and_then(|path| path.last()?.as_str()).unwrap_or("");
    let dumped = (value.get("type").is_some() || !class(value).is_empty()) && !["role", "content", "tool_calls"].iter().any(|n| value.get(n).is_some());
    let mut holders = HOLDERS.iter().filter(|n| if matches!(**n, "kwargs" | "data") { dumped } else { value.get("role").is_none() }).filter_map(|n| value.get(n));
    let (outer, value) = match holders.find(|v| ["content", "parts", "tool_calls"].iter().any(|n| v.get(n).is_some())) {
        Some(inner) => ([kind(value), class(value)], inner),
        None => (["", ""], value),
    };
    let role = value.get("role").and_then(Value::as_str).or_else(|| [kind(value)].into_iter().chain(outer).find_map(|kind| match kind.trim_end_matches("Chunk") {
        "ai" | "AIMessage" => Some("assistant"),
        "human" | "HumanMessage" => Some("user"),
        "SystemMessage" => Some("system"),
        "ToolMessage" => Some("tool"),
        role @ ("system" | "tool" | "function") if value.get("content").is_some() && !ARGUMENTS.iter().any(|n| value.get(n).is_some()) => Some(role),
        _ => None,
    }));
    if role.is_none() {
        // A call by itself.
        if let Some(call) = call(value)? {
            let last = call.tool == "Final Answer" && value.get("action").is_some();
            return Ok(plain(Some(if last { Vec::new() } else { vec![call] })));
        }
        if !["content", "parts", "tool_calls", "toolCalls", "type", "output"].iter().any(|n| value.get(n).is_some()) {
            return Err("an element is neither a message nor a tool call: it has no role and no name".into());
        }
    }
    let mut calls = None;
    let mut listed = BTreeSet::new();
    // Older dumps of LangChain have OpenAI's calls alone.
    let openai = value.get("additional_kwargs").filter(|_| value.get("tool_calls").and_then(Value::as_array).is_none_or(<[_]>::is_empty));
    for (holder, name) in [(Some(value), "tool_calls"), (openai, "tool_calls"), (Some(value), "toolCalls"), (Some(value), "toolInvocations")] {
        match holder.and_then(|h| h.get(name)) {
            Some(Value::Array(list)) => {
                calls.get_or_insert_with(Vec::new).extend(list.iter().map(named).collect::<Result<Vec<_>>>()?);
                listed.extend(list.iter().map(id));
            }
            Some(v) => return Err(format!("the {name} of a message are {}, and no list", v.kind()).into()),
            None => {}
        }
    }
    // OpenAI's former notation of a single call.
    if role.is_some() && WRAPPERS.iter().any(|n| value.get(n).is_some()) {
        calls.get_or_insert_with(Vec::new).push(named(value)?);
    }
    // LangChain has the calls of Anthropic's content in tool_calls, too, and the AI SDK those of parts in toolInvocations.
    let parts = ["content", "parts"].iter().filter_map(|n| value.get(n)?.as_array()).flatten();
    for part in parts.filter(|p| is_call(p) || WRAPPERS.iter().any(|n| p.get(n).is_some()) || has_call(p)) {
        let id = id(part);
        if listed.is_empty() || id.is_some() && !listed.contains(&id) {
            calls.get_or_insert_with(Vec::new).push(named(part)?);
        }
    }
    if calls.is_none() && role == Some("assistant") {
        if let Some(text) = value.get("content").and_then(Value::as_str) {
            let text = spoken(text);
            calls = within(text, &Marks::of(text))?;
        }
    }
    Ok(Message { role: role.unwrap_or("assistant").into(), calls })
}

fn kind<'v>(value: &'v Value) -> &'v str {
    value.get("type").and_then(Value::as_str).unwrap_or("")
}

/// The id of a call.
fn id<'v>(call: &'v Value) -> Option<&'v str> {
    let inner = WRAPPERS.iter().find_map(|n| call.get(n)).unwrap_or(call);
    ["id", "toolCallId", "tool_call_id"].iter().find_map(|n| inner.get(n)).and_then(Value::as_str)
}

/// Whether the type of a value is that of a call: `server_tool_use` of Anthropic and `web_search_call` of OpenAI, too.
fn is_call(value: &Value) -> bool {
    let kind = kind(value);
    matches!(kind, "tool-call" | "toolCall" | "function" | "dynamic-tool") || kind.ends_with("tool_use") || kind.ends_with("_call") || shown(value).is_some()
}

/// Whether a part of another type has what makes a call, as those of Pydantic AI: `{"part_kind": "tool-call", "tool_name": ..., "args": ...}`.
fn has_call(value: &Value) -> bool {
    NAMES.iter().any(|n| value.get(n).is_some_and(|v| v.as_str().is_some())) && ARGUMENTS.iter().any(|n| value.get(n).is_some()) && !is_other(value)
}

/// Whether the type of a value is that of a result, or of a request for approval, which calls nothing yet.
fn is_other(value: &Value) -> bool {
    shown(value).is_none() && ["output", "result", "response", "approval_request"].iter().any(|end| kind(value).ends_with(end))
}

/// The name of the tool in a part of the AI SDK's messages for a page: `tool-search` with a state.
fn shown<'v>(value: &'v Value) -> Option<&'v str> {
    value.get("state").and(value.get("toolCallId")).and(kind(value).strip_prefix("tool-"))
}

/// Members that hold a call: of OpenAI's former notation, Gemini, Bedrock and the former AI SDK.
const WRAPPERS: [&str; 4] = ["function_call", "functionCall", "toolUse", "toolInvocation"];

/// Members that name the tool of a call.
const NAMES: [&str; 4] = ["tool", "name", "toolName", "tool_name"];

/// Members that hold the arguments of a call.
const ARGUMENTS: [&str; 8] = ["arguments", "args", "input", "parameters", "tool_input", "action_input", "inputParameters", "input_parameters"];

/// A call in the notation of OpenAI, Anthropic, Gemini, LangChain, Inspect, DeepEval, AgentV or the AI SDK;
/// nothing if the value is none.
fn call<'v>(value: &'v Value<'v>) -> Result<Option<Call<'v>>> {
    let wrapped = WRAPPERS.iter().find_map(|n| value.get(n));
    // OpenAI's custom tools take a text.
    let function = value.get("function").or(value.get("custom").filter(|_| kind(value) == "custom"));
    let inner = wrapped.or(function.filter(|f| f.as_object().is_some())).unwrap_or(value);
    if is_other(value) {
        return Ok(None);
    }
    let args = ARGUMENTS.iter().find_map(|n| inner.get(n));
    let name = function.and_then(Value::as_str).or_else(|| {
        NAMES.iter().find_map(|n| inner.get(n)).or(inner.get("action_input").and(inner.get("action"))).and_then(Value::as_str)
    });
    // The provider's own tools have no name.
    let name = name.or(shown(value)).or_else(|| kind(value).strip_suffix("_call").filter(|n| !matches!(*n, "function" | "tool" | "custom_tool")));
    match name.filter(|n| !n.is_empty()) {
        Some(name) => Ok(Some(Call { tool: name.into(), args: args.map(arguments), untyped: false })),
        None if wrapped.is_some() || function.is_some() || args.is_some() || is_call(value) => Err("a tool call has no name".into()),
        None => Ok(None),
    }
}

/// What must be a call.
fn named<'v>(value: &'v Value<'v>) -> Result<Call<'v>> {
    call(value)?.ok_or_else(|| "a tool call has no name".into())
}

/// Arguments as a value: those in a string are JSON, if they are.
fn arguments<'v>(value: &'v Value<'v>) -> &'v Value<'v> {
    match value {
        Value::String(text) if text.trim().is_empty() => keep(Value::Object(Vec::new())),
        Value::String(text) if text.trim_start().starts_with('{') => match parse(text) {
            Ok(inner) => keep(inner),
            Err(_) => value,
        },
        _ => value,
    }
}

/// Marks before a name, before its arguments in JSON and behind them: of Mistral, Llama, Kimi, DeepSeek, gpt-oss and ReAct.
const MARKS: [[&str; 3]; 6] = [
    ["[TOOL_CALLS]", "[ARGS]", ""], ["<function=", ">", "</function>"], ["<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>"],
    ["<\u{ff5c}tool\u{2581}call\u{2581}begin\u{ff5c}>", "<\u{ff5c}tool\u{2581}sep\u{ff5c}>", "<\u{ff5c}tool\u{2581}call\u{2581}end\u{ff5c}>"], [" to=functions.", "<|message|>", "<|call|>"],
    ["Action: ", "\nAction Input: ", ""],
];

/// Marks before a name and behind it, before the name of an argument, its value and the end of it, and behind the call: of Qwen, Anthropic and GLM.
const ELEMENTS: [[&str; 6]; 3] = [
    ["<function=", ">", "<parameter=", ">", "</parameter>", "</function>"],
    ["<invoke name=\"", "\">", "<parameter name=\"", "\">", "</parameter>", "</invoke>"],
    ["<tool_call>", "", "<arg_key>", "</arg_key>", "</arg_value>", "</tool_call>"],
];

/// The most special tokens at the end of a text.
const TOKENS: usize = 20;

/// MiniMax's last token.
const MINIMAX: &str = "[e~[";

/// What follows the special token or tag of calls that a text begins with: `<|im_end|>`, `</function_calls>`.
fn token(text: &str) -> Option<&str> {
    if let Some(rest) = ["<|start|>assistant", "<|channel|>commentary", MINIMAX].iter().find_map(|w| text.strip_prefix(w)) {
        return Some(rest);
    }
    let end = text.bytes().take(81).position(|c| c == b'>')?;
    let (name, rest) = (text[..end].strip_prefix('<')?, &text[end + 1..]);
    (!name.contains([' ', '\n', '"']) && name.contains(['|', '\u{ff5c}', '_', '/'])).then_some(rest)
}

/// Whether a text has nothing but what stands around calls.
fn ends(text: &str) -> bool {
    (0..TOKENS).fold(text.trim_start(), |rest, _| token(rest).map_or(rest, str::trim_start)).is_empty()
}

/// The calls in a text.
fn within<'v>(text: &'v str, marks: &Marks) -> Result<Option<Vec<Call<'v>>>> {
    written(text, marks).or_else(|| python(text, marks)).map_or_else(|| tagged(text), |calls| Ok(Some(calls)))
}

/// Calls in Python, in a list, as Llama writes it: `[weather(city="Paris", days=3)]`; without one behind what opens calls.
fn python<'v>(text: &str, marks: &Marks) -> Option<Vec<Call<'v>>> {
    let list = unfenced(text, marks);
    let list = list.strip_prefix("print(").filter(|_| marks.opened.is_some()).and_then(|l| l.strip_suffix(')')).unwrap_or(list);
    let listed = list.strip_prefix('[').and_then(|l| l.strip_suffix(']'));
    let mut rest = listed.or_else(|| marks.opened.map(|_| list))?.trim();
    let mut calls = Vec::new();
    while !rest.is_empty() {
        let (name, args) = rest.split_once('(')?;
        rest = args;
        let mut json = String::new();
        items(&mut rest, ')', '=', 0, &mut json)?;
        let args = keep(parse(Box::leak(json.into_boxed_str())).ok()?);
        calls.push(Call { tool: Some(name.trim()).filter(|n| named_as(n))?.into(), args: Some(args), untyped: false });
        rest = rest.trim_start();
        rest = if rest.is_empty() || listed.is_none() { rest } else { rest.strip_prefix(',')?.trim_start() };
    }
    (!calls.is_empty()).then_some(calls)
}

/// Writes what a closing bracket ends as JSON: with `=` or `:` between names and values an object, else a list.
fn items(rest: &mut &str, close: char, sign: char, depth: u32, json: &mut String) -> Option<()> {
    let object = sign != ' ';
    json.push(if object { '{' } else { '[' });
    let mut first = true;
    loop {
        *rest = rest.trim_start();
        if let Some(less) = rest.strip_prefix(close) {
            *rest = less;
            json.push(if object { '}' } else { ']' });
            return (depth < 64).then_some(());
        }
        if !first {
            json.push(',');
        }
        first = false;
        if object {
            if sign == '=' {
                let (name, less) = rest.split_once('=')?;
                json.push_str(&format!("\"{}\"", Some(name.trim()).filter(|n| named_as(n))?));
                *rest = less;
            } else {
                literal(rest, depth, json)?;
                *rest = rest.trim_start().strip_prefix(':')?;
            }
            json.push(':');
        }
        literal(rest, depth, json)?;
        *rest = rest.trim_start();
        *rest = if rest.starts_with(close) { rest } else { rest.strip_prefix(',')? };
    }
}

/// Writes a literal of Python as JSON.
fn literal(rest: &mut &str, depth: u32, json: &mut String) -> Option<()> {
    let text = rest.trim_start();
    let open = text.chars().next()?;
    *rest = &text[open.len_utf8()..];
    match open {
        '[' if depth < 64 => items(rest, ']', ' ', depth + 1, json),
        '{' if depth < 64 => items(rest, '}', ':', depth + 1, json),
        '"' | '\'' => {
            json.push('"');
            let mut escaped = false;
            for (at, c) in rest.char_indices() {
                match c {
                    c if c == open && !escaped => {
                        *rest = &rest[at + 1..];
                        json.push('"');
                        return Some(());
                    }
                    '\\' if !escaped => {}
                    '\'' => json.push('\''),
                    '"' => json.push_str("\\\""),
                    c if escaped => json.extend(['\\', c]),
                    c => json.push(c),
                }
                escaped = c == '\\' && !escaped;
            }
            None
        }
        _ => {
            let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-' | '+')).unwrap_or(text.len());
            json.push_str(match &text[..end] {
                "True" => "true",
                "False" => "false",
                "None" => "null",
                number => Some(number).filter(|n| n.contains(|c: char| c.is_ascii_digit()))?,
            });
            *rest = &text[end..];
            Some(())
        }
    }
}

fn named_as(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// The calls between marks, if all of them can be read and end the text.
fn written<'v>(text: &'v str, marks: &Marks) -> Option<Vec<Call<'v>>> {
    if let Some(calls) = keyed(text, marks) {
        return Some(calls);
    }
    // DeepSeek's tags are those of Anthropic with a mark, and say which values are text.
    let clean = marks.has(DSML).then(|| &*Box::leak(text.replace(DSML, "").into_boxed_str()));
    let (text, marks) = clean.map_or((text, marks), |text| (text, Box::leak(Box::new(Marks::of(text)))));
    if let Some([start, close, quote]) = GEMMA.into_iter().find(|g| marks.has(g[0])) {
        let call = |part: &'v str| {
            let (body, rest) = part.split_once(close)?;
            let (name, args) = body.split_at(body.find('{')?);
            let args = keep(unquoted(args, quote).filter(|args| named_as(name) && ends(rest) && args.as_object().is_some())?);
            Some(Call { tool: name.into(), args: Some(args), untyped: false })
        };
        return text.split(start).skip(1).map(call).collect();
    }
    let json = MARKS.into_iter().find(|m| marks.has(m[0]) && !marks.has("<tool_call>")).and_then(|[start, middle, end]| {
        let call = |part: &'v str| {
            // weather{"city": "Paris"}
            let (name, rest) = part.split_once(middle).or_else(|| if middle == "[ARGS]" { Some(part.split_at(part.find('{')?)) } else { None })?;
            let rest = rest.trim_end().strip_suffix("\nObservation:").unwrap_or(rest);
            let (body, rest) = match rest.split_once(end) {
                Some(both) if !end.is_empty() => both,
                // The model stops at its last token.
                _ => Some((untokened(rest), "")).filter(|_| matches!(end, "" | "<|call|>"))?,
            };
            // function, then the name and a fence
            let fenced = || body.split_once("\n```json\n").and_then(|(name, body)| Some((name, body.trim_end().strip_suffix("```")?)));
            let (name, body) = if name == "function" { fenced().unwrap_or((name, body)) } else { (name, body) };
            // functions.weather:0; weather <|constrain|>json
            let name = name.split_once("[CALL_ID]").map_or(name, |(n, _)| n);
            let name = name.strip_prefix("functions.").unwrap_or(name);
            let name = name.split_once(':').filter(|(_, n)| n.bytes().all(|c| c.is_ascii_digit())).map_or(name, |(n, _)| n);
            let name = if end == "<|call|>" { name.split([' ', '<']).next()? } else { name };
            let args = keep(parse(body).ok().filter(|args| named_as(name) && ends(rest) && args.as_object().is_some())?);
            Some(Call { tool: name.into(), args: Some(args), untyped: false })
        };
        // ReAct's step without a call.
        let idle = |part: &&str| middle.contains("Input") && part.contains(middle) && part.lines().next().is_some_and(|name| matches!(name.trim(), "None" | "none" | "N/A" | "n/a"));
        text.split(start).skip(1).filter(|part| !idle(part)).map(call).collect()
    });
    json.or_else(|| {
        // Between tags, JSON may have other tags in a string.
        let tagged = marks.has("<tool_call>").then(|| text.split_once("<tool_call>")).flatten().map(|(_, t)| t.trim_start());
        let starts = |m: &[&str; 6]| tagged.map_or(marks.has(m[0]), |t| t.starts_with(m[0]) || m[0] == "<tool_call>" && !t.starts_with('{'));
        let [start, named, key, value, end, close] = ELEMENTS.into_iter().find(starts)?;
        let call = |part: &'v str| {
            let (body, _) = part.split_once(close).filter(|(_, rest)| tagged.is_some() || ends(rest))?;
            let (name, args) = if named.is_empty() { body.split_at(body.find(key).unwrap_or(body.len())) } else { body.split_once(named)? };
            let mut args = args.split(key);
            let name = Some(name.trim()).filter(|n| named_as(n) && args.next().is_none_or(|t| t.trim().is_empty()))?;
            let member = |arg: &'v str| {
                let (name, text) = arg.split_once(value)?;
                let (name, kind) = name.split_once("\" string=\"").unwrap_or((name, ""));
                let text = if named.is_empty() { text.trim_start().strip_prefix("<arg_value>")? } else { text };
                let text = text.trim_end().strip_suffix(end)?;
                let text = text.strip_prefix('\n').unwrap_or(text);
                let text = text.strip_suffix('\n').unwrap_or(text);
                Some((name.trim().into(), if kind == "false" { parse(text).ok()? } else { Value::String(text.into()) }))
            };
            let args = keep(Value::Object(args.map(member).collect::<Option<_>>()?));
            Some(Call { tool: name.into(), args: Some(args), untyped: !body.contains("\" string=\"") })
        };
        text.split(start).skip(1).map(call).collect()
    })
}

/// JSON with names without quotes, and texts between others: `{city:<escape>Paris<escape>,days:3}`.
fn unquoted<'v>(text: &str, quote: &str) -> Option<Value<'v>> {
    let mut json = String::new();
    for (i, part) in text.split(quote).enumerate() {
        if i % 2 == 1 {
            json.push('"');
            for c in part.chars() {
                json += &if c.is_control() || matches!(c, '"' | '\\') { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
            }
            json.push('"');
            continue;
        }
        for piece in part.split_inclusive(['{', '[', ',']) {
            match piece.split_once(':') {
                Some((name, value)) => json += &format!("\"{}\":{value}", Some(name.trim()).filter(|n| named_as(n))?),
                None => json += piece,
            }
        }
    }
    parse(Box::leak(json.into_boxed_str())).ok()
}

/// Apertus' calls: `[{"weather": {"city": "Paris"}}]`.
fn keyed<'v>(text: &'v str, marks: &Marks) -> Option<Vec<Call<'v>>> {
    let list = keep(marks.has(APERTUS).then(|| parse(unfenced(text, marks)).ok())??).as_array()?;
    let call = |value: &'v Value<'v>| match value.as_object()? {
        [(name, args)] if args.as_object().is_some() && !MEMBERS.contains(&&**name) => Some(Call { tool: (&**name).into(), args: Some(args), untyped: false }),
        _ => None,
    };
    list.iter().map(call).collect()
}

/// The calls between `<tool_call>` and `</tool_call>`.
fn tagged<'v>(text: &'v str) -> Result<Option<Vec<Call<'v>>>> {
    let mut calls = Vec::new();
    for part in text.split("<tool_call>").skip(1) {
        let Some((body, _)) = part.split_once("</tool_call>") else {
            let name = part.trim().split(['\n', '<']).next().unwrap_or("");
            if part.trim_start().starts_with('{') || name.is_empty() || named_as(name) {
                return Err("a <tool_call> is not closed".into());
            }
            break;
        };
        let value = keep(parse(body).map_err(|e| format!("a <tool_call> is {e}"))?);
        calls.push(call(value)?.ok_or("a <tool_call> has no name")?);
    }
    Ok((!calls.is_empty()).then_some(calls))
}
