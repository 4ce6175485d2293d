//! Tokens of Python as CPython 3.11's module `tokenize` has them, as far as comments,
//! strings, the ends of lines, colons and semicolons go.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Indent,
    Dedent,
    Newline,
    /// The end of a line that ends no statement.
    Blank,
    Comment,
    String,
    Colon,
    Semicolon,
    /// What `tokenize` does not know.
    Error,
    Other,
}

/// A token; places are lines from 1 and columns from 0, in code points.
pub struct Token<'t> {
    pub kind: Kind,
    pub text: &'t str,
    pub start: (usize, usize),
    pub end: (usize, usize),
}

/// Reads lines, one after the other.
pub struct Tokenizer<F> {
    found: F,
    line: usize,
    open: Option<Open>,
    depth: i64,
    continued: bool,
    indents: Vec<usize>,
}

/// A string that goes on over lines.
struct Open {
    text: String,
    line: usize,
    column: usize,
    quote: char,
    triple: bool,
}

impl<F: FnMut(Token)> Tokenizer<F> {
    /// A tokenizer that calls `found` with each token.
    pub fn new(found: F) -> Self {
        Tokenizer { found, line: 0, open: None, depth: 0, continued: false, indents: vec![0] }
    }

    fn emit(&mut self, kind: Kind, text: &str, start: (usize, usize), end: (usize, usize)) {
        (self.found)(Token { kind, text, start, end });
    }

    /// Whether a statement may begin in the next line.
    pub fn is_complete(&self) -> bool {
        self.open.is_none() && self.depth == 0 && !self.continued
    }

    /// Reads a line with its end. False: its indentation fits no line before it.
    pub fn read(&mut self, text: &str) -> bool {
        self.line += 1;
        let line: Vec<char> = text.chars().collect();
        let mut at = 0;
        if let Some(mut o) = self.open.take() {
            match tail(&line, 0, o.quote, o.triple) {
                Some(end) => {
                    o.text.extend(&line[..end]);
                    self.emit(Kind::String, &o.text, (o.line, o.column), (self.line, end));
                    at = end;
                }
                None => {
                    o.text.push_str(text);
                    if o.triple || text.ends_with("\\\n") || text.ends_with("\\\r\n") {
                        self.open = Some(o);
                    } else {
                        self.emit(Kind::Error, &o.text, (o.line, o.column), (self.line, line.len()));
                    }
                    return true;
                }
            }
        } else if self.depth == 0 && !self.continued {
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
                return true; // the end of the text
            }
            if matches!(line[at], '#' | '\r' | '\n') {
                if line[at] == '#' {
                    let end = line.iter().rposition(|c| !matches!(c, '\r' | '\n')).map_or(at, |n| n + 1);
                    self.emit(Kind::Comment, "", (self.line, at), (self.line, end));
                    at = end;
                }
                let rest: String = line[at..].iter().collect();
                self.emit(Kind::Blank, &rest, (self.line, at), (self.line, line.len()));
                return true;
            }
            if self.indents.last().is_none_or(|&i| column > i) {
                self.indents.push(column);
                let blank: String = line[..at].iter().collect();
                self.emit(Kind::Indent, &blank, (self.line, 0), (self.line, at));
            }
            while self.indents.last().is_some_and(|&i| column < i) {
                if !self.indents.contains(&column) {
                    return false;
                }
                self.indents.pop();
                self.emit(Kind::Dedent, "", (self.line, at), (self.line, at));
            }
        }
        self.continued = false;
        self.tokens(&line, at);
        true
    }

    fn tokens(&mut self, line: &[char], mut at: usize) {
        while at < line.len() {
            let start = at + line[at..].iter().take_while(|c| matches!(c, ' ' | '\t' | '\u{c}')).count();
            let Some(&c) = line.get(start) else { return };
            let next = line.get(start + 1);
            let mut end = start + 1;
            let mut kind = Kind::Other;
            if c == '\\' && (next == Some(&'\n') || next == Some(&'\r') && line.get(start + 2) == Some(&'\n')) {
                self.continued = true;
                return;
            } else if c == '\n' || c == '\r' && next == Some(&'\n') {
                end = line.len();
                kind = if self.depth > 0 { Kind::Blank } else { Kind::Newline };
            } else if c == '#' {
                end = start + line[start..].iter().take_while(|c| !matches!(c, '\r' | '\n')).count();
                kind = Kind::Comment;
            } else if let Some((quote, triple, body)) = opening(line, start) {
                match tail(line, body, quote, triple) {
                    Some(e) => (end, kind) = (e, Kind::String),
                    _ if triple || carried(line, body, quote) => {
                        self.open = Some(Open { text: line[start..].iter().collect(), line: self.line, column: start, quote, triple });
                        return;
                    }
                    _ if c == quote => kind = Kind::Error,
                    _ => end = start + word(line, start),
                }
            } else if word(line, start) > 0 {
                end = start + word(line, start);
            } else {
                match c {
                    '(' | '[' | '{' => self.depth += 1,
                    ')' | ']' | '}' => self.depth -= 1,
                    ':' if next != Some(&'=') => kind = Kind::Colon,
                    ':' => end += 1,
                    ';' => kind = Kind::Semicolon,
                    '!' if next == Some(&'=') => end += 1,
                    '%' | '&' | '*' | '+' | ',' | '-' | '.' | '/' | '<' | '=' | '>' | '@' | '^' | '|' | '~' => {}
                    _ => kind = Kind::Error,
                }
            }
            if kind == Kind::Error {
                // One character, from where the blanks before it begin.
                self.emit(kind, &line[at].to_string(), (self.line, at), (self.line, at + 1));
                at += 1;
                continue;
            }
            let text: String = line[start..end].iter().collect();
            self.emit(kind, &text, (self.line, start), (self.line, end));
            at = end;
        }
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
