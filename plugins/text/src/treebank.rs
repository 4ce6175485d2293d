//! NLTK 3.8's word tokenizer (`NLTKWordTokenizer`, an improved Treebank tokenizer) on one
//! text, without its sentence splitter: only the last period of a text is split off.
//!
//! The original is a list of substitutions, each of which scans the whole text and
//! consumes what it matches. They are the passes here, in the same order.

use crate::tables::{DIGIT, WORD};
use crate::unicode::is_space;

/// Returns the text with its tokens separated by white space: [`crate::split`] gives them.
pub fn treebank(text: &str) -> String {
    let mut t = Text::new(text);
    t.opening_quotes();
    t.punctuation();
    t.around("[](){}<>");
    t.pass("-", 0, &|s, i, out| if starts(&s[i..], "--") { put(out, " -- ", 2) } else { 0 });
    t.now.insert(0, ' ');
    t.now.push(' ');
    t.closing_quotes();
    t.contractions();
    t.now.iter().collect()
}

/// Tries a substitution at a place of the text: appends the replacement, and returns how
/// many characters it consumes; 0 if there is no match.
type Rule<'r> = &'r dyn Fn(&[char], usize, &mut Vec<char>) -> usize;

/// A text between two passes.
struct Text {
    now: Vec<char>,
    next: Vec<char>,
    /// Characters that the text may have.
    seen: Set,
}

/// Characters: each ASCII one by itself, all others together.
#[derive(Clone, Copy)]
struct Set([bool; 129]);

impl Set {
    fn of(chars: impl Iterator<Item = char>) -> Self {
        let mut set = Set([false; 129]);
        chars.for_each(|c| set.0[(c as usize).min(128)] = true);
        set
    }

    fn has(&self, c: char) -> bool {
        self.0[(c as usize).min(128)]
    }
}

impl Text {
    fn new(text: &str) -> Self {
        let mut now = Vec::with_capacity(text.len() + text.len() / 4 + 8);
        now.extend(text.chars());
        let mut seen = Set::of(now.iter().copied());
        if seen.has('"') {
            // A double quote becomes one of these.
            seen = Set::of(now.iter().copied().chain(['`', '\'']));
        }
        Text { next: Vec::with_capacity(now.capacity()), now, seen }
    }

    /// Applies a rule whose every match has one of the `marks` at most `back` characters
    /// after its start.
    fn pass(&mut self, marks: &str, back: usize, rule: Rule) {
        if !marks.chars().any(|c| self.seen.has(c)) {
            return;
        }
        let set = Set::of(marks.chars());
        self.next.clear();
        let mut done = 0;
        while let Some(ahead) = self.now[done..].iter().position(|&c| set.has(c)) {
            let at = (done + ahead).saturating_sub(back).max(done);
            self.next.extend_from_slice(&self.now[done..at]);
            done = at
                + match rule(&self.now, at, &mut self.next) {
                    0 => {
                        self.next.push(self.now[at]);
                        1
                    }
                    n => n,
                };
        }
        self.next.extend_from_slice(&self.now[done..]);
        std::mem::swap(&mut self.now, &mut self.next);
    }

    /// Puts a space on both sides of each of the `marks`.
    fn around(&mut self, marks: &str) {
        self.pass(marks, 0, &|s, i, out| if marks.contains(s[i]) { space(out, &s[i..=i]) } else { 0 });
    }

    /// Puts a space on both sides of each run of at least `least` of a character.
    fn runs(&mut self, mark: char, least: usize) {
        self.pass(mark.encode_utf8(&mut [0; 4]), 0, &|s, i, out| {
            let n = s[i..].iter().take_while(|c| **c == mark).count();
            if n >= least {
                space(out, &s[i..i + n])
            } else {
                0
            }
        });
    }

    fn opening_quotes(&mut self) {
        self.around("«“‘„");
        self.runs('`', 1);
        if self.now.first() == Some(&'"') {
            self.now.splice(..1, ['`', '`']);
        }
        self.pass("`", 0, &|s, i, out| if starts(&s[i..], "``") { put(out, " `` ", 2) } else { 0 });
        self.pass("'\"", 1, &|s, i, out| {
            let n = quote(&s[i + 1..]);
            if n > 0 && matches!(s[i], ' ' | '(' | '[' | '{' | '<') {
                out.push(s[i]);
                put(out, " `` ", 1 + n)
            } else {
                0
            }
        });
        // A lone letter after an apostrophe that is no contraction.
        self.pass("'", 0, &|s, i, out| match s[i..] {
            ['\'', c, ref rest @ ..] if WORD.has(c) && !word_at(rest) && !"mtsdn".contains(fold(c)) => {
                put(out, "' ", 0);
                out.push(c);
                2
            }
            _ => 0,
        });
    }

    fn punctuation(&mut self) {
        self.last_period(" ])}>\"'»”’", true);
        self.pass(":,", 0, &|s, i, out| match s[i..] {
            [mark @ (':' | ','), c, ..] if !DIGIT.has(c) => {
                out.extend([' ', mark, ' ', c]);
                2
            }
            _ => 0,
        });
        self.pass(":,", 0, &|s, i, out| match s[i..] {
            [':' | ','] | [':' | ',', '\n'] => space(out, &s[i..=i]),
            _ => 0,
        });
        self.runs('.', 2);
        self.around(";@#$%&");
        self.last_period("])}>\"'", false);
        self.around("?!");
        self.pass("'", 1, &|s, i, out| match s[i..] {
            [c, '\'', ' ', ..] if c != '\'' => {
                out.extend([c, ' ', '\'', ' ']);
                3
            }
            _ => 0,
        });
        self.around("*");
    }

    /// Splits off a period at the end, which may have `closers` and then white space after
    /// it. The white space goes.
    fn last_period(&mut self, closers: &str, apart: bool) {
        let s = &self.now;
        let Some(at) = s.iter().rposition(|&c| c == '.').filter(|&at| at > 0 && s[at - 1] != '.') else { return };
        let end = at + 1 + s[at + 1..].iter().take_while(|c| closers.contains(**c)).count();
        if !s[end..].iter().all(|&c| is_space(c)) {
            return;
        }
        self.now.truncate(end);
        self.now.insert(at + 1, ' ');
        self.now.insert(at, ' ');
        if apart {
            self.now.push(' ');
        }
    }

    fn closing_quotes(&mut self) {
        self.around("»”’");
        self.pass("'", 0, &|s, i, out| if starts(&s[i..], "''") { put(out, " '' ", 2) } else { 0 });
        self.pass("\"", 0, &|s, i, out| if s[i] == '"' { put(out, " '' ", 1) } else { 0 });
        self.endings(&["'s", "'S", "'m", "'M", "'d", "'D", "'"]);
        self.endings(&["'ll", "'LL", "'re", "'RE", "'ve", "'VE", "n't", "N'T"]);
    }

    /// Splits off endings before a space.
    fn endings(&mut self, endings: &[&str]) {
        self.pass("'", 2, &|s, i, out| {
            let rest = &s[i + 1..];
            if matches!(s[i], '\'' | ' ') {
                return 0;
            }
            let Some(ending) = endings.iter().find(|e| starts(rest, e) && rest.get(e.len()) == Some(&' ')) else {
                return 0;
            };
            out.push(s[i]);
            space(out, &rest[..ending.len()]) + 2
        });
    }

    fn contractions(&mut self) {
        const WORDS: [(&str, usize); 8] = [
            ("cannot", 3),
            ("d'ye", 1),
            ("gimme", 3),
            ("gonna", 3),
            ("gotta", 3),
            ("lemme", 3),
            ("more'n", 4),
            ("wanna", 3),
        ];
        // One pass for all: none of them makes or hides another.
        self.pass("cCdDgGlLmMwW", 0, &|s, i, out| {
            if !matches!(s[i].to_ascii_lowercase(), 'c' | 'd' | 'g' | 'l' | 'm' | 'w') || i > 0 && WORD.has(s[i - 1]) {
                return 0;
            }
            halves(&s[i..], &WORDS, out)
        });
        self.pass("'", 1, &|s, i, out| match s[i..] {
            [' ', ref rest @ ..] => match halves(rest, &[("'tis", 2), ("'twas", 2)], out) {
                0 => 0,
                n => 1 + n,
            },
            _ => 0,
        });
    }
}

/// Takes one of `words` at the start apart, in any case.
fn halves(s: &[char], words: &[(&str, usize)], out: &mut Vec<char>) -> usize {
    let is = |word: &str| s.len() >= word.len() && s.iter().zip(word.chars()).all(|(&a, b)| fold(a) == b);
    let Some(&(word, at)) = words.iter().find(|(word, _)| is(word)) else { return 0 };
    let n = word.len();
    if word_at(&s[n..]) || word == "wanna" && !s.get(n).is_some_and(|&c| is_space(c)) {
        return 0;
    }
    space(out, &s[..at]);
    out.extend(&s[at..n]);
    out.push(' ');
    n
}

/// The length of a double quote or two apostrophes at the start.
fn quote(s: &[char]) -> usize {
    match s {
        ['"', ..] => 1,
        ['\'', '\'', ..] => 2,
        _ => 0,
    }
}

fn starts(s: &[char], with: &str) -> bool {
    s.len() >= with.len() && s.iter().zip(with.chars()).all(|(a, b)| *a == b)
}

fn word_at(s: &[char]) -> bool {
    s.first().is_some_and(|&c| WORD.has(c))
}

/// Appends a replacement; returns how much of the text it stands for.
fn put(out: &mut Vec<char>, text: &str, consumed: usize) -> usize {
    out.extend(text.chars());
    consumed
}

/// Appends characters between spaces; returns their number.
fn space(out: &mut Vec<char>, s: &[char]) -> usize {
    out.push(' ');
    out.extend(s);
    out.push(' ');
    s.len()
}

/// A character as Python's `re.IGNORECASE` compares it with a letter a-z.
fn fold(c: char) -> char {
    match c {
        'İ' | 'ı' => 'i',
        'ſ' => 's',
        '\u{212a}' => 'k',
        _ => c.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::Lines;

    #[test]
    fn tokens_are_nltks() {
        let lines = Lines::read("nltk_word_tokenize");
        for line in lines.iter() {
            let text = line.get("candidate").unwrap().as_str().unwrap();
            let want = line.get("expected").unwrap().get("tokens").unwrap().as_array().unwrap();
            let want: Vec<&str> = want.iter().map(|t| t.as_str().unwrap()).collect();
            let words = treebank(text);
            let mut got = Vec::new();
            crate::split(&words, &mut got);
            assert_eq!(got, want, "{:?} {text:?}", line.get("id"));
        }
        assert_eq!(lines.len(), 229);
    }
}
