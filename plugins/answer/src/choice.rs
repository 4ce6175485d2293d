//! `choice`: the letter of a multiple-choice answer.

use crate::number::joins;
use crate::{clip, one_if, unknown, Texts};
use rubric_host_sdk::{Answer, Object, Request, Result};
use rubric_host_text::after_reasoning;
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
        match list(&plain(reference), &valid) {
            Some(letters) => wanted.extend(letters),
            None => {
                return Ok(Answer::unscored(format!("a reference is no letter of a choice: \"{}\"", clip(reference))))
            }
        }
    }
    let output = plain(after_reasoning(texts.output).unwrap_or("").trim());
    let shown = |letters: &BTreeSet<char>| letters.iter().map(char::to_string).collect::<Vec<_>>().join(",");
    let (got, rule) = match marked(&output, &valid).or_else(|| if strict { None } else { anywhere(&output, &valid) }) {
        None => return Ok(Answer::score(0.0).reason("the output chooses no letter")),
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
            c => out.push(c),
        }
    }
    if !out.contains('\\') {
        return out;
    }
    ["\\text{", "\\textbf{", "\\mathrm{", "\\mathbf{"].iter().fold(out, |t, command| t.replace(command, "{"))
}

/// Letters alone: `A`, `A, C`, `A and C`, `AC` in capitals.
fn list(text: &str, valid: Valid) -> Option<BTreeSet<char>> {
    let mut found = BTreeSet::new();
    let parts = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '&' | ';' | '/' | '(' | ')' | '{' | '}' | '[' | ']' | '.' | '\u{3002}' | '\u{3001}'))
        .filter(|p| !p.is_empty() && !p.eq_ignore_ascii_case("and"));
    for part in parts {
        let single = part.len() == 1;
        if !part.chars().all(|c| valid(c) && (single || c.is_ascii_uppercase())) {
            return None;
        }
        found.extend(part.chars().map(|c| c.to_ascii_uppercase()));
    }
    (!found.is_empty()).then_some(found)
}

/// The letters that begin at a place.
fn group(chars: &[char], from: usize, valid: Valid) -> Option<Group> {
    let (letter, mut to) = one(chars, from, valid)?;
    let mut group = Group { letters: [letter].into(), from, to, either: false };
    let mut neither = false;
    loop {
        let rest: String = chars[to..].iter().take(20).collect();
        let trimmed = rest.trim_start_matches([' ', ',', '/', '&', ';', '+', '\u{3001}']);
        let word = ["and ", "or maybe ", "or perhaps ", "or possibly ", "or ", "nor "].iter().find(|w| trimmed.starts_with(**w));
        let skipped = rest.chars().count() - trimmed.chars().count() + word.map_or(0, |w| w.len());
        let Some((letter, end)) = one(chars, to + skipped, valid).filter(|_| word.is_some() || !rest[..rest.len() - trimmed.len()].trim().is_empty())
        else {
            group.to = to;
            return Some(group);
        };
        // Neither A nor B; C.
        if neither && word.is_none() {
            group.to = to;
            return Some(group);
        }
        // The answer is B, C is close.
        let rest: String = chars[end..].iter().take(6).collect();
        if word.is_none() && [" is ", " was ", " has ", " can "].iter().any(|v| rest.starts_with(v)) {
            group.to = to;
            return Some(group);
        }
        group.letters.insert(letter);
        group.either |= word.is_some_and(|w| w.starts_with("or "));
        neither |= word.is_some_and(|w| *w == "nor ");
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
    if sign.is_some_and(|i| matches!(chars[i], '=' | '^' | '>') || chars[i] == '<' && get(i + 1) != '/') {
        return None;
    }
    // A cat, I think.
    let word: String = chars[at + 1..].iter().skip(1).take_while(|c| c.is_alphanumeric()).take(10).collect();
    let verb = matches!(word.as_str(), "is" | "was" | "isn" | "because" | "since") || c == 'A' && matches!(word.as_str(), "and" | "or" | "nor");
    let article = matches!(c, 'A' | 'I') && next == ' ' && word.starts_with(char::is_lowercase) && !verb;
    (!article).then_some((c, at + 1))
}

/// Words that may stand between what announces a letter and the letter.
const FILLERS: [&str; 20] = [
    "option", "options", "choice", "choices", "letter", "letters", "answer", "the", "both", "either", "likely", "probably", "most", "clearly",
    "definitely", "therefore", "thus", "simply", "indeed", "still",
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
    let turn = ["wait", "actually", "correction", "scratch that", "second thought", "mistake", "kidding"].iter().filter_map(|w| rest.find(w)).min();
    let later = turn.and_then(|turn| anywhere(&text[at + turn..], valid));
    match (&found, later) {
        (Found::Letters(first, _), Some(Found::Letters(second, _))) if *first != second => Some(Found::Several(first | &second)),
        _ => Some(found),
    }
}

/// Whether a clause ends so that what follows is denied: `I don't think the`, `it is wrong to say that the`.
fn doubted(before: &str) -> bool {
    denied(&words_before(before.chars().rev()))
}

/// Whether words, the nearest first, deny what follows them.
fn denied(before: &[String]) -> bool {
    let opinion = |w: &str| matches!(w, "think" | "believe" | "say" | "said" | "claim" | "that" | "agree" | "sure" | "convinced" | "true" | "to");
    let doubt = |w: &[String]| w[0] == "doubt" && !matches!(w[1].as_str(), "no" | "a" | "any" | "without" | "beyond" | "little");
    let says = |w: &str| matches!(w, "think" | "say" | "believe" | "guess" | "assume" | "expect" | "choose" | "pick" | "select" | "answer");
    let may = |w: &str| matches!(w, "may" | "might" | "could" | "would" | "often" | "usually" | "commonly");
    // One might think that it is A; not: I would say A.
    let others = |i: usize| says(&before[i]) && may(&before[i + 1]) && before.get(i + 2).is_none_or(|w| !matches!(w.as_str(), "i" | "we"));
    let hypothetical = (1..before.len()).any(|i| others(i - 1)) || before.iter().any(|w| matches!(w.as_str(), "tempted" | "tempting" | "mistake"));
    hypothetical || before.iter().any(|w| w == "disagree") || before.windows(2).any(doubt) || before.windows(2).any(|w| opinion(&w[0]) && negative(&w[1]))
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
    let found = group(&chars, 0, valid).filter(|g| !rejected(&chars, 0, g) && chars.get(g.to) != Some(&'?'))?;
    (introduced || chars[0] == '(').then(|| (found.found("marked"), introduced))
}

/// Words that make a name with a letter: vitamin C.
const NAMES: [&str; 9] = ["vitamin", "hepatitis", "influenza", "plan", "grade", "type", "figure", "appendix", "exhibit"];

/// Where a clause ends.
fn clause_ends(c: char) -> bool {
    matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '(' | ')' | '\n')
}

/// The words of a clause, in lower case.
fn words(clause: &str) -> Vec<String> {
    let words = clause.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '\u{2019}'));
    words.filter(|w| !w.is_empty()).map(|w| w.to_lowercase().replace('\u{2019}', "'")).collect()
}

/// The words of the clause before a place, the nearest first.
fn words_before(text: impl Iterator<Item = char>) -> Vec<String> {
    let reversed: String = text.take(60).take_while(|c| !clause_ends(*c)).collect();
    let clause: String = reversed.chars().rev().collect();
    words(&clause).into_iter().rev().take_while(|w| w != "but").collect()
}

/// The words before a group, the nearest first, and those after it.
fn around(chars: &[char], start: usize, group: &Group) -> [Vec<String>; 2] {
    let rest = &chars[group.to..];
    let rest = if matches!(rest.first(), Some(')' | ':')) { &rest[1..] } else { rest };
    let after: String = rest.iter().take(60).take_while(|c| !clause_ends(**c)).collect();
    let after = words(&after).into_iter().take_while(|w| w != "but").take(4).collect();
    [words_before(chars[start..group.from].iter().rev().copied()), after]
}

fn negative(word: &str) -> bool {
    word.ends_with("n't") || matches!(word, "not" | "cannot" | "never" | "neither" | "nor" | "wrong" | "incorrect" | "false" | "impossible" | "invalid" | "eliminated" | "ruled" | "trap" | "distractor")
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
    let out = |w: &String| matches!(w.as_str(), "eliminate" | "eliminates" | "exclude" | "excludes" | "except" | "unlike" | "than" | "instead" | "out" | "longer" | "hardly");
    let verb = |w: &String| matches!(w.as_str(), "is" | "are" | "was" | "were" | "can" | "does" | "would" | "could" | "seems" | "must") || negative(w);
    but || listed(&chars[start..group.from]) || denied(&before) || before.iter().take(3).any(|w| negative(w) || out(w)) || after.first().is_some_and(verb) && after.iter().any(|w| negative(w))
}

/// Whether a text says of letters that they are the answer: `so it is B`, `I choose B`, `B is right`.
fn asserted(chars: &[char], start: usize, group: &Group) -> bool {
    let [before, after] = around(chars, start, group);
    let verb = before.iter().find(|w| !FILLERS.contains(&w.as_str()));
    let right = |w: &String| matches!(w.as_str(), "correct" | "right" | "true" | "best" | "answer");
    let several = group.letters.len() > 1;
    let asks = chars.get(group.to) == Some(&'?');
    !asks && (verb.is_some_and(|w| w == "are" && several || matches!(w.as_str(), "is" | "be" | "it's" | "so" | "hence" | "choose" | "chose" | "pick" | "select" | "selected" | "with" | "leaves"))
        || before.iter().take(4).any(|w| matches!(w.as_str(), "therefore" | "thus"))
        || after.first().is_some_and(|w| matches!(w.as_str(), "is" | "are")) && after.iter().any(right))
}

/// Letters without an announcement: an output or last line of nothing else; those that the
/// output starts with; the last that it says are right; else the only ones that it does not
/// rule out.
fn anywhere(text: &str, valid: Valid) -> Option<Found> {
    let text = text.trim();
    for (part, rule) in [(text, "only"), (text.rsplit('\n').next().unwrap_or(""), "line")] {
        if let Some(all) = list(part, valid) {
            return Some(Found::Letters(all, rule));
        }
    }
    let mut chars: Vec<char> = text.chars().collect();
    // b) because
    if chars.first().is_some_and(|c| valid(*c)) && chars.get(1) == Some(&')') {
        chars[0] = chars[0].to_ascii_uppercase();
    }
    let mut groups: Vec<(Group, bool)> = Vec::new();
    let mut names = BTreeSet::new();
    let (mut at, mut start) = (0, 0);
    // Options: (A) 3 (B) 4
    let mut listing = false;
    while at < chars.len() {
        listing &= chars[at] != '\n';
        let initial = at > 1 && chars[at - 1] == '.' && chars[at - 2].is_ascii_uppercase();
        let joined = initial || at > 0 && (joins(chars[at - 1]) || matches!(chars[at - 1], '\'' | '\u{2019}' | '-' | '_' | '\\'));
        match if joined { None } else { group(&chars, at, valid) } {
            Some(found) => {
                at = found.to;
                listing |= listed(&chars[start..found.from]);
                let sure = asserted(&chars, start, &found);
                let bracketed = chars[found.from] == '(' || chars.get(found.to) == Some(&')');
                let [before, _] = around(&chars, start, &found);
                // Is it A?
                let asked = chars.get(found.to) == Some(&'?') && before.last().is_some_and(|w| w == "is");
                if before.first().is_some_and(|w| NAMES.contains(&w.as_str())) {
                    names.extend(found.letters.iter());
                } else if !asked && !rejected(&chars, start, &found) && (sure || !listing || !bracketed) {
                    groups.push((found, sure));
                }
                start = at;
            }
            None => at += 1,
        }
    }
    let line = |g: &Group| g.from == 0 || chars[g.from - 1] == '\n';
    if let Some((first, _)) = groups.first() {
        let ends = first.to == chars.len() || matches!(chars[first.to], ')' | '.' | ':' | ',' | '\n') || chars[0] == '(';
        let listed = groups[1..].iter().any(|(g, sure)| (*sure || line(g) || chars.get(g.to) == Some(&')')) && g.letters != first.letters);
        if first.from == 0 && ends && !listed {
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
