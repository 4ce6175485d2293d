//! NLTK 3.8's word tokenizer (`NLTKWordTokenizer`, an improved Treebank tokenizer) on one
//! text, without its sentence splitter: only the last period of a text is split off.
//!
//! The original is a list of substitutions, each of which scans the whole text and
//! consumes what it matches. They are the passes here, in the same order.

use crate::tables::{DIGIT, WORD};
use crate::unicode::{alphanumerics, is_space};

/// Returns the text with its tokens separated by white space: [`crate::split`] gives them.
pub fn treebank(text: &str) -> String {
    let mut t = Text::new(text);
    t.opening_quotes();
    t.punctuation();
    t.around(b"[](){}<>");
    t.pass(b"-", 0, &|s, i, out| if s[i..].starts_with(b"--") { put(out, b" -- ", 2) } else { 0 });
    t.now.insert(0, b' ');
    t.now.push(b' ');
    t.closing_quotes();
    t.contractions();
    if text.is_ascii() {
        return String::from_utf8(t.now).unwrap_or_default();
    }
    // Characters outside of ASCII stay in their order.
    let mut others = text.chars().filter(|c| !c.is_ascii());
    let mut out = String::with_capacity(t.now.len() + text.len() / 4);
    for run in t.now.chunk_by(|a, b| a.is_ascii() && b.is_ascii()) {
        match std::str::from_utf8(run) {
            Ok(run) => out.push_str(run),
            Err(_) => out.extend(others.next()),
        }
    }
    out
}

// A text is a byte for each character: those of ASCII, and for all others what the rules
// distinguish.
const OTHER: u8 = 128;
/// Letters and numbers.
const WORD_CHAR: u8 = 129;
const DIGIT_CHAR: u8 = 130;
const SPACE_CHAR: u8 = 131;
/// Lower case or capital of an ASCII letter, to Python's `re.IGNORECASE`.
const LIKE_I: u8 = 132;
const LIKE_S: u8 = 133;
const LIKE_K: u8 = 134;
const OPENING: [u8; 4] = [135, 136, 137, 138]; // « “ ‘ „
const CLOSING: [u8; 3] = [139, 140, 141]; // » ” ’

fn byte(c: char) -> u8 {
    match c {
        '\0'..='\x7f' => c as u8,
        'İ' | 'ı' => LIKE_I,
        'ſ' => LIKE_S,
        '\u{212a}' => LIKE_K,
        '«' => OPENING[0],
        '“' => OPENING[1],
        '‘' => OPENING[2],
        '„' => OPENING[3],
        '»' => CLOSING[0],
        '”' => CLOSING[1],
        '’' => CLOSING[2],
        c if DIGIT.has(c) => DIGIT_CHAR,
        c if WORD.has(c) => WORD_CHAR,
        c if is_space(c) => SPACE_CHAR,
        _ => OTHER,
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || matches!(c, WORD_CHAR | DIGIT_CHAR | LIKE_I | LIKE_S | LIKE_K)
}

fn is_digit(c: u8) -> bool {
    c.is_ascii_digit() || c == DIGIT_CHAR
}

/// White space of any kind.
fn is_blank(c: u8) -> bool {
    c == SPACE_CHAR || c.is_ascii() && is_space(c as char)
}

/// Tries a substitution at a place of the text: appends the replacement, and returns how
/// many characters it consumes; 0 if there is no match.
type Rule<'r> = &'r dyn Fn(&[u8], usize, &mut Vec<u8>) -> usize;

/// A text between two passes.
struct Text {
    now: Vec<u8>,
    next: Vec<u8>,
    /// A replacement.
    made: Vec<u8>,
    /// Characters that the text may have.
    seen: [bool; 256],
}

fn set(chars: &[u8]) -> [bool; 256] {
    let mut set = [false; 256];
    chars.iter().for_each(|&c| set[usize::from(c)] = true);
    set
}

impl Text {
    fn new(text: &str) -> Self {
        let mut now = Vec::with_capacity(text.len() + text.len() / 4 + 8);
        if text.is_ascii() {
            now.extend_from_slice(text.as_bytes());
        } else {
            now.extend(text.chars().map(byte));
        }
        let mut seen = set(&now);
        if seen[usize::from(b'"')] {
            // A double quote becomes one of these.
            b"`'".iter().for_each(|&c| seen[usize::from(c)] = true);
        }
        Text { next: Vec::with_capacity(now.capacity()), made: Vec::with_capacity(64), now, seen }
    }

    /// Applies a rule whose every match has one of the `marks` at most `back` characters
    /// after its start.
    fn pass(&mut self, marks: &[u8], back: usize, rule: Rule) {
        if !marks.iter().any(|&c| self.seen[usize::from(c)]) {
            return;
        }
        let set = set(marks);
        let find = |s: &[u8], from: usize| {
            let ahead = s[from..].iter().position(|&c| set[usize::from(c)])?;
            Some((from + ahead).saturating_sub(back).max(from))
        };
        self.pass_at(find, rule);
    }

    /// Applies a rule at the places that `find` finds from a place on.
    fn pass_at(&mut self, find: impl Fn(&[u8], usize) -> Option<usize>, rule: Rule) {
        self.next.clear();
        let (mut kept, mut done) = (0, 0);
        while let Some(at) = find(&self.now, done) {
            done = at + 1;
            // The text in between is copied only before a replacement.
            self.made.clear();
            let n = rule(&self.now, at, &mut self.made);
            if n > 0 {
                self.next.extend_from_slice(&self.now[kept..at]);
                self.next.append(&mut self.made);
                done = at + n;
                kept = done;
            }
        }
        if kept > 0 {
            self.next.extend_from_slice(&self.now[kept..]);
            std::mem::swap(&mut self.now, &mut self.next);
        }
    }

    /// Puts a space on both sides of each of the `marks`.
    fn around(&mut self, marks: &[u8]) {
        self.pass(marks, 0, &|s, i, out| if marks.contains(&s[i]) { space(out, &s[i..=i]) } else { 0 });
    }

    /// Puts a space on both sides of each run of at least `least` of a character.
    fn runs(&mut self, mark: u8, least: usize) {
        self.pass(&[mark], 0, &|s, i, out| {
            let n = s[i..].iter().take_while(|c| **c == mark).count();
            if n >= least {
                space(out, &s[i..i + n])
            } else {
                0
            }
        });
    }

    fn opening_quotes(&mut self) {
        self.around(&OPENING);
        self.runs(b'`', 1);
        if self.now.first() == Some(&b'"') {
            self.now.splice(..1, *b"``");
        }
        self.pass(b"`", 0, &|s, i, out| if s[i..].starts_with(b"``") { put(out, b" `` ", 2) } else { 0 });
        self.pass(b"'\"", 1, &|s, i, out| {
            let n = quote(&s[i + 1..]);
            if n > 0 && matches!(s[i], b' ' | b'(' | b'[' | b'{' | b'<') {
                out.push(s[i]);
                put(out, b" `` ", 1 + n)
            } else {
                0
            }
        });
        // A lone letter after an apostrophe that is not a contraction.
        self.pass(b"'", 0, &|s, i, out| match s[i..] {
            [b'\'', c, ref rest @ ..] if is_word(c) && !word_at(rest) && !b"mtsdn".contains(&fold(c)) => {
                put(out, b"' ", 0);
                out.push(c);
                2
            }
            _ => 0,
        });
    }

    fn punctuation(&mut self) {
        self.last_period(b" ])}>\"'", &CLOSING, true);
        self.pass(b":,", 0, &|s, i, out| match s[i..] {
            [mark @ (b':' | b','), c, ..] if !is_digit(c) => {
                out.extend([b' ', mark, b' ', c]);
                2
            }
            _ => 0,
        });
        self.pass(b":,", 0, &|s, i, out| match s[i..] {
            [b':' | b','] | [b':' | b',', b'\n'] => space(out, &s[i..=i]),
            _ => 0,
        });
        self.runs(b'.', 2);
        self.around(b";@#$%&");
        self.last_period(b"])}>\"'", b"", false);
        self.around(b"?!");
        self.pass(b"'", 1, &|s, i, out| match s[i..] {
            [c, b'\'', b' ', ..] if c != b'\'' => {
                out.extend([c, b' ', b'\'', b' ']);
                3
            }
            _ => 0,
        });
        self.around(b"*");
    }

    /// Splits off a period at the end, which may have closing marks and then white space after
    /// it. The white space goes.
    fn last_period(&mut self, closers: &[u8], more: &[u8], apart: bool) {
        let s = &self.now;
        let Some(at) = s.iter().rposition(|&c| c == b'.').filter(|&at| at > 0 && s[at - 1] != b'.') else { return };
        let end = at + 1 + s[at + 1..].iter().take_while(|c| closers.contains(c) || more.contains(c)).count();
        if !s[end..].iter().all(|&c| is_blank(c)) {
            return;
        }
        self.now.truncate(end);
        self.now.insert(at + 1, b' ');
        self.now.insert(at, b' ');
        if apart {
            self.now.push(b' ');
        }
    }

    fn closing_quotes(&mut self) {
        self.around(&CLOSING);
        self.pass(b"'", 0, &|s, i, out| if s[i..].starts_with(b"''") { put(out, b" '' ", 2) } else { 0 });
        self.pass(b"\"", 0, &|s, i, out| if s[i] == b'"' { put(out, b" '' ", 1) } else { 0 });
        self.endings(&[b"'s", b"'S", b"'m", b"'M", b"'d", b"'D", b"'"]);
        self.endings(&[b"'ll", b"'LL", b"'re", b"'RE", b"'ve", b"'VE", b"n't", b"N'T"]);
    }

    /// Splits off endings before a space.
    fn endings(&mut self, endings: &[&[u8]]) {
        self.pass(b"'", 2, &|s, i, out| {
            let rest = &s[i + 1..];
            if matches!(s[i], b'\'' | b' ') {
                return 0;
            }
            let Some(ending) = endings.iter().find(|e| rest.starts_with(e) && rest.get(e.len()) == Some(&b' ')) else {
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
        // One pass for all, at the beginnings of words: none of them makes or hides another.
        let begins = |s: &[u8], mut at: usize| loop {
            let c = s.get(at)?.to_ascii_lowercase();
            if matches!(c, b'c' | b'd' | b'g' | b'l' | b'm' | b'w') && !(at > 0 && is_word(s[at - 1])) {
                return Some(at);
            }
            at += alphanumerics(&s[at..]).max(1);
        };
        self.pass_at(begins, &|s, i, out| halves(&s[i..], &WORDS, out));
        self.pass(b"'", 1, &|s, i, out| match s[i..] {
            [b' ', ref rest @ ..] => match halves(rest, &[("'tis", 2), ("'twas", 2)], out) {
                0 => 0,
                n => 1 + n,
            },
            _ => 0,
        });
    }
}

/// Takes one of `words` at the start apart, in any case.
fn halves(s: &[u8], words: &[(&str, usize)], out: &mut Vec<u8>) -> usize {
    let is = |word: &str| s.len() >= word.len() && s.iter().zip(word.bytes()).all(|(&a, b)| fold(a) == b);
    let Some(&(word, at)) = words.iter().find(|(word, _)| is(word)) else { return 0 };
    let n = word.len();
    if word_at(&s[n..]) || word == "wanna" && !s.get(n).is_some_and(|&c| is_blank(c)) {
        return 0;
    }
    space(out, &s[..at]);
    out.extend_from_slice(&s[at..n]);
    out.push(b' ');
    n
}

/// The length of a double quote or two apostrophes at the start.
fn quote(s: &[u8]) -> usize {
    match s {
        [b'"', ..] => 1,
        [b'\'', b'\'', ..] => 2,
        _ => 0,
    }
}

fn word_at(s: &[u8]) -> bool {
    s.first().is_some_and(|&c| is_word(c))
}

/// Appends a replacement; returns how much of the text it stands for.
fn put(out: &mut Vec<u8>, text: &[u8], consumed: usize) -> usize {
    out.extend_from_slice(text);
    consumed
}

/// Appends characters between spaces; returns their number.
fn space(out: &mut Vec<u8>, s: &[u8]) -> usize {
    out.push(b' ');
    out.extend_from_slice(s);
    out.push(b' ');
    s.len()
}

/// A character as Python's `re.IGNORECASE` compares it with a letter a-z.
fn fold(c: u8) -> u8 {
    match c {
        LIKE_I => b'i',
        LIKE_S => b's',
        LIKE_K => b'k',
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
