//! Fills in the Jinja2 templates of judge prompts.
//!
//! A request is a JSON object: `template` is the source, `values` are the names
//! it can use; without `values` the template is only checked. The first byte of
//! an answer is 0 and the rendered text follows, or it is 1 and a message does.
//!
//! The engine is minijinja. strict.rs makes every undefined name an error, and
//! the host's sandbox bounds time and memory.

mod strict;

use minijinja::machinery::{self, CodeGenerator};
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior, Value};
use rubric_host_sdk as json;

/// The longest rendered text, in bytes.
const MAX_RENDERED: usize = 1 << 20;

/// Answers a request.
fn answer(request: &[u8]) -> Vec<u8> {
    let (status, text) = match respond(request) {
        Ok(text) => (0, text),
        Err(message) => (1, message),
    };
    let mut answer = vec![status];
    answer.extend_from_slice(text.as_bytes());
    answer
}

fn respond(request: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(request).map_err(|e| e.to_string())?;
    let request = json::parse(text).map_err(|e| e.to_string())?;
    let source = request.get("template").and_then(json::Value::as_str).ok_or("the request has no template")?;
    let text = render(source, request.get("values")).map_err(|e| message(&e))?;
    if text.len() > MAX_RENDERED {
        return Err(format!("it renders more than {MAX_RENDERED} bytes"));
    }
    Ok(text)
}

/// Renders a template; without values it is only compiled.
fn render(source: &str, values: Option<&json::Value>) -> Result<String, Error> {
    // The engine's code borrows from the source for as long as its environment
    // lives. The host puts the memory back after every call.
    let source: &'static str = source.to_owned().leak();
    let syntax = machinery::parse(source, "template", Default::default())?;
    let strict = strict::check(source, &syntax)?;
    let mut generator = CodeGenerator::new("template", source);
    generator.compile_stmt(&strict);
    let (code, blocks) = generator.finish();
    let mut text = String::new();
    if let Some(values) = values {
        let environment = environment();
        let mut out = machinery::make_string_output(&mut text);
        machinery::eval(&environment, &code, value(values), &blocks, &mut out, AutoEscape::None)?;
    }
    Ok(text)
}

/// What templates can use: minijinja's own filters, tests and functions as far as
/// strict.rs admits them, and Python's methods of text, lists and mappings.
fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.add_filter("striptags", minijinja_contrib::filters::striptags);
    environment.add_filter("truncate", minijinja_contrib::filters::truncate);
    environment.add_filter("wordcount", |text: &str| text.split_whitespace().count());
    strict::add_filters(&mut environment);
    environment
}

/// Gives a JSON value the type that Python's json module does, except that 3.0 is
/// the integer 3: JSON does not tell them apart.
fn value(v: &json::Value) -> Value {
    const EXACT: f64 = (1_i64 << 53) as f64;
    match v {
        json::Value::Null => Value::from(()),
        json::Value::Bool(b) => Value::from(*b),
        json::Value::Number(_) => match v.as_f64().unwrap_or(f64::NAN) {
            n if n.fract() == 0.0 && n.abs() < EXACT => Value::from(n as i64),
            n => Value::from(n),
        },
        json::Value::String(s) => Value::from(s.as_ref()),
        json::Value::Array(list) => list.iter().map(value).collect(),
        json::Value::Object(members) => Value::from_pairs(members.iter().map(|(name, v)| (name.as_ref(), value(v)))),
    }
}

/// What an error says, with its line.
fn message(e: &Error) -> String {
    let text = match e.detail() {
        Some(detail) => detail.to_owned(),
        None => e.kind().to_string(),
    };
    match e.line() {
        Some(line) => format!("line {line}: {text}"),
        None => text,
    }
}

#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code)]
mod export {
    /// Answers the request that the host wrote to `ptr`; returns where the answer
    /// is, `ptr << 32 | len`.
    #[unsafe(no_mangle)]
    extern "C" fn render(ptr: u32, len: u32) -> u64 {
        // The host wrote `len` bytes to room that the SDK's export `alloc` gave it.
        let request = unsafe { std::slice::from_raw_parts(ptr as *const u8, len as usize) };
        let answer = super::answer(request).leak();
        (answer.as_ptr() as u64) << 32 | answer.len() as u64
    }
}
