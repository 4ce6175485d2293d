//! Requests.

use crate::answer::{Error, Result};
use crate::config::{strings, Config};
use crate::json::Value;

/// The version of the contract that this SDK speaks.
pub const CONTRACT: u32 = 1;

/// What the host asks: one case to score, or the figures of many cases.
#[derive(Debug)]
pub struct Request<'a> {
    root: Value<'a>,
}

/// The criterion that a scorer answers for.
#[derive(Debug)]
pub struct Criterion<'r> {
    /// Its id in the rubric.
    pub id: &'r str,
    /// Its name; may be empty.
    pub name: &'r str,
    /// What it asks; may be empty.
    pub text: &'r str,
    /// Its levels in the order of the rubric; empty if it has none.
    pub levels: Vec<Level<'r>>,
}

/// One level of a criterion.
#[derive(Debug, PartialEq)]
pub struct Level<'r> {
    /// What [`crate::Answer::level`] takes.
    pub id: &'r str,
    /// Its name for a person; may be empty.
    pub label: &'r str,
    /// What an output of this level is like; may be empty.
    pub description: &'r str,
    /// What it is worth, 0 to 1.
    pub score: f64,
}

impl<'a> Request<'a> {
    /// Reads a request and checks that it is of this contract.
    pub fn parse(text: &'a str) -> Result<Self> {
        let root = crate::json::parse(text)?;
        match root.get("contract").and_then(Value::as_f64) {
            Some(n) if n == f64::from(CONTRACT) => Ok(Request { root }),
            Some(n) => Err(Error::new(format!(
                "the request is of contract {}; this plugin speaks contract {CONTRACT}",
                crate::number::text(n)
            ))),
            None => Err(Error::new("the request names no contract")),
        }
    }

    /// `"metric"`, `"scorer"`, `"judge"`, `"check"` or `"corpus"`.
    pub fn kind(&self) -> &str {
        self.root.get("kind").and_then(Value::as_str).unwrap_or("")
    }

    /// A field of the case, `None` if the case has no such field or the
    /// manifest's `inputs` did not ask for it.
    pub fn field(&self, name: &str) -> Option<&Value<'a>> {
        self.root.get("case").and_then(|c| c.get(name))
    }

    /// A field of the case as text.
    pub fn text(&self, name: &str) -> Result<Option<&str>> {
        match self.field(name) {
            None => Ok(None),
            Some(v) => v.as_str().map(Some).ok_or_else(|| wrong(name, v, "text")),
        }
    }

    /// The output to score.
    pub fn output(&self) -> Result<Option<&str>> {
        self.text("output")
    }

    /// The expected outputs; empty if there are none.
    pub fn references(&self) -> Result<Vec<&str>> {
        match self.field("references") {
            None => Ok(Vec::new()),
            Some(v) => strings(v).ok_or_else(|| wrong("references", v, "a list of strings")),
        }
    }

    /// The configuration of the call.
    pub fn config(&self) -> Config<'_, 'a> {
        Config(self.root.get("config"))
    }

    /// The criterion, if the call is for one.
    pub fn criterion(&self) -> Option<Criterion<'_>> {
        let c = self.root.get("criterion")?;
        let levels = c.get("levels").and_then(Value::as_array).unwrap_or(&[]);
        Some(Criterion {
            id: text(c, "id"),
            name: text(c, "name"),
            text: text(c, "text"),
            levels: levels
                .iter()
                .map(|l| Level {
                    id: text(l, "id"),
                    label: text(l, "label"),
                    description: text(l, "description"),
                    score: l.get("score").and_then(Value::as_f64).unwrap_or(0.0),
                })
                .collect(),
        })
    }

    /// The sums of the cases' `stats`, for a corpus call.
    pub fn stats(&self) -> Result<Vec<f64>> {
        self.root
            .get("stats")
            .and_then(Value::as_array)
            .and_then(|list| list.iter().map(Value::as_f64).collect())
            .ok_or_else(|| Error::new("a corpus call needs stats, a list of numbers"))
    }
}

fn text<'r>(v: &'r Value<'_>, name: &str) -> &'r str {
    v.get(name).and_then(Value::as_str).unwrap_or("")
}

#[cold]
fn wrong(name: &str, v: &Value, want: &str) -> Error {
    Error::new(format!("the case's {name} is {}; it must be {want}", v.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_whole_request() {
        let r = Request::parse(
            r#"{"contract":1,"kind":"scorer","case":{"output":"o","references":["a","b"],"input":"i"},
                "criterion":{"id":"c","name":"n","text":"t","levels":[{"id":"hi","label":"High","description":"d","score":1}]},
                "config":{"k":1}}"#,
        )
        .unwrap();
        assert_eq!(r.kind(), "scorer");
        assert_eq!(r.output(), Ok(Some("o")));
        assert_eq!(r.text("input"), Ok(Some("i")));
        assert_eq!(r.text("context"), Ok(None));
        assert_eq!(r.references(), Ok(vec!["a", "b"]));
        assert_eq!(r.config().count("k", 0, 0, 5), Ok(1));
        let c = r.criterion().unwrap();
        assert_eq!((c.id, c.name, c.text), ("c", "n", "t"));
        assert_eq!(c.levels, [Level { id: "hi", label: "High", description: "d", score: 1.0 }]);
    }

    #[test]
    fn refuses_another_contract() {
        for (text, want) in [
            (r#"{"contract":2}"#, "the request is of contract 2; this plugin speaks contract 1"),
            (r#"{}"#, "the request names no contract"),
            (r#"[]"#, "the request names no contract"),
        ] {
            assert_eq!(Request::parse(text).unwrap_err().to_string(), want);
        }
    }

    #[test]
    fn says_which_field_is_of_the_wrong_type() {
        let r = Request::parse(r#"{"contract":1,"case":{"output":3,"references":[1]}}"#).unwrap();
        assert_eq!(r.output().unwrap_err().to_string(), "the case's output is a number; it must be text");
        assert_eq!(
            r.references().unwrap_err().to_string(),
            "the case's references is a list; it must be a list of strings"
        );
        assert!(r.stats().is_err());
        assert!(r.criterion().is_none());
    }
}
