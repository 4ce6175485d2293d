//! Tokens of tiktoken's encodings cl100k_base and o200k_base, as tiktoken 0.14.0 counts them
//! (`encode_ordinary`: the text of a special token is text).
//!
//! A text is split into pieces as the encoding's regular expression does, then the bytes of each
//! piece are merged in the order of the vocabulary, which is a data file: OpenAI's own, lines of
//! a token in base64 and its rank.

use crate::classes::STARTS;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

/// A vocabulary: its tokens end to end, and a hash table of their ranks.
pub struct Vocabulary {
    bytes: &'static [u8],
    starts: Vec<u32>, // by rank, and the end of the last
    slots: Vec<u32>,  // ranks; NONE: free
    longest: usize,
}

const NONE: u32 = u32::MAX;

static CL100K: OnceLock<Vocabulary> = OnceLock::new();
static O200K: OnceLock<Vocabulary> = OnceLock::new();

/// An encoding.
#[derive(Clone, Copy, PartialEq)]
pub enum Encoding {
    Cl100k,
    O200k,
}

impl Encoding {
    /// The encoding of a name, which is that of its data file too.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "cl100k_base" => Some(Encoding::Cl100k),
            "o200k_base" => Some(Encoding::O200k),
            _ => None,
        }
    }

    /// Its vocabulary, if the host gave it.
    pub fn vocabulary(self) -> Option<&'static Vocabulary> {
        self.cell().get()
    }

    fn cell(self) -> &'static OnceLock<Vocabulary> {
        match self {
            Encoding::Cl100k => &CL100K,
            Encoding::O200k => &O200K,
        }
    }
}

/// Takes a data file.
pub fn take(name: &'static str, content: &'static mut [u8]) {
    if let Some(encoding) = Encoding::named(name) {
        let _ = encoding.cell().set(Vocabulary::read(content)); // it is given once
    }
}

impl Vocabulary {
    /// Reads a vocabulary, whose tokens are decoded in place. The rank of a token is the number of
    /// its line, from 0.
    pub fn read(content: &'static mut [u8]) -> Self {
        let (mut starts, mut at, mut to) = (vec![0], 0, 0);
        while at < content.len() {
            let (mut bits, mut n) = (0u32, 0);
            while at < content.len() && content[at] != b' ' && content[at] != b'\n' {
                if let Some(six) = base64(content[at]) {
                    (bits, n) = (bits << 6 | u32::from(six), n + 6);
                    if n >= 8 {
                        n -= 8;
                        content[to] = (bits >> n) as u8; // the decoded text is shorter
                        to += 1;
                    }
                }
                at += 1;
            }
            while at < content.len() && content[at] != b'\n' {
                at += 1;
            }
            at += 1;
            starts.push(to as u32);
        }
        let content: &'static [u8] = content;
        let mut v = Vocabulary {
            bytes: &content[..to],
            slots: vec![NONE; (2 * starts.len()).next_power_of_two()],
            starts,
            longest: 0,
        };
        for rank in 0..v.starts.len() - 1 {
            let token = v.token(rank as u32);
            v.longest = v.longest.max(token.len());
            let mut slot = hash(token) & (v.slots.len() - 1);
            while v.slots[slot] != NONE {
                slot = (slot + 1) & (v.slots.len() - 1);
            }
            v.slots[slot] = rank as u32;
        }
        v
    }

    fn token(&self, rank: u32) -> &'static [u8] {
        &self.bytes[self.starts[rank as usize] as usize..self.starts[rank as usize + 1] as usize]
    }

    /// The rank of a token, or NONE.
    fn rank(&self, token: &[u8]) -> u32 {
        if token.len() > self.longest {
            return NONE;
        }
        let mut slot = hash(token) & (self.slots.len() - 1);
        loop {
            let rank = self.slots[slot];
            if rank == NONE || self.token(rank) == token {
                return rank;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// How many tokens a piece has.
    fn count_piece(&self, piece: &[u8]) -> usize {
        match () {
            () if piece.len() < 2 || self.rank(piece) != NONE => usize::from(!piece.is_empty()),
            () if piece.len() <= SHORT => self.merge_short(piece),
            () => self.merge(piece),
        }
    }

    /// Merges the pair of parts with the lowest rank, the leftmost of equals, until there is none.
    fn merge_short(&self, piece: &[u8]) -> usize {
        // Where each part begins, and the rank of the part merged with the next one.
        let mut parts = [(0u32, NONE); SHORT + 1];
        let mut n = piece.len();
        for i in 0..n {
            parts[i] = (i as u32, self.rank(&piece[i..(i + 2).min(n)]));
        }
        parts[n - 1].1 = NONE;
        parts[n] = (n as u32, NONE);
        while n > 1 {
            let Some(i) = (0..n - 1).min_by_key(|&i| parts[i].1).filter(|&i| parts[i].1 != NONE) else { break };
            parts.copy_within(i + 2..=n, i + 1);
            n -= 1;
            let rank = |parts: &[(u32, u32)], i: usize| {
                if i + 2 > n {
                    NONE
                } else {
                    self.rank(&piece[parts[i].0 as usize..parts[i + 2].0 as usize])
                }
            };
            parts[i].1 = rank(&parts, i);
            if i > 0 {
                parts[i - 1].1 = rank(&parts, i - 1);
            }
        }
        n
    }

    /// The same for long pieces, in n log n steps.
    fn merge(&self, piece: &[u8]) -> usize {
        let n = piece.len();
        // Of the part that begins at i: where it ends, where the one before it begins, and the
        // rank of it merged with the next one.
        let mut ends: Vec<u32> = (1..=n as u32).collect();
        let mut before: Vec<u32> = (0..=n as u32).map(|i| i.wrapping_sub(1)).collect();
        let mut ranks: Vec<u32> = piece.windows(2).map(|pair| self.rank(pair)).collect();
        ranks.push(NONE);
        // The lowest rank first, of equals the leftmost; a heap has the greatest first.
        let key = |rank: u32, at: u32| !(u64::from(rank) << 32 | u64::from(at));
        let mut heap: BinaryHeap<u64> = (0..).zip(&ranks).filter(|(_, &r)| r != NONE).map(|(at, &r)| key(r, at)).collect();
        let mut count = n;
        while let Some(next) = heap.pop() {
            let (rank, at) = ((!next >> 32) as u32, !next as u32);
            if ranks[at as usize] != rank {
                continue; // one of the parts was merged since
            }
            let middle = ends[at as usize];
            let end = ends[middle as usize];
            ends[at as usize] = end;
            before[end as usize] = at;
            ranks[middle as usize] = NONE;
            count -= 1;
            for at in [at, before[at as usize]] {
                if at == NONE {
                    continue;
                }
                let rank = match ends.get(ends[at as usize] as usize) {
                    Some(&end) => self.rank(&piece[at as usize..end as usize]),
                    None => NONE,
                };
                ranks[at as usize] = rank;
                if rank != NONE {
                    heap.push(key(rank, at));
                }
            }
        }
        count
    }
}

/// How many bytes a piece has at most that is merged step by step.
const SHORT: usize = 48;

fn base64(c: u8) -> Option<u8> {
    Some(match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

fn hash(token: &[u8]) -> usize {
    let mut h = 0xcbf2_9ce4u32;
    for &b in token {
        h = (h ^ u32::from(b)).wrapping_mul(0x0100_0193);
    }
    (h ^ h >> 15) as usize
}

/// How many tokens a text has.
pub fn count(text: &str, encoding: Encoding, vocabulary: &Vocabulary) -> usize {
    let (mut n, mut at) = (0, 0);
    while at < text.len() {
        let end = at + next(&text[at..], encoding);
        n += vocabulary.count_piece(&text.as_bytes()[at..end]);
        at = end;
    }
    n
}

/// Classes of characters, as the regular expressions tell them apart.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Upper, // Lu, Lt
    Lower, // Ll
    Other, // Lm, Lo
    Mark,
    Number,
    Space,
    Line, // \r, \n
    Rest,
}
use Class::*;

impl Class {
    fn of(c: char) -> Class {
        match c {
            'a'..='z' => return Lower,
            'A'..='Z' => return Upper,
            '0'..='9' => return Number,
            '\r' | '\n' => return Line,
            '\0'..='\x7f' => return if c.is_whitespace() { Space } else { Rest },
            _ => {}
        }
        let from = STARTS.partition_point(|s| s >> 3 <= c as u32);
        match from.checked_sub(1).map_or(0, |i| STARTS[i] & 7) {
            1 => Upper,
            2 => Lower,
            3 => Other,
            4 => Mark,
            5 => Number,
            _ if c.is_whitespace() => Space,
            _ => Rest,
        }
    }

    fn letter(self) -> bool {
        matches!(self, Upper | Lower | Other)
    }

    fn space(self) -> bool {
        matches!(self, Space | Line)
    }
}

/// The bytes of the longest beginning of a text whose characters have a class that `fits`.
fn run(text: &str, fits: impl Fn(Class) -> bool) -> usize {
    text.char_indices().find(|&(_, c)| !fits(Class::of(c))).map_or(text.len(), |(i, _)| i)
}

/// The bytes of the first piece of a text, which is not empty.
fn next(text: &str, encoding: Encoding) -> usize {
    let first = text.chars().next().unwrap();
    let class = Class::of(first);
    let rest = &text[first.len_utf8()..];
    if encoding == Encoding::Cl100k {
        if let Some(n) = contraction(text) {
            return n; // '(?i:[sdmt]|ll|ve|re)
        }
        if class.letter() {
            return run(text, Class::letter); // [^\r\n\p{L}\p{N}]?+\p{L}++
        }
        if !matches!(class, Line | Number) {
            let n = run(rest, Class::letter);
            if n > 0 {
                return first.len_utf8() + n;
            }
        }
    } else if !matches!(class, Line | Number) {
        // One character of [^\r\n\p{L}\p{N}] may come before a word.
        let from = if class.letter() { 0 } else { first.len_utf8() };
        let word = |cased: fn(&str) -> Option<usize>| {
            cased(&text[from..]).map(|n| from + n).or_else(|| if from > 0 { cased(text) } else { None })
        };
        if let Some(n) = word(to_lower).or_else(|| word(from_upper)) {
            return n + contraction(&text[n..]).unwrap_or(0);
        }
    }
    if class == Number {
        return text.chars().take(3).take_while(|&c| Class::of(c) == Number).map(char::len_utf8).sum();
    }
    // ` ?[^\s\p{L}\p{N}]+[\r\n]*`, of o200k_base `[\r\n/]*`
    let from = usize::from(first == ' ');
    let n = run(&text[from..], |c| matches!(c, Mark | Rest));
    if n > 0 {
        let end = from + n;
        let tail = |c: char| matches!(c, '\r' | '\n') || c == '/' && encoding == Encoding::O200k;
        return end + text[end..].find(|c| !tail(c)).unwrap_or(text.len() - end);
    }
    let n = run(text, Class::space);
    if n == text.len() && encoding == Encoding::Cl100k {
        return n; // \s++$
    }
    if let Some(i) = text[..n].rfind(['\r', '\n']) {
        return i + 1; // \s*[\r\n]+
    }
    if n == text.len() {
        return n;
    }
    let last = text[..n].chars().next_back().map_or(0, char::len_utf8);
    if n > last {
        n - last
    } else {
        n
    } // \s+(?!\S)|\s
}

/// The length of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` in any case. A long s is an s.
fn contraction(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('\'')?;
    let mut two = rest.chars();
    let (a, b) = (two.next()?, two.next().unwrap_or(' ').to_ascii_lowercase());
    match (a.to_ascii_lowercase(), b) {
        ('s' | 't' | 'm' | 'd' | '\u{17f}', _) => Some(1 + a.len_utf8()),
        ('l', 'l') | ('v' | 'r', 'e') => Some(3),
        _ => None,
    }
}

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`: if nothing in lower case follows
/// the first part, that part gives back until the second one has a character.
fn to_lower(text: &str) -> Option<usize> {
    let upper = run(text, |c| matches!(c, Upper | Other | Mark));
    let lower = run(&text[upper..], |c| matches!(c, Lower | Other | Mark));
    if lower > 0 {
        return Some(upper + lower);
    }
    let (i, c) = text[..upper].char_indices().rfind(|&(_, c)| Class::of(c) != Upper)?;
    Some(i + c.len_utf8())
}

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*`
fn from_upper(text: &str) -> Option<usize> {
    let upper = run(text, |c| matches!(c, Upper | Other | Mark));
    (upper > 0).then(|| upper + run(&text[upper..], |c| matches!(c, Lower | Other | Mark)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The single bytes and some words, as a data file.
    fn tiny() -> Vocabulary {
        const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut tokens: Vec<Vec<u8>> = (0..=255).map(|b| vec![b]).collect();
        for word in ["he", "ll", "hell", "hello", " w", "or", " wor", "aa", "aaaa", "aab", "  "] {
            tokens.push(word.into());
        }
        let mut file = Vec::new();
        for (rank, token) in tokens.iter().enumerate() {
            for part in token.chunks(3) {
                let bits = part.iter().fold(0u32, |n, b| n << 8 | u32::from(*b)) << (8 * (3 - part.len()));
                for k in 0..4 {
                    file.push(if k > part.len() { b'=' } else { LETTERS[(bits >> (18 - 6 * k) & 63) as usize] });
                }
            }
            file.extend(format!(" {rank}\n").bytes());
        }
        Vocabulary::read(Vec::leak(file))
    }

    #[test]
    fn a_vocabulary_is_read() {
        let v = tiny();
        for b in 0..=255u8 {
            assert_eq!(v.rank(&[b]), u32::from(b));
        }
        assert_eq!((v.rank(b"hello"), v.rank(b"hellx"), v.rank(b""), v.longest), (259, NONE, NONE, 5));
    }

    #[test]
    fn pieces_are_those_of_the_regular_expressions() {
        let split = |text: &str, e| {
            let (mut at, mut out) = (0, Vec::new());
            while at < text.len() {
                let n = next(&text[at..], e);
                out.push(text[at..at + n].to_string());
                at += n;
            }
            out.join("|")
        };
        for (text, cl100k, o200k) in [
            ("Hello, world's end", "Hello|,| world|'s| end", "Hello|,| world's| end"),
            ("WORLDwide McX", "WORLDwide| McX", "WORLDwide| Mc|X"),
            ("12345 x=1", "123|45| x|=|1", "123|45| x|=|1"),
            ("a  b \n\n c\n ", "a| | b| \n\n| c|\n ", "a| | b| \n\n| c|\n| "),
            ("'\u{17f}X 'LL", "'\u{17f}|X| '|LL", "'\u{17f}|X| '|LL"),
            ("x //\n/y", "x| //\n|/y", "x| //\n/|y"),
            ("漢AB漢字ab", "漢AB漢字ab", "漢AB漢字ab"),
            ("字ABC", "字ABC", "字|ABC"),
            ("a\u{301}b \u{301}", "a|\u{301}b| \u{301}", "a\u{301}b| \u{301}"),
        ] {
            assert_eq!(split(text, Encoding::Cl100k), cl100k, "{text:?}");
            assert_eq!(split(text, Encoding::O200k), o200k, "{text:?}");
        }
    }

    #[test]
    fn both_ways_of_merging_agree() {
        let v = tiny();
        assert_eq!(count("hello  world", Encoding::Cl100k, &v), 5);
        let mut x = 7u32;
        for len in 2..=SHORT {
            let piece: Vec<u8> = (0..len)
                .map(|_| {
                    x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    b"aabhelo "[(x >> 24) as usize % 8]
                })
                .collect();
            assert_eq!(v.merge_short(&piece), v.merge(&piece), "{piece:?}");
        }
    }
}
