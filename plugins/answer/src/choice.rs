//! `choice`: the letter of a multiple-choice answer.

use crate::letters::{group, joined, label, latin, list, lookalike, plain, roman, Group, Valid, ALPHABETS, ROMAN};
use crate::{clip, one_if, unknown, Texts};
use rubric_host_sdk::{Answer, Object, Request, Result};
use rubric_host_text::{after_reasoning, case_of_box, clause_ends, conditional, denied, denied_before, doubted, first_turn, instead, joins, negative, turn, words, words_before, ANSWERS};
use std::collections::BTreeSet;

pub fn choice(request: &Request) -> Result<Answer> {
    let config = request.config();
    let letters = config.count("choices", 26, 2, 26)?;
    let valid = |c: char| (c.to_ascii_uppercase() as usize).wrapping_sub('A' as usize) < letters;
    let strict = match config.text("find", "any")? {
        "any" => false,
        "marked" => true,
        other => return Err(unknown("find", other, "any or marked")),
    };
    let mut texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(unscored) => return Ok(unscored),
    };
    // ③ for 3, where no digit may be meant.
    let circle = |r: &&str| r.trim().parse().ok().filter(|n| (1..=10).contains(n)).and_then(|n: u32| char::from_u32(0x245f + n)).map(String::from);
    let circles: Option<Vec<String>> = texts.references.iter().map(circle).collect();
    if let Some(circles) = circles.as_ref().filter(|_| texts.output.contains(|c| ('\u{2460}'..='\u{2469}').contains(&c)) && !texts.output.contains(|c: char| c.is_ascii_digit())) {
        texts.references = circles.iter().map(String::as_str).collect();
    }
    // Several references are several right letters together, as in Inspect: A and C.
    let mut wanted = BTreeSet::new();
    // А, Б, В of references stand for A, B, C, and are read so in the output.
    let of = |alphabet: &&str| texts.references.iter().all(|r| r.chars().all(|c| !c.is_alphanumeric() || alphabet.contains(c)) && r.contains(char::is_alphanumeric));
    let alphabet = ALPHABETS.into_iter().find(of);
    // So do ii, iii, IV.
    let bare = |r: &&str| r.trim_matches(['(', ')', '.', ' ']).to_ascii_lowercase();
    let numeral = texts.references.iter().all(|r| ROMAN.contains(&&*bare(r))) && texts.references.iter().any(|r| bare(r).len() > 1);
    let capitals = texts.references.iter().all(|r| r.contains(|c: char| c.is_ascii_uppercase()));
    let read = |text: &str| match alphabet {
        Some(alphabet) => joined(latin(&plain(text), alphabet)),
        None if numeral => roman(&plain(text), capitals),
        None => plain(text),
    };
    for reference in &texts.references {
        match list(&read(reference).replace('/', ","), &valid) {
            Some(letters) => wanted.extend(letters),
            None => {
                return Ok(Answer::unscored(format!("a reference is not the letter of a choice: \"{}\"", clip(reference))))
            }
        }
    }
    let output = first_turn(after_reasoning(texts.output).unwrap_or("").trim());
    if (alphabet.is_some() || numeral) && ('A'..='H').any(|c| output.split(|c: char| !joins(c)).any(|w| w.len() == 1 && w.starts_with(c))) {
        return Ok(Answer::unscored(OTHER));
    }
    let output = read(output);
    let place = |c: &char| *c as usize - 'A' as usize;
    let written = |c: &char| match alphabet {
        Some(alphabet) => alphabet.chars().nth(place(c)).unwrap_or(*c).to_string(),
        None if numeral => ROMAN.get(place(c)).map_or(String::new(), |n| n.to_string()),
        None => c.to_string(),
    };
    let shown = |letters: &BTreeSet<char>| letters.iter().map(written).collect::<Vec<_>>().join(",");
    let (got, rule) = match ticked(&output, &valid).filter(|_| !strict).or_else(|| marked(&output, &valid)).or_else(|| if strict { None } else { anywhere(&output, &valid) }) {
        None if output.len() < 2_000 && lookalike(&output) => return Ok(Answer::unscored(OTHER)),
        None if ends_small(&output, &valid) => return Ok(Answer::unscored("the output has a letter in lower case that may be its choice")),
        None => return Ok(Answer::score(0.0).reason("the output chooses no letter")),
        Some(Found::TooMany) => return Ok(Answer::unscored(format!("the output has letters in more than {GROUPS} places"))),
        Some(Found::Several(letters)) => return Ok(Answer::unscored(format!("the output does not choose one of its letters: {}", shown(&letters)))),
        Some(Found::Letters(letters, rule)) => (letters, rule),
    };
    let mut details = Object::new();
    details.text("choice", &shown(&got));
    details.text("found_by", rule);
    Ok(Answer::score(one_if(got == wanted)).details(details))
}

const OTHER: &str = "the output has a letter of another alphabet that looks like one of a choice";

/// What an output chooses.
enum Found {
    /// Letters, and by which rule they were found.
    Letters(BTreeSet<char>, &'static str),
    /// Several, of which it does not choose.
    Several(BTreeSet<char>),
    /// More than are looked at.
    TooMany,
}

impl Group {
    fn found(self, rule: &'static str) -> Found {
        if self.either { Found::Several(self.letters) } else { Found::Letters(self.letters, rule) }
    }
}

/// Words that may stand between what announces a letter and the letter.
const FILLERS: [&str; 52] = [
    "option", "options", "choice", "choices", "letter", "letters", "answer", "the", "both", "either", "likely", "probably", "most", "clearly",
    "definitely", "therefore", "thus", "simply", "indeed", "still", "actually", "really", "now", "correct", "antwort", "die", "der", "also", "buchstabe",
    "la", "le", "el", "il", "lo", "lettre", "letra", "lettera", "opción", "opcion", "opção", "opzione", "alternativa", "donc", "pues", "het", "dus", "optie",
    "letter", "вариант", "pilihan", "phương", "án",
];

/// Words between one for the answer and a verb: the answer that is right.
const RIGHT: [&str; 24] = [
    "correct", "right", "richtig", "correcte", "exacte", "juste", "correcta", "correcto", "exacta", "correta", "certa", "corretta", "esatta", "juist", "yang", "benar", "tepat", "đúng", "правильный",
    "верный", "poprawna", "الصحيحة", "الصحيح", "最",
];

/// Whether a letter in lower case ends the text: `I would pick d.`
fn ends_small(text: &str, valid: Valid) -> bool {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    text.ends_with(|c: char| c.is_ascii_lowercase() && valid(c)) && text[..text.len() - 1].ends_with(|c: char| !joins(c) && !matches!(c, '\'' | '\u{2019}' | '-' | '.'))
}

/// Words for an option, beside those for the answer.
pub const OPTIONS: [&str; 19] = [
    "choice", "option", "wahl", "choix", "opción", "opcion", "opção", "opzione", "optie", "alternativa", "letra", "lettre", "lettera", "вариант", "pilihan", "phương án", "选项", "選択肢", "보기",
];

/// Words that a letter follows at once, which is then the answer: 故选C, 不正确的是C.
const CHOSEN: [&str; 4] = ["选", "選", "的是", "のは"];

/// What stands before letters that are chosen, and before others.
const TICKS: [&str; 12] = ["[x]", "[X]", "\u{2611}", "\u{2612}", "\u{2705}", "\u{2713}", "\u{2714}", "[ ]", "\u{2610}", "\u{274c}", "\u{2717}", "\u{2718}"];
const TICKED: usize = 7;

/// The letters of the lines that are ticked, where others are not: `[x] B`, `B) blue (correct answer)`.
fn ticked(text: &str, valid: Valid) -> Option<Found> {
    let (mut chosen, mut others) = (BTreeSet::new(), false);
    for line in text.lines() {
        let line = line.trim().trim_start_matches(['-', '+', ' ']);
        let boxes = TICKS.iter().position(|b| line.starts_with(b));
        let rest = boxes.map_or(line, |_| line.trim_start_matches(|c| "[]xX \u{fe0f}".contains(c) || TICKS.concat().contains(c)));
        let mut chars = rest.trim_start_matches('(').chars();
        let Some(letter) = chars.next().filter(|c| valid(*c)) else { continue };
        let next = chars.next();
        if !(matches!(next, Some(')' | '.' | ':')) || boxes.is_some() && next.is_none_or(|c| !joins(c))) {
            continue;
        }
        let end = rest.trim_end_matches(['*', ' ', '.', ')', '!']).to_ascii_lowercase();
        let marked = ["(correct", "(correct answer", "(right answer", "\u{2190} correct", "<- correct", "<-- correct", "\u{2190} answer", "\u{2713}", "\u{2714}", "\u{2705}"].iter().any(|w| end.ends_with(w) && end.len() > w.len() + 3);
        if boxes.is_some_and(|b| b < TICKED) || boxes.is_none() && marked {
            chosen.insert(letter.to_ascii_uppercase());
        } else {
            others = true;
        }
    }
    (others && !chosen.is_empty()).then_some(Found::Letters(chosen, "ticked"))
}

/// After the last of the words that announce an answer, or in the last box.
fn marked(text: &str, valid: Valid) -> Option<Found> {
    let lower = text.to_ascii_lowercase();
    let boxed = text.rfind("\\boxed{").and_then(|at| {
        let inner = &text[at + 6..];
        let end = inner.find(['}', '\n']).unwrap_or(inner.len());
        let letters = list(&inner[..end], valid)?;
        // \boxed{A} or \boxed{B}
        let rival = text[..at].rsplit_once("\\boxed{").and_then(|(_, other)| other.split_once('}')).filter(|(_, between)| between.len() < 12 && turn(between).is_none());
        let found = match rival.and_then(|(other, between)| Some((list(other, valid)?, between))).filter(|(other, _)| *other != letters) {
            // \boxed{A} and \boxed{C}
            Some((other, between)) if between.contains("and") || between.trim_matches([' ', '$']) == "," => Found::Letters(&letters | &other, "marked"),
            Some((other, _)) => Found::Several(&letters | &other),
            None if case_of_box(&text[..at]) => Found::Several(letters),
            None => Found::Letters(letters, "marked"),
        };
        Some((at, found))
    });
    let (mut words, mut aside, mut weak): (Option<(usize, Found)>, Option<(usize, Found)>, Option<(usize, Found)>) = (None, None, None);
    for (at, word) in announcing(&lower) {
        // The options are A, B, C and D.
        let right = ["correct ", "right ", "best "].iter().any(|w| lower[..at].ends_with(w));
        if doubted(&lower[..at]) || reported(&words_before(lower[..at].chars().rev())) {
            continue;
        }
        let option = OPTIONS.contains(&word);
        let rest = &text[at + word.len()..];
        let found = after(rest, word, !right && option, valid);
        let verb = rest.char_indices().nth(24).map_or(rest, |(to, _)| &rest[..to]).split(['.', '\n']).next().unwrap_or("");
        match found {
            Some((found, true)) if conditional(&lower[..at], verb) => aside = aside.or(Some((at, found))),
            Some((found, introduced)) if introduced || !option => {
                words = Some((at, found));
                break;
            }
            Some((found, _)) => weak = weak.or(Some((at, found))),
            None => {}
        }
    }
    // What another one precedes that is not said of another case.
    let turned = |a: &(usize, Found)| words.as_ref().is_none_or(|w| turn(&lower[w.0..a.0]).is_some());
    let aside = aside.filter(|a| turned(a) && boxed.as_ref().is_none_or(|b| b.0 > a.0));
    let (at, found) = boxed.into_iter().chain(words).chain(aside).max_by_key(|f| f.0).or(weak)?;
    // Answer: A. Wait, B is correct.
    let rest = &lower[at..];
    let later = match turn(rest) {
        Some(turn) => anywhere(&text[at + turn..], valid),
        // Answer: A. So it is B.
        None if !names_another(&text[at..], &found, valid) => None,
        None => anywhere(&text[at..], valid).filter(|later| matches!(later, Found::Letters(_, "asserted" | "line"))),
    };
    match (&found, later) {
        (Found::Letters(first, _), Some(Found::Letters(second, _) | Found::Several(second))) if *first != second => Some(Found::Several(first | &second)),
        _ => Some(found),
    }
}

/// Whether a text has a letter of a choice that stands alone and is none of those found.
fn names_another(text: &str, found: &Found, valid: Valid) -> bool {
    let (Found::Letters(letters, _) | Found::Several(letters)) = found else { return true };
    let mut last = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_ascii_uppercase() && valid(c) && !letters.contains(&c) && !joins(last) && chars.peek().is_none_or(|n| !joins(*n)) {
            return true;
        }
        last = c;
    }
    false
}

/// The words of a text, in lower case, that may announce letters, the last first.
fn announcing(lower: &str) -> Vec<(usize, &'static str)> {
    let ascii = lower.is_ascii();
    let words: Vec<&str> = ANSWERS.into_iter().chain(OPTIONS).chain(CHOSEN).filter(|w| *w != "ans" && (!ascii || w.is_ascii())).collect();
    let mut starts = [false; 256];
    words.iter().for_each(|w| starts[usize::from(w.as_bytes()[0])] = true);
    let mut found = Vec::new();
    for (at, byte) in lower.bytes().enumerate().rev() {
        if !starts[usize::from(byte)] || byte.is_ascii() && at > 0 && lower.as_bytes()[at - 1].is_ascii_alphanumeric() {
            continue;
        }
        found.extend(words.iter().find(|w| lower.as_bytes()[at..].starts_with(w.as_bytes())).map(|w| (at, *w)));
        if found.len() == 1000 {
            break;
        }
    }
    found
}

/// Whether the words before an answer, the nearest first, say that another one gives it: `you said the`.
fn reported(before: &[String]) -> bool {
    let says = |w: &str| matches!(w, "said" | "says" | "say" | "suggests" | "suggested" | "thinks" | "thought" | "claims" | "claimed" | "believes" | "chose");
    let other = |w: &str| matches!(w, "you" | "he" | "she" | "they" | "user" | "student" | "students" | "friend" | "someone" | "others" | "people" | "key");
    before.windows(2).any(|w| says(&w[0]) && other(&w[1]))
}

/// The letters after a word: `: A`, ` is (B)`, `s are A and C`; and whether a colon or verb
/// introduces them.
fn after(text: &str, word: &str, options: bool, valid: Valid) -> Option<(Found, bool)> {
    // An answer is near its announcement.
    let text = text.char_indices().nth(150).map_or(text, |(i, _)| &text[..i]);
    let space = |c: char| c.is_whitespace() || matches!(c, '_' | '"' | '\'');
    let plural = text.strip_prefix("(s)").or_else(|| text.strip_prefix(['s', 'S']));
    let mut rest = plural.unwrap_or(text).trim_start_matches(space);
    while let Some(less) = RIGHT.iter().find_map(|w| rest.strip_prefix(w).filter(|r| r.starts_with(space))) {
        rest = less.trim_start_matches(space);
    }
    let dash = || rest.strip_prefix(['\u{2014}', '\u{2013}', '\u{2192}']).filter(|r| r.starts_with(' '));
    let colon = rest.strip_prefix([':', '=', '>']).or_else(dash);
    if options && plural.is_some() {
        return None;
    }
    let is = [
        "is", "Is", "IS", "are", "was", "would be", "should be", "must be", "ist", "lautet", "est", "es", "é", "è", "är", "er", "je", "to", "adalah", "là", "هي", "هو", "是", "为", "は", "が", "은", "는", "이",
    ]
        .iter()
        .find_map(|w| rest.strip_prefix(w).filter(|r| ("\u{3000}".."\u{10000}").contains(w) || r.starts_with(|c: char| space(c) || matches!(c, ':' | '('))));
    // Turkish and Hindi have their verb at the end.
    let introduced = colon.is_some() || is.is_some() || CHOSEN.contains(&word) || matches!(word, "cevap" | "उत्तर");
    rest = colon.or(is).unwrap_or(rest).trim_start_matches(|c| space(c) || c == ':');
    while let Some(word) = rest.split(|c: char| !c.is_alphabetic()).next().filter(|w| FILLERS.contains(&w.to_lowercase().as_str()) || *w == "a" && rest[1..].trim_start().split(' ').next().is_some_and(|n| FILLERS.contains(&n))) {
        // The answer choices: (A) 3
        if !introduced && matches!(word, "choices" | "options") {
            return None;
        }
        rest = rest[word.len()..].trim_start_matches(|c| space(c) || c == ':');
    }
    // A letter in each line: - A
    let bullet = |line: &str| list(line.trim().strip_prefix(['-', '\u{2022}', '+'])?, valid);
    let lines: BTreeSet<char> = rest.lines().map_while(bullet).flatten().collect();
    if introduced && plural.is_some() && lines.len() > 1 {
        return Some((Found::Letters(lines, "marked"), true));
    }
    // C, i.e., both (a) and (b)
    let clause = rest.split(", i.e.").next().unwrap_or("").split(['\n', '.', ':', '\u{3002}', '\u{ff1b}']).next().unwrap_or("");
    if introduced && clause.len() < 80 {
        if let Some(all) = list(clause, valid) {
            return Some((Found::Letters(all, "marked"), true));
        }
    }
    let mut chars: Vec<char> = rest.chars().take(80).collect();
    let lower = chars.first().is_some_and(|c| valid(*c)) && matches!(chars.get(1), Some(')' | '.'));
    if introduced && lower {
        chars[0] = chars[0].to_ascii_uppercase();
    }
    // B) is not related
    let own = |g: &Group| chars[g.to - 1] == ')' || chars.get(g.to) == Some(&')');
    let mut found = group(&chars, 0, valid).filter(|g| (own(g) && introduced || !rejected(&chars, 0, g)) && chars.get(g.to) != Some(&'?'))?;
    // A if x > 0
    let rest: String = chars[found.to..].iter().take(8).collect();
    found.either |= [" if ", " unless "].iter().any(|w| rest.starts_with(w));
    // A) red or B) blue
    let other = |w: &[char]| matches!(w, [' ', 'o', 'r', ' ', c, ')'] | ['o', 'r', ' ', '(', c, ')'] if valid(*c) && !found.letters.contains(c));
    found.either |= own(&found) && chars[found.to..].split(|c| *c == '\n').next().is_some_and(|line| line.windows(6).any(other));
    (introduced || chars[0] == '(').then(|| (found.found("marked"), introduced))
}

/// Words that make a name with a letter: vitamin C.
const NAMES: [&str; 9] = ["vitamin", "hepatitis", "influenza", "plan", "grade", "type", "figure", "appendix", "exhibit"];

/// Verbs that say something of a letter: A is, A does.
const VERBS: [&str; 22] = [
    "is", "are", "was", "were", "can", "does", "would", "could", "seems", "must", "ist", "sind", "est", "sont", "es", "son", "está", "é", "são", "è", "sono", "är",
];

/// Words before letters that are there to be chosen from: between A and B.
const CANDIDATES: [&str; 7] = ["between", "among", "amongst", "of", "comparing", "either", "versus"];

/// The most places with letters of an output that are looked at.
const GROUPS: usize = 10_000;

/// The words before a group, the nearest first, and those after it; none of the text of an option: `B) False`.
fn around(chars: &[char], start: usize, group: &Group) -> [Vec<String>; 2] {
    let mut rest = &chars[group.to..];
    let verb = |rest: &[char]| {
        let word: String = rest.iter().skip(1).take(8).take_while(|c| c.is_alphabetic()).collect();
        rest.first() == Some(&' ') && (VERBS.contains(&word.as_str()) || word == "isn")
    };
    let bracketed = matches!(chars[group.to - 1], ')' | ']');
    if matches!(rest.first(), Some(')' | ':')) || bracketed {
        rest = if bracketed { rest } else { &rest[1..] };
        rest = if verb(rest) { rest } else { &[] };
    } else if matches!(rest, [' ', '-' | '\u{2013}' | '\u{2014}', ..]) {
        rest = &[];
    }
    let after: String = rest.iter().take(60).take_while(|c| !clause_ends(**c)).collect();
    let after = words(&after).into_iter().take_while(|w| w != "but").take(4).collect();
    [words_before(chars[start..group.from].iter().rev().copied()), after]
}

/// Whether a text announces choices: `Options: `.
fn listed(before: &[char]) -> bool {
    let label = before.strip_suffix(&[' ']).unwrap_or(before);
    matches!(label, [.., c, 's', ':'] if !"isu".contains(*c)) // not guess:, this:, obvious:
}

/// Whether a heading calls the letters behind it right or wrong: `Incorrect: B, D`.
fn heading(before: &[char]) -> Option<bool> {
    let before = before.strip_suffix(&[' ']).unwrap_or(before).strip_suffix(&[':'])?;
    let text: String = before[before.len().saturating_sub(12)..].iter().collect::<String>().to_lowercase();
    let word = text.rsplit(|c: char| !c.is_alphabetic()).next()?;
    if matches!(word, "correct" | "right" | "richtig") { Some(true) } else { matches!(word, "incorrect" | "wrong" | "falsch").then_some(false) }
}

/// Where a sentence ends that is a question.
fn asks(rest: &[char]) -> Option<usize> {
    rest.iter().take(60).position(|c| matches!(c, '.' | '!' | '?' | ':' | ';' | '\n')).filter(|end| rest[*end] == '?')
}

/// Whether letters are named to be ruled out: `not B`, `B is wrong`; or to be chosen from.
fn rejected(chars: &[char], start: usize, group: &Group) -> bool {
    let [before, after] = around(chars, start, group);
    // Anything but A.
    let nearest: String = chars[start..group.from].iter().rev().take(20).collect::<Vec<_>>().into_iter().rev().collect::<String>().to_lowercase();
    let but = ["anything but", "everything but", "all but", "any but", "opposite of", "far from", "no es", "non è", "não é", "n'est pas", "n'est pas la", "ist nicht", "不选"].iter().any(|w| nearest.trim_end().ends_with(w));
    let out = |w: &String| matches!(w.as_str(), "eliminate" | "eliminates" | "eliminating" | "exclude" | "excludes" | "excluding" | "reject" | "rejects" | "rejecting" | "discard" | "discarding" | "dismiss" | "dismissing" | "avoid" | "except" | "unlike" | "than" | "instead" | "out" | "longer" | "hardly");
    // A is worse than B.
    if before.len() > 1 && matches!(before[0].as_str(), "than" | "to") && matches!(before[1].as_str(), "worse" | "inferior" | "loses") {
        return false;
    }
    let verb = |w: &String| VERBS.contains(&w.as_str()) || negative(w);
    // A is wrong and B is right.
    let own = after.first().is_some_and(verb);
    let mut near = before.iter().take(3).take_while(|w| !own || *w != "and");
    // B? No. B is the answer? No.
    let answered: String = asks(&chars[group.to..]).map_or(String::new(), |end| chars[group.to + end..].iter().take(6).collect());
    // B가 아니라 C, BではなくC
    let next: String = chars[group.to..].iter().take(24).collect();
    let but = but || instead(&nearest) || denied_before(&next);
    let rejected = but || heading(&chars[start..group.from]) == Some(false) || reported(&before) || answered.strip_prefix("? ").is_some_and(|a| a.starts_with("No") || a.starts_with("Wron")) || listed(&chars[start..group.from]) || denied(&before) || near.any(|w| negative(w) || out(w) && !(w == "except" && before.iter().any(|w| w == "none" || w == "nothing"))) || own && after.iter().any(|w| negative(w)) && !undenied(&after);
    rejected && !excepted(chars, start, group)
}

/// Whether words deny what denies: `is not wrong`, `cannot be false`; not `is wrong, not right`.
fn undenied(after: &[String]) -> bool {
    let not = |w: &String| w.ends_with("n't") || matches!(w.as_str(), "not" | "cannot" | "never");
    let wrong = |w: &String| negative(w) && !not(w) && !matches!(w.as_str(), "ruled" | "eliminated");
    after.windows(2).any(|w| not(&w[0]) && wrong(&w[1])) || after.windows(3).any(|w| not(&w[0]) && w[1] == "be" && wrong(&w[2]))
}

/// Whether all letters but these are ruled out: `every option except D is wrong`.
fn excepted(chars: &[char], start: usize, group: &Group) -> bool {
    let before: String = chars[start.max(group.from.saturating_sub(40))..group.from].iter().collect();
    let words = words(&before);
    // Not: all seem right, but D is wrong.
    let things = |w: &String| matches!(w.as_str(), "of" | "the" | "these" | "other" | "options" | "option" | "answers" | "answer" | "choices" | "choice" | "statements" | "statement" | "letters" | "letter");
    let all = || words.iter().rev().skip(1).find(|w| !things(w)).is_some_and(|w| matches!(w.as_str(), "all" | "every" | "each" | "everything" | "any"));
    let [_, after] = around(chars, start, group);
    words.last().is_some_and(|w| w == "except" || w == "but") && all() && after.first().is_some_and(|w| VERBS.contains(&w.as_str())) && after.iter().any(|w| negative(w))
}

/// Whether a text says of letters that they are the answer: `so it is B`, `I choose B`, `B is right`.
fn asserted(chars: &[char], start: usize, group: &Group) -> bool {
    let [before, after] = around(chars, start, group);
    let verb = before.iter().find(|w| !FILLERS.contains(&w.as_str()));
    let right = |w: &String| matches!(w.as_str(), "correct" | "right" | "true" | "best" | "answer" | "richtig" | "correcte" | "juste" | "vraie" | "correcta" | "correcto" | "correta" | "certa" | "corretta" | "esatta" | "juist" | "верен" | "верно" | "верный" | "правильный" | "rätt" | "benar" | "doğru" | "đúng");
    let several = group.letters.len() > 1;
    // B is partially right.
    let partly = after.iter().any(|w| matches!(w.as_str(), "partially" | "partly" | "almost" | "nearly" | "half" | "somewhat" | "only" | "if" | "when" | "unless"));
    let asks = asks(&chars[group.to..]).is_some();
    // I go with A; but: compared with A.
    let goes = before.get(1).is_some_and(|w| w.starts_with("go") || matches!(w.as_str(), "went" | "stick" | "stay" | "be"));
    // It could be A.
    let perhaps = before.iter().any(|w| matches!(w.as_str(), "could" | "might" | "may" | "whether" | "if"));
    let case = || {
        let before: String = chars[group.from.saturating_sub(200)..group.from].iter().collect();
        // At first I would choose A.
        let sentence = before.rsplit(['.', '!', '\n']).next().unwrap_or("");
        let former = ["nitially", "riginally", "t first"].iter().any(|w| sentence.rsplit_once(w).is_some_and(|(_, s)| s.trim_start_matches([',', ' ']).starts_with("I") && !s.contains(" but ")));
        former || conditional(&before, "")
    };
    // I would choose A if there were more of them.
    let hypothetical = before.iter().any(|w| w == "would") && after.first().is_some_and(|w| w == "if");
    // A is plausible, but so is C.
    let too = before.len() > 1 && before[0] == "is" && before[1] == "so";
    // Hence, D.
    let mut tail = chars[..group.from].iter().rev().skip_while(|c| " (*$".contains(**c));
    let comma = tail.next() == Some(&',');
    let word: String = tail.take_while(|c| c.is_alphabetic()).collect::<Vec<_>>().into_iter().rev().collect();
    let ends = chars[group.to..].iter().find(|c| !")*$".contains(**c)).is_none_or(|c| matches!(c, '.' | '!' | '\n'));
    let concluded = comma && ends && matches!(word.to_lowercase().as_str(), "hence" | "thus" | "therefore" | "so" | "consequently");
    !asks && !too && !hypothetical && (concluded || ends && heading(&chars[start..group.from]) == Some(true) || verb.is_some_and(|w| w == "be" && !perhaps || w != "be" && (w == "are" && several || matches!(w.as_str(), "is" | "it's" | "so" | "hence" | "choose" | "chose" | "pick" | "select" | "selected" | "leaves") || w == "leaving" && !several || w == "with" && goes))
        || before.iter().take(4).any(|w| matches!(w.as_str(), "therefore" | "thus"))
        || !partly && after.first().is_some_and(|w| matches!(w.as_str(), "is" | "are" | "ist" | "est" | "es" | "é" | "è" | "är" | "верен")) && after.iter().any(right)) && !case()
}

/// Letters without an announcement: an output or last line of nothing else; those that the
/// output starts with; the last that it says are right; else the only ones that it does not
/// rule out.
fn anywhere(text: &str, valid: Valid) -> Option<Found> {
    let text = text.trim();
    let text = ["Letra ", "Lettre ", "Lettera "].iter().find_map(|w| text.strip_prefix(w)).unwrap_or(text);
    let named = ["answer ", "option ", "choice ", "ans: ", "ans. "].iter().find_map(|w| text.get(..w.len()).filter(|t| t.eq_ignore_ascii_case(w)).map(|_| &text[w.len()..]));
    for (part, rule) in [(named.unwrap_or(text), "only"), (text.rsplit('\n').next().unwrap_or(""), "line")] {
        let part = part.trim_matches(|c: char| matches!(c, '\'' | '"' | '_' | '<' | '>' | '\u{201c}' | '\u{201d}'));
        if let Some(all) = list(part, valid) {
            return Some(Found::Letters(all, rule));
        }
    }
    // A: B may be the answer B, or an option with its text.
    if let Some(letters) = text.strip_prefix("A:").and_then(|rest| list(rest.trim(), valid)) {
        return Some(Found::Several(letters));
    }
    let mut chars: Vec<char> = text.chars().collect();
    // b) because; a) wrong b) right
    if chars.first().is_some_and(|c| valid(*c)) && chars.get(1) == Some(&')') {
        for i in 0..chars.len() - 1 {
            if chars[i + 1] == ')' && valid(chars[i]) && (i == 0 || chars[i - 1].is_whitespace()) {
                chars[i] = chars[i].to_ascii_uppercase();
            }
        }
    }
    let mut groups: Vec<(Group, bool)> = Vec::new();
    let mut names = BTreeSet::new();
    // What is said of single letters.
    let mut labels: Vec<(char, bool, bool)> = Vec::new();
    let mut seen = 0;
    let (mut at, mut start) = (0, 0);
    // Options: (A) 3 (B) 4
    let mut listing = false;
    while at < chars.len() {
        listing &= chars[at] != '\n';
        // A > B > C
        let compared = at > 2 && chars[at - 1] == ' ' && matches!(chars[at - 2], '>' | '<') && chars[at - 3] == ' ' && at > 3 && valid(chars[at - 4]);
        let initial = at > 1 && chars[at - 1] == '.' && chars[at - 2].is_ascii_uppercase();
        let joined = initial || compared || at > 0 && (joins(chars[at - 1]) || matches!(chars[at - 1], '\'' | '\u{2019}' | '-' | '_' | '\\') || chars[at - 1] == '\u{2013}' && at > 1 && joins(chars[at - 2]));
        match if joined { None } else { group(&chars, at, valid) } {
            Some(found) => {
                seen += 1;
                if seen > GROUPS {
                    return Some(Found::TooMany);
                }
                at = found.to;
                listing |= listed(&chars[start..found.from]);
                let sure = asserted(&chars, start, &found);
                let bracketed = chars[found.from] == '(' || chars.get(found.to) == Some(&')');
                let [before, after] = around(&chars, start, &found);
                if let Some((right, sure, end)) = label(&chars, found.to).filter(|_| heading(&chars[start..found.from]).is_none() && asks(&chars[found.to..]).is_none()) {
                    labels.extend(found.letters.iter().map(|letter| (*letter, right, sure)));
                    at = end;
                }
                // Is it A?
                let asked = chars.get(found.to) == Some(&'?') && before.last().is_some_and(|w| w == "is");
                let said = |words: &[&str]| before.first().is_some_and(|w| words.contains(&w.as_str()));
                // The false statement is C: what is asked for, or what is ruled out.
                let kind = before.len() > 2 && before[0] == "is" && matches!(before[2].as_str(), "false" | "wrong" | "incorrect" | "invalid" | "impossible");
                // The statement that is not true is C; all are true except C.
                let verb = |w: &str| matches!(w, "is" | "isn't" | "are" | "aren't" | "was" | "does" | "doesn't" | "has" | "cannot" | "can't");
                let relative = said(&["is"]) && before.windows(2).any(|w| verb(&w[0]) && matches!(w[1].as_str(), "that" | "which"));
                let kind = kind || (relative || said(&["except"])) && rejected(&chars, start, &found);
                // B) is not related: it is ruled out, or an option with its text.
                let own = found.from == 0 && (bracketed || chars.get(found.to) == Some(&':')) && rejected(&chars, start, &found);
                let plausible = after.iter().any(|w| matches!(w.as_str(), "plausible" | "possible" | "seem" | "look" | "could" | "might"));
                if own || said(&NAMES) || kind || found.letters.len() > 1 && !sure && (found.either || plausible || said(&CANDIDATES)) {
                    names.extend(found.letters.iter());
                } else if !asked && !rejected(&chars, start, &found) && (sure || !listing || !bracketed) {
                    groups.push((found, sure));
                } else if chars[found.from..found.to].contains(&',') && found.letters.len() == 2 {
                    // Not A, B: it is B, or neither.
                    names.extend(found.letters.iter());
                }
                start = at;
            }
            None => at += 1,
        }
    }
    // A) incorrect B) correct; but `B) No` is an option with its text.
    let kinds: BTreeSet<char> = labels.iter().map(|l| l.0).collect();
    if kinds.len() > 2 || kinds.len() == 2 && labels.iter().any(|l| l.2) {
        let said = |g: &Group, right: bool| g.letters.iter().all(|c| labels.contains(&(*c, right, true)) || labels.contains(&(*c, right, false)));
        groups.retain(|(g, _)| !said(g, false) || said(g, true));
        groups.iter_mut().for_each(|(g, sure)| *sure |= said(g, true));
        // A is false. B is true. C is true.
        if let Some((g, true)) = groups.iter_mut().rev().find(|g| g.1).filter(|g| said(&g.0, true)) {
            g.letters.extend(labels.iter().filter(|l| l.1 && !labels.contains(&(l.0, false, true)) && !labels.contains(&(l.0, false, false))).map(|l| l.0));
        }
    }
    let line = |g: &Group| g.from == 0 || chars[g.from - 1] == '\n';
    if let Some((first, _)) = groups.first() {
        let ends = first.to == chars.len() || matches!(chars[first.to], ')' | '.' | ':' | ',' | '\n') || chars[0] == '(';
        let listed = groups[1..].iter().any(|(g, sure)| (*sure || line(g) || chars.get(g.to) == Some(&')')) && g.letters != first.letters);
        let other = groups[1..].iter().any(|(g, _)| g.letters != first.letters);
        if first.from == 0 && ends && !listed && !(other && turn(text).is_some()) {
            return Some(groups.swap_remove(0).0.found("start"));
        }
    }
    if let Some(i) = groups.iter().rposition(|g| g.1) {
        // For small n it is A, for large n it is B.
        if let Some((other, _)) = groups[..i].iter().rev().find(|g| g.1 && g.0.letters != groups[i].0.letters) {
            let between: String = chars[other.to..groups[i].0.from].iter().collect();
            let turns = words(&between).iter().any(|w| matches!(w.as_str(), "so" | "but" | "hence" | "thus" | "therefore" | "however" | "not" | "sondern" | "mais" | "sino"));
            if between.len() < 60 && !between.contains(['.', '!', '?', '\n', ';']) && !turns {
                return Some(Found::Several(&other.letters | &groups[i].0.letters));
            }
        }
        return Some(groups.swap_remove(i).0.found("asserted"));
    }
    if groups.is_empty() && !names.is_empty() {
        return Some(Found::Several(names));
    }
    // It could be A; A if x > 0; the old answer was A.
    let unsure = |g: &Group| {
        let [before, after] = around(&chars, 0, g);
        let may = before.windows(2).any(|w| w[0] == "be" && matches!(w[1].as_str(), "could" | "might" | "may"));
        let former = before.iter().any(|w| matches!(w.as_str(), "initially" | "originally" | "previously" | "old" | "former"));
        let thought = before.windows(2).any(|w| w[1] == "thought" && matches!(w[0].as_str(), "the" | "it" | "that"));
        let opinion = after.get(1).is_some_and(|w| matches!(w.as_str(), "you" | "i" | "i'm" | "i've"));
        may || former || thought || !opinion && after.first().is_some_and(|w| matches!(w.as_str(), "unless" | "if"))
    };
    if !groups.is_empty() && groups.iter().all(|(g, _)| unsure(g)) {
        return Some(Found::Several(groups.into_iter().flat_map(|g| g.0.letters).collect()));
    }
    if groups.iter().all(|(g, _)| g.letters == groups[0].0.letters) {
        return Some(groups.pop()?.0.found("alone"));
    }
    Some(Found::Several(groups.into_iter().flat_map(|g| g.0.letters).collect()))
}
