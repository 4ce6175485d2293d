//! What a reader of an output sees of it.

use std::borrow::Cow;

/// Tokens that end an output: what follows is another turn.
const ENDS: [&str; 7] = ["<|eot_id|>", "<|return|>", "<|im_end|>", "<|endoftext|>", "<|end|>", "<end_of_turn>", "</s>"];

/// The most bytes of an image, an address, or what is struck out.
const LONGEST: usize = 2_000;

/// A text without comments of HTML and Markdown, images, addresses of links, what is struck out, and what
/// follows its end.
pub fn visible(text: &str) -> Cow<'_, str> {
    let mut text = text;
    // A tag or a bracket is rare.
    let has = |c: char| text.contains(c);
    if !has('<') && !has('[') && !has('~') {
        return text.into();
    }
    if let Some(end) = ENDS.iter().filter_map(|e| text.find(e)).min().filter(|end| *end > 0) {
        text = &text[..end];
    }
    let mut out = Cow::Borrowed(text);
    if text.contains("display:") || text.contains(" hidden") {
        out = unhidden(text).into();
    }
    for (open, close) in [("<!--", "-->"), ("[//]: #", "\n"), ("![", ")"), ("](http", ")"), ("~~", "~~")] {
        if out.contains(open) {
            out = without(&out, open, close).into();
        }
    }
    out
}

/// A text without the elements of HTML that are not displayed.
fn unhidden(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, inner)) = rest.split_once('<') {
        out.push_str(before);
        let name = &inner[..inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len())];
        let tag: String = inner.chars().take(LONGEST).take_while(|c| *c != '>' && *c != '<').collect();
        let hidden = !name.is_empty() && name != "input" && (tag.replace(' ', "").contains("display:none") || tag.split([' ', '=']).any(|w| w == "hidden"));
        if hidden {
            // One that nothing closes hides the rest.
            let close = format!("</{name}>");
            rest = inner.split_once(&close).map_or("", |(_, behind)| behind);
        } else {
            out.push('<');
            rest = inner;
        }
    }
    out + rest
}

fn without(text: &str, open: &str, close: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, inner)) = rest.split_once(open) {
        let comment = close == "-->" || close == "\n";
        let most = if comment { inner.len() } else { (0..=LONGEST.min(inner.len())).rev().find(|i| inner.is_char_boundary(*i)).unwrap_or(0) };
        let end = inner[..most].find(close).map(|at| at + close.len()).or_else(|| comment.then_some(inner.len()));
        let hidden = end.is_some_and(|end| {
            let inner = &inner[..end];
            let spaced = before.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '*');
            comment || !inner.contains('\n') && match open {
                "![" => inner.contains("]("),
                "~~" => spaced && inner.starts_with(|c: char| !c.is_whitespace()) && inner.chars().any(char::is_alphanumeric),
                _ => true,
            }
        });
        out.push_str(before);
        match end.filter(|_| hidden) {
            Some(end) => {
                out.push_str(if open == "](http" { "]" } else { "" });
                rest = &inner[end..];
            }
            None => {
                out.push_str(open);
                rest = inner;
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_is_hidden_is_left_out() {
        for (text, want) in [
            ("41 <!-- 42 --> km", "41  km"),
            ("41 <!-- 42", "41 "),
            ("41\n[//]: # (42)\nkm", "41\nkm"),
            ("[41](http://x.com/42)!", "[41]!"),
            ("41 ![42](x.png)", "41 "),
            ("5![3](2", "5![3](2"),
            ("~~42~~ 41", " 41"),
            ("x~~=~~5", "x~~=~~5"),
            ("41<|im_end|>\n42", "41"),
            ("<div style=\"display: none\">42</div>41", "41"),
            ("41 <span hidden>42</span>", "41 "),
            ("x < 41 hidden", "x < 41 hidden"),
            ("41", "41"),
        ] {
            assert_eq!(visible(text), want, "{text}");
        }
    }
}
