//! `exact`: the output equals a reference. The options are those of the
//! evaluate library's exact_match, and `strip`.

use crate::pattern::Pattern;
use crate::{one_if, Texts};
use rubric_host_sdk::{Answer, Object, Request, Result};
use rubric_host_text::{lower, strip};
use std::borrow::Cow;

struct Settings {
    ignore: Vec<Pattern>,
    case: bool,
    punctuation: bool,
    numbers: bool,
    strip: bool,
}

impl Settings {
    fn read(request: &Request) -> Result<Self> {
        let config = request.config();
        let patterns = config.texts("regexes_to_ignore")?.unwrap_or_default();
        Ok(Settings {
            ignore: patterns.into_iter().map(|p| Pattern::new(p, false)).collect::<Result<_>>()?,
            case: config.flag("ignore_case", false)?,
            punctuation: config.flag("ignore_punctuation", false)?,
            numbers: config.flag("ignore_numbers", false)?,
            strip: config.flag("strip", false)?,
        })
    }

    /// Takes away what does not count, in evaluate's order. Trailing NULs never
    /// count: its comparison pads with them.
    fn normal<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        for pattern in &self.ignore {
            if let Some(rest) = pattern.delete(&text) {
                text = Cow::Owned(rest);
            }
        }
        if self.case {
            text = Cow::Owned(lower(&text).into_owned());
        }
        if self.punctuation || self.numbers {
            let counts =
                |c: &char| !(self.punctuation && c.is_ascii_punctuation() || self.numbers && c.is_ascii_digit());
            text = Cow::Owned(text.chars().filter(counts).collect());
        }
        if self.strip {
            text = Cow::Owned(strip(&text).into());
        }
        if text.ends_with('\0') {
            text = Cow::Owned(text.trim_end_matches('\0').into());
        }
        text
    }
}

pub fn exact(request: &Request) -> Result<Answer> {
    let settings = Settings::read(request)?;
    let texts = match Texts::read(request)? {
        Ok(texts) => texts,
        Err(unscored) => return Ok(unscored),
    };
    let output = settings.normal(texts.output);
    let negate = request.config().flag("negate", false)?;
    let found = texts.references.iter().any(|r| settings.normal(r) == output);
    let mut details = Object::new();
    details.num("exact_match", one_if(found));
    Ok(Answer::score(one_if(found != negate)).details(details))
}
