//! Cosine similarity of embeddings: the vectors come with the case, because a module has
//! no model and no network.

use rubric_host_sdk::{export, manifest, Answer, Error, Object, Request, Result, Value};

manifest!("../plugin.yaml");
export!(cosine => cosine);

/// Scores max(0, (c - lo) / (1 - lo)), c the highest cosine of the output with a reference.
fn cosine(request: &Request) -> Result<Answer> {
    let lo = request.config().number("lo", 0.0)?;
    if !(-1.0..1.0).contains(&lo) {
        return Err("lo out of range: use -1 to less than 1".into());
    }
    let Some(output) = request.field("output_embedding") else {
        return Ok(Answer::unscored("the case has no output_embedding"));
    };
    let output = vector(output, "output_embedding")?;
    let references = references(request.field("reference_embeddings"))?;
    if references.is_empty() {
        return Ok(Answer::unscored("the case has no reference_embeddings"));
    }
    let mut cosines = Vec::with_capacity(references.len());
    for reference in &references {
        if reference.len() != output.len() {
            return Err(Error::new(format!(
                "embeddings of one model have the same length: output_embedding has {} numbers, a reference {}",
                output.len(),
                reference.len()
            )));
        }
        let Some(c) = between(&output, reference) else {
            return Ok(Answer::unscored("an embedding is all zeros: it has no direction"));
        };
        cosines.push(c);
    }
    let best = cosines.iter().copied().fold(-1.0, f64::max);
    let mut details = Object::new();
    details.num("cosine", best).nums("cosines", &cosines[..cosines.len().min(MOST_LISTED)]).int("dimensions", output.len() as u64);
    Ok(Answer::score(((best - lo) / (1.0 - lo)).clamp(0.0, 1.0)).details(details))
}

/// How many references details list.
const MOST_LISTED: usize = 1000;

/// The cosine of two vectors, -1 to 1; `None` if one has no direction.
fn between(a: &[f64], b: &[f64]) -> Option<f64> {
    // Scaled by the largest number, squares neither overflow nor vanish.
    let scale = |v: &[f64]| v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let (a_scale, b_scale) = (scale(a), scale(b));
    if a_scale == 0.0 || b_scale == 0.0 {
        return None;
    }
    let (mut dot, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        let (x, y) = (x / a_scale, y / b_scale);
        dot += x * y;
        aa += x * x;
        bb += y * y;
    }
    Some((dot / (aa.sqrt() * bb.sqrt())).clamp(-1.0, 1.0))
}

/// One vector for each reference. A list of numbers alone is one vector.
fn references(field: Option<&Value>) -> Result<Vec<Vec<f64>>> {
    let name = "reference_embeddings";
    match field {
        None => Ok(Vec::new()),
        Some(Value::Array(list)) if !matches!(list.first(), Some(Value::Number(_))) => {
            list.iter().map(|v| vector(v, name)).collect()
        }
        Some(one) => Ok(vec![vector(one, name)?]),
    }
}

/// Reads a list of numbers, or an object of an endpoint that holds it as `embedding`.
fn vector(value: &Value, name: &str) -> Result<Vec<f64>> {
    let list = value.as_array().or_else(|| value.get("embedding")?.as_array());
    let numbers = list.filter(|l| !l.is_empty()).and_then(|l| l.iter().map(number).collect::<Option<Vec<f64>>>());
    numbers.ok_or_else(|| {
        if list.is_some_and(<[Value]>::is_empty) {
            return Error::new(format!("the case's {name} is an empty list: give the numbers of the endpoint's embedding"));
        }
        Error::new(format!("the case's {name} must be numbers, not {}: give the endpoint's embedding as a list", value.kind()))
    })
}

fn number(v: &Value) -> Option<f64> {
    v.as_f64().filter(|n| n.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rubric_host_sdk::respond;

    fn ask(case: &str, config: &str) -> String {
        let request = format!(r#"{{"contract":1,"case":{case},"config":{config}}}"#);
        String::from_utf8(respond(request.as_bytes(), cosine)).unwrap()
    }

    #[test]
    fn cosine_is_that_of_the_nearest_reference() {
        for (case, config, want) in [
            (r#"{"output_embedding":[1,0],"reference_embeddings":[[0,1],[3,4]]}"#, "{}", r#"{"score":0.6,"#),
            (r#"{"output_embedding":[1,0],"reference_embeddings":[3,4]}"#, r#"{"lo":0.2}"#, r#"{"score":0.49999999999999"#),
            (r#"{"output_embedding":[1,0],"reference_embeddings":[[-1,0]]}"#, "{}", r#"{"score":0,"#),
            (r#"{"output_embedding":[1,0],"reference_embeddings":[[-1,0]]}"#, r#"{"lo":-1}"#, r#"{"score":0,"#),
            (r#"{"output_embedding":{"embedding":[2e200,0]},"reference_embeddings":[{"embedding":[5e-200,0]}]}"#, "{}", r#"{"score":1,"#),
        ] {
            let answer = ask(case, config);
            assert!(answer.starts_with(want), "{case}: {answer}");
        }
    }

    #[test]
    fn cases_without_two_vectors_are_unscored() {
        for (case, want) in [
            ("{}", "the case has no output_embedding"),
            (r#"{"output_embedding":[1]}"#, "the case has no reference_embeddings"),
            (r#"{"output_embedding":[1],"reference_embeddings":[]}"#, "the case has no reference_embeddings"),
            (r#"{"output_embedding":[1],"reference_embeddings":[[0]]}"#, "it has no direction"),
        ] {
            let answer = ask(case, "{}");
            assert!(answer.starts_with("{\"unscored\":") && answer.contains(want), "{case}: {answer}");
        }
    }

    #[test]
    fn vectors_that_do_not_fit_are_errors() {
        for (case, config, want) in [
            (r#"{"output_embedding":[1,2],"reference_embeddings":[[1]]}"#, "{}", "output_embedding has 2 numbers, a reference 1"),
            (r#"{"output_embedding":"AAAA","reference_embeddings":[[1]]}"#, "{}", "output_embedding must be numbers, not a string"),
            (r#"{"output_embedding":[],"reference_embeddings":[[1]]}"#, "{}", "output_embedding is an empty list"),
            (r#"{"output_embedding":[1],"reference_embeddings":[["1"]]}"#, "{}", "reference_embeddings must be numbers"),
            (r#"{"output_embedding":[1e999],"reference_embeddings":[[1]]}"#, "{}", "must be numbers"),
            (r#"{"output_embedding":[1],"reference_embeddings":[[1]]}"#, r#"{"lo":1}"#, "lo out of range"),
        ] {
            let answer = ask(case, config);
            assert!(answer.starts_with("{\"error\":") && answer.contains(want), "{case}: {answer}");
        }
    }
}
