//! Readability of German texts: textstat's words, sentences and formulas, with
//! spoken syllables, counted by rule.

mod formula;
mod syllables;
#[cfg(test)]
#[path = "../../prose/vectors_test.rs"]
mod vectors_test;

use rubric_host_sdk::{manifest, scorers};

manifest!("../plugin.yaml");
scorers!(readability(request) => rubric_host_prose::readability(request, &formula::INDICES));

#[cfg(test)]
const LINES: &str = "de_DE";
