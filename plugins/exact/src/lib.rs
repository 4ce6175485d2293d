//! Right or wrong: equality, substrings, regular expressions, and SQuAD's exact
//! match and F1.

mod compare;
mod find;
mod pattern;
mod squad;
#[cfg(test)]
mod vectors_test;

use rubric_host_sdk::{export, manifest, Answer, Request, Result};

manifest!("../plugin.yaml");
export!(exact => compare::exact, contains => find::contains, regex => find::regex, squad => squad::squad);

/// What a case gives to compare, or why it cannot be compared.
struct Texts<'r> {
    output: &'r str,
    references: Vec<&'r str>,
}

impl<'r> Texts<'r> {
    fn read(request: &'r Request) -> Result<std::result::Result<Self, Answer>> {
        let Some(output) = request.output()? else {
            return Ok(Err(Answer::unscored("the case has no output")));
        };
        let references = request.references()?;
        if references.is_empty() {
            return Ok(Err(Answer::unscored("the case has no references")));
        }
        Ok(Ok(Texts { output, references }))
    }
}

fn one_if(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}
