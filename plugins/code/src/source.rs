//! The code in an output.

use rubric_host_sdk::{Config, Error, Result};

/// Where the code of an output is.
#[derive(Debug, PartialEq)]
pub struct Code<'a> {
    pub text: &'a str,
    /// Its first byte in the output.
    pub from: usize,
    /// Which block it is, for people; empty: the whole output.
    pub which: String,
}

/// A fenced block of Markdown.
struct Block<'a> {
    language: &'a str,
    from: usize,
    to: usize,
}

/// Takes the code out of an output: `code_block` is "first" (the default), "last", or
/// "none" for an output that is code as a whole. Blocks of the language come before
/// others; without any block the whole output is code.
pub fn code<'a>(output: &'a str, names: &[&str], config: &Config) -> Result<Code<'a>> {
    let whole = Code { text: output, from: 0, which: String::new() };
    let choice = match config.text("code_block", "first")? {
        c @ ("first" | "last") => c,
        "none" => return Ok(whole),
        other => return Err(Error::new(format!("config code_block is \"{other}\": use first, last or none"))),
    };
    let blocks = blocks(output);
    let of_language: Vec<usize> =
        (0..blocks.len()).filter(|&i| names.iter().any(|n| blocks[i].language.eq_ignore_ascii_case(n))).collect();
    let candidates = if of_language.is_empty() { (0..blocks.len()).collect() } else { of_language };
    let Some(&i) = (if choice == "last" { candidates.last() } else { candidates.first() }) else { return Ok(whole) };
    let b = &blocks[i];
    let which = format!("code block {} of {}", i + 1, blocks.len());
    Ok(Code { text: &output[b.from..b.to], from: b.from, which })
}

/// The fenced blocks of a text. A fence is a line that begins with at least three
/// backticks or tildes; the block ends at such a line with as many, or with the text.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block> = Vec::new();
    let mut open: Option<(u8, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(mark) = line.bytes().next().filter(|c| matches!(c, b'`' | b'~')) else { continue };
        let width = line.bytes().take_while(|&c| c == mark).count();
        if width < 3 {
            continue;
        }
        let info = line[width..].trim();
        match open {
            None if !info.contains('`') => {
                open = Some((mark, width));
                let language = info.split([' ', '{', ',']).next().unwrap_or("");
                found.push(Block { language, from: at, to: text.len() });
            }
            Some((m, w)) if m == mark && width >= w && info.is_empty() => {
                open = None;
                if let Some(b) = found.last_mut() {
                    b.to = start;
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use rubric_host_sdk::Request;

    fn taken(output: &str, config: &str) -> (String, usize, String) {
        let text = format!("{{\"contract\":1,\"config\":{config}}}");
        let request = Request::parse(&text).unwrap();
        let c = code(output, &["python", "py"], &request.config()).unwrap();
        (c.text.into(), c.from, c.which)
    }

    #[test]
    fn the_block_of_the_language_comes_first() {
        let two = "Sure:\n```sh\nls\n```\nthen\n```python\nx = 1\n```\n~~~py\ny\n~~~\n";
        assert_eq!(taken(two, "{}"), ("x = 1\n".into(), 34, "code block 2 of 3".into()));
        assert_eq!(taken(two, r#"{"code_block":"last"}"#).0, "y\n");
        assert_eq!(taken(two, r#"{"code_block":"none"}"#), (two.into(), 0, "".into()));
        assert_eq!(taken("x = 1\n", "{}"), ("x = 1\n".into(), 0, "".into()));
        assert_eq!(taken("```\nopen", "{}").0, "open");
        assert_eq!(taken("````\n```\n````\n", "{}").0, "```\n");
        assert_eq!(taken("s = '''\n  ```\n'''", "{}").0, "s = '''\n  ```\n'''");
    }
}
