//! `date`: a date in the output is that of a reference.

use crate::calendar::{seen, seen_in, simple, Date, Found, Order, Seen, DATES, MONTHS, WORDS};
use crate::{clip, one_if, unknown, Take, Texts};
use rubric_host_sdk::{Answer, Object, Request, Result};
use rubric_host_text::{after_reasoning, announcement, boxed, concludes, denies, digit, explanation, first_turn, turn, visible, Link};

pub fn date(request: &Request) -> Result<Answer> {
    let config = request.config();
    let take = Take::read(request)?;
    let days = config.count("tolerance_days", 0, 0, 1_000_000)? as i64;
    let order = match config.text("order", "")? {
        "" => Order::Unknown,
        "dmy" => Order::Day,
        "mdy" => Order::Month,
        other => return Err(unknown("order", other, "dmy or mdy")),
    };
    let texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(unscored) => return Ok(unscored),
    };
    let (mut wanted, mut besides) = (Vec::new(), Vec::new());
    for reference in &texts.references {
        let seen = seen(reference, order).unwrap_or_default();
        match seen.iter().map(|s| s.date).collect::<Vec<_>>()[..] {
            [Found::One(date)] => {
                wanted.push(date);
                besides.push(seen[0].beside);
            }
            [Found::Two(..)] => {
                return Ok(Answer::unscored(format!(
                    "a reference can be read as two dates: \"{}\"; set order to dmy or mdy",
                    clip(reference)
                )))
            }
            [Found::Short(_)] => {
                return Ok(Answer::unscored(format!("a reference has a year of two digits: \"{}\"", clip(reference))))
            }
            [] => return Ok(Answer::unscored(format!("a reference has no date: \"{}\"", clip(reference)))),
            _ => return Ok(Answer::unscored(format!("a reference has several dates: \"{}\"", clip(reference)))),
        }
    }
    let output = visible(after_reasoning(texts.output).unwrap_or(""));
    let output = simple(output.trim());
    let output = if take == Take::Last { first_turn(&output) } else { &*output };
    let announced = if take == Take::Last { announced(output, order) } else { None };
    let settled = announced.is_some();
    let Some(mut all) = announced.or_else(|| seen_in(output, order)) else {
        return Ok(Answer::unscored(format!("the output has more than {DATES} dates, or {WORDS} words and marks")));
    };
    // I don't know, my data ends on 1 June 2023.
    if let ([only], false) = (&mut all[..], settled) {
        only.beside = only.beside.or((only.link != Link::Not && denies(output)).then_some("no, not, none, ..."));
    }
    let near = |d: Date| wanted.iter().any(|w| (w.number() - d.number()).abs() <= days);
    // 3 May 2024 or 4 May 2024
    let is = |s: &Seen| matches!(s.date, Found::One(d) if near(d));
    let chosen = |pair: &[Seen]| pair[1].link != Link::Or || is(&pair[0]) == is(&pair[1]);
    // By 3 May 2024, where the reference is not.
    all.iter_mut().for_each(|s| s.beside = s.beside.filter(|_| !besides.contains(&s.beside)));
    all.iter_mut().filter(|s| s.beside.is_none() && !settled).for_each(|s| s.beside = said(output, s.span));
    let plain = |s: &Seen| s.beside.is_none() && s.link != Link::Not;
    if let Some(word) = all.iter().filter(|s| is(s)).find_map(|s| s.beside).filter(|_| !all.iter().any(|s| plain(s) && is(s))) {
        return Ok(Answer::unscored(format!("the output names a date beside the day, or near it: \"{word}\"")));
    }
    if take != Take::Any && !all.windows(2).all(chosen) {
        return Ok(Answer::unscored("the output does not choose one of its dates"));
    }
    let mut not = false;
    let several = all.iter().any(plain);
    let mut kept: Vec<Seen> = Vec::with_capacity(all.len());
    for seen in &all {
        not = seen.link == Link::Not || not && seen.link == Link::Or;
        kept.extend((!(not || several && seen.beside.is_some())).then_some(*seen));
    }
    // 3.5.24 may be a version, beside a date.
    if kept.iter().any(|s| !matches!(s.date, Found::Short(_))) {
        kept.retain(|s| !matches!(s.date, Found::Short(_)));
    }
    let found: Vec<Found> = kept.iter().map(|s| s.date).collect();
    let meant = if take == Take::Last && !settled { stated(output, &kept) } else { None };
    let taken = meant.map_or(take.of(&found), |i| &found[i..=i]);
    if all.is_empty() && relative(output) {
        return Ok(Answer::unscored("the output names a day without its date"));
    }
    if found.is_empty() && all.is_empty() && wanted.iter().any(|d| unread(output, *d)) {
        return Ok(Answer::unscored("the output has the day of the date without its year, or in a form that is not read"));
    }
    if taken.is_empty() {
        let several = take == Take::Only && !found.is_empty();
        return Ok(Answer::score(0.0).reason(if several { "the output has several dates" } else { "the output has no date" }));
    }
    let right = |f: &Found| matches!(*f, Found::One(d) if near(d));
    if take == Take::Last && !settled && (meant.is_none() || !taken.iter().any(right)) && found.iter().any(right) {
        return Ok(Answer::unscored("the output has several dates that may be its answer"));
    }
    let mut open = None;
    let mut shown = None;
    for one in taken {
        match *one {
            Found::One(d) => {
                shown = Some(d);
                if near(d) {
                    return Ok(answer(true, d));
                }
            }
            Found::Two(a, b) if near(a) && near(b) => return Ok(answer(true, a)),
            Found::Two(a, b) if near(a) || near(b) => open = Some((a, b)),
            Found::Two(a, _) => shown = Some(a),
            Found::Short(all) if all.into_iter().flatten().any(near) => {
                return Ok(Answer::unscored("the output has a date with a year of two digits only"))
            }
            Found::Short(_) => {}
        }
    }
    Ok(match (open, shown) {
        (Some((a, b)), _) => Answer::unscored(format!(
            "the date can be read as {} and as {}; set order to dmy or mdy",
            a.text(),
            b.text()
        )),
        (None, Some(d)) => answer(false, d),
        (None, None) => Answer::score(0.0),
    })
}

fn answer(right: bool, date: Date) -> Answer {
    let mut details = Object::new();
    details.text("date", &date.text());
    Answer::score(one_if(right)).details(details)
}

/// The date of the box, or the first behind the words that announce the answer, with those that belong to it.
fn announced(text: &str, order: Order) -> Option<Vec<Seen>> {
    let part = boxed(text).map(|(_, inner)| inner).or_else(|| announcement(text))?;
    // A long line has no announced date.
    let line = part.lines().next().filter(|line| line.len() < 1_000)?;
    let mut all = seen(line, order)?;
    // 5 July minus 21 days = 14 June; before 5 July, i.e. 14 June
    let result = |i: usize| ["=", "i.e.", "i.e.,", "that is,", "\u{2192}"].iter().any(|w| line[all[i - 1].span.1.min(all[i].span.0)..all[i].span.0].trim_end().ends_with(w));
    let operand = |i: usize| ["+", "-", "\u{2212}", "\u{2013}", "plus", "minus"].iter().any(|w| line[all[i].span.1..].trim_start().starts_with(w));
    // Not: start = 3 May, end = 5 May; 7 April, i.e. 25 March of the old calendar.
    let computed = |i: usize| operand(i) || ["before", "after", "s from"].iter().any(|w| line[..all[i].span.0].trim_end().ends_with(w));
    let first = (1..all.len()).rev().find(|i| computed(*i - 1) && result(*i) && !operand(*i)).or_else(|| all.iter().position(|s| s.link != Link::Not))?;
    let more = all[first + 1..].iter().take_while(|s| s.link == Link::Or).count();
    all.truncate(first + 1 + more);
    all.drain(..first.min(all.len()));
    let behind = &part[part.len().min(line.len())..];
    turn(line).or(turn(behind)).is_none().then_some(all)
}

/// The most dates that are weighed against each other.
const WEIGHED: usize = 200;

/// Where the sentence or line of a place begins, within 300 bytes.
fn sentence(text: &str, at: usize) -> usize {
    let least = (at.saturating_sub(300)..=at).find(|i| text.is_char_boundary(*i)).unwrap_or(at);
    least + start(&text[least..at])
}

/// Where the last sentence or line of a text begins.
fn start(text: &str) -> usize {
    // 3. Mai
    let ends = |m: &(usize, &str)| !text[..m.0].ends_with(|c: char| c.is_ascii_digit());
    let stop = text.rmatch_indices(". ").find(ends).map(|m| m.0 + 2);
    stop.max(text.rmatch_indices(['\n', '\u{3002}']).next().map(|(i, c)| i + c.len())).unwrap_or(0)
}

/// What the sentence of a date says of it: that it is not the answer to anything, or another one's.
fn said(text: &str, span: (usize, usize)) -> Option<&'static str> {
    const THINKS: [&str; 6] = [" thinks ", " believes ", " claims ", " guesses ", " assumes ", " thought "];
    let from = sentence(text, span.0);
    let before = &text[from..span.0];
    // Bob thinks it was 3 May.
    let others = |w: &&&str| before.split_once(**w).is_some_and(|(head, _)| head.rsplit(' ').next().is_some_and(|n| n != "I" && n.starts_with(char::is_uppercase)));
    let asked = text[span.1..].starts_with('?');
    THINKS.iter().find(others).copied().or(asked.then_some("?"))
}

/// Which of several dates a text means, if it tells: the only one; the only one before an explanation and not in brackets behind another;
/// the only one in bold; the result (`plus 30 days is`, `=`, `so`); the one with which it starts, or that is its last line.
fn stated(text: &str, all: &[Seen]) -> Option<usize> {
    let same = |set: &[usize]| set.windows(2).all(|w| all[w[0]].date == all[w[1]].date);
    let only = |set: Vec<usize>| set.last().copied().filter(|_| same(&set));
    let first = all.first().filter(|_| all.len() < WEIGHED)?;
    let cut = explanation(&text[first.span.1..]).map_or(text.len(), |at| first.span.1 + at);
    let aside = |i: usize| {
        let (from, at) = (sentence(text, all[i].span.0), all[i].span.0);
        let open = text[from..at].rfind(['(', '\u{ff08}']).map(|b| from + b).filter(|b| !text[*b..at].contains([')', '\u{ff09}']));
        open.is_some_and(|b| all.iter().any(|s| s.span.0 >= from && s.span.1 <= b))
    };
    let idle = |i: usize| {
        let at = all[i].span.0;
        let sentence = text[sentence(text, at)..at].to_lowercase();
        ["hope th", "let me know", "feel free", "generated", "report of", "accessed", "retrieved", "updated"].iter().any(|w| sentence.contains(w))
    };
    let main: Vec<usize> = (0..all.len()).filter(|i| all[*i].span.0 < cut && !aside(*i) && !idle(*i)).collect();
    let last = *main.last()?;
    if let Some(i) = only(main.clone()) {
        return Some(i);
    }
    let bold: Vec<usize> = main.iter().copied().filter(|i| text[..all[*i].span.0].matches("**").count() % 2 == 1).collect();
    if let Some(i) = only(bold) {
        return Some(i);
    }
    let at = all[last].span.0;
    let between = &text[all[..last].iter().map(|s| s.span.1).max().unwrap_or(0).max(sentence(text, at)).min(at)..at];
    let counts = || (between.contains(|c: char| c.is_ascii_digit()) || [" one ", " two ", " three ", " four ", " five ", " six ", " ten ", " a "].iter().any(|w| between.contains(w))) && between.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|w| matches!(w, "day" | "days" | "week" | "weeks" | "month" | "months" | "year" | "years" | "hours" | "tage" | "wochen" | "jours" | "días" | "dias" | "giorni" | "dagen"));
    let verb = between.trim_end_matches([' ', '*']);
    let is = [" is", " was", " ist", " est", " es", " é", " è"].iter().any(|w| verb.ends_with(w));
    if verb.ends_with(['=', '\u{2192}']) || verb.ends_with("->") || is && counts() || concludes(between) {
        return Some(last);
    }
    let line = |i: usize| {
        let (from, to) = all[i].span;
        let head = text[..from].rsplit('\n').next().unwrap_or("");
        let tail = text[to..].split('\n').next().unwrap_or("");
        (!head.contains(char::is_alphanumeric), !tail.contains(char::is_alphanumeric))
    };
    let lines = main.iter().filter(|i| line(**i).0).count();
    if line(last) == (true, true) && lines == 1 && !text[all[last].span.1..].contains('\n') {
        return Some(last);
    }
    let behind = &text[first.span.1..];
    let ends = [" (", "\n", " because", ", because", " since", ", since"].iter().any(|w| behind.trim_start_matches(['*', '.']).starts_with(w));
    (ends && main[0] == 0 && lines == 1 && !text[..first.span.0].contains(char::is_alphanumeric)).then_some(0)
}

/// Whether a text names a day from the day on which it is said: tomorrow, next Friday, in two days.
fn relative(text: &str) -> bool {
    const WORDS: [&str; 14] = [
        "today", "tomorrow", "yesterday", "tonight", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "days", "weeks", "months",
    ];
    text.len() < 200 && text.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|w| WORDS.contains(&w))
}

/// Whether a text without a date that is read has the year and the day of one: `3 maja 2024`, `the third of May 2024`.
fn unread(text: &str, date: Date) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|w| !w.is_empty());
    let (year, short, day) = (date.year.to_string(), format!("'{:02}", date.year % 100), date.day);
    let numeral = |w: &str| w.chars().map_while(digit).collect::<String>();
    let ordinal = |w: &str| matches!(w, "first" | "second" | "third") || w.len() > 4 && w.ends_with("th") && w != "month";
    let named = words.clone().any(|w| w.chars().count() > 1 && w.chars().all(char::is_alphabetic));
    let month = || MONTHS[date.month as usize - 1];
    let month = |w: &str| month().contains(&&*w.to_lowercase()) || w.len() == 3 && month()[0].starts_with(&w.to_lowercase());
    // May 3
    let yearless = text.len() < 200 && words.clone().any(month) && !words.clone().any(|w| numeral(w).len() > 2);
    named && (yearless || words.clone().any(|w| numeral(w) == year || w == short)) && words.any(|w| numeral(w).parse() == Ok(day) || ordinal(&w.to_lowercase()))
}
