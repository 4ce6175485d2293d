//! Values of Python that tests and answers hold: plain ones, and lists, tuples and dicts of them.

use std::borrow::Cow;

/// A value.
#[derive(Debug)]
pub enum Value<'a> {
    None,
    Bool(bool),
    Int(i64),
    /// An integer beyond 64 bits, as it is written.
    Long(&'a str),
    Float(f64),
    Text(Cow<'a, str>),
    List(Vec<Value<'a>>),
    Tuple(Vec<Value<'a>>),
    /// Keys and values in turns.
    Dict(Vec<Value<'a>>),
}

impl<'a> Value<'a> {
    /// Reads a number as JSON and Python write it; `None` if Python's has another form.
    pub fn number(text: &'a str) -> Option<Self> {
        if text.bytes().any(|c| matches!(c, b'.' | b'e' | b'E')) {
            return rubric_host_sdk::Value::Number(text).as_f64().map(Value::Float);
        }
        match text.parse() {
            Ok(n) => Some(Value::Int(n)),
            Err(_) if text.len() < 300 => Some(Value::Long(text)),
            Err(_) => None,
        }
    }

    /// The value as the peer reads it, in the form of Python's module marshal.
    pub fn marshal(&self, out: &mut Vec<u8>) {
        match self {
            Value::None => out.push(b'N'),
            Value::Bool(b) => out.push(if *b { b'T' } else { b'F' }),
            Value::Int(n) => match i32::try_from(*n) {
                Ok(n) => {
                    out.push(b'i');
                    out.extend(n.to_le_bytes());
                }
                Err(_) => long(out, &n.to_string()),
            },
            Value::Long(text) => long(out, text),
            Value::Float(n) => {
                out.push(b'g');
                out.extend(n.to_le_bytes());
            }
            Value::Text(s) => text(out, s),
            Value::List(items) => tagged(out, "l", items),
            Value::Tuple(items) => tagged(out, "t", items),
            Value::Dict(items) => tagged(out, "d", items),
        }
    }

    /// Whether Python finds two values equal; `None`: to tell needs more than is known here.
    pub fn equals(&self, other: &Self) -> Option<bool> {
        use Value::{Bool, Dict, Float, Int, List, Long, Text, Tuple};
        Some(match (self, other) {
            (Value::None, Value::None) => true,
            (Text(a), Text(b)) => a == b,
            (List(a), List(b)) | (Tuple(a), Tuple(b)) => return all(a, b),
            (Dict(a), Dict(b)) => return same(a, b),
            (Long(a), Long(b)) => a == b,
            (Float(a), Float(b)) => a == b,
            (Bool(_) | Int(_), Bool(_) | Int(_)) => self.whole() == other.whole(),
            (Float(a), Bool(_) | Int(_)) => whole(*a) == other.whole(),
            (Bool(_) | Int(_), Float(b)) => whole(*b) == self.whole(),
            (Float(a), Long(_)) | (Long(_), Float(a)) if a.is_finite() => return None,
            _ => false,
        })
    }

    fn whole(&self) -> Option<i64> {
        match self {
            Value::Bool(b) => Some(i64::from(*b)),
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// Whether Python takes it for true.
    pub fn is_true(&self) -> bool {
        match self {
            Value::None => false,
            Value::Bool(b) => *b,
            Value::Int(n) => *n != 0,
            Value::Long(_) => true,
            Value::Float(n) => *n != 0.0,
            Value::Text(s) => !s.is_empty(),
            Value::List(v) | Value::Tuple(v) | Value::Dict(v) => !v.is_empty(),
        }
    }
}

/// How many items and bytes of a value are shown.
const SHOWN: usize = 300;

impl Value<'_> {
    /// The tag of a list or dict, which may change.
    pub fn container(&self) -> Option<u8> {
        match self {
            Value::List(_) => Some(b'l'),
            Value::Dict(_) => Some(b'd'),
            _ => None,
        }
    }

    /// Adds the tags of the lists and dicts in a value, in the order in which they begin.
    pub fn containers(&self, to: &mut Vec<u8>) {
        to.extend(self.container());
        if let Value::List(items) | Value::Tuple(items) | Value::Dict(items) = self {
            items.iter().for_each(|v| v.containers(to));
        }
    }

    /// Python's `repr`, shortened; `None`: it depends on tables of Unicode.
    pub fn shown(&self) -> Option<String> {
        let mut out = String::new();
        match self {
            Value::Text(s) if s.len() > SHOWN => quote(&mut out, s.get(..=SHOWN)?)?,
            Value::List(items) if items.len() > SHOWN => bracketed(&mut out, &items[..SHOWN], "[", "]")?,
            Value::Tuple(items) if items.len() > SHOWN => bracketed(&mut out, &items[..SHOWN], "(", ")")?,
            _ => self.repr(&mut out)?,
        }
        Some(crate::ask::clipped(out, SHOWN))
    }

    fn repr(&self, out: &mut String) -> Option<()> {
        match self {
            Value::None => out.push_str("None"),
            Value::Bool(b) => out.push_str(if *b { "True" } else { "False" }),
            Value::Int(n) => out.push_str(&n.to_string()),
            Value::Long(text) => out.push_str(text),
            Value::Float(n) => float(out, *n),
            Value::Text(s) => quote(out, s)?,
            Value::List(items) => bracketed(out, items, "[", "]")?,
            Value::Tuple(items) => bracketed(out, items, "(", if items.len() == 1 { ",)" } else { ")" })?,
            Value::Dict(items) => {
                out.push('{');
                for (k, pair) in items.chunks_exact(2).enumerate() {
                    out.push_str(if k > 0 { ", " } else { "" });
                    pair[0].repr(out)?;
                    out.push_str(": ");
                    pair[1].repr(out)?;
                }
                out.push('}');
            }
        }
        Some(())
    }
}

fn bracketed(out: &mut String, items: &[Value], open: &str, close: &str) -> Option<()> {
    out.push_str(open);
    for (k, v) in items.iter().enumerate() {
        out.push_str(if k > 0 { ", " } else { "" });
        v.repr(out)?;
    }
    out.push_str(close);
    Some(())
}

fn quote(out: &mut String, s: &str) -> Option<()> {
    let mark = if s.contains('\'') && !s.contains('"') { '"' } else { '\'' };
    out.push(mark);
    for c in s.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            ' '..='~' => {
                out.push_str(if c == mark { "\\" } else { "" });
                out.push(c);
            }
            c if c.is_ascii() => out.push_str(&format!("\\x{:02x}", c as u32)),
            _ => return None,
        }
    }
    out.push(mark);
    Some(())
}

/// Writes a float as Python does: the shortest digits that read back as it.
fn float(out: &mut String, n: f64) {
    if !n.is_finite() {
        return out.push_str(if n.is_nan() { "nan" } else if n > 0.0 { "inf" } else { "-inf" });
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(n.abs());
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = [whole, fraction].concat();
    let significant = all.trim_start_matches('0');
    // Of the first digit, as in scientific notation.
    let exponent = exponent.parse::<i32>().unwrap_or(0) + whole.len() as i32 - 1 - (all.len() - significant.len()) as i32;
    let digits = significant.trim_end_matches('0');
    out.push_str(if n.is_sign_negative() { "-" } else { "" });
    if digits.is_empty() {
        return out.push_str("0.0");
    }
    if exponent < -4 || exponent >= 16 {
        out.push_str(&digits[..1]);
        if digits.len() > 1 {
            out.push('.');
            out.push_str(&digits[1..]);
        }
        out.push_str(if exponent < 0 { "e-" } else { "e+" });
        out.push_str(if exponent.abs() < 10 { "0" } else { "" });
        return out.push_str(&exponent.abs().to_string());
    }
    let point = exponent + 1; // digits before it
    if point <= 0 {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', -point as usize));
        return out.push_str(digits);
    }
    let point = point as usize;
    out.push_str(&digits[..point.min(digits.len())]);
    out.extend(std::iter::repeat_n('0', point.saturating_sub(digits.len())));
    out.push('.');
    out.push_str(if digits.len() > point { &digits[point..] } else { "0" });
}

/// The integer that a float is. 2^63 and beyond are no value of 64 bits.
fn whole(n: f64) -> Option<i64> {
    (n.trunc() == n && n.abs() < 9_223_372_036_854_775_808.0).then_some(n as i64)
}

fn all(a: &[Value], b: &[Value]) -> Option<bool> {
    if a.len() != b.len() {
        return Some(false);
    }
    let mut known = Some(true);
    for (x, y) in a.iter().zip(b) {
        match x.equals(y) {
            Some(false) => return Some(false),
            None => known = None,
            Some(true) => {}
        }
    }
    known
}

/// Compares dicts, whose keys are texts and integers.
fn same(a: &[Value], b: &[Value]) -> Option<bool> {
    if a.len() != b.len() {
        return Some(false);
    }
    let mut known = Some(true);
    for pair in a.chunks_exact(2) {
        let Some(other) = b.chunks_exact(2).find(|p| is_key(&p[0], &pair[0])) else {
            return Some(false);
        };
        match pair[1].equals(&other[1]) {
            Some(false) => return Some(false),
            None => known = None,
            Some(true) => {}
        }
    }
    known
}

fn is_key(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        _ => false,
    }
}

const MOST_KEYS: usize = 50;

/// Whether these are few keys with their values, and the keys different texts and integers.
pub fn pairs(items: &[Value]) -> bool {
    let keys = || items.iter().step_by(2);
    items.len() % 2 == 0 && items.len() <= 2 * MOST_KEYS && keys().enumerate().all(|(k, key)| matches!(key, Value::Text(_) | Value::Int(_)) && !keys().take(k).any(|other| is_key(other, key)))
}

/// A text in the form of marshal.
pub fn text(out: &mut Vec<u8>, s: &str) {
    out.push(b'u');
    out.extend((s.len() as u32).to_le_bytes());
    out.extend(s.as_bytes());
}

fn tagged(out: &mut Vec<u8>, tag: &str, items: &[Value]) {
    sequence(out, b'[', items.len() + 1);
    text(out, tag);
    for x in items {
        x.marshal(out);
    }
}

/// The beginning of a list or tuple in the form of marshal.
pub fn sequence(out: &mut Vec<u8>, kind: u8, items: usize) {
    out.push(kind);
    out.extend((items as u32).to_le_bytes());
}

/// An integer in the form of marshal: digits of 15 bits, the lowest first.
fn long(out: &mut Vec<u8>, text: &str) {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut number: Vec<u16> = Vec::new();
    for c in digits.bytes() {
        let mut carry = u32::from(c - b'0');
        for d in &mut number {
            carry += u32::from(*d) * 10;
            *d = (carry & 0x7fff) as u16;
            carry >>= 15;
        }
        if carry > 0 {
            number.push(carry as u16);
        }
    }
    out.push(b'l');
    let n = number.len() as i32;
    out.extend(if negative { -n } else { n }.to_le_bytes());
    for d in number {
        out.extend(d.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn floats_are_written_as_python_does() {
        for (n, want) in [
            (0.0, "0.0"), (-0.0, "-0.0"), (1.0, "1.0"), (-1.5, "-1.5"), (0.1, "0.1"), (1e15, "1000000000000000.0"), (1e16, "1e+16"), (1.5e16, "1.5e+16"), (123_456.789, "123456.789"),
            (0.0001, "0.0001"), (0.000_012_5, "1.25e-05"), (5e-324, "5e-324"), (1e22, "1e+22"), (f64::MAX, "1.7976931348623157e+308"), (f64::INFINITY, "inf"), (f64::NAN, "nan"),
        ] {
            assert_eq!(Value::Float(n).shown().as_deref(), Some(want));
        }
    }

    #[test]
    fn integers_cross_as_marshal_writes_them() {
        for (text, want) in [
            ("2147483647", &[b'i', 0xff, 0xff, 0xff, 0x7f][..]),
            ("2147483648", &[b'l', 3, 0, 0, 0, 0, 0, 0, 0, 2, 0]),
            ("-12345678901234567890123", &[b'l', 0xfb, 0xff, 0xff, 0xff, 0xcb, 0x44, 0x84, 0x62, 0xd9, 0x39, 0xb2, 0x15, 0xd4, 0x29]),
        ] {
            let mut out = Vec::new();
            Value::number(text).unwrap().marshal(&mut out);
            assert_eq!(out, want, "{text}");
        }
    }

    #[test]
    fn keys_are_different_texts_and_integers() {
        let text = |s: &'static str| Value::Text(s.into());
        assert!(super::pairs(&[text("a"), Value::Int(1), Value::Int(1), Value::Int(1)]));
        for items in [vec![text("a")], vec![text("a"), Value::Int(1), text("a"), Value::Int(2)], vec![Value::Int(1), Value::Int(2), Value::Int(1), Value::Int(2)], vec![Value::Bool(true), Value::Int(2)], vec![Value::List(vec![]), Value::Int(2)]] {
            assert!(!super::pairs(&items), "{items:?}");
        }
    }

    #[test]
    fn values_are_equal_as_in_python_or_that_is_not_known() {
        let one = || vec![Value::Int(1)];
        let text = |s: &'static str| Value::Text(s.into());
        for (a, b, want) in [
            (Value::Int(1), Value::Bool(true), Some(true)),
            (Value::Float(1.0), Value::Bool(true), Some(true)),
            (Value::Float(9_007_199_254_740_992.0), Value::Int(9_007_199_254_740_993), Some(false)),
            (Value::Float(9_223_372_036_854_775_808.0), Value::Int(i64::MAX), Some(false)),
            (Value::Float(f64::NAN), Value::Float(f64::NAN), Some(false)),
            (Value::Float(1e30), Value::Long("1000000000000000019884624838656"), None),
            (Value::List(one()), Value::Tuple(one()), Some(false)),
            (Value::Dict(vec![text("a"), Value::Int(1), text("b"), Value::Int(2)]), Value::Dict(vec![text("b"), Value::Int(2), text("a"), Value::Float(1.0)]), Some(true)),
            (Value::Dict(vec![text("a"), Value::Int(1), text("b"), Value::Int(2)]), Value::Dict(vec![text("a"), Value::Int(1), text("c"), Value::Int(2)]), Some(false)),
        ] {
            assert_eq!((a.equals(&b), b.equals(&a)), (want, want), "{a:?} {b:?}");
        }
    }
}
