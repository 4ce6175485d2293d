//! `list_f1`: the items of two lists.

use crate::{clip, Texts};
use rubric_host_sdk::{parse, Answer, Object, Request, Result, Value};
use rubric_host_text::{after_reasoning, casefold, explanation, split};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Words between the last two items, with spaces; an item that has one is read whole, too.
const ANDS: [&str; 21] = [
    " and ", " & ", " as well as ", " und ", " et ", " y ", " e ", " en ", " и ", " i ", " och ", " og ", " ve ", " dan ", " và ", " και ", " और ", "和", "以及", "そして", " و",
];

/// Words that count the items of a text.
const COUNTS: [&str; 20] = [
    "first", "firstly", "second", "secondly", "third", "thirdly", "fourth", "fourthly", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "then", "next", "last", "lastly", "finally", "and then",
];

/// The most bytes of a text: each is read in a dozen ways.
const LONGEST: usize = 100_000;

/// The most items that an answer lists.
const LISTED: usize = 200;

pub fn list_f1(request: &Request) -> Result<Answer> {
    let config = request.config();
    let separators = config.texts("separators")?;
    let bag = config.flag("multiset", false)?;
    let texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(unscored) => return Ok(unscored),
    };
    if texts.output.len() > LONGEST || texts.references.iter().any(|r| r.len() > LONGEST) {
        return Ok(Answer::unscored(format!("the output or a reference has more than {LONGEST} bytes")));
    }
    let counted = |list: Vec<String>| {
        let mut items = Items::new();
        for item in list {
            let count = items.entry(item).or_insert(0);
            *count = if bag { *count + 1 } else { 1 };
        }
        items
    };
    let read = |text: &str| readings(text, separators.as_deref()).into_iter().map(counted).collect::<Vec<_>>();
    // One reference is a list. Several are one item each.
    let wanted = match texts.references[..] {
        [one] => read(one),
        _ => vec![counted(texts.references.iter().map(|r| normal(r)).collect())],
    };
    // Of two readings of a text, the one that agrees with the other text is meant.
    let mut found = read(after_reasoning(texts.output).unwrap_or(""));
    let output = unfenced(after_reasoning(texts.output).unwrap_or("").trim());
    if separators.is_none() {
        found.extend(numbered(output).into_iter().map(counted));
    }
    let pairs = wanted.iter().flat_map(|want| found.iter().map(move |got| (want, got, compare(want, got))));
    let best = pairs.reduce(|a, b| if b.2[2] > a.2[2] { b } else { a });
    let Some((want, got, [precision, recall, f1])) = best else { return Err("no reading of the lists".into()) };
    // - red (a color): what follows may belong to the item or explain it.
    let heads = if separators.is_none() && f1 < 1.0 { heads(output) } else { Vec::new() };
    // Red, green. Blue is none.
    let sentence = output.split_once(". ").filter(|_| separators.is_none() && f1 < 1.0).map_or_else(Vec::new, |(first, _)| read(first));
    if [counted(heads)].iter().chain(&sentence).any(|less| !less.is_empty() && wanted.iter().any(|want| compare(want, less)[2] > f1)) {
        return Ok(Answer::unscored("the items have text behind them that may belong to them or explain them"));
    }
    // None, where nothing is wanted; not red; Washington, D.C.
    let all = normal(output);
    let none = want.is_empty() && matches!(all.as_str(), "none" | "n/a" | "nothing" | "no" | "empty" | "no items");
    let denied = got.keys().filter(|item| !want.contains_key(*item)).any(|item| item.strip_prefix("not ").is_some_and(|item| want.contains_key(item)));
    let parted = separators.is_none() && want.keys().any(|item| item.contains([',', ';']) && !got.contains_key(item) && all.contains(item.as_str()));
    if none || denied || parted {
        return Ok(Answer::unscored("the items can be read in another way"));
    }
    let mut details = Object::new();
    details.num("precision", precision).num("recall", recall).num("f1", f1);
    details.int("items", total(got) as u64).int("expected", total(want) as u64);
    let mut answer = Answer::score(f1).details(details);
    for item in want.keys().take(LISTED) {
        answer = if got.contains_key(item) { answer.hit(clip(item)) } else { answer.miss(clip(item)) };
    }
    Ok(answer)
}

/// Items, and how often each is in a list.
type Items = BTreeMap<String, usize>;

fn total(items: &Items) -> usize {
    items.values().sum()
}

/// Precision, recall and F1.
fn compare(want: &Items, got: &Items) -> [f64; 3] {
    let same: usize = want.iter().map(|(item, n)| got.get(item).map_or(0, |m| *n.min(m))).sum();
    let share = |of: usize| if of == 0 { 0.0 } else { same as f64 / of as f64 };
    let (precision, recall) = (share(total(got)), share(total(want)));
    let f1 = match (got.is_empty(), want.is_empty()) {
        (true, true) => 1.0,
        _ if same == 0 => 0.0,
        _ => 2.0 * precision * recall / (precision + recall),
    };
    [precision, recall, f1]
}

/// The items of a text, with and without an introduction such as `The colors are:`, with
/// `green and blue` as one item and as two.
fn readings(text: &str, separators: Option<&[&str]>) -> Vec<Vec<String>> {
    let text = &*broken(unfenced(text.trim()));
    let mut all = vec![items_of(text, separators)];
    if separators.is_some() || text.starts_with('[') && text.find(']') == Some(text.len() - 1) {
        return all;
    }
    for mark in [":", "\u{ff1a}", " is ", " are ", " ist ", " sind ", " est ", " sont ", " es ", " son ", " são ", " sono "] {
        if let Some((_, rest)) = text.split_once(mark).filter(|(head, rest)| !head.contains([',', ';', '\n']) && !rest.trim().is_empty()) {
            all.push(items_of(rest, None));
        }
    }
    // The list is ["red", "green"], \boxed{red, green}
    for (open, close) in [("[", "]"), ("{", "}"), ("<answer>", "</answer>"), ("<final_answer>", "</final_answer>")] {
        if let Some((_, (inner, _))) = text.rsplit_once(open).and_then(|(head, rest)| Some((head, rest.split_once(close)?))) {
            let inner = inner.trim_end_matches('\\');
            all.push(items_of(&if open == "[" { format!("[{inner}]") } else { inner.into() }, None));
        }
    }
    let bullets: Vec<&str> = text.lines().filter(|l| bullet(l.trim()) != l.trim()).collect();
    if bullets.len() > 1 {
        all.push(bullets.iter().map(|l| normal(l)).collect());
        all.extend(levels(&bullets));
    }
    all.extend(columns(text));
    // Washington, D.C.; Paris and red / green and red and green and blue
    if !text.contains('\n') {
        let marks = [";", "|", "/", "\t", " + ", " \u{b7} ", " \u{2192} ", " -> "].into_iter().filter(|mark| text.contains(mark) && (mark.len() == 1 || !text.contains(','))).chain(ANDS.into_iter().filter(|and| text.matches(and).count() > 1));
        all.extend(marks.map(|mark| items_of(text, Some(&[mark]))));
    }
    // a. red
    let lettered: Option<Vec<String>> = text.lines().zip('a'..='z').map(|(l, c)| Some(normal(l.trim().to_lowercase().strip_prefix(c)?.strip_prefix(". ")?))).collect();
    all.extend(lettered.filter(|l| l.len() > 1));
    // Answer: red, green; and why.
    if let Some((before, _)) = explanation(text).or_else(|| text.find(" because ")).map(|at| text.split_at(at)) {
        all.extend(readings(before, None));
    }
    // red, green (in any order); 赤、緑です。
    let order = ["in any", "any", "in no particular"].iter().find_map(|w| text.trim_end_matches('.').strip_suffix(" order)")?.strip_suffix(w)?.strip_suffix(" ("));
    let copula = text.trim_end_matches(['.', '\u{3002}']).strip_suffix("です");
    all.extend(order.into_iter().chain(copula).flat_map(|before| readings(before, None)));
    // - **Red**: a color
    let bold: Option<Vec<String>> = bulleted(text, &["\n"]).map(|l| Some(normal(l.strip_prefix("**")?.split_once("**")?.0.trim_end_matches(':')))).collect();
    all.extend(bold.filter(|b| b.len() > 1));
    // 1) red 2) green; (a) red (b) green
    for (open, close) in [("", ") "), ("", ". "), ("(", ") ")] {
        for first in [b'1', b'a'] {
            let label = |i: usize| if first == b'1' { format!("{open}{}{close}", i + 1) } else { format!("{open}{}{close}", char::from(first + (i as u8).min(25))) };
            let Some((_, mut rest)) = text.split_once(&label(0)).filter(|(head, rest)| !rest.contains('\n') && !head.ends_with(char::is_alphanumeric)) else { continue };
            let mut items = Vec::new();
            while let Some((item, more)) = rest.split_once(&format!(" {}", label(items.len() + 1))) {
                items.push(normal(item.trim_end_matches(" and").trim_end_matches([',', ';'])));
                rest = more;
            }
            if !items.is_empty() {
                items.push(normal(rest));
                all.push(items);
            }
        }
    }
    for i in 0..all.len() {
        let Some((first, second)) = all[i].last().and_then(|last| ANDS.iter().find_map(|and| last.split_once(and))) else { continue };
        let ends = [normal(first), normal(second)];
        let less = &all[i][..all[i].len() - 1];
        let split = less.iter().cloned().chain(ends).collect();
        all.push(split);
    }
    all
}

/// The items of a text that counts them: `First, red; second, green`, `Step 1: red`, `#1 red`. The items wanted are not
/// read so: the first and the second avenue are not the third and the fifth.
fn numbered(text: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for mark in ["\n", ";", ","].iter().filter(|mark| text.contains(**mark)) {
        let items = || text.split(mark).map(str::trim).filter(|item| !item.is_empty());
        // Next day, last week
        let counts = items().next().is_some_and(|item| item.starts_with(|c: char| c.is_ascii_digit() || c == '#') || COUNTS[0..2].iter().chain(&["step"]).any(|w| item.get(..w.len()).is_some_and(|t| t.eq_ignore_ascii_case(w))) || item.split(' ').next().is_some_and(|w| w.ends_with([',', ':'])));
        let counted: Option<Vec<String>> = if counts { items().map(counted).collect() } else { None };
        all.extend(counted.filter(|l| l.len() > 1));
    }
    all
}

/// An item without the words that count it.
fn counted(item: &str) -> Option<String> {
    let lower = item.to_ascii_lowercase();
    let rest = lower.strip_prefix("and ").unwrap_or(&lower);
    let head = COUNTS.iter().filter_map(|w| rest.strip_prefix(w)).min_by_key(|r| r.len()).or_else(|| {
        let number = rest.strip_prefix("step ").or_else(|| rest.strip_prefix('#'));
        let end = number.unwrap_or(rest).trim_start_matches(|c: char| c.is_ascii_digit());
        let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|w| end.strip_prefix(w)).or(number.map(|_| end));
        ordinal.filter(|_| number.unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit()))
    })?;
    let name = head.trim_start_matches([',', ':', '.', ')']);
    (name.starts_with(' ') || name.len() < head.len()).then(|| normal(&item[item.len() - name.len()..])).filter(|n| !n.is_empty())
}

/// A text with the line breaks and items of HTML as lines.
fn broken(text: &str) -> Cow<'_, str> {
    if !text.contains("<li>") && !text.contains("<br") {
        return text.into();
    }
    let lines = text.replace("<li>", "\n- ");
    ["</li>", "<ul>", "</ul>", "<ol>", "</ol>", "<br>", "<br/>", "<br />"].iter().fold(lines, |t, tag| t.replace(tag, "\n")).trim().to_string().into()
}

/// The lists of an indented one: the items of the first level alone, and those that have none below them.
fn levels(lines: &[&str]) -> Vec<Vec<String>> {
    let depth: Vec<usize> = lines.iter().map(|l| l.len() - l.trim_start().len()).collect();
    let least = depth.iter().min().copied().unwrap_or(0);
    if depth.iter().all(|d| *d == least) {
        return Vec::new();
    }
    let pick = |keep: &dyn Fn(usize) -> bool| lines.iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, l)| normal(l)).collect();
    vec![pick(&|i| depth[i] == least), pick(&|i| depth.get(i + 1).is_none_or(|d| *d <= depth[i]))]
}

/// The columns of a Markdown table, without their headings.
fn columns(text: &str) -> Vec<Vec<String>> {
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|l| l.starts_with('|')).collect();
    let rule = |l: &&str| l.contains('-') && l.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let Some(at) = rows.iter().position(|l| rule(&l)) else { return Vec::new() };
    let mut columns: Vec<Vec<String>> = Vec::new();
    for row in &rows[at + 1..] {
        for (i, cell) in row.trim_matches('|').split('|').enumerate().take(20) {
            if columns.len() <= i {
                columns.push(Vec::new());
            }
            columns[i].push(normal(cell));
        }
    }
    columns.into_iter().map(|c| c.into_iter().filter(|cell| !cell.is_empty()).collect()).collect()
}

/// The lines with bullets or numbers, without these; if there are none, all lines, and the items of one.
fn bulleted<'t>(text: &'t str, marks: &'t [&str]) -> impl Iterator<Item = &'t str> {
    let some = text.lines().map(str::trim).any(|l| bullet(l) != l);
    let line = text.contains('\n');
    let parts = text.lines().flat_map(move |l| l.split(move |c| !line && marks.iter().any(|m| m.starts_with(c))));
    parts.map(str::trim).filter(move |l| if some { bullet(l) != *l } else { !l.is_empty() }).map(|l| bullet(l).trim())
}

/// The items up to what may explain them.
fn heads(text: &str) -> Vec<String> {
    let head = |l: &str| [" - ", " \u{2013} ", " \u{2014} ", ": ", " ("].iter().filter_map(|m| l.find(m)).min().map_or(l.len(), |at| at);
    bulleted(text, &[",", ";"]).map(|l| normal(&l[..head(l)])).collect()
}

/// The content of a text's only fence.
fn unfenced(text: &str) -> &str {
    match text.split("```").collect::<Vec<_>>()[..] {
        [_, inner, _] => inner.split_once('\n').map_or(inner, |(_, rest)| rest).trim(),
        _ => text,
    }
}

/// The items of a JSON list, of lines, or between separators; normalised.
fn items_of(text: &str, separators: Option<&[&str]>) -> Vec<String> {
    let trimmed = text.trim();
    if separators.is_none() && trimmed.starts_with('[') {
        if let Ok(Value::Array(list)) = parse(trimmed) {
            let item = |v: &Value| match v {
                Value::String(s) => normal(s),
                Value::Number(n) => (*n).into(),
                Value::Bool(b) => b.to_string(),
                other => other.kind().into(),
            };
            return list.iter().map(item).collect();
        }
    }
    // ['red', 'green']
    let bare = || [('[', ']'), ('(', ')'), ('{', '}')].iter().find_map(|(open, close)| trimmed.strip_prefix(*open)?.strip_suffix(*close));
    let trimmed = if separators.is_none() { bare().filter(|t| !t.contains(['(', ')', '[', ']'])).unwrap_or(trimmed) } else { trimmed };
    let by_line = trimmed.lines().filter(|l| !l.trim().is_empty()).count() > 1;
    let default: &[&str] = if by_line { &["\n"] } else { &[",", ";", "\u{3001}", "\u{ff0c}", "\u{60c}"] };
    let mut parts = vec![trimmed];
    for separator in separators.unwrap_or(default).iter().filter(|s| !s.is_empty()) {
        parts = parts.into_iter().flat_map(|p| p.split(separator)).collect();
    }
    let mut items: Vec<String> = parts.into_iter().map(normal).filter(|p| !p.is_empty()).collect();
    // red, green, and blue
    if let Some(last) = items.last_mut().filter(|_| separators.is_none() && !by_line) {
        *last = ANDS.iter().find_map(|and| last.strip_prefix(and.trim_start())).map_or_else(|| last.clone(), normal);
    }
    items
}

/// An item without its bullet or number, quotes and a full stop, in lower case, with
/// single spaces.
fn normal(item: &str) -> String {
    let item = bullet(item.trim()).trim().trim_end_matches(['.', ',', ';']).trim_matches(['"', '\'', '\u{201c}', '\u{201d}', '`', '*']).trim_end_matches('.');
    let folded = casefold(item);
    let mut words = Vec::new();
    split(&folded, &mut words);
    words.join(" ")
}

const BULLETS: [char; 17] = ['-', '*', '+', '\u{b7}', '–', '—', '→', '‣', '▪', '●', '○', '◦', '►', '✓', '✔', '✅', '➤'];

/// An item without its bullet or number.
fn bullet(item: &str) -> &str {
    // Most items begin with a word.
    if let [first, second, ..] = item.as_bytes() {
        if first.is_ascii_alphabetic() && second.is_ascii_alphabetic() && !b"ivx".contains(first) {
            return item;
        }
    }
    let item = item.strip_prefix("**").filter(|r| r.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(item);
    let digits = item.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = (1..=3).contains(&digits).then(|| [". ", ") ", ": ", "\\. "].iter().find_map(|m| item[digits..].strip_prefix(m))).flatten();
    // 1.red
    let close = || (1..=3).contains(&digits).then(|| item[digits..].strip_prefix('.')).flatten().filter(|r| r.starts_with(char::is_alphabetic));
    let lettered = || item[1..].strip_prefix(") ").filter(|_| item.as_bytes()[0].is_ascii_alphabetic());
    // (1), [a], [x]
    let bracketed = || {
        let (label, rest) = item[1..].split_once(if item.starts_with('(') { ") " } else { "] " })?;
        (item.starts_with(['(', '[']) && (label.len() == 1 || label.len() < 4 && label.bytes().all(|c| c.is_ascii_digit()))).then_some(rest)
    };
    let roman = || {
        let (label, rest) = item.split_once([')', '.']).filter(|(_, rest)| rest.starts_with(' '))?;
        (label.len() > 1 && label.len() < 6 || label == "i").then_some(rest).filter(|_| label.bytes().all(|c| matches!(c, b'i' | b'v' | b'x')))
    };
    let circled = || item.strip_prefix(|c| ('\u{2460}'..='\u{2473}').contains(&c));
    let ascii = item.is_char_boundary(1) && item.len() > 1;
    let item = numbered.or_else(close).or_else(|| if ascii { lettered().or_else(bracketed) } else { None }).or_else(roman).or_else(circled).unwrap_or(item);
    let marked = || item.strip_prefix(BULLETS).map(|r| r.trim_start_matches('\u{fe0f}')).filter(|r| r.starts_with(' '));
    let less = item.strip_prefix('\u{2022}').or_else(marked).unwrap_or(item).trim_start();
    // - [x] red
    ["[x] ", "[X] ", "[ ] "].iter().find_map(|b| less.strip_prefix(b)).unwrap_or(less)
}
