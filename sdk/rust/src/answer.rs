//! Answers and errors.

use crate::number;
use crate::object::{write_nums, write_str, write_texts, Object};
use std::fmt;

/// What a scorer returns: an [`Answer`], or the [`Error`] that the host
/// reports as the plugin's own.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a plugin cannot answer at all: a configuration it does not understand,
/// an input it cannot read. A case that merely cannot be decided is not an
/// error but [`Answer::unscored`].
#[derive(Clone, Debug, PartialEq)]
pub struct Error(String);

impl Error {
    /// An error with its text: what is wrong, and what to do about it.
    pub fn new(text: impl Into<String>) -> Self {
        Error(text.into())
    }

    pub(crate) fn to_json(&self) -> Vec<u8> {
        let mut out = b"{\"error\":".to_vec();
        write_str(&mut out, &self.0);
        out.push(b'}');
        out
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<&str> for Error {
    fn from(text: &str) -> Self {
        Error::new(text)
    }
}

impl From<String> for Error {
    fn from(text: String) -> Self {
        Error::new(text)
    }
}

/// A part of the case that a scorer points at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The field of the case: `"output"`, `"input"`, ...; empty for free text.
    pub field: String,
    /// The first code point of the part.
    pub start: usize,
    /// One past its last code point.
    pub end: usize,
    /// The part itself, or a remark.
    pub text: String,
}

#[derive(Clone, Debug)]
enum Outcome {
    Score(f64),
    Level(String),
    Unscored(String),
}

/// A scorer's answer for one case: a score, a level, or why there is neither.
#[derive(Clone, Debug)]
pub struct Answer {
    outcome: Outcome,
    reason: String,
    evidence: Vec<Evidence>,
    hits: Vec<String>,
    misses: Vec<String>,
    details: Option<Object>,
    stats: Vec<f64>,
}

impl Answer {
    fn of(outcome: Outcome) -> Self {
        Answer {
            outcome,
            reason: String::new(),
            evidence: Vec::new(),
            hits: Vec::new(),
            misses: Vec::new(),
            details: None,
            stats: Vec::new(),
        }
    }

    /// A score within the manifest's range (0 to 1 unless it says otherwise).
    /// A score that is not finite reaches the host as the plugin's error.
    pub fn score(n: f64) -> Self {
        Answer::of(Outcome::Score(n))
    }

    /// The id of one of the criterion's levels.
    pub fn level(id: impl Into<String>) -> Self {
        Answer::of(Outcome::Level(id.into()))
    }

    /// No score, because of `reason`: the host records that the scorer could
    /// not decide, and never makes a number of it.
    pub fn unscored(reason: impl Into<String>) -> Self {
        Answer::of(Outcome::Unscored(reason.into()))
    }

    /// Adds why, for a person; an empty text is left out.
    pub fn reason(mut self, text: impl Into<String>) -> Self {
        self.reason = text.into();
        self
    }

    /// Adds a part of the case that the answer rests on.
    pub fn evidence(mut self, e: Evidence) -> Self {
        self.evidence.push(e);
        self
    }

    /// Adds what was found.
    pub fn hit(mut self, text: impl Into<String>) -> Self {
        self.hits.push(text.into());
        self
    }

    /// Adds what was looked for and not found.
    pub fn miss(mut self, text: impl Into<String>) -> Self {
        self.misses.push(text.into());
        self
    }

    /// Sets the metric's own figures, under its own names and units.
    pub fn details(mut self, o: Object) -> Self {
        self.details = Some(o);
        self
    }

    /// Sets the figures that add up over cases, for the corpus call.
    pub fn stats(mut self, list: Vec<f64>) -> Self {
        self.stats = list;
        self
    }

    pub(crate) fn to_json(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(1024);
        match &self.outcome {
            Outcome::Score(n) if !n.is_finite() => {
                return Error::new(format!("the score is {}", number::text(*n))).to_json()
            }
            Outcome::Score(n) => {
                out.extend_from_slice(b"{\"score\":");
                number::write(&mut out, *n);
            }
            Outcome::Level(id) => field(&mut out, b"{\"level\":", id),
            Outcome::Unscored(reason) => field(&mut out, b"{\"unscored\":", reason),
        }
        if !self.reason.is_empty() {
            field(&mut out, b",\"reason\":", &self.reason);
        }
        if !self.evidence.is_empty() {
            self.write_evidence(&mut out);
        }
        if !self.hits.is_empty() {
            out.extend_from_slice(b",\"hits\":");
            write_texts(&mut out, &self.hits);
        }
        if !self.misses.is_empty() {
            out.extend_from_slice(b",\"misses\":");
            write_texts(&mut out, &self.misses);
        }
        if let Some(o) = &self.details {
            out.extend_from_slice(b",\"details\":");
            o.write(&mut out);
        }
        if !self.stats.is_empty() {
            out.extend_from_slice(b",\"stats\":");
            write_nums(&mut out, &self.stats);
        }
        out.push(b'}');
        out
    }

    fn write_evidence(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b",\"evidence\":[");
        for (i, e) in self.evidence.iter().enumerate() {
            let mut o = Object::new();
            if !e.field.is_empty() {
                o.text("field", &e.field).int("start", e.start as u64).int("end", e.end as u64);
            }
            o.text("text", &e.text);
            if i > 0 {
                out.push(b',');
            }
            o.write(out);
        }
        out.push(b']');
    }
}

fn field(out: &mut Vec<u8>, name: &[u8], text: &str) {
    out.extend_from_slice(name);
    write_str(out, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(a: Answer) -> String {
        String::from_utf8(a.to_json()).unwrap()
    }

    #[test]
    fn the_three_outcomes() {
        assert_eq!(json(Answer::score(0.25)), r#"{"score":0.25}"#);
        assert_eq!(json(Answer::level("good")), r#"{"level":"good"}"#);
        assert_eq!(json(Answer::unscored("no references")), r#"{"unscored":"no references"}"#);
    }

    #[test]
    fn everything_optional() {
        let mut details = Object::new();
        details.num("raw", 2.0);
        let a = Answer::score(1.0)
            .reason("r")
            .evidence(Evidence { field: "output".into(), start: 1, end: 3, text: "ab".into() })
            .evidence(Evidence { text: "free".into(), ..Evidence::default() })
            .hit("h")
            .miss("m")
            .details(details)
            .stats(vec![1.0, 2.0]);
        assert_eq!(
            json(a),
            r#"{"score":1,"reason":"r","evidence":[{"field":"output","start":1,"end":3,"text":"ab"},{"text":"free"}],"hits":["h"],"misses":["m"],"details":{"raw":2},"stats":[1,2]}"#
        );
    }

    #[test]
    fn a_score_that_is_no_number_is_an_error() {
        assert_eq!(json(Answer::score(f64::NAN)), r#"{"error":"the score is NaN"}"#);
    }
}
