//! A metric: the share of references that are in the output.

use rubric_host_sdk::{export, Answer, Request, Result};

/// Scores one case. What cannot be decided is unscored, and never 0.
fn mentions(request: &Request) -> Result<Answer> {
    let lower = request.config().flag("ignore_case", false)?;
    let fold = |text: &str| if lower { text.to_lowercase() } else { text.to_string() };
    let references = request.references()?;
    let Some(output) = request.output()? else {
        return Ok(Answer::unscored("the case has no output"));
    };
    if references.is_empty() {
        return Ok(Answer::unscored("the case has no references"));
    }
    let output = fold(output);
    let found = references.iter().filter(|r| output.contains(&fold(r))).count();
    Ok(Answer::score(found as f64 / references.len() as f64))
}

export!(mentions => mentions);
