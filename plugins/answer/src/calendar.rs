//! Dates as they stand in a text.

use rubric_host_text::{denied_before, digit, doubted, link, negative, words_before, Link};
use std::borrow::Cow;

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
/// Portuguese, Dutch, Russian, Polish, Czech, Turkish, Swedish, Danish, Norwegian,
/// Indonesian, Arabic and Hindi, where they differ.
pub const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "jänner", "janvier", "enero", "gennaio", "janeiro", "januari", "января", "январь", "stycznia", "ledna", "ocak", "يناير", "जनवरी"],
    &["february", "februar", "février", "febrero", "febbraio", "fevereiro", "februari", "февраля", "февраль", "lutego", "února", "şubat", "فبراير", "फरवरी", "फ़रवरी"],
    &["march", "märz", "mars", "marzo", "março", "maart", "марта", "март", "marca", "března", "mart", "marts", "maret", "مارس", "मार्च"],
    &["april", "avril", "abril", "aprile", "апреля", "апрель", "kwietnia", "dubna", "nisan", "أبريل", "إبريل", "अप्रैल"],
    &["may", "mai", "mayo", "maggio", "maio", "mei", "мая", "май", "maja", "května", "mayıs", "maj", "مايو", "मई"],
    &["june", "juni", "juin", "junio", "giugno", "junho", "июня", "июнь", "czerwca", "června", "haziran", "يونيو", "जून"],
    &["july", "juli", "juillet", "julio", "luglio", "julho", "июля", "июль", "lipca", "července", "temmuz", "يوليو", "जुलाई"],
    &["august", "août", "agosto", "augustus", "августа", "август", "sierpnia", "srpna", "ağustos", "augusti", "agustus", "أغسطس", "अगस्त"],
    &["september", "septembre", "septiembre", "setiembre", "settembre", "setembro", "сентября", "сентябрь", "września", "září", "eylül", "سبتمبر", "सितंबर", "सितम्बर"],
    &["october", "oktober", "octobre", "octubre", "ottobre", "outubro", "октября", "октябрь", "października", "října", "ekim", "أكتوبر", "अक्टूबर", "अक्तूबर"],
    &["november", "novembre", "noviembre", "novembro", "ноября", "ноябрь", "listopada", "listopadu", "kasım", "نوفمبر", "नवंबर", "नवम्बर"],
    &["december", "dezember", "décembre", "diciembre", "dicembre", "dezembro", "декабря", "декабрь", "grudnia", "prosince", "aralık", "desember", "ديسمبر", "दिसंबर", "दिसम्बर"],
];

/// Letters and marks that are one character in the names of months.
const PAIRS: [(char, char, char); 5] =
    [('a', '\u{308}', 'ä'), ('e', '\u{301}', 'é'), ('u', '\u{302}', 'û'), ('c', '\u{327}', 'ç'), ('и', '\u{306}', 'й')];

/// What stands between the first and the last day of a time.
const RANGES: [&str; 21] = [
    "-", "/", "~", "until", "till", "through", "bis", "bis zum", "au", "jusqu'au", "al", "hasta el", "a", "até", "até o dia", "fino al", "tot", "tot en met", "по", "do", "至",
];

/// The most words and marks of a text.
pub const WORDS: usize = 1_000_000;

/// The most dates of a text.
pub const DATES: usize = 20_000;

impl Date {
    pub fn new(year: i64, month: u32, day: u32) -> Option<Self> {
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
    pub fn number(self) -> i64 {
        let month = i64::from(self.month);
        let (year, month) = if month > 2 { (self.year, month - 3) } else { (self.year - 1, month + 9) };
        365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + i64::from(self.day)
    }

    pub fn text(self) -> String {
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

/// A date as it stands in a text.
#[derive(Clone, Copy)]
pub struct Seen {
    pub date: Found,
    /// How it is linked to the one before.
    pub link: Link,
    /// What makes another time of it: before, about, BC.
    pub beside: Option<&'static str>,
    /// Where it begins and ends, in bytes.
    pub span: (usize, usize),
}

/// The dates in a text: 2024-05-03, 2024/5/3, 3.5.2024, 5/3/2024, 3 May 2024, May 3, 2024,
/// 2024年5月3日. Nothing if the text has too many, or is too long.
pub fn seen(text: &str, order: Order) -> Option<Vec<Seen>> {
    seen_in(&simple(text), order)
}

/// The text with ASCII digits and hyphens, and with the accents of months in one character with their letters.
pub fn simple(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        text.into()
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
        plain.into()
    }
}

/// The dates in a simple text.
pub fn seen_in(text: &str, order: Order) -> Option<Vec<Seen>> {
    let mut words: Vec<&str> = Vec::new();
    let mut last = ' ';
    let mut start = None;
    // Signs of Devanagari between letters.
    let class = |c: char| if c.is_ascii_digit() { 'd' } else if c.is_alphabetic() || matches!(c, '\u{93c}' | '\u{94d}') { 'a' } else { ' ' };
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
    let place = |at: usize| words.get(at).map_or(text.len(), |w| w.as_ptr() as usize - text.as_ptr() as usize);
    while at < words.len() {
        if found.len() > DATES {
            return None;
        }
        // Nothing begins with 1,2.
        let listed = words.get(at + 1) == Some(&",") && words[at].starts_with(|c: char| c.is_ascii_digit()) && words.get(at + 2).is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()));
        if listed || !words[at].starts_with(char::is_alphanumeric) {
            at += 1;
            continue;
        }
        if let Some((first, second, link_between, end)) = pair(&words, at) {
            found.extend([(first, Link::Other), (second, link_between)].map(|(date, link)| Seen { date, link, beside: None, span: (place(at), place(end)) }));
            (at, last) = (end, end);
            continue;
        }
        match numeric(&words, at, order).or_else(|| named(&words, at)).or_else(|| marked(&words, at)).or_else(|| vietnamese(&words, at)) {
            Some((date, end)) => {
                // The words before that say what it is: at most `cannot be on the`.
                let before = words[last.max(at.saturating_sub(12))..at].concat();
                // With what is joined to the day: 3日まで.
                let joined = words[..end].iter().rfind(|w| **w != " ").and_then(|w| w.strip_prefix(['日', '일', '号'])).unwrap_or("");
                let space = if words[end - 1] == " " { " " } else { "" };
                let after = joined.to_string() + space + &words[end..words.len().min(end + 12)].concat();
                let between = found.last().is_some_and(|s| s.beside == Some("between")) && before.trim() == "and";
                let range = between || !found.is_empty() && !before.contains('\n') && RANGES.contains(&before.trim());
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
                found.push(Seen { date, link, beside, span: (place(at), place(end)) });
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

/// The eras of Japan, and the year before their first.
const ERAS: [(&str, i64); 5] = [("明治", 1867), ("大正", 1911), ("昭和", 1925), ("平成", 1988), ("令和", 2018)];

/// A date of East Asia: 2024年5月3日, 2024년 5월 3일, 令和6年5月3日, 平成元年1月8日.
fn marked(words: &[&str], at: usize) -> Option<(Found, usize)> {
    let mut i = at;
    let first = words[at].strip_suffix("元年");
    let era = ERAS.iter().find(|era| first.unwrap_or(words[at]).ends_with(era.0)).map(|era| era.1);
    i += usize::from(era.is_some());
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
    let year = match first.and(era) {
        Some(_) => 1,
        None => part(if era.is_some() { 1..=2 } else { 4..=4 }, ['年', '년', '年'])?,
    };
    let (month, day) = (part(1..=2, ['月', '월', '月'])?, part(1..=2, ['日', '일', '号'])?);
    Some((Found::One(Date::new(era.unwrap_or(0) + i64::from(year), month, day)?), i))
}

/// 2 tháng 9 năm 1945
fn vietnamese(words: &[&str], at: usize) -> Option<(Found, usize)> {
    let [day, " ", "tháng", " ", month, tail @ ..] = words.get(at..)? else { return None };
    let tail = tail.strip_prefix(&[","]).unwrap_or(tail);
    let tail = tail.strip_prefix(&[" ", "năm"]).unwrap_or(tail);
    let [" ", year, ..] = tail else { return None };
    let end = words.len() - tail.len() + 2;
    Some((Found::One(Date::new(number(&[year], 0, 4..=4)?.into(), number(&[month], 0, 1..=2)?, number(&[day], 0, 1..=2)?)?), end))
}

/// What makes another time of a date than its day: the word before it (`before`, `about`, `since`) or after it
/// (`or later`, `BC`).
fn beside(before: &str, after: &str) -> Option<&'static str> {
    const BEFORE: [&str; 87] = [
        "before", "after", "earlier than", "later than", "by", "around", "about", "circa", "ca.", "c.", "approximately", "roughly", "since", "until", "till", "prior to", "up to", "through",
        "between", "as early as", "days from", "weeks from", "as late as", "near", "close to", "almost", "nearly", "toward", "towards", "week of", "days of", "eve of", "on or about", "≤", "≥", "<", ">", "~", "≈", "vor",
        "nach", "bis", "ab", "seit", "um", "gegen", "avant", "après", "depuis", "vers", "antes", "después", "desde", "hasta", "jusqu'au", "at least", "or on", "as of", "except", "no", "non", "não", "nicht", "pas", "не", "不是",
        "до", "после", "около", "раньше", "позже", "с", "к", "по", "prima", "dopo", "entro", "fino", "dal", "depois", "até", "przed", "po", "قبل", "بعد", "منذ", "حتى",
    ];
    const AFTER: [&str; 50] = [
        "bce", "bc", "be", "b.c", "or later", "or earlier", "or so", "or thereabouts", "or after", "or before", "at the latest", "at the earliest", "onward", "and later", "and after", "minus", "plus", "±",
        "+", "?", "(approx", "(estimated", "(circa", "(julian", "(old style", "(o.s", "is wrong", "is incorrect", "is false", "is untrue", "is not", "isn't", "was not", "ah",
        "之前", "之后", "以前", "以后", "以降", "以後", "以来", "まで", "から", "前に", "頃", "ごろ", "이전", "이후", "까지", "부터",
    ];
    let lower = before.to_lowercase();
    let mark = |c: char| matches!(c, ' ' | '\u{a0}' | '*' | ',' | '_' | '`');
    let mut rest = lower.trim_end_matches(mark);
    for article in [" the", " dem", " den", " zum", " zur", " der", " le", " el", " la", " del", " de", " du", " au", " il", " al"] {
        rest = rest.strip_suffix(article).unwrap_or(rest);
    }
    let rest = rest.trim_end_matches(mark);
    let begins = |w: &&&str| rest.strip_suffix(**w).is_some_and(|l| !l.ends_with(char::is_alphanumeric) || !w.starts_with(char::is_alphanumeric));
    // Tags and arrows: <b>, ->.
    let tag = rest.ends_with('>') && (rest.contains('<') || rest.ends_with("->") || rest.ends_with("=>") || before.starts_with('>'));
    let lower = after.to_lowercase();
    let next = lower.trim_start_matches(mark);
    let labels = |w: &str, l: &str| w.starts_with('(') && l.starts_with(':'); // (Julian: 19 February)
    let ends = |w: &&&str| next.strip_prefix(**w).is_some_and(|l| !labels(w, l) && (!l.starts_with(char::is_alphabetic) || matches!(**w, "onward" | "(approx") || w.starts_with(|c| c == '(' || c >= '\u{3000}')));
    // May 3 to May 5, 2024
    if rest.strip_suffix(" to").is_some_and(|r| r.ends_with(|c: char| c.is_ascii_digit())) {
        return Some("to");
    }
    // Between 1 May and 3 May 2024
    if rest.ends_with(" and") && rest.contains("between ") {
        return Some("between");
    }
    BEFORE.iter().filter(|_| !tag).find(begins).or_else(|| AFTER.iter().find(ends)).copied().or_else(|| denied_before(&lower).then_some("not"))
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
        let word = words.get(i).filter(|w| w.starts_with(char::is_alphabetic))?.to_lowercase();
        let short = word.len() == 3 || word == "sept";
        let index = MONTHS.iter().position(|m| m.contains(&&*word) || (short && m[0].starts_with(&word)));
        // 3/abr/2022, in the language of one month only; not 3 out of 2022
        let mut abroad = MONTHS.iter().enumerate().filter(|(_, m)| m.iter().any(|n| n.as_bytes()[0] == word.as_bytes()[0] && n.starts_with(&*word)));
        let index = index.or_else(|| {
            let short = word.chars().count() == 3 && number(words, at, 1..=2).is_some() && words.get(i + 2) != Some(&"of");
            let (index, _) = if short { abroad.next()? } else { return None };
            abroad.next().is_none().then_some(index)
        })?;
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
