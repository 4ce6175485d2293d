//! Equality of JSON values, with bounded work.

use crate::matching::Matching;
use rubric_host_sdk::{Config, Result, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The most comparisons of values: lists without order compare each with each.
const STEPS: usize = 4_000_000;

/// What does not count when two values are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Equality {
    /// What the expected value lacks may be in the other: members of objects, and elements
    /// of lists (in order, unless `ignore_order`).
    pub subset: bool,
    /// Lists are multisets.
    pub ignore_order: bool,
    /// The largest difference of two equal numbers.
    pub tolerance: f64,
    /// The largest difference of two equal numbers, as a share of the expected one.
    pub relative: f64,
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// No difference.
    Equal,
    /// The first difference: its path, such as `$.items[2].id`, and what it is.
    Differs(String),
    /// The values are too large to compare.
    TooLarge,
}

impl Equality {
    /// Reads the keys `subset`, `ignore_order`, `tolerance` and `relative_tolerance`.
    pub fn read(config: &Config) -> Result<Self> {
        let size = |name| match config.number(name, 0.0)? {
            n if n >= 0.0 => Ok(n),
            _ => Err(rubric_host_sdk::Error::new(format!("config {name} is negative; use 0 or more"))),
        };
        Ok(Equality {
            subset: config.flag("subset", false)?,
            ignore_order: config.flag("ignore_order", false)?,
            tolerance: size("tolerance")?,
            relative: size("relative_tolerance")?,
        })
    }

    /// Compares two values. Of a name that an object has twice, the last counts.
    pub fn compare(&self, expected: &Value, got: &Value) -> Found {
        let mut walk = Walk { rules: self, steps: 0, path: String::from("$"), found: None };
        match walk.same(expected, got) {
            None => Found::TooLarge,
            Some(true) => Found::Equal,
            Some(false) => Found::Differs(walk.found.unwrap_or_default()),
        }
    }

    fn numbers(&self, a: &str, b: &str) -> bool {
        let plain = |text: &str| text.bytes().all(|c| c.is_ascii_digit());
        // Plain integers are equal only if they are written alike.
        if a == b || !(plain(a) && plain(b)) && same_decimal(a, b) {
            return true;
        }
        let (Some(x), Some(y)) = (Value::Number(a).as_f64(), Value::Number(b).as_f64()) else { return false };
        let most = self.tolerance.max(self.relative * x.abs());
        // What the decimals of the texts cannot tell apart is equal: 1.1 and 1 within 0.1. Differences of integers are exact:
        // identifiers of 64 bits that differ by 1 are not equal within 0.1.
        let (apart, rounded) = match (a.parse::<i128>(), b.parse::<i128>()) {
            (Ok(m), Ok(n)) => (m.abs_diff(n) as f64, most),
            _ => ((x - y).abs(), x.abs().max(y.abs())),
        };
        most > 0.0 && x.is_finite() && y.is_finite() && apart <= most + 4.0 * f64::EPSILON * rounded
    }
}

/// Whether two numbers of JSON are exactly equal.
pub fn same_decimal(a: &str, b: &str) -> bool {
    Decimal::read(a).is_some_and(|x| Decimal::read(b) == Some(x))
}

/// The exact value of a JSON number.
struct Decimal<'t> {
    negative: bool,
    /// From the first digit that is not zero to the last; a point may be among them.
    digits: &'t str,
    /// The power of ten that the first digit counts.
    power: i64,
}

impl<'t> Decimal<'t> {
    /// Nothing if the exponent is beyond 64 bits.
    fn read(text: &'t str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (negative, mantissa) = mantissa.strip_prefix('-').map_or((false, mantissa), |rest| (true, rest));
        let digits = mantissa.trim_matches(['0', '.']);
        if digits.is_empty() {
            return Some(Decimal { negative: false, digits, power: 0 });
        }
        let point = mantissa.find('.').unwrap_or(mantissa.len()) as i64;
        let first = mantissa.find(|c| !matches!(c, '0' | '.'))? as i64;
        let power = exponent.parse::<i64>().ok()?.checked_add(point - first - i64::from(first < point))?;
        Some(Decimal { negative, digits, power })
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        let [a, b] = [self, other].map(|n| n.digits.bytes().filter(|c| *c != b'.'));
        (self.negative, self.power) == (other.negative, other.power) && a.eq(b)
    }
}

struct Walk<'r> {
    rules: &'r Equality,
    steps: usize,
    path: String,
    found: Option<String>,
}

impl Walk<'_> {
    /// Whether two values are equal; nothing if there is too much to compare.
    fn same(&mut self, a: &Value, b: &Value) -> Option<bool> {
        self.steps += 1;
        if self.steps > STEPS {
            return None;
        }
        match (a, b) {
            (Value::Object(x), Value::Object(y)) => self.objects(x, y),
            (Value::Array(x), Value::Array(y)) => self.lists(x, y),
            (Value::Number(x), Value::Number(y)) if self.rules.numbers(x, y) => Some(true),
            (Value::Number(_), Value::Number(_)) => self.differ("another number"),
            _ if a == b => Some(true),
            _ if a.kind() == b.kind() => self.differ("another value"),
            _ => self.differ(&format!("expected {}, got {}", a.kind(), b.kind())),
        }
    }

    fn differ(&mut self, what: &str) -> Option<bool> {
        if self.found.is_none() {
            let path: String = self.path.chars().take(200).collect();
            self.found = Some(format!("{path}: {what}"));
        }
        Some(false)
    }

    /// Compares below a step of the path.
    fn below(&mut self, step: &str, a: &Value, b: &Value) -> Option<bool> {
        let length = self.path.len();
        self.path.push_str(step);
        let same = self.same(a, b);
        self.path.truncate(length);
        same
    }

    fn objects(&mut self, a: &[(Cow<str>, Value)], b: &[(Cow<str>, Value)]) -> Option<bool> {
        let (a, b) = (members(a), members(b));
        if !self.rules.subset {
            if let Some(extra) = b.keys().find(|name| !a.contains_key(*name)) {
                return self.differ(&format!("unexpected member \"{extra}\""));
            }
        }
        for (name, x) in &a {
            let Some(y) = b.get(name) else { return self.differ(&format!("no member \"{name}\"")) };
            if !self.below(&format!(".{name}"), x, y)? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn lists(&mut self, a: &[Value], b: &[Value]) -> Option<bool> {
        if a.len() > b.len() || (a.len() < b.len() && !self.rules.subset) {
            return self.differ(&format!("expected {} elements, got {}", a.len(), b.len()));
        }
        if self.rules.ignore_order {
            return self.multisets(a, b);
        }
        let mut rest = b.iter();
        for (i, x) in a.iter().enumerate() {
            let step = format!("[{i}]");
            let mut found = false;
            for y in rest.by_ref() {
                found = self.below(&step, x, y)?;
                if found || !self.rules.subset {
                    break;
                }
            }
            if !found {
                return self.differ("no such element");
            }
        }
        self.found = None; // of elements that were passed over
        Some(true)
    }

    /// Whether each element of `a` has an element of `b` of its own: a matching by
    /// augmenting paths, because equality within a tolerance is not transitive.
    fn multisets(&mut self, a: &[Value], b: &[Value]) -> Option<bool> {
        let mut equal = Vec::with_capacity(a.len());
        for x in a {
            let mut row = Vec::new();
            for (j, y) in b.iter().enumerate() {
                if self.same(x, y)? {
                    row.push(j);
                }
            }
            equal.push(row);
        }
        self.found = None;
        let mut matching = Matching::new(b.len());
        let mut left = STEPS.saturating_sub(self.steps);
        for i in 0..a.len() {
            if !matching.assign(i, &equal, &mut left)? {
                return self.differ(&format!("no element equals [{i}]"));
            }
        }
        self.steps = STEPS - left;
        Some(true)
    }
}

/// The members of an object by name; the last of several.
fn members<'v, 'a>(list: &'v [(Cow<'a, str>, Value<'a>)]) -> BTreeMap<&'v str, &'v Value<'a>> {
    list.iter().map(|(name, value)| (&**name, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rubric_host_sdk::parse;

    fn compare(rules: Equality, a: &str, b: &str) -> Found {
        rules.compare(&parse(a).unwrap(), &parse(b).unwrap())
    }

    #[test]
    fn equality_of_values() {
        let strict = Equality::default();
        let subset = Equality { subset: true, ..strict };
        let unordered = Equality { ignore_order: true, ..strict };
        let both = Equality { subset: true, ..unordered };
        let near = Equality { tolerance: 0.6, ..unordered };
        let tenth = Equality { tolerance: 0.1, ..strict };
        let share = Equality { relative: 0.1, ..strict };
        for (rules, a, b, want) in [
            (strict, "1", "1.0", true),
            (strict, "1e2", "100", true),
            (strict, "-0", "0", true),
            (strict, "9007199254740993", "9007199254740992", false),
            (tenth, "9007199254740993", "9007199254740992", false),
            (tenth, "-12345678901234567890", "-12345678901234567891", false),
            (Equality { tolerance: 1.0, ..strict }, "9007199254740993", "9007199254740992", true),
            (Equality { relative: 0.29, ..strict }, "100", "129", true),
            (strict, "1e400", "2e400", false),
            (strict, "1e400", "1e400", true),
            (strict, "1e400", "10.0E+399", true),
            (strict, "1e400", "1e401", false),
            (strict, "1e-400", "0", false),
            (strict, "-0.0e5", "0", true),
            (strict, "-0.05", "-5e-2", true),
            (strict, "0.05", "-5e-2", false),
            (strict, "0.1", "0.10000000000000000555", false),
            (strict, "12345678901234567890.5", "12345678901234567890.25", false),
            (strict, "120.50", "1.205e2", true),
            (strict, "12.05", "1.205e2", false),
            (strict, "9007199254740993", "9007199254740993.0", true),
            (strict, "1e99999999999999999999", "2e99999999999999999999", false),
            (tenth, "1e400", "1e401", false),
            (share, "0.30000000000000004", "0.3", true),
            (strict, "true", "1", false),
            (strict, "null", "false", false),
            (strict, r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, true),
            (strict, r#"{"a":1,"a":2}"#, r#"{"a":2}"#, true),
            (strict, r#"{"a":1}"#, r#"{"a":1,"b":2}"#, false),
            (subset, r#"{"a":1}"#, r#"{"a":1,"b":2}"#, true),
            (subset, "[1,3]", "[1,2,3]", true),
            (subset, "[3,1]", "[1,2,3]", false),
            (both, "[3,1]", "[1,2,3]", true),
            (both, "[3,3]", "[1,2,3]", false),
            (strict, "[1,2]", "[2,1]", false),
            (unordered, "[[1,2],3]", "[3,[2,1]]", true),
            (unordered, "[1,1,2]", "[1,2,2]", false),
            (tenth, "1", "1.1", true),
            (tenth, "1", "1.1000001", false),
            (share, "0.7", "0.77", true),
            // 0.5 must give 0 to 1, for which nothing else is near.
            (near, "[0.5,0]", "[0,1]", true),
            (near, "[0,0.5,1]", "[1,0,0.5]", true),
        ] {
            let found = compare(rules, a, b);
            assert_eq!(found == Found::Equal, want, "{a} {b} {rules:?}: {found:?}");
        }
    }

    #[test]
    fn a_difference_has_its_path() {
        let found = compare(Equality::default(), r#"{"a":[{"b":"x"}]}"#, r#"{"a":[{"b":"y"}]}"#);
        assert_eq!(found, Found::Differs("$.a[0].b: another value".into()));
    }

    #[test]
    fn lists_without_order_are_bounded() {
        let list = |n: usize| format!("[{}]", (0..n).map(|i| i.to_string()).collect::<Vec<_>>().join(","));
        let rules = Equality { ignore_order: true, ..Equality::default() };
        assert_eq!(compare(rules, &list(1000), &list(1000)), Found::Equal);
        assert_eq!(compare(rules, &list(3000), &list(3000)), Found::TooLarge);
    }
}
