//! The code in an output.

use crate::Language;
use rubric_host_sdk::{Config, Error, Result};
use rubric_host_text::after_reasoning;

/// Where the code of an output is.
#[derive(Debug, PartialEq)]
pub struct Code<'a> {
    pub text: &'a str,
    /// Bytes of the text where a piece of the output begins, ascending from 0, each with its place in the output.
    places: Vec<(usize, usize)>,
    /// Which block it is, for people; empty: the whole output.
    pub which: String,
}

impl Code<'_> {
    /// The place in the output of a byte of the code.
    pub fn place(&self, byte: usize) -> usize {
        let (text, output) = self.places[self.places.partition_point(|p| p.0 <= byte) - 1];
        output + byte - text
    }

    /// Puts a line feed for each carriage return that none follows.
    pub fn end_lines(&mut self) {
        let alone = |at: usize| self.text.as_bytes().get(at + 1) != Some(&b'\n');
        if self.text.match_indices('\r').any(|(at, _)| alone(at)) {
            let bytes = self.text.bytes().enumerate().map(|(at, b)| if b == b'\r' && alone(at) { b'\n' } else { b });
            self.text = String::from_utf8(bytes.collect()).map_or(self.text, |text| text.leak());
        }
    }
}

/// A fenced block of Markdown.
struct Block<'a> {
    language: &'a str,
    from: usize,
    to: usize,
    /// White space before its fence, in bytes. As much of it at the beginning of a line is not part of the code.
    indent: usize,
}

/// Takes the code out of an output: `code_block` is "first" (the default), "last", or
/// "none" for an output that is code as a whole. Blocks of the language come before
/// others; without any block the whole output is code. Reasoning in tags before an answer is not part of it.
pub fn code<'a>(language: &Language, output: &'a str, config: &Config) -> Result<Code<'a>> {
    let mut names = vec![language.name];
    names.extend(language.fences);
    chosen(output, &names, config)
}

fn chosen<'a>(output: &'a str, names: &[&str], config: &Config) -> Result<Code<'a>> {
    let whole = Code { text: output, places: vec![(0, 0)], which: String::new() };
    let choice = match config.text("code_block", "first")? {
        c @ ("first" | "last") => c,
        "none" => return Ok(whole),
        other => return Err(Error::new(format!("config code_block is \"{other}\": use first, last or none"))),
    };
    let mut blocks = blocks_from(output, 0);
    let mut from = 0;
    if !blocks.is_empty() || is_opened(output) {
        match after_reasoning(output) {
            Some(answer) if answers(output, answer, &blocks) => {
                from = output.len() - answer.len();
                blocks = blocks_from(output, from);
            }
            Some(_) => {}
            None => blocks.clear(),
        }
    }
    let whole = Code { text: &output[from..], places: vec![(0, from)], which: String::new() };
    let of_language: Vec<usize> =
        (0..blocks.len()).filter(|&i| names.iter().any(|n| blocks[i].language.eq_ignore_ascii_case(n))).collect();
    let candidates = if of_language.is_empty() { (0..blocks.len()).collect() } else { of_language };
    let Some(&i) = (if choice == "last" { candidates.last() } else { candidates.first() }) else { return Ok(whole) };
    let b = &blocks[i];
    let which = format!("code block {} of {}", i + 1, blocks.len());
    let text = &output[b.from..b.to];
    if b.indent == 0 {
        return Ok(Code { text, places: vec![(0, b.from)], which });
    }
    let (mut code, mut places, mut at) = (String::with_capacity(text.len()), vec![(0, b.from)], b.from);
    for line in text.split_inclusive('\n') {
        let cut = indentation(line).min(b.indent);
        places.push((code.len(), at + cut));
        code.push_str(&line[cut..]);
        at += line.len();
    }
    Ok(Code { text: code.leak(), places, which }) // a call's memory ends with it
}

/// Whether a text begins with a tag of reasoning.
fn is_opened(text: &str) -> bool {
    ["<think", "<reasoning>", "<scratchpad>", "<seed:think>", "<|", "\u{25c1}think", "[THINK]"].iter().any(|tag| text.trim_start().starts_with(tag))
}

/// Whether an answer stands behind reasoning, and not behind a tag in code, such as that of `split("</think>")`.
fn answers(output: &str, answer: &str, blocks: &[Block]) -> bool {
    let before = &output[..output.len() - answer.len()];
    // A block with another fence in it is a draft that does not end.
    let fenced = || blocks.iter().any(|b| (b.from..b.to).contains(&before.len()) && !output[b.from..b.to].contains("\n```"));
    // The tag begins its line, or ends it unquoted.
    let ends = || answer.trim_start_matches([' ', '\r']).starts_with('\n') && before.strip_suffix("</think>").is_some_and(|text| !text.ends_with(['`', '"', '\'']));
    let closed = || !fenced() && (before.lines().last().is_some_and(|line| line.trim_start().starts_with('<')) || ends()) && !blocks_from(answer, 0).is_empty();
    !answer.trim().is_empty() && (is_opened(output) || closed())
}

/// The fenced blocks of a text from a byte on. A fence is a line that begins with at least three
/// backticks or tildes; the block ends at such a line with as many, or with the text.
/// In a list, fences may be indented, or stand behind a number.
fn blocks_from(text: &str, from: usize) -> Vec<Block<'_>> {
    let mut found: Vec<Block> = Vec::new();
    let mut open: Option<(u8, usize)> = None;
    let mut list = usize::MAX; // the smallest indentation of an item so far
    let mut at = from;
    for line in text[from..].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let mut indent = indentation(line);
        let item = marker(&line[indent..]);
        if open.is_none() && item > 0 && (indent < 4 || indent > list) {
            list = list.min(indent);
            if line[indent..].starts_with(|c: char| c.is_ascii_digit()) {
                indent += item;
            }
        }
        let line = &line[indent..];
        let Some(mark) = line.bytes().next().filter(|c| matches!(c, b'`' | b'~')) else { continue };
        let width = line.bytes().take_while(|&c| c == mark).count();
        if width < 3 {
            continue;
        }
        let info = line[width..].trim();
        match open {
            None if !info.contains('`') && (indent == 0 || indent > list) => {
                open = Some((mark, width));
                let language = info.split([' ', '{', ',']).next().unwrap_or("");
                found.push(Block { language, from: at, to: text.len(), indent });
            }
            Some((m, w)) if m == mark && width >= w && info.is_empty() && found.last().is_some_and(|b| indent <= b.indent) => {
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

/// The white space that a line begins with, in bytes.
fn indentation(line: &str) -> usize {
    line.bytes().take_while(|c| matches!(c, b' ' | b'\t')).count()
}

/// The length of the mark of an item with the white space behind it; 0: the text begins with none.
fn marker(text: &str) -> usize {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mark = match text.as_bytes().get(digits) {
        Some(b'-' | b'*' | b'+') if digits == 0 => 1,
        Some(b'.' | b')') if (1..10).contains(&digits) => digits + 1,
        _ => return 0,
    };
    match indentation(&text[mark..]) {
        0 => 0,
        space => mark + space,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rubric_host_sdk::Request;

    fn taken(output: &str, config: &str) -> (String, usize, String) {
        let text = format!("{{\"contract\":1,\"config\":{config}}}");
        let request = Request::parse(&text).unwrap();
        let c = chosen(output, &["python", "py"], &request.config()).unwrap();
        (c.text.into(), c.place(0), c.which)
    }

    #[test]
    fn the_block_of_the_language_comes_first() {
        let two = "Sure:\n```sh\nls\n```\nthen\n```python\nx = 1\n```\n~~~py\ny\n~~~\n";
        assert_eq!(taken(two, "{}"), ("x = 1\n".into(), 34, "code block 2 of 3".into()));
        assert_eq!(taken(two, r#"{"code_block":"last"}"#).0, "y\n");
        assert_eq!(taken(two, r#"{"code_block":"none"}"#), (two.into(), 0, "".into()));
        assert_eq!(taken("x = 1\n", "{}"), ("x = 1\n".into(), 0, "".into()));
        let reasoned = "<think>\n```py\na\n```\n</think>\n```py\nb\n```\n";
        assert_eq!(taken(reasoned, "{}"), ("b\n".into(), 35, "code block 1 of 1".into()));
        assert_eq!(taken("```py\na\n</think>\n```\n```py\nb\n```\n", "{}").0, "a\n</think>\n");
        assert_eq!(taken("```py\na\n</think>\n```py\nb\n```\n", "{}").0, "b\n");
        assert_eq!(taken("```py\na\n```\nNo. </think>\n```py\nb\n```\n", "{}").0, "b\n");
        assert_eq!(taken("```py\na\n```\nRemove `</think>`\n```py\nb\n```\n", "{}").0, "a\n");
        assert_eq!(taken("```py\na\n```\nCut at </think> as in\n```py\nb\n```\n", "{}").0, "a\n");
        for code in ["t.split('</think>')", "<think>\n```py\na\n```\n", "<think>a</think>\n", "x = (\n</think>\ny\n"] {
            assert_eq!(taken(code, "{}").0, code);
        }
        assert_eq!(taken("```\nopen", "{}").0, "open");
        assert_eq!(taken("````\n```\n````\n", "{}").0, "```\n");
        assert_eq!(taken("s = '''\n  ```\n'''", "{}").0, "s = '''\n  ```\n'''");
    }

    #[test]
    fn fences_in_a_list_may_be_indented() {
        let list = "1. First:\n   ```python\n   if x:\n       y\n\n  z\n   ```\n2. ```py\n   a\n   ```\n";
        assert_eq!(taken(list, "{}"), ("if x:\n    y\n\nz\n".into(), 26, "code block 1 of 2".into()));
        assert_eq!(taken(list, r#"{"code_block":"last"}"#).0, "a\n");
        assert_eq!(taken("- a\n  - b\n\n    ~~~py\n    c\n      ~~~\n    ~~~\n", "{}").0, "c\n  ~~~\n");
        assert_eq!(taken("*\ta\n\t```\n\tb\n\t```\n", "{}").0, "b\n");
        for code in ["/**\n * ```js\n * f()\n * ```\n */\n", "def f():\n    '''\n    - a\n      ```\n      b\n      ```\n    '''\n"] {
            assert_eq!(taken(code, "{}").0, code);
        }
        let request = Request::parse("{\"contract\":1,\"config\":{}}").unwrap();
        let c = chosen(list, &["python"], &request.config()).unwrap();
        assert_eq!([0, 3, 6, 10, 12, 13, 14].map(|b| &list[c.place(b)..=c.place(b)]), ["i", "x", " ", "y", "\n", "z", "\n"]);
    }
}
