//! One number as it is written at a place: its sign, digits, fraction, power and scale.

use crate::number::{digit, fraction, joins, Comma, Link, Number, Sure};
use crate::is_space;
use crate::unicode::{heads, Pairs};
use rubric_host_sdk::Value;

/// The most characters of groups of digits: more are not a number of 64 bits.
const LONGEST: usize = 1_000;

pub const CURRENCIES: [&str; 12] = ["USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD", "RMB", "US", "RS"];

/// Words after a number, and the power of ten that they are.
const SCALES: [(&str, i32); 33] = [
    ("hundred", 2), ("thousand", 3), ("million", 6), ("millions", 6), ("billion", 9), ("billions", 9), ("trillion", 12), ("trillions", 12),
    ("mn", 6), ("mln", 6), ("bn", 9), ("tn", 12), ("lakh", 5), ("crore", 7), ("tausend", 3), ("millionen", 6), ("mio", 6), ("milliarde", 9),
    ("milliarden", 9), ("mrd", 9), ("mille", 3), ("milliard", 9), ("milliards", 9), ("mil", 3), ("millones", 6), ("millón", 6), ("milhão", 6), ("milhões", 6), ("миллион", 6), ("миллиона", 6), ("миллионов", 6),
    ("lakhs", 5), ("crores", 7),
];

/// The power of ten that a word is.
pub fn scale(word: &str) -> Option<i32> {
    static FIRSTS: Pairs = Pairs::NONE.firsts(heads(SCALES));
    FIRSTS.begin(word).then(|| SCALES.iter().find(|s| s.0 == word))?.map(|s| s.1)
}

const MYRIADS: [(char, i32); 7] = [('千', 3), ('万', 4), ('萬', 4), ('만', 4), ('亿', 8), ('億', 8), ('억', 8)];

/// What makes another number of that before it.
const MORE: [&str; 16] = ["pi", "^", "\u{b1}", "\\pm", "+/-", "\u{3c0}", "\\pi", "\u{221a}", "\\sqrt", "\\frac", "\\dfrac", "\u{2030}", "\\overline", "\u{2080}", "\u{2081}", "\u{2082}"];

/// Money of countries whose points separate thousands: 2.400 pesos.
const POINTED: [&str; 17] = [
    "€", "euro", "euros", "eur", "peso", "pesos", "real", "reais", "soles", "bolívares", "guaraníes", "lira", "liras", "rupiah", "dong", "đồng", "dólares",
];

/// What a word or letter after a number may multiply it by: 10 bps, 12 k.
const SHORT: [(&str, f64); 12] = [
    ("bps", 1e-4), ("bp", 1e-4), ("basis", 1e-4), ("per mille", 1e-3), ("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9), ("b", 1e9), ("B", 1e9), ("m", 1e6), ("T", 1e12),
];

/// Signs of LaTeX between groups of digits, where a point separates decimals, and where a comma does.
const GROUPS: [&[&str]; 2] = [&["{,}", ",\\!", "\\,", "{\\,}", "\\ ", "\\text{,}"], &["{.}", "\\,"]];

/// A number of digits, as text, and where it ends.
enum Digits {
    Number(String, usize),
    /// Digits, commas and points that are not one number: 5,00 or 10:30.
    Part(usize),
}

pub struct Reader<'c> {
    pub chars: &'c [char],
    pub comma: Comma,
}

impl Reader<'_> {
    pub fn get(&self, at: usize) -> char {
        self.chars.get(at).copied().unwrap_or('\0')
    }

    pub fn digit(&self, at: usize) -> bool {
        digit(self.get(at)).is_some()
    }

    /// Where a text ends that is at a place.
    pub fn eat(&self, at: usize, text: &str) -> Option<usize> {
        let first = self.get(at);
        if first.is_ascii() && !text.as_bytes().starts_with(&[first as u8]) {
            return None;
        }
        let mut end = at;
        for c in text.chars() {
            if self.get(end) != c {
                return None;
            }
            end += 1;
        }
        Some(end)
    }

    pub fn eat_any(&self, at: usize, texts: &[&str]) -> Option<usize> {
        let first = self.get(at);
        texts.iter().filter(|t| !first.is_ascii() || t.as_bytes().starts_with(&[first as u8])).find_map(|t| self.eat(at, t))
    }

    /// Past at most two spaces, of LaTeX too.
    pub fn space(&self, mut at: usize) -> usize {
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
    pub fn word(&self, at: usize) -> (String, usize) {
        let end = (at..at + 12).find(|i| !joins(self.get(*i))).unwrap_or(at + 12);
        let end = if joins(self.get(end)) { at } else { end };
        let mut word = String::with_capacity(end - at);
        for c in &self.chars[at.min(self.chars.len())..end.min(self.chars.len())] {
            if c.is_ascii() { word.push(c.to_ascii_lowercase()) } else { word.extend(c.to_lowercase()) }
        }
        (word, end)
    }

    /// Where an argument in braces ends, or the digits at a place.
    pub fn argument(&self, at: usize) -> usize {
        if self.get(at) == '{' {
            let mut depth = 0;
            for i in at..at + 100 {
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
    pub fn glued(&self, at: usize) -> (String, usize) {
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
        // 0{,}25 and 3{,}5, but not 1{,}2{,}3: a decimal comma.
        let braced = at > start && self.eat(at, "{,}").is_some_and(|from| {
            let end = (from..self.chars.len()).find(|i| !self.digit(*i)).unwrap_or(self.chars.len());
            end > from && (text == "0" || group == '.' || end != from + 3) && self.eat(end, "{,}").is_none()
        });
        if !braced && (1..=3).contains(&text.len()) {
            let c = self.get(at);
            let latex = if matches!(c, '{' | ',' | '\\') { GROUPS[usize::from(group == '.')] } else { &[] };
            let mark = latex.iter().find_map(|m| self.eat(at, m)).map(|end| end - at).or_else(|| {
                let space = c == ' ' && !text.starts_with('0');
                (c == group || space || matches!(c, '\u{a0}' | '\u{202f}' | '\u{2009}' | '\'' | '\u{2019}' | '_' | '\u{66c}')).then_some(1)
            });
            if let Some(length) = mark.filter(|length| self.digit(at + length)) {
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
                // Not read again from each of its groups.
                if end > at + LONGEST {
                    return Some(Digits::Part(end));
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
        // 0xC, and 0,001 of which no thousands can be
        let zero = text.starts_with('0') && text.len() > 1 && (start..at).any(|i| digit(self.get(i)).is_none());
        let radix = text == "0" && matches!(self.get(at), 'x' | 'b' | 'o') && self.get(at + 1).is_ascii_hexdigit();
        if zero || radix {
            return Some(Digits::Part(self.argument(start).max(at)));
        }
        let (signs, glued) = self.glued(at.max(start + 1) - 1);
        // Most numbers have no sign among their digits.
        if !signs.is_empty() {
            let (dots, others) = (signs.matches(point).count(), signs.chars().filter(|c| *c != point).count());
            let in_list = start > 1 && self.get(start - 1) == ',' && self.digit(start - 2);
            let list = (signs.len() > 1 || in_list) && signs.chars().all(|c| c == ',') && point == '.';
            if at > start && signs.chars().all(|c| matches!(c, '.' | ',' | ':')) && !list && (dots > 1 || others > 0) {
                // 1.249,50 and 1 249,5 have one reading.
                let (before, last) = (signs.strip_suffix(group), self.chars[start..glued].iter().rev().take_while(|c| **c != group).count());
                let spaced = (start..at).any(|i| digit(self.get(i)).is_none() && self.get(i) != group);
                if before.is_some_and(|o| if o.is_empty() { spaced && last != 3 } else { !spaced && o.chars().all(|c| c == point) }) {
                    let comma = if point == '.' { Comma::Decimal } else { Comma::Thousands };
                    return Reader { chars: self.chars, comma }.digits(start).filter(|d| matches!(d, Digits::Number(_, end) if *end == glued)).or(Some(Digits::Part(glued)));
                }
                // 48,60 €
                if signs == "," && point == '.' && glued < at + 4 && self.measure(glued) {
                    return Reader { chars: self.chars, comma: Comma::Decimal }.digits(start);
                }
                // 1.2.3 is a version.
                // Those of 1.234.567 may be thousands.
                let thousands = self.chars[at..glued].split(|c| *c == point).skip(1).all(|part| part.len() == 3);
                return if dots > 1 && others == 0 && !thousands { None } else { Some(Digits::Part(glued)) };
            }
            if at > start && signs.len() > 1 && signs.chars().all(|c| c == signs.chars().next().unwrap_or(c)) && signs.starts_with(['-', '/']) {
                return Some(Digits::Part(glued));
            }
        }
        if braced {
            at += 2;
        }
        if (braced || self.get(at) == point || self.get(at) == '\u{66b}') && (self.digit(at + 1) || at > start && matches!(self.get(at + 1), 'e' | 'E')) {
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

    /// Whether a unit or a scale is at a place, so that two numbers before it are one: `48,60 €`, `7,5 km`, `1,5 Mio`.
    fn measure(&self, at: usize) -> bool {
        #[rustfmt::skip]
        const UNITS: [&str; 34] = [
            "eur", "euro", "euros", "kg", "g", "mg", "km", "m", "cm", "mm", "l", "ml", "kw", "kwh", "meter", "metern", "kilometer", "kilogramm", "gramm", "liter", "stunden", "jahre",
            "prozent", "mètres", "kilomètres", "grammes", "litres", "heures", "metros", "kilómetros", "gramos", "litros", "horas", "ans",
        ];
        let next = self.space(at);
        let word = self.word(next).0;
        matches!(self.get(next), '€' | '%' | '°') || UNITS.contains(&word.as_str()) || scale(&word).is_some()
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
                end = self.space(end);
                *part = digit(self.get(end)).and_then(|d| d.to_digit(10)).map(f64::from);
                end += usize::from(part.is_some());
            }
        }
        Some((parts[0].zip(parts[1]).filter(|p| p.1 != 0.0), end))
    }

    /// The exponent at a place, ^{-3}, **2 or ⁻³, and where it ends; none if it is not a whole
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

    /// Whether a number may start with a character.
    pub fn starts(c: char) -> bool {
        if c.is_ascii() {
            return c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | '$' | '\\');
        }
        matches!(c, '\u{2212}' | '\u{ff0d}' | '\u{2013}' | '\u{221a}' | '\u{66b}' | '€' | '£' | '¥' | '₹') || digit(c).is_some() || fraction(c).is_some()
    }

    /// Whether nothing at a place belongs to the digits before it, as in most prose.
    fn ends(&self, at: usize) -> bool {
        match self.get(at) {
            '\n' | '\0' | ')' | ',' => true,
            '.' => !self.digit(at + 1),
            // Not and, x, percent, dozen, nor a scale.
            ' ' => matches!(self.get(at + 1), '=' | '-' | 'e' | 'f' | 'i' | 'j' | 'n' | 'o' | 'q' | 'r' | 's' | 'u' | 'v' | 'w' | 'y' | 'z'),
            _ => false,
        }
    }

    /// Whether the point of a number may separate thousands by what stands beside it: 2.400 pesos.
    fn pointed(&self, digits: &str, from: usize, end: usize) -> bool {
        let three = digits.split_once('.').is_some_and(|(whole, part)| part.len() == 3 && whole.len() < 4 && !whole.starts_with('0'));
        three && self.comma == Comma::Thousands && (from > 0 && self.get(from - 1) == '€' || POINTED.contains(&self.word(self.space(end)).0.as_str()) || self.get(self.space(end)) == '€')
    }

    /// A number that starts at a place, and where it ends.
    pub fn read(&self, start: usize, coded: bool) -> Option<(Number, usize)> {
        if !Self::starts(self.get(start)) {
            return None;
        }
        let before = start.checked_sub(1).map_or(' ', |i| self.chars[i]);
        let part = |value, end| Some((Number { value, percent: false, bare: value, sure: Sure::Part, bound: None, span: (0, 0), link: Link::Other }, end));
        let mut at = start;
        let roots = if matches!(self.get(at), '\\' | '\u{221a}') { self.eat_any(at, &["\\sqrt", "\u{221a}", "\\binom", "\\log", "\\ln"]) } else { None };
        if let Some(mut end) = roots {
            // \log_2 8, \binom{n}{2}
            let index = if self.get(end) == '_' { Some(end + 1) } else { Some(end).filter(|e| self.chars[..*e].ends_with(&['n', 'o', 'm'])) };
            end = index.map_or(end, |at| self.argument(at));
            return part(f64::NAN, self.argument(self.space(end)));
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
                Digits::Number(digits, end) if self.pointed(&digits, at, end) => return part(sign * Value::Number(&digits).as_f64()?, end),
                Digits::Number(digits, end) if self.ends(end) => {
                    let value = sign * Value::Number(&digits).as_f64()?;
                    let sure = if doubt { Sure::Part } else { Sure::All };
                    return Some((Number { value, percent: false, bare: value, sure, bound: None, span: (0, 0), link: Link::Other }, end));
                }
                Digits::Number(digits, end) => (text, at) = (digits, end),
            }
            let next = self.space(at);
            let whole = !text.contains('.');
            // Words and signs that join nothing are most frequent.
            let joins = self.digit(next) || matches!(self.get(at), 'e' | 'E' | '^' | '*') || matches!(self.get(next), 'a' | 'x' | 'X' | '/' | '*' | '\\') || !self.get(next).is_ascii();
            if !joins {
                // Nothing is a part of it.
            } else if let Some((f, end)) = fraction(self.get(next)).map(|f| ((f, 1.0), next + 1)).or_else(|| self.mixed(next, next > at)).filter(|_| whole) {
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
            // A hyphen may join: 12-million.
            let next = closed(at) + usize::from(self.get(at) == '-');
            if !self.get(next).is_alphanumeric() || self.digit(next) {
                break;
            }
            let (word, end) = self.word(next);
            if self.get(at) == '-' && scale(&word).is_none() {
                break;
            }
            let letter = next == at && matches!(self.get(end), c if !joins(c));
            let cjk = MYRIADS.iter().find(|s| !self.get(next).is_ascii() && s.0 == self.get(next));
            let (power, end) = match word.as_str() {
                "k" if letter && (money.is_some() || self.get(next) == 'k') => (3, end),
                "m" if letter && (money.is_some() || coded || self.get(next) == 'M') => (6, end),
                "b" if letter && (money.is_some() || coded) => (9, end),
                "t" if letter && (money.is_some() || coded) => (12, end),
                // The 1990s
                "s" if letter && text.len() == 4 && text.ends_with('0') && ("11".."21").contains(&&text[..2]) => return part(Value::Number(&text).as_f64()?, end),
                "k" | "b" | "t" | "mm" if letter && self.get(next).is_uppercase() => return part(f64::NAN, end),
                // Seat 14C, platform 9a: no unit.
                "a" | "b" | "c" | "d" | "e" | "f" | "p" | "q" | "r" | "u" if letter && !text.contains('.') && (self.get(next).is_uppercase() || matches!(word.as_str(), "a" | "b" | "e" | "f")) => return part(f64::NAN, end),
                "dozen" => {
                    dozen *= 12.0;
                    words += 1;
                    at = end;
                    continue;
                }
                word => match scale(word).map(|power| (power, end)).or(cjk.map(|s| (s.1, next + 1))) {
                    Some((_, end)) if cjk.is_some() && self.digit(end) => return part(f64::NAN, self.argument(end)),
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
        // No other word is read here: percent, per cent, pct, pi.
        let (word, end) = if matches!(self.get(next), 'p' | 'P') { self.word(next) } else { (String::new(), next) };
        let cent = self.eat(next, "per cent").filter(|e| !joins(self.get(*e)));
        let percent = self.eat_any(next, &["%", "\u{ff05}", "\u{66a}", "\\%"]).or(cent).or((word == "percent" || word == "pct").then_some(end));
        at = percent.unwrap_or(at);
        let next = self.space(at);
        let pi = matches!(self.get(next), 'p' | 'P') && self.word(next).0 == "pi";
        let ends = !pi && matches!(self.get(next), c if c.is_ascii_alphanumeric() || matches!(c, '.' | ',' | ')' | '\0' | '\n'));
        if ends || self.eat(next, "\\pmod").is_some() {
            // Nothing is beside it.
        } else if self.eat_any(next, &MORE).is_some() || self.exponent(at).is_some() {
            return part(f64::NAN, self.eat_any(next, &["\u{b1}", "\\pm", "+/-", "\\overline"]).map_or(at, |e| self.argument(self.space(e))));
        }
        let power = if exponent == 0 { String::new() } else { format!("{text}e{exponent}") };
        let whole = scaled.map_or_else(|| Value::Number(if exponent == 0 { &text } else { &power }).as_f64(), Some)? * times;
        let scale = if exponent == 0 { 1.0 } else { 10f64.powi(exponent) };
        let value = sign * (whole + extra * scale) / over * dozen;
        let sure = if doubt { Sure::Part } else { Sure::All };
        let bare = match words {
            0 => value * self.short(at),
            _ => (sign * Value::Number(&text).as_f64()? * times + sign * extra) / over,
        };
        Some((Number { value, percent: percent.is_some(), bare, sure, bound: None, span: (0, 0), link: Link::Other }, at))
    }

    /// What a word or letter at a place may multiply the number before it by.
    fn short(&self, at: usize) -> f64 {
        let next = self.space(at);
        if !matches!(self.get(next), 'b' | 'p' | 'k' | 'm' | 'B' | 'G' | 'K' | 'M' | 'T') {
            return 1.0;
        }
        SHORT.iter().find(|s| self.eat(next, s.0).is_some_and(|end| !joins(self.get(end)))).map_or(1.0, |s| s.1)
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
            let from = at + 1 + usize::from(matches!(self.get(at + 1), '+' | '-' | '\u{2212}'));
            let end = (from..from + 7).find(|i| !self.digit(*i)).unwrap_or(from + 7);
            let text: String = (at + 1..end).map(|i| digit(self.get(i)).unwrap_or(self.get(i))).map(|c| if c == '\u{2212}' { '-' } else { c }).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers;

    #[test]
    fn a_number_starts_with_its_signs() {
        for text in ["−5", "－5", "–5", "√5", "٫5", "€5", "£5", "¥5", "₹5", "½", "٣", "５"] {
            assert_eq!(numbers(text, Comma::Thousands)[0].span.0, 0, "{text}");
        }
    }

    #[test]
    fn each_word_of_the_lists_is_found() {
        let read = |text: String, comma| numbers(&text, comma)[0];
        for (word, power) in SCALES {
            assert_eq!(read(format!("5 {word}"), Comma::Thousands).value, 5.0 * 10f64.powi(power), "{word}");
        }
        for (word, times) in SHORT {
            assert_eq!(read(format!("It is 5 {word}."), Comma::Thousands).bare, 5.0 * times, "{word}");
        }
        for sign in MORE {
            assert_eq!(read(format!("5 {sign} 2"), Comma::Thousands).sure, Sure::Part, "{sign}");
        }
        for (signs, comma) in GROUPS.into_iter().zip([Comma::Thousands, Comma::Decimal]) {
            for sign in signs {
                assert_eq!(read(format!("12{sign}345"), comma).value, 12345.0, "{sign}");
            }
        }
    }
}
