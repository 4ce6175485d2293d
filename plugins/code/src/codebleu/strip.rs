//! Removing comments and docstrings as the package `codebleu` 0.7.0 does, with its quirks:
//! regular expressions for languages with comments of C, and CPython 3.11's `tokenize` for
//! Python, whose text stays as it is where `tokenize` fails.

use rubric_host_text::strip;

/// Removes comments of Python, and strings at the start of a line.
pub fn python(source: &str) -> String {
    match Tokenizer::default().run(source) {
        Some(text) => full_lines(&text),
        None => source.into(),
    }
}

/// Removes comments `//` and `/* */` outside of quotes, each for a space.
pub fn c_like(source: &str) -> String {
    let b = source.as_bytes();
    let mut out = String::with_capacity(source.len());
    let (mut at, mut copied) = (0, 0);
    // Whether a quote of that kind was not closed. Then no later one is: each of them is escaped.
    let mut unclosed = [false; 2];
    while at < b.len() {
        let end = match (b[at], b.get(at + 1)) {
            (b'/', Some(b'/')) => Some(b[at..].iter().position(|&c| c == b'\n').map_or(b.len(), |n| at + n)),
            (b'/', Some(b'*')) => b[at + 2..].windows(2).position(|w| w == b"*/").map(|n| at + n + 4),
            (quote @ (b'\'' | b'"'), _) => {
                let kind = usize::from(quote == b'"');
                if !unclosed[kind] {
                    if let Some(end) = closing(b, at + 1, quote) {
                        at = end;
                        continue;
                    }
                    unclosed[kind] = true;
                }
                None
            }
            _ => None,
        };
        match end {
            Some(end) => {
                out.push_str(&source[copied..at]);
                out.push(' ');
                (at, copied) = (end, end);
            }
            None => at += 1,
        }
    }
    out.push_str(&source[copied..]);
    full_lines(&out)
}

/// One past the quote that ends a literal.
fn closing(b: &[u8], mut at: usize, quote: u8) -> Option<usize> {
    while at < b.len() {
        match b[at] {
            b'\\' => at += 2,
            c if c == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// Leaves out blank lines.
fn full_lines(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').filter(|l| !strip(l).is_empty()).collect();
    lines.join("\n")
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Indent,
    Newline,
    String,
    Comment,
    Other,
}

/// The part of `tokenize` that decides what is a comment or a string, and what is written.
/// Columns count code points.
struct Tokenizer {
    out: String,
    before: Kind,
    last_line: usize,
    last_column: usize,
    line: usize,
}

impl Default for Tokenizer {
    fn default() -> Self {
        Tokenizer { out: String::new(), before: Kind::Indent, last_line: 0, last_column: 0, line: 0 }
    }
}

/// A string that goes on over lines.
struct Open {
    text: String,
    line: usize,
    column: usize,
    quote: char,
    triple: bool,
}

impl Tokenizer {
    fn emit(&mut self, kind: Kind, text: &str, start: (usize, usize), end: (usize, usize)) {
        // The package starts with line -1: the first token is always on a later one.
        if start.0 > self.last_line {
            self.last_column = 0;
        }
        for _ in self.last_column..start.1 {
            self.out.push(' ');
        }
        let drop = match kind {
            Kind::Comment => true,
            Kind::String => matches!(self.before, Kind::Indent | Kind::Newline) || start.1 == 0,
            _ => false,
        };
        if !drop {
            self.out.push_str(text);
        }
        self.before = kind;
        (self.last_line, self.last_column) = end;
    }

    /// `None`: tokenize raises an exception.
    fn run(mut self, source: &str) -> Option<String> {
        let mut open: Option<Open> = None;
        let mut depth = 0i64;
        let mut continued = false;
        let mut indents = vec![0];
        let mut last: &str = "";
        for text in source.split_inclusive('\n') {
            self.line += 1;
            last = text;
            let line: Vec<char> = text.chars().collect();
            let mut at = 0;
            if let Some(mut o) = open.take() {
                match tail(&line, 0, o.quote, o.triple) {
                    Some(end) => {
                        o.text.extend(&line[..end]);
                        self.emit(Kind::String, &o.text, (o.line, o.column), (self.line, end));
                        at = end;
                    }
                    None => {
                        o.text.push_str(text);
                        if !o.triple && !text.ends_with("\\\n") && !text.ends_with("\\\r\n") {
                            self.emit(Kind::Other, &o.text, (o.line, o.column), (self.line, line.len()));
                        } else {
                            open = Some(o);
                        }
                        continue;
                    }
                }
            } else if depth == 0 && !continued {
                let mut column = 0;
                while let Some(c) = line.get(at) {
                    column = match c {
                        ' ' => column + 1,
                        '\t' => (column / 8 + 1) * 8,
                        '\u{c}' => 0,
                        _ => break,
                    };
                    at += 1;
                }
                if at == line.len() {
                    break;
                }
                if matches!(line[at], '#' | '\r' | '\n') {
                    if line[at] == '#' {
                        let end = line.iter().rposition(|c| !matches!(c, '\r' | '\n')).map_or(at, |n| n + 1);
                        self.emit(Kind::Comment, "", (self.line, at), (self.line, end));
                        at = end;
                    }
                    let rest: String = line[at..].iter().collect();
                    self.emit(Kind::Other, &rest, (self.line, at), (self.line, line.len()));
                    continue;
                }
                if column > *indents.last()? {
                    indents.push(column);
                    let blank: String = line[..at].iter().collect();
                    self.emit(Kind::Indent, &blank, (self.line, 0), (self.line, at));
                }
                while column < *indents.last()? {
                    if !indents.contains(&column) {
                        return None;
                    }
                    indents.pop();
                    self.emit(Kind::Other, "", (self.line, at), (self.line, at));
                }
            } else {
                continued = false;
            }
            open = self.tokens(&line, at, &mut depth, &mut continued);
        }
        // A line that is only blanks ends the text; so does its end.
        let ended = open.is_none() && depth == 0 && !continued;
        if !ended {
            return None;
        }
        if !last.is_empty() && !last.ends_with(['\r', '\n']) && !strip(last).starts_with('#') {
            let end = last.chars().count();
            self.emit(Kind::Newline, "", (self.line, end), (self.line, end + 1));
        }
        Some(self.out)
    }

    /// Reads the tokens of one line; what is returned goes on in the next one.
    fn tokens(&mut self, line: &[char], mut at: usize, depth: &mut i64, continued: &mut bool) -> Option<Open> {
        while at < line.len() {
            let start = at + line[at..].iter().take_while(|c| matches!(c, ' ' | '\t' | '\u{c}')).count();
            let Some(&c) = line.get(start) else { return None };
            let next = line.get(start + 1);
            let mut end = start + 1;
            let mut kind = Kind::Other;
            if c == '\\' && (next == Some(&'\n') || next == Some(&'\r') && line.get(start + 2) == Some(&'\n')) {
                *continued = true;
                return None;
            } else if c == '\n' || c == '\r' && next == Some(&'\n') {
                end = line.len();
                if *depth <= 0 {
                    kind = Kind::Newline;
                }
            } else if c == '#' {
                end = start + line[start..].iter().take_while(|c| !matches!(c, '\r' | '\n')).count();
                kind = Kind::Comment;
            } else if let Some((quote, triple, body)) = opening(line, start) {
                match tail(line, body, quote, triple) {
                    Some(e) => (end, kind) = (e, Kind::String),
                    _ if triple || carried(line, body, quote) => {
                        return Some(Open { text: line[start..].iter().collect(), line: self.line, column: start, quote, triple });
                    }
                    _ if c == quote => {
                        // Not a string: one character from where the blanks begin.
                        self.emit(Kind::Other, &line[at].to_string(), (self.line, at), (self.line, at + 1));
                        at += 1;
                        continue;
                    }
                    _ => end = start + word(line, start),
                }
            } else if word(line, start) > 0 {
                end = start + word(line, start);
            } else if matches!(c, '(' | '[' | '{') {
                *depth += 1;
            } else if matches!(c, ')' | ']' | '}') {
                *depth -= 1;
            } else if c == '!' && next == Some(&'=') {
                end = start + 2;
            } else if !matches!(c, '%' | '&' | '*' | '+' | ',' | '-' | '.' | '/' | ':' | ';' | '<' | '=' | '>' | '@' | '^' | '|' | '~') {
                self.emit(Kind::Other, &line[at].to_string(), (self.line, at), (self.line, at + 1));
                at += 1;
                continue;
            }
            let text: String = line[start..end].iter().collect();
            self.emit(kind, &text, (self.line, start), (self.line, end));
            at = end;
        }
        None
    }
}

/// How many characters of a name or number stand here.
fn word(line: &[char], at: usize) -> usize {
    line[at..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').count()
}

/// The quote that opens a string here, whether there are three, and where its content begins.
fn opening(line: &[char], at: usize) -> Option<(char, bool, usize)> {
    let prefix = line[at..].iter().take(3).take_while(|c| c.is_ascii_alphabetic()).count();
    let quote = *line.get(at + prefix)?;
    if !matches!(quote, '\'' | '"') {
        return None;
    }
    let lower: String = line[at..at + prefix].iter().map(char::to_ascii_lowercase).collect();
    if !matches!(lower.as_str(), "" | "b" | "r" | "u" | "f" | "br" | "rb" | "fr" | "rf") {
        return None;
    }
    let triple = line.get(at + prefix + 1) == Some(&quote) && line.get(at + prefix + 2) == Some(&quote);
    Some((quote, triple, at + prefix + if triple { 3 } else { 1 }))
}

/// One past the end of a string whose content is read from here to the end of the line. A
/// backslash does not stand for the end of the line.
fn tail(line: &[char], mut at: usize, quote: char, triple: bool) -> Option<usize> {
    while at < line.len() {
        match line[at] {
            '\\' if line.get(at + 1).is_none_or(|&c| c == '\n') => return None,
            '\\' => at += 2,
            c if c == quote && !triple => return Some(at + 1),
            c if c == quote && line.get(at + 1) == Some(&quote) && line.get(at + 2) == Some(&quote) => return Some(at + 3),
            _ => at += 1,
        }
    }
    None
}

/// Whether a short string goes on in the next line: a backslash ends this one.
fn carried(line: &[char], mut at: usize, quote: char) -> bool {
    while at < line.len() {
        match line[at] {
            '\\' if line.get(at + 1) == Some(&'\n') => return true,
            '\\' if line.get(at + 1) == Some(&'\r') && line.get(at + 2) == Some(&'\n') => return true,
            '\\' => at += 2,
            c if c == quote || c == '\n' => return false,
            _ => at += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_loses_comments_and_docstrings() {
        for (source, want) in [
            ("x = 1 # c\n\n# d\ny = 'a#b'\n", "x = 1 \ny = 'a#b'"),
            ("def f():\n    \"\"\"doc\n    more\"\"\"\n    return 'x'", "def f():\n    return 'x'"),
            ("'''m'''\nx = ('a'\n'b')", "x = ('a'\n)"),
            ("def f():\n\tx\n\ty", "def f():\n\tx\n y"),
            ("x = (1, # open\n", "x = (1, # open\n"),
            ("if x:\n    a\n  b # c", "if x:\n    a\n  b # c"),
            ("a = 1 \\\n  + 2 # c", "a = 1  + 2 "),
            ("s = 'a\\\nb' # c", "s = 'a\\\nb' "),
            ("s = 'open # c\nx", "s = 'open \nx"),
            ("$ 'x'", "$ 'x'"),
        ] {
            assert_eq!(python(source), want, "{source:?}");
        }
    }

    #[test]
    fn c_like_languages_lose_comments_outside_of_quotes() {
        for (source, want) in [
            ("a // b\nc", "a  \nc"),
            ("a /* b\n */ c", "a   c"),
            ("s = \"// no\" // yes", "s = \"// no\"  "),
            ("it's // gone\nb", "it's  \nb"),
            ("'\\'//' //", "'\\'//'  "),
            ("/* open", "/* open"),
            ("\n\n x \n", " x "),
        ] {
            assert_eq!(c_like(source), want, "{source:?}");
        }
    }
}
