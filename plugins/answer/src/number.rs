//! `numeric`: a number in the output equals that of a reference.

use crate::{clip, link, one_if, unknown, Link, Take, Texts, BEFORE};
use rubric_host_sdk::{Answer, Error, Object, Request, Result, Value};
use rubric_host_text::{after_reasoning, bound, is_space, operated, Bound};

/// A number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// Without the percent sign; NaN if it is not read.
    pub value: f64,
    pub percent: bool,
    /// Without million or dozen, in which a question may ask for it.
    bare: f64,
    sure: Sure,
    bound: Option<Bound>,
    /// Its characters in the text.
    span: (usize, usize),
    /// How it is linked to the number before.
    link: Link,
}

/// How much of a number is read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sure {
    All,
    /// All, but it is one of several that are added or multiplied.
    Operand,
    /// What is beside it makes another number of it, or it has two readings.
    Part,
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
    let percent = config.text("percent", "")?;
    let value = |n: Number| if n.percent && percent != "number" { n.value / 100.0 } else { n.value };
    if !matches!(percent, "" | "fraction" | "number") {
        return Err(unknown("percent", percent, "fraction or number"));
    }
    let graded = config.flag("graded", false)?;
    let texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(unscored) => return Ok(unscored),
    };
    let (mut wanted, mut bare, mut written, mut bounds) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for reference in &texts.references {
        let found = numbers(reference, comma);
        match found[..] {
            [n] if n.sure != Sure::All => {
                return Ok(Answer::unscored(format!("a reference cannot be read as one number: \"{}\"", clip(reference))))
            }
            [n] if n.value.is_finite() => {
                wanted.push(value(n));
                bare.push(if n.percent { value(n) } else { n.bare });
                written.push((n.percent, n.value));
                bounds.push(n.bound);
            }
            [] => return Ok(Answer::unscored(format!("a reference has no number: \"{}\"", clip(reference)))),
            [_] => return Ok(Answer::unscored("a reference has a number that is too large")),
            _ => return Ok(Answer::unscored(format!("a reference has several numbers: \"{}\"", clip(reference)))),
        }
    }
    let output = after_reasoning(texts.output).unwrap_or("").trim();
    let mut found = numbers(output, comma);
    if found.len() == NUMBERS {
        return Ok(Answer::unscored(format!("the output has {NUMBERS} numbers or more")));
    }
    // 42 of `41, not 42 or 43`, and 43.
    let mut not = false;
    found.retain(|n| {
        not = n.link == Link::Not || not && n.link == Link::Or;
        !not
    });
    let taken = take.of(&found);
    let words: String = output.chars().skip(found.last().map_or(0, |n| n.span.1)).collect();
    if taken.is_empty() && found.is_empty() && in_words(&words, &wanted, true) {
        return Ok(Answer::unscored("the output has a number in words"));
    }
    if taken.is_empty() {
        let several = take == Take::Only && !found.is_empty();
        return Ok(Answer::score(0.0).reason(if several { "the output has several numbers" } else { "the output has no number" }));
    }
    let unread = |n: &Number| {
        let text: String = output.chars().skip(n.span.0).take((n.span.1 - n.span.0 + 12).min(200)).collect();
        Ok(Answer::unscored(format!("the output has a number that is read in part only: \"{}\"", text.trim())))
    };
    if let Some(n) = taken.iter().find(|n| take != Take::Any && n.sure != Sure::All) {
        return unread(n);
    }
    if taken.iter().any(|n| n.sure != Sure::Part && !n.value.is_finite()) {
        return Ok(Answer::unscored("the output has a number that is too large"));
    }
    if let ([n], false) = (taken, take == Take::Any) {
        let is = |m: &Number| wanted.iter().any(|w| close(*w, value(*m), tolerance, relative));
        let others = alternatives(&found, if take == Take::First { 0 } else { found.len() - 1 });
        if others.iter().any(is) && !(is(n) && others.iter().all(is)) {
            return Ok(Answer::unscored("the output does not choose one of its numbers"));
        }
    }
    let (mut best, mut bounded) = ((-1.0, 0.0, 0.0), false);
    for n in taken.iter().filter(|n| n.sure != Sure::Part) {
        let got = value(*n);
        for (want, bound) in wanted.iter().zip(&bounds) {
            if n.bound != *bound && close(*want, got, tolerance, relative) {
                bounded = true;
                continue;
            }
            let score = if graded { closeness(*want, got) } else { one_if(close(*want, got, tolerance, relative)) };
            if score > best.0 {
                best = (score, got, *want);
            }
        }
    }
    if best.0 < 1.0 && bounded {
        return Ok(Answer::unscored("one of two equal numbers is a bound: at least, more than, almost, ..."));
    }
    // Of several, one that is read in part may be the right one.
    let near = |n: f64| wanted.iter().any(|w| n.is_nan() || close(*w, n, tolerance, relative));
    if let Some(n) = taken.iter().find(|n| best.0 < 1.0 && n.sure == Sure::Part && (near(value(**n)) || near(-value(**n)))) {
        return unread(n);
    }
    let counted = taken.iter().any(|n| {
        let counts = |(w, b): (&f64, &f64)| n.bare != n.value && close(*w, n.bare, tolerance, relative) || b != w && close(*b, n.value, tolerance, relative);
        !n.percent && wanted.iter().zip(&bare).any(counts)
    });
    if best.0 < 1.0 && counted {
        return Ok(Answer::unscored("one of two equal numbers counts in dozens, thousands or millions"));
    }
    // 50% for 50: the question may ask for the percentage.
    let as_written = |n: &Number| written.iter().any(|(percent, w)| n.percent != *percent && close(*w, n.value, tolerance, relative));
    if best.0 < 1.0 && percent.is_empty() && taken.iter().any(as_written) {
        return Ok(Answer::unscored("one of two equal numbers is a percentage; set percent to number or fraction"));
    }
    if best.0 < 1.0 && in_words(&words, &wanted, false) {
        return Ok(Answer::unscored("the output has a number in words"));
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

/// Whether a text has one of the numbers as a word; with `parts`, or words that make numbers of several: a half.
fn in_words(text: &str, wanted: &[f64], parts: bool) -> bool {
    const WORDS: [&str; 28] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
        "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    const PARTS: [&str; 9] = ["hundred", "thousand", "million", "billion", "dozen", "half", "third", "quarter", "pi"];
    let pi = |c| c == '\u{3c0}';
    text.split(|c: char| !c.is_alphabetic()).map(str::to_ascii_lowercase).any(|word| match WORDS.iter().position(|w| *w == word) {
        Some(n) => wanted.contains(&if n > 20 { 10.0 * (n as f64 - 18.0) } else { n as f64 }) && (parts || n != 1) || parts && n >= 20,
        None => parts && (PARTS.contains(&word.as_str()) || word.contains(pi)),
    })
}

/// The numbers that `or` joins with one of them: 7, 8 and 9 of `7, 8 or 9`.
fn alternatives(found: &[Number], at: usize) -> &[Number] {
    let (mut from, mut to) = (at, at + 1);
    while from > 0 && found[from].link == Link::Or {
        from -= 1;
    }
    while to < found.len() && found[to].link == Link::Or {
        to += 1;
    }
    &found[from..to]
}

/// autoevals' NumericDiff: 1 - |a - b| / (|a| + |b|).
fn closeness(a: f64, b: f64) -> f64 {
    // Halves, so that the sum stays finite.
    let (a, b) = (a / 2.0, b / 2.0);
    if a == b { 1.0 } else { (1.0 - (a - b).abs() / (a.abs() + b.abs())).max(0.0) }
}

/// The numbers in a text.
pub fn numbers(text: &str, comma: Comma) -> Vec<Number> {
    let ascii = |c| match c {
        '\u{ff05}'..='\u{ff0f}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        c => c,
    };
    let chars: Vec<char> = text.chars().map(ascii).collect();
    let reader = Reader { chars: &chars, comma };
    let mut found: Vec<Number> = Vec::new();
    let mut at = 0;
    // Those that number the items of a list, and the last of them.
    let (mut items, mut item): (Vec<usize>, Option<(usize, f64)>) = (Vec::new(), None);
    // Where an operand must start, after a sign of operation.
    let mut operand = None;
    let mut between_two = false;
    while at < chars.len() && found.len() < NUMBERS {
        let c = chars[at];
        if matches!(c, '^' | '_') && !reader.digit(at + 1) || c == '^' {
            // Exponents and subscripts are no numbers of their own.
            at = reader.argument(at + 1);
            continue;
        }
        let from = at;
        match reader.read(at, false) {
            Some((mut number, end)) => {
                number.span = (from, end);
                let between = found.last().map_or(0, |n| n.span.1).max(from.saturating_sub(BEFORE));
                let before: String = chars[between..from].iter().collect();
                number.link = link(&before);
                let after: String = chars[end..].iter().take(16).collect();
                number.bound = bound(&before, &after);
                let trimmed = before.trim_end_matches([' ', '{', '(']).to_ascii_lowercase();
                // The modulus of 2 (mod 7), and 5 mod 3.
                if trimmed.rsplit(|c: char| !c.is_ascii_alphabetic()).next().is_some_and(|w| matches!(w, "mod" | "modulo" | "pmod" | "bmod")) {
                    if let Some(first) = found.last_mut().filter(|_| !before.contains(['(', 'p'])) {
                        first.sure = Sure::Part;
                    }
                    at = end;
                    continue;
                }
                // Between 5 and 6.
                if between_two && trimmed.trim_start_matches(|c: char| !c.is_ascii_alphabetic()) == "and" {
                    number.link = Link::Or;
                }
                between_two = trimmed.ends_with("between");
                if number.sure == Sure::All && (reader.symbolic(from, end, &before) || operated(&before, &after)) {
                    number.sure = Sure::Part;
                }
                match before.trim().to_ascii_lowercase() {
                    b if b.ends_with("negative") => number.negate(),
                    b if b == "minus" && !found.is_empty() => number.sure = Sure::Operand,
                    b if b.ends_with("minus") => number.negate(),
                    _ => {}
                }
                // 555-1234, GPT-4
                let hyphen = from > 1 && matches!(chars[from - 1], '-' | '\u{2013}');
                if hyphen && (digit(chars[from - 2]).is_some() || chars[from - 1] == '-' && joins(chars[from - 2])) {
                    number.sure = Sure::Part;
                    if let Some(first) = found.last_mut().filter(|n| n.span.1 + 1 == from) {
                        first.sure = Sure::Part;
                    }
                }
                if reader.heads_item(from, end) {
                    let next = item.filter(|(_, n)| number.value == n + 1.0);
                    items.extend(next.map(|(i, _)| i).filter(|i| items.last() != Some(i)));
                    items.extend(next.map(|_| found.len()));
                    item = (next.is_some() || number.value == 1.0).then_some((found.len(), number.value));
                }
                if number.sure == Sure::All && operand == Some(from) {
                    number.sure = Sure::Operand;
                }
                operand = reader.operation(end);
                if operand.is_some() && number.sure == Sure::All {
                    number.sure = Sure::Operand;
                }
                at = end;
                found.push(number);
            }
            None if joins(c) => {
                // The rest of a word such as B12 or 3rd is no number; that of USD18 is one.
                let end = (at..chars.len()).find(|i| !joins(chars[*i]) && chars[*i] != '_').unwrap_or(chars.len());
                let letters = (at..end).find(|i| !chars[*i].is_ascii_uppercase()).unwrap_or(end);
                let code: String = chars[at..letters.min(at + 4)].iter().collect();
                at = match CURRENCIES.contains(&code.as_str()).then(|| reader.read(letters, true)).flatten() {
                    Some((number, end)) => {
                        found.push(Number { span: (from, end), ..number });
                        end
                    }
                    None if digit(c).is_some() => reader.glued(at).1,
                    None if chars[end - 1] == '_' => reader.argument(end),
                    None => reader.function(at, end, &mut found),
                };
            }
            None => at += 1,
        }
    }
    if found.len() < NUMBERS {
        let (mut at, mut items) = (0, items.into_iter().peekable());
        found.retain(|_| {
            at += 1;
            items.next_if_eq(&(at - 1)).is_none()
        });
    }
    found
}

impl Number {
    fn negate(&mut self) {
        (self.value, self.bare) = (-self.value, -self.bare);
    }
}

/// Whether a character makes one word with a number beside it, as in B12. Scripts without
/// spaces between words do not.
pub fn joins(c: char) -> bool {
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

const CURRENCIES: [&str; 12] = ["USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD", "RMB", "US", "RS"];

/// Words after a number, and the power of ten that they are.
const SCALES: [(&str, i32); 25] = [
    ("hundred", 2), ("thousand", 3), ("million", 6), ("millions", 6), ("billion", 9), ("billions", 9), ("trillion", 12), ("trillions", 12),
    ("mn", 6), ("mln", 6), ("bn", 9), ("tn", 12), ("lakh", 5), ("crore", 7), ("tausend", 3), ("millionen", 6), ("mio", 6), ("milliarde", 9),
    ("milliarden", 9), ("mrd", 9), ("mille", 3), ("milliard", 9), ("milliards", 9), ("mil", 3), ("millones", 6),
];

const MYRIADS: [(char, i32); 7] = [('千', 3), ('万', 4), ('萬', 4), ('만', 4), ('亿', 8), ('億', 8), ('억', 8)];

/// A number of digits, as text, and where it ends.
enum Digits {
    Number(String, usize),
    /// Digits, commas and points that are no one number: 5,00 or 10:30.
    Part(usize),
}

struct Reader<'c> {
    chars: &'c [char],
    comma: Comma,
}

impl Reader<'_> {
    fn get(&self, at: usize) -> char {
        self.chars.get(at).copied().unwrap_or('\0')
    }

    fn digit(&self, at: usize) -> bool {
        digit(self.get(at)).is_some()
    }

    /// Where a text ends that is at a place.
    fn eat(&self, at: usize, text: &str) -> Option<usize> {
        let mut end = at;
        for c in text.chars() {
            if self.get(end) != c {
                return None;
            }
            end += 1;
        }
        Some(end)
    }

    fn eat_any(&self, at: usize, texts: &[&str]) -> Option<usize> {
        texts.iter().find_map(|t| self.eat(at, t))
    }

    /// Past at most two spaces, of LaTeX too.
    fn space(&self, mut at: usize) -> usize {
        for _ in 0..2 {
            at = match self.get(at) {
                c if is_space(c) && c != '\n' => at + 1,
                '~' => at + 1,
                '\\' if matches!(self.get(at + 1), ',' | ' ' | ';') => at + 2,
                _ => return at,
            };
        }
        at
    }

    /// The lower-case word at a place, and where it ends.
    fn word(&self, at: usize) -> (String, usize) {
        let end = (at..at + 12).find(|i| !joins(self.get(*i))).unwrap_or(at + 12);
        let end = if joins(self.get(end)) { at } else { end };
        (self.chars[at.min(self.chars.len())..end.min(self.chars.len())].iter().flat_map(|c| c.to_lowercase()).collect(), end)
    }

    /// Where an argument in braces ends, or the digits at a place.
    fn argument(&self, at: usize) -> usize {
        if self.get(at) == '{' {
            let mut depth = 0;
            for i in at..at + 200 {
                match self.get(i) {
                    '{' => depth += 1,
                    '}' if depth == 1 => return i + 1,
                    '}' => depth -= 1,
                    _ => {}
                }
            }
        }
        let from = at + usize::from(matches!(self.get(at), '-' | '+' | '\u{2212}'));
        (from..from + 20).find(|i| !joins(self.get(*i))).unwrap_or(from + 20).min(self.chars.len()).max(at.min(self.chars.len()))
    }

    /// The signs among the digits at a place, and where these end: 3/4/2024.
    fn glued(&self, at: usize) -> (String, usize) {
        let mut signs = String::new();
        let mut end = at;
        // Long enough for dates and versions.
        while end < at + 64 && (self.digit(end) || matches!(self.get(end), '.' | ',' | ':' | '/' | '-') && self.digit(end + 1) && end > 0 && self.digit(end - 1)) {
            if !self.digit(end) {
                signs.push(self.get(end));
            }
            end += 1;
        }
        (signs, end)
    }

    /// Digits with signs of thousands and a decimal separator.
    fn digits(&self, start: usize) -> Option<Digits> {
        let (point, group) = if self.comma == Comma::Decimal { (',', '.') } else { ('.', ',') };
        let mut text = String::new();
        let mut at = start;
        while let Some(d) = digit(self.get(at)) {
            text.push(d);
            at += 1;
        }
        if (1..=3).contains(&text.len()) {
            let latex: &[&str] = if group == ',' { &["{,}", ",\\!", "\\,", "{\\,}", "\\ "] } else { &["{.}", "\\,"] };
            let c = self.get(at);
            let latex = if matches!(c, '{' | ',' | '\\') { latex } else { &[] };
            let mark = latex.iter().find_map(|m| self.eat(at, m)).map(|end| end - at).or_else(|| {
                let space = c == ' ' && !text.starts_with('0');
                (c == group || space || matches!(c, '\u{a0}' | '\u{202f}' | '\u{2009}' | '\'' | '\u{2019}' | '_' | '\u{66c}')).then_some(1)
            });
            if let Some(length) = mark {
                let same = |end: usize| (0..length).all(|i| self.get(end + i) == self.get(at + i));
                let (mut all, mut end, mut last) = (text.clone(), at, 0);
                // Groups of three, or of two before the last three.
                while same(end) {
                    let digits: String = (end + length..end + length + 4).map_while(|i| digit(self.get(i))).collect();
                    let two = digits.len() == 2 && self.get(at) == group && length == 1;
                    if digits.len() != 3 && !two || last == 3 && two {
                        break;
                    }
                    last = digits.len();
                    end += length + last;
                    all.push_str(&digits);
                }
                if last == 3 && !self.digit(end) && !(self.get(at) == ' ' && self.get(end) == ' ' && self.digit(end + 1)) {
                    // 100 200 300 may be three numbers.
                    if self.get(at) == ' ' && text.len() == 3 && end > at + 4 {
                        return Some(Digits::Part(end));
                    }
                    (text, at) = (all, end);
                }
            }
        }
        let (signs, glued) = self.glued(at.max(start + 1) - 1);
        let (dots, others) = (signs.matches(point).count(), signs.chars().filter(|c| *c != point).count());
        let in_list = start > 1 && self.get(start - 1) == ',' && self.digit(start - 2);
        let list = (signs.len() > 1 || in_list) && signs.chars().all(|c| c == ',') && point == '.';
        if at > start && signs.chars().all(|c| matches!(c, '.' | ',' | ':')) && !list && (dots > 1 || others > 0) {
            // 1.2.3 is a version.
            return if dots > 1 && others == 0 { None } else { Some(Digits::Part(glued)) };
        }
        if at > start && signs.len() > 1 && signs.chars().all(|c| c == signs.chars().next().unwrap_or(c)) && signs.starts_with(['-', '/']) {
            return Some(Digits::Part(glued));
        }
        if (self.get(at) == point || self.get(at) == '\u{66b}') && (self.digit(at + 1) || at > start && matches!(self.get(at + 1), 'e' | 'E')) {
            if text.is_empty() {
                text.push('0');
            }
            text.push('.');
            at += 1;
            while let Some(d) = digit(self.get(at)) {
                text.push(d);
                at += 1;
            }
            if text.ends_with('.') {
                text.push('0');
            }
        }
        (at > start).then_some(Digits::Number(text, at))
    }

    /// Past a word; past the argument of a function, which is a number that is not read.
    fn function(&self, at: usize, end: usize, found: &mut Vec<Number>) -> usize {
        let open = self.space(end);
        let from = open + usize::from(self.get(open) == '(');
        let from = from + usize::from(matches!(self.get(from), '-' | '\u{2212}'));
        if !self.digit(from) {
            return end;
        }
        let name: String = self.chars[at..end.min(at + 6)].iter().collect();
        if !matches!(name.as_str(), "sqrt" | "cbrt" | "log" | "log2" | "log10" | "ln" | "exp" | "sin" | "cos" | "tan") {
            return end;
        }
        let to = self.argument(from);
        found.push(Number { value: f64::NAN, percent: false, bare: f64::NAN, sure: Sure::Part, bound: None, span: (at, to), link: Link::Other });
        to
    }

    /// Whether a sign or letter beside a number makes another one of it: 5!, 2x, 5C2, 5x3, f(5), |-5|.
    fn symbolic(&self, from: usize, end: usize, before: &str) -> bool {
        let (last, next) = (from.checked_sub(1).map_or(' ', |i| self.chars[i]), self.get(end));
        // Not the end of a sentence.
        let factorial = next == '!' && (!matches!(self.get(end + 1), ' ' | '\n' | '\0') || !before.trim_end().ends_with(|c: char| c.is_alphabetic() || c == ':'));
        let letter = self.space(end);
        let alone = !self.get(self.space(letter + 1)).is_alphanumeric();
        let unknown = alone && matches!(self.get(letter), 'x' | 'y' | 'z') || letter == end && matches!(next, 'x' | 'y' | 'z' | 'n' | 'i' | 'e' | 'X' | 'Y');
        let coefficient = unknown && !joins(self.get(letter + 1));
        let code = next.is_ascii_alphabetic() && next != 'm' && self.digit(end + 1);
        let function = last == '(' && next == ')' && from > 1 && self.chars[from - 2].is_ascii_lowercase() && !(from > 2 && joins(self.chars[from - 3]));
        factorial || coefficient || code || function || last == '|' && next == '|' && self.get(from) == '-'
    }

    /// Whether a number heads an item of a list: 2 of `2. Then`, at the start of a line.
    fn heads_item(&self, from: usize, end: usize) -> bool {
        let first = self.chars[..from].iter().rev().take(8).find(|c| !matches!(c, ' ' | '*' | '#'));
        let after = self.chars[end..].iter().skip(1).find(|c| **c != '*');
        first.is_none_or(|c| *c == '\n') && matches!(self.get(end), '.' | ')') && after == Some(&' ')
    }

    /// Whether underscores before a place are those of an index, not of emphasis.
    fn subscript(&self, at: usize) -> bool {
        let base = self.chars[..at].iter().rev().take(8).find(|c| **c != '_');
        base.is_some_and(|c| joins(*c) || matches!(c, ')' | '}'))
    }

    fn plain(&self, at: usize) -> Option<(f64, usize)> {
        let sign = if matches!(self.get(at), '-' | '\u{2212}') { -1.0 } else { 1.0 };
        match self.digits(at + usize::from(sign < 0.0))? {
            Digits::Number(text, end) => Some((sign * Value::Number(&text).as_f64()?, end)),
            Digits::Part(_) => None,
        }
    }

    /// `\frac{1}{2}` or `\frac12`, and where it ends; no value if it is not of two numbers.
    fn frac(&self, at: usize) -> Option<(Option<(f64, f64)>, usize)> {
        if self.get(at) != '\\' {
            return None;
        }
        let mut end = self.eat_any(at, &["\\frac", "\\dfrac", "\\tfrac", "\\cfrac"])?;
        let mut parts = [None; 2];
        for part in &mut parts {
            if self.get(end) == '{' {
                let close = self.argument(end);
                let from = self.space(end + 1);
                *part = self.plain(from).filter(|(_, e)| self.space(*e) + 1 == close).map(|p| p.0);
                end = close;
            } else {
                *part = digit(self.get(end)).and_then(|d| d.to_digit(10)).map(f64::from);
                end += usize::from(part.is_some());
            }
        }
        Some((parts[0].zip(parts[1]).filter(|p| p.1 != 0.0), end))
    }

    /// The exponent at a place, ^{-3}, **2 or ⁻³, and where it ends; none if it is no whole
    /// number.
    fn exponent(&self, at: usize) -> Option<(Option<i32>, usize)> {
        const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
        if self.get(at).is_ascii() && !matches!(self.get(at), '^' | '*') {
            return None;
        }
        let raised = |c: char| SUPERSCRIPTS.chars().position(|s| s == c).and_then(|p| char::from_digit(p as u32, 10));
        let mut text = String::new();
        let mut end = at;
        if let Some(from) = self.eat(at, "^").or_else(|| self.eat(at, "**").filter(|e| self.digit(*e) || self.get(*e) == '-' && self.digit(*e + 1))) {
            let open = matches!(self.get(from), '{' | '(');
            end = from + usize::from(open);
            match self.get(end) {
                '-' | '\u{2212}' => text.push('-'),
                '+' => text.push('+'),
                _ => end -= 1,
            }
            end += 1;
            while let Some(d) = digit(self.get(end)).filter(|_| text.len() < 8) {
                text.push(d);
                end += 1;
            }
            let closed = !open || matches!(self.get(end), '}' | ')');
            if !closed || joins(self.get(end)) || text.parse::<i32>().is_err() {
                return Some((None, self.argument(from).max(end)));
            }
            end += usize::from(open);
        } else {
            match self.get(end) {
                '\u{207b}' => text.push('-'),
                '\u{207a}' => text.push('+'),
                _ => end = end.wrapping_sub(1),
            }
            end = end.wrapping_add(1);
            while let Some(d) = raised(self.get(end)).filter(|_| text.len() < 8) {
                text.push(d);
                end += 1;
            }
            if end == at {
                return None;
            }
        }
        Some((text.parse().ok(), end))
    }

    /// The operand after a sign of operation at a place: 3 of + 3.
    fn operation(&self, at: usize) -> Option<usize> {
        let spaced = self.space(at);
        if matches!(self.get(spaced), c if c.is_ascii_alphabetic() && c != 'x' || self.digit(spaced) || matches!(c, '.' | ',' | ')' | '\0' | '\n')) {
            return None;
        }
        let (wide, narrow) = (["+", "\u{d7}", "\u{b7}", "\u{22c5}", "\u{f7}", "*", "/", "\\times", "\\cdot", "\\div"], ["-", "\u{2212}", "\u{2013}", "x"]);
        let sign = self.eat_any(spaced, &wide).or_else(|| self.eat_any(spaced, &narrow).filter(|e| spaced > at && self.space(*e) > *e))?;
        let next = self.space(sign);
        (self.digit(next) || matches!(self.get(next), '(' | '$' | '€' | '£' | '\\')).then_some(next)
    }

    /// A number that starts at a place, and where it ends.
    fn read(&self, start: usize, coded: bool) -> Option<(Number, usize)> {
        if self.get(start).is_ascii_alphabetic() || matches!(self.get(start), ' ' | ',' | '(' | ')' | '\n') {
            return None;
        }
        let before = start.checked_sub(1).map_or(' ', |i| self.chars[i]);
        let part = |value, end| Some((Number { value, percent: false, bare: value, sure: Sure::Part, bound: None, span: (0, 0), link: Link::Other }, end));
        let mut at = start;
        let roots = if matches!(self.get(at), '\\' | '\u{221a}') { self.eat_any(at, &["\\sqrt", "\u{221a}", "\\binom", "\\log", "\\ln"]) } else { None };
        if let Some(end) = roots {
            return part(f64::NAN, self.argument(end));
        }
        let mut sign = 1.0;
        let mut doubt = false;
        match self.get(at) {
            c @ ('-' | '\u{2212}' | '\u{ff0d}' | '\u{2013}' | '+') => {
                let last = self.chars[..start].iter().rev().take(2).find(|c| **c != ' ').copied().unwrap_or(' ');
                at = self.space(at + 1);
                // Between numbers or words it is a dash, and at the start of a line a bullet.
                if joins(before) || matches!(before, ')' | '%' | '}') || at > start + 1 && (digit(last).is_some() || matches!(last, ')' | '%')) {
                    return None;
                }
                doubt = at > start + 1 && matches!(c, '-' | '\u{2013}');
                sign = if c == '+' { 1.0 } else { -1.0 };
            }
            _ if (joins(before) || before == '_' && self.subscript(start)) && !coded => return None,
            _ => {}
        }
        // π/3, x/3
        if before == '/' && start > 1 && (self.chars[start - 2].is_alphabetic() || matches!(self.chars[start - 2], ')' | '}')) {
            doubt = true;
        }
        let money = if self.digit(at) { None } else { self.eat_any(at, &["\\$", "$", "€", "£", "¥", "₹"]) };
        if let Some(end) = money {
            at = self.space(end);
            if matches!(self.get(at), '-' | '\u{2212}') && self.digit(at + 1) {
                (at, sign) = (at + 1, -1.0);
            }
        }
        let (mut text, mut extra, mut over) = ("0".to_string(), 0.0, 1.0);
        let mut exponent = 0i32;
        let mut scaled = None;
        let (mut times, mut dozen) = (1.0, 1.0);
        if let Some((value, end)) = self.frac(at) {
            let Some(value) = value else { return part(f64::NAN, end) };
            ((extra, over), at) = (value, end);
        } else if let Some(f) = fraction(self.get(at)) {
            (extra, at) = (f, at + 1);
        } else {
            match self.digits(at)? {
                Digits::Part(end) => return part(f64::NAN, end),
                Digits::Number(digits, end) => (text, at) = (digits, end),
            }
            let next = self.space(at);
            let whole = !text.contains('.');
            if let Some((f, end)) = fraction(self.get(next)).map(|f| ((f, 1.0), next + 1)).or_else(|| self.mixed(next, next > at)).filter(|_| whole) {
                ((extra, over), at) = (f, end);
                times = over;
            } else if let Some((f, end)) = self.eat(at, " and ").and_then(|e| self.mixed(e, true)).filter(|_| whole) {
                ((extra, over), at) = (f, end);
                times = over;
            } else if let Some((b, end)) = self.eat_any(next, &["/", "\u{2044}"]).and_then(|e| self.plain(self.space(e))) {
                if b == 0.0 || self.get(end) == '/' && self.digit(end + 1) {
                    return part(f64::NAN, self.glued(end - 1).1.max(end));
                }
                (over, at) = (b, end);
            } else if let Some(end) = self.eat_any(at, &["^\\circ", "^{\\circ}"]) {
                at = end;
            } else if let Some((power, end)) = self.exponent(at) {
                let Some(power) = power else { return part(f64::NAN, end) };
                at = end;
                if text == "10" {
                    (text, exponent) = ("1".into(), power);
                } else {
                    scaled = Some(Value::Number(&text).as_f64()?.powi(power));
                }
            } else if let Some((power, end)) = self.ten(at) {
                let Some(power) = power else { return part(f64::NAN, end) };
                (exponent, at) = (power, end);
            }
        }
        // A formula or emphasis may end: $5$ million.
        let closed = |at: usize| match self.get(at) {
            '$' | '\\' | '*' | '}' => self.space(self.eat_any(at, &["$", "\\)", "**", "}$"]).unwrap_or(at)),
            _ => self.space(at),
        };
        let mut words = 0;
        loop {
            let next = closed(at);
            if !self.get(next).is_alphanumeric() || self.digit(next) {
                break;
            }
            let (word, end) = self.word(next);
            let letter = next == at && matches!(self.get(end), c if !joins(c));
            let cjk = MYRIADS.iter().find(|s| s.0 == self.get(at));
            let (power, end) = match word.as_str() {
                "k" if letter && (money.is_some() || self.get(next) == 'k') => (3, end),
                "m" if letter && (money.is_some() || coded || self.get(next) == 'M') => (6, end),
                "b" if letter && (money.is_some() || coded) => (9, end),
                "t" if letter && (money.is_some() || coded) => (12, end),
                "k" | "b" | "t" if letter && self.get(next).is_uppercase() => return part(f64::NAN, end),
                "dozen" => {
                    dozen *= 12.0;
                    words += 1;
                    at = end;
                    continue;
                }
                word => match SCALES.iter().find(|s| s.0 == word).map(|s| (s.1, end)).or(cjk.map(|s| (s.1, at + 1))) {
                    Some(found) => {
                        words += found.0;
                        found
                    }
                    None => break,
                },
            };
            exponent = exponent.checked_add(power)?;
            at = end;
        }
        if let Some(end) = self.eat(at, " and a half") {
            (extra, at) = (extra + 0.5 * times, end);
        }
        let next = closed(at);
        let (word, end) = self.word(next);
        let cent = self.eat(next, "per cent").filter(|e| !joins(self.get(*e)));
        let percent = self.eat_any(next, &["%", "\u{ff05}", "\u{66a}", "\\%"]).or(cent).or((word == "percent" || word == "pct").then_some(end));
        at = percent.unwrap_or(at);
        // What makes another number of it.
        let more = ["pi", "^", "\u{b1}", "\\pm", "+/-", "\u{3c0}", "\\pi", "\u{221a}", "\\sqrt", "\\frac", "\\dfrac", "\u{2030}", "\\overline", "\u{2080}", "\u{2081}", "\u{2082}"];
        let next = self.space(at);
        let ends = self.word(next).0 != "pi" && matches!(self.get(next), c if c.is_ascii_alphanumeric() || matches!(c, '.' | ',' | ')' | '\0' | '\n'));
        if ends || self.eat(next, "\\pmod").is_some() {
            // Nothing is beside it.
        } else if self.eat_any(next, &more).is_some() || self.exponent(at).is_some() {
            return part(f64::NAN, self.eat_any(next, &["\u{b1}", "\\pm", "+/-"]).map_or(at, |e| self.argument(self.space(e))));
        }
        let plain = text.clone();
        let number = if exponent == 0 { text } else { format!("{text}e{exponent}") };
        let whole = scaled.map_or_else(|| Value::Number(&number).as_f64(), Some)? * times;
        let scale = if exponent == 0 { 1.0 } else { 10f64.powi(exponent) };
        let value = sign * (whole + extra * scale) / over * dozen;
        let sure = if doubt { Sure::Part } else { Sure::All };
        let bare = if words == 0 { value } else { (sign * Value::Number(&plain).as_f64()? * times + sign * extra) / over };
        Some((Number { value, percent: percent.is_some(), bare, sure, bound: None, span: (0, 0), link: Link::Other }, at))
    }

    /// The fraction of a mixed number: 1/2 after a space, or \frac{1}{2}.
    fn mixed(&self, at: usize, spaced: bool) -> Option<((f64, f64), usize)> {
        let end = (at..at + 20).find(|i| !self.digit(*i))?;
        if self.get(at) != '\\' && !matches!(self.get(end), '/' | '\u{2044}') {
            return None;
        }
        if let Some((value, end)) = self.frac(at) {
            return value.filter(|v| 0.0 <= v.0 && v.0 < v.1).map(|v| (v, end));
        }
        let (over, end) = self.plain(at).filter(|_| spaced)?;
        let (under, end) = self.plain(self.eat_any(end, &["/", "\u{2044}"])?)?;
        (over > 0.0 && over < under && over.fract() == 0.0 && under.fract() == 0.0).then_some(((over, under), end))
    }

    /// The power of ten after a number: e-3, or × 10^-3.
    fn ten(&self, at: usize) -> Option<(Option<i32>, usize)> {
        if matches!(self.get(at), 'e' | 'E') {
            let from = at + 1 + usize::from(matches!(self.get(at + 1), '+' | '-'));
            let end = (from..from + 7).find(|i| !self.digit(*i)).unwrap_or(from + 7);
            let text: String = (at + 1..end).map(|i| digit(self.get(i)).unwrap_or(self.get(i))).collect();
            return (end > from && !joins(self.get(end))).then(|| Some((text.parse().ok(), end)))?;
        }
        let next = self.space(at);
        if self.digit(next) || self.get(next).is_ascii_alphabetic() && !matches!(self.get(next), 'x' | 'X') {
            return None;
        }
        let sign = self.eat_any(next, &["\u{d7}", "\u{b7}", "\u{22c5}", "x", "X", "*", "\\times", "\\cdot"])?;
        self.exponent(self.eat(self.space(sign), "10")?)
    }
}
