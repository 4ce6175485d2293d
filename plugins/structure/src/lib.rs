//! The format, shape and content of an output: JSON, XML, Markdown, SQL, tags, quotes,
//! length, repetition, refusals, personal data.

mod classes;
mod json;
mod markdown;
mod pii;
mod quotes;
mod refusal;
mod shape;
mod sql;
mod tags;
#[cfg(test)]
mod tests;
mod tokens;
mod xml;

use rubric_host_sdk::{data, export, manifest, Answer, Error, Evidence, Request, Result};
use rubric_host_text::after_reasoning;
use std::borrow::Cow;

manifest!("../plugin.yaml");
data!(tokens::take);
export!(
    json => json::valid, json_equal => json::equal, xml => xml::well_formed, markdown => markdown::markdown,
    sql_equal => sql::equal, think => tags::think, tool_call => tags::tool_call, quotes => quotes::quotes,
    citations => quotes::citations, refusal => refusal::refusal, pii => pii::pii, length => shape::length,
    repetition => shape::repetition,
);

/// The output of a case, or the answer to a case that has none.
fn output<'r>(request: &'r Request) -> Result<std::result::Result<&'r str, Answer>> {
    Ok(request.output()?.ok_or_else(|| Answer::unscored("the case has no output")))
}

/// Where the checked text lies: in the whole output, or in a fenced block of its answer, one of
/// these languages before others.
fn checked<'t>(request: &Request, output: &'t str, languages: &[&str]) -> Result<&'t str> {
    match request.config().text("within", "whole")? {
        "whole" => Ok(output),
        "fence" => {
            let answer = after_reasoning(output).unwrap_or("");
            Ok(match markdown::fenced(answer, languages) {
                Some(Cow::Borrowed(text)) => text,
                Some(Cow::Owned(text)) => text.leak(), // the host puts all memory back after the call
                None => answer,
            })
        }
        other => Err(Error::new(format!("unknown within \"{other}\": use whole or fence"))),
    }
}

/// The most parts that an answer shows, and the most code points of each.
const SHOWN: usize = 100;
const QUOTE: usize = 200;

/// Parts of the output as evidence. Places are bytes of `text`, in order.
fn show(mut answer: Answer, text: &str, parts: &[(usize, usize)]) -> Answer {
    let (mut byte, mut point) = (0, 0);
    for &(from, to) in parts.iter().take(SHOWN) {
        if from < byte {
            continue;
        }
        point += text[byte..from].chars().count();
        let part = &text[from..to];
        let count = part.chars().count();
        answer = answer.evidence(Evidence {
            field: "output".into(),
            start: point,
            end: point + count,
            text: part.chars().take(QUOTE).collect(),
        });
        byte = to;
        point += count;
    }
    answer
}
