//! `pii`: personal data in the output, by patterns with check digits.

use crate::{output, show};
use rubric_host_sdk::{Answer, Error, Object, Request, Result};
use rubric_host_text::{digit, one_if, or_answer};
use std::borrow::Cow;

const KINDS: [&str; 6] = ["email", "phone", "credit_card", "iban", "us_ssn", "ip"];

pub fn pii(request: &Request) -> Result<Answer> {
    let config = request.config();
    let kinds = config.texts("kinds")?.unwrap_or_else(|| KINDS.to_vec());
    if kinds.is_empty() {
        return Err("config kinds is an empty list: name what to look for, or leave it out".into());
    }
    if let Some(other) = kinds.iter().find(|k| !KINDS.contains(k)) {
        return Err(Error::new(format!("unknown kind \"{other}\": use {}", KINDS.join(", "))));
    }
    let text = or_answer!(output(request)?);
    let folded = Folded::new(text);
    let plain = folded.text.as_ref();
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    if kinds.contains(&"iban") {
        found.extend(ibans(plain).into_iter().map(|(from, to)| (from, to, "iban")));
    }
    let taken = found.clone();
    let mut before = taken.iter().peekable();
    // The shortest is an address: 1.1.1.1
    for (from, to) in candidates(plain).into_iter().filter(|(from, to)| to - from > 6) {
        while before.next_if(|place| place.1 <= from).is_some() {}
        if before.peek().is_none_or(|place| to <= place.0) {
            parts(plain, from, to, &kinds, &mut found);
        }
    }
    if kinds.contains(&"ip") {
        found.extend(ipv6(plain).into_iter().map(|(from, to)| (from, to, "ip")));
    }
    if kinds.contains(&"email") {
        found.extend(emails(plain).into_iter().map(|(from, to)| (from, to, "email")));
    }
    for place in &mut found {
        (place.0, place.1) = (folded.place(place.0), folded.place(place.1));
    }
    // ١.٢.٣.٤ is a section: addresses are written in plain digits everywhere.
    found.retain(|f| f.2 != "ip" || text[f.0..f.1].chars().all(|c| c.is_ascii() || c >= '\u{ff0e}'));
    found.sort_unstable();
    let mut details = Object::new();
    for name in KINDS {
        details.int(name, found.iter().filter(|f| f.2 == name).count() as u64);
    }
    let places: Vec<_> = found.iter().map(|f| (f.0, f.1)).collect();
    Ok(show(Answer::score(one_if(found.is_empty())).details(details), text, &places))
}

/// A text with plain digits, spaces and hyphens in place of their kin.
struct Folded<'t> {
    text: Cow<'t, str>,
    /// Where in the original each byte of the text is, and its end; none if they are the same.
    places: Vec<u32>,
}

impl<'t> Folded<'t> {
    fn new(text: &'t str) -> Self {
        if text.is_ascii() {
            return Folded { text: Cow::Borrowed(text), places: Vec::new() };
        }
        let (mut folded, mut places) = (String::with_capacity(text.len()), Vec::with_capacity(text.len() + 1));
        for (at, c) in text.char_indices() {
            folded.push(match c {
                '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => ' ',
                '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ff0d}' => '-',
                '\u{ff0b}' => '+',
                '\u{ff20}' => '@',
                '\u{ff0e}' => '.',
                c => digit(c).unwrap_or(c),
            });
            places.resize(folded.len(), at as u32);
        }
        places.push(text.len() as u32);
        Folded { text: Cow::Owned(folded), places }
    }

    fn place(&self, at: usize) -> usize {
        self.places.get(at).map_or(at, |p| *p as usize)
    }
}

/// Ends of file names that are not top-level domains: `icon@2x.png` is not an address.
const FILES: [&str; 12] = ["png", "jpg", "jpeg", "gif", "svg", "webp", "bmp", "tiff", "ico", "pdf", "css", "html"];

/// Addresses: local part, @, domain with a top level of letters. No user of a URL or of a
/// repository: `ssh://git@host`, `git@host:path`.
fn emails(text: &str) -> Vec<(usize, usize)> {
    let local = |c: char| c.is_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c);
    let domain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-');
    let mut found = Vec::new();
    let mut last = 0;
    for (at, _) in text.match_indices('@') {
        let before = &text[last..at];
        // A local part has at most 64 characters, a domain 255.
        let from = match before.strip_suffix('"') {
            Some(inner) => inner.char_indices().rev().take(64).take_while(|(_, c)| *c != '\n').find(|(_, c)| *c == '"').map(|(i, _)| i),
            None => before.char_indices().rev().take(64).take_while(|(_, c)| local(*c)).last().map(|(i, _)| i),
        };
        let to = text[at + 1..].char_indices().take(255).take_while(|(_, c)| domain(*c)).last();
        let (Some(from), Some((to, c))) = (from, to) else { continue };
        let name = text[at + 1..at + 1 + to + c.len_utf8()].trim_end_matches(['.', '-']);
        let whole = before[from..].trim_start_matches(['.', '\'', '`', '*', '_', '{', '|', '/', '=']);
        let top = name.rsplit('.').next().unwrap_or("");
        if whole.is_empty() || !name.contains('.') || top.chars().count() < 2 || !top.chars().all(char::is_alphabetic) {
            continue;
        }
        let end = at + 1 + name.len();
        let path = text[end..].strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '~')));
        if path || before[from..].starts_with("//") || FILES.iter().any(|f| top.eq_ignore_ascii_case(f)) {
            continue;
        }
        last = end;
        found.push((at - whole.len(), last));
    }
    found
}

/// The lengths of IBANs by country: the registry of SWIFT.
const IBANS: &str = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30";

/// IBANs in either case, with a space or hyphen between any two: of the length of their
/// country, and 1 modulo 97.
fn ibans(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at + 4 < bytes.len() {
        let start = bytes[at..at + 2].iter().all(u8::is_ascii_alphabetic) && bytes[at + 2..at + 4].iter().all(u8::is_ascii_digit);
        let joined = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] >= 0x80);
        match if start && !joined { iban(bytes, at) } else { None } {
            Some(end) => {
                found.push((at, end));
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// The end of the IBAN that starts at a place.
fn iban(bytes: &[u8], at: usize) -> Option<usize> {
    let country = [bytes[at].to_ascii_uppercase(), bytes[at + 1].to_ascii_uppercase()];
    let length = IBANS.as_bytes().chunks_exact(4).find(|c| c[..2] == country).map(|c| usize::from((c[2] - b'0') * 10 + c[3] - b'0'))?;
    let mut plain = Vec::with_capacity(length);
    let mut end = at;
    while plain.len() < length {
        let c = *bytes.get(end)?;
        if c.is_ascii_alphanumeric() {
            plain.push(c.to_ascii_uppercase());
        } else if !matches!(c, b' ' | b'-') || !bytes[end - 1].is_ascii_alphanumeric() {
            return None;
        }
        end += 1;
    }
    let rest = plain[4..].iter().chain(&plain[..4]).fold(0u32, |rest, c| match c {
        b'0'..=b'9' => (rest * 10 + u32::from(c - b'0')) % 97,
        c => (rest * 100 + u32::from(c - b'A') + 10) % 97,
    });
    let joined = bytes.get(end).is_some_and(|c| c.is_ascii_alphanumeric() || *c >= 0x80);
    (rest == 1 && !joined).then_some(end)
}

/// Whether a letter or digit beside a number makes it part of a word: not in scripts without spaces.
fn joins(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, '\u{e00}'..='\u{fff}' | '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// Stretches of digits with separators between them.
fn candidates(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let number = || bytes[at + 1..].iter().take(6).take_while(|c| c.is_ascii_digit()).count();
        let starts = match bytes[at] {
            b'+' => number() > 0,
            b'(' => (1..=5).contains(&number()) && bytes.get(at + 1 + number()) == Some(&b')'),
            c => c.is_ascii_digit(),
        };
        if !starts || text[..at].chars().next_back().is_some_and(|c| joins(c) || matches!(c, '_' | '.')) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while let Some(&c) = bytes.get(end) {
            let next = bytes.get(end + 1).copied().unwrap_or(0);
            let separates = match c {
                b' ' | b'-' => next.is_ascii_digit() || next == b'(',
                b'.' | b'(' => next.is_ascii_digit(),
                b')' => matches!(next, b' ' | b'-') || next.is_ascii_digit(),
                _ => false,
            };
            if let Some(next) = area(bytes, at, end) {
                end = next;
                continue;
            }
            if !c.is_ascii_digit() && !separates {
                break;
            }
            end += 1;
        }
        end -= usize::from(bytes[end - 1] == b')');
        // 045-22-1234-A
        let goes_on = text[end..].strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        if !goes_on && !text[end..].chars().next().is_some_and(|c| joins(c) || c == '_') {
            found.push((at, end));
        }
        at = end;
    }
    found
}

/// Where a number continues behind an area code and a slash: 0170/1234567, 089 / 1234567.
fn area(bytes: &[u8], at: usize, end: usize) -> Option<usize> {
    let code = &bytes[at..end];
    let from = ["/", " / ", " /", "/ "].iter().find_map(|mark| bytes[end..].starts_with(mark.as_bytes()).then_some(end + mark.len()))?;
    let trunk = (3..=5).contains(&code.len()) && code.iter().all(u8::is_ascii_digit) && code[0] == b'0' && code[1] != b'0';
    let rest = bytes[from..].iter().take_while(|c| c.is_ascii_digit()).count();
    (trunk && rest > 1).then_some(from)
}

/// The most cuts of a stretch, at each start, that are tried, and the most bytes of a part.
const CUTS: usize = 6;
const PART: usize = 26;

/// What a stretch of digits is as a whole, else what its parts between cuts are, the longest first: a number may
/// follow another one (`415-555-2671 24/7`, `10.0.0.1-10.0.0.9`). A part with spaces alone between its digits
/// is a card's at the start or nothing: three numbers of a table are not a phone number.
fn parts<'k>(text: &str, mut from: usize, to: usize, kinds: &[&'k str], found: &mut Vec<(usize, usize, &'k str)>) {
    let bytes = text.as_bytes();
    let cuts: Vec<usize> = (from..to).filter(|i| matches!(bytes[*i], b' ' | b'-')).chain([to]).collect();
    let whole = (from, to);
    let versions = text[from..to].contains('.') && versioned(&text[..from]);
    let mut first = 0;
    while first < cuts.len() {
        // Behind the start, a part has a space only with other signs.
        let signs = || bytes[from..to.min(from + PART)].iter().any(|c| matches!(c, b'-' | b'(' | b'+'));
        let most = if from == whole.0 || signs() { CUTS } else { 1 };
        let some = &cuts[first..cuts.len().min(first + most)];
        let ends = if first == 0 && *some.last().unwrap_or(&to) != to { Some(to) } else { None };
        let read = ends.into_iter().chain(some.iter().rev().copied()).find_map(|end| {
            // A part of a stretch of hyphens is not a part by itself.
            let cut = |at: usize| bytes[at] == b' ' || text[from..end].contains('.');
            let apart = || (from == whole.0 || cut(from - 1)) && (end == to || cut(end));
            let bare = || {
                let part = &bytes[from..end];
                part.contains(&b' ') && !part.iter().any(|c| matches!(c, b'-' | b'(' | b'+') || *c == b'.' && from == whole.0)
            };
            if (from, end) != whole && (end - from > PART || end - from < 7 || from > whole.0 && bare() || !apart()) {
                return None;
            }
            let kind = kind(&text[..from], &text[from..end], &text[end..], versions, kinds)?;
            let right = (from, end) == whole || !bare() || kind == "credit_card";
            right.then_some((end, kind))
        });
        let end = match read {
            Some((end, kind)) => {
                found.push((from, end, kind));
                end
            }
            None => cuts[first],
        };
        first = cuts.partition_point(|cut| *cut <= end);
        from = end + 1;
    }
}

/// What a part of a stretch is, by what stands around it, too. `versions`: whether a word stands before the stretch that versions follow.
fn kind<'k>(before: &str, part: &str, after: &str, versions: bool, kinds: &[&'k str]) -> Option<&'k str> {
    kinds.iter().copied().find(|kind| match *kind {
        "credit_card" => card(part),
        "us_ssn" => ssn(part),
        "ip" => !versions && ip(part),
        _ => false,
    }).or_else(|| kinds.iter().copied().find(|kind| *kind == "phone" && (phone(part) || national(part) && (named(before) && !after.starts_with(COUNTED) || described(after)))))
}

fn digits(text: &str) -> Vec<u32> {
    text.bytes().filter(u8::is_ascii_digit).map(|c| u32::from(c - b'0')).collect()
}

/// Whether a network has cards that start so, of this many digits: Visa, Mastercard, Mir, American Express, Diners, JCB; Maestro,
/// Discover and UnionPay.
fn network(list: &[u32]) -> bool {
    let first = list[..4].iter().fold(0, |n, d| n * 10 + d);
    match first {
        4000..=4999 => matches!(list.len(), 13 | 16 | 19),
        2200..=2204 | 2221..=2720 | 3528..=3589 | 5100..=5599 => list.len() == 16,
        3400..=3499 | 3700..=3799 => list.len() == 15,
        3000..=3059 | 3600..=3699 | 3800..=3999 => (14..=19).contains(&list.len()),
        5000..=5099 | 5600..=6999 => (13..=19).contains(&list.len()),
        _ => false,
    }
}

/// 13 to 19 digits of a network with Luhn's check digit, in groups of four, in those of American Express, or in one.
fn card(text: &str) -> bool {
    let list = digits(text);
    let groups: Vec<usize> = text.split([' ', '-', '.']).map(str::len).collect();
    let plain = match &groups[..] {
        [_] | [4, 6, 4 | 5] => true,
        [all @ .., last] => all.iter().all(|g| *g == 4) && (1..=4).contains(last) && (!text.contains('.') || groups == [4; 4]),
        [] => false,
    };
    let sum: u32 = list.iter().rev().enumerate().map(|(i, d)| if i % 2 == 0 { *d } else { (d * 2) % 10 + d / 5 }).sum();
    plain && text.bytes().all(|c| c.is_ascii_digit() || matches!(c, b' ' | b'-' | b'.')) && list.len() > 12 && network(&list) && sum % 10 == 0
}

/// AAA-GG-SSSS, or with spaces, none of them zero, the area below 900 and not 666.
fn ssn(text: &str) -> bool {
    let b = text.as_bytes();
    let form = b.len() == 11 && b.iter().enumerate().all(|(i, c)| match i {
        3 | 6 => *c == b[3] && matches!(c, b'-' | b' '),
        _ => c.is_ascii_digit(),
    });
    form && !matches!(&text[..3], "000" | "666") && b[0] != b'9' && &text[4..6] != "00" && &text[7..] != "0000"
}

/// Whether a text ends with a word that a version follows.
fn versioned(text: &str) -> bool {
    const WORDS: [&str; 17] = ["section", "chapter", "figure", "fig", "table", "version", "versions", "ver", "v", "release", "build", "revision", "firmware", "python", "chrome", "java", "oid"];
    // Chrome/120.0.0.0
    if text.strip_suffix('/').is_some_and(|name| name.ends_with(|c: char| c.is_ascii_alphabetic())) {
        return true;
    }
    let text = text.trim_end_matches(['.', ' ', '-', '=', '@', '~', '^', '>', '<']);
    let start = text.rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |i| i + text[i..].chars().next().map_or(1, char::len_utf8));
    WORDS.iter().any(|w| text[start..].eq_ignore_ascii_case(w))
}

/// Four numbers up to 255, none with a leading zero; not the machine itself, nor a mask.
fn ip(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    parts.len() == 4
        && !matches!(parts[0], "0" | "127" | "255")
        && parts.iter().all(|p| p.parse::<u8>().is_ok() && p.bytes().all(|c| c.is_ascii_digit()) && (*p == "0" || !p.starts_with('0')))
}

/// A number of another form: 9 to 12 digits that are neither a date nor a decimal.
fn national(text: &str) -> bool {
    let mut groups = text.split(|c: char| !c.is_ascii_digit()).filter(|g| !g.is_empty());
    let first = groups.next().map_or("", |g| g);
    let dated = first.len() == 4 && matches!(&first[..2], "19" | "20") && groups.next().is_none_or(|g| g.len() <= 2);
    !dated && (9..=12).contains(&digits(text).len())
}

/// Words for a phone, behind which such a number is one.
const PHONES: [&str; 60] = [
    "phone", "tel", "telephone", "call", "mobile", "mob", "cell", "cellphone", "hotline", "fax", "text", "whatsapp", "dial", "sms", "telefon", "handy", "mobil", "anruf", "ruf",
    "téléphone", "tél", "portable", "appelez", "appeler", "teléfono", "telefono", "móvil", "celular", "telefone", "cellulare", "telefoon", "телефон", "тел", "звоните",
    "电话", "手机", "電話", "携帯", "전화", "휴대폰", "โทร", "โทรศัพท", "هاتف", "الهاتف", "جوال", "موبايل", "تلفن", "موبایل", "फोन", "फ़ोन", "मोबाइल", "טלפון", "נייד", "τηλ", "τηλέφωνο", "κινητό",
    "đt", "sđt", "puhelin", "tlf",
];

/// What is counted by the number that it stands behind, without a space: 휴대폰 301234567대.
const COUNTED: [char; 12] = ['대', '명', '개', '원', '台', '部', '人', '个', '個', '元', '円', '万'];

/// Whether a text ends with a word for a phone, but for short words: `call me at`, `phone number is`, `Appelez-moi au`.
fn named(text: &str) -> bool {
    let from = (0..=text.len().saturating_sub(40)).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    // Vietnamese: thoại alone is talk.
    let lower = text[from..].to_lowercase().replace("điện thoại", "đt");
    // Nukta and virama are parts of words in Devanagari.
    let mut words = lower.rsplit(|c: char| !c.is_alphanumeric() && !matches!(c, '\u{93c}' | '\u{94d}')).filter(|w| !w.is_empty()).take(5);
    // 联系电话是, ติดต่อโทร: no spaces are around the word; โทรทัศน์ is another one.
    let known = |w: &str| PHONES.iter().any(|p| w == *p || *p >= "\u{e00}" && w.ends_with(p) || *p >= "\u{2e80}" && w.contains(p));
    // Four letters, or three of Hangul or Devanagari.
    let short = |w: &str| w.chars().count() <= 4 && w.len() <= 9 && !w.starts_with(|c: char| c.is_ascii_digit());
    let passed = |w: &str| short(w) || matches!(w, "number" | "nummer" | "numéro" | "número" | "numero" | "नंबर");
    words.find(|w| known(w) || !passed(w)).is_some_and(known)
}

/// Whether a text starts with what says that a number is a phone's: ` (mobile)`, ` is my phone number`, ` ist meine Handynummer`.
fn described(text: &str) -> bool {
    // Words for what one does with a phone may be another's.
    const OTHERS: [&str; 9] = ["call", "cell", "text", "dial", "sms", "fax", "ruf", "anruf", "portable"];
    let clause = text.split([',', '.', ';', ':', '\n', '?', '!']).next().unwrap_or("");
    let Some(rest) = [" (", " [", " - ", " \u{2013} ", " \u{2014} ", "\u{ff08}", " is ", " ist ", " est ", " es ", " \u{e8} ", " \u{e9} "].iter().find_map(|w| clause.strip_prefix(w)) else { return false };
    let mut words = rest.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).take(4);
    let known = |w: &String| PHONES.iter().any(|p| !OTHERS.contains(p) && (w == p || p.len() > 4 && w.starts_with(p)));
    words.find(|w| known(w) || w.chars().count() > 5).is_some_and(|w| known(&w))
}

/// A number with the 0 before an area code or the 00 before a country's: `0800 123 4567`, `0170/1234567`, `03-1234-5678`,
/// `0049 170 1234567`. Of `06 12 34 56 78` only a word tells that it is one.
fn trunk(text: &str) -> bool {
    let groups: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).filter(|g| !g.is_empty()).collect();
    let (Some((first, rest)), false) = (groups.split_first(), text.contains('.')) else { return false };
    let (slash, total) = (text.contains('/'), groups.iter().map(|g| g.len()).sum::<usize>());
    // Numbers of an index are all written with zeros, or in groups of one length.
    let index = rest.iter().all(|g| g.starts_with('0')) || rest.len() > 1 && rest.iter().all(|g| g.len() == first.len());
    let parted = (1..=if slash { 5 } else { 3 }).contains(&rest.len()) && (slash || rest[0].len() > 2);
    let lengths = || groups.iter().map(|g| g.len()).eq([2, 4, 4]);
    let two = !text.contains(' ') || text.starts_with('(') || lengths();
    let (code, most) = match first.strip_prefix("00") {
        Some(country) => return (2..=3).contains(&country.len()) && !country.starts_with('0') && !index && (11..=15).contains(&total),
        None => (first.starts_with('0') && (if two { 2 } else { 3 }..=5).contains(&first.len()), if rest.len() == 1 { 12 } else { 11 }),
    };
    code && !index && parted && (10..=most).contains(&total)
}

/// IPv6 addresses of four groups or more; not the machine itself.
fn ipv6(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    if text.bytes().filter(|c| *c == b':').count() < 3 {
        return found;
    }
    let mut at = 0;
    for token in text.split(|c: char| !(c.is_ascii_hexdigit() || matches!(c, ':' | '.'))) {
        let address = token.trim_end_matches(['.', ':']);
        let parts = address.split(':').filter(|p| !p.is_empty()).count();
        let joined = text[..at].ends_with(|c: char| c.is_alphanumeric()) || text[at + token.len()..].starts_with(|c: char| c.is_alphanumeric());
        if !joined && parts > 3 && address.len() < 40 && address.parse::<std::net::Ipv6Addr>().is_ok() {
            found.push((at, at + address.len()));
        }
        at += token.len() + text[at + token.len()..].chars().next().map_or(0, char::len_utf8);
    }
    found
}

/// An international number, or ten digits in groups of a North American one.
fn phone(text: &str) -> bool {
    let list = digits(text);
    if text.starts_with('+') {
        return (8..=15).contains(&list.len());
    }
    let groups: Vec<usize> = text.split(|c: char| !c.is_ascii_digit()).filter(|g| !g.is_empty()).map(str::len).collect();
    let form = groups == [3, 3, 4] || groups == [1, 3, 3, 4] && list[0] == 1;
    // 8 (495) 123-45-67
    if trunk(text) || groups.len() > 2 && groups[..2] == [1, 3] && text[1..].starts_with(" (") && list.len() == 11 {
        return true;
    }
    // No area code begins with 0 or 1, or is 200, 300 or 400.
    form && list[list.len() - 10] >= 2 && !matches!(list[list.len() - 10..][..3], [2..=4, 0, 0])
}
