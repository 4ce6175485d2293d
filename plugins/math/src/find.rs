//! Where the answer is in an output.

use crate::compare::{compare, untexted};
use crate::parse::{parse, Kind};
use crate::tokens::{closing, LONGEST, SCALES};
use crate::Verdict;
use rubric_host_text::{after_reasoning, boxed as last_box, case_of_box, announcement, asked, bound, fraction, given, joins_numbers, minus, negated, numbers as written, operated, precision, second_part, visible, worded_line, Comma, Given, Sure};

#[derive(Clone, Copy, PartialEq)]
pub enum How {
    Auto,
    Boxed,
    Whole,
}

/// The answer in an output.
pub struct Found {
    pub answer: String,
    /// Texts with numbers that may be meant in its place.
    pub doubts: Vec<String>,
    /// Whether nothing tells which of them is meant.
    pub open: bool,
}

impl From<String> for Found {
    fn from(answer: String) -> Self {
        Found { answer, doubts: Vec::new(), open: false }
    }
}

/// The answer in an output, or nothing if it has none.
pub fn answer(output: &str, how: How) -> Option<Found> {
    let text = visible(after_reasoning(output).unwrap_or(""));
    let text = text.trim();
    // A quotation of Markdown, not an inequality.
    let text = text.strip_prefix("> ").filter(|t| !t.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '$'))).unwrap_or(text);
    if text.is_empty() {
        return None;
    }
    if how == How::Whole {
        return Some(boxed(text).unwrap_or_else(|| text.into()).into());
    }
    // Boxes that follow each other are one answer.
    let case = |b: &str| last_box(text).is_some_and(|(at, inner)| inner.trim() == b && case_of_box(&text[..at]));
    boxed(text).map(|b| Found { open: case(&b), ..Found::from(announced(b)) }).or_else(|| if how == How::Boxed { None } else { unboxed(text).map(|found| changed(text, found)) })
}

/// An answer that is a formula. It is open if words before it make another one wherever it stands: `at least $5$`, `minus $5$`.
fn changed(text: &str, mut found: Found) -> Found {
    let mut places = formulas(text).into_iter().filter(|f| text[f.0..f.1].trim() == found.answer).peekable();
    let other = |from: usize| {
        let before = text[..from].rsplit('\n').next().unwrap_or("").trim_end_matches([' ', '$', '*', '\\', '(', '[']);
        minus(before, false).is_some() || operated(before, "") || bound(before, "").is_some()
    };
    if places.peek().is_some() && places.all(|f| other(f.0)) {
        found.open = true;
        found.doubts.push(format!("-{}", found.answer));
    }
    found
}

/// A reference: its box or its only formula, else all of it.
pub fn reference(text: &str) -> String {
    let text = text.trim();
    if let Some(found) = boxed(text) {
        return found;
    }
    if let Some((_, number)) = text.rsplit_once("####") {
        return number.trim().into();
    }
    match formulas(text)[..] {
        [(from, to)] if text.len() - (to - from) > 4 && text[to..].chars().filter(|c| c.is_alphabetic()).count() < 30 => text[from..to].into(),
        _ => text.into(),
    }
}

/// What a box announces in words: 7 of `\\text{The answer is } 7`.
fn announced(inner: String) -> String {
    let plain = if inner.contains("\\text{") { untexted(&inner) } else { return inner };
    match announcement(&plain).map(|rest| rest.trim_matches([':', ' ', '='])) {
        Some(rest) if !rest.is_empty() => rest.into(),
        _ => inner,
    }
}

/// The content of the last box; of several that follow each other, all but those that
/// write the next one in another way, as in \boxed{\frac{3}{2}} = \boxed{1.5}.
fn boxed(text: &str) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    let mut end = text.len();
    let mut boxes = 0;
    let commands: Vec<&str> = ["\\boxed", "\\fbox"].into_iter().filter(|c| text.contains(c)).collect();
    while let Some(at) = commands.iter().filter_map(|b| text[..end].rfind(b)).max() {
        let after = &text[at..];
        let after = &after[after.find(|c: char| c != '\\' && !c.is_ascii_alphabetic()).unwrap_or(after.len())..];
        let start = text.len() - after.trim_start().len();
        if !text[start..].starts_with('{') {
            // \boxed 5: up to the end of the formula.
            if found.is_empty() && !text[start..].is_empty() {
                let word = text[start..].split(['$', '\n']).next().unwrap_or("").trim();
                if !word.is_empty() {
                    found.push(word.into());
                }
            }
            break;
        }
        let chars: Vec<char> = text[start..end.max(start)].chars().take(4 * LONGEST).collect();
        let Some(close) = closing(&chars, 0) else {
            if found.is_empty() {
                let rest: String = chars[1..].iter().collect();
                found.push(rest.split('\n').next().unwrap_or("").trim_end_matches(['$', '.', ' ']).into());
            }
            break;
        };
        let inner: String = chars[1..close].iter().collect();
        if chars.len() - close > 10 && !found.is_empty() && !names_second(&chars[close + 1..].iter().collect::<String>()) {
            break;
        }
        let inner = inner.trim();
        // \boxed{2} (not \boxed{3})
        if !found.is_empty() && negated(&chars[close + 1..].iter().collect::<String>()) {
            found.clear();
        }
        // not \boxed{3} but \boxed{2}
        let listed = || lists(chars[close + 1..].iter().collect::<String>().trim_matches(['$', ' ']));
        if !found.is_empty() && negated(text[..at].rsplit('}').next().filter(|t| t.len() < 200).unwrap_or("")) && !listed() {
            break;
        }
        boxes += 1;
        if inner.is_empty() && boxes < 50 {
            end = at;
            continue;
        }
        if !found.last().is_some_and(|next| next == inner || compare(&parse(next), &parse(inner), 6) == Verdict::Same) {
            found.push(inner.into());
        }
        end = at;
        if found.len() > 50 {
            break;
        }
    }
    found.reverse();
    (!found.is_empty()).then(|| found.join(","))
}

/// The formulas of a text, without their dollars and brackets.
fn formulas(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    // Ends that are not in the rest of the text.
    let mut missing: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !matches!(bytes[at], b'$' | b'\\') {
            at += 1;
            continue;
        }
        let rest = &text[at..];
        let escaped = at > 0 && bytes[at - 1] == b'\\';
        let (open, close) = if rest.starts_with("$$") && !escaped {
            (2, "$$")
        } else if rest.starts_with('$') && !escaped {
            (1, "$")
        } else if rest.starts_with("\\(") {
            (2, "\\)")
        } else if rest.starts_with("\\[") {
            (2, "\\]")
        } else {
            at += 1;
            continue;
        };
        let from = at + open;
        if missing.contains(&close) {
            at = from;
            continue;
        }
        let mut to = from;
        let end = loop {
            match text[to..].find(close) {
                Some(i) if close == "$" && text[..to + i].ends_with('\\') => to += i + 1,
                Some(i) => break Some(to + i),
                None => break None,
            }
        };
        match end {
            // A formula between single dollars is on one line; $5 and $6 are prices.
            Some(end) if close == "$" && (text[from..end].contains('\n') || price(&text[from..end], &text[end + 1..])) => at += 1,
            Some(end) => {
                // The sign at the end of a proof is not a formula.
                if !matches!(text[from..end].trim(), "" | "\\blacksquare" | "\\square" | "\\Box" | "\\qed" | "\\checkmark") {
                    found.push((from, end));
                }
                at = end + close.len();
            }
            None => {
                missing.push(close);
                at = from;
            }
        }
    }
    found
}

/// Whether the text between two dollars is that from one price to the next: $5 + $3 = $8.
fn price(text: &str, after: &str) -> bool {
    let word = |w: &&str| w.len() > 1 && w.chars().all(char::is_alphabetic);
    let words = text.split_whitespace().map(|w| w.trim_matches([',', '.'])).filter(word).take(3).count();
    let prose = words > 2 || words == 2 && text.starts_with(|c: char| c == ' ' || c.is_ascii_digit());
    let digit = |t: &str| t.trim_start_matches(['-', '.']).starts_with(|c: char| c.is_ascii_digit());
    let open = text.trim_end().ends_with(['=', '+', '-', '/', '*']);
    !text.contains(['\\', '^', '{']) && (prose || digit(text) && (open || digit(after)))
}

fn unboxed(text: &str) -> Option<Found> {
    if let Some(found) = marked(text) {
        return Some(found);
    }
    let all = formulas(text);
    if let Some(&(from, to)) = all.last() {
        let formula = joined(text, &all).unwrap_or_else(|| text[from..to].trim().into());
        // Where prose has the answer elsewhere: $x = 30$, so there are 60.
        let given = given(text, Comma::Thousands);
        let others = || all[..all.len() - 1].iter().rev().take(20).map(|f| text[f.0..f.1].trim().to_string());
        // Hence $x = 5$, since $x$ is positive.
        if given.last.is_empty() || each_number(&text[from..to]).next().is_none() {
            return Some(Found { doubts: others().collect(), ..formula.into() });
        }
        let at = given.last.as_ptr() as usize - text.as_ptr() as usize;
        let doubts = |doubt: String| given.doubts.iter().map(|part| part.to_string()).chain([doubt]).chain(others()).collect();
        return Some(match all.iter().position(|f| at < f.1) {
            Some(i) if at + 2 >= all[i].0 && i + 1 < all.len() && joined(text, &all).is_none() => {
                let answer = joined(text, &all[..=i]).unwrap_or_else(|| text[all[i].0..all[i].1].trim().into());
                Found { answer, doubts: doubts(formula), open: given.open }
            }
            // The side is $3\sqrt{2}$, about 4.24; the point is $(3, 4)$ on the circle of radius 5.
            None if !text[to..at].contains([';', '\n', '?', '!']) && !text[to..at].contains(". ") && !concludes(&text[to..at]) => {
                Found { answer: formula, doubts: vec![given.last.to_string()], open: false }
            }
            None => match last_number(chosen(&given)) {
                Some(answer) => Found { answer, doubts: doubts(formula), open: given.open },
                None => formula.into(),
            },
            // The minimum is $-9/4$, attained at $x = 3/2$.
            _ if all.len() > 1 && places(text, &all[all.len() - 2..]) => {
                let (from, to) = all[all.len() - 2];
                Found { answer: text[from..to].trim().into(), doubts: doubts(formula), open: given.open && given.doubts.is_empty() }
            }
            // The slope is $2$ and the intercept is $3$.
            _ => Found { doubts: others().collect(), open: given.open && (given.doubts.is_empty() || second_part(text[..from].rsplit('\n').next().unwrap_or(""))), answer: formula },
        });
    }
    // Ans: 12
    let text = text.strip_prefix("**").and_then(|t| t.strip_suffix("**")).filter(|t| !t.contains('*')).unwrap_or(text);
    let label = text.split_once(": ").or(text.split_once('：')).or(text.split_once("选:")).filter(|(l, _)| l.len() < 20 && l.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '*')));
    bare(label.map_or(text, |(_, rest)| rest.trim_start_matches(['*', ' '])), text, false)
}

/// An answer without formulas: the text itself if it can be read, else the number that the output gives;
/// else the text, if it is short.
fn bare(text: &str, output: &str, marked: bool) -> Option<Found> {
    let short = plain(text) && !concludes(text) && !text.contains(": ");
    let given = given(output, Comma::Thousands);
    let own = !marked || given.announced || !text.contains(numeral);
    let found = |answer: String| Found { answer, doubts: given.doubts.iter().map(|part| part.to_string()).collect(), open: given.open };
    // 66 for n = 12
    let ends = |t: &str| t.as_ptr() as usize + t.trim_end().len();
    let cut = own && text.contains('=') && ends(given.part) < ends(text) && given.part.as_ptr() as usize >= output.as_ptr() as usize;
    if short && !cut && !matches!(parse(text).kind, Kind::Unread(_)) {
        // Several are a list.
        let mut found = if own && (each_number(text).take(2).count() == 1 || text.contains('=')) { found(text.into()) } else { text.to_string().into() };
        // a = 6, b = 7, ab = 42; 15 (3 × 5)
        found.doubts.extend(last_number(chosen(&given)).filter(|_| own && (text.contains(" (") || text.contains('=') && text.contains([',', ';']))));
        return Some(found);
    }
    // The point is (2, 7/2), or x = -1 and x = 4, and nothing else has numbers.
    let whole = |answer: &str| {
        let several = if answer.contains(',') { each_number(answer).count() } else { 0 };
        several > 1 && several == each_number(output).take(several + 1).count()
    };
    let number = if own { last_number(chosen(&given)).map(|answer| if whole(&answer) { answer.into() } else { found(answer) }) } else { last_number(text).map(Found::from) };
    number.or_else(|| short.then(|| text.to_string().into()))
}

/// The text in which the number that an output gives is the last, or behind the last sign of equality.
fn chosen<'t>(given: &Given<'t>) -> &'t str {
    let head = given.part.strip_suffix(given.last).and_then(|head| head.rsplit_once('='));
    if !given.last.is_empty() && head.is_some_and(|(_, between)| between.contains(numeral) && !between.trim_end().ends_with('\u{2248}')) { given.last } else { given.part }
}

/// Whether words draw a conclusion.
fn concludes(text: &str) -> bool {
    [", so ", "therefore", "thus", "hence"].iter().any(|w| text.contains(w))
}

/// A text that is nothing but an answer: short, on one line, no sentence.
fn plain(text: &str) -> bool {
    let words = || text.split_whitespace().filter(|w| w.len() > 2 && w.chars().all(|c| c.is_alphabetic() || c == '\'')).take(3).count();
    text.len() <= 200 && !text.contains('\n') && words() <= 2
}

/// What follows the words that announce the answer.
fn marked(text: &str) -> Option<Found> {
    let rest = announcement(text)?.trim_start_matches([':', ' ', '*', '\n', '\t', '=']);
    let all: Vec<_> = formulas(rest).into_iter().filter(|f| f.0 < 60).collect();
    if let Some(&(from, to)) = all.first() {
        // A number may stand before the formula.
        if last_number(rest[..from.saturating_sub(1)].trim_end_matches(['$', '\\'])).is_none() {
            return Some(joined(rest, &all).unwrap_or_else(|| rest[from..to].trim().into()).into());
        }
    }
    let line = rest.lines().next().unwrap_or("");
    let line = line.split_once("</").map_or(line, |(inner, _)| inner);
    let line = line.split_once('\u{ff08}').filter(|(before, _)| before.contains(numeral)).map_or(line, |(before, _)| before);
    // A string of JSON ends.
    let before = (rest.as_ptr() as usize).checked_sub(text.as_ptr() as usize).and_then(|at| text.get(..at));
    let quoted = before.is_some_and(|t| t.ends_with('"'));
    let line = line.split('"').next().filter(|_| quoted).unwrap_or(line);
    let line = line.split_once("[^").map_or(line, |(before, _)| before);
    // Answer: 42? No. Answer: 42 is wrong.
    if line.ends_with(['?', '\u{ff1f}', '\u{61f}']) || asked(line) {
        return None;
    }
    // Not No. 12
    let end = line.match_indices(". ").map(|(at, _)| at).find(|at| *at > 3 || line[..*at].contains(numeral)).unwrap_or(line.len());
    let sentence = line[..end].trim_end_matches(['.', '*', ' ', '!']);
    if sentence.is_empty() {
        return None;
    }
    // A sentence whose number is part of something is left to be read, or not.
    bare(sentence, text, true).or_else(|| sentence.contains(|c: char| c.is_ascii_digit()).then(|| sentence.to_string().into()))
}

/// The numbers of a text that it does not deny.
pub fn each_number(text: &str) -> impl Iterator<Item = String> {
    let chars: Vec<char> = text.chars().collect();
    numbers(&chars).into_iter().filter_map(move |(from, to, _)| (!rejected(&chars, from)).then(|| shown(&chars, from, to)))
}

/// The first number of a text, or of what follows its last sign of equality, that is not
/// rejected: 12 of `not 13 but 12 boxes`.
fn first_number(text: &str) -> Option<String> {
    let result = text.rsplit('=').find(|t| t.contains(numeral))?;
    let chars: Vec<char> = result.chars().collect();
    let (from, to, sure) = numbers(&chars).into_iter().find(|(from, ..)| !rejected(&chars, *from))?;
    if sure == Sure::Operand {
        return Some(result.trim().into()); // 3 + 4
    }
    // 9π ≈ 28.27
    if sure == Sure::Part && result.contains('\u{2248}') && plain(result) {
        return Some(result.trim().into());
    }
    if sure == Sure::Part || beside(&chars, from, to) {
        return None;
    }
    // 3x is not a number, nor is 10-12.
    let letter = |i: usize| chars.get(i).is_some_and(|c| c.is_alphabetic());
    let range = chars[from..to].iter().filter(|c| !c.is_ascii_digit()).eq(&['-']) && chars[from] != '-';
    (!range && !joined_to(&chars, to) && (!letter(to) || letter(to + 1))).then(|| shown(&chars, from, to))
}

/// A digit, or a fraction that is one character.
fn numeral(c: char) -> bool {
    c.is_ascii_digit() || fraction(c).is_some()
}

/// Whether `not` stands before a number.
fn rejected(chars: &[char], from: usize) -> bool {
    negated(&chars[from.saturating_sub(30)..from].iter().collect::<String>())
}

/// Whether what stands beside a number makes another one of it: a bound, 5 × 10^3, 5 mod 3, 12:30, 5C2.
fn beside(chars: &[char], from: usize, to: usize) -> bool {
    let before: String = chars[from.saturating_sub(30)..from].iter().collect();
    let after: String = chars[to..].iter().take(20).collect();
    let rest = after.trim_start_matches(['*', '$', '%']);
    let digit = |t: &str| t.trim_start_matches([' ', '$']).starts_with(|c: char| c.is_ascii_digit());
    let (head, tail) = (before.trim_end(), rest.trim_start());
    const SIGNS: [&str; 16] = ["\u{2013}", "x", "X", "\u{d7}", "\u{b7}", "\u{22c5}", "\u{f7}", "\u{b1}", "mod", "modulo", "\\times", "\\cdot", "\\pm", "\\bmod", "%", ":"];
    let sign = SIGNS.iter().any(|s| {
        let ahead = tail.strip_prefix(s).is_some_and(digit);
        ahead || head.strip_suffix(s).is_some_and(|b| b.trim_end_matches([' ', '$', '*']).ends_with(|c: char| c.is_ascii_digit()) && (*s != ":" || before.ends_with(':')))
    });
    let variable = rest.starts_with(['x', 'y', 'z', 'n', 'i']) && !rest[1..].starts_with(char::is_alphanumeric) || before.ends_with('{');
    let code = variable || rest.starts_with('\u{2030}') || rest.strip_prefix(['C', 'P']).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
    let raised = rest.starts_with(['\u{b2}', '\u{b3}', '\u{3c0}', '\u{2074}']) || ["pi", " pi", "squared"].iter().any(|w| rest.starts_with(w));
    sign || code || raised || operated(&before, &after) || bound(&before, &after).is_some()
}

/// Whether a number is one of several that words join: 5 of `5 to 6`, `5 and also 6`.
fn joined_to(chars: &[char], to: usize) -> bool {
    let after: String = chars[to..].iter().take(20).collect();
    let after = after.trim_start_matches(['$', '*', ' ']);
    let digit = after.find(|c: char| c.is_ascii_digit());
    if digit.is_some_and(|at| joins_numbers(after[..at].trim_end_matches(['$', '*', '-', ' ']))) {
        return true;
    }
    ["to ", "and ", "or "].iter().find_map(|w| after.strip_prefix(w)).is_some_and(|rest| {
        let rest = ["also ", "maybe "].iter().find_map(|w| rest.strip_prefix(w)).unwrap_or(rest);
        rest.trim_start_matches(['$', '*', '-']).starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Whether the second of two formulas says where the first, which has a number, is the value.
fn places(text: &str, two: &[(usize, usize)]) -> bool {
    let (value, name) = (&text[two[0].0..two[0].1], &text[two[1].0..two[1].1]);
    let between = text[two[0].1..two[1].0].trim_matches(['$', '\\', '(', ')', ' ']);
    let named = name.split_once('=').is_some_and(|(name, _)| name.trim().chars().count() == 1);
    let at = ["at", "when", "where", "for", "if", "für", "pour", "para", "при", "当", "當"].iter().any(|w| between.strip_suffix(w).is_some_and(|b| !b.ends_with(char::is_alphanumeric)));
    named && at && !between.contains(['.', ';', '\n']) && each_number(value).next().is_some()
}

/// Whether all that stands between two values makes a list of them: a comma, a word.
fn lists(between: &str) -> bool {
    const WORDS: [&str; 32] = [
        "and", "or", "und", "oder", "et", "ou", "y", "o", "e", "en", "и", "или", "och", "eller", "og", "i", "lub", "ve", "veya", "dan", "atau", "và", "hoặc", "和", "与", "或", "と", "または",
        "और", "या", "و", "أو",
    ];
    let word = between.trim_start_matches([',', ' ', '、', '，']);
    if word.is_empty() { !between.trim().is_empty() } else { WORDS.contains(&word) }
}

/// Whether a formula between two boxes only names the second: `x = \boxed{3} \quad\text{and}\quad y = \boxed{4}`.
fn names_second(between: &str) -> bool {
    let plain = ["\\quad", "\\qquad", "\\text", "\\,", "\\;", "{", "}", "$"].iter().fold(between.to_string(), |t, w| t.replace(w, " "));
    let list = plain.trim_end().strip_suffix('=').map_or(&*plain, |name| name.trim_end().trim_end_matches(char::is_alphanumeric));
    lists(list.trim())
}

/// Formulas that commas, and, or join, up to the last: one list.
fn joined(text: &str, all: &[(usize, usize)]) -> Option<String> {
    let mut first = all.len() - 1;
    while first > 0 {
        let between = text[all[first - 1].1..all[first].0].trim_matches(['$', ' ', '\\', '(', ')']);
        if !lists(between) {
            break;
        }
        first -= 1;
    }
    let parts: Vec<&str> = all[first..].iter().map(|(a, b)| text[*a..*b].trim()).collect();
    // Steps are no list: 2 \times 3 = 6, 6 + 1 = 7
    let steps = |pair: &[&str]| {
        let value = pair[0].rsplit('=').next().unwrap_or("").trim();
        value.contains(numeral) && pair[1].contains('=') && pair[1].strip_prefix(value).is_some_and(|rest| rest.trim_start().starts_with(['+', '-', '*', '/', '\\', '\u{d7}', '\u{f7}']))
    };
    (parts.len() > 1 && !parts.windows(2).any(steps)).then(|| parts.join(","))
}

/// The last number of a text, or that behind a sign of equality in its last sentence with
/// numbers.
fn last_number(text: &str) -> Option<String> {
    if worded_line(text) {
        return text.trim_end().lines().next_back().map(Into::into);
    }
    // The number before a list item is not an answer. Most texts have no items.
    let mut listed: Option<Vec<usize>> = None;
    let sentences = text.rsplit('\n').flat_map(move |line| {
        let rest = line.trim_start_matches([' ', '*', '-']);
        let head = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let item = text.len() < 20_000 && head.len() < rest.len() && (head.starts_with(". ") || head.starts_with(") "));
        let listed = item.then(|| listed.get_or_insert_with(|| written(text, Comma::Thousands).iter().map(|n| n.span.0).collect()));
        let start = || text[..rest.as_ptr() as usize - text.as_ptr() as usize].chars().count();
        if listed.is_some_and(|all| !all.contains(&start())) { &head[2..] } else { line }.rsplit(". ")
    });
    sentences.filter(|sentence| sentence.contains(numeral)).find_map(|sentence| {
        if let Some(all) = solutions(sentence) {
            return Some(all);
        }
        // 18 * 2 = 36 for the 2 shirts
        if let Some(found) = sentence.contains('=').then(|| first_number(sentence)).flatten() {
            return Some(found);
        }
        let chars: Vec<char> = sentence.chars().collect();
        let found = numbers(&chars);
        let mut found = found.iter().rev().filter(|(from, ..)| !rejected(&chars, *from));
        let &(from, to, sure) = found.next()?;
        let between = |end: usize| chars[end.min(from)..from].iter().collect::<String>();
        // 5/36 \u{2248} 0.139; 80 / 12 is computed.
        if let Some(&(start, ..)) = found.clone().next().filter(|n| n.2 == Sure::All && chars[n.0..n.1].contains(&'/') && !chars[n.0..n.1].contains(&' ') && between(n.1).trim() == "\u{2248}") {
            return Some(chars[start..to].iter().collect());
        }
        if let Some(point) = found.clone().next().and_then(|n| point(&chars, n.0, to)) {
            return Some(point);
        }
        // The ratio is 3:5.
        let ratio = ["ratio", "proportion", "Verhältnis", "比"].iter().any(|w| sentence.contains(w)) && chars[from..to].contains(&':');
        if ratio && found.clone().next().is_none() && chars[from..to].iter().all(|c| c.is_ascii_digit() || *c == ':') {
            return Some(chars[from..to].iter().collect());
        }
        // 12 out of 15, between 11 and 12
        let joined = found.next().is_some_and(|(_, end, _)| {
            let between = between(*end);
            let between = between.trim_matches(['$', '*', ' ', ',']);
            let between = if between == "(or" { "or" } else { between };
            joins_numbers(between) || matches!(between, "and" | "~") || between.is_empty() && chars[from] == '('
        });
        // A number that is part of something is left to be read with it, or not.
        Some(if joined || sure != Sure::All || beside(&chars, from, to) { sentence.trim().into() } else { shown(&chars, from, to) })
    })
}

/// The values that a sentence gives one name: -1, 4 of `x = -1 and x = 4`.
fn solutions(sentence: &str) -> Option<String> {
    if sentence.matches('=').count() < 2 {
        return None;
    }
    fn value(part: &str) -> Option<(&str, &str)> {
        let (name, value) = part.split_once('=')?;
        let name = name.trim_end().rsplit(' ').next().filter(|n| n.chars().count() == 1 && n.starts_with(char::is_alphabetic))?;
        let value = value.trim().trim_end_matches('.');
        (value.contains(numeral) && value.chars().all(|c| numeral(c) || matches!(c, '-' | '\u{2212}' | '/' | '.'))).then_some((name, value))
    }
    let list = [", and ", ", or ", " and ", " or "].iter().fold(sentence.to_string(), |t, w| t.replace(w, ", "));
    let all: Option<Vec<_>> = list.split(", ").map(value).collect();
    let all = all.filter(|all| all.len() > 1 && list.len() < 200 && all.iter().all(|v| v.0 == all[0].0))?;
    Some(all.iter().map(|v| v.1).collect::<Vec<_>>().join(", "))
}

/// The point or interval that two numbers of a text stand in: `(2, 7/2)`; not `f(2, 7)`.
fn point(chars: &[char], from: usize, to: usize) -> Option<String> {
    let part = |c: &char| !c.is_alphabetic() && !matches!(c, '\n' | ';' | '(' | ')' | '[' | ']');
    let from = from + chars[from..to].iter().take_while(|c| matches!(c, '(' | '[')).count();
    let open = from - chars[..from].iter().rev().take(20).take_while(|c| part(c)).count();
    let close = to + chars[to..].iter().take(20).take_while(|c| part(c)).count();
    let brackets = open > 0 && matches!(chars[open - 1], '(' | '[') && matches!(chars.get(close), Some(')' | ']'));
    let named = open > 1 && (chars[open - 2].is_alphanumeric() || matches!(chars[open - 2], ')' | '(' | '[' | ',' | '\\'));
    (brackets && !named && chars[open..close].contains(&',')).then(|| chars[open - 1..=close].iter().collect())
}

/// The numbers of a text, and what is computed of them: 3/4, 2 1/2, 1.5e3, 2*(3+4); of each, how much of it is read.
fn numbers(chars: &[char]) -> Vec<(usize, usize, Sure)> {
    let mut found: Vec<(usize, usize, Sure)> = Vec::new();
    let text: String = chars.iter().collect();
    // With the k of 12 k.
    let word = |at: usize| at + chars[at..].iter().take_while(|c| **c == ' ').count();
    let unit = |at: usize| word(at) + chars[word(at)..].iter().take_while(|c| c.is_alphabetic()).count();
    let read = if chars.len() < 20_000 { written(&text, Comma::Thousands) } else { Vec::new() };
    let whole = read.into_iter().map(|n| (n.span.0, if n.sure == Sure::All && n.bare != n.value && chars[n.span.1 - 1].is_ascii_digit() { unit(n.span.1) } else { n.span.1 }, n.sure));
    let mut all: Vec<_> = computed(chars).map(|(from, to)| (from, to, Sure::All)).chain(whole).collect();
    all.sort_unstable_by_key(|n| (n.0, n.1));
    for (from, to, sure) in all {
        match found.last_mut().filter(|last| from < last.1) {
            // What is computed in one piece is read as that.
            Some(last) if sure == Sure::Operand && to <= last.1 && (from, to) != (last.0, last.1) => {}
            Some(last) => *last = (last.0, last.1.max(to), if last.2 == Sure::All { sure } else { last.2 }),
            None => found.push((from, to, sure)),
        }
    }
    found
}

/// Digits with the signs that compute something of them.
fn computed(chars: &[char]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '/' | '^' | '*' | '+' | '-' | '(' | ')');
    let digit = move |i: usize| chars.get(i).is_some_and(char::is_ascii_digit);
    // A space before a fraction or three digits, and the e of an exponent.
    let joins = move |i: usize| {
        digit(i - 1) && match chars[i] {
            ' ' => (i + 1..i + 20).find(|j| !digit(*j)).is_some_and(|j| j == i + 4 || chars.get(j) == Some(&'/') && digit(j + 1)),
            'e' | 'E' => digit(i + 1) || matches!(chars.get(i + 1), Some('+' | '-')) && digit(i + 2),
            _ => false,
        }
    };
    let mut at = 0;
    std::iter::from_fn(move || loop {
        let from = (at..chars.len()).find(|i| part(chars[*i]))?;
        at = from + 1;
        while at < chars.len() && (part(chars[at]) || joins(at)) {
            at += 1;
        }
        let Some(last) = (from..at).rev().find(|i| digit(*i)) else { continue };
        let first = (from..last).find(|i| !matches!(chars[*i], ',' | '.' | '/' | '*' | '+' | ')' | '^')).unwrap_or(last);
        // B12 is a name, and 2 of `mod 2` and `to 2 decimal places` no answer.
        let before: String = chars[first.saturating_sub(8)..first].iter().collect();
        let after: String = chars[last + 1..].iter().take(12).collect();
        if precision(&before, &after) || ["mod ", "modulo "].iter().any(|w| before.ends_with(w)) {
            continue;
        }
        if from == 0 || !(chars[from - 1].is_alphabetic() || chars[from - 1] == '_') {
            return Some((first, last + 1));
        }
    })
}

/// A number with its percent sign or million, without brackets and dashes of the text around.
fn shown(chars: &[char], from: usize, to: usize) -> String {
    let mut found: String = chars[from..to].iter().collect();
    if found.matches('(').count() != found.matches(')').count() || found.matches('-').count() > 1 && !found.contains(['+', '*', '/', 'e']) {
        found = found.rsplit(['(', ')', '-']).next().unwrap_or("").into();
    }
    let before: String = chars[from.saturating_sub(12)..from].iter().collect();
    if minus(&before, false) == Some(Sure::All) && !found.starts_with('-') {
        found.insert(0, '-');
    }
    let after: String = chars[to..].iter().take(10).collect();
    match SCALES.iter().find(|s| after.trim_start().starts_with(s.0)) {
        Some((word, _)) => found + " " + word,
        None if after.trim_start_matches(['\\', ' ']).starts_with('%') => found + "%",
        None => found,
    }
}
