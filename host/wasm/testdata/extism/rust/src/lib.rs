//! Recall is a scorer written with Extism's kit for Rust: the share of the
//! reference's words that the output has. The key `fold` of its configuration
//! says whether case counts.

use std::collections::HashSet;
use std::sync::atomic::{AtomicI64, Ordering};

use extism_pdk::*;
use serde::Deserialize;
use serde_json::{json, Value};

#[derive(Deserialize)]
struct Request {
    contract: u32,
    #[serde(default)]
    case: Case,
}

#[derive(Deserialize, Default)]
struct Case {
    #[serde(default)]
    output: String,
    #[serde(default)]
    references: Vec<String>,
}

static CALLS: AtomicI64 = AtomicI64::new(0);

#[plugin_fn]
pub fn recall(input: String) -> FnResult<String> {
    let r: Request = serde_json::from_str(&input).map_err(|e| Error::msg(format!("cannot read the request: {e}")))?;
    if r.contract != 1 {
        return Err(Error::msg("only contract 1 is known").into());
    }
    let Some(reference) = r.case.references.first() else {
        return Ok(unscored("the case has no references"));
    };
    // As a variable counts calls, and a static: 1, if state is put back.
    let calls = CALLS.fetch_add(1, Ordering::Relaxed) + 1 + var::get::<i64>("calls")?.unwrap_or(0);
    var::set("calls", calls)?;
    let fold = |s: &str| match config::get("fold") {
        Ok(Some(v)) if v == "true" => s.to_lowercase(),
        _ => s.to_string(),
    };
    let output = fold(&r.case.output);
    let has: HashSet<&str> = output.split_whitespace().collect();
    let reference = fold(reference);
    let words: Vec<&str> = reference.split_whitespace().collect();
    if words.is_empty() {
        warn!("the reference has no words");
        return Ok(unscored("the reference has no words"));
    }
    let found = words.iter().filter(|w| has.contains(*w)).count();
    let score = found as f64 / words.len() as f64;
    Ok(json!({"score": score, "details": {"found": found, "words": words.len(), "calls": calls}}).to_string())
}

fn unscored(why: &str) -> String {
    json!({ "unscored": Value::from(why) }).to_string()
}
