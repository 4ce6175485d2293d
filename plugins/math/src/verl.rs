//! verl 0.9.1's rule-based rewards for mathematics, by their string rules.

use crate::clip;
use rubric_host_sdk::{Answer, Object, Request, Result};
use rubric_host_text::{one_if, or_answer, Texts};

/// The output and the references; no reference is empty, which an empty box would equal.
fn texts<'r>(request: &'r Request) -> Result<std::result::Result<Texts<'r>, Answer>> {
    let texts = Texts::read(request)?;
    let empty = texts.as_ref().is_ok_and(|t| t.references.iter().any(|r| r.trim().is_empty()));
    Ok(if empty { Err(Answer::unscored("a reference is empty")) } else { texts })
}

/// The last characters of a text.
fn tail(text: &str, characters: usize) -> &str {
    match text.char_indices().rev().nth(characters.saturating_sub(1)) {
        Some((at, _)) => &text[at..],
        None => text,
    }
}

fn scored(right: bool, found: Option<&str>) -> Answer {
    let mut details = Object::new();
    match found {
        Some(text) => details.text("answer", &clip(text)),
        None => details.null("answer"),
    };
    Answer::score(one_if(right)).details(details)
}

/// From the first bracket after a place to the one that closes it.
fn braced(text: &str, from: usize) -> Option<&str> {
    let mut depth = 0i64;
    for (i, c) in text[from..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(&text[from..=from + i]);
                }
            }
            _ => {}
        }
    }
    None
}

pub fn gsm8k(request: &Request) -> Result<Answer> {
    let config = request.config();
    let flexible = match config.text("method", "strict")? {
        "strict" => false,
        "flexible" => true,
        other => return Err(format!("unknown method \"{}\": use strict or flexible", clip(other)).into()),
    };
    let Texts { output, references } = or_answer!(texts(request)?);
    let text = tail(output, 300);
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let mut found = None;
    if flexible {
        // -?[0-9.,]+ from the left; the last that is not "." alone, else the first.
        let mut all = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(number) {
            let start = at - usize::from(rest[..at].ends_with('-'));
            let end = rest[at..].find(|c| !number(c)).map_or(rest.len(), |i| at + i);
            all.push(rest[start..end].to_string());
            rest = &rest[end..];
        }
        found = all.iter().rev().find(|a| a.as_str() != ".").or(all.first()).cloned();
    } else {
        for (at, mark) in text.match_indices("#### ") {
            let rest = &text[at + mark.len()..];
            let sign = usize::from(rest.starts_with('-'));
            let end = rest[sign..].find(|c| !number(c)).map_or(rest.len(), |i| sign + i);
            if end > sign {
                found = Some(rest[..end].to_string());
            }
        }
    }
    let found = found.map(|f| plain(&f));
    // Rows of GSM8K have the worked answer, of which verl's preparation of its data keeps the number.
    let given = |r: &str| plain(r.rsplit_once("#### ").map_or(r, |(_, number)| number));
    Ok(scored(found.as_ref().is_some_and(|f| references.iter().any(|r| given(r) == *f)), found.as_deref()))
}

/// A number without what does not count in one: commas, dollars, the full stop of a
/// sentence. verl compares them, except for commas of its strict method in outputs, and
/// so gives 0 to a right 2,125.
fn plain(number: &str) -> String {
    let number = number.trim().replace([',', '$'], "");
    number.strip_suffix('.').unwrap_or(&number).to_string()
}

pub fn math_dapo(request: &Request) -> Result<Answer> {
    let strict = request.config().flag("strict_box", false)?;
    let Texts { output, references } = or_answer!(texts(request)?);
    let text = tail(output, 300);
    let boxed = last_box(tail(text, 100));
    let marked = if strict { None } else { after_answer(text).map(minerva) };
    if let Some(answer) = marked.filter(|a| a != "[INVALID]") {
        return Ok(scored(references.iter().any(|r| minerva(r) == answer), Some(&answer)));
    }
    Ok(scored(boxed.is_some_and(|b| references.contains(&b)), boxed))
}

/// The content of the last `\boxed{...}`.
fn last_box(text: &str) -> Option<&str> {
    let at = text.rfind("\\boxed{")?;
    let found = braced(text, at)?;
    Some(&found[7..found.len() - 1])
}

/// What follows the last `Answer:` on its line, as `(?i)Answer\s*:\s*([^\n]+)` finds it.
fn after_answer(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let mut from = 0;
    let mut found = None;
    while let Some(at) = lower[from..].find("answer") {
        let start = from + at + 6;
        from = start;
        let Some(rest) = text[start..].trim_start_matches(rubric_host_text::is_space).strip_prefix(':') else { continue };
        let line = rest.trim_start_matches(rubric_host_text::is_space);
        let end = line.find('\n').unwrap_or(line.len());
        if end > 0 {
            found = Some(&line[..end]);
            from = text.len() - line.len() + end;
        } else if let Some(last) = rest.rfind(|c: char| c != '\n') {
            // Only white space follows: its last part that is not a line end.
            let begin = rest[..last].rfind('\n').map_or(last, |i| i + 1).max(last);
            found = Some(&rest[begin..last + 1]);
            from = text.len();
        }
    }
    found
}

const SUBSTITUTIONS: [(&str, &str); 10] = [
    ("an ", ""), ("a ", ""), (".$", "$"), ("\\$", ""), ("\\ ", ""), (" ", ""), ("mbox", "text"),
    (",\\text{and}", ","), ("\\text{and}", ","), ("\\text{m}", "\\text{}"),
];

const REMOVED: [&str; 42] = [
    "square", "ways", "integers", "dollars", "mph", "inches", "hours", "km", "units", "\\ldots", "sue", "points",
    "feet", "minutes", "digits", "cents", "degrees", "cm", "gm", "pounds", "meters", "meals", "edges", "students",
    "childrentickets", "multiples", "\\text{s}", "\\text{.}", "\\text{\ns}", "\\text{}^2", "\\text{}^3",
    "\\text{\n}", "\\text{}", "\\mathrm{th}", "^\\circ", "^{\\circ}", "\\;", ",\\!", "{,}", "\"", "\\dots", "",
];

/// verl's normalize_final_answer.
fn minerva(answer: &str) -> String {
    let mut text = answer.rsplit('=').next().unwrap_or("").to_string();
    for (from, to) in SUBSTITUTIONS {
        text = text.replace(from, to);
    }
    for part in REMOVED.iter().filter(|p| !p.is_empty()) {
        text = text.replace(part, "");
    }
    // (.*?)(\$)(.*?)(\$)(.*), line by line: only the first formula stays, with its dollars.
    let kept: Vec<String> = text
        .split('\n')
        .map(|line| {
            let mut parts = line.splitn(3, '$');
            match (parts.next(), parts.next(), parts.next()) {
                (Some(_), Some(formula), Some(_)) => format!("${formula}$"),
                _ => line.into(),
            }
        })
        .collect();
    text = kept.join("\n");
    for command in ["\\text{", "\\textbf{", "\\overline{"] {
        text = unwrapped(&text, command, false);
    }
    text = unwrapped(&text, "\\boxed{", true);
    text = bare_arguments(&text, "frac", 2);
    text = bare_arguments(&text, "sqrt", 1);
    text = text.replace('$', "");
    let plain = text.replace(',', "");
    if !plain.is_empty() && plain.chars().all(python_digit) {
        text = plain;
    }
    rubric_host_text::strip(&text).into()
}

/// `str.isdigit()`: decimal digits, and superscript ones.
fn python_digit(c: char) -> bool {
    rubric_host_text::DIGIT.has(c) || matches!(c, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' | '₀'..='₉' | '①'..='⑨')
}

/// Takes away a command and a brace: the next one, or the last of the line.
fn unwrapped(text: &str, command: &str, last: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(command) {
        let inner = &rest[at + command.len()..];
        let line = &inner[..inner.find('\n').unwrap_or(inner.len())];
        let close = if last { line.rfind('}') } else { line.find('}') };
        match close {
            Some(end) => {
                out.push_str(&rest[..at]);
                out.push_str(&inner[..end]);
                rest = &inner[end + 1..];
            }
            None => {
                out.push_str(&rest[..at + command.len()]);
                rest = inner;
            }
        }
    }
    out + rest
}

/// `(frac)([^{])(.)` or `(sqrt)([^{])` with braces around the characters.
fn bare_arguments(text: &str, command: &str, count: usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(command) {
        let (before, after) = rest.split_at(at + command.len());
        out.push_str(before);
        let mut chars = after.chars();
        let first = chars.next().filter(|c| *c != '{');
        let second = if count == 2 { chars.next().filter(|c| *c != '\n') } else { Some(' ') };
        match (first, second) {
            (Some(a), Some(b)) => {
                out.push_str(&format!("{{{a}}}"));
                if count == 2 {
                    out.push_str(&format!("{{{b}}}"));
                }
                rest = chars.as_str();
            }
            _ => rest = after,
        }
    }
    out + rest
}

pub fn math_reward(request: &Request) -> Result<Answer> {
    let Texts { output, references } = or_answer!(texts(request)?);
    let found = any_box(output);
    // Rows of MATH have the worked solution, in words, of which verl's preparation of its data keeps the last box.
    let given = |r| any_box(r).filter(|_| r.split_whitespace().count() > 5).unwrap_or(r);
    let right = found.is_some_and(|f| references.iter().any(|r| equivalent(f, given(r))));
    Ok(scored(right, found))
}

/// The content of the last `\boxed`, with braces or a space, or of the last `\fbox`.
fn any_box(text: &str) -> Option<&str> {
    if let Some((_, after)) = text.rsplit_once("\\boxed ") {
        return Some(after.split('$').next().unwrap_or(""));
    }
    let at = text.rfind("\\boxed").or_else(|| text.rfind("\\fbox"))?;
    // Of \fbox{...}, verl takes nothing: its contents cannot be unwrapped.
    braced(text, at)?.strip_prefix("\\boxed{")?.strip_suffix('}')
}

/// Hendrycks' is_equiv: equal after the clean-up, or as they are if it fails.
fn equivalent(a: &str, b: &str) -> bool {
    match (cleaned(a), cleaned(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

/// Hendrycks' strip_string; nothing where it raises an exception.
fn cleaned(text: &str) -> Option<String> {
    let mut text = text.replace('\n', "").replace("\\!", "").replace("\\\\", "\\");
    text = text.replace("tfrac", "frac").replace("dfrac", "frac").replace("\\left", "").replace("\\right", "");
    text = text.replace("^{\\circ}", "").replace("^\\circ", "").replace("\\$", "");
    let parts: Vec<&str> = text.split("\\text{ ").collect();
    match parts[..] {
        [_] => {}
        [value, _] => text = value.to_string(),
        _ => return None,
    }
    text = text.replace("\\\\%", "").replace("\\%", "").replace(" .", " 0.").replace("{.", "{0.");
    if text.is_empty() {
        return Some(text);
    }
    if text.starts_with('.') {
        text.insert(0, '0');
    }
    if let [name, value] = text.split('=').collect::<Vec<_>>()[..] {
        if name.chars().count() <= 2 {
            text = value.to_string();
        }
    }
    text = fixed_roots(&text)?.replace(' ', "");
    text = fixed_fractions(&text)?;
    if text == "0.5" {
        text = "\\frac{1}{2}".into();
    }
    Some(fixed_slash(&text))
}

fn fixed_roots(text: &str) -> Option<String> {
    let mut parts = text.split("\\sqrt");
    let mut out = parts.next()?.to_string();
    for part in parts {
        let first = part.chars().next()?;
        if first == '{' {
            out = out + "\\sqrt" + part;
        } else {
            out = out + "\\sqrt{" + &part[..first.len_utf8()] + "}" + &part[first.len_utf8()..];
        }
    }
    Some(out)
}

fn fixed_fractions(text: &str) -> Option<String> {
    let mut parts = text.split("\\frac");
    let mut out = parts.next()?.to_string();
    for part in parts {
        out += "\\frac";
        let mut chars = part.chars();
        let a = chars.next()?;
        if a == '{' {
            out += part;
            continue;
        }
        let Some(b) = chars.next() else { return Some(text.into()) };
        out += &if b == '{' { format!("{{{a}}}{{") } else { format!("{{{a}}}{{{b}}}") };
        out += chars.as_str();
    }
    Some(out)
}

/// a/b of two whole numbers as a \frac.
fn fixed_slash(text: &str) -> String {
    let number = |t: &str| {
        let digits = t.strip_prefix('-').unwrap_or(t);
        let plain = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
        plain && (digits == "0" && t == "0" || !digits.starts_with('0'))
    };
    match text.split('/').collect::<Vec<_>>()[..] {
        [a, b] if number(a) && number(b) => format!("\\frac{{{a}}}{{{b}}}"),
        _ => text.into(),
    }
}
