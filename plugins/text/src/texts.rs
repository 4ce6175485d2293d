//! An output and the references that it must have.

use rubric_host_sdk::{Answer, Request, Result};

/// The texts of a case that has an output and at least one reference.
pub struct Texts<'r> {
    /// The output.
    pub output: &'r str,
    /// Never empty.
    pub references: Vec<&'r str>,
}

impl<'r> Texts<'r> {
    /// The texts of a case, or the answer to one that lacks some.
    pub fn read(request: &'r Request) -> Result<std::result::Result<Self, Answer>> {
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

/// 1 or 0.
pub fn one_if(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

/// What was read, or else the scorer's answer: `let texts = or_answer!(Texts::read(request)?);`.
#[macro_export]
macro_rules! or_answer {
    ($read:expr) => {
        match $read {
            Ok(read) => read,
            Err(answer) => return Ok(answer),
        }
    };
}
