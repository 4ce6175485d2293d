//! Where an output gives the number that it answers with.

use crate::{doubted, joins, number_word, numbers, turn, Comma, Link, Number, Sure};

/// Where an output gives its answer.
#[derive(Clone, Debug, Default)]
pub struct Given<'t> {
    /// The part whose last number is the answer.
    pub part: &'t str,
    /// The part from that number on.
    pub last: &'t str,
    /// Parts with numbers that may be meant in its place.
    pub doubts: Vec<&'t str>,
    /// Whether nothing tells which of them is meant.
    pub open: bool,
    /// Whether words such as `the answer is` announce it.
    pub announced: bool,
    /// Whether it is the last of several with labels: `(b) 5`.
    pub listed: bool,
}

/// The most characters at the end of an output in which an answer without announcement is looked for.
const TAIL: usize = 4_000;

/// The most characters of a sentence on either side of a number.
const SENTENCE: usize = 400;

/// The most announcements by one word that are looked at.
const MARKS: usize = 50;

/// Words for the answer, in lower case.
const WORDS: [&str; 24] = [
    "answer", "ans", "antwort", "réponse", "respuesta", "resposta", "risposta", "antwoord", "ответ", "Ответ", "odpowiedź", "odpověď", "svar", "cevap", "jawaban", "đáp án", "Đáp án",
    "答案", "答え", "정답", "답", "الجواب", "الإجابة", "उत्तर",
];

/// Verbs between a word for the answer and the answer.
const VERBS: [&str; 17] = [" is", " are", " was", " would be", " should be", " will be", " equals", " ist", " lautet", " est", " es", " é", " è", "是", "为", "は", "が"];

/// Words that begin an explanation behind the answer, at the start of a line.
const EXPLAINS: [&str; 42] = [
    "explanation", "reasoning", "reason", "rationale", "justification", "because", "note", "working", "steps", "check", "verification", "proof", "confidence", "source", "reference", "footnote",
    "here's why", "here is why", "details", "step-by-step", "erklärung", "begründung", "explication", "explicación", "explicacion", "explicação", "spiegazione", "uitleg", "объяснение", "Объяснение",
    "解释", "解析", "理由", "説明", "설명", "الشرح", "wyjaśnienie", "forklaring", "açıklama", "penjelasan", "giải thích", "parce que",
];

/// Where an output gives its answer: in its last box, behind the last of the strongest words that announce
/// one, else in its last sentence with numbers.
pub fn given(text: &str, comma: Comma) -> Given<'_> {
    // One number needs no choice.
    if numerals(text) < 2 {
        return Given { part: text, ..Given::default() };
    }
    let text = first_turn(text);
    if let Some((at, inner)) = boxed(text) {
        return Given { part: inner, announced: true, ..turned(&text[at + inner.len()..]) };
    }
    announced(text, comma).unwrap_or_else(|| {
        let tail = last(text, TAIL);
        let given = stated(&Page::read(tail, comma));
        if given.listed { given } else { leads(text, comma, given) }
    })
}

/// The first characters of a text.
fn first(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(at, _)| &text[..at])
}

/// The last characters of a text.
fn last(text: &str, most: usize) -> &str {
    text.char_indices().rev().nth(most).map_or(text, |(at, c)| &text[at + c.len_utf8()..])
}

/// What follows the last of the strongest words that announce an answer.
pub fn announcement(text: &str) -> Option<&str> {
    marks(first_turn(text)).into_iter().max_by_key(|(at, mark)| (mark.rank, *at)).map(|(_, mark)| mark.rest)
}

/// How many groups of digits a text has, at least.
fn numerals(text: &str) -> usize {
    let mut last = false;
    text.chars().filter(|c| std::mem::replace(&mut last, c.is_numeric()) < c.is_numeric()).count()
}

/// The content of the last box, and where it is.
pub fn boxed(text: &str) -> Option<(usize, &str)> {
    let open = ["\\boxed{", "\\fbox{"].iter().filter_map(|b| Some(text.rfind(b)? + b.len())).max()?;
    let mut depth = 0;
    let close = text[open..].find(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth < 0 || c == '\n'
    });
    let inner = &text[open..close.map_or(text.len(), |c| open + c)];
    Some((open, inner))
}

/// The text without questions that follow the answer: a model goes on with the next example.
fn first_turn(text: &str) -> &str {
    let next = ["\nQ:", "\nQuestion:", "\nProblem:", "\nHuman:", "\nUser:"].iter().filter_map(|w| text.find(w)).min();
    next.map(|at| &text[..at]).filter(|before| !marks(before).is_empty()).unwrap_or(text)
}

/// What follows words that turn to another answer.
fn turned(rest: &str) -> Given<'_> {
    turn(rest).map_or_else(Given::default, |at| Given { doubts: vec![&rest[at..]], open: true, ..Given::default() })
}

/// Words that announce an answer.
struct Mark<'t> {
    /// 2 for `####` and tags, 1 for a final answer, else 0.
    rank: u8,
    /// What the answer is said to be of: `to part (a)`.
    of: &'t str,
    /// Whether a verb announces it.
    verb: bool,
    rest: &'t str,
}

/// The announcements of a text, in their order.
fn marks(text: &str) -> Vec<(usize, Mark<'_>)> {
    let lower = text.to_ascii_lowercase();
    let mut found: Vec<(usize, Mark)> = Vec::new();
    for (tag, numbered) in [("####", true), ("<answer>", false), ("<final_answer>", false)] {
        for (at, _) in lower.rmatch_indices(tag).take(MARKS) {
            let rest = text[at + tag.len()..].trim_start();
            // A heading of Markdown is no answer.
            let line = first(rest, 100).lines().next().unwrap_or("");
            let number = line.trim_start_matches(['*', '$', '\\', '-', '(', ' ', '{']);
            let words = line.split_whitespace().count();
            let head = number.trim_start_matches(|c: char| c.is_ascii_digit());
            if !numbered || number.starts_with(|c: char| c.is_ascii_digit() || c == '.') && words < 5 && !head.starts_with(". ") && !head.starts_with(") ") {
                found.push((at, Mark { rank: 2, of: "", verb: false, rest }));
            }
        }
    }
    for word in WORDS.into_iter().filter(|w| w.is_ascii() || !text.is_ascii()) {
        for (at, _) in lower.rmatch_indices(word).take(MARKS) {
            let after = &text[at + word.len()..];
            let inside = lower[..at].ends_with(|c: char| joins(c) && word.is_ascii()) || word == "답" && lower[..at].ends_with('정');
            let Some((of, verb, rest)) = announces(after, word == "ans").filter(|_| !inside && !doubted(&lower[..at])) else { continue };
            let rank = u8::from(lower[..at].trim_end_matches(['*', '_', ' ']).ends_with("final"));
            found.push((at, Mark { rank, of, verb, rest }));
        }
    }
    found.sort_by_key(|f| f.0);
    found
}

/// What announces an answer behind the word for it: what it is of, whether by a verb, and what follows.
fn announces(after: &str, colon: bool) -> Option<(&str, bool, &str)> {
    let marks = |c: char| matches!(c, '*' | '_' | '`' | '"' | ')' | ' ' | '\u{a0}');
    let plain = after.strip_prefix("(s)").unwrap_or(after);
    let plain = plain.strip_prefix('s').filter(|p| !p.starts_with(char::is_alphanumeric)).unwrap_or(plain);
    if plain.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-') {
        return None;
    }
    // A heading.
    let (line, more) = plain.split_once('\n').unwrap_or((plain, ""));
    if line.trim_matches(marks).trim_end_matches([':', '：']).is_empty() {
        return Some(("", false, more.trim_start_matches(|c: char| marks(c) || c == '\n')));
    }
    let near = line.char_indices().nth(60).map_or(line, |(at, _)| &line[..at]);
    let near = &near[..near.find([';', '?', '!', '。']).into_iter().chain(near.find(". ")).min().unwrap_or(near.len())];
    let label = near.find([':', '：', '=', '\u{2192}']).map(|at| (at, at + near[at..].chars().next().map_or(1, char::len_utf8), false));
    let word = |verb: &&str, end: usize| !verb.is_ascii() && !verb.starts_with(' ') || !near[end..].starts_with(char::is_alphanumeric);
    let verb = VERBS.iter().filter_map(|v| near.find(v).map(|at| (at, at + v.len(), true)).filter(|f| word(&v, f.1))).min();
    let (at, end, verb) = match (label, verb.filter(|_| !colon)) {
        (Some(l), Some(v)) => l.min(v),
        (l, v) => l.or(v)?,
    };
    let of = near[..at].trim_matches(marks);
    // The answer depends on 3: but the answer to part 3 is.
    let phrase = ["to ", "for ", "of ", "in ", "(", "part", "here", "then", "now", "therefore", "thus"].iter().any(|w| of.starts_with(w)) || of.len() < 4 && of.chars().all(char::is_numeric);
    (of.is_empty() || phrase).then(|| (of, verb, plain[end..].trim_start_matches(|c: char| marks(c) || c == ':' || c == '\n')))
}

/// The answer behind the last of the strongest announcements with a number.
fn announced(text: &str, comma: Comma) -> Option<Given<'_>> {
    let marks = marks(text);
    let rank = marks.iter().map(|m| m.1.rank).max()?;
    let marks: Vec<_> = marks.into_iter().filter(|m| m.1.rank == rank).collect();
    for (i, (at, mark)) in marks.iter().enumerate().rev() {
        let Some(mut given) = mark.answer(comma) else { continue };
        // Of several, the last counts.
        if let Some((before, earlier)) = i.checked_sub(1).map(|j| (&marks[j], marks[j].1.answer(comma))).and_then(|(m, g)| Some((m, g?))) {
            if turn(&text[before.0..*at]).is_none() {
                given.open |= before.1.of != mark.of && !mark.of.is_empty() && !before.1.of.is_empty();
                given.doubts.push(earlier.part);
            }
        }
        return Some(given);
    }
    None
}

impl<'t> Mark<'t> {
    /// The answer that follows; nothing if it has no number that can be the answer.
    fn answer(&self, comma: Comma) -> Option<Given<'t>> {
        let long = first(self.rest, TAIL);
        // An answer that a formula of several lines gives.
        let formula = self.rest.starts_with(['$', '\\']) && !self.rest.lines().next().is_some_and(|line| line.contains(char::is_alphanumeric));
        let lines = long.match_indices('\n').nth(if formula { 3 } else { 0 }).map_or(long, |(at, _)| &long[..at]);
        let page = Page::read(lines, comma);
        let end = if formula { page.chars.len() } else { page.sentence(0).1 };
        let Some(first) = page.found.first().filter(|n| n.span.0 < end) else {
            let words = page.text(0, end);
            let worded = words.len() < 60 && words.split(|c: char| !c.is_alphabetic()).any(number_word);
            return worded.then(|| Given { part: words, announced: true, ..Given::default() });
        };
        // What ends a clause behind its number.
        let behind = page.text(first.span.1, end);
        // The answer is the sum of 20 and 22, 42.
        let far = longer(page.text(0, first.span.0)) > 2;
        let ends: &[&str] = if far {
            &["</"]
        } else if self.verb {
            &[" (", " [", ", because", " because", " since", ", since", " as ", ", as ", " \u{2014} ", " for ", " from ", " by ", " with ", " given", ", which", ", given", "</", ". "]
        } else {
            &[" (", " [", "  #", ", \"", "\",", " because", " since", "</", ", not ", " instead of", " rather than"]
        };
        // 3 in 4, but 12 apples in 3 boxes
        let within = behind.find(" in ").filter(|at| *at > 0 && self.verb && !far);
        let close = ends.iter().filter_map(|w| behind.find(w)).chain(within).min();
        let end = close.map_or(end, |at| first.span.1 + behind[..at].chars().count());
        let end = page.found.iter().skip_while(|n| n.span.0 < end).take_while(|n| n.link == Link::Or).last().map_or(end, |n| n.span.1.max(end));
        let numbers: Vec<&Number> = page.found.iter().filter(|n| n.span.0 < end).collect();
        let after = &self.rest[page.bytes[end]..];
        let more = numerals(after) > 0;
        if first.bound.is_some() && more {
            return None;
        }
        let explained = explanation(after).is_some_and(|at| after[..at].trim().len() < 3);
        let turned = turned(after);
        let mut given = Given { part: page.text(0, end).trim_end_matches('!'), announced: true, ..turned };
        let equal = page.result(0, end);
        let linked = numbers.windows(2).all(|n| n[1].link == Link::Or || n[1].value == n[0].value);
        let near = longer(page.text(0, first.span.0)) < 3 && linked && longer(page.text(first.span.1, end)) < 4;
        // Answer: There are 3 boxes. They have 14 each, so 42.
        let goes_on = !self.verb && self.rank < 2 && more && !explained;
        if let Some(i) = equal {
            given.part = page.part(0, end, i);
            if goes_on {
                given.doubts.push(stated(&Page::read(long, comma)).last);
                given.open = true;
            }
        } else if goes_on && !near {
            given.part = stated(&Page::read(long, comma)).part;
            given.doubts.push(page.text(0, end));
        } else if !linked {
            let stated = stated(&Page::read(long, comma));
            given.open |= !far && (self.verb || stated.open || longer(page.text(0, first.span.0)) == 0);
            given.doubts.extend([page.text(0, end), stated.last]);
            given.part = if self.verb { given.part } else { stated.part };
        }
        Some(given)
    }
}

/// How many words of two letters or more a text has.
fn longer(text: &str) -> usize {
    text.split(|c: char| !c.is_alphabetic()).filter(|w| w.len() > 1).count()
}

/// Where an explanation begins, on a line of its own behind the first.
fn explanation(text: &str) -> Option<usize> {
    let mut at = text.find('\n')? + 1;
    for line in text[at..].split_inclusive('\n') {
        let start = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '#' | '_' | '-' | '(' | '>'));
        let word = start.char_indices().nth(14).map_or(start, |(i, _)| &start[..i]).to_ascii_lowercase();
        let note = start.starts_with("[^") || start.starts_with('[') && start[1..].starts_with(|c: char| c.is_ascii_digit());
        if note || EXPLAINS.iter().any(|w| word.starts_with(w)) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// A text with its numbers, without those that it denies.
struct Page<'t> {
    text: &'t str,
    chars: Vec<char>,
    /// Where each character begins, and the text ends.
    bytes: Vec<usize>,
    found: Vec<Number>,
}

impl<'t> Page<'t> {
    fn read(text: &'t str, comma: Comma) -> Self {
        let bytes = text.char_indices().map(|c| c.0).chain([text.len()]).collect();
        Page { text, chars: text.chars().collect(), bytes, found: undenied(numbers(text, comma)) }
    }

    fn text(&self, from: usize, to: usize) -> &'t str {
        &self.text[self.bytes[from]..self.bytes[to]]
    }

    /// Whether a sentence or line ends at a place.
    fn ends(&self, at: usize) -> bool {
        let next = self.chars.get(at + 1).copied().unwrap_or('\n');
        match self.chars[at] {
            '\n' | '\u{3002}' => true,
            '.' => {
                // No. 12
                let word = self.chars[..at].iter().rev().take(5).take_while(|c| c.is_alphabetic()).count();
                next.is_whitespace() && !((1..4).contains(&word) && self.chars.get(at + 2).is_some_and(char::is_ascii_digit))
            }
            // Not that of 5!
            '!' => next.is_whitespace() && !(at > 0 && self.chars[at - 1].is_ascii_digit()),
            '?' | ';' => next.is_whitespace(),
            _ => false,
        }
    }

    /// The sentence around a place.
    fn sentence(&self, at: usize) -> (usize, usize) {
        let (least, most) = (at.saturating_sub(SENTENCE), self.chars.len().min(at + SENTENCE));
        let from = (least..at).rev().find(|i| self.ends(*i)).map_or(least, |i| i + 1);
        (from, (at..most).find(|i| self.ends(*i)).unwrap_or(most))
    }

    /// Where the line of a place begins.
    fn line(&self, at: usize) -> usize {
        (0..at).rev().find(|i| self.chars[*i] == '\n').map_or(0, |i| i + 1)
    }

    /// The first number behind the last sign of equality between two places.
    fn result(&self, from: usize, to: usize) -> Option<usize> {
        let last = self.found.iter().rposition(|n| (from..to).contains(&n.span.0))?;
        let sign = |i: &usize| matches!(self.chars[*i], '=' | '\u{2248}' | '\u{2192}') && !matches!(self.chars.get(i + 1), Some('=' | '>'));
        let equal = (from..self.found[last].span.0).rev().find(sign)?;
        self.found.iter().position(|n| n.span.0 > equal)
    }

    /// The part of a sentence up to one of its numbers, with those that belong to it.
    fn part(&self, from: usize, to: usize, mut i: usize) -> &'t str {
        let joined = |a: &Number, b: &Number| b.link == Link::Or || b.sure != Sure::All || b.span.0 < a.span.1 + 3;
        while self.found.get(i + 1).is_some_and(|n| n.span.0 < to && joined(&self.found[i], n)) {
            i += 1;
        }
        let part = self.text(from, self.found.get(i + 1).map_or(to, |n| n.span.0.min(to)));
        part.split_once("[^").map_or(part, |(number, _note)| number)
    }

    /// Whether a number stands in brackets, and one in its sentence before them.
    fn aside(&self, i: usize) -> bool {
        let at = self.found[i].span.0;
        let (from, _) = self.sentence(at);
        let (mut depth, mut letters) = (0, false);
        for j in (from..at).rev() {
            match self.chars[j] {
                ')' | ']' => depth += 1,
                '(' | '[' if depth > 0 => depth -= 1,
                '(' | '[' if j > 0 && self.chars[j - 1].is_whitespace() => {
                    letters |= self.chars[self.found[i].span.1..].iter().take_while(|c| !matches!(c, ')' | ']' | '\n')).any(|c| c.is_alphabetic());
                    // A sentence in brackets is one of its own.
                    let from = if self.text(from, j).trim().is_empty() { 0 } else { from };
                    return (letters || self.chars[j] == '[') && self.found.iter().any(|n| (from..j).contains(&n.span.0));
                }
                c => letters |= c.is_alphabetic(),
            }
        }
        false
    }

    fn bold(&self, n: &Number) -> bool {
        let closed = self.chars[n.span.1..].iter().take(40).take_while(|c| **c != '\n').collect::<String>().contains("**");
        closed && self.chars[..n.span.0].ends_with(&['*', '*'])
    }

    /// Whether a number is that of an adjunct: 9 of `from 9 eggs`.
    fn adjunct(&self, n: &Number) -> bool {
        let before: String = self.chars[n.span.0.saturating_sub(24)..n.span.0].iter().collect();
        let mut words = before.trim_end_matches(['$', '*', ' ']).rsplit(|c: char| !c.is_alphabetic());
        let word = words.next().unwrap_or("").to_lowercase();
        let verb = words.next().unwrap_or("");
        matches!(&*word, "from" | "at" | "for" | "in" | "by" | "with" | "per" | "than" | "step" | "figure" | "page" | "section" | "since" | "until" | "of" | "the")
            && !["result", "come", "lead", "add", "total", "sum"].iter().any(|v| verb.starts_with(v))
    }
}

/// The numbers that a text does not deny: 42 of `41, not 42 or 43`, and 43.
pub fn undenied(mut found: Vec<Number>) -> Vec<Number> {
    let mut not = false;
    found.retain(|n| {
        not = n.link == Link::Not || not && n.link == Link::Or;
        !not
    });
    found
}

/// Whether a colon behind a number begins what it is made of.
fn self_explained(page: &Page, n: &Number) -> bool {
    page.chars.get(n.span.1) == Some(&':') && page.chars.get(n.span.1 + 1) == Some(&' ')
}

/// Whether a sentence concludes.
fn concludes(sentence: &str) -> bool {
    const WORDS: [&str; 16] = [
        "so", "thus", "therefore", "hence", "total", "altogether", "result", "get", "gives", "finally", "final", "makes", "equals", "leaves", "conclusion", "consequently",
    ];
    sentence.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|w| WORDS.contains(&w))
}

/// Whether the start of a line says that its number is one of several answers: `(b)`, `Part 2:`, `It might be`.
fn one_of_several(line: &str) -> bool {
    let lower = line.to_lowercase();
    let label = ["part ", "question ", "option ", "case ", "problem ", "exercise ", "q"].iter().any(|w| lower.trim_start_matches(['*', '#', ' ']).strip_prefix(w).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit())));
    let letter = lower.trim_end_matches(['*', '$', ' ']);
    label || ["b)", "c)", "d)", "e)"].iter().any(|w| letter.strip_suffix(w).is_some_and(|r| !r.ends_with(char::is_alphanumeric)))
        || ["could be", "might be", "may be", "maybe", "perhaps", "otherwise", "alternatively"].iter().any(|w| lower.contains(w))
}

/// The answer of a text that does not announce one.
fn stated<'t>(page: &Page<'t>) -> Given<'t> {
    let found = &page.found;
    let Some(end) = found.last() else { return Given { part: page.text, ..Given::default() } };
    // An explanation behind a number.
    let cut = found[0].span.1;
    let explained = explanation(page.text(cut, page.chars.len())).map_or(page.chars.len(), |at| cut + page.text(cut, page.chars.len())[..at].chars().count());
    let Some(last) = (0..found.len()).rev().find(|i| found[*i].span.0 < explained && !page.aside(*i)) else {
        return Given { part: page.text, ..Given::default() };
    };
    let (from, to) = page.sentence(found[last].span.0);
    let inside: Vec<usize> = (0..=last).filter(|i| found[*i].span.0 >= from && !page.aside(*i)).collect();
    let mut given = Given::default();
    let bold: Vec<usize> = inside.iter().copied().filter(|i| page.bold(&found[*i])).collect();
    let main: Vec<usize> = inside.iter().copied().filter(|i| !page.adjunct(&found[*i])).collect();
    let equal = page.result(from, to).filter(|i| inside.contains(i));
    let chosen = match (equal, &bold[..], &main[..]) {
        (Some(i), ..) | (None, &[i], _) => i,
        (_, _, &[i]) => i,
        (_, _, [.., i]) if *i == last => last,
        _ => {
            given.open = inside.len() > 1;
            last
        }
    };
    // Words behind the last number belong to it.
    given.part = page.part(from, if found.len() == last + 1 { page.chars.len() } else { to }, chosen);
    if inside.len() > 1 {
        let behind = page.text(from, page.chars.len()).get(given.part.len()..page.text(from, to).len());
        given.doubts.extend(if equal.is_some() { behind } else { Some(page.text(from, to)) });
    }
    if end.span.0 >= to {
        given.doubts.push(page.text(page.sentence(end.span.0).0, page.chars.len()));
    }
    // 5 apples and 3 pears; it may be 5, it may be 3; (a) 5 (b) 3
    let before = page.text(from, found[chosen].span.0);
    let joined = inside.len() > 1 && equal.is_none() && before.trim_end_matches(['*', '$', ' ']).ends_with(" and");
    let listed = chosen > 0 && one_of_several(page.text(page.line(found[chosen].span.0), found[chosen].span.0));
    if joined || listed {
        given.doubts.push(page.text(0, found[chosen].span.0));
        given.open = true;
    }
    // I get 5: 3 from A, 2 from B
    given.open |= equal.is_none() && inside.iter().any(|i| *i < last && self_explained(page, &found[*i]));
    // What comes out in a sentence before; or any number of a text that neither computes nor concludes.
    let before = page.text(0, from);
    if let (None, Some(i)) = (equal, page.result(0, from)) {
        given.doubts.push(page.part(found[i].span.0, from, i));
    } else if equal.is_none() && !concludes(page.text(from, to)) {
        given.doubts.push(before);
    }
    // In bold in a sentence before.
    let other = (0..inside[0]).rev().find(|i| page.bold(&found[*i])).filter(|_| equal.is_none() && bold.is_empty());
    if let Some(i) = other.filter(|i| found[*i].value != found[chosen].value) {
        let (from, to) = page.sentence(found[i].span.0);
        given.doubts.push(page.part(from, to, i));
        given.open = true;
    }
    given.listed = listed;
    given.last = &given.part[page.text(from, found[chosen].span.0).len()..];
    given
}

/// The answer, or the number with which an output starts.
fn leads<'t>(text: &'t str, comma: Comma, mut given: Given<'t>) -> Given<'t> {
    if longer(&text[..text.find(char::is_numeric).unwrap_or(0)]) > 0 {
        return given;
    }
    let page = Page::read(first(text, SENTENCE), comma);
    let Some(number) = page.found.first().filter(|n| n.sure == Sure::All && longer(page.text(0, n.span.0)) == 0) else { return given };
    let (_, end) = page.sentence(number.span.1);
    let behind = page.text(number.span.1, end);
    let close = [" (", " [", " because", ", because", " since", ", since", ", as ", ", i.e.", ", that is", " \u{2014} "].iter().filter_map(|w| behind.find(w)).min();
    let clause = &behind[..close.unwrap_or(behind.len())];
    let to = number.span.1 + clause.chars().count();
    // All that there is, or one of several numbers.
    if page.bytes[to] == text.len() || page.found.get(1).is_some_and(|n| n.span.0 < to) || longer(clause) > 3 || given.part.as_ptr() == text.as_ptr() && given.part.len() <= page.bytes[to] {
        return given;
    }
    given.open = close.is_none() && (page.chars.get(end) != Some(&'\n') || longer(&text[page.bytes[to]..]) < 6);
    given.doubts.push(given.last);
    given.part = page.text(0, to);
    given
}
