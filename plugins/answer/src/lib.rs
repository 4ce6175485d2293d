//! Finds the answer in an output, and compares it: numbers, dates, choices, lists.

mod calendar;
mod choice;
mod date;
mod inspect;
mod letters;
mod list;
mod numeric;
#[cfg(test)]
mod tests;

use rubric_host_sdk::{export, manifest, Error, Request, Result};
use rubric_host_text::{one_if, Texts};

manifest!("../plugin.yaml");
export!(
    numeric => numeric::numeric, date => date::date, choice => choice::choice, list_f1 => list::list_f1,
    text_match => inspect::text_match, marked => inspect::marked, word_f1 => inspect::word_f1,
);

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
