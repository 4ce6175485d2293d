//! `contains` and `regex`: something is found in the output.

use crate::pattern::{Anchor, Pattern};
use crate::{one_if, Texts};
use rubric_host_sdk::{Answer, Error, Evidence, Object, Request, Result};
use rubric_host_text::{folded, is_space, lower, strip};

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

/// Where in the output a text must be.
#[derive(Clone, Copy)]
enum At {
    Anywhere,
    Start,
    End,
}

/// Is any of the texts (or are all or none of them) in the output?
pub fn contains(request: &Request) -> Result<Answer> {
    let config = request.config();
    let ignore_case = config.flag("ignore_case", false)?;
    let stripped = config.flag("strip", false)?;
    fn same(text: &str) -> &str {
        text
    }
    let trimmed = if stripped { strip } else { same };
    let at = match config.text("at", "anywhere")? {
        "anywhere" => At::Anywhere,
        "start" => At::Start,
        "end" => At::End,
        other => return Err(Error::new(format!("unknown at \"{other}\": use anywhere, start or end"))),
    };
    search(request, ["text", "texts"], |output, texts| {
        if stripped && texts.iter().any(|text| strip(text).is_empty()) {
            return Err(Error::new("a text to look for is white space: with strip it is empty, and found everywhere"));
        }
        let inner = trimmed(output);
        let before = if stripped { output.chars().take_while(|c| is_space(*c)).count() } else { 0 };
        let inner = Folded::new(inner, ignore_case);
        let find = |text: &&str| inner.find(&Folded::new(trimmed(text), ignore_case).text, at);
        Ok(texts.iter().map(find).map(|span| span.map(|(start, end)| (before + start, before + end))).collect())
    })
}

/// A text, perhaps in folded case, and the places of its characters in the original.
struct Folded {
    text: String,
    /// For each character of the text that of the original; none if they are the same.
    places: Vec<usize>,
}

impl Folded {
    fn new(text: &str, ignore_case: bool) -> Self {
        if !ignore_case {
            return Folded { text: text.into(), places: Vec::new() };
        }
        if text.is_ascii() {
            return Folded { text: text.to_ascii_lowercase(), places: Vec::new() };
        }
        let mut all = Folded { text: String::with_capacity(text.len()), places: Vec::with_capacity(text.len()) };
        for (i, c) in text.chars().enumerate() {
            for f in folded(c) {
                all.text.push(f);
                all.places.push(i);
            }
        }
        all
    }

    fn find(&self, what: &str, at: At) -> Option<Span> {
        let byte = match at {
            At::Anywhere => self.text.find(what)?,
            At::Start => self.text.starts_with(what).then_some(0)?,
            At::End => self.text.ends_with(what).then(|| self.text.len() - what.len())?,
        };
        let start = self.text[..byte].chars().count();
        let end = start + what.chars().count();
        let place = |i: usize| self.places.get(i).copied().unwrap_or(i);
        Some((place(start), if end > start { place(end - 1) + 1 } else { place(start) }))
    }
}

/// Does any of the patterns (or do all or none of them) match?
pub fn regex(request: &Request) -> Result<Answer> {
    let config = request.config();
    let ignore_case = config.flag("ignore_case", false)?;
    let anchor = match config.text("method", "search")? {
        "search" => Anchor::None,
        "match" => Anchor::Start,
        "fullmatch" => Anchor::Both,
        other => return Err(Error::new(format!("unknown method \"{other}\"; use search, match or fullmatch"))),
    };
    search(request, ["pattern", "patterns"], |output, patterns| {
        let chars: Vec<char> = output.chars().collect();
        patterns.iter().map(|p| Ok(Pattern::new(p, ignore_case)?.find(&chars, anchor))).collect()
    })
}

/// Is what the pattern captures in the output a reference? As Inspect's pattern: the groups of
/// the first match, or the match itself of a pattern without groups.
pub fn pattern(request: &Request) -> Result<Answer> {
    let config = request.config();
    let (ignore_case, all) = (config.flag("ignore_case", true)?, config.flag("match_all", false)?);
    let Some(pattern) = config.texts("pattern")?.and_then(|list| list.first().copied()) else {
        return Err(Error::new("config has no pattern: give one with a group around the answer"));
    };
    let pattern = Pattern::with_groups(pattern, ignore_case)?;
    let texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(answer) => return Ok(answer),
    };
    let chars: Vec<char> = texts.output.chars().collect();
    let lowered = |text: &str| if ignore_case { lower(text).into_owned() } else { text.into() };
    let references: Vec<String> = texts.references.iter().map(|r| lowered(r)).collect();
    let mut details = Object::new();
    let Some((span, groups)) = pattern.capture(&chars) else {
        details.int("groups", 0);
        return Ok(Answer::score(0.0).details(details).reason("the pattern does not match the output"));
    };
    let groups = if groups.is_empty() { vec![Some(span)] } else { groups };
    let (mut right, mut first, mut any) = (all, None, false);
    for (start, end) in groups.iter().flatten().copied() {
        let text: String = chars[start..end].iter().collect();
        let equal = references.contains(&lowered(&text));
        any = true;
        if all {
            right &= equal;
        } else if equal {
            // An empty text that is found counts as nothing found, as in Inspect.
            (right, first) = (!text.is_empty(), Some((start, end)));
            break;
        }
    }
    right &= any && !(all && texts.references.iter().all(|r| r.is_empty()));
    details.int("groups", groups.len() as u64);
    let mut answer = Answer::score(one_if(right)).details(details);
    if let Some((start, end)) = first.or_else(|| groups.iter().flatten().next().copied()) {
        let text = chars[start..end].iter().take(QUOTE).collect();
        answer = answer.evidence(Evidence { field: "output".into(), start, end, text });
    }
    Ok(answer)
}

/// How many of the texts or patterns must be found.
#[derive(Clone, Copy)]
enum Mode {
    Any,
    All,
    None,
}

/// Answers whether any, all or none of what `keys` name is found; without them the
/// references are looked for.
fn search(
    request: &Request,
    keys: [&str; 2],
    find: impl Fn(&str, &[&str]) -> Result<Vec<Option<Span>>>,
) -> Result<Answer> {
    let config = request.config();
    let mode = match config.text("mode", "any")? {
        "any" => Mode::Any,
        "all" => Mode::All,
        "none" => Mode::None,
        other => return Err(Error::new(format!("unknown mode \"{other}\": use any, all or none"))),
    };
    if config.texts(keys[1])?.is_some_and(|list| list.is_empty()) {
        return Err(Error::new(format!("config {} is an empty list: name what to look for, or leave it out", keys[1])));
    }
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
    Ok(answer(output, &wanted, &found, mode))
}

fn answer(output: &str, wanted: &[&str], found: &[Option<Span>], mode: Mode) -> Answer {
    let hits = found.iter().flatten().count();
    let yes = match mode {
        Mode::Any => hits > 0,
        Mode::All => hits == wanted.len(),
        Mode::None => hits == 0,
    };
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
