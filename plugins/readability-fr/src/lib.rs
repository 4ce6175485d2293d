//! Readability of French texts as textstat 0.7.11 computes it, nothing rounded.

mod formula;
mod syllables;
#[cfg(test)]
#[path = "../../prose/vectors_test.rs"]
mod vectors_test;

use rubric_host_sdk::{manifest, scorers};

manifest!("../plugin.yaml");
scorers!(readability(request) => rubric_host_prose::readability(request, &formula::INDICES));

#[cfg(test)]
const LINES: &str = "fr_FR";
