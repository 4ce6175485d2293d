//! `contains` and `regex`: something is found in the output.

use crate::one_if;
use crate::pattern::{Anchor, Pattern};
use rubric_host_sdk::{Answer, Error, Evidence, Object, Request, Result};

/// The most code points of a found part that evidence repeats.
const QUOTE: usize = 400;

/// The most texts or patterns that the answer lists, found or not; a host
/// bounds lists.
const LISTED: usize = 200;

/// The most bytes of texts in the answer: hits, misses and evidence. A host takes
/// 64 KiB.
const ROOM: usize = 60_000;

/// Where something was found, in code points.
type Span = (usize, usize);

/// Is any of the texts (or are all of them) in the output?
pub fn contains(request: &Request) -> Result<Answer> {
    let ignore_case = request.config().flag("ignore_case", false)?;
    search(request, ["text", "texts"], |output, texts| {
        let output = if ignore_case { fold(output) } else { output.into() };
        Ok(texts
            .iter()
            .map(|text| {
                let text = if ignore_case { fold(text) } else { (*text).into() };
                let at = output.find(&text)?;
                let start = output[..at].chars().count();
                Some((start, start + text.chars().count()))
            })
            .collect())
    })
}

/// Does any of the patterns (or do all of them) match?
pub fn regex(request: &Request) -> Result<Answer> {
    let config = request.config();
    let ignore_case = config.flag("ignore_case", false)?;
    let anchor = match config.text("method", "search")? {
        "search" => Anchor::None,
        "match" => Anchor::Start,
        "fullmatch" => Anchor::Both,
        other => return Err(Error::new(format!("there is no method \"{other}\"; use search, match or fullmatch"))),
    };
    search(request, ["pattern", "patterns"], |output, patterns| {
        let chars: Vec<char> = output.chars().collect();
        patterns.iter().map(|p| Ok(Pattern::new(p, ignore_case)?.find(&chars, anchor))).collect()
    })
}

/// Each character folded to one: what is found keeps its place.
fn fold(text: &str) -> String {
    text.chars().map(crate::pattern::fold).collect()
}

/// Answers whether any or all of what `keys` name is found; without them the
/// references are looked for.
fn search(
    request: &Request,
    keys: [&str; 2],
    find: impl Fn(&str, &[&str]) -> Result<Vec<Option<Span>>>,
) -> Result<Answer> {
    let config = request.config();
    let all = match config.text("mode", "any")? {
        "any" => false,
        "all" => true,
        other => return Err(Error::new(format!("there is no mode \"{other}\"; use any or all"))),
    };
    let mut wanted = config.texts(keys[0])?.unwrap_or_default();
    wanted.extend(config.texts(keys[1])?.unwrap_or_default());
    if wanted.iter().any(|w| w.is_empty()) {
        return Err(Error::new(format!("config {} holds an empty text, which is found everywhere", keys.join(" or "))));
    }
    if wanted.is_empty() {
        wanted = request.references()?;
        wanted.retain(|w| !w.is_empty());
    }
    if wanted.is_empty() {
        return Ok(Answer::unscored(format!(
            "there is nothing to look for: config has no {}, and the case has no references",
            keys[0]
        )));
    }
    let Some(output) = request.output()? else {
        return Ok(Answer::unscored("the case has no output"));
    };
    let found = find(output, &wanted)?;
    Ok(answer(output, &wanted, &found, all))
}

fn answer(output: &str, wanted: &[&str], found: &[Option<Span>], all: bool) -> Answer {
    let hits = found.iter().flatten().count();
    let yes = if all { hits == wanted.len() } else { hits > 0 };
    let mut details = Object::new();
    details.int("found", hits as u64).int("of", wanted.len() as u64);
    let mut answer = Answer::score(one_if(yes)).details(details);
    let mut room = ROOM;
    for (what, span) in wanted.iter().zip(found).take(LISTED) {
        let part = span.map(|(start, end)| {
            let text: String = output.chars().skip(start).take((end - start).min(QUOTE)).collect();
            Evidence { field: "output".into(), start, end, text }
        });
        let size = what.len() + part.as_ref().map_or(0, |e| e.field.len() + e.text.len());
        if size > room {
            return answer.reason("the lists of hits and misses are incomplete: an answer cannot hold texts this long");
        }
        room -= size;
        answer = match part {
            None => answer.miss(*what),
            Some(e) => answer.hit(*what).evidence(e),
        };
    }
    answer
}
