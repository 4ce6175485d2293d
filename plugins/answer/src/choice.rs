//! `choice`: the letter of a multiple-choice answer.

use crate::{clip, one_if, unknown, Texts};
use rubric_host_sdk::{Answer, Object, Request, Result};
use std::collections::BTreeSet;

/// Letters that were found, and by which rule.
type Found = (BTreeSet<char>, &'static str);

pub fn choice(request: &Request) -> Result<Answer> {
    let config = request.config();
    let letters = config.count("choices", 26, 2, 26)?;
    let valid = |c: char| (c.to_ascii_uppercase() as usize).wrapping_sub('A' as usize) < letters;
    let strict = match config.text("find", "any")? {
        "any" => false,
        "marked" => true,
        other => return Err(unknown("find", other, "any or marked")),
    };
    let texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(unscored) => return Ok(unscored),
    };
    // Several references are several right letters together, as in Inspect: A and C.
    let mut wanted = BTreeSet::new();
    for reference in &texts.references {
        match list(reference.trim().trim_matches(['(', ')', '.']), &valid) {
            Some(letters) => wanted.extend(letters),
            None => {
                return Ok(Answer::unscored(format!("a reference is no letter of a choice: \"{}\"", clip(reference))))
            }
        }
    }
    let found = marked(texts.output, &valid).or_else(|| if strict { None } else { anywhere(texts.output, &valid) });
    let Some((got, rule)) = found else {
        return Ok(Answer::score(0.0).reason("the output has no letter of a choice"));
    };
    let mut details = Object::new();
    details.text("choice", &got.iter().map(char::to_string).collect::<Vec<_>>().join(","));
    details.text("found_by", rule);
    Ok(Answer::score(one_if(got == wanted)).details(details))
}

/// Letters alone: `A`, `A, C`, `A and C`, `AC` in capitals.
fn list(text: &str, valid: &dyn Fn(char) -> bool) -> Option<BTreeSet<char>> {
    let mut found = BTreeSet::new();
    let parts: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '&' | ';' | '/' | '(' | ')' | '.' | '*'))
        .filter(|p| !p.is_empty() && !p.eq_ignore_ascii_case("and"))
        .collect();
    for part in &parts {
        let single = part.len() == 1;
        if !part.chars().all(|c| valid(c) && (single || c.is_ascii_uppercase())) {
            return None;
        }
        found.extend(part.chars().map(|c| c.to_ascii_uppercase()));
    }
    (!found.is_empty()).then_some(found)
}

/// After the last of the words that announce an answer.
fn marked(text: &str, valid: &dyn Fn(char) -> bool) -> Option<Found> {
    let lower = text.to_ascii_lowercase();
    let boxed = text.rfind("\\boxed{").and_then(|at| {
        let inner = text[at + 7..].split('}').next().unwrap_or("");
        let inner = ["\\text{", "\\textbf{", "\\mathrm{", "\\mathbf{"].iter().find_map(|c| inner.strip_prefix(c)).unwrap_or(inner);
        Some((at, list(inner, valid)?))
    });
    let mut words = None;
    for word in ["answer", "choice", "option"] {
        for (at, _) in lower.match_indices(word) {
            if words.as_ref().is_some_and(|(last, _)| *last > at) {
                continue;
            }
            if let Some(letters) = after(&text[at + word.len()..], valid) {
                words = Some((at, letters));
            }
        }
    }
    let (_, found) = boxed.into_iter().chain(words).max_by_key(|f| f.0)?;
    Some((found, "marked"))
}

/// The letters after a word: `: A`, ` is (B)`, `**: C.`
fn after(text: &str, valid: &dyn Fn(char) -> bool) -> Option<BTreeSet<char>> {
    // An answer is near its announcement.
    let text = text.char_indices().nth(300).map_or(text, |(i, _)| &text[..i]);
    let space = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '"' | '\'' | '`' | '$');
    let mut rest = text.trim_start_matches(space);
    let colon = rest.strip_prefix(':').or_else(|| rest.strip_prefix('\u{ff1a}'));
    let is = ["is", "Is", "IS", "would be", "should be", "must be"]
        .iter()
        .find_map(|w| rest.strip_prefix(w).filter(|r| r.starts_with(|c: char| space(c) || matches!(c, ':' | '('))));
    let introduced = colon.is_some() || is.is_some();
    rest = colon.or(is).unwrap_or(rest).trim_start_matches(|c| space(c) || c == ':');
    for word in ["option", "choice", "letter", "Option", "Choice"] {
        rest = rest.strip_prefix(word).map_or(rest, |r| r.trim_start_matches(space));
    }
    // All letters of the clause, then the first alone.
    let clause = rest.split(['\n', '.', '*', ':', '\u{3002}']).next().unwrap_or("");
    if introduced && clause.len() < 80 {
        if let Some(all) = list(clause, valid) {
            return Some(all);
        }
    }
    let parenthesis = rest.starts_with('(');
    let rest = rest.trim_start_matches('(');
    let letter = rest.chars().next().filter(|c| valid(*c))?;
    let next = rest.chars().nth(1).unwrap_or(' ');
    // "the answer is a number" has an article.
    let capital = letter.is_ascii_uppercase() || parenthesis || matches!(next, ')' | '.') || rest.len() == 1;
    let ends = !next.is_alphanumeric() && !matches!(next, '\'' | '\u{2019}' | '-');
    let sentence = matches!(letter, 'A' | 'I') && next == ' ' && rest.chars().nth(2).is_some_and(char::is_lowercase);
    (introduced && capital && ends && !sentence || parenthesis && next == ')').then(|| [letter.to_ascii_uppercase()].into())
}

/// An answer that starts with its letter, the last letter in parentheses, or the last
/// capital that stands alone.
fn anywhere(text: &str, valid: &dyn Fn(char) -> bool) -> Option<Found> {
    if let Some(all) = list(text.trim(), valid) {
        return Some((all, "only"));
    }
    let start = text.trim_start().trim_start_matches(['*', '(']);
    let mut chars = start.chars();
    if let (Some(c), Some(next)) = (chars.next(), chars.next()) {
        if valid(c) && matches!(next, ')' | '.' | ':') && chars.next().is_none_or(|c| c.is_whitespace() || c == '*') {
            return Some(([c.to_ascii_uppercase()].into(), "start"));
        }
    }
    let chars: Vec<char> = text.chars().collect();
    let parenthesis = chars.windows(3).rev().find(|w| w[0] == '(' && w[2] == ')' && valid(w[1]));
    if let Some(w) = parenthesis {
        return Some(([w[1].to_ascii_uppercase()].into(), "parentheses"));
    }
    let joins = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '\'' | '\u{2019}' | '-' | '_'));
    let alone = (0..chars.len()).rev().find(|&i| {
        let c = chars[i];
        let (before, next) = (i.checked_sub(1).and_then(|j| chars.get(j)), chars.get(i + 1));
        let word = matches!(c, 'A' | 'I') && next == Some(&' ') && chars.get(i + 2).is_some_and(|c| c.is_lowercase());
        c.is_ascii_uppercase() && valid(c) && !joins(before) && !joins(next) && !word
    })?;
    Some(([chars[alone]].into(), "alone"))
}
