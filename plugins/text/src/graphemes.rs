//! Extended grapheme clusters of Unicode 17.0 (UAX 29), which readers take for
//! single characters.

use crate::breaks::STARTS;

const OTHER: u8 = 0;
const CONTROL: u8 = 1;
const ZWJ: u8 = 2;
const LINKER: u8 = 3;
const EXTEND_CONJUNCT: u8 = 4;
const EXTEND: u8 = 5;
const FLAG: u8 = 6;
const PREPEND: u8 = 7;
const SPACING: u8 = 8;
const L: u8 = 9;
const V: u8 = 10;
const T: u8 = 11;
const PICTURE: u8 = 12;
const CONSONANT: u8 = 13;
const LV: u8 = 14;
const LVT: u8 = 15;

fn class(c: char) -> u8 {
    let c = c as u32;
    match c {
        0x20..=0x7e => OTHER,
        0xac00..=0xd7a3 if (c - 0xac00) % 28 == 0 => LV,
        0xac00..=0xd7a3 => LVT,
        _ => match STARTS.partition_point(|&s| s >> 8 <= c) {
            0 => OTHER,
            n => (STARTS[n - 1] & 255) as u8,
        },
    }
}

/// The state before a character: its class, and what the rules that look further
/// back need.
#[derive(Default)]
struct Before {
    class: u8,
    /// A picture, then extending characters.
    picture: bool,
    /// A consonant, then extending characters, with a linker among them or not.
    consonant: bool,
    linked: bool,
    /// An odd number of regional indicators.
    odd: bool,
}

impl Before {
    /// Whether a character of class `next` begins a cluster.
    fn breaks(&self, next: u8) -> bool {
        match (self.class, next) {
            (CONTROL, _) | (_, CONTROL) => true,
            (L, L | V | LV | LVT) | (LV | V, V | T) | (LVT | T, T) => false,
            (_, EXTEND | EXTEND_CONJUNCT | LINKER | ZWJ | SPACING) | (PREPEND, _) => false,
            (_, CONSONANT) if self.consonant && self.linked => false,
            (ZWJ, PICTURE) if self.picture => false,
            (FLAG, FLAG) if self.odd => false,
            _ => true,
        }
    }

    fn step(&mut self, next: u8) {
        let extends = matches!(next, ZWJ | LINKER | EXTEND_CONJUNCT | EXTEND);
        self.picture = next == PICTURE || (self.picture && extends && self.class != ZWJ);
        self.linked = next != CONSONANT && (self.linked || next == LINKER);
        self.consonant = next == CONSONANT || (self.consonant && matches!(next, ZWJ | LINKER | EXTEND_CONJUNCT));
        self.odd = next == FLAG && !(self.class == FLAG && self.odd);
        self.class = next;
    }
}

/// The grapheme clusters of a text, appended to `out`.
pub fn graphemes<'t>(text: &'t str, out: &mut Vec<&'t str>) {
    let mut start = 0;
    let mut before = Before { class: CONTROL, ..Before::default() };
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        let class = class(c);
        if at > 0 && before.breaks(class) && !(last == '\r' && c == '\n') {
            out.push(&text[start..at]);
            start = at;
        }
        before.step(class);
        last = c;
    }
    if start < text.len() {
        out.push(&text[start..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_those_of_the_standard() {
        // From GraphemeBreakTest.txt of Unicode 17.0, in words: what each rule is about.
        for (text, want) in [
            ("", 0),
            ("abc", 3),
            ("e\u{301}a", 2),
            ("\r\n\n", 2),
            ("a\u{200d}b", 2),
            ("👨\u{200d}👩\u{200d}👧", 1),
            ("👨\u{200d}a", 2),
            ("👍🏽👍", 2),
            ("🇫🇷🇩🇪🇺", 3),
            ("각\u{1100}\u{1161}\u{11a8}", 2),
            ("\u{600}1", 1),
            ("का", 1),
            ("क\u{94d}त", 1),
            ("क\u{94d}\u{200d}त", 1),
            ("कत", 2),
            ("क\u{94d}a", 2),
            ("\u{1}\u{301}", 2),
        ] {
            let mut got = Vec::new();
            graphemes(text, &mut got);
            assert_eq!(got.len(), want, "{text:?}: {got:?}");
            assert_eq!(got.concat(), text);
        }
    }
}
