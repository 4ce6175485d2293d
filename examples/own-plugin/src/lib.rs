//! The scoring functions of a quiz bot: a metric, and a scorer that answers with a level.

use rubric_host_sdk::{export, manifest, Answer, Object, Request, Result, Value};
use std::collections::BTreeSet;

manifest!("../plugin.yaml");
export!(distinct => distinct, check_question_count => check_question_count);

/// The share of the output's words that are different: 1 says nothing twice.
fn distinct(request: &Request) -> Result<Answer> {
    let Some(output) = request.output()? else {
        return Ok(Answer::unscored("the case has no output"));
    };
    let words: Vec<&str> = output.split_ascii_whitespace().collect();
    if words.is_empty() {
        return Ok(Answer::unscored("the output has no words"));
    }
    let different: BTreeSet<&str> = words.iter().copied().collect();
    let mut details = Object::new();
    details.int("words", words.len() as u64).int("different", different.len() as u64);
    Ok(Answer::score(different.len() as f64 / words.len() as f64).details(details))
}

/// The level of a quiz by its number of questions: excellent from 10, pass from 5, else fail.
/// A rubric that has no level excellent ends at pass.
fn check_question_count(request: &Request) -> Result<Answer> {
    let Some(criterion) = request.criterion() else {
        return Err("the request names no criterion".into());
    };
    let count = match request.field("target").and_then(|quiz| quiz.get("questions")) {
        None => 0,
        Some(Value::Array(questions)) => questions.len(),
        Some(_) => return Ok(Answer::unscored("questions is not a list")),
    };
    let has = |id: &str| criterion.levels.iter().any(|level| level.id == id);
    let level = match count {
        10.. if has("excellent") => "excellent",
        5.. => "pass",
        _ => "fail",
    };
    Ok(Answer::level(level).reason(format!("questions: {count}")))
}
