//! `sql_equal`: the same SQL but for its spelling.

use crate::{checked, output};
use rubric_host_sdk::{Answer, Request, Result};
use rubric_host_text::{lower, or_answer};

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// A keyword or name, in lower case.
    Word(String),
    /// A name in backticks or brackets, in lower case.
    Name(String),
    /// In double quotes: a name in the standard, a text in some dialects.
    Either(String),
    Number(String),
    Text(String),
    Mark(String),
}

/// Whether two tokens or lists of them are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Same {
    No,
    /// By the dialect.
    Perhaps,
    Yes,
}

fn same(a: &Token, b: &Token) -> Same {
    match (a, b) {
        (Token::Either(x), Token::Either(y)) if x == y => Same::Yes,
        (Token::Either(x), Token::Either(y)) if lower(x) == lower(y) => Same::Perhaps,
        (Token::Either(x), Token::Text(y)) | (Token::Text(y), Token::Either(x)) if x == y => Same::Perhaps,
        (Token::Either(x), Token::Word(y) | Token::Name(y)) | (Token::Word(y) | Token::Name(y), Token::Either(x)) if lower(x) == **y => Same::Yes,
        (Token::Number(x), Token::Number(y)) if x.trim_end_matches('.') == y.trim_end_matches('.') => Same::Yes,
        (Token::Word(x), Token::Name(y)) | (Token::Name(x), Token::Word(y)) if x == y => Same::Yes,
        _ if a == b => Same::Yes,
        _ => Same::No,
    }
}

/// Whether a token is one of several arguments of a function: "x" of `concat(a, "x")`; not of `insert into t ("x", "y")`.
fn argument(tokens: &[Token], at: usize) -> bool {
    // t."a" is a name.
    if matches!(at.checked_sub(1).map(|i| &tokens[i]), Some(Token::Mark(m)) if m == ".") {
        return false;
    }
    let word = |i: Option<usize>, words: &[&str]| i.is_some_and(|i| matches!(&tokens[i], Token::Word(w) if words.contains(&w.as_str())));
    let (mut depth, mut several) = (0, false);
    let open = tokens[..at].iter().enumerate().rev().take(100).find_map(|(i, t)| {
        let Token::Mark(mark) = t else { return None };
        match mark.as_str() {
            ")" => depth += 1,
            "(" if depth == 0 => return Some(i),
            "(" => depth -= 1,
            "," => several |= depth == 0,
            _ => {}
        }
        None
    });
    several |= matches!(tokens.get(at + 1), Some(Token::Mark(m)) if m == ",");
    let Some(name) = open.and_then(|i| i.checked_sub(1)).filter(|_| several) else { return false };
    matches!(tokens[name], Token::Word(_)) && !word(Some(name), &["using", "key", "unique", "on", "over", "as", "by", "distinct", "select", "from", "where", "having", "when", "and", "or", "not"])
        && !word(name.checked_sub(1), &["into", "table", "with", "recursive", "references", "on", "as"])
}

fn all_same(a: &[Token], b: &[Token]) -> Same {
    if a.len() != b.len() {
        return Same::No;
    }
    // n = "Alice" compares with a text where "Alice" is not a name.
    let compares = |at: usize| {
        let word = |t: &Token, words: &[&str]| matches!(t, Token::Word(w) if words.contains(&w.as_str()));
        let mark = |t: Option<&Token>, marks: &[&str]| matches!(t, Some(Token::Mark(m)) if marks.contains(&m.as_str()));
        let before = at.checked_sub(1).map(|i| &a[i]);
        mark(before, &["=", "<>", "<", ">", "<=", ">="]) || before.is_some_and(|t| word(t, &["like", "ilike", "between", "values"]))
            || mark(before, &["("]) && at > 1 && word(&a[at - 2], &["in", "values"])
            || argument(a, at)
    };
    let text = |at: usize| {
        let either = |t: &[Token]| matches!(t[at], Token::Either(_)) && !matches!(t.get(at + 1), Some(Token::Mark(m)) if m == ".");
        if either(a) != either(b) && compares(at) { Same::Perhaps } else { Same::Yes }
    };
    // 1 / 2 is 0 where 1.0 / 2 is 0.5.
    let divides = a.iter().any(|t| matches!(t, Token::Mark(m) if m == "/") || matches!(t, Token::Word(w) if w == "avg"));
    let kind = |a: &Token, b: &Token| if divides && matches!(a, Token::Number(_)) && a != b { Same::Perhaps } else { Same::Yes };
    a.iter().zip(b).enumerate().map(|(at, (a, b))| same(a, b).min(kind(a, b)).min(text(at))).min().unwrap_or(Same::Yes)
}

pub fn equal(request: &Request) -> Result<Answer> {
    let text = checked(request, or_answer!(output(request)?), &["sql", "sqlite", "mysql", "postgresql", "postgres", "tsql"])?;
    let references = request.references()?;
    if references.is_empty() {
        return Ok(Answer::unscored("the case has no references"));
    }
    let mut wanted = Vec::new();
    for reference in &references {
        match normal(reference, Hash::Comment) {
            Ok(tokens) => wanted.push(tokens),
            Err(what) => return Ok(Answer::unscored(format!("a reference is not SQL: {what}"))),
        }
    }
    let got = match normal(text, Hash::Comment) {
        Ok(tokens) => tokens,
        Err(what) => return Ok(Answer::score(0.0).reason(what)),
    };
    match wanted.iter().map(|w| all_same(w, &got)).max() {
        Some(Same::Yes) => {
            // j #> 'a', #table; a text that is not SQL in this way has comments.
            let marks = |text: &str| normal(text, Hash::Mark).ok();
            let any = std::iter::once(text).chain(references.iter().copied()).any(|t| ["#", "--", "/*!"].iter().any(|m| t.contains(m)));
            let other = if any { marks(text) } else { None }.and_then(|got| references.iter().map(|r| marks(r).map(|w| all_same(&w, &got))).collect::<Option<Vec<_>>>());
            return Ok(match other.and_then(|all| all.into_iter().max()) {
                Some(Same::No) => Answer::unscored("the same but for what follows #, -- or /*!, which is a comment or not, by the dialect"),
                _ => Answer::score(1.0),
            });
        }
        Some(Same::Perhaps) => return Ok(Answer::unscored("the same but for double quotes, which are around a name or a text, by the dialect, or for 1 and 1.0 where it divides")),
        _ => {}
    }
    let shared = wanted.iter().map(|w| w.iter().zip(&got).take_while(|(a, b)| same(a, b) != Same::No).count()).max().unwrap_or(0);
    Ok(Answer::score(0.0).reason(match got.get(shared) {
        Some(token) => format!("token {} differs: {}", shared + 1, token.shown()),
        None => "the output ends too early".into(),
    }))
}

/// What a `#` begins: a comment in MySQL, else an operator or the name of a table. With it, what other dialects
/// take for comments: `5--3` and `/*! */` are none in MySQL.
#[derive(Clone, Copy, PartialEq)]
enum Hash {
    Comment,
    Mark,
}

/// Words that may follow a name, and are none behind `as`.
const CLAUSES: [&str; 16] = [
    "from", "where", "group", "having", "order", "limit", "offset", "join", "inner", "left", "right", "full", "cross", "union", "on",
    "as",
];

impl Token {
    fn shown(&self) -> String {
        let (Token::Word(t) | Token::Name(t) | Token::Either(t) | Token::Number(t) | Token::Text(t) | Token::Mark(t)) = self;
        t.chars().take(100).collect()
    }
}

/// The tokens without comments, closing semicolons and words that change nothing.
fn normal(text: &str, hash: Hash) -> std::result::Result<Vec<Token>, &'static str> {
    let mut tokens = read(text, hash)?;
    while tokens.last() == Some(&Token::Mark(";".into())) {
        tokens.pop();
    }
    if tokens.is_empty() {
        return Err("no SQL");
    }
    let is = |t: Option<&Token>, words: &[&str]| matches!(t, Some(Token::Word(w)) if words.contains(&w.as_str()));
    let name = |t: Option<&Token>| match t {
        Some(Token::Word(w)) => !CLAUSES.contains(&w.as_str()),
        t => matches!(t, Some(Token::Name(_) | Token::Either(_))),
    };
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    // For each open parenthesis, whether it is that of a cast.
    let mut casts = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1);
        let before = i.checked_sub(1).and_then(|b| tokens.get(b));
        match token {
            Token::Mark(m) if m == "(" => casts.push(is(before, &["cast", "try_cast", "safe_cast"])),
            Token::Mark(m) if m == ")" => drop(casts.pop()),
            _ => {}
        }
        let empty = is(Some(token), &["inner"]) && is(next, &["join"])
            || is(Some(token), &["outer"]) && is(kept.last(), &["left", "right", "full"])
            || is(Some(token), &["asc"]) && !matches!(next, Some(Token::Mark(m)) if m == "." || m == "=")
                && !is(kept.last(), &["by", "select", "as"])
            || is(Some(token), &["as"]) && name(next) && !is(before, &["as"]) && casts.last() != Some(&true);
        if !empty {
            kept.push(token.clone());
        }
    }
    Ok(kept)
}

fn read(text: &str, hash: Hash) -> std::result::Result<Vec<Token>, &'static str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        let before = rest.len();
        rest = rest.trim_start();
        let spaced = rest.len() < before;
        let Some(c) = rest.chars().next() else { return Ok(tokens) };
        // In MySQL, 5--3 is 8, and what is in /*! */ is read.
        let minus = hash == Hash::Mark && rest.starts_with("--") && rest[2..].starts_with(|c: char| c.is_ascii_digit() || c == '(');
        if let Some(read) = rest.strip_prefix("/*!").filter(|_| hash == Hash::Mark) {
            rest = read.trim_start_matches(|c: char| c.is_ascii_digit());
        } else if let Some(after) = rest.strip_prefix("*/").filter(|_| hash == Hash::Mark) {
            rest = after;
        } else if rest.starts_with("--") && !minus || c == '#' && hash == Hash::Comment {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
        } else if rest.starts_with("/*") {
            rest = rest.split_once("*/").ok_or("a comment is not closed")?.1;
        } else if let Some((inner, after)) = dollars(rest) {
            tokens.push(Token::Text(inner.into()));
            rest = after;
        } else if rest.starts_with("$$") {
            return Err("a quote is not closed");
        } else if matches!(c, '\'' | '"' | '`') || c == '[' && !subscript(rest, spaced, tokens.last()) {
            let close = if c == '[' { ']' } else { c };
            let (inner, after) = quoted(&rest[1..], close).ok_or("a quote is not closed")?;
            tokens.push(match c {
                '\'' => Token::Text(inner),
                '"' => Token::Either(inner),
                _ => Token::Name(lower(&inner).into_owned()),
            });
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

/// Words that a name in brackets may follow without a space: `FROM[Orders]`.
const BEFORE_NAMES: [&str; 22] = [
    "select", "distinct", "all", "from", "join", "on", "where", "and", "or", "not", "by", "having", "as", "in", "between", "like",
    "case", "when", "then", "else", "update", "set",
];

/// Whether a bracket begins an index (`list[i + 1]`, `map['Key']`) or a list (`[1, 2]`), and no name of T-SQL.
/// `spaced`: white space stands before it; `last`: the token before it.
fn subscript(text: &str, spaced: bool, last: Option<&Token>) -> bool {
    // A name has at most 128 characters.
    let inner = text.as_bytes()[1..].iter().take(512).take_while(|c| **c != b']');
    let first = inner.clone().find(|c| !c.is_ascii_whitespace());
    let indexed = match last {
        Some(Token::Word(w)) => !BEFORE_NAMES.contains(&w.as_str()),
        Some(Token::Mark(m)) => m == ")" || m == "]",
        last => matches!(last, Some(Token::Name(_) | Token::Either(_))),
    };
    // sales [Total Sales] has a name.
    first == Some(&b'\'') || indexed && (!spaced || first.is_some_and(u8::is_ascii_digit)) || inner.into_iter().any(|c| *c == b',')
}

/// The text between two `$$` or `$tag$`, as PostgreSQL has it, and what follows.
fn dollars(text: &str) -> Option<(&str, &str)> {
    let tag = 1 + text.strip_prefix('$')?.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let quote = text.get(..=tag).filter(|q| q.ends_with('$') && !q[1..].starts_with(|c: char| c.is_ascii_digit()))?;
    text[tag + 1..].split_once(quote)
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
    // 1. is not an integer.
    if text.contains('.') { format!("{whole}.{part}") } else { whole.into() }
}
