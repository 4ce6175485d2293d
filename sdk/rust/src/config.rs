//! Reading the configuration of a call.

use crate::answer::{Error, Result};
use crate::json::Value;
use crate::number;

/// The `config` object of a request. A key that is absent or `null` has its
/// default; a key of the wrong type is an error that names it.
#[derive(Clone, Copy, Debug)]
pub struct Config<'r, 'a>(pub(crate) Option<&'r Value<'a>>);

impl<'r, 'a> Config<'r, 'a> {
    /// The value of a key, if it is there and not `null`.
    pub fn get(&self, name: &str) -> Option<&'r Value<'a>> {
        self.0.and_then(|v| v.get(name))
    }

    /// All members, in the order of the request; `None` if there is no configuration.
    pub fn members(&self) -> Option<&'r [(std::borrow::Cow<'a, str>, Value<'a>)]> {
        self.0.and_then(Value::as_object)
    }

    /// A boolean.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool> {
        self.read(name, default, "true or false", Value::as_bool)
    }

    /// A number.
    pub fn number(&self, name: &str, default: f64) -> Result<f64> {
        self.read(name, default, "a number", |v| v.as_f64().filter(|n| n.is_finite()))
    }

    /// A whole number from `least` to `most`.
    pub fn count(&self, name: &str, default: usize, least: usize, most: usize) -> Result<usize> {
        let n = self.number(name, default as f64)?;
        if n.fract() != 0.0 || n < least as f64 || n > most as f64 {
            return Err(Error::new(format!(
                "config {name} is {}; it must be a whole number from {least} to {most}",
                number::text(n)
            )));
        }
        Ok(n as usize)
    }

    /// A string.
    pub fn text(&self, name: &str, default: &'r str) -> Result<&'r str> {
        match self.get(name) {
            None => Ok(default),
            Some(v) => v.as_str().ok_or_else(|| wrong(name, v, "a string")),
        }
    }

    /// A list of strings, or one string that stands for a list of one;
    /// `None` if the key is absent.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<&'r str>>> {
        let Some(v) = self.get(name) else { return Ok(None) };
        strings(v).map(Some).ok_or_else(|| wrong(name, v, "a list of strings"))
    }

    fn read<T>(&self, name: &str, default: T, want: &str, as_type: impl Fn(&Value<'a>) -> Option<T>) -> Result<T> {
        match self.get(name) {
            None => Ok(default),
            Some(v) => as_type(v).ok_or_else(|| wrong(name, v, want)),
        }
    }
}

#[cold]
fn wrong(name: &str, v: &Value, want: &str) -> Error {
    Error::new(format!("config {name} is {}; it must be {want}", v.kind()))
}

/// The strings of a list, or one string as a list of one.
pub(crate) fn strings<'r>(v: &'r Value<'_>) -> Option<Vec<&'r str>> {
    match v {
        Value::String(s) => Some(vec![s]),
        Value::Array(list) => list.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_types_defaults_and_says_what_is_wrong() {
        let v = crate::parse(r#"{"b":true,"n":2.5,"i":3,"s":"x","l":["a","b"],"z":null,"bad":[1]}"#).unwrap();
        let c = Config(Some(&v));
        assert_eq!((c.flag("b", false), c.flag("none", true), c.flag("z", true)), (Ok(true), Ok(true), Ok(true)));
        assert_eq!((c.number("n", 0.0), c.count("i", 1, 1, 9)), (Ok(2.5), Ok(3)));
        assert_eq!((c.text("s", ""), c.text("none", "d")), (Ok("x"), Ok("d")));
        assert_eq!(
            (c.texts("l"), c.texts("s"), c.texts("none")),
            (Ok(Some(vec!["a", "b"])), Ok(Some(vec!["x"])), Ok(None))
        );
        assert_eq!(c.flag("s", false).unwrap_err().to_string(), "config s is a string; it must be true or false");
        assert_eq!(c.texts("bad").unwrap_err().to_string(), "config bad is a list; it must be a list of strings");
        assert_eq!(
            c.count("i", 1, 4, 9).unwrap_err().to_string(),
            "config i is 3; it must be a whole number from 4 to 9"
        );
        assert!(c.count("n", 1, 1, 9).is_err());
        assert_eq!(Config(None).flag("x", true), Ok(true));
    }
}
