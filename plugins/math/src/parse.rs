//! Answers from their tokens: numbers and expressions, sets, intervals, equations,
//! matrices, words.

use crate::expr::Expr;
use crate::tokens::{self, Token};
use rubric_host_text::{bound, number_word, operated};

/// What an answer is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Value(Expr),
    /// `{1, 2}`, or `1, 2` without brackets: no order.
    Set(Vec<Kind>),
    /// `(1, 2, 3)`: an order. Two in parentheses may also be an open interval.
    Tuple(Vec<Kind>),
    Interval { ends: Box<[Expr; 2]>, closed: [bool; 2] },
    Union(Vec<Kind>),
    /// `a = b`, `a < b < c`: expressions, and the relations between them.
    Relation(Vec<Kind>, Vec<&'static str>),
    Matrix(Vec<Vec<Expr>>),
    /// Parts with colons between them.
    Proportion(Vec<Expr>),
    Words(String),
    /// What the rules cannot read, and why.
    Unread(String),
}

/// An answer and its unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub kind: Kind,
    pub unit: String,
    /// What a word such as million multiplies the value by.
    pub scale: Option<Expr>,
    /// The letters that are all of it: a product of variables, or a word.
    pub letters: String,
}

impl Answer {
    /// Whether there was nothing to be read: a box without content, a question mark.
    pub fn is_empty(&self) -> bool {
        matches!(&self.kind, Kind::Unread(why) if why == NOTHING)
    }
}

/// The deepest nesting that is read.
const DEPTH: usize = 40;

type Read<T> = Result<T, String>;

/// Why a text without a sign that is read cannot be read.
const NOTHING: &str = "nothing is there to read";

/// Reads an answer. It always is something.
pub fn parse(text: &str) -> Answer {
    let none = |kind| Answer { kind, unit: String::new(), scale: None, letters: String::new() };
    let tokens = match tokens::read(text) {
        Ok(tokens) => tokens,
        Err(why) => return none(Kind::Unread(why)),
    };
    let mut tokens: &[Token] = &tokens;
    // \approx 3.14 is a value.
    while let [Token::Space | Token::Mark('.' | ',' | ';' | ':' | '='), rest @ ..] = tokens {
        tokens = rest;
    }
    while let [rest @ .., Token::Space | Token::Mark('.' | ',' | ';' | ':' | '!' | '?')] = tokens {
        // An exclamation mark after a number is a factorial.
        if matches!(tokens.last(), Some(Token::Mark('!'))) && !matches!(rest.last(), Some(Token::Letter(_) | Token::Text(_))) {
            break;
        }
        tokens = rest;
    }
    let (body, mut unit) = without_unit(tokens);
    let mut scale = None;
    while let Some((word, by)) = tokens::SCALES.iter().find(|s| unit.starts_with(s.0)) {
        unit.drain(..word.len());
        let by = Expr::Number((*by).into());
        scale = Some(scale.map_or(by.clone(), |s| Expr::Product(vec![s, by])));
    }
    if let Some(words) = words(body) {
        return none(Kind::Words(words));
    }
    let letters: String = body.iter().map_while(|t| if let Token::Letter(c) = t { Some(*c) } else { None }).collect();
    let letters = if letters.chars().count() == body.len() { letters } else { String::new() };
    let kind = match unread(body, &unit) {
        Some(why) => Kind::Unread(why.into()),
        None => Reader { depth: 0 }.kind(&spaceless(body)).unwrap_or_else(Kind::Unread),
    };
    Answer { kind, unit, scale, letters }
}

/// Why tokens are no mathematics, though their numbers and letters could be read as such.
fn unread(tokens: &[Token], unit: &str) -> Option<&'static str> {
    let runs: Vec<usize> = tokens.split(|t| !matches!(t, Token::Letter(_))).map(<[Token]>::len).collect();
    // So it is 12
    let sentence = !tokens.iter().any(|t| matches!(t, Token::Unknown(_))) && runs.windows(2).any(|w| w[0] > 1 && w[1] > 1) && tokens.windows(3).any(|w| matches!(w, [Token::Letter(_), Token::Space, Token::Letter(_)]));
    let prose = sentence || runs.iter().any(|run| *run > 3);
    if prose && !tokens.contains(&Token::Command("begin")) {
        return Some("words stand among numbers");
    }
    const BOUNDS: [&str; 8] = ["atleast", "atmost", "minimum", "maximum", "counting", "giveortake", "belowzero", "belowfreezing"];
    let plain = unit.replace(' ', "");
    if BOUNDS.contains(&plain.as_str()) || bound("", unit).is_some() || operated("", unit) {
        return Some("words make a bound or another number of it");
    }
    let mark = tokens.get(1)?;
    let part = |t: &Token| if let Token::Number(n) = t { n.bytes().all(|c| c.is_ascii_digit()).then_some(n.len()) } else { None };
    if tokens.len() % 2 == 0 || !tokens.iter().skip(1).step_by(2).all(|t| t == mark) {
        return None;
    }
    let lengths: Vec<usize> = tokens.iter().step_by(2).map_while(part).collect();
    if lengths.len() * 2 != tokens.len() + 1 {
        return None;
    }
    match (mark, &lengths[..]) {
        (Token::Mark('-' | '/'), [4, 1..=2, 1..=2] | [1..=2, 1..=2, 4]) => Some("it may be a date"),
        (Token::Mark('-'), [_, _]) if !unit.is_empty() => Some("it may be a range"),
        (Token::Mark('-'), [3, 4] | [3, 3, 4] | [1, 3, 3, 4]) => Some("it may be a telephone number"),
        (Token::Mark(':'), [1..=2, 2]) => {
            let [Token::Number(a), _, Token::Number(b)] = tokens else { return None };
            let (a, b): (u32, u32) = (a.parse().ok()?, b.parse().ok()?);
            // 10:30 is no ratio in lowest terms, as 3:10 is.
            let lowest = !(2..=b).any(|n| a % n == 0 && b % n == 0);
            (a < 24 && b < 60 && !lowest).then_some("it may be a time")
        }
        _ => None,
    }
}

/// Tokens without white space; 2 1/2 is a sum.
fn spaceless(tokens: &[Token]) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = tokens;
    while let Some((first, after)) = rest.split_first() {
        if let [Token::Number(a), Token::Space, Token::Number(b), Token::Mark('/'), Token::Number(c), end @ ..] = rest {
            let proper = matches!((b.parse::<u64>(), c.parse::<u64>()), (Ok(b), Ok(c)) if b < c) && a.parse::<u64>().is_ok();
            if proper && !matches!(out.last(), Some(Token::Mark('^' | '_'))) && end.first() != Some(&Token::Mark('^')) {
                let number = |n: &String| Token::Number(n.clone());
                out.extend([Token::Mark('('), number(a), Token::Mark('+'), number(b), Token::Mark('/'), number(c), Token::Mark(')')]);
                rest = end;
                continue;
            }
        }
        if *first != Token::Space {
            out.push(first.clone());
        }
        rest = after;
    }
    out
}

/// Letters and what joins them, if they are words and no product of variables.
fn words(tokens: &[Token]) -> Option<String> {
    let mut text = String::new();
    let (mut run, mut longest, mut worded) = (0, 0, false);
    for token in tokens {
        run = if matches!(token, Token::Letter(_)) { run + 1 } else { 0 };
        longest = longest.max(run);
        match token {
            Token::Letter(c) => text.push(*c),
            Token::Text(t) => {
                worded = true;
                text.push_str(t);
            }
            Token::Space => text.push(' '),
            Token::Mark('-' | '\'' | '.' | '{' | '}' | ',') => {}
            _ => return None,
        }
    }
    let word = matches!(text.to_lowercase().as_str(), "no" | "yes" | "one" | "two" | "six" | "ten") || number_word(&text);
    (worded || word || longest > 3).then_some(text)
}

/// Units that may follow a number without `\text`.
const UNITS: [&str; 107] = [
    "cm", "mm", "km", "m", "dm", "ft", "feet", "foot", "in", "inch", "inches", "mile", "miles", "mph", "kmph", "kg",
    "g", "mg", "gm", "lb", "lbs", "pound", "pounds", "ounce", "ounces", "liter", "liters", "litre", "litres", "ml",
    "gallon", "gallons", "second", "seconds", "sec", "s", "minute", "minutes", "min", "hour", "hours", "hr", "hrs",
    "h", "day", "days", "week", "weeks", "month", "months", "year", "years", "cent", "cents", "dollar", "dollars",
    "unit", "units", "meter", "meters", "metre", "metres", "square", "cubic", "sq", "way", "ways", "student",
    "students", "people", "point", "points", "yard", "yards", "ppm", "ppb", "st", "nd", "rd", "th", "usd", "eur", "gbp",
    "inr", "jpy", "cny", "chf", "mol", "kb", "mb", "gb", "tb", "hz", "khz", "mhz", "ghz", "oz", "kw", "kwh", "mw", "kj", "kpa", "kv", "ohm",
    "ohms", "volts", "watts",
];

/// Separates a unit at the end from what it belongs to.
fn without_unit(tokens: &[Token]) -> (&[Token], String) {
    if let Some(found) = compound(tokens) {
        return found;
    }
    let mut body = tokens;
    let mut unit = String::new();
    loop {
        while let [rest @ .., Token::Space] = body {
            body = rest;
        }
        // 5 °C
        if let [rest @ .., Token::Letter(c @ ('C' | 'F'))] = body {
            let degrees = rest.iter().rev().find(|t| !matches!(t, Token::Space | Token::Mark('}')));
            if unit.is_empty() && degrees == Some(&Token::Command("circ")) {
                unit.push(*c);
                body = rest;
                continue;
            }
        }
        // A power of a unit, such as \text{cm}^2.
        let bare = match body {
            [rest @ .., Token::Mark('^'), Token::Number(n)] if n == "2" || n == "3" => rest,
            [rest @ .., Token::Mark('^'), Token::Mark('{'), Token::Number(n), Token::Mark('}')] if n == "2" || n == "3" => rest,
            _ => body,
        };
        let power = if bare.len() < body.len() {
            body.iter().rev().find_map(|t| if let Token::Number(n) = t { Some(n.as_str()) } else { None }).unwrap_or("")
        } else {
            ""
        };
        let (rest, name) = match bare {
            [rest @ .., Token::Text(t)] => (rest, t.clone()),
            _ => {
                let letters = bare.iter().rev().take_while(|t| matches!(t, Token::Letter(_))).count();
                let (rest, run) = bare.split_at(bare.len() - letters);
                let name: String = run.iter().map(|t| if let Token::Letter(c) = t { *c } else { ' ' }).collect();
                // 5 m with a space is a length; 5m is a product. Words after a number are
                // what it counts.
                let space = rest.last() == Some(&Token::Space);
                let foreign = name.starts_with(|c: char| c > '\u{3ff}' && c.is_alphabetic());
                let word = foreign || space && (letters > 3 || letters > 1 && !unit.is_empty());
                match word || (letters > 1 || space) && UNITS.contains(&name.to_lowercase().as_str()) {
                    true => (rest, name),
                    false => return (body, unit),
                }
            }
        };
        let values = rest.iter().any(|t| matches!(t, Token::Number(_) | Token::Command(_)));
        let last = rest.iter().rev().find(|t| **t != Token::Space);
        // Words of their own: , or a dozen.
        let article = name.chars().count() > 3 && last == Some(&Token::Letter('a'));
        if article || last == Some(&Token::Mark(',')) {
            return (tokens, String::new());
        }
        let ends = !matches!(last, Some(Token::Mark('=' | '+' | '-' | '*' | '^' | '_' | '(')) | None);
        if !values || !ends {
            return (body, unit);
        }
        unit = format!("{}{power}{unit}", name.to_lowercase());
        body = rest;
        if let [less @ .., Token::Space] = body {
            body = less;
        }
        if let [less @ .., Token::Mark('/')] = body {
            body = less;
            unit.insert(0, '/');
        }
    }
}

/// A number and a unit over another: 10 m/s, 10\,\frac{m}{s^2}.
fn compound(tokens: &[Token]) -> Option<(&[Token], String)> {
    let at = (0..tokens.len()).rev().find(|&i| matches!(tokens[i], Token::Number(_)) && !matches!(tokens[..i], [.., Token::Mark('^' | '{')]))?;
    let (body, tail) = tokens.split_at(at + 1);
    let mut unit = String::new();
    let mut fraction = false;
    for token in tail {
        match token {
            Token::Space | Token::Mark('{') => {}
            Token::Command("frac") if unit.is_empty() => fraction = true,
            Token::Mark('}') if fraction && !unit.contains('/') => unit.push('/'),
            Token::Mark('}') => {}
            Token::Mark(c @ ('/' | '^')) => unit.push(*c),
            Token::Letter(c) => unit.extend(c.to_lowercase()),
            Token::Text(t) => unit += &t.to_lowercase(),
            Token::Number(n) if n == "2" || n == "3" => unit += n,
            _ => return None,
        }
    }
    let spaced = fraction || matches!(tail, [Token::Space | Token::Text(_), ..]);
    let known = |part: &str| UNITS.contains(&part.trim_end_matches(['2', '3']).trim_end_matches('^'));
    (spaced && unit.contains('/') && unit.split('/').all(known)).then_some((body, unit))
}

struct Reader {
    depth: usize,
}

/// The places of marks outside of brackets.
fn outside(tokens: &[Token], test: &dyn Fn(&Token) -> bool) -> Vec<usize> {
    let (mut depth, mut places) = (0i32, Vec::new());
    for (i, token) in tokens.iter().enumerate() {
        match token {
            Token::Mark('(' | '[' | '{') | Token::Command("lset" | "lfloor" | "lceil" | "begin") => depth += 1,
            Token::Mark(')' | ']' | '}') | Token::Command("rset" | "rfloor" | "rceil" | "end") => depth -= 1,
            _ => {}
        }
        if depth == 0 && test(token) {
            places.push(i);
        }
    }
    places
}

fn split<'t>(tokens: &'t [Token], at: &[usize]) -> Vec<&'t [Token]> {
    let mut parts = Vec::new();
    let mut from = 0;
    for &i in at {
        parts.push(&tokens[from..i]);
        from = i + 1;
    }
    parts.push(&tokens[from..]);
    parts
}

fn relation(token: &Token) -> Option<&'static str> {
    Some(match token {
        Token::Mark('=') | Token::Command("=") => "=",
        Token::Mark('<') | Token::Command("lt") => "<",
        Token::Mark('>') | Token::Command("gt") => ">",
        Token::Command("le") => "<=",
        Token::Command("ge") => ">=",
        Token::Command("ne") => "!=",
        _ => return None,
    })
}

impl Reader {
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == DEPTH {
            return Err("the answer is nested too deeply".into());
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn kind(&mut self, tokens: &[Token]) -> Read<Kind> {
        self.deeper(|r| r.kind_(tokens))
    }

    fn kind_(&mut self, tokens: &[Token]) -> Read<Kind> {
        // <= and >= in two characters.
        let factorial = |i: usize| tokens[i] == Token::Mark('!') && i > 0 && matches!(tokens[i - 1], Token::Number(..));
        if let Some(i) = (0..tokens.len().saturating_sub(1)).find(|i| matches!(tokens[*i..*i + 2], [Token::Mark('<' | '>' | '!'), Token::Mark('=')]) && !factorial(*i)) {
            let mark = match tokens[i] {
                Token::Mark('<') => "le",
                Token::Mark('>') => "ge",
                _ => "ne",
            };
            let joined = [&tokens[..i], &[Token::Command(mark)], &tokens[i + 2..]].concat();
            return self.kind(&joined);
        }
        // Braces that only group.
        if let [Token::Mark('{'), inner @ .., Token::Mark('}')] = tokens {
            if outside(tokens, &|t| *t == Token::Mark('}')).first() == Some(&(tokens.len() - 1)) {
                return self.kind(inner);
            }
        }
        if let Some(Token::Unknown(name)) = tokens.iter().find(|t| matches!(t, Token::Unknown(_))) {
            return Err(format!("\\{name} is not understood"));
        }
        let commas = outside(tokens, &|t| matches!(t, Token::Mark(',' | ';')));
        if !commas.is_empty() {
            let parts: Vec<_> = split(tokens, &commas).into_iter().filter(|p| !p.is_empty()).collect();
            return Ok(Kind::Set(parts.into_iter().map(|p| self.kind(p)).collect::<Read<_>>()?));
        }
        let relations = outside(tokens, &|t| relation(t).is_some());
        if !relations.is_empty() {
            let parts = split(tokens, &relations).into_iter().map(|p| self.kind(p)).collect::<Read<_>>()?;
            return Ok(Kind::Relation(parts, relations.into_iter().filter_map(|i| relation(&tokens[i])).collect()));
        }
        if let [i] = outside(tokens, &|t| *t == Token::Command("in"))[..] {
            return self.kind(&tokens[i + 1..]);
        }
        let unions = outside(tokens, &|t| *t == Token::Command("cup"));
        if !unions.is_empty() {
            return Ok(Kind::Union(split(tokens, &unions).into_iter().map(|p| self.kind(p)).collect::<Read<_>>()?));
        }
        let colons = outside(tokens, &|t| *t == Token::Mark(':'));
        if !colons.is_empty() {
            return Ok(Kind::Proportion(
                split(tokens, &colons).into_iter().map(|p| self.whole(p)).collect::<Read<_>>()?,
            ));
        }
        if let Some(kind) = self.bracketed(tokens)? {
            return Ok(kind);
        }
        match tokens {
            [] => Err(NOTHING.into()),
            [Token::Command("emptyset")] => Ok(Kind::Set(Vec::new())),
            [Token::Command("begin"), ..] => self.matrix(tokens),
            [Token::Text(words)] => Ok(Kind::Words(words.clone())),
            _ => {
                let value = self.whole(tokens)?;
                if value.any(&|e| matches!(e, Expr::PlusMinus(_))) {
                    let signs = [false, true].map(|negative| Kind::Value(value.signed(negative)));
                    return Ok(Kind::Set(signs.into()));
                }
                Ok(Kind::Value(value))
            }
        }
    }

    /// A set, tuple or interval, if the tokens are one.
    fn bracketed(&mut self, tokens: &[Token]) -> Read<Option<Kind>> {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return Ok(None) };
        if tokens.len() < 2 {
            return Ok(None);
        }
        let inner = &tokens[1..tokens.len() - 1];
        let french = matches!((first, last), (Token::Mark(']'), Token::Mark('[' | ']')) | (Token::Mark('['), Token::Mark('[')));
        if !french {
            if !matches!(first, Token::Mark('(' | '[') | Token::Command("lset")) {
                return Ok(None);
            }
            let closed = outside(tokens, &|t| matches!(t, Token::Mark(')' | ']' | '}') | Token::Command("rset")));
            if closed.first() != Some(&(tokens.len() - 1)) {
                return Ok(None);
            }
        }
        let commas = outside(inner, &|t| matches!(t, Token::Mark(',' | ';')));
        let parts: Vec<_> = split(inner, &commas).into_iter().filter(|p| !p.is_empty()).collect();
        if *first == Token::Command("lset") {
            let described = outside(inner, &|t| matches!(t, Token::Mark('|' | ':') | Token::Command("mid")));
            if !described.is_empty() {
                return Err("a set is given by a condition".into());
            }
            return Ok(Some(Kind::Set(parts.into_iter().map(|p| self.kind(p)).collect::<Read<_>>()?)));
        }
        let closed = [*first == Token::Mark('['), if french { *last == Token::Mark(']') } else { *last == Token::Mark(']') }];
        if parts.len() == 2 && (closed != [false, false] || french) {
            let ends = Box::new([self.whole(parts[0])?, self.whole(parts[1])?]);
            return Ok(Some(Kind::Interval { ends, closed }));
        }
        if parts.len() < 2 {
            // Parentheses around one value, or around words such as the letter of a choice.
            return if closed == [false, false] && !matches!(inner, []) { self.kind(inner).map(Some) } else { Ok(None) };
        }
        Ok(Some(Kind::Tuple(parts.into_iter().map(|p| self.kind(p)).collect::<Read<_>>()?)))
    }

    /// `\begin{pmatrix} a & b \\ c & d \end{pmatrix}`
    fn matrix(&mut self, tokens: &[Token]) -> Read<Kind> {
        let close = |from: usize| tokens[from..].iter().position(|t| *t == Token::Mark('}')).map(|i| from + i);
        let start = close(0).ok_or("an environment has no name")? + 1;
        let name: String = tokens[2..start.saturating_sub(1).max(2)].iter().map(|t| if let Token::Letter(c) = t { *c } else { '?' }).collect();
        if !name.ends_with("matrix") && name != "array" {
            return Err(format!("the environment {name} is not understood"));
        }
        let mut start = start;
        if name == "array" && tokens.get(start) == Some(&Token::Mark('{')) {
            start = close(start).ok_or("an array has no columns")? + 1;
        }
        let end = tokens.iter().rposition(|t| *t == Token::Command("end")).filter(|e| *e >= start).ok_or("a matrix is not closed")?;
        if close(end) != Some(tokens.len() - 1) {
            return Err("a matrix is part of an expression".into());
        }
        let body = &tokens[start..end];
        let rows = split(body, &outside(body, &|t| *t == Token::Command("row")));
        let mut matrix = Vec::new();
        for row in rows.into_iter().filter(|r| !r.is_empty()) {
            let cells = split(row, &outside(row, &|t| *t == Token::Mark('&')));
            matrix.push(cells.into_iter().map(|c| self.whole(c)).collect::<Read<Vec<_>>>()?);
        }
        if matrix.is_empty() || matrix.iter().any(|r| r.len() != matrix[0].len()) {
            return Err("the rows of a matrix differ".into());
        }
        Ok(Kind::Matrix(matrix))
    }

    /// All tokens as one expression.
    fn whole(&mut self, tokens: &[Token]) -> Read<Expr> {
        self.deeper(|r| {
            let mut at = 0;
            let value = r.sum(tokens, &mut at)?;
            match tokens.get(at) {
                None => Ok(value),
                Some(token) => Err(format!("{} is not understood", shown(token))),
            }
        })
    }

    fn sum(&mut self, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        let mut terms = Vec::new();
        loop {
            let mut signs = 0;
            let mut both = false;
            loop {
                match tokens.get(*at) {
                    Some(Token::Mark('-')) => signs += 1,
                    Some(Token::Mark('+')) => {}
                    Some(Token::Command("pm")) => both = true,
                    Some(Token::Command("mp")) => return Err("\\mp is not understood".into()),
                    _ => break,
                }
                *at += 1;
            }
            let mut term = self.product(tokens, at)?;
            if both {
                term = Expr::PlusMinus(Box::new(term));
            }
            if signs % 2 == 1 {
                term = Expr::Negative(Box::new(term));
            }
            terms.push(term);
            if !matches!(tokens.get(*at), Some(Token::Mark('+' | '-') | Token::Command("pm" | "mp"))) {
                break;
            }
        }
        Ok(if terms.len() == 1 { terms.remove(0) } else { Expr::Sum(terms) })
    }

    fn product(&mut self, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        let mut left = self.juxtaposed(tokens, at, false)?;
        loop {
            match tokens.get(*at) {
                Some(Token::Mark('*')) => {
                    *at += 1;
                    let right = self.signed(tokens, at)?;
                    left = Expr::Product(vec![left, right]);
                }
                Some(Token::Mark('/') | Token::Command("div")) => {
                    *at += 1;
                    let right = self.signed(tokens, at)?;
                    left = Expr::Quotient(Box::new(left), Box::new(right));
                }
                _ => return Ok(left),
            }
        }
    }

    /// A factor after a sign of multiplication or division, perhaps negative. After a
    /// slash, 1/2x is (1/2)x.
    fn signed(&mut self, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        if tokens.get(*at) == Some(&Token::Mark('-')) {
            *at += 1;
            return Ok(Expr::Negative(Box::new(self.deeper(|r| r.signed(tokens, at))?)));
        }
        self.postfix(tokens, at, false)
    }

    /// Factors without a sign between them.
    fn juxtaposed(&mut self, tokens: &[Token], at: &mut usize, argument: bool) -> Read<Expr> {
        let from = *at;
        let mut factors = vec![self.postfix(tokens, at, argument)?];
        while let Some(token) = tokens.get(*at) {
            let starts = match token {
                Token::Letter(_) | Token::Mark('(' | '{') => true,
                // 2 3 is no product, nor is (a)2.
                Token::Number(_) => false,
                Token::Command("pi" | "infty" | "frac" | "sqrt" | "binom" | "lfloor" | "lceil") => true,
                Token::Command(name) => !argument && function(name) || greek(name),
                Token::Mark('|') => false,
                _ => false,
            };
            if !starts {
                break;
            }
            // A whole number before a fraction of whole numbers is a mixed number.
            let mixed = factors.len() == 1 && *at == from + 1 && *token == Token::Command("frac");
            let factor = self.postfix(tokens, at, argument)?;
            if let (true, Some(whole), Expr::Quotient(a, b)) = (mixed, factors[0].plain_integer(), &factor) {
                if a.plain_integer().is_some() && b.plain_integer().is_some() && matches!(tokens[from], Token::Number(_)) {
                    let whole = Expr::Number(whole.to_string());
                    factors = vec![Expr::Sum(vec![whole, factor])];
                    continue;
                }
            }
            factors.push(factor);
        }
        Ok(if factors.len() == 1 { factors.remove(0) } else { Expr::Product(factors) })
    }

    /// A factor with its powers, factorials, percent and degrees.
    fn postfix(&mut self, tokens: &[Token], at: &mut usize, argument: bool) -> Read<Expr> {
        let mut value = self.atom(tokens, at, argument)?;
        loop {
            match tokens.get(*at) {
                Some(Token::Mark('^')) => {
                    *at += 1;
                    if let Some(end) = degree(tokens, *at) {
                        *at = end;
                        value = Expr::Degrees(Box::new(value));
                        continue;
                    }
                    let exponent = self.deeper(|r| r.exponent(tokens, at))?;
                    value = Expr::Power(Box::new(value), Box::new(exponent));
                }
                Some(Token::Command("circ")) => {
                    *at += 1;
                    value = Expr::Degrees(Box::new(value));
                }
                Some(Token::Mark('!')) => {
                    *at += 1;
                    value = Expr::Function("factorial", Box::new(value));
                }
                Some(Token::Mark('%')) => {
                    *at += 1;
                    value = Expr::Percent(Box::new(value));
                }
                _ => return Ok(value),
            }
        }
    }

    fn exponent(&mut self, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        match tokens.get(*at) {
            Some(Token::Mark('-')) => {
                *at += 1;
                Ok(Expr::Negative(Box::new(self.deeper(|r| r.exponent(tokens, at))?)))
            }
            // In plain text, 2^3^2 is 2^(3^2).
            Some(Token::Number(_) | Token::Letter(_)) => {
                let base = self.atom(tokens, at, false)?;
                if tokens.get(*at) == Some(&Token::Mark('^')) {
                    *at += 1;
                    let power = self.deeper(|r| r.exponent(tokens, at))?;
                    return Ok(Expr::Power(Box::new(base), Box::new(power)));
                }
                Ok(base)
            }
            _ => self.atom(tokens, at, false),
        }
    }

    /// The tokens in braces, or the next digit or token; for arguments of commands.
    fn argument(&mut self, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        match tokens.get(*at) {
            Some(Token::Mark('{' | '(')) => self.deeper(|r| r.atom(tokens, at, false)),
            Some(Token::Command(_)) => self.deeper(|r| r.atom(tokens, at, false)),
            Some(_) => self.atom(tokens, at, false),
            None => Err("an argument is missing".into()),
        }
    }

    fn inside(&mut self, tokens: &[Token], at: &mut usize, close: &Token) -> Read<Expr> {
        let open = *at;
        let end = outside(&tokens[open..], &|t| t == close).first().map(|i| open + i).ok_or("a bracket is not closed")?;
        *at = end + 1;
        self.whole(&tokens[open + 1..end])
    }

    fn atom(&mut self, tokens: &[Token], at: &mut usize, argument: bool) -> Read<Expr> {
        let Some(token) = tokens.get(*at) else { return Err("a value is missing".into()) };
        match token {
            Token::Mark('(') => self.inside(tokens, at, &Token::Mark(')')),
            Token::Mark('[') => self.inside(tokens, at, &Token::Mark(']')),
            Token::Mark('{') => self.inside(tokens, at, &Token::Mark('}')),
            Token::Mark('|') => {
                let open = *at + 1;
                let end = outside(&tokens[open..], &|t| *t == Token::Mark('|')).first().map(|i| open + i).ok_or("a bar is not closed")?;
                *at = end + 1;
                Ok(Expr::Function("abs", Box::new(self.whole(&tokens[open..end])?)))
            }
            Token::Command(name @ ("lfloor" | "lceil")) => {
                let (close, function) = if *name == "lfloor" { ("rfloor", "floor") } else { ("rceil", "ceil") };
                Ok(Expr::Function(function, Box::new(self.inside(tokens, at, &Token::Command(close))?)))
            }
            Token::Number(text) => {
                *at += 1;
                if text.len() > 1000 {
                    return Err("a number has more than 1,000 digits".into());
                }
                match tokens.get(*at..) {
                    Some([Token::Mark('_'), ..]) => {
                        let base = self.subscript(tokens, at)?;
                        Ok(if base == "10" { Expr::Number(text.clone()) } else { Expr::Symbol(format!("{text}_{base}")) })
                    }
                    Some([Token::Command("overline"), ..]) if text.contains('.') || tokens.get(*at - 2).is_none() => {
                        self.repeating(text, tokens, at)
                    }
                    _ => Ok(Expr::Number(text.clone())),
                }
            }
            Token::Letter('e') if tokens.get(*at + 1) != Some(&Token::Mark('_')) => {
                *at += 1;
                Ok(Expr::E)
            }
            Token::Letter('i') if tokens.get(*at + 1) != Some(&Token::Mark('_')) => {
                *at += 1;
                Ok(Expr::I)
            }
            Token::Letter(c) => {
                *at += 1;
                self.symbol(c.to_string(), tokens, at)
            }
            Token::Text(words) => {
                *at += 1;
                self.symbol(words.to_lowercase(), tokens, at)
            }
            Token::Command(name) => {
                *at += 1;
                self.command(name, tokens, at, argument)
            }
            other => Err(format!("{} is not understood", shown(other))),
        }
    }

    fn symbol(&mut self, mut name: String, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        while let Some(Token::Mark('\'') | Token::Command("prime")) = tokens.get(*at) {
            name.push('\'');
            *at += 1;
        }
        if tokens.get(*at) == Some(&Token::Mark('_')) {
            name.push('_');
            name += &self.subscript(tokens, at)?;
        }
        Ok(Expr::Symbol(name))
    }

    /// What is below a symbol or number, as text.
    fn subscript(&mut self, tokens: &[Token], at: &mut usize) -> Read<String> {
        *at += 1;
        let end = match tokens.get(*at) {
            Some(Token::Mark('{')) => {
                outside(&tokens[*at..], &|t| *t == Token::Mark('}')).first().map(|i| *at + i + 1).ok_or("a brace is not closed")?
            }
            Some(_) => *at + 1,
            None => return Err("a subscript is missing".into()),
        };
        let text = tokens[*at..end].iter().map(shown).filter(|t| !matches!(t.as_str(), "{" | "}")).collect();
        *at = end;
        Ok(text)
    }

    /// 0.1\overline{6}
    fn repeating(&mut self, text: &str, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        let [_, Token::Mark('{'), Token::Number(digits), Token::Mark('}'), ..] = &tokens[*at..] else {
            return Err("\\overline is not understood".into());
        };
        let part = text.split_once('.').map_or("", |p| p.1);
        let (fixed, length) = (part.len() as u32, digits.len() as u32);
        let whole = |t: &str| t.replace('.', "").parse::<i128>().ok();
        let (Some(all), Some(before)) = (whole(&format!("{text}{digits}")), whole(text)) else {
            return Err("a repeating decimal is too long".into());
        };
        if fixed + length > 30 || !digits.bytes().all(|c| c.is_ascii_digit()) {
            return Err("a repeating decimal is too long".into());
        }
        *at += 4;
        Ok(Expr::Ratio(all - before, 10i128.pow(fixed + length) - 10i128.pow(fixed)))
    }

    fn command(&mut self, name: &'static str, tokens: &[Token], at: &mut usize, argument: bool) -> Read<Expr> {
        Ok(match name {
            "pi" => Expr::Pi,
            "infty" => Expr::Infinity,
            "frac" => {
                let over = self.argument(tokens, at)?;
                let under = self.argument(tokens, at)?;
                Expr::Quotient(Box::new(over), Box::new(under))
            }
            "binom" => {
                let n = self.argument(tokens, at)?;
                let k = self.argument(tokens, at)?;
                Expr::Binomial(Box::new(n), Box::new(k))
            }
            "sqrt" => {
                let mut root = Expr::Number("2".into());
                if tokens.get(*at) == Some(&Token::Mark('[')) {
                    root = self.inside(tokens, at, &Token::Mark(']'))?;
                }
                let inner = self.argument(tokens, at)?;
                let one = Box::new(Expr::Number("1".into()));
                Expr::Power(Box::new(inner), Box::new(Expr::Quotient(one, Box::new(root))))
            }
            "absolute" => Expr::Function("abs", Box::new(self.argument(tokens, at)?)),
            "overline" => return self.repeating("0", tokens, { *at -= 1; at }).map_err(|_| "\\overline is not understood".into()),
            "log" | "lg" => {
                let mut base = Expr::Number("10".into());
                let mut natural = name == "log";
                if tokens.get(*at) == Some(&Token::Mark('_')) {
                    *at += 1;
                    base = self.argument(tokens, at)?;
                    natural = false;
                }
                let inner = self.applied(tokens, at)?;
                // sympy's log is natural.
                if natural { Expr::Function("ln", Box::new(inner)) } else { Expr::Log(Box::new(base), Box::new(inner)) }
            }
            name if function(name) => {
                let mut power = None;
                if tokens.get(*at) == Some(&Token::Mark('^')) {
                    *at += 1;
                    power = Some(self.deeper(|r| r.exponent(tokens, at))?);
                }
                let inner = self.applied(tokens, at)?;
                match power {
                    // \sin^{-1} is the inverse function.
                    Some(p) if p.plain_integer() == Some(-1) => match name {
                        "sin" => Expr::Function("arcsin", Box::new(inner)),
                        "cos" => Expr::Function("arccos", Box::new(inner)),
                        "tan" => Expr::Function("arctan", Box::new(inner)),
                        _ => return Err(format!("\\{name}^{{-1}} is not understood")),
                    },
                    Some(p) => Expr::Power(Box::new(Expr::Function(name, Box::new(inner))), Box::new(p)),
                    None => Expr::Function(name, Box::new(inner)),
                }
            }
            name if greek(name) => return self.symbol(name.into(), tokens, at),
            _ if argument => return Err(format!("\\{name} is not understood as an argument")),
            name => return Err(format!("\\{name} is not understood")),
        })
    }

    /// What a function is applied to: brackets, or factors up to the next sign.
    fn applied(&mut self, tokens: &[Token], at: &mut usize) -> Read<Expr> {
        self.deeper(|r| match tokens.get(*at) {
            Some(Token::Mark('(' | '{')) => {
                let inner = r.atom(tokens, at, false)?;
                // \sin(x)^2 is (\sin x)^2 to some, \sin(x^2) to none.
                if matches!(tokens.get(*at), Some(Token::Mark('^'))) && degree(tokens, *at + 1).is_none() {
                    return Err("a power after a function's brackets has two readings".into());
                }
                match degree(tokens, *at + 1).filter(|_| tokens.get(*at) == Some(&Token::Mark('^'))) {
                    Some(end) => {
                        *at = end;
                        Ok(Expr::Degrees(Box::new(inner)))
                    }
                    None => Ok(inner),
                }
            }
            Some(_) => r.juxtaposed(tokens, at, true),
            None => Err("a function has no argument".into()),
        })
    }
}

/// Where `\circ` or `{\circ}` ends, if it is at a place.
fn degree(tokens: &[Token], at: usize) -> Option<usize> {
    match tokens.get(at..)? {
        [Token::Command("circ"), ..] => Some(at + 1),
        [Token::Mark('{'), Token::Command("circ"), Token::Mark('}'), ..] => Some(at + 3),
        _ => None,
    }
}

fn function(name: &str) -> bool {
    matches!(
        name,
        "sin" | "cos" | "tan" | "cot" | "sec" | "csc" | "arcsin" | "arccos" | "arctan" | "sinh" | "cosh" | "tanh"
            | "log" | "ln" | "lg" | "exp" | "Re" | "Im" | "absolute"
    )
}

fn greek(name: &str) -> bool {
    matches!(
        name,
        "alpha" | "beta" | "gamma" | "delta" | "epsilon" | "theta" | "lambda" | "mu" | "nu" | "rho" | "sigma" | "tau"
            | "phi" | "psi" | "omega" | "Delta" | "Omega" | "ell"
    )
}

/// A token for a message, or as part of a subscript.
fn shown(token: &Token) -> String {
    match token {
        Token::Number(text) | Token::Text(text) => text.clone(),
        Token::Letter(c) | Token::Mark(c) => c.to_string(),
        Token::Command(name) => format!("\\{name}"),
        Token::Unknown(name) => format!("\\{name}"),
        Token::Space => " ".into(),
    }
}
