//! Letters of choices as they stand in a text.

use crate::choice::OPTIONS;
use rubric_host_text::{joins, ANSWERS};
use std::collections::BTreeSet;

/// Letters in a text that belong together: `B`, `(B)`, `A and C`.
pub struct Group {
    pub letters: BTreeSet<char>,
    pub from: usize,
    pub to: usize,
    /// They are joined by `or`.
    pub either: bool,
}

/// Whether a character is a letter of a choice.
pub type Valid<'v> = &'v dyn Fn(char) -> bool;

/// The text without emphasis, its full-width characters as ASCII.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '*' | '`' | '$' => {}
            '\u{ff01}'..='\u{ff5e}' => out.extend(char::from_u32(c as u32 - 0xfee0)),
            // Letters in circles, squares and mathematical alphabets.
            '\u{24b6}'..='\u{24cf}' => out.push((b'A' + (c as u32 - 0x24b6) as u8) as char),
            '\u{1f130}'..='\u{1f189}' if (c as u32 - 0x1f130) % 32 < 26 => out.push((b'A' + ((c as u32 - 0x1f130) % 32) as u8) as char),
            '\u{1d400}'..='\u{1d6a3}' if (c as u32 - 0x1d400) % 52 < 26 => out.push((b'A' + ((c as u32 - 0x1d400) % 52) as u8) as char),
            c => out.push(c),
        }
    }
    // What is struck out is withdrawn.
    if out.contains("~~") {
        let parts: Vec<&str> = out.split("~~").collect();
        let kept = |(i, _): &(usize, &&str)| i % 2 == 0 || i + 1 == parts.len();
        out = parts.iter().enumerate().filter(kept).map(|p| *p.1).collect::<Vec<_>>().join(" ");
    }
    if out.contains('\\') {
        out = ["\\text{", "\\textbf{", "\\mathrm{", "\\mathbf{"].iter().fold(out, |t, command| t.replace(command, "{"));
    }
    joined(out)
}

/// Words for or and and between two letters.
const BETWEEN: [(&str, &str); 25] = [
    (" or ", " or "),    (" oder ", " or "), (" ou ", " or "), (" o ", " or "), (" или ", " or "), (" lub ", " or "), (" nebo ", " or "), (" eller ", " or "), (" veya ", " or "), (" atau ", " or "),
    (" hoặc ", " or "), ("或者", " or "), ("或是", " or "), ("或", " or "), ("または", " or "), ("또는", " or "), (" und ", " and "), (" et ", " and "), (" y ", " and "),
    (" e ", " and "), (" и ", " and "), ("和", " and "), ("与", " and "), ("と", " and "), ("와", " and "),
];

/// A text with English words for those of other languages between two letters: `A oder B`, `A或B`.
pub fn joined(mut text: String) -> String {
    let letter = |c: Option<char>, next: Option<char>| c.is_some_and(|c| c.is_ascii_uppercase()) && !next.is_some_and(joins);
    for (word, english) in BETWEEN {
        let Some(mut at) = text.find(word) else { continue };
        let (mut out, mut rest) = (String::with_capacity(text.len()), text.as_str());
        loop {
            out.push_str(&rest[..at]);
            rest = &rest[at + word.len()..];
            let mut before = out.trim_end_matches([' ', ')', ']', '}', '.']).chars().rev();
            let mut after = rest.trim_start_matches([' ', '(', '[', '{']).chars();
            let between = letter(before.next(), before.clone().next()) && letter(after.next(), after.clone().next());
            // Since B und C do not fit; but: Antworten A und C.
            let head = out.trim_end_matches([' ', ')', ']', '}', '.']).strip_suffix(|c: char| c.is_ascii_uppercase()).unwrap_or("").trim_end_matches(['(', ' ']);
            let answers = ["ntworten", "éponses", "espuestas", "isposte", "espostas", "ntwoorden", "тветы"].iter().any(|w| head.ends_with(w));
            let between = between && (english == " or " || answers || !after.next().is_some_and(|c| c == ' '));
            // A) or B)
            if between && before.next() != Some('(') {
                out.truncate(out.trim_end_matches([' ', ')']).len());
            }
            out.push_str(if between { english } else { word });
            let Some(next) = rest.find(word) else { break };
            at = next;
        }
        text = out + rest;
    }
    text
}

/// The letters of choices in Russian, Arabic, Hindi and Japanese, and numbers in circles, in their order.
pub const ALPHABETS: [&str; 5] = ["АБВГДЕЖЗ", "أبجده", "कखगघङ", "アイウエオカキク", "①②③④⑤⑥⑦⑧⑨⑩"];

/// Roman numerals of choices.
pub const ROMAN: [&str; 10] = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"];

/// A text with letters for its Roman numerals, in capitals or not.
pub fn roman(text: &str, capitals: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(|c| !joins(c)) {
        let word = part.trim_end_matches(|c| !joins(c));
        let written = |n: &&str| if capitals { *n == word.to_ascii_lowercase() && !word.contains(|c: char| c.is_ascii_lowercase()) } else { *n == word };
        match ROMAN.iter().position(|n| written(&n)) {
            Some(place) => out.push(char::from(b'A' + place as u8)),
            None => out.push_str(word),
        }
        out.push_str(&part[word.len()..]);
    }
    out
}

/// A text with the Latin letters of the same places for those of an alphabet that stand alone, but for words: `В этом`.
pub fn latin(text: &str, alphabet: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let get = |i: usize| chars.get(i).copied().unwrap_or('.');
    let letter = |i: usize| {
        let c = chars[i];
        let place = alphabet.chars().position(|l| l == c).or_else(|| alphabet.to_lowercase().chars().position(|l| l == c).filter(|_| get(i + 1) == ')'))?;
        let first = chars[..i].iter().rev().find(|c| **c != ' ').is_none_or(|c| matches!(c, '.' | '!' | '?' | '\n'));
        let word = first && c.is_alphabetic() && get(i + 1) == ' ' && get(i + 2).is_lowercase();
        let beside = |c: char| joins(c) || ('\u{30a1}'..'\u{30fd}').contains(&c);
        let alone = !beside(get(i + 1)) && (i == 0 || !beside(chars[i - 1]));
        (alone && !word).then(|| char::from(b'A' + place as u8))
    };
    (0..chars.len()).map(|i| letter(i).unwrap_or(chars[i])).collect()
}

/// Whether a Cyrillic or Greek letter that looks like a Latin one stands alone, and is not a word of a sentence.
pub fn lookalike(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let get = |i: usize| chars.get(i).copied().unwrap_or('.');
    let ends = |i: usize| !joins(get(i)) && !(get(i) == ' ' && joins(get(i + 1)));
    (0..chars.len()).any(|i| matches!(get(i), 'А' | 'В' | 'С' | 'Е' | 'Α' | 'Β' | 'Ε') && (i == 0 || !joins(chars[i - 1])) && ends(i + 1))
}

/// Letters alone: `A`, `A, C`, `A and C`, `AC` in capitals; B of `(B) A and C`.
pub fn list(text: &str, valid: Valid) -> Option<BTreeSet<char>> {
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | '&' | ';' | '(' | ')' | '{' | '}' | '[' | ']' | '.' | '\u{3002}' | '\u{3001}');
    let (mut found, mut case) = (BTreeSet::new(), None);
    let (mut last, mut own, mut joined) = (0, false, false); // own: what follows the first letter is its text
    for part in text.split(separator).filter(|p| !p.is_empty()) {
        let from = part.as_ptr() as usize - text.as_ptr() as usize;
        let between = &text[last..from];
        last = from + part.len();
        if part.eq_ignore_ascii_case("and") {
            joined = true;
            continue;
        }
        let single = part.len() == 1;
        if part.len() > 26 {
            return None;
        }
        // II is not the letter I. B, i.e. the second
        let numeral = !single && (part.bytes().all(|c| b"IVX".contains(&c)) || part.bytes().any(|c| part.matches(char::from(c)).count() > 1));
        let small = part.starts_with(|c: char| c.is_ascii_lowercase());
        if numeral || *case.get_or_insert(small) != small || !part.chars().all(|c| valid(c) && (single || c.is_ascii_uppercase())) {
            return None;
        }
        let marks = [") ", "] ", "} ", ". "].iter().find(|m| between.starts_with(**m));
        own |= found.len() == 1 && !joined && match marks {
            Some(mark) => !between.contains([',', '&', ';', '/']) && !text[last..].starts_with(&mark[..1]),
            None => between == " (",
        };
        if !own {
            found.extend(part.chars().map(|c| c.to_ascii_uppercase()));
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Whether what follows a letter says that it is right: `A) incorrect`, `B: true`, `C ✗`; whether that
/// is not the text of an option, as true, false, yes and no may be; and where it ends.
pub fn label(chars: &[char], end: usize) -> Option<(bool, bool, usize)> {
    let mark = |c: &char| matches!(c, ' ' | ')' | ']' | ':' | '.' | '?' | '=' | '|' | '-' | '\u{2013}' | '\u{2014}' | '\u{2192}');
    let rest = &chars[end..];
    let rest = &rest[rest.iter().take(4).take_while(|c| mark(c)).count()..];
    let rest = rest.strip_prefix(&['i', 's', ' ']).unwrap_or(rest);
    let to = chars.len() - rest.len();
    match rest.first()? {
        '\u{2713}' | '\u{2714}' | '\u{2705}' | '\u{2611}' => return Some((true, true, to + 1)),
        '\u{2717}' | '\u{2718}' | '\u{274c}' | '\u{2716}' => return Some((false, true, to + 1)),
        _ => {}
    }
    let east: String = rest.iter().take(12).collect();
    let east = ["选项", "選項", "项", "は", "が", "는", "은", "이", "가", "均", "都", "也"].iter().fold(&*east, |t, w| t.strip_prefix(w).unwrap_or(t)).trim_start();
    for (words, right) in [(["错", "不正确", "不对", "誤", "不正解", "間違", "틀", "오답"], false), (["正确", "正確", "对", "正解", "正し", "맞", "옳", "정답"], true)] {
        if words.iter().any(|w| east.starts_with(w)) {
            return Some((right, true, to + 1));
        }
    }
    let word: String = rest.iter().take(10).take_while(|c| c.is_alphabetic()).collect();
    let next: String = rest[word.chars().count()..].iter().take(9).collect();
    let word = word.to_ascii_lowercase();
    // A true story
    let more = next.strip_prefix(' ').is_some_and(|n| n.starts_with(char::is_lowercase) && !["because", "since", "as ", "a)", "b)", "c)", "d)", "e)"].iter().any(|w| n.starts_with(w)));
    if more || next.starts_with(char::is_alphanumeric) {
        return None;
    }
    let (right, sure) = match word.as_str() {
        "correct" | "right" => (true, true),
        "incorrect" | "wrong" => (false, true),
        "true" | "yes" => (true, false),
        "false" | "no" => (false, false),
        _ => return None,
    };
    Some((right, sure, to + word.len()))
}

/// The letters that begin at a place.
pub fn group(chars: &[char], from: usize, valid: Valid) -> Option<Group> {
    let (letter, mut to) = one(chars, from, valid)?;
    let mut group = Group { letters: [letter].into(), from, to, either: false };
    let mut ended = false;
    loop {
        let rest: String = chars[to..].iter().take(20).collect();
        let trimmed = rest.trim_start_matches([' ', ',', '/', '&', ';', '+', '\u{3001}']);
        let word = ["and ", "and/or ", "or maybe ", "or perhaps ", "or possibly ", "or ", "(or ", "nor "].iter().find(|w| trimmed.starts_with(**w));
        let skipped = rest.chars().count() - trimmed.chars().count() + word.map_or(0, |w| w.len());
        let Some((letter, end)) = one(chars, to + skipped, valid).filter(|_| word.is_some() || !rest[..rest.len() - trimmed.len()].trim().is_empty())
        else {
            group.to = to;
            return Some(group);
        };
        // Neither A nor B; C. A and C; B is wrong.
        if ended && word.is_none() {
            group.to = to;
            return Some(group);
        }
        // The answer is B, C is close; B, and A is not.
        let rest: String = chars[end..].iter().take(7).collect();
        let comma = chars[to..].first() == Some(&',');
        let clause = [" is ", " was ", " has ", " can ", " wins", " fits", " comes"].iter().any(|v| rest.starts_with(v));
        // Between A and B, B wins.
        if clause && (comma || word.is_none()) || comma && word.is_none() && group.letters.contains(&letter) {
            group.to = to;
            return Some(group);
        }
        group.letters.insert(letter);
        group.either |= word.is_some_and(|w| w.contains("or ") && *w != "nor ") || chars[to..to + skipped].contains(&'/');
        ended |= word.is_some_and(|w| matches!(*w, "nor " | "and "));
        to = end;
    }
}

/// One letter, in brackets or a capital that stands alone, and where it ends.
fn one(chars: &[char], from: usize, valid: Valid) -> Option<(char, usize)> {
    let get = |i: usize| chars.get(i).copied().unwrap_or(' ');
    let bracket = matches!(get(from), '(' | '[' | '{');
    let at = from + usize::from(bracket);
    let c = get(at);
    if !valid(c) {
        return None;
    }
    if bracket {
        return matches!(get(at + 1), ')' | ']' | '}').then(|| (c.to_ascii_uppercase(), at + 2));
    }
    let next = get(at + 1);
    let after = get(at + 2);
    // A's, C++, A.I.
    let name = match next {
        '\'' | '\u{2019}' => joins(after) && !(matches!(after, 'd' | 't') && get(at + 4) == 'r'), // Turkish: A'dır
        '+' => after == '+',
        '.' => after.is_ascii_uppercase() && get(at + 3) == '.',
        '-' | '_' | '#' => true,
        '\u{2013}' => after.is_ascii_uppercase(), // A–C
        _ => joins(next),
    };
    if !c.is_ascii_uppercase() || name {
        return None;
    }
    // E = mc^2, but B</answer>
    let sign = chars[at + 1..].iter().position(|c| *c != ' ').map(|i| at + 1 + i);
    let labelled = label(chars, at + 1).is_some();
    if !labelled && sign.is_some_and(|i| matches!(chars[i], '=' | '^' | '>') || chars[i] == '<' && get(i + 1) != '/') {
        return None;
    }
    // A cat, I think.
    let word: String = chars[at + 1..].iter().skip(1).take_while(|c| c.is_alphanumeric()).take(10).collect();
    let verb = matches!(word.as_str(), "is" | "was" | "isn" | "because" | "since" | "if" | "unless" | "wins" | "fits" | "ist" | "est" | "es" | "är" | "jest") || c == 'A' && (labelled || matches!(word.as_str(), "and" | "or" | "nor"));
    // It is A that fits: no sentence begins there.
    let last: String = chars[from.saturating_sub(9)..from].iter().collect();
    let named = || {
        let before: String = chars[from.saturating_sub(12)..from].iter().collect::<String>().to_lowercase();
        ANSWERS.iter().chain(&OPTIONS).any(|w| before.trim_end().ends_with(w))
    };
    let inside = c == 'A' && ([" is ", " be ", " was ", " choose ", " pick ", " select "].iter().any(|w| last.ends_with(w)) || next == ' ' && named());
    let article = !inside && matches!(c, 'A' | 'I') && next == ' ' && word.starts_with(char::is_lowercase) && !verb;
    (!article).then_some((c, at + 1))
}
