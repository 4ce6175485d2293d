//! `sql_equal`: the same SQL but for its spelling.

use crate::{checked, one_if, output};
use rubric_host_sdk::{Answer, Request, Result};
use rubric_host_text::lower;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// A keyword or name, in lower case; quotes around it do not count.
    Word(String),
    Number(String),
    Text(String),
    Mark(String),
}

pub fn equal(request: &Request) -> Result<Answer> {
    let text = match output(request)? {
        Ok(text) => checked(request, text)?,
        Err(unscored) => return Ok(unscored),
    };
    let references = request.references()?;
    if references.is_empty() {
        return Ok(Answer::unscored("the case has no references"));
    }
    let mut wanted = Vec::new();
    for reference in references {
        match normal(reference) {
            Ok(tokens) => wanted.push(tokens),
            Err(what) => return Ok(Answer::unscored(format!("a reference is not SQL: {what}"))),
        }
    }
    let got = match normal(text) {
        Ok(tokens) => tokens,
        Err(what) => return Ok(Answer::score(0.0).reason(what)),
    };
    let same = wanted.contains(&got);
    let answer = Answer::score(one_if(same));
    if same {
        return Ok(answer);
    }
    let shared = wanted.iter().map(|w| w.iter().zip(&got).take_while(|(a, b)| a == b).count()).max().unwrap_or(0);
    Ok(answer.reason(match got.get(shared) {
        Some(token) => format!("token {} differs: {}", shared + 1, token.shown()),
        None => "the output ends too early".into(),
    }))
}

impl Token {
    fn shown(&self) -> String {
        let (Token::Word(t) | Token::Number(t) | Token::Text(t) | Token::Mark(t)) = self;
        t.chars().take(100).collect()
    }
}

/// The tokens without comments, closing semicolons and words that change nothing.
fn normal(text: &str) -> std::result::Result<Vec<Token>, &'static str> {
    let mut tokens = read(text)?;
    while tokens.last() == Some(&Token::Mark(";".into())) {
        tokens.pop();
    }
    if tokens.is_empty() {
        return Err("no SQL");
    }
    let is = |t: Option<&Token>, words: &[&str]| matches!(t, Some(Token::Word(w)) if words.contains(&w.as_str()));
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    for (i, token) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1);
        let empty = is(Some(token), &["inner"]) && is(next, &["join"])
            || is(Some(token), &["outer"]) && is(kept.last(), &["left", "right", "full"])
            || is(Some(token), &["asc"]) && !matches!(next, Some(Token::Mark(m)) if m == "." || m == "=")
                && !is(kept.last(), &["by", "select", "as"])
            || is(Some(token), &["as"]) && matches!(next, Some(Token::Word(_)));
        if !empty {
            kept.push(token.clone());
        }
    }
    Ok(kept)
}

fn read(text: &str) -> std::result::Result<Vec<Token>, &'static str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(c) = rest.chars().next() else { return Ok(tokens) };
        if rest.starts_with("--") || c == '#' {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
        } else if rest.starts_with("/*") {
            rest = rest.split_once("*/").ok_or("a comment is not closed")?.1;
        } else if matches!(c, '\'' | '"' | '`' | '[') {
            let close = if c == '[' { ']' } else { c };
            let (inner, after) = quoted(&rest[1..], close).ok_or("a quote is not closed")?;
            tokens.push(if c == '\'' { Token::Text(inner) } else { Token::Word(lower(&inner).into_owned()) });
            rest = after;
        } else if c.is_ascii_digit() || (c == '.' && rest[1..].starts_with(|d: char| d.is_ascii_digit())) {
            let mut before = ' ';
            let end = rest
                .find(|d: char| {
                    let inside = d.is_ascii_alphanumeric() || d == '.' || d == '_' || (matches!(d, '+' | '-') && matches!(before, 'e' | 'E'));
                    before = d;
                    !inside
                })
                .unwrap_or(rest.len());
            tokens.push(Token::Number(number(&rest[..end])));
            rest = &rest[end..];
        } else if c.is_alphabetic() || matches!(c, '_' | '@' | '$' | ':') && rest.len() > 1 && !rest.starts_with("::") {
            let end = rest[c.len_utf8()..].find(|d: char| !d.is_alphanumeric() && !matches!(d, '_' | '$' | '@')).map_or(rest.len(), |i| i + c.len_utf8());
            tokens.push(Token::Word(lower(&rest[..end]).into_owned()));
            rest = &rest[end..];
        } else {
            let double = ["<>", "!=", "<=", ">=", "==", "||", "::", "->"].iter().find(|m| rest.starts_with(**m));
            let mark = double.map_or(&rest[..c.len_utf8()], |m| *m);
            tokens.push(Token::Mark(match mark {
                "!=" => "<>".into(),
                "==" => "=".into(),
                other => other.into(),
            }));
            rest = &rest[mark.len()..];
        }
    }
}

/// The text up to the closing quote, and what follows; a doubled quote stands for one.
fn quoted(text: &str, close: char) -> Option<(String, &str)> {
    let mut inner = String::new();
    let mut rest = text;
    loop {
        let (part, after) = rest.split_once(close)?;
        inner.push_str(part);
        match after.strip_prefix(close) {
            Some(more) if close != ']' => {
                inner.push(close);
                rest = more;
            }
            _ => return Some((inner, after)),
        }
    }
}

/// A number without the zeros that change nothing.
fn number(text: &str) -> String {
    if !text.bytes().all(|c| c.is_ascii_digit() || c == b'.') || text.matches('.').count() > 1 {
        return lower(text).into_owned();
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    if part.is_empty() { whole.into() } else { format!("{whole}.{part}") }
}
