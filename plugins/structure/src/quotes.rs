//! `quotes`: what the output quotes is in the context. `citations`: what it cites exists.

use crate::markdown::Fence;
use crate::{output, show};
use rubric_host_sdk::{Answer, Error, Object, Request, Result, Value};
use rubric_host_text::{is_space, lower, or_answer};

/// Pairs of quotation marks. The straight mark closes itself.
const MARKS: [(char, char); 9] = [
    ('"', '"'), ('\u{201c}', '\u{201d}'), ('\u{201e}', '\u{201c}'), ('\u{ab}', '\u{bb}'), ('\u{bb}', '\u{ab}'),
    ('\u{300c}', '\u{300d}'), ('\u{300e}', '\u{300f}'), ('\u{2039}', '\u{203a}'), ('\u{ff02}', '\u{ff02}'),
];

/// The texts of the context: one, or a list of texts or of objects with a text. Nothing if the
/// case has no context.
fn sources<'r>(request: &'r Request) -> Result<Option<Vec<&'r str>>> {
    let one = |v: &'r Value<'r>| {
        v.as_str().or_else(|| ["text", "content", "page_content"].iter().find_map(|n| v.get(n)?.as_str()))
    };
    match request.field("context") {
        None => Ok(None),
        Some(Value::Array(list)) => list
            .iter()
            .map(one)
            .collect::<Option<_>>()
            .map(Some)
            .ok_or_else(|| Error::new("the case's context has an element that is neither text nor an object with text")),
        Some(v) => Ok(Some(vec![one(v).ok_or("the case's context is not text")?])),
    }
}

pub fn quotes(request: &Request) -> Result<Answer> {
    let config = request.config();
    let least = config.count("min_words", 3, 1, 1000)?;
    let ignore_case = config.flag("ignore_case", false)?;
    let required = config.flag("required", false)?;
    let text = or_answer!(output(request)?);
    let sources = match sources(request)? {
        Some(texts) => texts,
        None => request.references()?,
    };
    if sources.is_empty() {
        return Ok(Answer::unscored("the case has no context or references to look for quotes in"));
    }
    let sources: Vec<String> = sources.into_iter().map(|s| plain(s, ignore_case)).collect();
    let code = code(text);
    let coded = |at: usize| code[..code.partition_point(|c| c.0 <= at)].last().is_some_and(|c| at < c.1);
    let mut double = [quoted(text), in_latex(text), in_elements(text)].concat();
    double.sort_unstable();
    let mut last = 0;
    double.retain(|&(from, to)| {
        let after = from >= last;
        last = last.max(to);
        after
    });
    let within = |at: usize| double[..double.partition_point(|q| q.0 <= at)].last().is_some_and(|q| at <= q.1);
    let single: Vec<_> = in_single_quotes(text).into_iter().filter(|s| !within(s.0)).collect();
    let mut spans: Vec<_> = double.iter().chain(&single).copied().filter(|&(a, b)| words(&text[a..b]) >= least && !coded(a)).collect();
    spans.sort_unstable();
    if spans.is_empty() && text.lines().any(|l| l.trim_start().starts_with('>')) {
        return Ok(Answer::unscored("the output quotes in no quotation marks, but has a block quote"));
    }
    if spans.is_empty() {
        let reason = format!("the output quotes nothing of {least} words or more");
        return Ok(if required { Answer::score(0.0).reason(reason) } else { Answer::unscored(reason) });
    }
    if spans.len().saturating_mul(sources.iter().map(String::len).sum::<usize>()) > 1 << 26 {
        return Ok(Answer::unscored("too many quotes in too long a context"));
    }
    let (mut found, mut missing) = (0usize, Vec::new());
    for &(from, to) in &spans {
        let mut quote = plain(&text[from..to], ignore_case);
        // [T]he
        if quote.starts_with('[') && quote.chars().nth(2) == Some(']') {
            quote = quote.replacen(['[', ']'], "", 2);
        }
        let known = |quote: &str| sources.iter().any(|s| occurs(quote, s) || occurs(&other_case(quote), s));
        if known(&quote) {
            found += 1;
        } else if quote.contains('[') && known(&without_brackets(&quote)) {
            return Ok(Answer::unscored("a quote has words in brackets, which may be the quoter's own"));
        } else if single.binary_search(&(from, to)).is_ok() && elided(text, from, to) {
            return Ok(Answer::unscored("what may be single quotation marks may be apostrophes"));
        } else {
            missing.push((from, to));
        }
    }
    let mut details = Object::new();
    details.int("quotes", spans.len() as u64).int("found", found as u64);
    Ok(show(Answer::score(found as f64 / spans.len() as f64).details(details), text, &missing))
}

/// The places between `` and '', the marks of LaTeX, in the paragraphs in which each of the first is followed by one of the
/// second: others have code between backticks.
fn in_latex(text: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    for paragraph in text.split("\n\n").filter(|p| p.contains("``")) {
        let start = paragraph.as_ptr() as usize - text.as_ptr() as usize;
        let parts: Vec<&str> = paragraph.split("``").collect();
        let closed = |part: &&str| part.matches("''").count() == 1 && !part.contains(['`', '"']);
        if parts[1..].iter().all(closed) && !parts[0].ends_with('`') {
            let mut at = start + parts[0].len();
            for part in &parts[1..] {
                at += 2;
                spans.push((at, at + part.find("''").unwrap_or(0)));
                at += part.len();
            }
        }
    }
    spans
}

/// The places in elements for a quotation: of LaTeX and HTML.
fn in_elements(text: &str) -> Vec<(usize, usize)> {
    let inner = |open, close| text.split(open).skip(1).filter_map(move |part: &str| {
        let from = part.as_ptr() as usize - text.as_ptr() as usize;
        Some((from, from + part.find(close)?))
    });
    inner("\\enquote{", "}").chain(inner("<q>", "</q>")).collect()
}

/// The places between quotation marks on one paragraph, without nesting.
pub fn quoted(text: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut last = '\n';
    for (i, c) in text.char_indices() {
        match open {
            // „ closes with “ in German, with ” in Polish, Hungarian, Romanian and Hebrew.
            Some((from, close)) if c == close || (close, c) == ('\u{201c}', '\u{201d}') => {
                spans.push((from, i));
                open = None;
            }
            Some(_) if c == '\n' && last == '\n' => open = None,
            Some(_) => {}
            // 6'2" is a length.
            None if c == '"' && last.is_ascii_digit() => {}
            None => open = MARKS.iter().find(|m| m.0 == c).map(|m| (i + c.len_utf8(), m.1)),
        }
        last = c;
    }
    spans
}

/// The places between single quotation marks in a paragraph: one that opens stands before a word and behind none, one that
/// closes behind a word or mark and before no letter, as apostrophes may, too.
pub fn in_single_quotes(text: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut open: Option<usize> = None;
    let mut read = 0;
    for (at, mark) in text.match_indices(['\'', '\u{2018}', '\u{2019}', '\u{201a}']) {
        let after = at + mark.len();
        let last = text[..at].chars().next_back();
        let next = text[after..].chars().next().is_some_and(|c| c.is_alphanumeric() || matches!(c, '[' | '.' | '\u{2026}'));
        open = open.filter(|_| !text[read..at].contains("\n\n"));
        read = after;
        match open {
            None if mark != "\u{2019}" && next && !last.is_some_and(char::is_alphanumeric) => open = Some(after),
            Some(from) if mark != "\u{201a}" && !text[after..].starts_with(char::is_alphanumeric) && !last.is_some_and(is_space) => {
                spans.push((from, at));
                open = None;
            }
            _ => {}
        }
    }
    spans
}

/// Whether the mark before or behind a place may be an apostrophe: that of '90s, 'tis or dogs'.
fn elided(text: &str, from: usize, to: usize) -> bool {
    const CUT: [&str; 12] = ["tis", "twas", "twill", "em", "n", "til", "till", "cause", "bout", "round", "cept", "s"];
    let first = text[from..to].split(|c: char| !c.is_alphanumeric()).next().unwrap_or("").to_lowercase();
    let straight = text[..from].ends_with('\'');
    straight && (first.starts_with(|c: char| c.is_ascii_digit()) || CUT.contains(&&*first)) || text[..to].ends_with('s') && text[to..].chars().nth(1) == Some(' ')
}

/// A quote with a gap in the place of each bracket.
fn without_brackets(quote: &str) -> String {
    let mut parts = quote.split('[');
    let first = parts.next().unwrap_or("").to_string();
    parts.fold(first, |text, part| text + "..." + part.split_once(']').map_or(part, |(_, rest)| rest))
}

/// Words between white space; a script without spaces counts its characters.
fn words(text: &str) -> usize {
    text.split(is_space)
        .filter(|w| !w.is_empty())
        .map(|w| w.chars().filter(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')).count().max(1))
        .sum()
}

/// A text with single spaces, one kind of quotation mark and dash, and no emphasis.
fn plain(text: &str, ignore_case: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let lowered;
    let text = if ignore_case {
        lowered = lower(text);
        &lowered
    } else {
        text
    };
    for c in text.chars() {
        match c {
            c if is_space(c) => {
                if !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            '"' | '`' | '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{2039}' | '\u{203a}' => out.push('\''),
            '-' | '\u{2010}'..='\u{2015}' if out.ends_with('-') => {} // -- is a dash
            '\u{2010}'..='\u{2015}' => out.push('-'),
            '\u{2026}' => out.push_str("..."),
            '*' | '\u{ad}' | '\u{200b}' => {}
            c => out.push(c),
        }
    }
    out
}

/// A quote whose first letter has the other case: it may begin a sentence in one text only.
fn other_case(quote: &str) -> String {
    let mut chars = quote.chars();
    match chars.next() {
        Some(c) if c.is_lowercase() => c.to_uppercase().chain(chars).collect(),
        Some(c) => c.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Whether the parts of a quote between its ellipses are in the source in this order.
/// Punctuation at the end of a part may be the quoter's.
fn occurs(quote: &str, source: &str) -> bool {
    let mut rest = source;
    let mut any = false;
    for part in quote.replace("[...]", "...").split("...") {
        let part = part.trim_matches(|c: char| c == ' ' || c == ',' || c == '.' || c == ';' || c == ':');
        if part.is_empty() {
            continue;
        }
        any = true;
        match rest.match_indices(part).find(|(at, _)| whole(rest, *at, at + part.len())) {
            Some((at, _)) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    any
}

/// Whether no letter or digit is cut off at either end: of scripts that put spaces between words
/// and nothing else.
fn whole(text: &str, from: usize, to: usize) -> bool {
    let in_word = |c: Option<char>| c.is_some_and(|c| matches!(c, '\0'..='\u{58f}' | '\u{1e00}'..='\u{1fff}') && c.is_alphanumeric());
    let cut = |at: usize| in_word(text[..at].chars().next_back()) && in_word(text[at..].chars().next());
    !cut(from) && !cut(to)
}

pub fn citations(request: &Request) -> Result<Answer> {
    let config = request.config();
    let required = config.flag("required", false)?;
    let text = or_answer!(output(request)?);
    let count = match config.get("sources") {
        Some(_) => config.count("sources", 0, 1, 1_000_000)?,
        None => sources(request)?.map_or(0, |texts| texts.len()),
    };
    if count == 0 {
        return Ok(Answer::unscored("the case has no context, and config no number of sources"));
    }
    let (mut right, mut all, mut wrong) = (0u64, 0u64, Vec::new());
    let mut cited = std::collections::BTreeSet::new();
    for (from, to, numbers) in markers(text, count) {
        let named = numbers.len();
        let exist: Vec<usize> = numbers.into_iter().filter(|n| (1..=count).contains(n)).collect();
        all += named as u64;
        right += exist.len() as u64;
        if exist.len() < named {
            wrong.push((from, to));
        }
        cited.extend(exist);
    }
    if all == 0 && other_form(text) {
        return Ok(Answer::unscored("the output has no citation such as [1], and what may be citations in another form"));
    }
    if all == 0 {
        let reason = "the output has no citation such as [1]";
        return Ok(if required { Answer::score(0.0).reason(reason) } else { Answer::unscored(reason) });
    }
    let mut details = Object::new();
    details.int("citations", all).int("valid", right).int("sources", count as u64).int("cited", cited.len() as u64);
    Ok(show(Answer::score(right as f64 / all as f64).details(details), text, &wrong))
}

/// Whether a text may cite by other signs than numbers in brackets: (Smith, 2020), [Smith 2020], word.², [source 1], [1, p. 3].
fn other_form(text: &str) -> bool {
    let text = &text[..text.char_indices().map(|(at, _)| at).nth(100_000).unwrap_or(text.len())];
    let chars: Vec<char> = text.chars().collect();
    let raised = |c: &char| matches!(c, '\u{b9}' | '\u{b2}' | '\u{b3}' | '\u{2074}'..='\u{2079}');
    let note = chars.windows(2).any(|w| raised(&w[1]) && matches!(w[0], '.' | ',' | ';' | ')' | '"' | '\u{201d}'))
        || chars.windows(4).any(|w| raised(&w[3]) && w[..3].iter().all(|c| c.is_alphabetic()));
    let bracket = |open: char, close: char| {
        let within = |at: &usize| text[at + open.len_utf8()..].starts_with(char::is_alphabetic);
        text.match_indices(open).map(|(at, _)| at).filter(within).any(|at| {
            let inner: String = text[at + open.len_utf8()..].chars().take(80).take_while(|c| *c != close && *c != '\n').collect();
            let numbers = || inner.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u32>().ok());
            let named = inner.starts_with(|c: char| c.is_uppercase()) && inner.contains(char::is_lowercase);
            let word = inner.to_lowercase();
            named && numbers().any(|n| (1900..2100).contains(&n)) || ["source", "doc", "ref", "quelle", "fuente"].iter().any(|w| word.starts_with(w)) && numbers().next().is_some()
        })
    };
    // [1, p. 33], [2](#ref2)
    let numbered = text.split('[').skip(1).any(|part| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        (1..4).contains(&(part.len() - rest.len())) && (rest.starts_with("](") || [", p", ", \u{a7}", ", ch", ", s", ", S"].iter().any(|w| rest.starts_with(w)))
    });
    note || numbered || bracket('(', ')') || bracket('[', ']')
}

/// Citations: `[1]`, `[^1]`, `[1, 2]`, `[1; 2]`, `[1-3]`, `【1】`, `【1†source】`; no links, and none in code, nor a year
/// beyond the sources. Of a range, its ends.
fn markers(text: &str, count: usize) -> Vec<(usize, usize, Vec<usize>)> {
    let code = code(text);
    let mut inside = code.iter().peekable();
    let mut found = Vec::new();
    for (from, open) in text.match_indices(['[', '\u{3010}', '\u{ff3b}']) {
        while inside.next_if(|(_, end)| *end <= from).is_some() {}
        if inside.peek().is_some_and(|(start, _)| *start <= from) {
            continue;
        }
        let inner = &text[from + open.len()..];
        let inner = &inner[..(0..=inner.len().min(200)).rev().find(|at| inner.is_char_boundary(*at)).unwrap_or(0)];
        let close = match open {
            "[" => "]",
            "\u{3010}" => "\u{3011}",
            _ => "\u{ff3d}",
        };
        let Some(end) = inner.find(|c: char| !matches!(c, '0'..='9' | ',' | ';' | ' ' | '-' | '^' | '\u{2013}')).filter(|end| *end < 80) else {
            continue;
        };
        // 【4:0†source】 has the source's number first.
        let named = if open == "[" { None } else { inner.find(close).filter(|_| inner[end..].starts_with([':', '\u{2020}'])) };
        let Some(closed) = named.or(Some(end).filter(|end| inner[*end..].starts_with(close))) else { continue };
        let after = &inner[closed + close.len()..];
        if after.starts_with('(') || open == "[" && indexes(&text[..from], &inner[..end], after) {
            continue;
        }
        let numbers: Option<Vec<usize>> = inner[..end]
            .split([',', ';', '-', '\u{2013}'])
            .map(|n| n.trim_matches([' ', '^']).parse().ok())
            .collect();
        // 2024-05-03, and an interval from 0
        let zero = inner[..end].split([',', ';', '-', '\u{2013}', ' ']).any(|n| n.len() > 1 && n.starts_with('0') || n == "0" && inner[..end].len() > 1);
        if zero {
            continue;
        }
        match numbers {
            Some(years) if years.iter().all(|n| *n > count && (1900..2100).contains(n)) => {}
            Some(numbers) => found.push((from, from + open.len() + closed + close.len(), numbers)),
            None => {}
        }
    }
    found
}

/// Whether what stands around a bracket makes an index, an interval, a list or a matrix of it: `a[1]`, `x = [1, 2]`.
fn indexes(before: &str, numbers: &str, after: &str) -> bool {
    let mut last = before.chars().rev();
    let name = last.next().is_some_and(|c| c.is_ascii_lowercase()) && last.next().is_none_or(|c| !c.is_alphanumeric());
    let trimmed = before.trim_end();
    let word = trimmed.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or("").to_ascii_lowercase();
    let list = numbers.contains([',', ';']) && matches!(word.as_str(), "interval" | "range" | "list" | "array" | "vector" | "matrix" | "set" | "tuple");
    let nested = before.ends_with('[') || after.starts_with(']');
    let formula = before.ends_with('$') || before.ends_with("\\(") || before.ends_with("\\[");
    // list[1] = 3
    let assigned = before.ends_with(char::is_alphanumeric) && after.trim_start().starts_with('=');
    name || list || nested || formula || assigned || trimmed.ends_with(['=', '\u{2208}'])
}

/// The places of code: fenced blocks, and spans between as many backticks in a paragraph.
fn code(text: &str) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    let mut fence: Option<(Fence, usize)> = None;
    // Where the last run of backticks of each length began in this paragraph.
    let mut open = [None; 8];
    let latex = in_latex(text);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if let Some((_, from)) = fence.take_if(|(opened, _)| opened.closed_by(line)) {
            places.push((from, at));
            continue;
        }
        if fence.is_some() {
            continue;
        }
        fence = Fence::read(line).map(|opened| (opened, start));
        if fence.is_some() || line.trim().is_empty() {
            open = [None; 8];
            continue;
        }
        let mut i = 0;
        while let Some(next) = line[i..].find('`') {
            i += next;
            let run = line[i..].bytes().take_while(|c| *c == b'`').count();
            if let Some(place) = open.get_mut(run).filter(|_| latex.binary_search_by_key(&(start + i + run), |span| span.0).is_err()) {
                match place.take() {
                    Some(from) => {
                        places.push((from, start + i + run));
                        open = [None; 8];
                    }
                    None => *place = Some(start + i),
                }
            }
            i += run;
        }
    }
    places.extend(fence.map(|(_, from)| (from, text.len())));
    places
}
