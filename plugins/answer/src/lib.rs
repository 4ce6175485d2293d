//! Finds the answer in an output, and compares it: numbers, dates, choices, lists.

mod choice;
mod date;
mod inspect;
mod list;
mod number;
#[cfg(test)]
mod tests;

use rubric_host_sdk::{export, manifest, Answer, Error, Request, Result};

manifest!("../plugin.yaml");
export!(
    numeric => number::numeric, date => date::date, choice => choice::choice, list_f1 => list::list_f1,
    text_match => inspect::text_match, marked => inspect::marked, word_f1 => inspect::word_f1,
);

/// What a case gives to compare, or the answer to a case that cannot be compared.
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

/// The start of a text, for messages and details.
fn clip(text: &str) -> String {
    text.chars().take(200).collect()
}

fn unknown(key: &str, value: &str, known: &str) -> Error {
    Error::new(format!("unknown {key} \"{}\": use {known}", clip(value)))
}

/// Which of several found things counts.
#[derive(Clone, Copy, PartialEq)]
enum Take {
    First,
    Last,
    Any,
    Only,
}

impl Take {
    fn read(request: &Request) -> Result<Self> {
        match request.config().text("take", "last")? {
            "first" => Ok(Take::First),
            "last" => Ok(Take::Last),
            "any" => Ok(Take::Any),
            "only" => Ok(Take::Only),
            other => Err(unknown("take", other, "first, last, any or only")),
        }
    }

    /// Those that count; none if there should be one only and are more.
    fn of<T>(self, found: &[T]) -> &[T] {
        match self {
            Take::First => &found[..found.len().min(1)],
            Take::Last => &found[found.len().saturating_sub(1)..],
            Take::Any => found,
            Take::Only => if found.len() == 1 { found } else { &[] },
        }
    }
}
