//! sacrebleu's tokenizers, as slices of the text.
//!
//! The originals are lists of regular expressions that insert spaces. Each rule
//! looks at two neighbours and consumes both, so that of `...` not every dot is
//! seen by the same rule. As rules only ever insert spaces, what they come to is
//! a question for each character: is it apart from its neighbours? [`Mark`]
//! answers it for the two rules that look at a neighbour; the proof that nothing
//! else of the consuming matters is in its comment, the evidence in the
//! reference vectors and a test against the rules as written.

use crate::settings::Tokenizer;
use rubric_host_text::{alphanumerics, has_any, is_space, split, strip, strip_end, NUMBER, PUNCTUATION, SYMBOL};
use std::borrow::Cow;
use std::ops::Range;

/// Undoes what a tokenizer undoes before it looks at characters.
pub fn prepare(text: &str, tokenizer: Tokenizer) -> Cow<'_, str> {
    match tokenizer {
        Tokenizer::Zh => Cow::Borrowed(strip(text)),
        Tokenizer::Thirteen => decode(strip_end(text)),
        _ => Cow::Borrowed(strip_end(text)),
    }
}

fn decode(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    if has_any(&text, [b'<', b'&', b'\n']) {
        // A newline that stays is white space like any other.
        for (from, to) in [
            ("<skipped>", ""),
            ("-\n", ""),
            ("\n", " "),
            ("&quot;", "\""),
            ("&amp;", "&"),
            ("&lt;", "<"),
            ("&gt;", ">"),
        ] {
            if text.contains(from) {
                text = Cow::Owned(text.replace(from, to));
            }
        }
    }
    text
}

/// The tokens of a prepared text.
pub fn tokens(text: &str, tokenizer: Tokenizer) -> Vec<&str> {
    let mut out = Vec::with_capacity(text.len() / 4 + 8);
    match tokenizer {
        Tokenizer::None => split(text, &mut out),
        Tokenizer::Thirteen => western(text, true, &mut out),
        Tokenizer::Zh => western(text, false, &mut out),
        Tokenizer::Intl => intl(text, &mut out),
        Tokenizer::Char => {
            out.extend(text.char_indices().filter(|(_, c)| !is_space(*c)).map(|(at, c)| &text[at..at + c.len_utf8()]))
        }
    }
    out
}

/// Decides whether a mark (a dot or comma; any punctuation for intl) stands
/// apart. The first rule takes (no digit)(mark), the second (mark)(no digit).
///
/// A mark is matched by the first rule if a character that is not a digit comes
/// before it and that one is not itself a mark just matched, which is consumed.
/// The second rule then sees a space after every mark of the first. It could
/// consume a mark only as the neighbour of an unmatched one; but the successor
/// of an unmatched mark is always matched by the first rule, and so has a space
/// before it. Hence: apart if matched by the first rule, or no digit follows.
#[derive(Default)]
struct Mark {
    /// Where the last mark that the first rule matched ends; 0 if none did.
    matched: usize,
}

impl Mark {
    /// `before` and `after` say whether a digit is there; `None`: nothing is.
    fn apart(&mut self, place: Range<usize>, before: Option<bool>, after: Option<bool>) -> bool {
        let matched = before == Some(false) && (place.start == 0 || place.start != self.matched);
        if matched {
            self.matched = place.end;
        }
        matched || after == Some(false)
    }
}

/// Cuts a text into tokens at white space and around characters that stand apart.
struct Cutter<'t, 'o> {
    text: &'t str,
    start: usize,
    out: &'o mut Vec<&'t str>,
}

impl Cutter<'_, '_> {
    /// Ends the token before `at`; the next one begins at `next`.
    #[inline]
    fn cut(&mut self, at: usize, next: usize) {
        if self.start < at {
            self.out.push(&self.text[self.start..at]);
        }
        self.start = next;
    }

    /// Makes a token of its own of `from..to`.
    #[inline]
    fn apart(&mut self, from: usize, to: usize) {
        self.cut(from, from);
        self.cut(to, to);
    }
}

const PLAIN: u8 = 0;
const SPLIT: u8 = 1;
const MARK: u8 = 2;
const DASH: u8 = 3;
const SPACE: u8 = 4;
const WIDE: u8 = 5;

/// What the rules of mteval-v13a distinguish.
const CLASS: [u8; 256] = {
    let mut class = [WIDE; 256];
    let mut c = 0;
    while c < 128 {
        class[c] = match c as u8 {
            b'\t'..=b'\r' | 0x1c..=0x20 => SPACE,
            b'{'..=b'~' | b'['..=b'`' | b'!'..=b'&' | b'('..=b'+' | b':'..=b'@' | b'/' => SPLIT,
            b'.' | b',' => MARK,
            b'-' => DASH,
            _ => PLAIN,
        };
        c += 1;
    }
    class
};

/// The language-dependent part of mteval-v13a. `padded`: the text has a space
/// on each side, which is what 13a adds and zh does not.
fn western<'t>(text: &'t str, padded: bool, out: &mut Vec<&'t str>) {
    let bytes = text.as_bytes();
    let edge = if padded { Some(false) } else { None };
    let digit = |at: usize| bytes.get(at).map(u8::is_ascii_digit).or(edge);
    let mut cutter = Cutter { text, start: 0, out };
    let mut mark = Mark::default();
    let mut at = 0;
    loop {
        at += alphanumerics(&bytes[at..]);
        let Some(&c) = bytes.get(at) else { break };
        let mut next = at + 1;
        if c == b' ' {
            cutter.cut(at, next);
        } else {
            match CLASS[usize::from(c)] {
                MARK => {
                    if mark.apart(at..next, if at == 0 { edge } else { digit(at - 1) }, digit(at + 1)) {
                        cutter.apart(at, next);
                    }
                }
                SPLIT => cutter.apart(at, next),
                SPACE => cutter.cut(at, next),
                DASH if at > 0 && bytes[at - 1].is_ascii_digit() => cutter.apart(at, next),
                WIDE => {
                    let c = text[at..].chars().next().unwrap_or(' ');
                    next = at + c.len_utf8();
                    if is_space(c) {
                        cutter.cut(at, next);
                    } else if !padded && is_chinese(c) {
                        cutter.apart(at, next);
                    }
                }
                _ => {}
            }
        }
        at = next;
    }
    cutter.cut(at, at);
}

fn intl<'t>(text: &'t str, out: &mut Vec<&'t str>) {
    let mut cutter = Cutter { text, start: 0, out };
    let mut mark = Mark::default();
    let mut before = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = at + c.len_utf8();
        if is_space(c) {
            cutter.cut(at, next);
        } else if PUNCTUATION.has(c) {
            if mark.apart(at..next, before, chars.peek().map(|(_, c)| NUMBER.has(*c))) {
                cutter.apart(at, next);
            }
        } else if SYMBOL.has(c) {
            cutter.apart(at, next);
        }
        before = Some(NUMBER.has(c));
    }
    cutter.cut(text.len(), text.len());
}

/// The characters that sacrebleu takes for Chinese. Two of its ranges are
/// written with five-digit escapes that Python reads as four digits and a
/// literal one, hence U+2001 to U+2A6D.
fn is_chinese(c: char) -> bool {
    matches!(
        c,
        '\u{2001}'..='\u{2a6d}'
            | '\u{2e80}'..='\u{2fdf}'
            | '\u{2ff0}'..='\u{303f}'
            | '\u{3100}'..='\u{312f}'
            | '\u{31a0}'..='\u{31ef}'
            | '\u{3200}'..='\u{4db5}'
            | '\u{4e00}'..='\u{9fbb}'
            | '\u{f900}'..='\u{fa2d}'
            | '\u{fa30}'..='\u{fa6a}'
            | '\u{fa70}'..='\u{fad9}'
            | '\u{fe10}'..='\u{fe1f}'
            | '\u{fe30}'..='\u{fe4f}'
            | '\u{ff00}'..='\u{ffef}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rule as written: it consumes both characters of a pair.
    fn pairs(text: &str, rule: impl Fn(char, char) -> bool, before: bool) -> String {
        let mut out = String::with_capacity(2 * text.len());
        let mut text = text.chars().peekable();
        while let Some(a) = text.next() {
            if let Some(b) = text.next_if(|&b| rule(a, b)) {
                out.extend(if before { [' ', a, ' ', b] } else { [a, ' ', b, ' '] });
            } else {
                out.push(a);
            }
        }
        out
    }

    fn around(text: &str, rule: impl Fn(char) -> bool) -> String {
        let mut out = String::with_capacity(3 * text.len());
        for c in text.chars() {
            if rule(c) {
                out.extend([' ', c, ' ']);
            } else {
                out.push(c);
            }
        }
        out
    }

    fn western_as_written(text: &str) -> String {
        let mark = |c: char| c == '.' || c == ',';
        let symbol = |c: char| matches!(c, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/');
        let text = around(text, symbol);
        let text = pairs(&text, |a, b| !a.is_ascii_digit() && mark(b), false);
        let text = pairs(&text, |a, b| mark(a) && !b.is_ascii_digit(), true);
        pairs(&text, |a, b| a.is_ascii_digit() && b == '-', false)
    }

    fn intl_as_written(text: &str) -> String {
        let text = pairs(text, |a, b| !NUMBER.has(a) && PUNCTUATION.has(b), false);
        let text = pairs(&text, |a, b| PUNCTUATION.has(a) && !NUMBER.has(b), true);
        around(&text, |c| SYMBOL.has(c))
    }

    fn check(text: &str) {
        fn words(s: &str) -> Vec<&str> {
            s.split(is_space).filter(|w| !w.is_empty()).collect()
        }
        let thirteen = western_as_written(&format!(" {} ", strip_end(text)));
        assert_eq!(tokens(strip_end(text), Tokenizer::Thirteen), words(&thirteen), "13a of {text:?}");
        let zh = western_as_written(&around(strip(text), is_chinese));
        assert_eq!(tokens(strip(text), Tokenizer::Zh), words(&zh), "zh of {text:?}");
        assert_eq!(
            tokens(strip_end(text), Tokenizer::Intl),
            words(&intl_as_written(strip_end(text))),
            "intl of {text:?}"
        );
    }

    #[test]
    fn slices_are_what_the_rules_as_written_give() {
        // Every text of up to five characters of a small alphabet that has one
        // of each kind, every eighth of six, then longer ones at random.
        let alphabet = ['.', ',', '1', 'a', '-', '$', ' ', '中', '٣'];
        for len in 0..=6u32 {
            for n in (0..9usize.pow(len)).step_by(if len < 6 { 1 } else { 8 }) {
                let text: String = (0..len).map(|i| alphabet[n / 9usize.pow(i) % 9]).collect();
                check(&text);
            }
        }
    }

    #[test]
    fn long_random_texts_too() {
        let alphabet: Vec<char> = ".,.,-1927ab中。«»€$_'/\u{a0}\u{1c}\u{3000}é٣²".chars().collect();
        let mut seed = 7u64;
        for _ in 0..20_000 {
            let text: String = (0..40)
                .map(|_| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    alphabet[(seed >> 33) as usize % alphabet.len()]
                })
                .collect();
            check(&text);
        }
    }

    #[test]
    fn entities_and_marks_of_the_format_are_undone_first() {
        for (text, want) in [
            ("a<skipped>b", "ab"),
            ("hyphen-\nated", "hyphenated"),
            ("a\nb", "a b"),
            ("&quot;&amp;lt;&apos;", "\"<&apos;"),
            ("&lt;skipped&gt;", "<skipped>"),
        ] {
            assert_eq!(prepare(text, Tokenizer::Thirteen), want);
        }
    }
}
