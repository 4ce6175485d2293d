//! Tercom's tokenizer as sacrebleu has it: rules that insert spaces, in their order.

use rubric_host_sdk::{Config, Result};
use rubric_host_text::{lower, split, strip_end};
use std::borrow::Cow;

#[derive(Clone, Copy)]
pub struct Tokenizer {
    pub normalized: bool,
    pub no_punct: bool,
    pub asian_support: bool,
    pub case_sensitive: bool,
}

impl Tokenizer {
    pub fn read(config: &Config) -> Result<Self> {
        Ok(Tokenizer {
            normalized: config.flag("normalized", false)?,
            no_punct: config.flag("no_punct", false)?,
            asian_support: config.flag("asian_support", false)?,
            case_sensitive: config.flag("case_sensitive", false)?,
        })
    }

    /// The text whose words, between white space, are the tokens. What `normalized`
    /// inserts is single spaces.
    pub fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(strip_end(text));
        if text.is_empty() {
            return text;
        }
        if !self.case_sensitive {
            text = Cow::Owned(lower(&text).into_owned());
        }
        if self.normalized {
            text = Cow::Owned(western(&text));
            if self.asian_support {
                text = Cow::Owned(apart(&text, |c| is_asian(c) || is_asian_mark(c)));
            }
        }
        if self.no_punct {
            let marks = |c: char| {
                matches!(c, '.' | ',' | '?' | ':' | ';' | '!' | '"' | '(' | ')')
                    || (self.asian_support && is_asian_mark(c))
            };
            text = Cow::Owned(text.chars().filter(|&c| !marks(c)).collect());
        }
        if self.normalized {
            let mut words = Vec::new();
            split(&text, &mut words);
            text = Cow::Owned(words.join(" "));
        }
        text
    }
}

fn western(text: &str) -> String {
    let mut text = text.to_string();
    for (from, to) in [("\n-", ""), ("\n", " "), ("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")] {
        if text.contains(from) {
            text = text.replace(from, to);
        }
    }
    let symbol = |c: char| matches!(c, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/');
    let mark = |c: char| c == '.' || c == ',';
    // Of the possessives, those at the end of the text have the padding after them.
    let text = apart(&format!(" {text} "), symbol).replace("'s ", " 's ");
    let text = pairs(&text, |a, b| !a.is_ascii_digit() && mark(b), false);
    let text = pairs(&text, |a, b| mark(a) && !b.is_ascii_digit(), true);
    pairs(&text, |a, b| a.is_ascii_digit() && b == '-', false)
}

/// Puts spaces around characters.
fn apart(text: &str, which: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 2);
    for c in text.chars() {
        if which(c) {
            out.extend([' ', c, ' ']);
        } else {
            out.push(c);
        }
    }
    out
}

/// Puts spaces around the second (or first) of two characters, and continues after
/// both, as a regular expression does.
fn pairs(text: &str, rule: impl Fn(char, char) -> bool, around_first: bool) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 2);
    let mut chars = text.chars().peekable();
    while let Some(a) = chars.next() {
        match chars.next_if(|&b| rule(a, b)) {
            Some(b) if around_first => out.extend([' ', a, ' ', b]),
            Some(b) => out.extend([a, ' ', b, ' ']),
            None => out.push(a),
        }
    }
    out
}

/// Characters that stand alone. sacrebleu's rules for runs of kana can never match,
/// and one of its ranges ends at U+3F22 where U+32FF is meant.
fn is_asian(c: char) -> bool {
    matches!(
        c,
        '\u{4e00}'..='\u{9fff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{31c0}'..='\u{31ef}'
            | '\u{2e80}'..='\u{2eff}'
            | '\u{3300}'..='\u{33ff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{fe30}'..='\u{fe4f}'
            | '\u{3200}'..='\u{3f22}'
    )
}

fn is_asian_mark(c: char) -> bool {
    matches!(
        c,
        '\u{3001}' | '\u{3002}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}' | '\u{ff61}'..='\u{ff65}'
            | '\u{30fb}' | '\u{ff0e}' | '\u{ff0c}' | '\u{ff1f}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff01}' | '\u{ff02}'
            | '\u{ff08}' | '\u{ff09}'
    )
}
