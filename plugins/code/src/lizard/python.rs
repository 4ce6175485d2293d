//! Python, whose functions lizard finds by indentation.

use super::context::Context;
use super::tokens::{is_blank, span, tokens, Token};
use super::{condition_none, Function, Reader};
use rubric_host_text::strip;

#[derive(Clone, Copy, PartialEq)]
enum State {
    Global,
    Name,
    Parameters,
    Brackets,
    Colon,
    FirstLine,
}

struct Python {
    state: State,
    /// Whether the next `case` is the keyword.
    keyword: bool,
    last: String,
}

/// A comment, or a triple-quoted string.
fn addition(text: &str) -> Option<usize> {
    match text.as_bytes()[0] {
        b'#' => Some(span(text, |c| c != '\n')),
        b'"' => triple(text, "\"\"\""),
        b'\'' => triple(text, "'''"),
        _ => None,
    }
}

/// The length of a string in three quotes. A backslash takes the next character with it, unless the
/// string would not end then.
fn triple(text: &str, quotes: &str) -> Option<usize> {
    text.strip_prefix(quotes)?;
    let bytes = text.as_bytes();
    let mut failed: Vec<bool> = Vec::new();
    let mut escapes: Vec<usize> = Vec::new();
    let mut at = 3;
    loop {
        if at < bytes.len() && !failed.get(at).is_some_and(|&f| f) {
            if text.as_bytes()[at..].starts_with(quotes.as_bytes()) {
                return Some(at + 3);
            }
            if bytes[at] == b'\\' && at + 1 < bytes.len() {
                escapes.push(at);
                at += 2;
            } else {
                at += 1;
            }
            continue;
        }
        // No end on this way: try again from the last backslash.
        let from = escapes.pop()?;
        failed.resize(bytes.len() + 2, false);
        failed[from] = true;
        failed[from + 2] = true;
        at = from + 1;
    }
}

fn is_prefix(token: &str) -> bool {
    token.len() <= 2 && matches!(token.to_ascii_lowercase().as_str(), "f" | "rf" | "fr" | "bf" | "fb")
}

/// The tokens of Python code: the braces of f-strings hold code, too.
fn code<'t>(text: &'t str, out: &mut Vec<Token<'t>>) {
    let mut list = Vec::new();
    tokens(text, addition, &mut list);
    let mut prefixed = false;
    for token in list {
        match token {
            Token::Borrowed(t) if prefixed && t.starts_with(['"', '\'']) => {
                interpolations(t, out);
                prefixed = false;
            }
            t => {
                prefixed = is_prefix(&t);
                out.push(t);
            }
        }
    }
}

fn interpolations<'t>(token: &'t str, out: &mut Vec<Token<'t>>) {
    let quote = if token.starts_with("\"\"\"") || token.starts_with("'''") { &token[..3] } else { &token[..1] };
    // Two quotes can be a whole token, of which Python's slices make an empty body.
    let body = token.get(quote.len()..token.len().saturating_sub(quote.len())).unwrap_or("");
    let before = out.len();
    let mut literal = String::new();
    let flush = |literal: &mut String, out: &mut Vec<Token<'t>>| {
        if !literal.is_empty() {
            out.push(format!("{quote}{literal}{quote}").into());
            literal.clear();
        }
    };
    let mut at = 0;
    while let Some(c) = body[at..].chars().next() {
        let two = body.as_bytes().get(at..at + 2);
        if matches!(two, Some(b"{{" | b"}}")) {
            literal.push(c);
            at += 2;
        } else if c == '{' {
            let end = interpolation_end(body, at);
            flush(&mut literal, out);
            // Lizard leaves the last character out, whether it is the brace or the string just ends.
            let last = body[..end].chars().next_back().map_or(0, char::len_utf8);
            code(body.get(at + 1..end - last).unwrap_or(""), out);
            at = end;
        } else {
            literal.push(c);
            at += c.len_utf8();
        }
    }
    if out.len() == before {
        out.push(token.into());
    } else {
        flush(&mut literal, out);
    }
}

/// One past the brace that closes the one at `start`.
fn interpolation_end(body: &str, start: usize) -> usize {
    let bytes = body.as_bytes();
    let (mut depth, mut at) = (1, start + 1);
    while at < bytes.len() && depth > 0 {
        match bytes[at] {
            b'"' | b'\'' => {
                at = literal_end(bytes, at);
                continue;
            }
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    at
}

fn literal_end(body: &[u8], start: usize) -> usize {
    let quote = body[start];
    let width = if body[start..].starts_with(&[quote; 3]) { 3 } else { 1 };
    let mut at = start + width;
    while at < body.len() {
        if body[at..].starts_with(&[quote; 3][..width]) {
            return at + width;
        }
        at += if body[at] == b'\\' { 2 } else { 1 };
    }
    body.len()
}

impl Python {
    fn take(&mut self, token: &str, context: &mut Context) {
        if token == "case" && self.keyword {
            context.add_condition(1);
        }
        let triple = token.starts_with("\"\"\"") || token.starts_with("'''");
        let extra = token.matches('\n').count() as i64 + 1;
        if triple && token.len() >= 6 && self.state != State::FirstLine {
            let part = matches!(
                self.last.as_str(),
                "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=" | "**=" | "&=" | "|=" | "^=" | "<<=" | ">>=" | "(" | "return" | "," | "[" | "+" | "-" | "*" | "/" | "%"
            );
            if !part {
                context.add_lines(-extra);
            }
        }
        self.last.clear();
        self.last.push_str(token);
        self.state = match self.state {
            State::Global => self.global(token),
            State::Name if token == "(" => State::Parameters,
            State::Name => {
                context.restart_new_function(token);
                context.add_to_long_name("(");
                State::Name
            }
            State::Parameters => match token {
                ")" | "[" => {
                    context.add_to_long_name(&format!(" {token}"));
                    if token == ")" { State::Colon } else { State::Brackets }
                }
                _ => {
                    context.parameter(token);
                    State::Parameters
                }
            },
            State::Brackets => {
                context.add_to_long_name(&format!(" {token}"));
                if token == "]" { State::Parameters } else { State::Brackets }
            }
            State::Colon if token == ":" => State::FirstLine,
            State::Colon => State::Global,
            State::FirstLine => {
                if triple {
                    context.add_lines(-extra);
                }
                self.global(token)
            }
        };
    }

    fn global(&self, token: &str) -> State {
        if token == "def" { State::Name } else { State::Global }
    }
}

/// Whether `case` or `match` at the start of a statement is the keyword, and how many of the
/// tokens after it were looked at.
fn soft_keyword(rest: &[Token]) -> (bool, usize) {
    let Some(first) = rest.iter().position(|t| !is_blank(t)) else { return (true, rest.len()) };
    match rest[first].as_ref() {
        "=" | "." | ":" | "," | "+=" | "-=" | "*=" | "/=" | "%=" | "//=" | "**=" | "&=" | "|=" | "^=" | "<<=" | ">>=" | ":=" => (false, first + 1),
        "(" | "[" => {
            let mut depth = 1;
            for (i, t) in rest.iter().enumerate().skip(first + 1) {
                match t.as_ref() {
                    "(" | "[" | "{" => depth += 1,
                    ")" | "]" | "}" => depth -= 1,
                    ":" if depth == 0 => return (true, i + 1),
                    "\n" if depth == 0 => return (false, i + 1),
                    _ => {}
                }
            }
            (false, rest.len())
        }
        _ => (true, first + 1),
    }
}

/// Lizard's `get_comment_from_token` for scripts.
fn comment(token: &str) -> Option<&str> {
    if !token.starts_with('#') {
        return None;
    }
    let text = strip(token.trim_start_matches('#'));
    Some(match text {
        t if t.starts_with("lizard forgive global") => "#lizard forgive global",
        t if t.starts_with("lizard forgive") => "#lizard forgive",
        t => t,
    })
}

/// The functions of a Python file.
pub fn python(text: &str) -> Option<Vec<Function>> {
    let mut list = Vec::new();
    code(text, &mut list);
    let mut reader = Reader {
        states: Python { state: State::Global, keyword: false, last: String::new() },
        condition: |t| matches!(t, "if" | "elif" | "for" | "while" | "except" | "finally" | "and" | "or"),
        take: Python::take,
        end: condition_none,
        too_deep: |_| false,
    };
    let mut context = super::Counter::new(comment);
    let mut indents = vec![0];
    let (mut spaces, mut leading) = (0, true);
    let mut line_start = true;
    let mut looked_at = 0; // tokens up to here were looked at already
    for i in 0..list.len() {
        let token = list[i].as_ref();
        if i >= looked_at {
            if token == "\n" {
                line_start = true;
            } else if !is_blank(token) {
                if line_start && matches!(token, "case" | "match") {
                    let (is_keyword, count) = soft_keyword(&list[i + 1..]);
                    if token == "case" {
                        reader.states.keyword = is_keyword;
                    }
                    looked_at = i + 1 + count;
                } else if token == "case" {
                    reader.states.keyword = false;
                }
                line_start = false;
            }
        }
        if token == "\n" {
            (leading, spaces) = (true, 0);
        } else if leading && is_blank(token) {
            spaces += token.chars().map(|c| if c == '\t' { 8 } else { 1 }).sum::<usize>();
        } else if leading {
            let open = !context.inner.is_global() && !context.inner.current.borrow().long_name.ends_with(')');
            if !token.starts_with('#') && !open {
                nest(&mut indents, spaces, token, &mut context.inner);
            }
            leading = false;
        }
        if (token == "\n" || !is_blank(token)) && !reader.feed(token, &mut context) {
            return context.functions(); // without the functions that are still open
        }
    }
    nest(&mut indents, 0, "", &mut context.inner);
    context.functions()
}

fn nest(indents: &mut Vec<usize>, spaces: usize, token: &str, context: &mut Context) {
    while indents.last().is_some_and(|&i| i > spaces) && !token.starts_with(')') {
        indents.pop();
        context.pop_nesting();
    }
    if indents.last().is_some_and(|&i| i < spaces) {
        indents.push(spaces);
        context.add_bare_nesting();
    }
}
