//! Answers from their tokens: numbers and expressions, sets, intervals, equations,
//! matrices, words.

use crate::compare::{integer, interval, without};
use crate::expr::Expr;
use crate::terms::in_base;
use crate::tokens::{self, Token};
use crate::units::without_unit;
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
    /// A number and what it is the residue of a division by.
    Residue(Box<[Expr; 2]>),
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

/// Environments of steps.
const STEPS: [&str; 5] = ["aligned", "align", "split", "gathered", "gather"];

/// The deepest nesting that is read.
const DEPTH: usize = 40;

pub type Read<T> = Result<T, String>;

/// Why a text without a sign that is read cannot be read.
const NOTHING: &str = "there is nothing to read";

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
    // 3 cm, 4 cm
    let commas = outside(tokens, &|t| *t == Token::Mark(','));
    let parts: Vec<_> = if commas.is_empty() { Vec::new() } else { split(tokens, &commas).into_iter().map(without_unit).collect() };
    if parts.len() > 1 && parts.iter().all(|p| !p.1.is_empty() && p.1 == parts[0].1 && matches!(p.0, [.., Token::Number(_)]) && unread(p.0, &p.1).is_none()) {
        let kinds: Read<Vec<_>> = parts.iter().map(|p| Reader { depth: 0 }.kind(&spaceless(p.0))).collect();
        let unit = parts[0].1.clone();
        return Answer { kind: kinds.map_or_else(Kind::Unread, Kind::Set), unit, scale: None, letters: String::new() };
    }
    if let Some(words) = words(body) {
        if matches!(words.trim().to_lowercase().as_str(), "all real numbers" | "all reals" | "the real numbers") {
            return parse("\\mathbb{R}");
        }
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

/// Why tokens are not mathematics, though their numbers and letters could be read as such.
fn unread(tokens: &[Token], unit: &str) -> Option<&'static str> {
    // BEEF_{16}
    let digits = |run: &[Token]| tokens.contains(&Token::Mark('_')) && run.iter().all(|t| matches!(t, Token::Letter('A'..='F')));
    let runs: Vec<usize> = tokens.split(|t| !matches!(t, Token::Letter(_))).filter(|run| !digits(run)).map(<[Token]>::len).collect();
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
            // 10:30 is not a ratio in lowest terms, as 3:10 is.
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
        // (1011)_2, (FF)_{16}, 1A3_{16}
        let open = *first == Token::Mark('(');
        if !matches!(out.last(), Some(Token::Letter(_) | Token::Number(_))) {
            let digit = |t: &Token| match t {
                Token::Number(n) => Some(n.clone()),
                Token::Letter(c @ 'A'..='Z') => Some(c.to_string()),
                _ => None,
            };
            let inner = &rest[usize::from(open)..];
            let digits: Vec<String> = inner.iter().map_while(digit).collect();
            // AB_{12} may be a product.
            let mixed = inner.windows(2).take(digits.len().saturating_sub(1)).any(|w| matches!(w, [Token::Letter(_), Token::Number(_)]));
            let end = &inner[digits.len()..];
            let end = if open { end.strip_prefix(&[Token::Mark(')')]).unwrap_or(&[]) } else { end };
            if !digits.is_empty() && (open || mixed) {
                let base = end.iter().take(3).find_map(|t| if let Token::Number(n) = t { Some(n) } else { None });
                let digits = digits.concat();
                if end.first() == Some(&Token::Mark('_')) && (!digits.contains(char::is_alphabetic) || base.is_some_and(|b| in_base(&digits, b).is_some())) {
                    out.push(Token::Number(digits));
                    rest = end;
                    continue;
                }
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

pub struct Reader {
    depth: usize,
}

/// The places of marks outside of brackets.
pub fn outside(tokens: &[Token], test: &dyn Fn(&Token) -> bool) -> Vec<usize> {
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

pub fn split<'t>(tokens: &'t [Token], at: &[usize]) -> Vec<&'t [Token]> {
    let mut parts = Vec::new();
    let mut from = 0;
    for &i in at {
        parts.push(&tokens[from..i]);
        from = i + 1;
    }
    parts.push(&tokens[from..]);
    parts
}

/// The congruences of `x \equiv 1, 5 \pmod 6`, of which the last alone has the modulus.
fn congruences(parts: &[&[Token]]) -> Option<Vec<Vec<Token>>> {
    let modulus = |t: &Token| matches!(t, Token::Command("mod" | "pmod"));
    let (last, first) = parts.split_last()?;
    let at = last.iter().position(modulus)?;
    let bracket = at > 0 && last[at - 1] == Token::Mark('(');
    if first.is_empty() || first.iter().any(|p| p.iter().any(modulus)) || !bracket && last[at] != Token::Command("pmod") {
        return None;
    }
    let sign = |p: &[Token]| p.iter().position(|t| *t == Token::Command("equiv")).map_or(0, |i| i + 1);
    let (name, tail) = (&first[0][..sign(first[0])], &last[at - usize::from(bracket)..]);
    let whole = |(i, part): (usize, &&[Token])| [if sign(part) == 0 { name } else { &[] }, part, if i + 1 == parts.len() { &[] } else { tail }].concat();
    Some(parts.iter().enumerate().map(whole).collect())
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
    /// The set of the parts; \pm 3 is two of its elements.
    fn elements(&mut self, parts: Vec<&[Token]>) -> Read<Kind> {
        let mut all = Vec::new();
        for part in parts {
            match self.kind(part)? {
                Kind::Set(signs) if part.contains(&Token::Command("pm")) => all.extend(signs),
                kind => all.push(kind),
            }
        }
        Ok(Kind::Set(all))
    }

    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == DEPTH {
            return Err("the answer is nested too deeply".into());
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    pub fn kind(&mut self, tokens: &[Token]) -> Read<Kind> {
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
        // Of steps, the last alone has to be read.
        let name = || tokens.iter().skip(2).map_while(|t| if let Token::Letter(c) = t { Some(*c) } else { None }).collect::<String>();
        if tokens.first() == Some(&Token::Command("begin")) && STEPS.contains(&&*name()) {
            return self.matrix(tokens);
        }
        if let Some(Token::Unknown(name)) = tokens.iter().find(|t| matches!(t, Token::Unknown(_))) {
            return Err(format!("\\{name} is not understood"));
        }
        let commas = outside(tokens, &|t| matches!(t, Token::Mark(',' | ';')));
        if !commas.is_empty() {
            let parts: Vec<_> = split(tokens, &commas).into_iter().filter(|p| !p.is_empty()).collect();
            if let Some(all) = congruences(&parts) {
                return Ok(Kind::Set(all.iter().map(|p| self.kind(p)).collect::<Read<_>>()?));
            }
            return self.elements(parts);
        }
        if let Some(i) = tokens.iter().rposition(|t| matches!(t, Token::Command("mod" | "pmod"))) {
            return self.residue(&tokens[..i], &tokens[i], &tokens[i + 1..]);
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
        if let [i] = outside(tokens, &|t| *t == Token::Command("setminus"))[..] {
            return without(self.kind(&tokens[..i])?, &self.kind(&tokens[i + 1..])?).ok_or("a difference of sets is not understood".into());
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
            [Token::Command("reals")] => {
                let ends = Box::new([Expr::Negative(Box::new(Expr::Infinity)), Expr::Infinity]);
                Ok(Kind::Interval { ends, closed: [false, false] })
            }
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
            if let [i] = described[..] {
                let condition = self.kind(&inner[i + 1..])?;
                let real = matches!(&inner[..i], [Token::Letter(_)] | [Token::Letter(_), Token::Command("in"), Token::Command("reals")]);
                let found = if let Kind::Relation(parts, relations) = condition { interval(&parts, &relations) } else { None };
                return found.filter(|_| real).map(Some).ok_or("a set is given by a condition".into());
            }
            if !described.is_empty() {
                return Err("a set is given by a condition".into());
            }
            return self.elements(parts).map(Some);
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

    /// `x \equiv 3 \pmod{7}`, `x \equiv 3 (mod 7)`, `3 \pmod{7}`; `5 \bmod 3` is 2.
    fn residue(&mut self, tokens: &[Token], sign: &Token, modulus: &[Token]) -> Read<Kind> {
        let (tokens, modulus) = match (tokens, modulus) {
            ([first @ .., Token::Mark('(')], [last @ .., Token::Mark(')')]) => (first, last),
            both => both,
        };
        let from = tokens.iter().rposition(|t| *t == Token::Command("equiv")).map_or(0, |i| i + 1);
        let named = from == 2 && matches!(tokens[0], Token::Letter(_)) || from == 0 && *sign == Token::Command("pmod");
        match (named, self.kind(&tokens[from..])?, self.kind(modulus)?) {
            (true, Kind::Value(a), Kind::Value(m)) => Ok(Kind::Residue(Box::new([a, m]))),
            (_, Kind::Value(a), Kind::Value(m)) if from == 0 => match (integer(&a), integer(&m)) {
                (Some(a), Some(m)) if m > 0 && a >= m => Ok(Kind::Value(Expr::Number(a.rem_euclid(m).to_string()))),
                _ => Err("a remainder may be a congruence".into()),
            },
            _ => Err("a congruence is not understood".into()),
        }
    }

    /// `\begin{pmatrix} a & b \\ c & d \end{pmatrix}`
    fn matrix(&mut self, tokens: &[Token]) -> Read<Kind> {
        let close = |from: usize| tokens[from..].iter().position(|t| *t == Token::Mark('}')).map(|i| from + i);
        let start = close(0).ok_or("an environment has no name")? + 1;
        let name: String = tokens[2..start.saturating_sub(1).max(2)].iter().map(|t| if let Token::Letter(c) = t { *c } else { '?' }).collect();
        let derivation = STEPS.contains(&name.trim_end_matches('?'));
        if !name.ends_with("matrix") && name != "array" && name != "cases" && !derivation {
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
        if name == "cases" || derivation {
            let end = |row: &&[Token]| row.len() - row.iter().rev().take_while(|t| derivation && matches!(t, Token::Mark('.' | ','))).count();
            let plain = |row: &[Token]| row[..end(&row)].iter().filter(|t| !derivation || **t != Token::Mark('&')).cloned().collect::<Vec<_>>();
            let rows: Vec<Vec<Token>> = rows.into_iter().map(plain).filter(|r| !r.is_empty()).collect();
            let left = |row: &[Token]| row.iter().take_while(|t| relation(t).is_none()).count();
            let last = rows.last().ok_or(NOTHING)?;
            let others = rows.iter().flatten().any(|t| relation(t).is_some_and(|sign| sign != "="));
            if derivation && others && (rows.len() > 1 || left(last) == 0) {
                return Err("steps other than equations are not understood".into());
            }
            // a = b, then = c
            if derivation && rows[1..].iter().all(|row| left(row) == 0) {
                return self.kind(&last[usize::from(left(last) == 0 && last.len() > 1)..]);
            }
            let all = rows.iter().map(|r| self.kind(r)).collect::<Read<Vec<_>>>()?;
            let equations = all.iter().all(|k| matches!(k, Kind::Relation(_, signs) if signs[..] == ["="]));
            if !derivation && equations {
                return Ok(Kind::Set(all));
            }
            let sides = || all.iter().filter_map(|k| if let Kind::Relation(sides, _) = k { Some((&sides[0], &sides[1])) } else { None });
            let names = |side: &Kind, names: &mut Vec<String>| if let Kind::Value(e) = side { e.symbols(names) };
            let (mut known, mut right) = (Vec::new(), Vec::new());
            sides().for_each(|(a, b)| (names(a, &mut known), names(b, &mut right)).1);
            let assigned: Vec<bool> = sides().map(|(a, _)| matches!(a, Kind::Value(Expr::Symbol(_)))).collect();
            let values = sides().take_while(|(a, b)| matches!((a, b), (Kind::Value(_), Kind::Value(_)))).count();
            return match assigned.iter().position(|a| *a) {
                // 3x = 15, then x = 5
                Some(at) if equations && at + 1 == all.len() && values >= at && known.len() == 1 && right.iter().all(|n| *n == known[0]) => self.kind(last),
                // x = 1 and y = 2
                Some(0) if equations && values == all.len() && assigned.iter().all(|a| *a) && known.len() == all.len() && right.is_empty() => Ok(Kind::Set(all)),
                _ => Err("these equations are not understood".into()),
            };
        }
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
}
