//! Tokens of a text, to put what a grammar knows in the place of what it does not.

/// What quotes mean in a language.
#[derive(Clone, Copy, PartialEq)]
pub enum Quotes {
    /// `'a'` is a literal, and backticks stand around strings without escapes.
    Plain,
    /// `'a` is a lifetime.
    Lifetimes,
}

/// A text of which tokens are replaced by others of the same length, so that places stay the same.
pub struct Tokens<'t> {
    text: &'t str,
    list: Vec<(usize, usize)>,
    /// Per token, the bracket that closes it; 0: none.
    closing: Vec<usize>,
    /// What `find` looked for, and what it finds from each token on; `usize::MAX`: nothing.
    found: Vec<(&'static [&'static str], Vec<usize>)>,
    bytes: Vec<u8>,
}

impl<'t> Tokens<'t> {
    /// Words, strings, and single characters of punctuation. Comments and white space are not tokens.
    pub fn of(text: &'t str, quotes: Quotes) -> Self {
        let (mut list, mut closing, mut open) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            let word = |from: &str| from.find(|c: char| !is_part(c)).unwrap_or(from.len());
            let length = match c {
                _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |n| n + 2),
                _ if rest.starts_with("\"\"\"") => rest[3..].find("\"\"\"").map_or(rest.len(), |n| n + 6),
                '\'' if quotes == Quotes::Lifetimes && lifetime(rest) => 1 + word(&rest[1..]),
                '`' => rest[1..].find('`').map_or(rest.len(), |n| n + 2),
                '"' | '\'' => string(rest, c),
                _ if c.is_ascii_digit() => number(rest),
                _ if is_part(c) => word(rest),
                _ => c.len_utf8(),
            };
            if !c.is_whitespace() && !rest.starts_with("//") && !rest.starts_with("/*") {
                match c {
                    '(' => open.push((list.len(), ')')),
                    '[' => open.push((list.len(), ']')),
                    '{' => open.push((list.len(), '}')),
                    ')' | ']' | '}' => {
                        // One of another kind closes none.
                        if let Some((i, _)) = open.pop().filter(|&(_, bracket)| bracket == c) {
                            closing[i] = list.len();
                        }
                    }
                    _ => {}
                }
                list.push((at, at + length));
                closing.push(0);
            }
            at += length;
        }
        Tokens { text, list, closing, found: Vec::new(), bytes: text.as_bytes().to_vec() }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// A token; empty before the first and after the last.
    pub fn at(&self, i: usize) -> &'t str {
        self.list.get(i).map_or("", |&(start, end)| &self.text[start..end])
    }

    /// The token so many places before another.
    pub fn before(&self, i: usize, places: usize) -> &'t str {
        i.checked_sub(places).map_or("", |i| self.at(i))
    }

    /// Whether nothing stands between a token and the next.
    pub fn touches(&self, i: usize) -> bool {
        i + 1 < self.list.len() && self.list[i].1 == self.list[i + 1].0
    }

    /// Whether a `>` is that of `=>`.
    pub fn arrow(&self, i: usize) -> bool {
        self.before(i, 1) == "=" && self.touches(i - 1)
    }

    /// Whether a token begins a line, behind white space alone.
    pub fn breaks(&self, i: usize) -> bool {
        i > 0 && self.gap(i - 1).contains('\n') && self.gap(i - 1).ends_with(char::is_whitespace)
    }

    /// The text between a token and the next.
    pub fn gap(&self, i: usize) -> &'t str {
        if i + 1 < self.list.len() {
            &self.text[self.list[i].1..self.list[i + 1].0]
        } else {
            ""
        }
    }

    /// Whether tokens stand one after the other from a place on.
    pub fn starts(&self, i: usize, tokens: &[&str]) -> bool {
        tokens.iter().enumerate().all(|(n, t)| self.at(i + n) == *t)
    }

    /// The bracket that closes the one at a place.
    pub fn close(&self, i: usize) -> Option<usize> {
        self.closing.get(i).copied().filter(|&end| end > 0)
    }

    /// The first of some tokens from a place on, outside of brackets that open there.
    pub fn find(&mut self, from: usize, tokens: &'static [&'static str]) -> Option<usize> {
        let known = self.found.iter().position(|f| f.0 == tokens).unwrap_or_else(|| {
            let mut next = vec![usize::MAX; self.list.len() + 1];
            for i in (0..self.list.len()).rev() {
                next[i] = match self.at(i) {
                    t if tokens.contains(&t) => i,
                    "(" | "[" | "{" => self.close(i).map_or(usize::MAX, |end| next[end + 1]),
                    ")" | "]" | "}" => usize::MAX,
                    _ => next[i + 1],
                };
            }
            self.found.push((tokens, next));
            self.found.len() - 1
        });
        self.found[known].1.get(from).copied().filter(|&i| i < usize::MAX)
    }

    /// Puts spaces for the tokens from one to another, and what is between them; line breaks stay.
    pub fn blank(&mut self, first: usize, last: usize) {
        let (start, end) = (self.list[first].0, self.list[last].1);
        self.bytes[start..end].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    }

    /// Puts a text for a token that is not shorter.
    pub fn put(&mut self, i: usize, text: &str) {
        let start = self.list[i].0;
        self.blank(i, i);
        self.bytes[start..start + text.len()].copy_from_slice(text.as_bytes());
    }

    /// Puts a character for the white space before a token.
    pub fn put_before(&mut self, i: usize, byte: u8) {
        let at = self.list[i].0 - 1;
        self.bytes[at] = byte;
    }

    /// The text with the changes. `None`: there are none.
    pub fn changed(self) -> Option<String> {
        String::from_utf8(self.bytes).ok().filter(|other| other != self.text)
    }
}

/// Whether a token is a word.
pub fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
}

/// Whether a token is a number.
pub fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

fn lifetime(rest: &str) -> bool {
    let mut chars = rest.chars().skip(1);
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_') && chars.next() != Some('\'')
}

/// The length of a number, with digit separators.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let quote = |n: usize| bytes[n] == b'\'' && bytes.get(n + 1).is_some_and(u8::is_ascii_alphanumeric);
    (1..bytes.len()).find(|&n| !bytes[n].is_ascii_alphanumeric() && bytes[n] != b'_' && !quote(n)).unwrap_or(bytes.len())
}

/// The length of a string, which ends with its line at the latest.
fn string(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' if !escaped => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a string or character from its quote on; one that does not end takes the line. `1'000` has no
/// character.
pub(super) fn literal(text: &str, at: usize) -> usize {
    let (rest, bytes) = (&text[at..], text[at..].as_bytes());
    let before = &text[..at];
    if bytes[0] == b'\'' && before.ends_with(|c: char| c.is_ascii_hexdigit()) && !before.ends_with("u8") {
        let word = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '\'');
        if before[word.len()..].starts_with(|c: char| c.is_ascii_digit()) {
            return 1;
        }
    }
    if bytes[0] == b'"' && before.ends_with('R') && !before[..before.len() - 1].ends_with(|c: char| c.is_ascii_digit() && c != '8' || c == '_') {
        if let Some(open) = rest.find('(').filter(|&n| n <= 17) {
            let close = format!("){}\"", &rest[1..open]);
            return rest.find(&close).map_or(rest.len(), |n| n + close.len());
        }
    }
    let mut i = 1;
    while i < bytes.len() && bytes[i] != b'\n' {
        match bytes[i] {
            b'\\' => i += if bytes.get(i + 1) == Some(&b'\r') { 3 } else { 2 },
            c if c == bytes[0] => return i + 1,
            _ => i += 1,
        }
    }
    i.min(bytes.len())
}

/// Whether a token is a literal without its last quote.
pub(super) fn is_open(token: &str) -> bool {
    let prefix = token.len() - token.trim_start_matches(['L', 'u', 'U', '8', 'R']).len();
    token[prefix..].chars().next().filter(|c| matches!(c, '"' | '\'')).is_some_and(|quote| token.len() < prefix + 2 || !token.ends_with(quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_strings_and_punctuation() {
        let all = |text, quotes| {
            let t = Tokens::of(text, quotes);
            (0..t.len()).map(|i| t.at(i)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(all("a->b[1'0] // c\n'\\'' \"x\\\"\" /* d */ `e`", Quotes::Plain), "a - > b [ 1'0 ] '\\'' \"x\\\"\" `e`");
        assert_eq!(all("&'a str 'b' \"é", Quotes::Lifetimes), "& 'a str 'b' \"é");
        let mut t = Tokens::of("if (a) { b[1] } ;", Quotes::Plain);
        assert_eq!((t.close(1), t.find(0, &[";"]), t.find(4, &[";"])), (Some(3), Some(10), Some(10)));
        t.put(0, "x");
        t.blank(4, 9);
        assert_eq!(t.changed().as_deref(), Some("x  (a)          ;"));
        assert_eq!(Tokens::of("", Quotes::Plain).changed(), None);
        let t = Tokens::of(") [ ( ) } [", Quotes::Plain);
        assert_eq!((0..6).map(|i| t.close(i)).collect::<Vec<_>>(), [None, None, Some(3), None, None, None]);
    }
}
