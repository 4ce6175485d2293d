//! Where an output gives the number that it answers with.

use crate::stated::{concludes, leads, part_of_several, stated, Page};
use crate::{conditional, denied, denied_before, denies, doubted, find_any, joins, lower, number_word, numbers, turn, words_before, Comma, Link, Number, Sure};
use crate::unicode::{heads, Pairs};
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
}

/// The most characters at the end of an output in which an answer without announcement is looked for.
const TAIL: usize = 4_000;

/// The most characters of a sentence on either side of a number.
pub(crate) const SENTENCE: usize = 400;

/// The most announcements by one word that are looked at.
const MARKS: usize = 50;

/// Words for the answer, in lower case.
pub const ANSWERS: [&str; 24] = [
    "answer", "ans", "antwort", "réponse", "respuesta", "resposta", "risposta", "antwoord", "ответ", "Ответ", "odpowiedź", "odpověď", "svar", "cevap", "jawaban", "đáp án", "Đáp án",
    "答案", "答え", "정답", "답", "الجواب", "الإجابة", "उत्तर",
];

/// Tags of an answer, and whether a number must follow.
const TAGS: [(&str, bool); 3] = [("####", true), ("<answer>", false), ("<final_answer>", false)];

/// Verbs between a word for the answer and the answer.
const VERBS: [&str; 25] = [
    " is", " are", " was", " would be", " should be", " will be", " equals", " ist", " lautet", " est", " es", " é", " è", " är", " er", " je", " adalah", " là", "是", "为", "は", "が", "은", "는", " هي",
];

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
        // All numbers except 3; no number except 3.
        let except = text.contains(" except ");
        let open = boxed(text).is_none() && (asked(text) || (except || unsure(text) || denies(first(text, SENTENCE))) && marks(text).is_empty());
        return Given { part: text, open, ..Given::default() };
    }
    let (whole, text) = (text, first_turn(text));
    // The answer is below. Question: what is 2 + 3? It is 5.
    if numerals(text) == 0 && !text.split(|c: char| !c.is_alphabetic()).any(|w| number_word(w) || w.eq_ignore_ascii_case("one")) {
        return Given { part: whole, open: true, ..Given::default() };
    }
    if let Some((at, inner)) = boxed(text) {
        let turned = turned(&text[at + inner.len()..]);
        let open = turned.open || enumerates(inner) || rival(&text[..at], inner) || case_of_box(&text[..at]);
        return Given { part: inner, announced: true, open, ..turned };
    }
    let mut given = announced(text, comma).unwrap_or_else(|| {
        let tail = last(text, TAIL);
        leads(text, comma, stated(&Page::read(tail, comma)))
    });
    given.open |= unequal(last(given.part, SENTENCE));
    given
}

/// The text before the first number of a text, and that behind it.
fn around(text: &str) -> Option<(&str, &str)> {
    let at = text.find(char::is_numeric)?;
    let mut rest = &text[at..];
    while let Some(more) = rest.strip_prefix(char::is_numeric).or_else(|| rest.strip_prefix(['.', ',', '/']).filter(|r| r.starts_with(char::is_numeric))) {
        rest = more;
    }
    Some((&text[..at], rest.trim_start_matches(['%', '*', '$', '`'])))
}

/// Whether a text asks for its first number, or denies it: `42?`, `Is it 42 apples?`, `42 is wrong`
pub fn asked(text: &str) -> bool {
    around(text).is_some_and(|(_, rest)| denied_before(rest) || rest.trim_start_matches(|c: char| c.is_alphabetic() || c == ' ').starts_with(['?', '\u{ff1f}', '\u{61f}']))
}

/// Whether the only number of a text is a guess or another's: `it could be 42`, `some say 42`, `Bob's answer is 42`, `the old answer was 42`.
fn unsure(text: &str) -> bool {
    let Some((before, _)) = around(text) else { return false };
    let before = lower(last(before, SENTENCE));
    let may = ["could be", "might be", "may be"].iter().any(|w| before.trim_end_matches([' ', '*', '$', '`']).ends_with(w));
    let former = |words: &[String]| words.first().is_some_and(|w| matches!(w.as_str(), "old" | "former" | "previous" | "initial" | "original" | "wrong" | "incorrect"));
    let words = words_before(before.chars().rev());
    // The number that you may choose is 42.
    let act = |w: &String| matches!(w.as_str(), "choose" | "pick" | "select" | "expect");
    may || denied(&words) && !words.iter().any(act) || before.rfind("answer").filter(|word| !before[*word..].starts_with("answers")).is_some_and(|word| former(&words_before(before[..word].chars().rev())) || reported(&before[..word]))
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
pub(crate) fn first(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    text.char_indices().nth(most).map_or(text, |(at, _)| &text[..at])
}

/// The last characters of a text.
fn last(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    text.char_indices().rev().nth(most).map_or(text, |(at, c)| &text[at + c.len_utf8()..])
}

/// What follows the last of the strongest words that announce an answer.
pub fn announcement(text: &str) -> Option<&str> {
    marks(first_turn(text)).into_iter().max_by_key(|(at, mark)| (!mark.aside, mark.rank, *at)).map(|(_, mark)| mark.rest)
}

/// How many groups of digits a text has, up to two.
pub(crate) fn numerals(text: &str) -> usize {
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

/// Whether the text before a box says that it is of another case than a box before it: `if n were 5, we would get`, or of the second part.
pub fn case_of_box(before: &str) -> bool {
    let before = before.strip_suffix("\\boxed{").or(before.strip_suffix("\\fbox{")).unwrap_or(before);
    let sentence = before.rsplit(['\n']).next().and_then(|line| line.rsplit(". ").next()).unwrap_or("");
    let second = sentence.contains("econd part") && before.contains("irst part");
    before.contains("boxed{") && (second || conditional(before, "") || part_of_several(sentence, before))
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

/// Words that begin a question.
const HEADS: [&str; 10] = ["Q", "Question", "Problem", "Exercise", "Task", "Human", "User", "question", "problem", "exercise"];

/// The text without questions that follow the answer: a model continues with the next example.
pub fn first_turn(text: &str) -> &str {
    const OTHERS: [&str; 2] = ["Next ", "New "];
    static FIRSTS: Pairs = Pairs::NONE.firsts(HEADS).firsts(OTHERS);
    // Question 2, where no question before has a number.
    let heading = |line: &str, numbered: bool| {
        let line = line.trim_start_matches(['*', '#', ' ', '_']);
        let line = OTHERS.iter().find_map(|w| line.strip_prefix(w)).unwrap_or(line);
        let rest = HEADS.iter().find_map(|w| line.strip_prefix(w)?.strip_prefix([':', ' ', '*']));
        rest.is_some_and(|rest| !line[..line.len() - rest.len()].ends_with(' ') || numbered && rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let first = std::cell::LazyCell::new(|| text.lines().find(|line| heading(line, true)).map_or(text.len(), |line| line.as_ptr() as usize - text.as_ptr() as usize));
    let next = |at: &usize| heading(&text[at + 1..], *first > *at);
    let at = text.match_indices('\n').map(|m| m.0).filter(|at| FIRSTS.begin(text[at + 1..].trim_start_matches(['*', '#', ' ', '_']))).find(next);
    at.map(|at| &text[..at]).filter(|before| !marks(before).is_empty()).unwrap_or(text)
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
    /// Whether it is said of another case (`for n = 5 the answer would be`), or another's (`your answer:`).
    aside: bool,
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
        // A heading of Markdown is not an answer.
        let line = first(rest, 100).lines().next().unwrap_or("");
        let number = line.trim_start_matches(['*', '$', '\\', '-', '(', ' ', '{']);
        let words = line.split_whitespace().count();
        let head = number.trim_start_matches(|c: char| c.is_ascii_digit());
        if !numbered || number.starts_with(|c: char| c.is_ascii_digit() || c == '.') && words < 5 && !head.starts_with(". ") && !head.starts_with(") ") {
            found.push((at, Mark { rank: 2, of: "", verb: false, aside: false, rest }));
        }
    };
    static FIRSTS: Pairs = Pairs::NONE.firsts(ANSWERS).firsts(heads(TAGS));
    // One pass over the text, from its end.
    let (mut tags, mut words) = (0, Vec::new());
    let bytes = lower.as_bytes();
    for (at, _) in bytes.windows(2).enumerate().rev().filter(|(_, pair)| FIRSTS.has([pair[0], pair[1]])) {
        let starts = |w: &str| bytes[at..].starts_with(w.as_bytes());
        if tags < MARKS && TAGS.iter().any(|t| starts(t.0)) {
            tags += 1;
            tag(at);
        } else if words.len() < MARKS && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric()) {
            words.extend(ANSWERS.into_iter().find(|w| starts(w) && w.is_ascii()).map(|w| (at, w)));
        }
    }
    if !text.is_ascii() {
        for word in ANSWERS.into_iter().filter(|w| !w.is_ascii()) {
            words.extend(lower.rmatch_indices(word).take(MARKS).map(|(at, _)| (at, word)));
        }
    }
    for (at, word) in words {
        let after = &text[at + word.len()..];
        // Long answer: the text that explains the short one.
        let inside = word.is_ascii() && (lower[..at].ends_with(joins) || lower[..at].ends_with("long ")) || word == "답" && lower[..at].ends_with('정');
        if inside || doubted(&lower[..at]) || reported(&lower[..at]) || fences.iter().any(|f| f.contains(&at)) {
            continue;
        }
        let Some((of, verb, rest)) = announces(after, word == "ans") else { continue };
        // The answer is correct.
        if verb && ["correct", "right", "verified", "confirmed", "consistent", "reasonable"].iter().any(|w| rest.strip_prefix(w).is_some_and(|r| r.trim_start_matches(['*', ' ']).starts_with(['.', '!', ',', '\n']) || r.trim().is_empty())) {
            continue;
        }
        let rank = u8::from(lower[..at].trim_end_matches(['*', '_', ' ']).ends_with("final"));
        let aside = conditional(&lower[..at], &after[..after.len() - rest.len()]);
        found.push((at, Mark { rank, of, verb, aside, rest }));
    }
    found.sort_by_key(|f| f.0);
    found
}

/// Whether the answer that follows is another one's: `Bob's answer is`, `"The answer is 42" is what Bob said`.
pub(crate) fn reported(before: &str) -> bool {
    let before = last(before, 40);
    let owner = before.trim_end().rsplit(' ').next().and_then(|w| w.strip_suffix("'s").or(w.strip_suffix("\u{2019}s")));
    owner.is_some_and(|w| !matches!(w, "let" | "question" | "problem" | "puzzle" | "riddle" | "exercise" | "equation" | "here" | "model" | "today")) || ["\"the ", "\u{201c}the "].iter().any(|w| before.ends_with(w))
}

/// Where blocks of code in a programming language are.
pub(crate) fn programs(text: &str) -> Vec<std::ops::Range<usize>> {
    const DATA: [&str; 13] = ["", "json", "text", "txt", "output", "plaintext", "markdown", "md", "xml", "yaml", "yml", "toml", "csv"];
    let mut found = Vec::new();
    if !text.contains('`') {
        return found;
    }
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
                let language = first(&text[at + 3..], 40).lines().next().unwrap_or("").trim().to_ascii_lowercase();
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
    let mut marks = marks(text);
    let alternative = marks.iter().any(|m| ["alternative", "alternate", "other possible", "second", "another"].iter().any(|w| last(&text[..m.0], 20).trim_end().to_ascii_lowercase().ends_with(w)));
    // What another one precedes that is not said of another case.
    let main = marks.iter().position(|m| !m.1.aside && m.1.answer(comma).is_some());
    let turns = |to: usize| main.is_some_and(|i| marks[i].0 < to && turn(&text[marks[i].0..to]).is_some());
    let aside: Vec<bool> = marks.iter().map(|m| m.1.aside && main.is_some() && !turns(m.0)).collect();
    let others: Vec<&str> = marks.iter().zip(&aside).filter(|m| *m.1).filter_map(|(m, _)| Some(m.1.answer(comma)?.part)).collect();
    let mut kept = aside.iter();
    marks.retain(|_| kept.next() == Some(&false));
    let rank = marks.iter().map(|m| m.1.rank).max()?;
    let marks: Vec<_> = marks.into_iter().filter(|m| m.1.rank == rank).collect();
    for (i, (at, mark)) in marks.iter().enumerate().rev() {
        let Some(mut given) = mark.answer(comma) else { continue };
        given.doubts.extend(&others);
        // 16 if the dice were fair; in cm: 250; in m: 2.5
        let line = mark.rest.lines().next().unwrap_or("");
        let head = mark.of.split(' ').next().unwrap_or("");
        let condition = mark.aside && line.split(". ").next().is_some_and(|s| s.contains(" if "));
        let again = |w: &str| line.split_once(w).is_some_and(|(_, other)| other.starts_with(head) && other.contains(|c: char| c.is_ascii_digit()));
        let two = condition || !head.is_empty() && ["; ", ", "].into_iter().any(again);
        given.doubts.extend(two.then_some(line));
        given.open |= alternative || two;
        // Of several, the last counts.
        let earlier = |j: usize| {
            let (from, before) = &marks[j];
            let start = text.len() - before.rest.len();
            Mark { rest: &text[start..(*at).max(start)], ..*before }.answer(comma).map(|g| ((*from, before), g))
        };
        if let Some((before, earlier)) = i.checked_sub(1).and_then(earlier) {
            if turn(&text[before.0..*at]).is_none() {
                given.open |= before.1.of != mark.of && !mark.of.is_empty() && !before.1.of.is_empty();
                // Answer: 18. Tom has 5 bags of 4. Answer: 20; but: so the answer is 20.
                let sentence = text[..*at].rsplit(['\n', '.']).next().unwrap_or("");
                let settled = longer(&text[before.0..*at]) > 5 && (rank > 0 || concludes(sentence) || sentence.contains("correct") || !before.1.of.is_empty());
                given.open |= !settled && contradicts(earlier.part, given.part);
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
            &[" (", "\u{ff08}", " [", ", because", " because", " since", ", since", " as ", ", as ", " \u{2014} ", " for ", " from ", " by ", " with ", " given", ", which", ", given", ", though", ", although", ", whereas", " whereas", ", while", " while", ", compared", ", up from", ", down from", ", rounded", "</", ". "]
        } else {
            &[" (", "\u{ff08}", " [", "  #", ", \"", "\",", " because", " since", "</", ", not ", " instead of", " rather than"]
        };
        // 3 in 4, but 12 apples in 3 boxes
        let within = behind.find(" in ").filter(|at| *at > 0 && self.verb && !far);
        let close = find_any(behind, ends).into_iter().chain(within).min();
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
        // 3 (x) and 4 (y)
        given.open |= after.split_once(") and ").is_some_and(|(inner, rest)| inner.len() < 20 && rest.starts_with(|c: char| c.is_ascii_digit()));
        // 42; 43; 44
        given.open |= page.chars.get(end) == Some(&';') && page.found.iter().any(|n| n.span.0 > end && n.span.0 < end + 4);
        let equal = page.result(0, end);
        given.open |= variables(page.text(0, end)) > 1 && !concludes(page.text(0, end));
        if equal.is_some_and(|i| page.converts(0, i)) {
            given.open = true;
            given.doubts.push(page.text(0, end));
        }
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
        } else if goes_on && (!near || self.rank == 0 && concludes(after)) {
            given.part = stated(&Page::read(long, comma)).part;
            given.doubts.push(page.text(0, end));
            given.open |= near;
        } else if !linked {
            let stated = stated(&Page::read(long, comma));
            given.open |= !far && (self.verb || stated.open || longer(page.text(0, first.span.0)) == 0);
            given.doubts.extend([page.text(0, end), stated.last]);
            given.part = if self.verb { given.part } else { stated.part };
        }
        Some(given)
    }
}

/// How many variables a text gives a value: 2 in `x = 12, y = 5`.
fn variables(text: &str) -> usize {
    fn name(part: &str) -> Option<&str> {
        let (name, value) = part.split_once('=')?;
        let name = name.trim_matches(|c: char| !c.is_alphanumeric());
        let name = name.rsplit([' ', '$', '(']).next().filter(|n| n.chars().count() == 1 && n.starts_with(char::is_alphabetic))?;
        value.trim_start_matches([' ', '$', '*', '-']).starts_with(|c: char| c.is_ascii_digit()).then_some(name)
    }
    let mut names: Vec<&str> = [",", "; ", " and "].iter().fold(vec![text], |parts, mark| parts.into_iter().flat_map(|p| p.split(mark)).collect()).into_iter().filter_map(name).collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}

/// How many words of two letters or more a text has.
pub(crate) fn longer(text: &str) -> usize {
    text.split(|c: char| !c.is_alphabetic()).filter(|w| w.len() > 1).count()
}

/// Where an explanation begins, on a line of its own behind the first.
pub fn explanation(text: &str) -> Option<usize> {
    let mut at = text.find('\n')? + 1;
    for line in text[at..].split_inclusive('\n') {
        let start = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '#' | '_' | '-' | '(' | '>'));
        let word = start.char_indices().nth(14).map_or(start, |(i, _)| &start[..i]).to_ascii_lowercase();
        let note = start.starts_with("[^") || start.starts_with('[') && start[1..].starts_with(|c: char| c.is_ascii_digit());
        if note || EXPLAINS.iter().any(|w| w.as_bytes().first() == word.as_bytes().first() && word.starts_with(w)) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_moduli_pass_their_guards() {
        for code in crate::numeral::CURRENCIES {
            assert_eq!(numbers(&format!("{code}18"), Comma::Thousands).iter().map(|n| n.value).collect::<Vec<_>>(), [18.0], "{code}");
        }
        for word in ["mod", "modulo", "\\bmod", "\\pmod{"] {
            let text = format!("2 {word} 7");
            assert_eq!(numbers(&text, Comma::Thousands).iter().map(|n| n.value).collect::<Vec<_>>(), [2.0], "{text}");
        }
    }

    #[test]
    fn each_word_of_the_lists_is_found() {
        for word in ANSWERS.map(|w| format!("{w}:")).into_iter().chain(TAGS.map(|t| t.0.to_string())) {
            assert_eq!(marks(&format!("So 3 and 4.\n{word} 5")).len(), 1, "{word}");
        }
        for word in EXPLAINS {
            assert_eq!(explanation(&format!("5\n{word}: 2 + 3")), Some(2), "{word}");
        }
        for word in HEADS {
            assert_eq!(first_turn(&format!("Answer: 5\n{word}: 2 + 3?")), "Answer: 5", "{word}");
        }
    }
}
