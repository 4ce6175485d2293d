//! `numeric`: a number in the output equals that of a reference.

use crate::{clip, one_if, unknown, Take, Texts};
use rubric_host_sdk::{Answer, Error, Object, Request, Result, Value};
use rubric_host_text::is_space;

/// A number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// Without the percent sign.
    pub value: f64,
    pub percent: bool,
}

/// What a comma is.
#[derive(Clone, Copy, PartialEq)]
pub enum Comma {
    Thousands,
    Decimal,
}

/// The most numbers of a text that are looked at.
const NUMBERS: usize = 100_000;

pub fn numeric(request: &Request) -> Result<Answer> {
    let config = request.config();
    let take = Take::read(request)?;
    let comma = match config.text("decimal", "point")? {
        "point" => Comma::Thousands,
        "comma" => Comma::Decimal,
        other => return Err(unknown("decimal", other, "point or comma")),
    };
    let size = |name| match config.number(name, 0.0)? {
        n if n >= 0.0 => Ok(n),
        _ => Err(Error::new(format!("config {name} is negative; use 0 or more"))),
    };
    let (tolerance, relative) = (size("tolerance")?, size("relative_tolerance")?);
    let percent = config.text("percent", "fraction")?;
    let value = |n: Number| match (percent, n.percent) {
        ("fraction", true) => n.value / 100.0,
        _ => n.value,
    };
    if !matches!(percent, "fraction" | "number") {
        return Err(unknown("percent", percent, "fraction or number"));
    }
    let graded = config.flag("graded", false)?;
    let texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(unscored) => return Ok(unscored),
    };
    let mut wanted = Vec::new();
    for reference in &texts.references {
        let found = numbers(reference, comma);
        match found[..] {
            [n] if n.value.is_finite() => wanted.push(value(n)),
            [] => return Ok(Answer::unscored(format!("a reference has no number: \"{}\"", clip(reference)))),
            [_] => return Ok(Answer::unscored("a reference has a number that is too large")),
            _ => return Ok(Answer::unscored(format!("a reference has several numbers: \"{}\"", clip(reference)))),
        }
    }
    let found = numbers(texts.output, comma);
    if found.len() == NUMBERS {
        return Ok(Answer::unscored(format!("the output has {NUMBERS} numbers or more")));
    }
    let taken = take.of(&found);
    if taken.is_empty() {
        let several = take == Take::Only && !found.is_empty();
        return Ok(Answer::score(0.0).reason(if several { "the output has several numbers" } else { "the output has no number" }));
    }
    if taken.iter().any(|n| !n.value.is_finite()) {
        return Ok(Answer::unscored("the output has a number that is too large"));
    }
    let mut best = (-1.0, 0.0, 0.0);
    for got in taken.iter().map(|n| value(*n)) {
        for want in &wanted {
            let score = if graded { closeness(*want, got) } else { one_if(close(*want, got, tolerance, relative)) };
            if score > best.0 {
                best = (score, got, *want);
            }
        }
    }
    let mut details = Object::new();
    details.num("number", best.1).num("expected", best.2);
    Ok(Answer::score(best.0).details(details))
}

/// Equal within a tolerance; what the decimals of the input cannot tell apart is equal.
fn close(want: f64, got: f64, tolerance: f64, relative: f64) -> bool {
    let most = tolerance.max(relative * want.abs());
    let noise = if most > 0.0 { 4.0 * f64::EPSILON * want.abs().max(got.abs()) } else { 0.0 };
    (want - got).abs() <= most + noise
}

/// autoevals' NumericDiff: 1 - |a - b| / (|a| + |b|).
fn closeness(a: f64, b: f64) -> f64 {
    // Halves, so that the sum stays finite.
    let (a, b) = (a / 2.0, b / 2.0);
    if a == b { 1.0 } else { (1.0 - (a - b).abs() / (a.abs() + b.abs())).max(0.0) }
}

/// The numbers in a text.
pub fn numbers(text: &str, comma: Comma) -> Vec<Number> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() && found.len() < NUMBERS {
        match read(&chars, at, comma) {
            Some((number, end)) => {
                found.push(number);
                at = end;
            }
            None => {
                at += 1;
                // The rest of a word such as B12 or 3rd is no number.
                if joins(chars[at - 1]) {
                    while at < chars.len() && (joins(chars[at]) || chars[at] == '_') {
                        at += 1;
                    }
                }
            }
        }
    }
    found
}

/// Whether a character makes one word with a number beside it, as in B12. Scripts without
/// spaces between words do not.
fn joins(c: char) -> bool {
    let spaceless = matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}');
    c.is_alphanumeric() && !(spaceless && digit(c).is_none())
}

pub fn digit(c: char) -> Option<char> {
    match c {
        '0'..='9' => Some(c),
        '\u{ff10}'..='\u{ff19}' => char::from_digit(c as u32 - 0xff10, 10),
        '\u{660}'..='\u{669}' => char::from_digit(c as u32 - 0x660, 10),
        '\u{6f0}'..='\u{6f9}' => char::from_digit(c as u32 - 0x6f0, 10),
        '\u{966}'..='\u{96f}' => char::from_digit(c as u32 - 0x966, 10),
        _ => None,
    }
}

pub fn fraction(c: char) -> Option<f64> {
    const LIST: [(char, f64, f64); 18] = [
        ('½', 1.0, 2.0), ('⅓', 1.0, 3.0), ('⅔', 2.0, 3.0), ('¼', 1.0, 4.0), ('¾', 3.0, 4.0), ('⅕', 1.0, 5.0),
        ('⅖', 2.0, 5.0), ('⅗', 3.0, 5.0), ('⅘', 4.0, 5.0), ('⅙', 1.0, 6.0), ('⅚', 5.0, 6.0), ('⅐', 1.0, 7.0),
        ('⅛', 1.0, 8.0), ('⅜', 3.0, 8.0), ('⅝', 5.0, 8.0), ('⅞', 7.0, 8.0), ('⅑', 1.0, 9.0), ('⅒', 1.0, 10.0),
    ];
    LIST.iter().find(|f| f.0 == c).map(|f| f.1 / f.2)
}

/// A number that starts at a place, and where it ends.
fn read(chars: &[char], start: usize, comma: Comma) -> Option<(Number, usize)> {
    let get = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let before = start.checked_sub(1).map_or(' ', |i| chars[i]);
    let mut at = start;
    let sign = match get(at) {
        '-' | '\u{2212}' | '\u{ff0d}' | '\u{2013}' => -1.0,
        '+' => 1.0,
        _ => 0.0,
    };
    if sign != 0.0 {
        // Between numbers or words it is a dash.
        if joins(before) || matches!(before, ')' | '%') {
            return None;
        }
        at += 1;
        while matches!(get(at), '$' | '€' | '£' | '¥' | '₹' | ' ') && at - start < 3 {
            at += 1;
        }
    } else if joins(before) || before == '_' {
        return None;
    }
    let (point, group) = if comma == Comma::Decimal { (',', '.') } else { ('.', ',') };
    let mut text = String::new();
    let from = at;
    while let Some(d) = digit(get(at)) {
        text.push(d);
        at += 1;
    }
    // Groups of three, or of two before the last three.
    if (1..=3).contains(&(at - from)) {
        let separator = get(at);
        if separator == group || matches!(separator, '\u{a0}' | '\u{202f}' | '\u{2009}' | '\'' | '\u{2019}' | '_' | '\u{66c}') {
            let (mut all, mut end, mut last) = (text.clone(), at, 0);
            while get(end) == separator {
                let digits: String = (end + 1..end + 5).map_while(|i| digit(get(i))).collect();
                if !(2..=3).contains(&digits.len()) || last == 2 && !matches!(digits.len(), 2 | 3) {
                    break;
                }
                last = digits.len();
                end += 1 + last;
                all.push_str(&digits);
                if last == 3 && get(end) != separator {
                    break;
                }
            }
            if last == 3 && digit(get(end)).is_none() {
                (text, at) = (all, end);
            }
        }
    }
    let whole = at > from;
    if get(at) == point || (get(at) == '\u{66b}') {
        let mut end = at + 1;
        let mut part = String::new();
        while let Some(d) = digit(get(end)) {
            part.push(d);
            end += 1;
        }
        // 1.2.3 is a version or a date.
        if !part.is_empty() && !(get(end) == point && digit(get(end + 1)).is_some()) {
            if !whole {
                text.push('0');
            }
            text.push('.');
            text.push_str(&part);
            at = end;
        } else if !part.is_empty() {
            return None;
        }
    }
    let mut extra = 0.0;
    let mut over = None;
    let slash = if get(at) == ' ' { at + 1 } else { at };
    if let Some(f) = fraction(get(at)).or_else(|| fraction(get(slash)).filter(|_| whole)) {
        at = if fraction(get(at)).is_some() { at + 1 } else { slash + 1 };
        extra = f;
        if text.is_empty() {
            text.push('0');
        }
    } else if text.is_empty() {
        return None;
    } else if get(at) == '/' || get(at) == '\u{2044}' {
        let digits: String = (at + 1..at + 20).map_while(|i| digit(get(i))).collect();
        let end = at + 1 + digits.len();
        // 3/4/2024 is a date.
        if !digits.is_empty() && digits.len() < 19 && get(end) != '/' && !joins(get(end)) {
            over = Value::Number(&digits).as_f64().filter(|d| *d != 0.0);
            if over.is_some() {
                at = end;
            }
        }
    }
    let mut exponent = String::new();
    if matches!(get(at), 'e' | 'E') {
        exponent = exponent_at(chars, at + 1).unwrap_or_default();
        if !exponent.is_empty() {
            at += 1 + exponent.len();
        }
    } else {
        // 3 x 10^8
        let mut end = at;
        while get(end) == ' ' {
            end += 1;
        }
        if matches!(get(end), '×' | '·' | 'x') {
            end += 1;
            while get(end) == ' ' {
                end += 1;
            }
            if get(end) == '1' && get(end + 1) == '0' && get(end + 2) == '^' {
                let braced = get(end + 3) == '{';
                exponent = exponent_at(chars, end + 3 + usize::from(braced)).unwrap_or_default();
                if !exponent.is_empty() {
                    at = end + 3 + 2 * usize::from(braced) + exponent.len();
                }
            }
        }
    }
    if !exponent.is_empty() {
        text.push('e');
        text.push_str(&exponent);
    }
    let mut end = at;
    while end - at < 2 && is_space(get(end)) && get(end) != '\n' {
        end += 1;
    }
    let word: String = (end..end + 7).map(get).collect();
    let percent = matches!(get(end), '%' | '\u{ff05}' | '\u{66a}') || (word == "percent" && !joins(get(end + 7)));
    if percent {
        at = end + if word == "percent" { 7 } else { 1 };
    } else if get(end) == '\\' && get(end + 1) == '%' {
        return finish(&text, extra, over, sign, true, end + 2);
    }
    finish(&text, extra, over, sign, percent, at)
}

fn finish(text: &str, extra: f64, over: Option<f64>, sign: f64, percent: bool, end: usize) -> Option<(Number, usize)> {
    let n = (Value::Number(text).as_f64()? + extra) / over.unwrap_or(1.0);
    Some((Number { value: if sign < 0.0 { -n } else { n }, percent }, end))
}

/// A sign and up to six digits.
fn exponent_at(chars: &[char], from: usize) -> Option<String> {
    let mut text = String::new();
    let mut at = from;
    if let Some(c) = chars.get(at).filter(|c| matches!(c, '+' | '-')) {
        text.push(*c);
        at += 1;
    }
    let digits: String = chars.iter().skip(at).take(6).map_while(|c| c.is_ascii_digit().then_some(*c)).collect();
    let ends = !chars.get(at + digits.len()).is_some_and(|c| joins(*c));
    (!digits.is_empty() && ends).then(|| text + &digits)
}
