//! The checks of dataknobs' meta-rubric. A rubric is graded as an object, in the
//! form of dataknobs: `criteria` with `name`, `description`, `weight` and `levels`,
//! and `pass_threshold`.

#[cfg(test)]
mod tests;

use rubric_host_sdk::{export, manifest, Answer, Error, Object, Request, Result, Value};
use std::collections::BTreeSet;

manifest!("../plugin.yaml");
export!(
    check_criteria_coverage => coverage, check_criteria_independence => independence,
    check_weight_distribution => weights, check_threshold => threshold, check_level_ordering => ordering,
);

/// How far the sum of the weights may be from 1.
const TOLERANCE: f64 = 0.01;

/// What binary fractions may be off: a sum of 1.01 on paper is within the tolerance.
const SLACK: f64 = 1e-9;

/// The most criteria that an answer names, and the most code points of each name.
const NAMED: usize = 50;
const CLIP: usize = 120;

fn coverage(request: &Request) -> Result<Answer> {
    Ok(match criteria(rubric(request)?)?.len() {
        0 => Answer::level("fail").reason("the rubric has no criteria"),
        n => Answer::level("pass").reason(format!("the rubric has {}", count(n, "criterion", "criteria"))),
    })
}

fn independence(request: &Request) -> Result<Answer> {
    let criteria = criteria(rubric(request)?)?;
    let same = |key: &str| -> Result<Vec<&str>> {
        let (mut seen, mut twice) = (BTreeSet::new(), BTreeSet::new());
        for (i, c) in criteria.iter().enumerate() {
            let Some(v) = c.get(key) else { continue };
            let text = v.as_str().ok_or_else(|| wrong(i, key, v, "text"))?;
            if !seen.insert(text) {
                twice.insert(text);
            }
        }
        Ok(twice.into_iter().collect())
    };
    let (names, descriptions) = (same("name")?, same("description")?);
    let (level, what, texts) = match (names.is_empty(), descriptions.is_empty()) {
        (false, _) => ("fail", "name", names),
        (_, false) => ("partial", "description", descriptions),
        _ => return Ok(Answer::level("pass").reason("no two criteria have the same name or description")),
    };
    let mut answer = Answer::level(level).reason(format!("criteria have the same {what}: {}", clip(texts[0])));
    for text in texts.iter().take(NAMED) {
        answer = answer.miss(clip(text));
    }
    Ok(answer)
}

fn weights(request: &Request) -> Result<Answer> {
    let rubric = rubric(request)?;
    let criteria = criteria(rubric)?;
    if criteria.is_empty() {
        return Ok(Answer::level("fail").reason("the rubric has no criteria"));
    }
    if rubric.get("weights").and_then(Value::as_str) == Some("relative") {
        return Ok(Answer::unscored("the weights of this rubric are relative: they need no particular sum"));
    }
    let list = weights_of(criteria)?;
    let sum: f64 = list.iter().sum();
    if !sum.is_finite() {
        return Err(Error::new("the weights sum to no finite number"));
    }
    let mut details = Object::new();
    details.num("sum", sum);
    let negative = list.iter().position(|w| *w < 0.0);
    let answer = match negative {
        Some(i) => Answer::level("fail").reason(format!("{} has the weight {}", named(criteria, i), list[i])),
        None if (sum - 1.0).abs() <= TOLERANCE + SLACK => Answer::level("pass").reason(format!("the weights sum to {sum}")),
        None => Answer::level("fail").reason(format!("the weights sum to {sum}, not to 1")),
    };
    Ok(answer.details(details))
}

fn threshold(request: &Request) -> Result<Answer> {
    let rubric = rubric(request)?;
    let criteria = criteria(rubric)?;
    let written = rubric.as_object().and_then(|m| m.iter().find(|(name, _)| name == "pass_threshold")).map(|(_, v)| v);
    let at = match written {
        Some(Value::Null) => return Ok(Answer::unscored("the rubric has no pass threshold, or none that a weighted mean of its levels decides")),
        Some(v) => v
            .as_f64()
            .filter(|n| n.is_finite())
            .ok_or_else(|| Error::new(format!("pass_threshold is {}; it must be a finite number", v.kind())))?,
        None => 0.0,
    };
    let list = weights_of(criteria)?;
    let (mut low, mut high, mut sum) = (0.0, 0.0, 0.0);
    for (i, (c, w)) in criteria.iter().zip(&list).enumerate() {
        let scores = scores(i, c)?;
        let (worst, best) = if scores.is_empty() {
            (0.0, 0.0)
        } else {
            (scores.iter().copied().fold(f64::INFINITY, f64::min), scores.iter().copied().fold(f64::NEG_INFINITY, f64::max))
        };
        low += w * worst;
        high += w * best;
        sum += w;
    }
    // Without weights no score is above 0.
    (low, high) = if sum == 0.0 { (0.0, 0.0) } else { (low / sum, high / sum) };
    if low > high {
        (low, high) = (high, low); // the weights are negative
    }
    if !low.is_finite() || !high.is_finite() {
        return Err(Error::new("the best and the worst score are not finite: check the weights and the scores of the levels"));
    }
    let mut details = Object::new();
    details.num("threshold", at).num("lowest", low).num("highest", high);
    let answer = if at > high + SLACK {
        Answer::level("too_high").reason(format!("the threshold is {at}, and the best score {high}"))
    } else if at <= low + SLACK {
        let missing = if written.is_none() { "pass_threshold is missing, which counts as 0" } else { "" };
        Answer::level("too_low").reason(if missing.is_empty() {
            format!("the threshold is {at}, and the worst score {low}")
        } else {
            format!("{missing}; the worst score is {low}")
        })
    } else {
        Answer::level("pass").reason(format!("the threshold {at} is above the worst score {low}, and the best one {high} reaches it"))
    };
    Ok(answer.details(details))
}

fn ordering(request: &Request) -> Result<Answer> {
    let criteria = criteria(rubric(request)?)?;
    let mut mixed = Vec::new();
    for (i, c) in criteria.iter().enumerate() {
        let scores = scores(i, c)?;
        let rises = scores.windows(2).all(|w| w[0] <= w[1]);
        let falls = scores.windows(2).all(|w| w[0] >= w[1]);
        if !rises && !falls {
            mixed.push(named(criteria, i));
        }
    }
    if mixed.is_empty() {
        return Ok(Answer::level("pass").reason("the scores of the levels only rise or only fall"));
    }
    let mut answer = Answer::level("fail").reason(format!("the scores of the levels of {} rise and fall", mixed[0]));
    for name in mixed.into_iter().take(NAMED) {
        answer = answer.miss(name);
    }
    Ok(answer)
}

/// The rubric that is checked.
fn rubric<'r>(request: &'r Request) -> Result<&'r Value<'r>> {
    match request.field("target") {
        Some(v @ Value::Object(_)) => Ok(v),
        Some(v) => Err(Error::new(format!("the case's target is {}; it must be a rubric as an object", v.kind()))),
        None => Err(Error::new("the case has no target: give the rubric as an object")),
    }
}

/// Its criteria; none if the key is missing.
fn criteria<'r>(rubric: &'r Value<'r>) -> Result<&'r [Value<'r>]> {
    let Some(v) = rubric.get("criteria") else { return Ok(&[]) };
    let list = v.as_array().ok_or_else(|| Error::new(format!("criteria is {}; it must be a list of objects", v.kind())))?;
    match list.iter().position(|c| c.as_object().is_none()) {
        Some(i) => Err(Error::new(format!("criteria[{i}] is {}; it must be an object", list[i].kind()))),
        None => Ok(list),
    }
}

fn weights_of(criteria: &[Value]) -> Result<Vec<f64>> {
    criteria.iter().enumerate().map(|(i, c)| number(i, c, "weight")).collect()
}

/// The scores of a criterion's levels in the order written; none if it has no levels.
fn scores(i: usize, criterion: &Value) -> Result<Vec<f64>> {
    let Some(v) = criterion.get("levels") else { return Ok(Vec::new()) };
    let list = v.as_array().ok_or_else(|| wrong(i, "levels", v, "a list"))?;
    list.iter().map(|level| number(i, level, "score")).collect()
}

fn number(i: usize, of: &Value, key: &str) -> Result<f64> {
    let v = of.get(key).ok_or_else(|| Error::new(format!("criteria[{i}] has no {key}")))?;
    v.as_f64().filter(|n| n.is_finite()).ok_or_else(|| wrong(i, key, v, "a finite number"))
}

#[cold]
fn wrong(i: usize, key: &str, v: &Value, want: &str) -> Error {
    Error::new(format!("the {key} of criteria[{i}] is {}; it must be {want}", v.kind()))
}

/// A criterion for a message: its name, its id, or its place.
fn named(criteria: &[Value], i: usize) -> String {
    let text = |key| criteria[i].get(key).and_then(Value::as_str).filter(|s| !s.trim().is_empty());
    text("name").or_else(|| text("id")).map_or_else(|| format!("criteria[{i}]"), clip)
}

fn clip(text: &str) -> String {
    let mut short: String = text.chars().take(CLIP).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
