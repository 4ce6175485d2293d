//! Right or wrong: equality, substrings, regular expressions, and SQuAD's exact
//! match and F1.

mod compare;
mod find;
mod pattern;
mod squad;
#[cfg(test)]
mod vectors_test;

use rubric_host_sdk::{export, manifest};
use rubric_host_text::{one_if, Texts};

manifest!("../plugin.yaml");
export!(exact => compare::exact, contains => find::contains, regex => find::regex, pattern => find::pattern, squad => squad::squad);
