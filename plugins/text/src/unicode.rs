//! Characters as Python sees them.

use std::borrow::Cow;

/// A set of code points: a bitmap in blocks of 256, equal blocks shared.
pub struct Set {
    pub(crate) index: &'static [u8],
    pub(crate) blocks: &'static [[u32; 8]],
}

impl Set {
    /// Reports whether `c` is in the set.
    #[inline]
    pub fn has(&self, c: char) -> bool {
        let c = c as usize;
        match self.index.get(c >> 8) {
            Some(&block) => self.blocks[usize::from(block)][(c & 255) >> 5] >> (c & 31) & 1 == 1,
            None => false,
        }
    }
}

/// White space of `str.split()`, `str.strip()` and `\s`.
#[inline]
pub fn is_space(c: char) -> bool {
    match c {
        '\t'..='\r' | '\x1c'..='\x20' => true,
        '\u{80}'.. => matches!(
            c,
            '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'
                ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        ),
        _ => false,
    }
}

const ONES: u64 = u64::MAX / 255;

/// Whether a text has one of three ASCII characters; eight bytes at a time.
pub fn has_any(text: &str, marks: [u8; 3]) -> bool {
    let chunks = text.as_bytes().chunks_exact(8);
    let rest = chunks.remainder().iter().any(|c| marks.contains(c));
    let zero = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes & (0x80 * ONES) != 0;
    let mut words = chunks.map(|c| c.try_into().map_or(0, u64::from_le_bytes));
    rest || words.any(|bytes| marks.iter().any(|&m| zero(bytes ^ (u64::from(m) * ONES))))
}

/// How many bytes at the start of a text are ASCII letters and digits.
#[inline]
pub fn alphanumerics(text: &[u8]) -> usize {
    let is = |bytes| within(bytes | 0x20 * ONES, b'a', b'z') | within(bytes, b'0', b'9');
    run(text, is, u8::is_ascii_alphanumeric)
}

/// How many bytes at the start of a text are ASCII and neither spaces nor control characters
/// before them in the table.
#[inline]
fn visible(text: &[u8]) -> usize {
    run(text, |bytes| bytes + 0x5f * ONES, |c| (b'!'..0x80).contains(c))
}

/// The highest bit of each byte that is from `first` to `last`; that of none may be set.
#[inline]
fn within(bytes: u64, first: u8, last: u8) -> u64 {
    (bytes + u64::from(0x80 - first) * ONES) & !(bytes + u64::from(0x7f - last) * ONES)
}

/// How many bytes at the start are of a kind, eight at a time: `of` answers in the highest bit of each
/// byte, for bytes whose own is clear.
#[inline]
fn run(text: &[u8], of: impl Fn(u64) -> u64, is: impl Fn(&u8) -> bool) -> usize {
    let mut at = 0;
    while let Some(chunk) = text[at..].first_chunk() {
        let bytes = u64::from_le_bytes(*chunk);
        let others = (!of(bytes & 0x7f * ONES) | bytes) & 0x80 * ONES;
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + text[at..].iter().take_while(|c| is(c)).count()
}

/// The pairs of bytes with which the words of lists begin or end, the last five bits of each: most texts have none of them, so that
/// their words need not be compared. Letters in either case are one, and a text that is not ASCII there may have any word.
pub(crate) struct Pairs([u32; 32]);

impl Pairs {
    pub(crate) const NONE: Pairs = Pairs([0; 32]);

    /// With the first two bytes of words.
    pub(crate) const fn firsts<const N: usize>(mut self, words: [&str; N]) -> Pairs {
        let mut at = 0;
        while at < N {
            let word = words[at].as_bytes();
            self.0[word[0] as usize % 32] |= if word.len() > 1 { 1 << (word[1] % 32) } else { !0 };
            at += 1;
        }
        self
    }

    /// With the last two bytes of words of two bytes or more, or that byte of a sign.
    pub(crate) const fn lasts<const N: usize>(mut self, words: [&str; N]) -> Pairs {
        let mut at = 0;
        while at < N {
            let word = words[at].as_bytes();
            let last = word[word.len() - 1] % 32;
            let mut first = 0;
            while first < 32 {
                if word.len() == 1 || word[word.len() - 2] % 32 == first {
                    self.0[first as usize] |= 1 << last;
                }
                first += 1;
            }
            at += 1;
        }
        self
    }

    /// Whether two bytes may be those of a word.
    #[inline]
    pub(crate) fn has(&self, [a, b]: [u8; 2]) -> bool {
        self.0[usize::from(a % 32)] >> (b % 32) & 1 == 1
    }

    /// Whether a text may begin with a word.
    pub(crate) fn begin(&self, text: &str) -> bool {
        match *text.as_bytes() {
            [a, b, ..] => (a | b) > 0x7f || self.has([a, b]),
            [a] => self.has([a, 0]),
            [] => false,
        }
    }

    /// Whether a text may end with a word.
    pub(crate) fn end(&self, text: &str) -> bool {
        match *text.as_bytes() {
            [.., a, b] => (a | b) > 0x7f || self.has([a, b]),
            [b] => self.has([0, b]),
            [] => false,
        }
    }
}

/// The words of a list that says something of each.
pub(crate) const fn heads<T: Copy, const N: usize>(list: [(&str, T); N]) -> [&str; N] {
    let mut words = [""; N];
    let mut at = 0;
    while at < N {
        words[at] = list[at].0;
        at += 1;
    }
    words
}

/// Where the first of several words begins in a text, in one pass over it.
pub fn find_any(text: &str, words: &[&str]) -> Option<usize> {
    let bit = |c: u8| 1 << (c % 64);
    let starts = words.iter().fold(0_u64, |set, w| set | bit(w.as_bytes()[0]));
    let seconds = words.iter().fold(0_u64, |set, w| set | w.as_bytes().get(1).map_or(!0, |c| bit(*c)));
    let bytes = text.as_bytes();
    for (at, &c) in bytes.iter().enumerate() {
        if starts & bit(c) != 0 && seconds & bytes.get(at + 1).map_or(!0, |c| bit(*c)) != 0 && words.iter().any(|w| w.as_bytes()[0] == c && bytes[at..].starts_with(w.as_bytes())) {
            return Some(at);
        }
    }
    None
}

/// `str.strip()`.
pub fn strip(s: &str) -> &str {
    s.trim_matches(is_space)
}

/// `str.rstrip()`.
pub fn strip_end(s: &str) -> &str {
    s.trim_end_matches(is_space)
}

/// `str.lower()`: the full mapping, so that U+0130 becomes two code points and
/// a capital sigma at the end of a word becomes the final one.
pub fn lower(s: &str) -> Cow<'_, str> {
    if !s.is_ascii() {
        return Cow::Owned(s.to_lowercase());
    }
    if !s.bytes().any(|c| c.is_ascii_uppercase()) {
        return Cow::Borrowed(s);
    }
    Cow::Owned(String::from_utf8(ascii_lower(s.as_bytes())).unwrap_or_default())
}

/// A text with the ASCII letters in lower case, eight bytes at a time.
pub fn ascii_lower(text: &[u8]) -> Vec<u8> {
    let mut out = text.to_vec();
    let (chunks, rest) = out.as_chunks_mut();
    for chunk in chunks {
        let bytes = u64::from_le_bytes(*chunk);
        let capitals = within(bytes & 0x7f * ONES, b'A', b'Z') & !bytes & 0x80 * ONES;
        *chunk = (bytes | capitals >> 2).to_le_bytes();
    }
    rest.make_ascii_lowercase();
    out
}

/// `str.casefold()`: what makes texts equal in any case, so that `ß` is `ss` and a final
/// sigma a sigma.
pub fn casefold(s: &str) -> Cow<'_, str> {
    if s.is_ascii() {
        return lower(s);
    }
    Cow::Owned(s.chars().flat_map(folded).collect())
}

/// The characters that one folds to.
pub fn folded(c: char) -> impl Iterator<Item = char> {
    // Cherokee folds to its capitals; a dotless i is not an i.
    let (whole, c) = match c {
        '\u{131}' | '\u{13a0}'..='\u{13f5}' => (true, c),
        '\u{13f8}'..='\u{13fd}' => (true, char::from_u32(c as u32 - 8).unwrap_or(c)),
        '\u{ab70}'..='\u{abbf}' => (true, char::from_u32(c as u32 - 0xab70 + 0x13a0).unwrap_or(c)),
        '\u{1e9e}' => (false, 'ß'),
        c => (false, c),
    };
    let rest = (!whole).then(|| c.to_uppercase().flat_map(char::to_lowercase));
    whole.then_some(c).into_iter().chain(rest.into_iter().flatten())
}

/// `str.split()`: the stretches between white space, appended to `out`.
pub fn split<'t>(s: &'t str, out: &mut Vec<&'t str>) {
    each_word(s, |word| out.push(word));
}

/// Calls `see` with each stretch between white space.
#[inline]
pub fn each_word<'t>(s: &'t str, mut see: impl FnMut(&'t str)) {
    let bytes = s.as_bytes();
    // Where the token that may be open began.
    let mut start = 0;
    let mut at = 0;
    loop {
        at += visible(&bytes[at..]);
        let Some(&c) = bytes.get(at) else { break };
        let c = if c < 0x80 { c as char } else { s[at..].chars().next().unwrap_or(' ') };
        if is_space(c) {
            if start < at {
                see(&s[start..at]);
            }
            start = at + c.len_utf8();
        }
        at += c.len_utf8();
    }
    if start < at {
        see(&s[start..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DIGIT, NUMBER, PUNCTUATION, SYMBOL, WORD};

    #[test]
    fn white_space_is_pythons() {
        let all: Vec<u32> = (0..0x11_0000).filter(|&c| char::from_u32(c).is_some_and(is_space)).collect();
        let mut want: Vec<u32> =
            (0x9..=0xd).chain(0x1c..=0x20).chain([0x85, 0xa0, 0x1680]).chain(0x2000..=0x200a).collect();
        want.extend([0x2028, 0x2029, 0x202f, 0x205f, 0x3000]);
        assert_eq!(all, want);
    }

    #[test]
    fn has_any_finds_a_mark_anywhere() {
        for c in 0..128u8 {
            for at in 0..20 {
                let text: String = (0..20).map(|i| if i == at { c as char } else { ['a', 'é'][i % 2] }).collect();
                assert_eq!(has_any(&text, *b"<&\n"), matches!(c, b'<' | b'&' | b'\n'), "{text:?}");
            }
        }
    }

    #[test]
    fn find_any_finds_the_first_of_all() {
        for (text, want) in [("", None), ("no", None), ("a so", Some(2)), ("thus so", Some(0)), ("so thus", Some(0)), ("th ths thus", Some(7)), ("é für", Some(3)), ("s t", None)] {
            assert_eq!(find_any(text, &["so", "thus", "für"]), want, "{text}");
            assert_eq!(find_any(text, &[]), None);
        }
    }

    #[test]
    fn runs_end_at_the_first_other_byte() {
        for c in 0..=255u8 {
            for at in 0..20 {
                for after in [b'x', b' ', 0, 0xff] {
                    let mut text = [b'x'; 20];
                    text[at..].fill(after);
                    text[at] = c;
                    let end = |is: fn(&u8) -> bool| text.iter().position(|c| !is(c)).unwrap_or(20);
                    assert_eq!(alphanumerics(&text), end(u8::is_ascii_alphanumeric), "{text:?}");
                    assert_eq!(ascii_lower(&text), text.to_ascii_lowercase());
                    assert_eq!(visible(&text), end(|c| (b'!'..0x80).contains(c)), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn split_is_pythons() {
        for (text, want) in [
            ("", &[][..]),
            (" \t\n", &[]),
            ("a", &["a"]),
            (" a  b\u{1c}c\u{3000}dé\u{a0}", &["a", "b", "c", "dé"]),
            ("é\u{200b}x \u{feff}", &["é\u{200b}x", "\u{feff}"]),
        ] {
            let mut got = Vec::new();
            split(text, &mut got);
            assert_eq!(got, want, "{text:?}");
        }
    }

    #[test]
    fn lower_is_pythons() {
        for (text, want) in [
            ("Hello", "hello"),
            ("hello", "hello"),
            ("İstanbul", "i\u{307}stanbul"),
            ("ΟΔΟΣ ΣΑΣ Σ ΑΣ.Α", "οδος σας σ ασ.α"),
            ("ΑΣ\u{301}", "ας\u{301}"),
            ("\u{212a}ELVIN STRASSE ß ẞ", "kelvin strasse ß ß"),
        ] {
            assert_eq!(lower(text), want);
        }
    }

    #[test]
    fn casefold_is_pythons() {
        for (text, want) in [
            ("Hello", "hello"),
            ("Straße STRASSE ẞ", "strasse strasse ss"),
            ("ΟΔΟΣ οδος", "οδοσ οδοσ"),
            ("İıI", "i\u{307}ıi"),
            ("ﬁ ŉ ǅ \u{212a} \u{345}", "fi ʼn ǆ k ι"),
            ("Ꭰꭰᏸ", "ᎠᎠᏰ"),
        ] {
            assert_eq!(casefold(text), want);
        }
    }

    #[test]
    fn sets_hold_what_their_category_holds() {
        assert!(
            WORD.has('_') && WORD.has('é') && WORD.has('٣') && WORD.has('ⅷ') && WORD.has('漢') && WORD.has('\u{2f800}')
        );
        assert!(!WORD.has('\u{301}') && !WORD.has('-') && !WORD.has('\u{93e}') && !WORD.has('\u{10ffff}'));
        assert!(DIGIT.has('7') && DIGIT.has('٣') && !DIGIT.has('²') && !DIGIT.has('ⅷ'));
        assert!(NUMBER.has('²') && PUNCTUATION.has('。') && PUNCTUATION.has('«') && SYMBOL.has('€') && SYMBOL.has('$'));
        assert!(!SYMBOL.has('%') && PUNCTUATION.has('%'));
        let count = |s: &Set| (0..0x11_0000).filter(|&c| char::from_u32(c).is_some_and(|c| s.has(c))).count();
        assert_eq!((count(&WORD), count(&DIGIT)), (133_548, 660));
    }
}
