//! Asks the candidate's instance, by the requests of the judge in Python, byte for byte.

use crate::case::{Case, Form};
use crate::peer::{self, Reply};
use crate::tests::{Asserted, Assertion};
use crate::value::{self, Value};
use rubric_host_sdk::Value as Json;
use std::borrow::Cow;

/// What became of the tests.
pub struct Found {
    pub tests: usize,
    pub exceptions: usize,
    pub wrong: usize,
    /// That ended because the candidate's fuel is used up.
    pub fuel_ends: usize,
    pub fuel: u64,
    /// The number of the part of the output that was run, and how many lines precede it.
    pub used: usize,
    pub before: usize,
    pub failure: Option<Failure>,
}

/// The first test that failed.
pub struct Failure {
    pub test: String,
    pub class: &'static str,
    pub why: String,
    pub input: Option<String>,
    pub expected: Option<String>,
    pub actual: Option<String>,
    /// Of the program; 0: none.
    pub line: i64,
}

const MOST_REQUEST: usize = 4 << 20;
/// Bytes of all answers. From some more on, bounds of the judge in Python matter.
const MOST_ANSWERED: usize = 1 << 20;
const OUT_OF_FUEL: &str = "the candidate used up its fuel";

/// Python's exceptions that tests tell by class and text alone.
const PLAIN: &str = " ArithmeticError AttributeError IndexError KeyError LookupError NameError NotImplementedError OverflowError RecursionError RuntimeError TypeError UnboundLocalError ValueError ZeroDivisionError ";

/// Loads the candidate and runs the tests; `None`: something of that is not plain.
pub fn judge(case: &Case, of: &Asserted, name: &str) -> Option<Found> {
    let tests = if case.form == Form::Check { 1 } else { of.found.len() };
    let mut found = Found { tests, exceptions: 0, wrong: 0, fuel_ends: 0, fuel: 0, used: 0, before: 0, failure: None };
    let mut peer = Peer { message: peer::CALL.to_vec(), reply: Reply::default(), fuel: 0, answered: 0 };
    if peer.load(case, name, &mut found)? {
        peer.run(case, of, name, &mut found)?;
    }
    found.fuel = peer.fuel;
    Some(found)
}

struct Peer {
    message: Vec<u8>,
    reply: Reply,
    fuel: u64,
    answered: usize,
}

impl Peer {
    /// Begins a request: a tuple of so many items.
    fn begin(&mut self, items: usize) -> &mut Vec<u8> {
        self.message.truncate(peer::CALL.len());
        value::sequence(&mut self.message, b'(', items);
        &mut self.message
    }

    /// Sends the request. It reports false if the candidate's fuel is used up.
    fn ask(&mut self) -> Option<bool> {
        if self.message.len() > MOST_REQUEST {
            return None;
        }
        self.reply = peer::ask(&self.message, std::mem::take(&mut self.reply.payload))?;
        self.fuel += self.reply.fuel;
        self.answered += self.reply.payload.len();
        if self.answered > MOST_ANSWERED || !self.reply.payload.is_ascii() || !(self.reply.answered || self.reply.out_of_fuel) {
            return None;
        }
        Some(self.reply.answered)
    }

    /// Loads the program. It reports false if that fails, and all tests with it.
    fn load(&mut self, case: &Case, name: &str, found: &mut Found) -> Option<bool> {
        if let Some(n) = case.fuel {
            peer::restart(n)?;
        }
        let texts = case.texts();
        let m = self.begin(6);
        value::text(m, "load");
        value::text(m, case.prompt);
        value::sequence(m, b'[', texts.len());
        for text in &texts {
            value::text(m, text);
        }
        Value::Int(case.above() as i64).marshal(m);
        value::text(m, case.module);
        value::sequence(m, b'[', 1);
        value::text(m, name);
        let mut failure = Failure { test: "load".into(), class: "fuel", why: OUT_OF_FUEL.into(), input: None, expected: None, actual: None, line: 0 };
        let count = if case.form == Form::List { found.tests } else { 1 };
        if !self.ask()? {
            (found.tests, found.fuel_ends) = (count, count);
        } else {
            let answer = Answer::read(&self.reply.payload)?;
            match (answer.kind.as_ref(), &answer.body, &answer.changes) {
                ("v", Json::Array(items), Json::Null) => {
                    let [used, before, Json::Array(kinds)] = items.as_slice() else { return None };
                    let [Json::Array(kind)] = kinds.as_slice() else { return None };
                    if kind.len() != 1 || kind[0].as_str() != Some("F") {
                        return None;
                    }
                    found.placed(used, before, texts.len())?;
                    return Some(true);
                }
                ("x", body, Json::Null) => {
                    let tried = raised(body, &mut failure, " SyntaxError IndentationError TabError ")?;
                    found.placed(&tried[0], &tried[1], texts.len())?;
                    (found.tests, found.exceptions) = (count, count);
                }
                _ => return None,
            }
        }
        found.failure = Some(failure);
        Some(false)
    }

    fn run(&mut self, case: &Case, of: &Asserted, name: &str, found: &mut Found) -> Option<()> {
        for (k, a) in of.found.iter().enumerate() {
            let Some(args) = &a.args else { continue };
            let m = self.begin(3);
            m.push(b'N');
            value::text(m, name);
            value::sequence(m, b'[', args.len());
            for x in args {
                x.marshal(m);
            }
            let answered = self.ask()?;
            let first = found.failure.is_none();
            let mut failure = Failure { test: String::new(), class: "fuel", why: OUT_OF_FUEL.into(), input: None, expected: None, actual: None, line: 0 };
            if answered {
                let answer = Answer::read(&self.reply.payload)?;
                changed(&answer.changes, args)?;
                match answer.kind.as_ref() {
                    "v" => {
                        let v = plain(&answer.body, 0)?;
                        if if a.compares { v.equals(&a.expected)? } else { v.is_true() == a.expected.is_true() } {
                            continue;
                        }
                        if !tells(a, case) {
                            return None;
                        }
                        if first {
                            failure.explain(a, &v)?;
                        }
                        failure.class = "wrong_answer";
                        found.wrong += 1;
                    }
                    "x" => {
                        raised(&answer.body, &mut failure, PLAIN)?;
                        found.exceptions += 1;
                    }
                    _ => return None,
                }
            }
            if first {
                failure.test = match case.form {
                    Form::Check => "check".into(),
                    Form::List => format!("tests[{k}]"),
                    Form::Script => format!("line {}", a.line + 1),
                };
                failure.input = Some(called(name, args)?);
                found.failure = Some(failure);
            }
            if !answered {
                found.fuel_ends = if case.form == Form::Check { 1 } else { found.tests - k };
                break;
            }
            if case.form == Form::Check {
                break;
            }
        }
        Some(())
    }
}

impl Found {
    /// Notes which part was run, as the candidate says.
    fn placed(&mut self, used: &Json, before: &Json, parts: usize) -> Option<()> {
        let (used, before) = (small(used)?, small(before)?);
        if used >= parts {
            return None;
        }
        (self.used, self.before) = (used, before);
        Some(())
    }
}

/// An integer of 31 bits that is not negative.
fn small(v: &Json) -> Option<usize> {
    match v {
        Json::Number(text) if text.len() < 10 => text.parse().ok(),
        _ => None,
    }
}

/// An answer of the candidate.
struct Answer<'a> {
    kind: Cow<'a, str>,
    body: Json<'a>,
    changes: Json<'a>,
}

impl<'a> Answer<'a> {
    /// Reads an answer. What it printed is not looked at; what it lacks, and warnings, are not plain. Nor is white space around it.
    fn read(payload: &'a [u8]) -> Option<Self> {
        if !payload.starts_with(b"[") || !payload.ends_with(b"]") {
            return None;
        }
        let Json::Array(items) = rubric_host_sdk::parse(std::str::from_utf8(payload).ok()?).ok()? else { return None };
        if items.len() > 6 || items.iter().skip(3).any(|v| v.as_str().is_none()) || items.get(4).is_some_and(|v| v.as_str() != Some("")) {
            return None;
        }
        let mut items = items.into_iter();
        let Json::String(kind) = items.next()? else { return None };
        Some(Answer { kind, body: items.next()?, changes: items.next().unwrap_or(Json::Null) })
    }
}

/// Reads an exception into a failure. Returns what has been tried to load.
fn raised<'r>(body: &'r Json, failure: &mut Failure, classes: &str) -> Option<&'r [Json<'r>]> {
    let [told, why, Json::Number(line), lacks, Json::Array(tried)] = body.as_array()? else { return None };
    let [tag, class, args, more, said, chained] = told.as_array()? else { return None };
    let (class, why, args) = (class.as_str()?, why.as_str()?, args.as_array()?);
    for v in args.iter().chain(more.as_array()?) {
        plain(v, 0)?;
    }
    let plain = tag.as_str() == Some("E") && matches!((said, chained), (Json::Null, Json::Null)) && lacks.as_str() == Some("") && tried.len() == 2;
    if !plain || class.contains(' ') || !classes.contains(&format!(" {class} ")) && !PLAIN.contains(&format!(" {class} ")) || why.is_empty() && !args.is_empty() || why.chars().count() > 500 {
        return None;
    }
    let n: i64 = line.parse().ok()?;
    failure.class = "exception";
    failure.why = if why.is_empty() { class.into() } else { format!("{class}: {why}") };
    failure.line = if 0 < n && n < 1 << 31 { n } else { 0 };
    Some(tried)
}

/// Whether what a call has changed of its arguments has the form of these.
fn changed(changes: &Json, args: &[Value]) -> Option<()> {
    let Json::Array(changes) = changes else { return matches!(changes, Json::Null).then_some(()) };
    let mut kinds = Vec::new();
    for x in args {
        x.containers(&mut kinds);
    }
    let fits = changes.len() <= kinds.len() && changes.iter().zip(kinds).all(|(v, kind)| plain(v, 0).is_some_and(|v| v.container() == Some(kind)));
    fits.then_some(())
}

/// The value of a coded answer, if that is plain.
fn plain<'a>(v: &'a Json, depth: usize) -> Option<Value<'a>> {
    const MOST_NESTED: usize = 40;
    Some(match v {
        Json::Null => Value::None,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(text) => Value::number(text)?,
        Json::String(s) => Value::Text(Cow::Borrowed(s)),
        Json::Array(items) if depth < MOST_NESTED => {
            let (tag, rest) = items.split_first()?;
            let rest = rest.iter().map(|v| plain(v, depth + 1)).collect::<Option<Vec<_>>>()?;
            match tag.as_str()? {
                "l" => Value::List(rest),
                "t" => Value::Tuple(rest),
                "d" if value::pairs(&rest) => Value::Dict(rest),
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Whether an assertion that fails tells of a wrong answer: it does not look at places in memory,
/// identities, or how long objects are kept.
fn tells(a: &Assertion, case: &Case) -> bool {
    let looks = case.output.contains("weakref") || case.output.contains("__del__") || matches!(&a.expected, Value::Text(s) if s.contains(" at 0x"));
    !looks && a.message.is_none_or(|text| a.compares && !text.is_empty() && !text.contains(" is not ") && !text.contains(" at 0x"))
}

impl Failure {
    /// Says why an assertion failed.
    fn explain(&mut self, a: &Assertion, v: &Value) -> Option<()> {
        self.why = match a.message {
            Some(text) => text.chars().take(1_000).collect(),
            None => format!("assert {}", clipped(a.written.to_string(), 300)),
        };
        self.expected = if a.compares { Some(a.expected.shown()?) } else { None };
        self.actual = Some(v.shown()?);
        Some(())
    }
}

/// The call, as the tests wrote it.
fn called(name: &str, args: &[Value]) -> Option<String> {
    let args = args.iter().map(Value::shown).collect::<Option<Vec<_>>>()?;
    Some(clipped(format!("{name}({})", args.join(", ")), 1_000))
}

/// A text of ASCII, shortened.
pub fn clipped(mut text: String, most: usize) -> String {
    if text.len() > most {
        text.truncate(most - 3);
        text += "...";
    }
    text
}
