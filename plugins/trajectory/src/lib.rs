//! The tool calls of an agent against expected ones.

mod calls;
#[cfg(test)]
mod tests;

use calls::{flat, is_plain, may_call, messages, Call, Message};
use rubric_host_sdk::{export, manifest, Answer, Config, Error, Object, Request, Result, Value};
use rubric_host_text::equal::{Equality, Found};
use rubric_host_text::Matching;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

manifest!("../plugin.yaml");
export!(trajectory => trajectory, tool_f1 => tool_f1, tool_counts => tool_counts);

/// The most pairs of calls that are compared.
const PAIRS: usize = 250_000;

/// The most steps to pair calls off.
const STEPS: usize = 4_000_000;

/// The most names that an answer lists as hits and misses.
const LISTED: usize = 200;

/// How the arguments of a tool are compared.
enum Args<'r> {
    Exact,
    Ignore,
    Subset,
    Superset,
    Paths(Vec<&'r str>),
}

impl<'r> Args<'r> {
    fn read(value: &'r Value) -> Result<Self> {
        Ok(match value {
            Value::Array(list) => Args::Paths(list.iter().map(Value::as_str).collect::<Option<_>>().ok_or(
                "a path in args is not a string",
            )?),
            _ => match value.as_str().unwrap_or("") {
                "exact" => Args::Exact,
                "ignore" => Args::Ignore,
                "subset" => Args::Subset,
                "superset" => Args::Superset,
                _ => return Err("args is none of exact, ignore, subset, superset and a list of paths".into()),
            },
        })
    }
}

struct Settings<'r> {
    args: Args<'r>,
    of_tool: BTreeMap<&'r str, Args<'r>>,
    equality: Equality,
}

impl<'r> Settings<'r> {
    fn read(config: &Config<'r, 'r>) -> Result<Self> {
        let args = config.get("args").map_or(Ok(Args::Exact), Args::read)?;
        let mut of_tool = BTreeMap::new();
        for (tool, value) in config.get("tool_args").and_then(Value::as_object).unwrap_or(&[]) {
            of_tool.insert(&**tool, Args::read(value)?);
        }
        let equality = Equality {
            ignore_order: config.flag("ignore_order", false)?,
            tolerance: config.number("tolerance", 0.0)?,
            ..Equality::default()
        };
        Ok(Settings { args, of_tool, equality })
    }

    fn matches(&self, expected: &Call, got: &Call) -> Result<bool> {
        if expected.tool != got.tool {
            return Ok(false);
        }
        let rule = self.of_tool.get(expected.tool.as_str()).unwrap_or(&self.args);
        let Some(want) = expected.args else { return Ok(true) };
        if matches!(rule, Args::Ignore) || want.as_str() == Some("any") {
            return Ok(true);
        }
        let none = Value::Object(Vec::new());
        let have = got.args.unwrap_or(&none);
        let (got, expected) = (got.untyped && !expected.untyped, expected.untyped && !got.untyped);
        let [have, want] = [(got, want, have), (expected, have, want)].map(|(text, of, value)| if text { typed(of, value) } else { Cow::Borrowed(value) });
        let (have, want) = (&*have, &*want);
        match rule {
            Args::Exact | Args::Ignore => self.same(want, have),
            Args::Superset => self.contains(have, want),
            Args::Subset => self.contains(want, have),
            Args::Paths(paths) => {
                for path in paths {
                    let same = match (at(want, path), at(have, path)) {
                        (Some(a), Some(b)) => self.same(a, b)?,
                        (a, b) => a.is_none() && b.is_none(),
                    };
                    if !same {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    fn same(&self, a: &Value, b: &Value) -> Result<bool> {
        match self.equality.compare(a, b) {
            Found::Equal => Ok(true),
            Found::Differs(_) => Ok(false),
            Found::TooLarge => Err("the arguments of a call are too large to compare".into()),
        }
    }

    /// Whether every member of `small` is in `large`, with an equal value.
    fn contains(&self, large: &Value, small: &Value) -> Result<bool> {
        let (Some(all), Some(few)) = (large.as_object(), small.as_object()) else { return self.same(large, small) };
        let all: BTreeMap<&str, &Value> = all.iter().map(|(name, v)| (&**name, v)).collect();
        for (name, value) in few {
            match all.get(&**name) {
                Some(other) if self.same(value, other)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// Arguments in XML with the values that their texts are where no text is expected: `5`, `True`, `["a"]`.
fn typed<'v>(want: &Value, have: &'v Value<'v>) -> Cow<'v, Value<'v>> {
    let member = |(name, value): &'v (Cow<'v, str>, Value<'v>)| {
        let wanted = want.as_object().and_then(|members| members.iter().rfind(|m| m.0 == *name));
        let text = value.as_str().filter(|_| wanted.is_some_and(|w| w.1.as_str().is_none()));
        let read = text.and_then(|text| match text.trim() {
            "True" => Some(Value::Bool(true)),
            "False" => Some(Value::Bool(false)),
            "None" => Some(Value::Null),
            text => rubric_host_sdk::parse(text).ok(),
        });
        (name.clone(), read.unwrap_or_else(|| value.clone()))
    };
    Cow::Owned(Value::Object(have.as_object().unwrap_or(&[]).iter().map(member).collect()))
}

/// The value at a dotted path.
fn at<'v, 'a>(value: &'v Value<'a>, path: &str) -> Option<&'v Value<'a>> {
    path.split('.').try_fold(value, |v, name| v.get(name))
}

/// The messages of the case, or the answer to one that tells nothing of calls: one that has
/// only text, unless calls would be in it.
fn actual<'r>(request: &'r Request<'r>, config: &Config<'r, 'r>) -> Result<std::result::Result<Vec<Message<'r>>, Answer>> {
    let in_text = config.flag("in_text", false)?;
    let Some((name, value)) = field(request, &["tool_calls", "output_messages", "output"]) else {
        return Ok(Err(Answer::unscored("the case has no output, output_messages or tool_calls")));
    };
    if in_text && is_plain(value) && may_call(value) {
        return Ok(Err(Answer::unscored(format!("the case's {name} has what may be calls within other text, not in <tool_call> tags"))));
    }
    if !in_text && is_plain(value) {
        return Ok(Err(Answer::unscored(format!("the case's {name} is text without calls (with in_text, there were none)"))));
    }
    of(name, value).map(Ok)
}

fn field<'r>(request: &'r Request<'r>, names: &[&'static str]) -> Option<(&'static str, &'r Value<'r>)> {
    names.iter().find_map(|name| Some((*name, request.field(name)?)))
}

fn of<'r>(name: &str, value: &'r Value<'r>) -> Result<Vec<Message<'r>>> {
    messages(value).map_err(|e| Error::new(format!("the case's {name}: {e}")))
}

/// The expected messages: of the configuration, or of the case. Nothing if it has none, or
/// only a text without calls.
fn expected<'r>(request: &'r Request<'r>, config: &Config<'r, 'r>) -> Result<Option<Vec<Message<'r>>>> {
    if let Some(value) = config.get("expected") {
        return messages(value).map(Some);
    }
    if let Some((name, value)) = field(request, &["expected_tool_calls", "expected_output"]) {
        return if is_plain(value) { Ok(None) } else { of(name, value).map(Some) };
    }
    // No references expect nothing. A list of one text is that text; anything else is a list of messages.
    match request.field("references") {
        Some(Value::Array(list)) if list.is_empty() => Ok(None),
        Some(Value::Array(list)) if list.len() == 1 && is_plain(&list[0]) => Ok(None),
        Some(Value::Array(list)) if list.len() == 1 => of("references", &list[0]).map(Some),
        Some(value) if is_plain(value) => Ok(None),
        Some(value) => of("references", value).map(Some),
        None => Ok(None),
    }
}

type Read<'r> = std::result::Result<(Vec<Message<'r>>, Vec<Message<'r>>), Answer>;

fn read<'r>(request: &'r Request<'r>, config: &Config<'r, 'r>) -> Result<Read<'r>> {
    let got = match actual(request, config)? {
        Ok(got) => got,
        Err(unscored) => return Ok(Err(unscored)),
    };
    let Some(want) = expected(request, config)? else {
        return Ok(Err(Answer::unscored(
            "no tool calls are expected: config has no expected, and the case no expected_tool_calls, expected_output or references",
        )));
    };
    // A call in a notation that is not read, or the name of one in a text.
    if let Some(text) = field(request, &["tool_calls", "output_messages", "output"]).and_then(|(_, v)| v.as_str()).filter(|_| got.iter().all(|m| m.calls.is_none())) {
        let written = |tool: &str| text.match_indices(tool).any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') && text[at + tool.len()..].trim_start_matches('"').starts_with(['(', '[', '{']));
        if let Some(call) = want.iter().filter_map(|m| m.calls.as_ref()).flatten().find(|c| written(&c.tool)) {
            return Ok(Err(Answer::unscored(format!("the text may call \"{}\", or only name it", call.tool.chars().take(100).collect::<String>()))));
        }
    }
    Ok(Ok((got, want)))
}

fn trajectory(request: &Request) -> Result<Answer> {
    let config = request.config();
    let settings = Settings::read(&config)?;
    let mode = config.text("mode", "exact")?;
    let partial = config.flag("partial", false)?;
    let (got, want) = match read(request, &config)? {
        Ok(both) => both,
        Err(unscored) => return Ok(unscored),
    };
    if mode == "strict" {
        return strict(&settings, &got, &want);
    }
    let (got, want) = (flat(got), flat(want));
    if got.len().saturating_mul(want.len()) > PAIRS {
        return Ok(Answer::unscored(format!(
            "too many tool calls to compare: {} with {}",
            got.len(),
            want.len()
        )));
    }
    let extra = matches!(mode, "subset" | "allowed");
    // For each expected call whether it was found, or for each call whether it was expected.
    let hits = match mode {
        "exact" => Some(pairs(&settings, &want, &got)?),
        "in_order" => Some(in_order(&settings, &want, &got)?),
        "superset" | "any_order" => each(&settings, &want, &got, false, false)?,
        "subset" | "allowed" => each(&settings, &got, &want, true, mode == "allowed")?,
        other => {
            return Err(Error::new(format!(
                "unknown mode \"{other}\": use exact, in_order, any_order, subset, allowed, superset or strict"
            )))
        }
    };
    let Some(hits) = hits else { return Ok(Answer::unscored("the tool calls are too many and too much alike to pair off")) };
    let counted = !matches!(mode, "exact" | "any_order") || want.len() == got.len();
    let right = counted && hits.iter().all(|h| *h);
    Ok(judged(&hits, right, partial, if extra { &got } else { &want }, got.len(), want.len()))
}

fn judged(hits: &[bool], right: bool, partial: bool, calls: &[Call], got: usize, want: usize) -> Answer {
    let found = hits.iter().filter(|h| **h).count();
    let share = if hits.is_empty() { 1.0 } else { found as f64 / hits.len() as f64 };
    let score = if partial && !(hits.is_empty() && !right) { share } else { f64::from(u8::from(right)) };
    let mut details = Object::new();
    details.int("matched", found as u64).int("expected", want as u64).int("calls", got as u64);
    let mut answer = Answer::score(score).details(details);
    for (call, hit) in calls.iter().zip(hits).take(LISTED) {
        let name: String = call.tool.chars().take(100).collect();
        answer = if *hit { answer.hit(name) } else { answer.miss(name) };
    }
    answer
}

/// Position by position.
fn pairs(settings: &Settings, want: &[Call], got: &[Call]) -> Result<Vec<bool>> {
    want.iter().enumerate().map(|(i, w)| got.get(i).map_or(Ok(false), |g| settings.matches(w, g))).collect()
}

/// The expected calls one after the other, others between them. A call of the expected
/// tool with other arguments is a miss, and is used up: so AgentV has it.
fn in_order(settings: &Settings, want: &[Call], got: &[Call]) -> Result<Vec<bool>> {
    let mut rest = got.iter();
    want.iter().map(|w| rest.find(|g| g.tool == w.tool).map_or(Ok(false), |g| settings.matches(w, g))).collect()
}

/// Which of `some` have a partner of their own among `others`, in a pairing of as many as can be;
/// nothing if that takes too long. `swapped`: `others` are the expected calls. `again`: one may be
/// the partner of several.
fn each(settings: &Settings, some: &[Call], others: &[Call], swapped: bool, again: bool) -> Result<Option<Vec<bool>>> {
    let mut edges = Vec::with_capacity(some.len());
    for call in some {
        let mut row = Vec::new();
        for (i, other) in others.iter().enumerate() {
            let (want, got) = if swapped { (other, call) } else { (call, other) };
            if settings.matches(want, got)? {
                row.push(i);
            }
        }
        edges.push(row);
    }
    if again {
        return Ok(Some(edges.iter().map(|row| !row.is_empty()).collect()));
    }
    let mut matching = Matching::new(others.len());
    let mut left = STEPS;
    Ok((0..some.len()).map(|i| matching.assign(i, &edges, &mut left)).collect())
}

/// AgentEvals' strict match: the same roles, and in each message the same calls.
fn strict(settings: &Settings, got: &[Message], want: &[Message]) -> Result<Answer> {
    let mut reason = None;
    if got.len() != want.len() {
        reason = Some(format!("{} messages, expected {}", got.len(), want.len()));
    }
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        if reason.is_some() {
            break;
        }
        let same = match (&g.calls, &w.calls) {
            (None, None) => true,
            (Some(g), Some(w)) if g.len() == w.len() && g.len().saturating_mul(w.len()) <= PAIRS => {
                let Some(hits) = each(settings, g, w, true, false)? else {
                    return Ok(Answer::unscored(format!("the tool calls of message {i} are too much alike to pair off")));
                };
                hits.iter().all(|h| *h)
            }
            _ => false,
        };
        if g.role != w.role {
            let role: String = g.role.chars().take(50).collect();
            reason = Some(format!("message {i} is of role \"{role}\", expected \"{}\"", w.role));
        } else if !same {
            reason = Some(format!("message {i} has other tool calls"));
        }
    }
    let mut details = Object::new();
    details.int("messages", got.len() as u64).int("expected", want.len() as u64);
    let answer = Answer::score(f64::from(u8::from(reason.is_none()))).details(details);
    Ok(match reason {
        Some(why) => answer.reason(why),
        None => answer,
    })
}

/// promptfoo's tool-call-f1: the sets of names.
fn tool_f1(request: &Request) -> Result<Answer> {
    let config = request.config();
    let (got, want) = match read(request, &config)? {
        Ok(both) => both,
        Err(unscored) => return Ok(unscored),
    };
    let names = |list: Vec<Message>| flat(list).into_iter().map(|c| c.tool).collect::<BTreeSet<_>>();
    let (got, want) = (names(got), names(want));
    let same = got.intersection(&want).count() as f64;
    let share = |of: usize| if of == 0 { 0.0 } else { same / of as f64 };
    let (precision, recall) = (share(got.len()), share(want.len()));
    let f1 = match (got.is_empty(), want.is_empty()) {
        (true, true) => 1.0,
        _ if same == 0.0 => 0.0,
        _ => 2.0 * precision * recall / (precision + recall),
    };
    let mut details = Object::new();
    details.num("precision", precision).num("recall", recall).num("f1", f1);
    let mut answer = Answer::score(f1).details(details);
    for name in want.iter().take(LISTED) {
        let short: String = name.chars().take(100).collect();
        answer = if got.contains(name) { answer.hit(short) } else { answer.miss(short) };
    }
    Ok(answer)
}

/// AgentV's any_order: least numbers of calls.
fn tool_counts(request: &Request) -> Result<Answer> {
    let config = request.config();
    let Some(minimums) = config.get("minimums").and_then(Value::as_object) else {
        return Err("config has no minimums: give the least number of calls for each tool".into());
    };
    let got = match actual(request, &config)? {
        Ok(got) => got,
        Err(unscored) => return Ok(unscored),
    };
    let mut counts = BTreeMap::<String, u64>::new();
    for call in flat(got) {
        *counts.entry(call.tool).or_default() += 1;
    }
    let mut met = 0;
    let mut details = Object::new();
    let mut lists: [Vec<&Cow<str>>; 2] = Default::default();
    for (tool, least) in minimums {
        let count = counts.get(&**tool).copied().unwrap_or(0);
        let enough = count as f64 >= least.as_f64().unwrap_or(0.0);
        met += u64::from(enough);
        lists[usize::from(enough)].push(tool);
    }
    let score = if minimums.is_empty() { 1.0 } else { met as f64 / minimums.len() as f64 };
    details.int("met", met).int("of", minimums.len() as u64);
    let mut answer = Answer::score(score).details(details);
    for tool in lists[1].iter().take(LISTED) {
        answer = answer.hit(tool.chars().take(100).collect::<String>());
    }
    for tool in lists[0].iter().take(LISTED) {
        answer = answer.miss(tool.chars().take(100).collect::<String>());
    }
    Ok(answer)
}
