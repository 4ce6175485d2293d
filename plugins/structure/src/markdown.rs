//! `markdown`: the structure of a Markdown text, by lines.

use crate::output;
use rubric_host_sdk::{Answer, Error, Object, Request, Result};
use rubric_host_text::or_answer;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What a text is made of.
#[derive(Default)]
struct Outline {
    /// Levels and texts of the headings.
    headings: Vec<(usize, String)>,
    bullets: u64,
    numbers: u64,
    quotes: u64,
    links: u64,
    images: u64,
    code_blocks: u64,
    tables: u64,
    /// Those of addresses at other places: `[label]: address`.
    labels: BTreeSet<String>,
    /// A fenced block without an end.
    open_fence: bool,
    /// A row of a table with another number of cells than its head.
    ragged_table: bool,
}

/// A line that opens a fenced block.
pub struct Fence<'t> {
    mark: u8,
    length: usize,
    /// The quotations that it is in, each a `>` before every line.
    depth: usize,
    /// The bytes before it, without those quotations.
    indent: usize,
    /// The words behind it.
    info: &'t str,
}

/// The rest of a line within so many quotations.
fn unquoted(line: &str, depth: usize) -> &str {
    let mut rest = line;
    for _ in 0..depth {
        let Some(inner) = rest.trim_start_matches([' ', '\t']).strip_prefix('>') else { break };
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    rest
}

/// What follows the mark of an item of a list.
fn item(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['-', '*', '+']).or_else(|| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=9).contains(&digits) { text[digits..].strip_prefix(['.', ')']) } else { None }
    })?;
    rest.starts_with([' ', '\t']).then_some(rest)
}

impl<'t> Fence<'t> {
    /// The fence on a line, which may be in quotations and lists.
    pub fn read(line: &'t str) -> Option<Self> {
        let (mut rest, mut depth, mut start) = (line.trim_end(), 0, line.trim_end());
        loop {
            let text = rest.trim_start_matches([' ', '\t']);
            if let Some(inner) = text.strip_prefix('>') {
                depth += 1;
                rest = inner.strip_prefix(' ').unwrap_or(inner);
                start = rest;
            } else if let Some(inner) = item(text) {
                rest = inner;
            } else {
                rest = text;
                break;
            }
        }
        let mark = *rest.as_bytes().first().filter(|c| matches!(c, b'`' | b'~'))?;
        let length = rest.bytes().take_while(|c| *c == mark).count();
        let info = rest[length..].trim();
        let opens = length >= 3 && (mark == b'~' || !info.contains('`'));
        opens.then(|| Fence { mark, length, depth, indent: start.len() - rest.len(), info })
    }

    /// Whether a line closes the block.
    pub fn closed_by(&self, line: &str) -> bool {
        let line = unquoted(line.trim_end(), self.depth);
        let text = line.trim_start_matches([' ', '\t']);
        line.len() - text.len() <= self.indent + 3 && text.len() >= self.length && text.bytes().all(|c| c == self.mark)
    }

    /// A line of the block without what stands before each.
    fn inner<'l>(&self, line: &'l str) -> &'l str {
        let line = unquoted(line, self.depth);
        let before = line.bytes().take(self.indent).take_while(|c| matches!(c, b' ' | b'\t')).count();
        &line[before..]
    }
}

/// The content of the first closed block that names one of the languages, else of the first
/// closed block.
pub fn fenced<'t>(text: &'t str, languages: &[&str]) -> Option<Cow<'t, str>> {
    let named = |fence: &Fence| {
        let name = fence.info.split([' ', '{', ',']).next().unwrap_or("");
        languages.iter().any(|l| name.eq_ignore_ascii_case(l))
    };
    let mut found = None;
    let mut open: Option<(Fence, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        match open.take() {
            None => open = Fence::read(line).map(|fence| (fence, at)),
            Some((fence, from)) if fence.closed_by(line) => {
                let right = named(&fence);
                if right || found.is_none() {
                    found = Some((fence, from, start));
                }
                if right {
                    break;
                }
            }
            still => open = still,
        }
    }
    let (fence, from, to) = found?;
    Some(if fence.depth == 0 && fence.indent == 0 {
        Cow::Borrowed(&text[from..to])
    } else {
        Cow::Owned(text[from..to].split_inclusive('\n').map(|line| fence.inner(line)).collect())
    })
}

/// Whether a line is a break between themes: `* * *`.
fn breaks(line: &str) -> bool {
    let marks = || line.chars().filter(|c| !matches!(c, ' ' | '\t'));
    marks().take(3).count() == 3 && ['-', '*', '_'].iter().any(|mark| marks().all(|c| c == *mark))
}

impl Outline {
    fn read(text: &str) -> Self {
        // The label of a footnote defines no link.
        let label = |line: &str| Some(line.trim_start().strip_prefix('[')?.split_once("]:")?.0.to_lowercase()).filter(|l| !l.starts_with('^'));
        let mut outline = Outline { labels: text.lines().filter_map(label).collect(), ..Outline::default() };
        let mut open: Option<Fence> = None;
        let mut before = "";
        let mut columns = None;
        // Four spaces make code, but within a list.
        let mut listed = false;
        for line in text.lines() {
            if let Some(fence) = &open {
                if fence.closed_by(line) {
                    open = None;
                }
                continue;
            }
            let trimmed = line.trim();
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len() + 3 * usize::from(line.starts_with('\t'));
            listed = item(trimmed).is_some() && (listed || indent < 4) || listed && (indent > 0 || trimmed.is_empty());
            open = Fence::read(line).filter(|_| listed || indent < 4);
            if open.is_some() {
                outline.code_blocks += 1;
                if item(trimmed).is_some() || trimmed.starts_with('>') {
                    outline.line(trimmed, before);
                }
                (columns, before) = (None, "");
                continue;
            }
            if indent >= 4 && !listed {
                columns = None; // code, or a paragraph that continues
                continue;
            }
            if let Some(n) = columns {
                if trimmed.is_empty() || !trimmed.contains('|') {
                    columns = None;
                } else {
                    outline.ragged_table |= cells(trimmed) != n;
                }
            } else if rule(trimmed) && before.contains('|') && cells(before) == cells(trimmed) {
                outline.tables += 1;
                columns = Some(cells(trimmed));
            }
            outline.line(trimmed, before);
            before = trimmed;
        }
        outline.open_fence = open.is_some();
        outline
    }

    fn line(&mut self, line: &str, before: &str) {
        // The marks of quotes and items before the content, as in `> - # Heading`, 20 at most
        let (mut inner, mut quoted) = (line, false);
        for _ in 0..20 {
            inner = match (inner.strip_prefix('>'), item(inner)) {
                (Some(rest), _) => {
                    self.quotes += u64::from(!std::mem::replace(&mut quoted, true));
                    rest
                }
                (None, Some(rest)) if !breaks(inner) => {
                    *if inner.starts_with(['-', '*', '+']) { &mut self.bullets } else { &mut self.numbers } += 1;
                    rest
                }
                _ => break,
            }
            .trim_start();
        }
        let level = inner.bytes().take_while(|c| *c == b'#').count();
        let rest = &inner[level..];
        let heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
        if heading {
            let text = rest.trim().trim_end_matches('#').trim_end();
            self.headings.push((level, text.replace(['*', '`'], "")));
        }
        if heading && inner == line {
            // Nothing else.
        } else if !before.is_empty() && !line.is_empty() && self.underlined(line, before) {
            let level = if line.starts_with('=') { 1 } else { 2 };
            self.headings.push((level, before.into()));
        }
        self.count_links(line);
    }

    /// Counts `[text](address)`, `![text](address)`, `[text][label]`, `[label]` and `<https://address>`; not in code.
    fn count_links(&mut self, line: &str) {
        let bytes = line.as_bytes();
        let labelled = |text: &str| self.labels.contains(&text.to_lowercase());
        let last = line.rfind(')').unwrap_or(0);
        // Where brackets opened, and whether they are images'.
        let mut open: Vec<(usize, bool)> = Vec::new();
        let mut i = 0;
        while let Some(c) = bytes.get(i) {
            match c {
                b'\\' => i += 1,
                b'`' => {
                    let run = bytes[i..].iter().take_while(|c| **c == b'`').count();
                    i += run - 1;
                    // Many runs without another of their length are looked at once each.
                    if run < 3 {
                        i += line[i + 1..].find(&line[i + 1 - run..=i]).map_or(0, |n| n + run);
                    }
                }
                b'<' if ["http://", "https://", "mailto:"].iter().any(|s| line[i + 1..].starts_with(s)) => self.links += 1,
                b'[' => open.push((i + 1, i > 0 && bytes[i - 1] == b'!')),
                b']' => {
                    let Some((from, image)) = open.pop() else { i += 1; continue };
                    let rest = &line[i + 1..];
                    let address = rest.starts_with('(') && last > i;
                    let label = rest.strip_prefix('[').and_then(|r| r.split_once(']')).map(|r| r.0).filter(|l| !l.is_empty());
                    // A label has at most 999 characters.
                    if address || !rest.starts_with(':') && (label.is_some() || i - from < 4000) && labelled(label.unwrap_or(&line[from..i])) {
                        if image {
                            self.images += 1;
                        } else {
                            self.links += 1;
                            open.clear(); // no link is in a link
                        }
                        // The label is none.
                        i += label.filter(|_| !address).map_or(0, |l| l.len() + 2);
                    }
                }
                _ => {}
            }
            i += 1;
        }
    }

    /// Whether `line` makes a heading of the paragraph before it.
    fn underlined(&self, line: &str, before: &str) -> bool {
        let only = |c: u8| line.bytes().all(|b| b == c);
        (only(b'=') || (only(b'-') && line.len() > 1))
            && !before.starts_with(['#', '-', '*', '+', '>', '|'])
            && !before.contains('|')
    }

    fn has(&self, part: &str) -> Result<bool> {
        Ok(match part {
            "heading" => !self.headings.is_empty(),
            "bullet_list" => self.bullets > 0,
            "numbered_list" => self.numbers > 0,
            "quote" => self.quotes > 0,
            "link" => self.links > 0,
            "image" => self.images > 0,
            "code_block" => self.code_blocks > 0,
            "table" => self.tables > 0,
            other => {
                return Err(Error::new(format!(
                    "unknown part \"{other}\": use heading, bullet_list, numbered_list, quote, link, image, code_block or table"
                )))
            }
        })
    }
}

/// The rule below the head of a table.
fn rule(line: &str) -> bool {
    line.contains('-') && line.contains('|') && line.bytes().all(|c| matches!(c, b'-' | b'|' | b':' | b' '))
}

/// The cells of a row.
fn cells(line: &str) -> usize {
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').filter(|l| !l.ends_with('\\')).unwrap_or(line);
    let mut escaped = false;
    1 + line
        .bytes()
        .filter(|c| {
            let cell = *c == b'|' && !escaped;
            escaped = *c == b'\\' && !escaped;
            cell
        })
        .count()
}

pub fn markdown(request: &Request) -> Result<Answer> {
    let config = request.config();
    let text = or_answer!(output(request)?);
    let outline = Outline::read(text);
    let mut checks: Vec<(String, bool)> = vec![
        ("code blocks are closed".into(), !outline.open_fence),
        ("tables have equal rows".into(), !outline.ragged_table),
        (
            "heading levels are not skipped".into(),
            outline.headings.windows(2).all(|pair| pair[1].0 <= pair[0].0 + 1),
        ),
    ];
    for part in config.texts("require")?.unwrap_or_default() {
        checks.push((format!("has {part}"), outline.has(part)?));
    }
    for part in config.texts("forbid")?.unwrap_or_default() {
        checks.push((format!("has no {part}"), !outline.has(part)?));
    }
    let mut rest = outline.headings.iter();
    for heading in config.texts("headings")?.unwrap_or_default() {
        let wanted = heading.trim().to_lowercase();
        let mut ahead = rest.clone();
        let found = ahead.any(|(_, text)| text.to_lowercase() == wanted);
        if found {
            rest = ahead;
        }
        let shown: String = heading.chars().take(100).collect();
        checks.push((format!("heading \"{shown}\""), found));
    }
    let right = checks.iter().filter(|c| c.1).count();
    let mut details = Object::new();
    details
        .int("headings", outline.headings.len() as u64)
        .int("bullets", outline.bullets)
        .int("numbers", outline.numbers)
        .int("quotes", outline.quotes)
        .int("links", outline.links)
        .int("images", outline.images)
        .int("code_blocks", outline.code_blocks)
        .int("tables", outline.tables);
    let mut answer = Answer::score(right as f64 / checks.len() as f64).details(details);
    for (what, holds) in checks.into_iter().take(crate::SHOWN) {
        answer = if holds { answer.hit(what) } else { answer.miss(what) };
    }
    Ok(answer)
}
