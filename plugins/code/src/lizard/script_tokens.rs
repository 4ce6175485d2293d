//! The tokens of JavaScript and TypeScript: what lizard makes of templates and regular expressions.

use super::tokens::{is_word, span, tokens, Token};
use rubric_host_text::{is_space, strip};

/// The tokens of a file.
pub fn read(text: &str) -> Vec<Token<'_>> {
    let mut whole = Vec::new();
    tokens(text, addition, &mut whole);
    let mut list = Vec::with_capacity(whole.len());
    for token in whole {
        match token {
            Token::Borrowed(t) if t.len() > 1 && t.starts_with('`') && t.ends_with('`') => template(t, &mut list),
            t => list.push(t),
        }
    }
    expressions(list)
}

/// Private names, names with a dollar sign, names before a question mark, and templates.
fn addition(text: &str) -> Option<usize> {
    let first = text.as_bytes()[0];
    if matches!(first, b'#' | b'$') {
        let len = span(&text[1..], is_word);
        return (len > 0).then_some(len + 1);
    }
    if first == b'`' {
        return text[1..].find('`').map(|end| end + 2);
    }
    let len = span(text, is_word);
    (len > 0 && text[len..].starts_with('?')).then_some(len + 1)
}

/// The parts of a template: an expression is one token.
fn template<'t>(token: &'t str, out: &mut Vec<Token<'t>>) {
    let mut content = &token[1..token.len() - 1];
    out.push("`".into());
    if !content.contains("${") {
        if !content.is_empty() {
            out.push(token.into());
        }
        out.push("`".into());
        return;
    }
    while !content.is_empty() {
        let Some(start) = content.find("${") else {
            out.push(format!("`{content}`").into());
            break;
        };
        if start > 0 {
            out.push(format!("`{}`", &content[..start]).into());
        }
        out.push("${".into());
        let expression = &content[start + 2..];
        let mut depth = 1;
        let end = expression.bytes().position(|c| {
            depth += i64::from(c == b'{') - i64::from(c == b'}');
            depth == 0
        });
        let Some(end) = end else {
            out.push(token.into());
            return;
        };
        out.push(expression[..end].into());
        out.push("}".into());
        content = &expression[end + 1..];
    }
    out.push("`".into());
}

/// Joins the tokens of what may be regular expressions.
fn expressions<'t>(list: Vec<Token<'t>>) -> Vec<Token<'t>> {
    let mut out: Vec<Token> = Vec::with_capacity(list.len());
    let mut at = 0;
    while at < list.len() {
        let begins = list[at] == "/" && (at == 0 || strip(&list[at - 1]).ends_with(['=', ',', '(', '{', '[', '?', ':', '!', '&', '|', ';']));
        if !begins {
            out.push(list[at].clone());
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        while at < list.len() && !list[at].ends_with('/') {
            at += 1;
        }
        if at < list.len() {
            at += 1;
            if list.get(at).is_some_and(|t| !t.is_empty() && t.bytes().all(|c| matches!(c, b'i' | b'g' | b'm'))) {
                at += 1;
            }
        }
        let whole: String = list[start..at].iter().map(|t| t.as_ref()).collect();
        if is_expression(&whole) {
            out.push(whole.into());
        } else {
            out.extend(list[start..at].iter().cloned());
        }
        at += 1; // lizard loses the next token
    }
    out
}

/// Whether `/(\S*?[^\s\\]/)+?` matches at the start.
fn is_expression(text: &str) -> bool {
    let mut before = '\\'; // nothing may not be the body
    for c in text.chars().skip(1) {
        if c == '/' && before != '\\' {
            return true;
        }
        if is_space(c) {
            return false;
        }
        before = c;
    }
    false
}
