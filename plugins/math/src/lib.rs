//! Equivalence of mathematical answers, by rules. What the rules do not decide is
//! unscored.

mod compare;
mod expr;
mod find;
mod number;
mod parse;
mod tokens;
mod verl;
#[cfg(test)]
mod tests;

use rubric_host_sdk::{export, manifest, Answer, Error, Object, Request, Result};
use rubric_host_text::after_reasoning;

manifest!("../plugin.yaml");
export!(math => math, math_reward => verl::math_reward, math_dapo => verl::math_dapo, gsm8k => verl::gsm8k);

fn one_if(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

/// The start of a text, for messages and details.
fn clip(text: &str) -> String {
    text.chars().take(200).collect()
}

/// The output and the references, or the answer to a case without them.
fn texts<'r>(request: &'r Request) -> Result<std::result::Result<(&'r str, Vec<&'r str>), Answer>> {
    let Some(output) = request.output()? else {
        return Ok(Err(Answer::unscored("the case has no output")));
    };
    let references = request.references()?;
    if references.is_empty() {
        return Ok(Err(Answer::unscored("the case has no references")));
    }
    Ok(Ok((output, references)))
}

/// Whether two things are the same.
#[derive(Clone, Debug, PartialEq)]
enum Verdict {
    /// They are.
    Same,
    /// They are not.
    Different,
    /// The rules do not tell, and why.
    Open(String),
}

fn math(request: &Request) -> Result<Answer> {
    let config = request.config();
    let digits = config.count("digits", 6, 1, 12)? as i32;
    let find = match config.text("find", "auto")? {
        "auto" => find::How::Auto,
        "boxed" => find::How::Boxed,
        "whole" => find::How::Whole,
        other => return Err(Error::new(format!("unknown find \"{}\": use auto, boxed or whole", clip(other)))),
    };
    let (output, references) = match texts(request)? {
        Ok(both) => both,
        Err(unscored) => return Ok(unscored),
    };
    let Some(got) = find::answer(output, find) else {
        return Ok(unanswered(output, &references, find));
    };
    let mut details = Object::new();
    details.text("answer", &clip(&got));
    // Of 22/7 \approx 3.14, either is the answer.
    let plain = got.replace('\u{2248}', "\\approx");
    let given: Vec<parse::Answer> = match plain.split("\\approx").collect::<Vec<_>>()[..] {
        [a, b] if !a.trim().is_empty() && a.matches('{').count() == a.matches('}').count() => vec![parse::parse(b), parse::parse(a)],
        _ => vec![parse::parse(&got)],
    };
    // \boxed{} and ? are no answers.
    if given.iter().all(parse::Answer::is_empty) {
        return Ok(unanswered(output, &references, find));
    }
    let mut open = None;
    for reference in references {
        let want = find::reference(reference);
        if want.trim().is_empty() {
            open = Some("a reference is empty".to_string());
            continue;
        }
        let expected = parse::parse(&want);
        let verdict = given.iter().map(|g| compare::compare(&expected, g, digits)).reduce(either);
        let verdict = if compare::same_text(&want, &got) { Verdict::Same } else { verdict.unwrap_or(Verdict::Different) };
        match verdict {
            Verdict::Same => {
                details.text("expected", &clip(&want));
                return Ok(Answer::score(1.0).details(details));
            }
            Verdict::Different => {}
            Verdict::Open(why) => open = open.or(Some(why)),
        }
    }
    Ok(match open {
        Some(why) => Answer::unscored(format!("undecided: {why}; answer \"{}\"", clip(&got))),
        None => Answer::score(0.0).details(details),
    })
}

/// The verdict on an answer that is given in two ways.
fn either(a: Verdict, b: Verdict) -> Verdict {
    match (a, b) {
        (Verdict::Different, other) | (_, other @ Verdict::Same) => other,
        (first, _) => first,
    }
}

/// The answer for an output in which nothing was found: wrong, unless it is the reference
/// word for word, or a reference cannot be read, so that nothing could be found in it either.
fn unanswered(output: &str, references: &[&str], find: find::How) -> Answer {
    let mut unread = None;
    for reference in references {
        let want = find::reference(reference);
        if find != find::How::Boxed && compare::same_text(&want, after_reasoning(output).unwrap_or("").trim()) {
            return Answer::score(1.0);
        }
        match parse::parse(&want).kind {
            _ if want.trim().is_empty() => unread = Some("a reference is empty".to_string()),
            parse::Kind::Unread(why) => unread = Some(format!("the reference cannot be read: {why}")),
            _ => {}
        }
    }
    match unread {
        Some(why) => Answer::unscored(format!("undecided: {why}; the output has no mathematical answer")),
        None => Answer::score(0.0).reason("the output has no mathematical answer"),
    }
}
