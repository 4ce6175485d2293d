//! Regular expressions with Python's syntax and meaning, in linear time: no
//! pattern and no text can make a match explode.
//!
//! Left out, and refused by name: look-around, back-references, atomic groups,
//! possessive quantifiers, conditionals, verbose mode. `\w`, `\d`, `\s` and `\b`
//! are those of Python strings, which is to say Unicode.

mod compile;
mod parse;
mod run;

use compile::Program;
use rubric_host_sdk::Result;

pub use run::Anchor;

/// A compiled pattern.
pub struct Pattern {
    program: Program,
    groups: usize,
}

/// The most groups of a pattern whose captures are asked for.
const MOST_GROUPS: usize = 50;

/// What a match captured.
pub type Groups = Vec<Option<(usize, usize)>>;

impl Pattern {
    pub fn new(pattern: &str, ignore_case: bool) -> Result<Self> {
        Self::compiled(pattern, ignore_case, false)
    }

    /// A pattern whose groups can be asked for.
    pub fn with_groups(pattern: &str, ignore_case: bool) -> Result<Self> {
        Self::compiled(pattern, ignore_case, true)
    }

    fn compiled(pattern: &str, ignore_case: bool, captures: bool) -> Result<Self> {
        let flags = parse::Flags { ignore_case, ..parse::Flags::default() };
        let (tree, groups) = parse::parse(pattern, flags)?;
        if captures && groups > MOST_GROUPS {
            return Err(parse::about(pattern, format_args!("it has {groups} groups; {MOST_GROUPS} is the most")));
        }
        Ok(Pattern { program: compile::compile(&tree, captures).map_err(|e| parse::about(pattern, e))?, groups })
    }

    /// The first match and its groups, of a pattern with groups.
    pub fn capture(&self, text: &[char]) -> Option<((usize, usize), Groups)> {
        let span = self.find(text, Anchor::None)?;
        Some((span, if self.groups == 0 { Vec::new() } else { run::groups(&self.program, text, span.0, self.groups) }))
    }

    /// The first match: the leftmost, and of those the one that Python prefers.
    pub fn find(&self, text: &[char], anchor: Anchor) -> Option<(usize, usize)> {
        run::find(&self.program, text, 0, anchor, false)
    }

    /// `re.sub(pattern, "", text)`; `None` if nothing is deleted.
    pub fn delete(&self, text: &str) -> Option<String> {
        let chars: Vec<char> = text.chars().collect();
        let mut kept = String::new();
        let (mut at, mut last, mut advance, mut deleted) = (0, 0, false, false);
        while let Some((start, end)) = run::find(&self.program, &chars, at, Anchor::None, advance) {
            kept.extend(&chars[last..start]);
            deleted |= end > start;
            // After an empty match the next one must not be empty here.
            (at, last, advance) = (end, end, end == start);
        }
        kept.extend(&chars[last..]);
        deleted.then_some(kept)
    }
}

/// What a character is to a pattern that ignores case: the lower case of its
/// upper case, where both are single characters. Final sigma is a sigma, long s
/// an s, the Kelvin sign a k, and every i an i.
pub fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    match c {
        'İ' => return 'i',
        // Pairs with the same upper case, of several characters.
        '\u{1fd3}' => return '\u{390}',
        '\u{1fe3}' => return '\u{3b0}',
        '\u{fb05}' => return '\u{fb06}',
        _ => {}
    }
    single(single(c, c.to_uppercase()), single(c, c.to_uppercase()).to_lowercase())
}

fn single(c: char, mut mapped: impl Iterator<Item = char>) -> char {
    match (mapped.next(), mapped.next()) {
        (Some(m), None) => m,
        _ => c,
    }
}

#[cfg(test)]
mod tests;
