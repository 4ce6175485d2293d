//! `date`: a date in the output is that of a reference.

use crate::{clip, one_if, unknown, Take, Texts};
use rubric_host_sdk::{Answer, Object, Request, Result};
use rubric_host_text::{after_reasoning, announcement, boxed, digit, doubted, link, negative, turn, words_before, Link};

/// A date in the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Date {
    pub year: i64,
    pub month: u32,
    pub day: u32,
}

/// A date, or the two that digits may mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    One(Date),
    Two(Date, Date),
    /// With a year of two digits: what it may mean.
    Short([Option<Date>; 4]),
}

/// What the first of three numbers is.
#[derive(Clone, Copy, PartialEq)]
pub enum Order {
    Unknown,
    Day,
    Month,
}

/// The names of the months, in English first: then German, French, Spanish, Italian,
/// Portuguese, Dutch and Russian, where they differ.
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "jänner", "janvier", "enero", "gennaio", "janeiro", "januari", "января", "январь"],
    &["february", "februar", "février", "febrero", "febbraio", "fevereiro", "februari", "февраля", "февраль"],
    &["march", "märz", "mars", "marzo", "março", "maart", "марта", "март"],
    &["april", "avril", "abril", "aprile", "апреля", "апрель"],
    &["may", "mai", "mayo", "maggio", "maio", "mei", "мая", "май"],
    &["june", "juni", "juin", "junio", "giugno", "junho", "июня", "июнь"],
    &["july", "juli", "juillet", "julio", "luglio", "julho", "июля", "июль"],
    &["august", "août", "agosto", "augustus", "августа", "август"],
    &["september", "septembre", "septiembre", "setiembre", "settembre", "setembro", "сентября", "сентябрь"],
    &["october", "oktober", "octobre", "octubre", "ottobre", "outubro", "октября", "октябрь"],
    &["november", "novembre", "noviembre", "novembro", "ноября", "ноябрь"],
    &["december", "dezember", "décembre", "diciembre", "dicembre", "dezembro", "декабря", "декабрь"],
];

/// Letters and marks that are one character in the names of months.
const PAIRS: [(char, char, char); 5] =
    [('a', '\u{308}', 'ä'), ('e', '\u{301}', 'é'), ('u', '\u{302}', 'û'), ('c', '\u{327}', 'ç'), ('и', '\u{306}', 'й')];

/// The most words and marks of a text.
const WORDS: usize = 1_000_000;

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
    let output = after_reasoning(texts.output).unwrap_or("").trim();
    let announced = if take == Take::Last { announced(output, order) } else { None };
    let settled = announced.is_some();
    let Some(mut all) = announced.or_else(|| seen(output, order)) else {
        return Ok(Answer::unscored(format!("the output has more than {WORDS} words and marks")));
    };
    let near = |d: Date| wanted.iter().any(|w| (w.number() - d.number()).abs() <= days);
    // 3 May 2024 or 4 May 2024
    let is = |s: &Seen| matches!(s.date, Found::One(d) if near(d));
    let chosen = |pair: &[Seen]| pair[1].link != Link::Or || is(&pair[0]) == is(&pair[1]);
    // By 3 May 2024, where the reference is not.
    all.iter_mut().for_each(|s| s.beside = s.beside.filter(|_| !besides.contains(&s.beside)));
    let plain = |s: &Seen| s.beside.is_none() && s.link != Link::Not;
    if let Some(word) = all.iter().filter(|s| is(s)).find_map(|s| s.beside).filter(|_| !all.iter().any(|s| plain(s) && is(s))) {
        return Ok(Answer::unscored(format!("the output names a date beside the day, or near it: \"{word}\"")));
    }
    if take != Take::Any && !all.windows(2).all(chosen) {
        return Ok(Answer::unscored("the output does not choose one of its dates"));
    }
    let mut not = false;
    let several = all.iter().any(plain);
    let mut found: Vec<Found> = Vec::with_capacity(all.len());
    for seen in &all {
        not = seen.link == Link::Not || not && seen.link == Link::Or;
        found.extend((!(not || several && seen.beside.is_some())).then_some(seen.date));
    }
    // 3.5.24 may be a version, beside a date.
    if found.iter().any(|f| !matches!(f, Found::Short(_))) {
        found.retain(|f| !matches!(f, Found::Short(_)));
    }
    let taken = take.of(&found);
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
    if take == Take::Last && !settled && !taken.iter().any(right) && found.iter().any(right) {
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

impl Date {
    fn new(year: i64, month: u32, day: u32) -> Option<Self> {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let last = match month {
            2 => 28 + u32::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        ((1..=9999).contains(&year) && (1..=last).contains(&day)).then_some(Date { year, month, day })
    }

    /// Days since 1 March of year 0.
    fn number(self) -> i64 {
        let month = i64::from(self.month);
        let (year, month) = if month > 2 { (self.year, month - 3) } else { (self.year - 1, month + 9) };
        365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + i64::from(self.day)
    }

    fn text(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// Whether a word names another day of the week.
    fn contradicts(self, word: &str) -> bool {
        const DAYS: [&str; 7] = ["tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "monday"];
        let lower = word.to_lowercase();
        let short = matches!(lower.len(), 3..=5);
        let day = DAYS.iter().position(|d| *d == lower || short && d.starts_with(&*lower));
        // Day 1 was a Wednesday.
        day.is_some_and(|day| day as i64 != self.number().rem_euclid(7))
    }
}

/// The date of the box, or the first behind the words that announce the answer, with those that belong to it.
fn announced(text: &str, order: Order) -> Option<Vec<Seen>> {
    let part = boxed(text).map(|(_, inner)| inner).or_else(|| announcement(text))?;
    // A long line has no announced date.
    let line = part.lines().next().filter(|line| line.len() < 1_000)?;
    let mut all = seen(line, order)?;
    let first = all.iter().position(|s| s.link != Link::Not)?;
    let more = all[first + 1..].iter().take_while(|s| s.link == Link::Or).count();
    all.truncate(first + 1 + more);
    let behind = &part[part.len().min(line.len())..];
    turn(line).or(turn(behind)).is_none().then_some(all)
}

/// Whether a text names a day from the day on which it is said: tomorrow, next Friday, in two days.
fn relative(text: &str) -> bool {
    const WORDS: [&str; 14] = [
        "today", "tomorrow", "yesterday", "tonight", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "days", "weeks", "months",
    ];
    text.len() < 200 && text.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|w| WORDS.contains(&w))
}

/// A date as it stands in a text.
#[derive(Clone, Copy)]
struct Seen {
    date: Found,
    /// How it is linked to the one before.
    link: Link,
    /// What makes another time of it: before, about, BC.
    beside: Option<&'static str>,
}

/// The dates in a text: 2024-05-03, 2024/5/3, 3.5.2024, 5/3/2024, 3 May 2024, May 3, 2024,
/// 2024年5月3日. Nothing if the text is too long.
fn seen(text: &str, order: Order) -> Option<Vec<Seen>> {
    let digits: String;
    let text = if text.is_ascii() {
        text
    } else {
        let mut plain = String::with_capacity(text.len());
        for c in text.chars() {
            // Names of months with their accents as characters of their own.
            let pair = PAIRS.iter().find(|p| p.1 == c && plain.ends_with(p.0));
            if pair.is_some() {
                plain.pop();
            }
            let c = if matches!(c, '\u{2010}'..='\u{2013}' | '\u{2212}') { '-' } else { c };
            plain.push(pair.map_or(digit(c).unwrap_or(c), |p| p.2));
        }
        digits = plain;
        &digits
    };
    let mut words: Vec<&str> = Vec::new();
    let mut last = ' ';
    let mut start = None;
    let class = |c: char| if c.is_ascii_digit() { 'd' } else if c.is_alphabetic() { 'a' } else { ' ' };
    for (at, c) in text.char_indices() {
        let kind = class(c);
        if kind != last {
            if let Some(from) = start.take() {
                words.push(&text[from..at]);
            }
        }
        match kind {
            ' ' => words.push(&text[at..at + c.len_utf8()]),
            _ if kind != last || start.is_none() => start = Some(at),
            _ => {}
        }
        last = kind;
        if words.len() > WORDS {
            return None;
        }
    }
    words.extend(start.map(|from| &text[from..]));
    let mut found: Vec<Seen> = Vec::new();
    let (mut at, mut last) = (0, 0);
    while at < words.len() {
        if !words[at].starts_with(char::is_alphanumeric) {
            at += 1;
            continue;
        }
        if let Some((first, second, link_between, end)) = pair(&words, at) {
            found.extend([(first, Link::Other), (second, link_between)].map(|(date, link)| Seen { date, link, beside: None }));
            (at, last) = (end, end);
            continue;
        }
        match numeric(&words, at, order).or_else(|| named(&words, at)).or_else(|| marked(&words, at)) {
            Some((date, end)) => {
                // The words before that say what it is: at most `cannot be on the`.
                let before = words[last.max(at.saturating_sub(12))..at].concat();
                let after = words[end..words.len().min(end + 12)].concat();
                let between = found.last().is_some_and(|s| s.beside == Some("between")) && before.trim() == "and";
                let range = between || !before.contains('\n') && matches!(before.trim(), "-" | "/");
                let link = if range { Link::Or } else { link(&before) };
                let denied = || doubted(&before) || words_before(before.chars().rev()).iter().take(3).any(|w| negative(w));
                let weekday = |d: Date| {
                    let last = before.trim_end_matches([' ', ',', '.', '*', '(']).rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or("");
                    let next = after.trim_start_matches([' ', ',', '(', '*']).split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
                    d.contradicts(last) || d.contradicts(next)
                };
                let mut beside = beside(&before, &after);
                if let (None, Found::One(d)) = (beside, date) {
                    let denied = link == Link::Other && before.len() > 1 && denied();
                    beside = if weekday(d) { Some("another day of the week") } else { denied.then_some("not") };
                }
                found.push(Seen { date, link, beside });
                (at, last) = (end, end);
            }
            None => at += 1,
        }
    }
    Some(found)
}

fn number(words: &[&str], at: usize, digits: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let word = words.get(at)?;
    (digits.contains(&word.len()) && word.bytes().all(|c| c.is_ascii_digit())).then(|| word.parse().ok())?
}

/// Three numbers between equal separators, or 20240503.
fn numeric(words: &[&str], at: usize, order: Order) -> Option<(Found, usize)> {
    if let Some(n) = number(words, at, 8..=8).filter(|n| (1900..2100).contains(&(n / 10_000))) {
        return Some((Found::One(Date::new((n / 10_000).into(), n / 100 % 100, n % 100)?), at + 1));
    }
    let separator = *words.get(at + 1)?;
    let before = |n: usize| at.checked_sub(n).map_or("", |i| words[i]);
    let starts = |word: &str| word.starts_with(|c: char| c.is_alphanumeric());
    // A full stop may end the sentence before.
    let joined = starts(before(1)) || before(1) == separator && (separator != "." || starts(before(2)));
    // 31. 12. 1999
    let space = |i: usize| i + usize::from(separator == "." && matches!(words.get(i), Some(&" " | &"\u{a0}")));
    let second = space(at + 2);
    let last = space(second + 2);
    if !matches!(separator, "-" | "/" | ".") || words.get(second + 1) != Some(&separator) || joined {
        return None;
    }
    let middle = number(words, second, 1..=2)?;
    let end = last + 1;
    // A time may follow: T12:00.
    if words.get(end).is_some_and(|w| w.starts_with(|c: char| c.is_alphabetic()) && !w.eq_ignore_ascii_case("t")) {
        return None;
    }
    if let (Some(year), Some(day)) = (number(words, at, 4..=4), number(words, last, 1..=2)) {
        return Some((Found::One(Date::new(year.into(), middle, day)?), end));
    }
    let first = number(words, at, 1..=2)?;
    if let Some(year) = number(words, last, 2..=2).filter(|_| words.get(end) != Some(&separator)) {
        let date = |century: u32, month, day| Date::new((century + year).into(), month, day);
        let all = [date(2000, middle, first), date(2000, first, middle), date(1900, middle, first), date(1900, first, middle)];
        return all.iter().any(Option::is_some).then_some((Found::Short(all), end));
    }
    let year = i64::from(number(words, last, 4..=4)?);
    let by_day = Date::new(year, middle, first);
    let by_month = Date::new(year, first, middle);
    let found = match (order, by_day, by_month) {
        (Order::Day, Some(d), _) | (Order::Month, _, Some(d)) => Found::One(d),
        (Order::Unknown, Some(a), Some(b)) if a != b && separator != "." => Found::Two(a, b),
        // Only one reading is a date.
        (_, Some(d), _) | (_, None, Some(d)) => Found::One(d),
        (_, None, None) => return None,
    };
    Some((found, end))
}

/// A date of East Asia: 2024年5月3日, 2024년 5월 3일.
fn marked(words: &[&str], at: usize) -> Option<(Found, usize)> {
    let mut i = at;
    let mut part = |digits, marks: [char; 3]| {
        let n = number(words, i, digits)?;
        i += 1 + usize::from(words.get(i + 1) == Some(&" "));
        words.get(i)?.starts_with(marks).then_some(())?;
        i += 1;
        while words.get(i) == Some(&" ") {
            i += 1;
        }
        Some(n)
    };
    let (year, month) = (part(4..=4, ['年', '년', '年'])?, part(1..=2, ['月', '월', '月'])?);
    let day = part(1..=2, ['日', '일', '号'])?;
    Some((Found::One(Date::new(year.into(), month, day)?), i))
}

/// What makes another time of a date than its day: the word before it (`before`, `about`, `since`) or after it
/// (`or later`, `BC`).
fn beside(before: &str, after: &str) -> Option<&'static str> {
    const BEFORE: [&str; 57] = [
        "before", "after", "earlier than", "later than", "by", "around", "about", "circa", "ca.", "c.", "approximately", "roughly", "since", "until", "till", "prior to", "up to", "through",
        "between", "as early as", "days from", "weeks from", "as late as", "near", "close to", "almost", "nearly", "toward", "towards", "week of", "days of", "eve of", "on or about", "≤", "≥", "<", ">", "~", "≈", "vor",
        "nach", "bis", "ab", "seit", "um", "gegen", "avant", "après", "depuis", "vers", "antes", "después", "desde", "hasta", "jusqu'au", "at least", "or on",
    ];
    const AFTER: [&str; 31] = [
        "bce", "bc", "b.c", "or later", "or earlier", "or so", "or thereabouts", "or after", "or before", "at the latest", "at the earliest", "onward", "and later", "and after", "minus", "plus", "±",
        "+", "?", "(approx", "(estimated", "(circa", "(julian", "(old style", "(o.s", "is wrong", "is incorrect", "is not", "isn't", "was not", "ah",
    ];
    let lower = before.to_lowercase();
    let mark = |c: char| matches!(c, ' ' | '\u{a0}' | '*' | ',' | '_' | '`');
    let mut rest = lower.trim_end_matches(mark);
    for article in [" the", " dem", " den", " zum", " zur", " der", " le", " el", " la", " del", " de", " du", " au"] {
        rest = rest.strip_suffix(article).unwrap_or(rest);
    }
    let rest = rest.trim_end_matches(mark);
    let begins = |w: &&&str| rest.strip_suffix(**w).is_some_and(|l| !l.ends_with(char::is_alphanumeric) || !w.starts_with(char::is_alphanumeric));
    // Tags and arrows: <b>, ->.
    let tag = rest.ends_with('>') && (rest.contains('<') || rest.ends_with("->") || rest.ends_with("=>") || before.starts_with('>'));
    let lower = after.to_lowercase();
    let next = lower.trim_start_matches(mark);
    let ends = |w: &&&str| next.strip_prefix(**w).is_some_and(|l| !l.starts_with(char::is_alphabetic) || matches!(**w, "onward" | "(approx") || w.starts_with('('));
    // May 3 to May 5, 2024
    if rest.strip_suffix(" to").is_some_and(|r| r.ends_with(|c: char| c.is_ascii_digit())) {
        return Some("to");
    }
    // Between 1 May and 3 May 2024
    if rest.ends_with(" and") && rest.contains("between ") {
        return Some("between");
    }
    BEFORE.iter().filter(|_| !tag).find(begins).or_else(|| AFTER.iter().find(ends)).copied()
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

/// Two days of a month: 3 or 5 May 2024, May 3-5, 2024.
fn pair(words: &[&str], at: usize) -> Option<(Found, Found, Link, usize)> {
    let space = |i: usize| i + usize::from(matches!(words.get(i), Some(&" " | &"\u{a0}")));
    let suffixed = |i: usize| i + usize::from(matches!(words.get(i), Some(&"th" | &"st" | &"nd" | &"rd" | &".")));
    let first = if words[at].starts_with(char::is_alphabetic) { space(suffixed(at + 1)) } else { at };
    number(words, first, 1..=2)?;
    let mark = space(suffixed(first + 1));
    let link = match *words.get(mark)? {
        "or" | "to" | "-" | "\u{2013}" | "bis" | "oder" | "and" | "&" | "und" | "et" | "y" => Link::Or,
        _ => return None,
    };
    let second = space(mark + 1);
    number(words, second, 1..=2)?;
    let rest = &words[second + 1..words.len().min(second + 12)];
    let date = |day: usize| named(&[&words[at..first], &[words[day]], rest].concat(), 0);
    let ((a, _), (b, end)) = (date(first)?, date(second)?);
    Some((a, b, link, second + end - (first - at)))
}

/// A month by its name, with a day and a year around it.
fn named(words: &[&str], at: usize) -> Option<(Found, usize)> {
    let month = |i: usize| {
        let word = words.get(i)?.to_lowercase();
        let short = word.len() == 3 || word == "sept";
        let index = MONTHS.iter().position(|m| m.contains(&&*word) || (short && m[0].starts_with(&word)))?;
        Some(index as u32 + 1)
    };
    // Skips one of the words, spaces and commas that may stand between the parts.
    let skip = |mut i: usize| {
        for _ in 0..5 {
            let between = [" ", ",", ".", "/", "of", "the", "\u{a0}", "-", "th", "st", "nd", "rd", "de", "del", "º", "er"];
            if !words.get(i).is_some_and(|w| w.len() < 4 && between.contains(w)) {
                break;
            }
            i += 1;
        }
        i
    };
    if let Some(year) = number(words, at, 4..=4) {
        let next = skip(at + 1);
        let last = skip(next + 1);
        return Some((Found::One(Date::new(year.into(), month(next)?, number(words, last, 1..=2)?)?), last + 1));
    }
    let (m, day, mut end);
    let next = skip(at + 1);
    // A number is quicker to tell than a month.
    if let Some(first) = number(words, at, 1..=2) {
        (m, day, end) = (month(next)?, first, next + 1);
    } else {
        day = number(words, next, 1..=2)?;
        (m, end) = (month(at)?, next + 1);
    }
    end = skip(end);
    let year = number(words, end, 4..=4)?;
    Some((Found::One(Date::new(year.into(), m, day)?), end + 1))
}
