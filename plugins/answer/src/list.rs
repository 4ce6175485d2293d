//! `list_f1`: the items of two lists.

use crate::{clip, Texts};
use rubric_host_sdk::{parse, Answer, Object, Request, Result, Value};
use rubric_host_text::{casefold, split};
use std::collections::BTreeMap;

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
    let read = |text: &str| {
        let mut items = BTreeMap::<String, usize>::new();
        for item in items_of(text, separators.as_deref()) {
            *items.entry(item).or_default() += 1;
        }
        if !bag {
            items.values_mut().for_each(|n| *n = 1);
        }
        items
    };
    // One reference is a list. Several are one item each.
    let want = match texts.references[..] {
        [one] => read(one),
        _ => {
            let mut items = BTreeMap::new();
            for reference in &texts.references {
                let count = items.entry(normal(reference)).or_insert(0);
                *count = if bag { *count + 1 } else { 1 };
            }
            items
        }
    };
    let got = read(texts.output);
    let same: usize = want.iter().map(|(item, n)| got.get(item).map_or(0, |m| *n.min(m))).sum();
    let total = |items: &BTreeMap<String, usize>| items.values().sum::<usize>();
    let share = |of: usize| if of == 0 { 0.0 } else { same as f64 / of as f64 };
    let (precision, recall) = (share(total(&got)), share(total(&want)));
    let f1 = match (got.is_empty(), want.is_empty()) {
        (true, true) => 1.0,
        _ if same == 0 => 0.0,
        _ => 2.0 * precision * recall / (precision + recall),
    };
    let mut details = Object::new();
    details.num("precision", precision).num("recall", recall).num("f1", f1);
    details.int("items", total(&got) as u64).int("expected", total(&want) as u64);
    let mut answer = Answer::score(f1).details(details);
    for item in want.keys().take(LISTED) {
        answer = if got.contains_key(item) { answer.hit(clip(item)) } else { answer.miss(clip(item)) };
    }
    Ok(answer)
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
    let by_line = trimmed.lines().filter(|l| !l.trim().is_empty()).count() > 1;
    let default: &[&str] = if by_line { &["\n"] } else { &[",", ";", "\u{3001}", "\u{ff0c}", "\u{60c}"] };
    let mut parts = vec![trimmed];
    for separator in separators.unwrap_or(default).iter().filter(|s| !s.is_empty()) {
        parts = parts.into_iter().flat_map(|p| p.split(separator)).collect();
    }
    parts.into_iter().map(normal).filter(|p| !p.is_empty()).collect()
}

/// An item without its bullet or number, quotes and a full stop, in lower case, with
/// single spaces.
fn normal(item: &str) -> String {
    let item = item.trim();
    let digits = item.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = (1..=3).contains(&digits) && [". ", ") "].iter().any(|m| item[digits..].starts_with(m));
    let item = if numbered { &item[digits + 1..] } else { item };
    let item = ["- ", "* ", "+ ", "\u{2022}"].iter().find_map(|b| item.strip_prefix(b)).unwrap_or(item);
    let item = item.trim().trim_matches(['"', '\'', '\u{201c}', '\u{201d}', '`', '*']).trim_end_matches('.');
    let folded = casefold(item);
    let mut words = Vec::new();
    split(&folded, &mut words);
    words.join(" ")
}
