//! The number that a text means without announcing it.

use crate::given::{explanation, first, longer, numerals, programs, reported, Given, SENTENCE};
use crate::{conditional, denied, denies, find_any, lower, numbers, turn, words_before, Comma, Link, Number, Sure};

/// A text with its numbers, without those that it denies.
pub(crate) struct Page<'t> {
    text: &'t str,
    pub(crate) chars: Vec<char>,
    /// Where each character begins, and the text ends.
    pub(crate) bytes: Vec<usize>,
    pub(crate) found: Vec<Number>,
    /// Whether it has opening brackets.
    brackets: bool,
    /// Where programs are, in bytes.
    programs: Vec<std::ops::Range<usize>>,
}

impl<'t> Page<'t> {
    pub(crate) fn read(text: &'t str, comma: Comma) -> Self {
        // The usual text has a byte for each character.
        let (chars, bytes) = if text.is_ascii() {
            (text.bytes().map(char::from).collect(), (0..=text.len()).collect())
        } else {
            (text.chars().collect(), text.char_indices().map(|c| c.0).chain([text.len()]).collect())
        };
        Page { text, chars, bytes, found: undenied(numbers(text, comma)), brackets: text.contains('(') || text.contains('['), programs: programs(text) }
    }

    /// The text between two places, none if the second is before the first: a sentence may end within a formula that is a number.
    pub(crate) fn text(&self, from: usize, to: usize) -> &'t str {
        &self.text[self.bytes[from.min(to)]..self.bytes[to]]
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
            '?' => next.is_whitespace(),
            // answer=7;confidence=85, but 3\;cm
            ';' => at == 0 || self.chars[at - 1] != '\\',
            _ => false,
        }
    }

    fn value(&self, i: usize) -> f64 {
        self.found[i].value / if self.found[i].percent { 100.0 } else { 1.0 }
    }

    /// The sentence around a place.
    pub(crate) fn sentence(&self, at: usize) -> (usize, usize) {
        let (least, most) = (at.saturating_sub(SENTENCE), self.chars.len().min(at + SENTENCE));
        let from = (least..at).rev().find(|i| self.ends(*i)).map_or(least, |i| i + 1);
        (from, (at..most).find(|i| self.ends(*i)).unwrap_or(most))
    }

    /// Where the line of a place begins.
    fn line(&self, at: usize) -> usize {
        (0..at).rev().find(|i| self.chars[*i] == '\n').map_or(0, |i| i + 1)
    }

    /// The first number behind the last sign of equality between two places.
    pub(crate) fn result(&self, from: usize, to: usize) -> Option<usize> {
        let last = self.found.iter().rposition(|n| (from..to).contains(&n.span.0))?;
        let sign = |i: &usize| matches!(self.chars[*i], '=' | '\u{2248}' | '\u{2192}') && !matches!(self.chars.get(i + 1), Some('=' | '>')) && !self.condition(*i);
        let equal = (from..self.found[last].span.0).rev().find(sign);
        let worded = (1..=last).rev().find(|i| self.found[*i].span.0 >= from && self.worded(*i));
        let equal = equal.and_then(|at| self.found.iter().position(|n| n.span.0 > at));
        equal.max(worded)
    }

    /// Whether a number is the same in another unit: `12 kg = 26.5 lb`.
    pub(crate) fn converts(&self, from: usize, i: usize) -> bool {
        let Some(first) = self.found[..i].iter().find(|n| n.span.0 >= from) else { return false };
        let unit = self.text(first.span.1, self.found[i].span.0);
        let unit = unit.trim_end_matches([' ', '$', '\u{20ac}', '\u{a3}']).strip_suffix(['=', '\u{2248}']).unwrap_or("").trim();
        let more = self.chars.get(self.found[i].span.1 + 1).is_some_and(|c| c.is_alphabetic());
        more && first.value != self.found[i].value && !unit.is_empty() && unit.chars().all(|c| c.is_alphabetic() || c == ' ')
    }

    /// Whether a verb calls a number the value of an operation before it: `7 days times 3 pills is 21 pills`.
    fn worded(&self, i: usize) -> bool {
        let operation = |t: &str| t.split(' ').any(|w| matches!(w, "+" | "-" | "\u{2212}" | "*" | "/" | "x" | "\u{d7}" | "\u{f7}" | "plus" | "minus" | "times" | "divided" | "multiplied"));
        let Some(before) = i.checked_sub(1).map(|j| &self.found[j]).filter(|n| n.span.1 < self.found[i].span.0) else { return false };
        let between = self.text(before.span.1, self.found[i].span.0).trim_end_matches([' ', '$']);
        if ![" is", " equals", " makes", " gives", " ist", " est", " es"].iter().any(|v| between.ends_with(v)) || longer(between) > 3 {
            return false;
        }
        let first = i.checked_sub(2).map(|j| self.found[j].span.1).filter(|end| *end < before.span.0);
        self.text(before.span.0, before.span.1).contains('/') || first.is_some_and(|end| operation(self.text(end, before.span.0)))
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
        const COURTESY: [&str; 16] = [
            "hope th", "hope it", "let me know", "feel free", "thank", "happy to", "more question", "other question", "if you'd like", "generated in", "hoffe", "espero que", "j'espère", "希望", "надеюсь", "spero che",
        ];
        let at = self.found[i].span.0;
        let (from, to) = self.sentence(at);
        if self.chars.get(to) == Some(&'?') || denied(&words_before(self.chars[..at].iter().rev().copied())) || self.text(from, at).rfind("answer").is_some_and(|word| reported(&self.text(from, at)[..word])) || self.programs.iter().any(|p| p.contains(&self.bytes[at])) {
            return true;
        }
        let sentence = lower(self.text(from, to));
        let start = |t: &str| {
            let t = lower(first(t.trim_start_matches(|c: char| !c.is_alphabetic()), 40));
            let t = &*t;
            let t = ["let me ", "let's ", "let us ", "we can ", "to ", "sanity ", "quick "].iter().find_map(|w| t.strip_prefix(w)).unwrap_or(t);
            ["check", "verif", "double-check", "double check"].iter().any(|w| t.starts_with(w))
        };
        find_any(&sentence, &COURTESY).is_some() || start(&sentence) || start(self.text(self.line(at), at)) || sentence.trim_start().starts_with("where ")
    }

    /// The part of a sentence up to one of its numbers, with those that belong to it.
    pub(crate) fn part(&self, from: usize, to: usize, mut i: usize) -> &'t str {
        let before = self.text(from, self.found[i].span.0).len();
        let joined = |a: &Number, b: &Number| b.link == Link::Or || b.sure != Sure::All || b.span.0 < a.span.1 + 3 && self.chars[a.span.1.min(b.span.0)..b.span.0] != [' ', '['];
        while self.found.get(i + 1).is_some_and(|n| n.span.0 < to && joined(&self.found[i], n)) {
            i += 1;
        }
        let part = self.text(from, self.found.get(i + 1).map_or(to, |n| n.span.0.min(to)));
        let note = part.get(before..).and_then(|number| number.find("[^"));
        note.map_or(part, |at| &part[..before + at])
    }

    /// Whether a number stands in brackets, and one in its sentence before them.
    fn aside(&self, i: usize) -> bool {
        let at = self.found[i].span.0;
        // Most texts have no brackets, and some sentences have hundreds of numbers.
        if !self.brackets || !self.chars[at.saturating_sub(SENTENCE)..at].iter().any(|c| matches!(c, '(' | '[')) {
            return false;
        }
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
        let at = find_any(rest, &[" because", ", since ", " since ", ", where "])?;
        let turns = ["but", "and"].iter().any(|w| rest[..at].ends_with(w));
        let concludes = turns || [" so ", "therefore", "thus", "hence", "leav", ", that"].iter().any(|w| rest[at..].contains(w));
        let year = rest[at..].trim_start_matches([',', ' ']).strip_prefix("since ").is_some_and(|r| r.starts_with(char::is_numeric) && !r.contains(['=', '\u{2248}']));
        (!concludes && !year).then(|| first + rest[..at].chars().count())
    }

    /// Whether words between two numbers conclude: `with a = 6 and b = 7, so the product is 42`.
    fn concluded(&self, i: usize, last: usize) -> bool {
        let (from, to) = (self.found[i].span.1, self.found[last].span.0);
        from < to && [", so ", "therefore", "thus", "hence"].iter().any(|w| self.text(from, to).contains(w))
    }

    /// Where the operation begins whose value a number is: what is before it in its equation is more than a number.
    fn operation(&self, from: usize, i: usize) -> Option<usize> {
        let signs = ['=', '\u{2248}', '\u{2192}'];
        let before = self.text(from, self.found[i].span.0);
        let before = before.rfind(signs).map_or(before, |at| &before[..at]);
        let start = [", ", "; ", ": ", " and ", " where ", " with ", "\\\\"].iter().filter_map(|w| before.rfind(w).filter(|at| before[at + w.len()..].contains(char::is_alphanumeric))).max().unwrap_or(0);
        let (clause, start) = (&before[start..], from + before[..start].chars().count());
        let bare = numerals(clause) < 2 && clause.trim_matches([',', ';', ':', '&']).chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | '$' | '*'));
        (!bare && self.found[..i].iter().any(|n| n.span.0 >= start)).then_some(start)
    }

    /// Whether a number is the value of an operation that takes up the result of an equation before.
    fn derived(&self, from: usize, i: usize) -> bool {
        let Some(start) = self.operation(from, i) else { return false };
        let used = |value: f64| self.found[..i].iter().any(|n| n.span.0 >= start && n.value == value);
        self.result(from, start).is_none_or(|earlier| used(self.found[earlier].value))
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

    /// Whether a number is the sum, difference, product or quotient of two of the last four before it, and not one more of its kind:
    /// not 5 of `There are 2 cats. There are 3 dogs. There are 5 birds.`
    fn made(&self, i: usize) -> bool {
        let word = |n: usize| {
            let before = self.text(self.found[n].span.0.saturating_sub(20), self.found[n].span.0);
            before.trim_end_matches([' ', '*', '$', '\u{20ac}', '\u{a3}']).rsplit([' ', '\n']).next().map_or("", |w| if w.ends_with(':') { ":" } else { w })
        };
        let of = |a: f64, b: f64, c: f64| (a - b).abs() <= 1e-9 * a.abs() && c != 0.0;
        let value = self.value(i);
        let pair = |a: f64, b: f64| of(value, a + b, a * b) || of(value, (a - b).abs(), a * b) || of(value, a * b, (a - 1.0) * (b - 1.0)) || of(value, a / b, b - 1.0) || of(value, b / a, a - 1.0);
        // Ann picked 6. Ben ate 10.
        let subject = |n: usize| {
            let from = n.checked_sub(1).map_or(0, |m| self.found[m].span.1).max(self.found[n].span.0.saturating_sub(40)).min(self.found[n].span.0);
            let clause = self.text(from, self.found[n].span.0).rsplit([',', '.', ';', '\n']).next().unwrap_or("").trim();
            clause.split_once(' ').filter(|(name, verb)| name.starts_with(char::is_uppercase) && !verb.contains(' ') && !PRONOUNS.contains(name)).map(|c| c.0)
        };
        let parallel = i > 0 && matches!((subject(i - 1), subject(i)), (Some(a), Some(b)) if a != b);
        let last = i.saturating_sub(4)..i;
        i > 1 && !parallel && word(i) != word(i - 1) && last.clone().any(|a| (a + 1..i).any(|b| pair(self.value(a), self.value(b))))
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
        let n = &self.found[i];
        let before = |from: usize| self.text(from, n.span.0).trim_end_matches([' ', '$', '*', '\u{20ac}', '\u{a3}']);
        // Few numbers have a verb before them: only their sentences are read.
        if !VERBS.iter().any(|v| before(n.span.0.saturating_sub(20)).ends_with(v)) {
            return false;
        }
        let (from, to) = self.sentence(n.span.0);
        let before = before(from);
        // Each shirt is $5.
        let rate = before.split(' ').any(|w| matches!(w, "each" | "Each" | "every" | "Every" | "per" | "if" | "If"));
        let other = rate || [" which is", ", that is", "there are", "there is", "\":"].iter().any(|w| before.ends_with(w));
        !other && VERBS.iter().any(|v| before.ends_with(v)) && longer(self.text(n.span.1, to).split([',', '(']).next().unwrap_or("").split(" and ").next().unwrap_or("")) < 3
    }

    fn bold(&self, n: &Number) -> bool {
        let closed = || self.chars[n.span.1..].iter().take(40).take_while(|c| **c != '\n').collect::<String>().contains("**");
        self.chars[..n.span.0].ends_with(&['*', '*']) && closed()
    }

    /// Whether a number is a condition or a year, which belong to another number: `for n = 2`, `in 2019`.
    fn adjunct(&self, n: &Number) -> bool {
        let sign = (n.span.0.saturating_sub(3)..n.span.0).rev().find(|i| self.chars[*i] == '=');
        let word = || self.text(n.span.0.saturating_sub(24), n.span.0).trim_end_matches(['*', ' ']).rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or("").to_lowercase();
        let year = n.span.1 - n.span.0 == 4 && n.value.fract() == 0.0 && (1000.0..2200.0).contains(&n.value);
        sign.is_some_and(|i| self.condition(i)) || year && matches!(&*word(), "in" | "since" | "from" | "of" | "by" | "until" | "to" | "en" | "im" | "nel" | "em")
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

/// What a number behind it is said of something with.
const VERBS: [&str; 15] = [" is", " are", " be", "'s", " make", " equals", " to get", " ist", " sind", " est", " es", " é", " è", " \u{2192}", ":"];

/// Words that conclude.
const CONCLUDES: [&str; 47] = [
    "so", "thus", "therefore", "hence", "total", "altogether", "result", "get", "gives", "finally", "final", "makes", "obtain", "together", "leaves", "conclusion", "consequently", "yields",
    "insgesamt", "zusammen", "somit", "folglich", "ergibt", "donc", "ainsi", "reste", "entonces", "luego", "quedan", "portanto", "quindi", "dunque", "totale", "rimangono", "dus", "totaal",
    "totalt", "alltså", "więc", "razem", "toplam", "значит", "итого", "итак", "следовательно", "поэтому", "всего",
];

/// The same, in scripts without spaces between words.
const CONCLUDES_EAST: [&str; 12] = ["所以", "因此", "共", "总计", "还剩", "剩下", "合計", "合わせて", "したがって", "よって", "残り", "따라서"];

/// Words that begin a sentence and name no other person.
const PRONOUNS: [&str; 14] = ["He", "She", "It", "They", "We", "I", "You", "That", "This", "There", "Now", "So", "Together", "Altogether"];

/// Who gives: nothing that a story tells of.
const SUBJECTS: [&str; 13] = ["this", "that", "these", "those", "which", "it", "them", "together", "we", "i", "you", "to", ""];

/// Whether a text concludes.
pub fn concludes(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut before = "";
    !text.is_ascii() && CONCLUDES_EAST.iter().any(|w| text.contains(w)) || lower.split(|c: char| !c.is_alphabetic()).any(|w| {
        let subject = std::mem::replace(&mut before, w);
        // She gives 6 to Ann.
        CONCLUDES.contains(&w) && (!matches!(w, "gives" | "makes" | "leaves" | "get" | "yields") || SUBJECTS.contains(&subject) || subject.ends_with("ing"))
    })
}

/// Whether what stands between two numbers makes them parts of two statements.
fn joined(text: &str) -> bool {
    text.contains([',', ';', ':', '(']) || text.split(' ').any(|w| matches!(w, "and" | "or" | "but" | "is" | "are" | "than"))
}

/// Whether the start of a line says that its number is one of several answers: `(b)`, `Part 2:`, `It might be`.
fn one_of_several(line: &str) -> bool {
    let lower = line.to_lowercase();
    let label = ["part ", "question ", "option ", "case ", "problem ", "exercise ", "q"].iter().any(|w| lower.trim_start_matches(['*', '#', ' ']).strip_prefix(w).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit())));
    let letter = lower.trim_end_matches(['*', '$', ' ']);
    label || second_part(&lower) || ["b)", "c)", "d)", "e)"].iter().any(|w| letter.strip_suffix(w).is_some_and(|r| !r.ends_with(char::is_alphanumeric)))
        || lower.rsplit(". ").next().is_some_and(|s| s.trim_start().starts_with("or "))
        || find_any(&lower, &["could be", "might be", "may be", "maybe", "perhaps", "otherwise", "alternatively", "if that's wrong", "if not, "]).is_some()
}

/// Whether a line begins with the label of a second part or a later one.
pub fn second_part(line: &str) -> bool {
    ["b)", "c)", "d)", "ii)", "iii)"].iter().any(|w| line.trim_start_matches(['*', '(', ' ']).starts_with(w))
}

/// Whether a sentence is about the second part of a question or a later one, and the text about the one before:
/// `for part (a) we get 12, and for part (b)`; not step (ii).
pub(crate) fn part_of_several(sentence: &str, text: &str) -> bool {
    const LABELS: [[&str; 2]; 8] = [["(a)", "(b)"], ["(b)", "(c)"], ["(c)", "(d)"], ["(i)", "(ii)"], ["(ii)", "(iii)"], ["(1)", "(2)"], ["part a", "part b"], ["part 1", "part 2"]];
    let sentence = sentence.to_lowercase();
    !sentence.contains("step") && LABELS.iter().any(|[first, second]| sentence.contains(second) && text.to_lowercase().contains(first))
}

/// Whether the line of a place and the one before give two names a value each: `x = 4` and `y = 9`.
fn second_value(text: &str, at: usize) -> bool {
    let name = |line: &str| {
        let line = line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '$' | '*' | '-'));
        let (name, value) = line.split_once('=').map(|(name, value)| (name.trim_end().to_string(), value))?;
        let word = !name.is_empty() && name.chars().all(|c| c.is_alphabetic() || c == '_');
        (word && !value.contains('=') && numerals(&value.replace(['.', ','], "")) == 1 && longer(value) < 2).then_some(name)
    };
    let end = text[at..].find(['\n', ';']).map_or(text.len(), |i| at + i);
    let mut lines = text[..end].rsplit(['\n', ';']).filter(|line| !line.trim().is_empty());
    // Not x = 2, total = 6; but total = 6, time = 2.
    matches!((lines.next().and_then(name), lines.next().and_then(name)), (Some(a), Some(b)) if a != b && !concludes(&a))
}

/// The answer of a text that does not announce one.
pub(crate) fn stated<'t>(page: &Page<'t>) -> Given<'t> {
    let found = &page.found;
    let Some(end) = found.last() else { return Given { part: page.text, ..Given::default() } };
    // An explanation behind a number.
    let cut = found[0].span.1;
    let explained = explanation(page.text(cut, page.chars.len())).map_or(page.chars.len(), |at| cut + page.text(cut, page.chars.len())[..at].chars().count());
    let meant = |i: &usize| found[*i].span.0 < explained && !page.aside(*i);
    let active = (0..found.len()).rev().find(|i| meant(i) && !page.idle(*i));
    let Some(last) = active.or_else(|| (0..found.len()).rev().find(meant)) else {
        return Given { part: page.text, ..Given::default() };
    };
    let (from, whole) = page.sentence(found[last].span.0);
    let to = page.reason(from, whole).unwrap_or(whole);
    let last = (0..=last).rev().find(|i| found[*i].span.0 < to).unwrap_or(last);
    let inside: Vec<usize> = (0..=last).filter(|i| found[*i].span.0 >= from && !page.aside(*i)).collect();
    let main: Vec<usize> = inside.iter().copied().filter(|i| !page.adjunct(&found[*i])).collect();
    let bold: Vec<usize> = inside.iter().copied().filter(|i| page.bold(&found[*i])).collect();
    let equal = page.result(from, to).filter(|i| inside.contains(i) && !page.concluded(*i, last));
    // What came out in the reason, or in a sentence before.
    let computed = page.result(0, from);
    let source = page.result(to, whole).or(computed).or_else(|| (0..inside[0]).rev().find(meant).filter(|i| page.said(*i)));
    let mut restated: Vec<usize> = inside.iter().copied().filter(|i| source.is_some_and(|c| found[c].value == found[*i].value)).collect();
    // He gives 14 away and keeps 28: what is new, or came out too, may be meant; not 16 of `He pays $64 for 16 glasses`.
    let operand = |i: &usize| found[..inside[0]].iter().any(|n| n.value == found[*i].value && !page.text(0, n.span.0).trim_end_matches([' ', '$', '*']).ends_with('='));
    let object = |i: &usize| restated.first().is_some_and(|r| r < i && !joined(page.text(found[*r].span.1, found[*i].span.0)));
    if !main.iter().all(|i| restated.contains(i) || operand(i) || object(i)) {
        restated.clear();
    }
    let new: Vec<usize> = inside.iter().copied().filter(|i| !found[..inside[0]].iter().any(|n| n.value == found[*i].value)).collect();
    // So the total is 108, up from 99.
    let alone = |i: usize| inside.iter().all(|n| *n == i || found[*n].span.0 > found[i].span.1 + 2 && !page.said(*n));
    let more = |i: usize| page.text(found[i].span.1, to).split(|c: char| !c.is_alphabetic()).any(|w| CONCLUDES.contains(&w));
    let sum = inside.first().copied().filter(|i| page.said(*i) && concludes(page.text(from, found[*i].span.0)) && alone(*i) && !more(*i));
    let chosen = match (equal, &bold[..], &restated[..], sum, &main[..]) {
        (Some(i), ..) | (None, &[i], ..) | (None, _, &[i], ..) | (None, _, _, Some(i), _) | (None, _, _, None, &[i]) => i,
        _ => last,
    };
    // Words behind the last number belong to it.
    let part = page.part(from, if found.len() == last + 1 { page.chars.len() } else { to }, chosen);
    let end_of_part = from + part.chars().count();
    let reason = |n: &Number| n.span.0 >= to && n.span.0 < whole;
    let own = |n: &Number| n.span.0 >= found[chosen].span.0 && n.span.0 < end_of_part;
    let adjunct = page.adjunct(&found[chosen]);
    let rival = |n: usize| page.value(n) != page.value(chosen) && !reason(&found[n]) && !own(&found[n]) && (adjunct || !page.adjunct(&found[n])) && meant(&n) && !page.idle(n);
    let before = page.text(page.line(found[chosen].span.0), found[chosen].span.0);
    let listed = chosen > 0 && (one_of_several(before) || part_of_several(page.text(from, found[chosen].span.0), page.text(0, found[chosen].span.0)) || second_value(page.text, page.bytes[found[chosen].span.0]));
    let named = |i: usize| page.said(i) && (inside[0] != i || !page.text(from, found[i].span.0).contains(':'));
    let certain = match (equal, &bold[..]) {
        // Behind the result of 9 * 2 = $18, 2 is none.
        (Some(i), _) => {
            let first = if page.derived(from, i) || page.concludes(from, i, &main) { i } else { inside[0] };
            !(first..last + 1).any(|n| rival(n) && !(n > i && inside.iter().any(|o| *o < i && page.value(*o) == page.value(n))))
        }
        (None, &[i]) => !(0..i).any(|n| page.bold(&found[n]) && rival(n)),
        _ => restated == [chosen] || computed.is_none() && new == [chosen] && chosen == last && page.made(chosen) || sum == Some(chosen) || page.concludes(from, chosen, &main) || page.alone(from, to, chosen) || named(chosen) && !computed.is_some_and(|c| page.operation(page.sentence(found[c].span.0).0, c).is_some() && rival(c)) && !(0..found.len()).any(|n| page.said(n) && rival(n)) || !page.idle(chosen) && !(0..found.len()).any(rival),
    };
    let idle = active.is_none() && (0..found.len()).any(|n| page.value(n) != page.value(chosen) && meant(&n));
    // Apollo 11 landed in 1969.
    let name = page.text(from, found[chosen].span.0).strip_suffix(' ').is_some_and(|t| t.rsplit(' ').next().is_some_and(|w| w.len() > 2 && w.starts_with(char::is_uppercase) && w.chars().skip(1).all(char::is_lowercase)));
    let idle = idle || name && inside.iter().any(|n| page.adjunct(&found[*n]) && page.value(*n) != page.value(chosen));
    // I cannot say. For n = 3 it would be 28.
    let case = from > 0 && conditional(page.text(from, found[chosen].span.0), "") && denies(first(page.text(0, from), SENTENCE));
    let except = page.text(from, found[chosen].span.0).trim_end_matches([' ', '$', '*']).ends_with("except");
    let mut given = Given { part, open: listed || idle || case || except || !certain, ..Given::default() };
    given.last = &given.part[page.text(from, found[chosen].span.0).len()..];
    if given.open {
        // All other parts are parts of it.
        given.doubts.push(page.text);
        return given;
    }
    if inside.len() > 1 {
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
    given
}

/// The answer, or the number with which an output starts.
pub(crate) fn leads<'t>(text: &'t str, comma: Comma, mut given: Given<'t>) -> Given<'t> {
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
    // All that there is, or one of several numbers, in lines too.
    let lines = close.is_none() && page.found.get(1).is_some_and(|n| longer(page.text(to, n.span.0)) < 2);
    if lines || page.bytes[to] == text.len() || page.found.get(1).is_some_and(|n| n.span.0 < to) || longer(clause) > 3 || given.part.as_ptr() == text.as_ptr() && !given.part.get(page.bytes[to]..).is_some_and(|rest| rest.contains(char::is_numeric)) {
        return given;
    }
    let other = !given.open && numbers(given.last, comma).first().is_some_and(|n| n.value / if n.percent { 100.0 } else { 1.0 } != page.value(0));
    // 12 (or 13)
    given.open = other || page.found.get(1).is_some_and(|n| n.link == Link::Or && page.value(1) != page.value(0)) || turn(&text[page.bytes[to]..]).is_some() || close.is_none() && (page.chars.get(end) != Some(&'\n') || longer(&text[page.bytes[to]..]) < 6);
    given.doubts.push(given.last);
    given.part = page.text(0, to);
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_verb_is_found_in_its_window() {
        for verb in VERBS {
            assert!(Page::read(&format!("The remainder{verb} **$15**."), Comma::Thousands).said(0), "{verb}");
        }
    }
}
