//! Where an output gives the number that it answers with.

use crate::{denied, doubted, joins, number_word, numbers, turn, words_before, Comma, Link, Number, Sure};
use rubric_host_sdk::Value;

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

/// Tags of an answer, and whether a number must follow.
const TAGS: [(&str, bool); 3] = [("####", true), ("<answer>", false), ("<final_answer>", false)];

/// Verbs between a word for the answer and the answer.
const VERBS: [&str; 17] = [" is", " are", " was", " would be", " should be", " will be", " equals", " ist", " lautet", " est", " es", " é", " è", "是", "为", "は", "が"];

/// Words that begin an explanation behind the answer, at the start of a line.
const EXPLAINS: [&str; 43] = [
    "explanation", "calculation", "reasoning", "reason", "rationale", "justification", "because", "note", "working", "steps", "check", "verification", "proof", "confidence", "source", "reference", "footnote",
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
        let turned = turned(&text[at + inner.len()..]);
        let open = turned.open || enumerates(inner) || rival(&text[..at], inner);
        return Given { part: inner, announced: true, open, ..turned };
    }
    let mut given = announced(text, comma).unwrap_or_else(|| {
        let tail = last(text, TAIL);
        let given = stated(&Page::read(tail, comma));
        if given.listed { given } else { leads(text, comma, given) }
    });
    given.open |= unequal(last(given.part, SENTENCE));
    given
}

/// Whether a text calls different numbers equal: `41 = 42`, not `120*.1 = 12`.
fn unequal(text: &str) -> bool {
    let mark = [' ', '$', '*'];
    let value = |side: &str| Value::Number(&side.trim_matches(mark).replace(',', "")).as_f64();
    let mut sides = text.split('=');
    let first = sides.next().unwrap_or("");
    let mut last = value([" is ", ":"].iter().fold(first, |side, w| side.rsplit(w).next().unwrap_or(side)));
    sides.any(|side| {
        let side = side.trim_start_matches(mark);
        let end = side.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).unwrap_or(side.len());
        let alone = side[end..].trim_matches(mark).is_empty();
        let next = value(side[..end].trim_end_matches(['.', ','])).filter(|_| alone);
        matches!((std::mem::replace(&mut last, next), next), (Some(a), Some(b)) if (a - b).abs() > 0.02 * a.abs().max(b.abs()))
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

/// How many groups of digits a text has, up to two.
fn numerals(text: &str) -> usize {
    let mut last = false;
    text.chars().filter(|c| std::mem::replace(&mut last, c.is_numeric()) < c.is_numeric()).take(2).count()
}

/// The content of the last box, and where it is.
pub fn boxed(text: &str) -> Option<(usize, &str)> {
    if !text.contains('\\') {
        return None;
    }
    let open = ["\\boxed{", "\\fbox{"].iter().filter_map(|b| Some(text.rfind(b)? + b.len())).max()?;
    let mut depth = 0;
    let close = text[open..].find(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth < 0 || c == '\n'
    });
    let inner = &text[open..close.map_or(text.len(), |c| open + c)];
    Some((open, inner))
}

/// Whether a text is several numbers that commas and their like separate: `42, 43`.
fn enumerates(text: &str) -> bool {
    let found = numbers(text, Comma::Thousands);
    let chars: Vec<char> = text.chars().collect();
    let between = |a: &Number, b: &Number| chars[a.span.1.min(b.span.0)..b.span.0].iter().collect::<String>();
    let mark = |t: &str| t.contains([',', ';', '|']) || t.contains("or") || t.contains("and");
    found.windows(2).any(|n| n[0].value != n[1].value && n[1].sure == Sure::All && mark(&between(&n[0], &n[1])) && !between(&n[0], &n[1]).contains('='))
}

/// Whether another box stands just before one.
fn rival(before: &str, inner: &str) -> bool {
    let near = last(before, 60);
    let value = |t: &str| match numbers(t, Comma::Thousands)[..] {
        [n] => Some(n.value),
        _ => None,
    };
    let Some((other, between)) = near.rsplit_once("boxed{").filter(|_| near.ends_with("boxed{")).and_then(|(b, _)| b.rsplit_once("boxed{")?.1.split_once('}')) else { return false };
    let (a, b) = (value(other), value(inner));
    a.is_some() && b.is_some() && a != b && longer(between.trim_end_matches('\\')) < 3
}

/// The text without questions that follow the answer: a model goes on with the next example.
fn first_turn(text: &str) -> &str {
    let next = |at: &usize| ["Q:", "Question:", "Problem:", "Human:", "User:"].iter().any(|w| text[at + 1..].starts_with(w));
    text.match_indices('\n').map(|m| m.0).find(next).map(|at| &text[..at]).filter(|before| !marks(before).is_empty()).unwrap_or(text)
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
    let fences = programs(text);
    let mut tag = |at: usize| {
        let Some((tag, numbered)) = TAGS.into_iter().find(|t| lower[at..].starts_with(t.0)) else { return };
        let rest = text[at + tag.len()..].trim_start();
        // A heading of Markdown is no answer.
        let line = first(rest, 100).lines().next().unwrap_or("");
        let number = line.trim_start_matches(['*', '$', '\\', '-', '(', ' ', '{']);
        let words = line.split_whitespace().count();
        let head = number.trim_start_matches(|c: char| c.is_ascii_digit());
        if !numbered || number.starts_with(|c: char| c.is_ascii_digit() || c == '.') && words < 5 && !head.starts_with(". ") && !head.starts_with(") ") {
            found.push((at, Mark { rank: 2, of: "", verb: false, rest }));
        }
    };
    // One pass over the text, from its end.
    let (mut tags, mut words) = (0, Vec::new());
    for (at, byte) in lower.bytes().enumerate().rev() {
        match byte {
            b'#' | b'<' if tags < MARKS && (byte == b'<' || lower[at..].starts_with("####")) => {
                tags += 1;
                tag(at);
            }
            b'a' | b'r' | b's' | b'c' | b'j' if words.len() < MARKS && (at == 0 || !lower.as_bytes()[at - 1].is_ascii_alphanumeric()) => {
                words.extend(WORDS.into_iter().find(|w| w.is_ascii() && lower[at..].starts_with(w)).map(|w| (at, w)));
            }
            _ => {}
        }
    }
    if !text.is_ascii() {
        for word in WORDS.into_iter().filter(|w| !w.is_ascii()) {
            words.extend(lower.rmatch_indices(word).take(MARKS).map(|(at, _)| (at, word)));
        }
    }
    for (at, word) in words {
        let after = &text[at + word.len()..];
        let inside = word.is_ascii() && lower[..at].ends_with(joins) || word == "답" && lower[..at].ends_with('정');
        if inside || doubted(&lower[..at]) || reported(&lower[..at]) || fences.iter().any(|f| f.contains(&at)) {
            continue;
        }
        let Some((of, verb, rest)) = announces(after, word == "ans") else { continue };
        // ans = 6, so there are 42.
        let program = text[..text.len() - rest.len()].trim_end().ends_with('=') && rest.split_once('\n').is_some_and(|(_, more)| numerals(last(more, TAIL)) > 0 && concludes(last(more, TAIL)));
        if !program {
            let rank = u8::from(lower[..at].trim_end_matches(['*', '_', ' ']).ends_with("final"));
            found.push((at, Mark { rank, of, verb, rest }));
        }
    }
    found.sort_by_key(|f| f.0);
    found
}

/// Whether the answer that follows is another one's: `Bob's answer is`, `"The answer is 42" is what Bob said`.
fn reported(before: &str) -> bool {
    let before = last(before, 40);
    let owner = before.trim_end().rsplit(' ').next().and_then(|w| w.strip_suffix("'s").or(w.strip_suffix("\u{2019}s")));
    owner.is_some_and(|w| !matches!(w, "let" | "question" | "problem" | "here" | "model" | "today")) || ["\"the ", "\u{201c}the "].iter().any(|w| before.ends_with(w))
}

/// Where blocks of code in a programming language are.
fn programs(text: &str) -> Vec<std::ops::Range<usize>> {
    const DATA: [&str; 9] = ["", "json", "text", "txt", "output", "plaintext", "markdown", "md", "xml"];
    let mut found = Vec::new();
    let mut open: Option<(usize, bool)> = None;
    for (at, _) in text.match_indices("```") {
        open = match open {
            Some((from, program)) => {
                if program {
                    found.push(from..at);
                }
                None
            }
            None => {
                let language = text[at + 3..].lines().next().unwrap_or("").trim().to_ascii_lowercase();
                Some((at, !DATA.contains(&language.as_str())))
            }
        };
    }
    found.extend(open.filter(|o| o.1).map(|o| o.0..text.len()));
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
                given.open |= longer(&text[before.0..*at]) < 6 && contradicts(earlier.part, given.part);
                given.doubts.push(earlier.part);
            }
        }
        return Some(given);
    }
    None
}

/// Whether two texts end with different numbers.
fn contradicts(a: &str, b: &str) -> bool {
    let value = |t: &str| numbers(t, Comma::Thousands).last().filter(|n| n.sure == Sure::All).map(|n| n.value);
    matches!((value(a), value(b)), (Some(a), Some(b)) if a != b)
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
        // Answer: 42? No.
        if page.chars.get(first.span.1) == Some(&'?') && numerals(&self.rest[page.bytes[first.span.1]..]) > 0 {
            return None;
        }
        // What ends a clause behind its number.
        let behind = page.text(first.span.1, end);
        // The answer is the sum of 20 and 22, 42.
        let far = longer(page.text(0, first.span.0)) > 2;
        let ends: &[&str] = if far {
            &["</"]
        } else if self.verb {
            &[" (", "\u{ff08}", " [", ", because", " because", " since", ", since", " as ", ", as ", " \u{2014} ", " for ", " from ", " by ", " with ", " given", ", which", ", given", ", though", ", although", "</", ". "]
        } else {
            &[" (", "\u{ff08}", " [", "  #", ", \"", "\",", " because", " since", "</", ", not ", " instead of", " rather than"]
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
        // 42; 43; 44
        given.open |= page.chars.get(end) == Some(&';') && page.found.iter().any(|n| n.span.0 > end && n.span.0 < end + 4);
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
    /// Where programs are, in bytes.
    programs: Vec<std::ops::Range<usize>>,
}

impl<'t> Page<'t> {
    fn read(text: &'t str, comma: Comma) -> Self {
        let bytes = text.char_indices().map(|c| c.0).chain([text.len()]).collect();
        Page { text, chars: text.chars().collect(), bytes, found: undenied(numbers(text, comma)), programs: programs(text) }
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
            '!' => next.is_whitespace() && (at == 0 || !self.chars[at - 1].is_ascii_digit() || self.chars.get(at + 2).is_some_and(|c| c.is_uppercase())),
            '?' | ';' => next.is_whitespace(),
            _ => false,
        }
    }

    fn value(&self, i: usize) -> f64 {
        self.found[i].value / if self.found[i].percent { 100.0 } else { 1.0 }
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
        let sign = |i: &usize| matches!(self.chars[*i], '=' | '\u{2248}' | '\u{2192}') && !matches!(self.chars.get(i + 1), Some('=' | '>')) && !self.condition(*i);
        let equal = (from..self.found[last].span.0).rev().find(sign)?;
        self.found.iter().position(|n| n.span.0 > equal)
    }

    /// Whether a sign of equality says under which condition: `for n = 2`, `where k = 3`.
    fn condition(&self, sign: usize) -> bool {
        let before: String = self.chars[sign.saturating_sub(24)..sign].iter().collect();
        let before = before.trim_end_matches([' ', '$']).trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '\\'));
        let word = before.trim_end_matches([' ', '$', '(', '\\']).rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or("").to_lowercase();
        before.ends_with([' ', '$', '(']) && matches!(&*word, "for" | "when" | "where" | "if" | "with" | "let" | "given" | "since" | "because" | "using" | "as")
    }

    /// Whether a number says nothing of the answer: in a question, a courtesy, a check or a program at the end.
    fn idle(&self, i: usize) -> bool {
        const COURTESY: [&str; 27] = [
            "hope th", "hope it", "let me know", "feel free", "good luck", "great job", "well done", "thank", "would you like", "do you want", "happy to", "more question", "other question",
            "please ask", "if you need", "if you have", "if you want", "if you'd like", "generated in", "hoffe", "gerne", "espero que", "j'espère", "希望", "надеюсь", "spero che", "please explain",
        ];
        const CHECKS: [&str; 14] = [
            "check", "verif", "let me verify", "let's verify", "let us verify", "we can verify", "to verify", "let me check", "let's check", "let me double", "let's double", "we can double", "to double-check", "does th",
        ];
        let at = self.found[i].span.0;
        let (from, to) = self.sentence(at);
        if self.chars.get(to) == Some(&'?') || denied(&words_before(self.chars[..at].iter().rev().copied())) || self.text(from, at).rfind("answer").is_some_and(|word| reported(&self.text(from, at)[..word])) || self.programs.iter().any(|p| p.contains(&self.bytes[at])) {
            return true;
        }
        let sentence = self.text(from, to).to_lowercase();
        let start = |t: &str| CHECKS.iter().any(|w| t.trim_start_matches(|c: char| !c.is_alphabetic()).starts_with(w));
        COURTESY.iter().any(|w| sentence.contains(w)) || start(&sentence) || start(&self.text(self.line(at), at).to_lowercase()) || sentence.trim_start().starts_with("where ")
    }

    /// The part of a sentence up to one of its numbers, with those that belong to it.
    fn part(&self, from: usize, to: usize, mut i: usize) -> &'t str {
        let joined = |a: &Number, b: &Number| b.link == Link::Or || b.sure != Sure::All || b.span.0 < a.span.1 + 3 && self.chars[a.span.1.min(b.span.0)..b.span.0] != [' ', '['];
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

    /// Where a reason begins behind a number of a sentence: `12, because 12 × 12 = 144`.
    fn reason(&self, from: usize, to: usize) -> Option<usize> {
        let first = self.found.iter().find(|n| n.span.0 >= from)?.span.1;
        let rest = self.text(first.min(to), to);
        let at = [" because", ", since ", " since ", ", where "].iter().filter_map(|w| rest.find(w)).min()?;
        let turns = ["but", "and"].iter().any(|w| rest[..at].ends_with(w));
        let concludes = turns || [", so ", "therefore", "thus", "hence", "leav", ", that"].iter().any(|w| rest[at..].contains(w));
        let year = rest[at..].trim_start_matches([',', ' ']).strip_prefix("since ").is_some_and(|r| r.starts_with(char::is_numeric) && !r.contains(['=', '\u{2248}']));
        (!concludes && !year).then(|| first + rest[..at].chars().count())
    }

    /// Whether words between two numbers conclude: `with a = 6 and b = 7, so the product is 42`.
    fn concluded(&self, i: usize, last: usize) -> bool {
        let (from, to) = (self.found[i].span.1, self.found[last].span.0);
        from < to && [", so ", "therefore", "thus", "hence"].iter().any(|w| self.text(from, to).contains(w))
    }

    /// Whether a number is computed: what is before it in its equation is more than a number, and takes up the result
    /// of an equation before.
    fn derived(&self, from: usize, i: usize) -> bool {
        let signs = ['=', '\u{2248}', '\u{2192}'];
        let before = self.text(from, self.found[i].span.0);
        let before = before.rfind(signs).map_or(before, |at| &before[..at]);
        let start = [", ", "; ", ": ", " and ", " where ", " with ", "\\\\"].iter().filter_map(|w| before.rfind(w).filter(|at| before[at + w.len()..].contains(char::is_alphanumeric))).max().unwrap_or(0);
        let (clause, start) = (&before[start..], from + before[..start].chars().count());
        let used: Vec<f64> = self.found[..i].iter().filter(|n| n.span.0 >= start).map(|n| n.value).collect();
        let bare = numerals(clause) < 2 && clause.trim_matches([',', ';', ':', '&']).chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | '$' | '*'));
        !used.is_empty() && !bare && self.result(from, start).is_none_or(|earlier| used.contains(&self.found[earlier].value))
    }

    /// Whether a sentence concludes with a number: `so there are 42`, `42 in total`.
    fn concludes(&self, from: usize, chosen: usize, main: &[usize]) -> bool {
        let number = &self.found[chosen];
        let Some(before) = main.iter().rev().find(|i| **i < chosen).map(|i| &self.found[*i]) else {
            return concludes(self.text(from, number.span.0)) || self.totals(number);
        };
        let between = self.text(before.span.1, number.span.0);
        // First 3, then 4.
        between.trim_matches([' ', ',']) == "then" || !self.totals(before) && between.find([',', ';', ':']).map_or(concludes(between), |at| concludes(&between[at..])) || self.totals(number)
    }

    /// Whether a number is called a total behind it.
    fn totals(&self, n: &Number) -> bool {
        let clause: String = self.chars[n.span.1..].iter().take(40).take_while(|c| !matches!(c, ',' | ';' | ':' | '\n' | '(')).collect();
        ["in total", "in all", "altogether"].iter().any(|w| clause.find(w).is_some_and(|at| !clause[..at].contains(char::is_numeric)))
    }

    /// Whether a number is all of the last line, and not one of several such lines.
    fn alone(&self, from: usize, to: usize, chosen: usize) -> bool {
        let n = &self.found[chosen];
        let bare = |text: &str| text.chars().all(|c| c.is_whitespace() || matches!(c, '*' | '$' | '\u{20ac}' | '\u{a3}' | '\u{a5}' | '-' | '=' | '>' | '_' | '`' | '#' | '.' | '\u{2212}'));
        let line = self.line(from.min(n.span.0));
        let before = self.text(0, line).trim_end().rsplit('\n').next().unwrap_or("");
        bare(self.text(line, n.span.0)) && longer(self.text(n.span.1, to)) < 2 && self.found.get(chosen + 1).is_none() && longer(before) > usize::from(before.contains(char::is_numeric))
    }

    /// Whether a sentence says of something that it is a number, the last of it: `The remainder is 15`.
    fn said(&self, i: usize) -> bool {
        const VERBS: [&str; 15] = [" is", " are", " be", "'s", " make", " equals", " to get", " ist", " sind", " est", " es", " é", " è", " \u{2192}", ":"];
        let n = &self.found[i];
        let (from, to) = self.sentence(n.span.0);
        let before = self.text(from, n.span.0).trim_end_matches([' ', '$', '*', '\u{20ac}', '\u{a3}']);
        let other = [" which is", ", that is", "there are", "there is", "\":"].iter().any(|w| before.ends_with(w));
        !other && VERBS.iter().any(|v| before.ends_with(v)) && longer(self.text(n.span.1, to).split([',', '(']).next().unwrap_or("")) < 3
    }

    fn bold(&self, n: &Number) -> bool {
        let closed = self.chars[n.span.1..].iter().take(40).take_while(|c| **c != '\n').collect::<String>().contains("**");
        closed && self.chars[..n.span.0].ends_with(&['*', '*'])
    }

    /// Whether a number is that of an adjunct: 9 of `from 9 eggs`.
    fn adjunct(&self, n: &Number) -> bool {
        let before: String = self.chars[n.span.0.saturating_sub(24)..n.span.0].iter().collect();
        let sign = (n.span.0.saturating_sub(3)..n.span.0).rev().find(|i| self.chars[*i] == '=');
        if sign.is_some_and(|i| self.condition(i)) {
            return true;
        }
        let before = before.trim_end_matches(['$', '*', ' ']);
        // After a 25% discount.
        let before = ["a", "an"].iter().find_map(|a| before.strip_suffix(a)?.strip_suffix(' ')).filter(|b| ["after", "on", "at", "with", "from", "for"].iter().any(|w| b.ends_with(w))).unwrap_or(before);
        let mut words = before.rsplit(|c: char| !c.is_alphabetic());
        let word = words.next().unwrap_or("").to_lowercase();
        let verb = words.next().unwrap_or("");
        // An area of 12.
        let whole = word == "of" && matches!(words.next(), Some("a" | "an"));
        !whole && matches!(&*word, "from" | "at" | "for" | "in" | "by" | "with" | "per" | "than" | "step" | "figure" | "page" | "section" | "since" | "until" | "of" | "the" | "after" | "on" | "every" | "all" | "los" | "las" | "les" | "des")
            && !["result", "come", "lead", "add", "total", "sum", "up", "left"].iter().any(|v| verb.starts_with(v))
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

/// Words that conclude.
const CONCLUDES: [&str; 17] = [
    "so", "thus", "therefore", "hence", "total", "altogether", "result", "get", "gives", "finally", "final", "makes", "obtain", "together", "leaves", "conclusion", "consequently",
];

/// Whether a text concludes.
fn concludes(text: &str) -> bool {
    text.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|w| CONCLUDES.contains(&w))
}

/// Whether the start of a line says that its number is one of several answers: `(b)`, `Part 2:`, `It might be`.
fn one_of_several(line: &str) -> bool {
    let lower = line.to_lowercase();
    let label = ["part ", "question ", "option ", "case ", "problem ", "exercise ", "q"].iter().any(|w| lower.trim_start_matches(['*', '#', ' ']).strip_prefix(w).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit())));
    let letter = lower.trim_end_matches(['*', '$', ' ']);
    label || ["b)", "c)", "d)", "e)"].iter().any(|w| letter.strip_suffix(w).is_some_and(|r| !r.ends_with(char::is_alphanumeric)))
        || lower.rsplit(". ").next().is_some_and(|s| s.trim_start().starts_with("or "))
        || ["could be", "might be", "may be", "maybe", "perhaps", "otherwise", "alternatively", "if that's wrong", "if not, "].iter().any(|w| lower.contains(w))
}

/// The answer of a text that does not announce one.
fn stated<'t>(page: &Page<'t>) -> Given<'t> {
    let found = &page.found;
    let Some(end) = found.last() else { return Given { part: page.text, ..Given::default() } };
    // An explanation behind a number.
    let cut = found[0].span.1;
    let explained = explanation(page.text(cut, page.chars.len())).map_or(page.chars.len(), |at| cut + page.text(cut, page.chars.len())[..at].chars().count());
    let meant = |i: &usize| found[*i].span.0 < explained && !page.aside(*i);
    let Some(last) = (0..found.len()).rev().find(|i| meant(i) && !page.idle(*i)).or_else(|| (0..found.len()).rev().find(meant)) else {
        return Given { part: page.text, ..Given::default() };
    };
    let (from, whole) = page.sentence(found[last].span.0);
    let to = page.reason(from, whole).unwrap_or(whole);
    let last = (0..=last).rev().find(|i| found[*i].span.0 < to).unwrap_or(last);
    let inside: Vec<usize> = (0..=last).filter(|i| found[*i].span.0 >= from && !page.aside(*i)).collect();
    let main: Vec<usize> = inside.iter().copied().filter(|i| !page.adjunct(&found[*i])).collect();
    let bold: Vec<usize> = inside.iter().copied().filter(|i| page.bold(&found[*i])).collect();
    let equal = page.result(from, to).filter(|i| inside.contains(i) && !page.concluded(*i, last));
    // What came out in a sentence before.
    let computed = page.result(0, from);
    let restated: Vec<usize> = inside.iter().copied().filter(|i| computed.is_some_and(|c| found[c].value == found[*i].value)).collect();
    let chosen = match (equal, &bold[..], &restated[..], &main[..]) {
        (Some(i), ..) | (None, &[i], ..) | (None, _, &[i], _) | (None, _, _, &[i]) => i,
        _ => last,
    };
    // Words behind the last number belong to it.
    let part = page.part(from, if found.len() == last + 1 { page.chars.len() } else { to }, chosen);
    let end_of_part = from + part.chars().count();
    let reason = |n: &Number| n.span.0 >= to && n.span.0 < whole;
    let own = |n: &Number| n.span.0 >= found[chosen].span.0 && n.span.0 < end_of_part;
    let adjunct = page.adjunct(&found[chosen]);
    let rival = |n: usize| page.value(n) != page.value(chosen) && !reason(&found[n]) && !own(&found[n]) && (adjunct || !page.adjunct(&found[n])) && meant(&n) && !page.idle(n);
    let listed = chosen > 0 && one_of_several(page.text(page.line(found[chosen].span.0), found[chosen].span.0));
    let named = |i: usize| page.said(i) && (inside[0] != i || !page.text(from, found[i].span.0).contains(':'));
    let certain = match (equal, &bold[..]) {
        (Some(i), _) => !(if page.derived(from, i) || page.concludes(from, i, &main) { i } else { inside[0] }..last + 1).any(rival),
        (None, &[i]) => !(0..i).any(|n| page.bold(&found[n]) && rival(n)),
        _ => restated == [chosen] || page.concludes(from, chosen, &main) || page.alone(from, to, chosen) || named(chosen) && !(0..found.len()).any(|n| page.said(n) && rival(n)) || !page.idle(chosen) && !(0..found.len()).any(rival),
    };
    let mut given = Given { part, listed, ..Given::default() };
    given.open = listed || !certain;
    if given.open {
        given.doubts.push(page.text);
    } else if inside.len() > 1 {
        let behind = page.text(from, page.chars.len()).get(given.part.len()..page.text(from, to).len());
        given.doubts.extend(if equal.is_some() { behind } else { Some(page.text(from, to)) });
    }
    if end.span.0 >= to {
        given.doubts.push(page.text(page.sentence(end.span.0).0, page.chars.len()));
        given.doubts.push(page.text(to, whole));
    }
    if let (None, Some(i)) = (equal, computed) {
        given.doubts.push(page.part(found[i].span.0, from, i));
    }
    given.last = &given.part[page.text(from, found[chosen].span.0).len()..];
    given
}

/// The answer, or the number with which an output starts.
fn leads<'t>(text: &'t str, comma: Comma, mut given: Given<'t>) -> Given<'t> {
    let before = &text[..text.find(char::is_numeric).unwrap_or(0)];
    if longer(before) > 0 || before.contains('=') {
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
    // 12 (or 13)
    given.open = page.found.get(1).is_some_and(|n| n.link == Link::Or && page.value(1) != page.value(0)) || turn(&text[page.bytes[to]..]).is_some() || close.is_none() && (page.chars.get(end) != Some(&'\n') || longer(&text[page.bytes[to]..]) < 6);
    given.doubts.push(given.last);
    given.part = page.text(0, to);
    given
}
