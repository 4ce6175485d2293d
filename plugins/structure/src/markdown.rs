//! `markdown`: the structure of a Markdown text, by lines.

use crate::output;
use rubric_host_sdk::{Answer, Error, Object, Request, Result};

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
    /// A fenced block without an end.
    open_fence: bool,
    /// A row of a table with another number of cells than its head.
    ragged_table: bool,
}

/// A line's fence: its character, its length, and whether words follow it.
fn fence(line: &str) -> Option<(u8, usize, bool)> {
    let text = line.trim_start_matches(' ');
    if line.len() - text.len() > 3 {
        return None;
    }
    let mark = *text.as_bytes().first().filter(|c| matches!(c, b'`' | b'~'))?;
    let length = text.bytes().take_while(|c| *c == mark).count();
    let rest = &text[length..];
    (length >= 3 && (mark == b'~' || !rest.contains('`'))).then(|| (mark, length, !rest.trim().is_empty()))
}

/// The content of the first fenced block that is closed.
pub fn first_fence(text: &str) -> Option<&str> {
    let mut open: Option<(u8, usize, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        match (open, fence(line.trim_end())) {
            (None, Some((mark, length, _))) => open = Some((mark, length, at)),
            (Some((mark, length, from)), Some((m, l, false))) if m == mark && l >= length => {
                return Some(&text[from..start]);
            }
            _ => {}
        }
    }
    None
}

impl Outline {
    fn read(text: &str) -> Self {
        let mut outline = Outline::default();
        let mut open: Option<(u8, usize)> = None;
        let mut before = "";
        let mut columns = None;
        for line in text.lines() {
            if let Some((mark, length)) = open {
                if matches!(fence(line.trim_end()), Some((m, l, false)) if m == mark && l >= length) {
                    open = None;
                }
                continue;
            }
            if let Some((mark, length, _)) = fence(line.trim_end()) {
                outline.code_blocks += 1;
                (open, columns, before) = (Some((mark, length)), None, "");
                continue;
            }
            let trimmed = line.trim();
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
        let level = line.bytes().take_while(|c| *c == b'#').count();
        let rest = &line[level..];
        if (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t'])) {
            let text = rest.trim().trim_end_matches('#').trim_end();
            self.headings.push((level, text.into()));
        } else if !before.is_empty() && !line.is_empty() && self.underlined(line, before) {
            let level = if line.starts_with('=') { 1 } else { 2 };
            self.headings.push((level, before.into()));
        } else if ["- ", "* ", "+ "].iter().any(|m| line.starts_with(m)) {
            self.bullets += 1;
        } else if line.starts_with('>') {
            self.quotes += 1;
        } else {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let rest = &line[digits..];
            self.numbers += u64::from((1..=9).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") ")));
        }
        self.count_links(line);
    }

    /// Counts `[text](address)` and `![text](address)`.
    fn count_links(&mut self, line: &str) {
        let Some(last) = line.rfind("](").filter(|at| line[*at..].contains(')')) else { return };
        let bytes = line.as_bytes();
        let mut image = None;
        for (i, c) in bytes.iter().enumerate().take(last + 1) {
            match c {
                b'[' => image = Some(i > 0 && bytes[i - 1] == b'!'),
                b']' if bytes.get(i + 1) == Some(&b'(') => match image.take() {
                    Some(true) => self.images += 1,
                    Some(false) => self.links += 1,
                    None => {}
                },
                _ => {}
            }
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
    let text = match output(request)? {
        Ok(text) => text,
        Err(unscored) => return Ok(unscored),
    };
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
