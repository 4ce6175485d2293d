//! `choice`: the letter of a multiple-choice answer.

use crate::{clip, one_if, unknown, Texts};
use rubric_host_sdk::{Answer, Object, Request, Result};
use rubric_host_text::{after_reasoning, clause_ends, denied, doubted, joins, negative, turn, words, words_before};
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
    let texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(unscored) => return Ok(unscored),
    };
    // Several references are several right letters together, as in Inspect: A and C.
    let mut wanted = BTreeSet::new();
    for reference in &texts.references {
        match list(&plain(reference).replace('/', ","), &valid) {
            Some(letters) => wanted.extend(letters),
            None => {
                return Ok(Answer::unscored(format!("a reference is not the letter of a choice: \"{}\"", clip(reference))))
            }
        }
    }
    let output = plain(after_reasoning(texts.output).unwrap_or("").trim());
    let shown = |letters: &BTreeSet<char>| letters.iter().map(char::to_string).collect::<Vec<_>>().join(",");
    let (got, rule) = match marked(&output, &valid).or_else(|| if strict { None } else { anywhere(&output, &valid) }) {
        None if output.len() < 2_000 && lookalike(&output) => return Ok(Answer::unscored("the output has a letter of another alphabet that looks like one of a choice")),
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

/// What an output chooses.
enum Found {
    /// Letters, and by which rule they were found.
    Letters(BTreeSet<char>, &'static str),
    /// Several, of which it does not choose.
    Several(BTreeSet<char>),
    /// More than are looked at.
    TooMany,
}

/// Letters in a text that belong together: `B`, `(B)`, `A and C`.
struct Group {
    letters: BTreeSet<char>,
    from: usize,
    to: usize,
    /// They are joined by `or`.
    either: bool,
}

impl Group {
    fn found(self, rule: &'static str) -> Found {
        if self.either { Found::Several(self.letters) } else { Found::Letters(self.letters, rule) }
    }
}

/// Whether a character is a letter of a choice.
type Valid<'v> = &'v dyn Fn(char) -> bool;

/// The text without emphasis, its full-width characters as ASCII.
fn plain(text: &str) -> String {
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
    if !out.contains('\\') {
        return out;
    }
    ["\\text{", "\\textbf{", "\\mathrm{", "\\mathbf{"].iter().fold(out, |t, command| t.replace(command, "{"))
}

/// Whether a Cyrillic or Greek letter that looks like a Latin one stands alone, and is not a word of a sentence.
fn lookalike(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let get = |i: usize| chars.get(i).copied().unwrap_or('.');
    let ends = |i: usize| !joins(get(i)) && !(get(i) == ' ' && joins(get(i + 1)));
    (0..chars.len()).any(|i| matches!(get(i), 'А' | 'В' | 'С' | 'Е' | 'Α' | 'Β' | 'Ε') && (i == 0 || !joins(chars[i - 1])) && ends(i + 1))
}

/// Letters alone: `A`, `A, C`, `A and C`, `AC` in capitals; B of `(B) A and C`.
fn list(text: &str, valid: Valid) -> Option<BTreeSet<char>> {
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | '&' | ';' | '(' | ')' | '{' | '}' | '[' | ']' | '.' | '\u{3002}' | '\u{3001}');
    let mut found = BTreeSet::new();
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
        if !part.chars().all(|c| valid(c) && (single || c.is_ascii_uppercase())) {
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
/// is no text of an option, as true, false, yes and no may be; and where it ends.
fn label(chars: &[char], end: usize) -> Option<(bool, bool, usize)> {
    let mark = |c: &char| matches!(c, ' ' | ')' | ']' | ':' | '.' | '?' | '=' | '-' | '\u{2013}' | '\u{2014}' | '\u{2192}');
    let rest = &chars[end..];
    let rest = &rest[rest.iter().take(4).take_while(|c| mark(c)).count()..];
    let to = chars.len() - rest.len();
    match rest.first()? {
        '\u{2713}' | '\u{2714}' | '\u{2705}' | '\u{2611}' => return Some((true, true, to + 1)),
        '\u{2717}' | '\u{2718}' | '\u{274c}' | '\u{2716}' => return Some((false, true, to + 1)),
        _ => {}
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
fn group(chars: &[char], from: usize, valid: Valid) -> Option<Group> {
    let (letter, mut to) = one(chars, from, valid)?;
    let mut group = Group { letters: [letter].into(), from, to, either: false };
    let mut ended = false;
    loop {
        let rest: String = chars[to..].iter().take(20).collect();
        let trimmed = rest.trim_start_matches([' ', ',', '/', '&', ';', '+', '\u{3001}']);
        let word = ["and ", "or maybe ", "or perhaps ", "or possibly ", "or ", "(or ", "nor "].iter().find(|w| trimmed.starts_with(**w));
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
        '\'' | '\u{2019}' => joins(after),
        '+' => after == '+',
        '.' => after.is_ascii_uppercase() && get(at + 3) == '.',
        '-' | '_' | '#' => true,
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
    let verb = matches!(word.as_str(), "is" | "was" | "isn" | "because" | "since" | "if" | "unless" | "wins" | "fits") || c == 'A' && (labelled || matches!(word.as_str(), "and" | "or" | "nor"));
    let article = matches!(c, 'A' | 'I') && next == ' ' && word.starts_with(char::is_lowercase) && !verb;
    (!article).then_some((c, at + 1))
}

/// Words that may stand between what announces a letter and the letter.
const FILLERS: [&str; 23] = [
    "option", "options", "choice", "choices", "letter", "letters", "answer", "the", "both", "either", "likely", "probably", "most", "clearly",
    "definitely", "therefore", "thus", "simply", "indeed", "still", "actually", "really", "now",
];

/// After the last of the words that announce an answer, or in the last box.
fn marked(text: &str, valid: Valid) -> Option<Found> {
    let lower = text.to_ascii_lowercase();
    let boxed = text.rfind("\\boxed{").and_then(|at| {
        let inner = &text[at + 6..];
        let end = inner.find(['}', '\n']).unwrap_or(inner.len());
        Some((at, Found::Letters(list(&inner[..end], valid)?, "marked")))
    });
    let mut words: Option<(usize, Found)> = None;
    let mut weak = None;
    for word in ["answer", "choice", "option", "\u{7b54}\u{6848}", "antwort", "respuesta", "resposta", "risposta", "réponse", "ответ"] {
        for (at, _) in lower.rmatch_indices(word).take(1000) {
            if words.as_ref().is_some_and(|(last, _)| *last > at) {
                break;
            }
            // The options are A, B, C and D.
            let right = ["correct ", "right ", "best "].iter().any(|w| lower[..at].ends_with(w));
            if doubted(&lower[..at]) {
                continue;
            }
            let option = matches!(word, "option" | "choice");
            match after(&text[at + word.len()..], !right && option, valid) {
                Some((found, true)) => words = Some((at, found)),
                Some((found, false)) if !option => words = Some((at, found)),
                Some((found, false)) if weak.as_ref().is_none_or(|(last, _)| *last < at) => weak = Some((at, found)),
                Some(_) => {}
                None => continue,
            }
            break;
        }
    }
    let (at, found) = boxed.into_iter().chain(words).max_by_key(|f| f.0).or(weak)?;
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

/// The letters after a word: `: A`, ` is (B)`, `s are A and C`; and whether a colon or verb
/// introduces them.
fn after(text: &str, options: bool, valid: Valid) -> Option<(Found, bool)> {
    // An answer is near its announcement.
    let text = text.char_indices().nth(150).map_or(text, |(i, _)| &text[..i]);
    let space = |c: char| c.is_whitespace() || matches!(c, '_' | '"' | '\'');
    let plural = text.strip_prefix("(s)").or_else(|| text.strip_prefix(['s', 'S']));
    let mut rest = plural.unwrap_or(text).trim_start_matches(space);
    let colon = rest.strip_prefix([':', '=', '>']);
    if options && plural.is_some() {
        return None;
    }
    let is = ["is", "Is", "IS", "are", "was", "would be", "should be", "must be", "ist", "est", "es", "\u{662f}", "\u{4e3a}"]
        .iter()
        .find_map(|w| rest.strip_prefix(w).filter(|r| !w.is_ascii() || r.starts_with(|c: char| space(c) || matches!(c, ':' | '('))));
    let introduced = colon.is_some() || is.is_some();
    rest = colon.or(is).unwrap_or(rest).trim_start_matches(|c| space(c) || c == ':');
    while let Some(word) = rest.split(|c: char| !c.is_alphabetic()).next().filter(|w| FILLERS.contains(&w.to_ascii_lowercase().as_str())) {
        // The answer choices: (A) 3
        if !introduced && matches!(word, "choices" | "options") {
            return None;
        }
        rest = rest[word.len()..].trim_start_matches(|c| space(c) || c == ':');
    }
    let clause = rest.split(['\n', '.', ':', '\u{3002}']).next().unwrap_or("");
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
    (introduced || chars[0] == '(').then(|| (found.found("marked"), introduced))
}

/// Words that make a name with a letter: vitamin C.
const NAMES: [&str; 9] = ["vitamin", "hepatitis", "influenza", "plan", "grade", "type", "figure", "appendix", "exhibit"];

/// Verbs that say something of a letter: A is, A does.
const VERBS: [&str; 10] = ["is", "are", "was", "were", "can", "does", "would", "could", "seems", "must"];

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
    matches!(before, [.., 's', ':', ' '] | [.., 's', ':'])
}

/// Whether letters are named to be ruled out: `not B`, `B is wrong`; or to be chosen from.
fn rejected(chars: &[char], start: usize, group: &Group) -> bool {
    let [before, after] = around(chars, start, group);
    // Anything but A.
    let nearest: String = chars[start..group.from].iter().rev().take(20).collect::<Vec<_>>().into_iter().rev().collect::<String>().to_lowercase();
    let but = ["anything but", "everything but", "all but", "any but", "opposite of", "far from"].iter().any(|w| nearest.trim_end().ends_with(w));
    let out = |w: &String| matches!(w.as_str(), "eliminate" | "eliminates" | "eliminating" | "exclude" | "excludes" | "excluding" | "reject" | "rejects" | "rejecting" | "discard" | "discarding" | "dismiss" | "dismissing" | "avoid" | "except" | "unlike" | "than" | "instead" | "out" | "longer" | "hardly");
    // A is worse than B.
    if before.len() > 1 && matches!(before[0].as_str(), "than" | "to") && matches!(before[1].as_str(), "worse" | "inferior" | "loses") {
        return false;
    }
    let verb = |w: &String| VERBS.contains(&w.as_str()) || negative(w);
    // B? No.
    let answered: String = chars[group.to..].iter().take(6).collect();
    but || answered.strip_prefix("? ").is_some_and(|a| a.starts_with("No") || a.starts_with("Wron")) || listed(&chars[start..group.from]) || denied(&before) || before.iter().take(3).any(|w| negative(w) || out(w)) || after.first().is_some_and(verb) && after.iter().any(|w| negative(w))
}

/// Whether a text says of letters that they are the answer: `so it is B`, `I choose B`, `B is right`.
fn asserted(chars: &[char], start: usize, group: &Group) -> bool {
    let [before, after] = around(chars, start, group);
    let verb = before.iter().find(|w| !FILLERS.contains(&w.as_str()));
    let right = |w: &String| matches!(w.as_str(), "correct" | "right" | "true" | "best" | "answer");
    let several = group.letters.len() > 1;
    // B is partially right.
    let partly = after.iter().any(|w| matches!(w.as_str(), "partially" | "partly" | "almost" | "nearly" | "half" | "somewhat"));
    let asks = chars.get(group.to) == Some(&'?');
    // I go with A; but: compared with A.
    let goes = before.get(1).is_some_and(|w| w.starts_with("go") || matches!(w.as_str(), "went" | "stick" | "stay" | "be"));
    // It could be A.
    let perhaps = before.iter().any(|w| matches!(w.as_str(), "could" | "might" | "may" | "whether" | "if"));
    !asks && (verb.is_some_and(|w| w == "be" && !perhaps || w != "be" && (w == "are" && several || matches!(w.as_str(), "is" | "it's" | "so" | "hence" | "choose" | "chose" | "pick" | "select" | "selected" | "leaves") || w == "with" && goes))
        || before.iter().take(4).any(|w| matches!(w.as_str(), "therefore" | "thus"))
        || !partly && after.first().is_some_and(|w| matches!(w.as_str(), "is" | "are")) && after.iter().any(right))
}

/// Letters without an announcement: an output or last line of nothing else; those that the
/// output starts with; the last that it says are right; else the only ones that it does not
/// rule out.
fn anywhere(text: &str, valid: Valid) -> Option<Found> {
    let text = text.trim();
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
        let initial = at > 1 && chars[at - 1] == '.' && chars[at - 2].is_ascii_uppercase();
        let joined = initial || at > 0 && (joins(chars[at - 1]) || matches!(chars[at - 1], '\'' | '\u{2019}' | '-' | '_' | '\\'));
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
                if let Some((right, sure, end)) = label(&chars, found.to) {
                    labels.extend(found.letters.iter().map(|letter| (*letter, right, sure)));
                    at = end;
                }
                // Is it A?
                let asked = chars.get(found.to) == Some(&'?') && before.last().is_some_and(|w| w == "is");
                let said = |words: &[&str]| before.first().is_some_and(|w| words.contains(&w.as_str()));
                // The false statement is C: what is asked for, or what is ruled out.
                let kind = before.len() > 2 && before[0] == "is" && matches!(before[2].as_str(), "false" | "wrong" | "incorrect" | "invalid" | "impossible");
                // B) is not related: it is ruled out, or an option with its text.
                let own = found.from == 0 && (bracketed || chars.get(found.to) == Some(&':')) && rejected(&chars, start, &found);
                let plausible = after.iter().any(|w| matches!(w.as_str(), "plausible" | "possible" | "seem" | "look" | "could" | "might"));
                if own || said(&NAMES) || kind || found.letters.len() > 1 && !sure && (found.either || plausible || said(&CANDIDATES)) {
                    names.extend(found.letters.iter());
                } else if !asked && !rejected(&chars, start, &found) && (sure || !listing || !bracketed) {
                    groups.push((found, sure));
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
        return Some(groups.swap_remove(i).0.found("asserted"));
    }
    if groups.is_empty() && !names.is_empty() {
        return Some(Found::Several(names));
    }
    if groups.iter().all(|(g, _)| g.letters == groups[0].0.letters) {
        return Some(groups.pop()?.0.found("alone"));
    }
    Some(Found::Several(groups.into_iter().flat_map(|g| g.0.letters).collect()))
}
