//! `squad`: exact match and F1 of SQuAD 1.1 and 2.0, the best over the
//! references, each figure for itself.

use crate::one_if;
use rubric_host_sdk::{Answer, Error, Object, Request, Result};
use rubric_host_text::{lower, split, Counts, WORD};

pub fn squad(request: &Request) -> Result<Answer> {
    let config = request.config();
    let second = match config.text("version", "1.1")? {
        "1.1" => false,
        "2.0" => true,
        other => return Err(Error::new(format!("unknown SQuAD version \"{other}\"; use 1.1 or 2.0"))),
    };
    let f1 = match config.text("field", "f1")? {
        "f1" => true,
        "exact_match" => false,
        other => return Err(Error::new(format!("unknown field \"{other}\"; use f1 or exact_match"))),
    };
    if config.text("multi_ref", "max")? != "max" {
        return Err("multi_ref knows max only".into());
    }
    let Some(output) = request.output()? else {
        return Ok(Answer::unscored("the case has no output"));
    };
    // In 2.0 an empty list is an answer: the question has none.
    let references = request.references()?;
    if references.is_empty() && (!second || request.field("references").is_none()) {
        return Ok(Answer::unscored("the case has no references"));
    }
    let output = normal(output);
    let references: Vec<String> = references.into_iter().map(normal).collect();
    let (exact, best) = if second { version_2(&output, &references) } else { version_1(&output, &references) };
    let mut details = Object::new();
    details.num("exact_match", one_if(exact)).num("f1", best);
    let answer = Answer::score(if f1 { best } else { one_if(exact) });
    let shown: &[String] = if second { &[] } else { &references };
    if encoded(&output) + shown.iter().map(|r| encoded(r)).sum::<usize>() > MAX_TEXTS {
        return Ok(answer.reason("the normalized texts are longer than details can hold, and left out").details(details));
    }
    details.text("normalized_candidate", &output);
    if !second {
        details.texts("normalized_references", shown);
    }
    Ok(answer.details(details))
}

/// How many bytes of normalised texts details have, as JSON; with all else in them
/// they stay below the 64 KiB of the contract.
const MAX_TEXTS: usize = 60_000;

/// The bytes of a text in a JSON list, at most.
fn encoded(text: &str) -> usize {
    text.bytes().map(|b| if b < 0x20 || b == b'"' || b == b'\\' { 6 } else { 1 }).sum::<usize>() + 3
}

fn version_1(output: &str, references: &[String]) -> (bool, f64) {
    best(output, references, overlap)
}

/// References that normalise to nothing say that there is no answer; they count
/// only where there is no other.
fn version_2(output: &str, references: &[String]) -> (bool, f64) {
    let mut answers: Vec<String> = references.iter().filter(|r| !r.is_empty()).cloned().collect();
    if answers.is_empty() {
        answers.push(String::new());
    }
    best(output, &answers, |a, b| if a.is_empty() || b.is_empty() { one_if(a == b) } else { overlap(a, b) })
}

fn best(output: &str, references: &[String], f1: impl Fn(&str, &str) -> f64) -> (bool, f64) {
    (references.iter().any(|r| r == output), references.iter().map(|r| f1(output, r)).fold(0.0, f64::max))
}

/// The F1 of the tokens that both have; 0 if there are none.
fn overlap(output: &str, reference: &str) -> f64 {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    split(output, &mut a);
    split(reference, &mut b);
    let counts = Counts::new(&a, 1);
    let same = f64::from(counts.matches(1, &counts.occurrences(&b)));
    if same == 0.0 {
        return 0.0;
    }
    let (precision, recall) = (same / a.len() as f64, same / b.len() as f64);
    2.0 * precision * recall / (precision + recall)
}

/// SQuAD's normalisation: lower case, no ASCII punctuation, no articles, single
/// spaces. A word ends where Python's `\b` ends it, so that the a in `thea`
/// with an accent stays.
fn normal(text: &str) -> String {
    let text: String = lower(text).chars().filter(|c| !c.is_ascii_punctuation()).collect();
    let mut kept = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars() {
        if WORD.has(c) {
            word.push(c);
            continue;
        }
        end_word(&mut word, &mut kept);
        kept.push(c);
    }
    end_word(&mut word, &mut kept);
    let mut tokens = Vec::new();
    split(&kept, &mut tokens);
    tokens.join(" ")
}

fn end_word(word: &mut String, out: &mut String) {
    out.push_str(if matches!(word.as_str(), "a" | "an" | "the") { " " } else { word });
    word.clear();
}
