//! Readability of French texts as textstat 0.7.11 computes it, nothing rounded.

mod formula;
mod syllables;
#[cfg(test)]
#[path = "../../prose/vectors_test.rs"]
mod vectors_test;

use rubric_host_sdk::{export, manifest, Answer, Request, Result};

manifest!("../plugin.yaml");
export!(readability => readability);

#[cfg(test)]
const LINES: &str = "fr_FR";

fn readability(request: &Request) -> Result<Answer> {
    rubric_host_prose::readability(request, &formula::INDICES)
}
