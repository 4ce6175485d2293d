//! A reader of Bash's grammar, as `bash -n` reads a script: both skip the content of `${}`, `(())`, backticks and
//! here-documents.

use std::collections::HashMap;

/// An error and its place.
pub enum Fault {
    Syntax(usize, usize, String),
    TooDeep,
}

type Read<T = ()> = Result<T, Fault>;

/// Deepest nesting of commands and substitutions.
pub const MOST_DEPTH: usize = 80;

/// Words that begin a compound command.
const COMPOUND: [&str; 8] = ["if", "while", "until", "for", "select", "case", "{", "[["];

/// Words that end a list of commands, where a command may begin.
const ENDS: [&str; 8] = ["then", "do", "done", "fi", "elif", "else", "esac", "}"];

/// Builtins whose arguments may be arrays.
const ASSIGNING: [&str; 8] = ["declare", "typeset", "local", "export", "readonly", "alias", "eval", "let"];

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    depth: usize,
    /// Here-documents whose text begins on the next line: their last line, and whether tabs before it count.
    documents: Vec<(String, bool)>,
    /// Whether the script asks for patterns such as `!(a)`.
    patterns: bool,
    /// Start and end of substitutions: those that are not arithmetic are read again.
    ends: HashMap<usize, usize>,
}

/// Reads a script.
pub fn check(text: &str) -> Read {
    let mut r = Reader { text, bytes: text.as_bytes(), at: 0, depth: 0, documents: Vec::new(), patterns: text.contains("extglob"), ends: HashMap::new() };
    r.list(true)?;
    if r.at < text.len() {
        return r.unexpected();
    }
    Ok(())
}

impl<'t> Reader<'t> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn starts(&self, what: &str) -> bool {
        self.text.as_bytes()[self.at..].starts_with(what.as_bytes())
    }

    fn take(&mut self, what: &str) -> bool {
        let there = self.starts(what);
        self.at += if there { what.len() } else { 0 };
        there
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(Fault::TooDeep);
        }
        let done = read(self);
        self.depth -= 1;
        done
    }

    /// The operator or word at this place is an error.
    fn unexpected<T>(&mut self) -> Read<T> {
        let from = self.at;
        if from >= self.bytes.len() {
            return Err(Fault::Syntax(from, from, "unexpected end".into()));
        }
        let operator = ["&&", "||", ";;&", ";;", ";&", "|&", "<<<", "<<", ">>"].iter().find(|o| self.starts(o)).map(|o| o.len());
        let rest = &self.text[from..];
        let word = rest.find(|c: char| c.is_whitespace() || ";&|()<>".contains(c)).unwrap_or(rest.len());
        let to = from + operator.unwrap_or(word).max(rest.chars().next().map_or(0, char::len_utf8));
        let shown = if self.peek() == b'\n' { "end of the line".into() } else { self.text[from..to].chars().take(40).collect::<String>() };
        Err(Fault::Syntax(from, to, format!("unexpected {shown}")))
    }

    fn open<T>(&self, from: usize, what: &str) -> Read<T> {
        Err(Fault::Syntax(from, (from + 1).min(self.bytes.len()), format!("missing closing {what}")))
    }

    /// Skips spaces, comments and continued lines. The carriage return of `\r\n` is a space.
    fn blank(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' => self.at += 1,
                b'\r' if self.starts("\r\n") => self.at += 1,
                b'\\' if self.starts("\\\n") => self.at += 2,
                b'\\' if self.starts("\\\r\n") => self.at += 3,
                b'#' => self.at = self.line_end(self.at),
                _ => return,
            }
        }
    }

    fn line_end(&self, from: usize) -> usize {
        self.text[from..].find('\n').map_or(self.bytes.len(), |n| from + n)
    }

    /// Skips spaces and line breaks, with the here-documents behind them; whether there were some.
    fn newlines(&mut self) -> bool {
        self.blank();
        let any = self.peek() == b'\n';
        while self.peek() == b'\n' {
            self.at += 1;
            for (last, tabs) in std::mem::take(&mut self.documents) {
                while self.at < self.bytes.len() {
                    let end = self.line_end(self.at);
                    let line = self.text[self.at..end].trim_end_matches('\r');
                    self.at = (end + 1).min(self.bytes.len());
                    if (if tabs { line.trim_start_matches('\t') } else { line }) == last {
                        break;
                    }
                }
            }
            self.blank();
        }
        any
    }

    /// Whether a word is at this place, as a whole.
    fn is(&self, word: &str) -> bool {
        let next = self.bytes.get(self.at + word.len()).copied();
        self.starts(word) && (next.is_none_or(breaks) || self.text[self.at + word.len()..].starts_with("\\\n"))
    }

    fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|w| self.is(w))
    }

    fn expect(&mut self, word: &str) -> Read {
        if self.is(word) {
            self.at += word.len();
            Ok(())
        } else if self.at >= self.bytes.len() {
            Err(Fault::Syntax(self.at, self.at, format!("expected {word}, found the end")))
        } else {
            self.unexpected()
        }
    }

    /// Commands up to a word or an operator that ends them.
    fn list(&mut self, empty: bool) -> Read {
        self.newlines();
        if empty && self.at_end() {
            return Ok(());
        }
        loop {
            let closed = self.chain()?;
            self.blank();
            let separated = match self.peek() {
                b'\n' => true,
                b';' if !self.starts(";;") && !self.starts(";&") => {
                    self.at += 1;
                    true
                }
                b'&' => {
                    self.at += 1;
                    true
                }
                _ => false,
            };
            self.newlines();
            match self.peek() {
                0 | b')' => return Ok(()),
                b';' if self.starts(";;") || self.starts(";&") => return Ok(()),
                _ if (separated || closed) && self.is_any(&ENDS) => return Ok(()),
                _ if separated => {}
                _ => return self.unexpected(),
            }
        }
    }

    fn at_end(&self) -> bool {
        self.at >= self.bytes.len() || self.peek() == b')' || self.starts(";;") || self.starts(";&") || self.is_any(&ENDS)
    }

    /// Pipelines with `&&` and `||` between them; whether a reserved word may follow.
    fn chain(&mut self) -> Read<bool> {
        loop {
            let closed = self.pipeline()?;
            self.blank();
            if !self.take("&&") && !self.take("||") {
                return Ok(closed);
            }
            self.newlines();
        }
    }

    fn pipeline(&mut self) -> Read<bool> {
        loop {
            self.blank();
            if self.is("!") {
                self.at += 1;
            } else if self.is("time") {
                self.at += 4;
                self.blank();
                if self.is("-p") {
                    self.at += 2;
                    self.blank();
                }
                if self.is("--") {
                    self.at += 2;
                }
            } else {
                break;
            }
            self.blank();
            if matches!(self.peek(), 0 | b'\n' | b';' | b')') && !self.starts(";;") {
                return Ok(false);
            }
        }
        loop {
            let closed = self.deeper(Self::command)?;
            self.blank();
            if self.starts("||") || !self.take("|&") && !self.take("|") {
                return Ok(closed);
            }
            self.newlines();
        }
    }

    /// A command; whether it is a compound one without redirections.
    fn command(&mut self) -> Read<bool> {
        self.blank();
        if self.is_any(&ENDS) || self.is_any(&["in", "!", "]]"]) {
            return self.unexpected();
        }
        if self.is("function") {
            self.at += 8;
            self.blank();
            self.required()?;
            self.blank();
            let name = self.at;
            if self.take("(") {
                self.blank();
                if !self.take(")") {
                    self.at = name; // a body in parentheses
                }
            }
            return self.body();
        }
        if self.is("coproc") {
            self.at += 6;
            self.blank();
            if self.compound()? {
                return self.redirected();
            }
            if self.is_any(&ENDS) || self.is("!") {
                return self.unexpected();
            }
            let from = self.at;
            if self.word(false)? {
                self.blank();
                if self.compound()? {
                    return self.redirected();
                }
            }
            self.at = from;
            return self.simple(false);
        }
        if self.compound()? {
            return self.redirected();
        }
        self.simple(true)
    }

    /// A compound command, if there is one.
    fn compound(&mut self) -> Read<bool> {
        let from = self.at;
        if self.starts("((") {
            self.at += 2;
            self.matched(b'(', b')', from + 1)?;
            if self.take(")") {
                return Ok(true);
            }
            self.at = from; // commands in two parentheses
        }
        if self.take("(") {
            self.list(false)?;
            return self.close(")", from).map(|()| true);
        }
        let Some(word) = COMPOUND.into_iter().find(|w| self.is(w)) else { return Ok(false) };
        self.at += word.len();
        match word {
            "if" => {
                self.list(false)?;
                self.expect("then")?;
                self.list(false)?;
                while self.is("elif") {
                    self.at += 4;
                    self.list(false)?;
                    self.expect("then")?;
                    self.list(false)?;
                }
                if self.is("else") {
                    self.at += 4;
                    self.list(false)?;
                }
                self.expect("fi")?;
            }
            "while" | "until" => {
                self.list(false)?;
                self.loop_body(false)?;
            }
            "for" | "select" => self.each(word)?,
            "case" => self.case()?,
            "{" => {
                self.list(false)?;
                self.close("}", from)?;
            }
            _ => {
                self.condition()?;
                self.expect("]]")?;
            }
        }
        Ok(true)
    }

    fn close(&mut self, what: &str, from: usize) -> Read {
        if self.at >= self.bytes.len() {
            return self.open(from, what);
        }
        if self.take(what) {
            Ok(())
        } else {
            self.unexpected()
        }
    }

    /// `do ... done`, or `{ ... }` behind for and select.
    fn loop_body(&mut self, braces: bool) -> Read {
        let from = self.at;
        if braces && self.is("{") {
            self.at += 1;
            self.list(false)?;
            return self.close("}", from);
        }
        self.expect("do")?;
        self.list(false)?;
        self.expect("done")
    }

    fn each(&mut self, word: &str) -> Read {
        self.blank();
        let from = self.at;
        if word == "for" && self.take("((") {
            self.matched(b'(', b')', from + 1)?;
            let parts = self.text[from..self.at].matches(';').count();
            if !self.take(")") || parts != 2 {
                return Err(Fault::Syntax(from, self.at, "expected three expressions in for ((;;))".into()));
            }
            self.blank();
            self.take(";");
            self.newlines();
            return self.loop_body(true);
        }
        self.required()?;
        self.blank();
        if self.peek() == b';' {
            self.at += 1;
            self.newlines();
            return self.loop_body(true);
        }
        self.newlines();
        if self.is("in") {
            self.at += 2;
            self.blank();
            while self.word(false)? {
                self.blank();
            }
            if self.peek() != b'\n' && !self.take(";") {
                return self.unexpected();
            }
            self.newlines();
        }
        self.loop_body(true)
    }

    fn case(&mut self) -> Read {
        self.blank();
        self.required()?;
        self.newlines();
        self.expect("in")?;
        loop {
            self.newlines();
            if self.is("esac") {
                break;
            }
            self.take("(");
            loop {
                self.blank();
                self.required()?;
                self.blank();
                if !self.take("|") {
                    break;
                }
            }
            if !self.take(")") {
                return self.unexpected();
            }
            self.list(true)?;
            if self.is("esac") {
                break;
            }
            if !self.take(";;&") && !self.take(";;") && !self.take(";&") {
                return self.expect("esac");
            }
        }
        self.expect("esac")
    }

    /// What follows a compound command.
    fn redirected(&mut self) -> Read<bool> {
        let mut any = false;
        loop {
            self.blank();
            if !self.redirection()? {
                return Ok(!any);
            }
            any = true;
        }
    }

    fn parentheses(&mut self) -> Read {
        self.at += 1;
        self.blank();
        if self.take(")") {
            Ok(())
        } else {
            self.unexpected()
        }
    }

    /// The body of a function.
    fn body(&mut self) -> Read<bool> {
        self.newlines();
        if self.compound()? {
            self.redirected()
        } else {
            self.unexpected()
        }
    }

    /// Assignments, redirections and words. `first`: `name ()` defines a function here.
    fn simple(&mut self, first: bool) -> Read<bool> {
        let start = self.at;
        let (mut name, mut assigning) = (None, true);
        loop {
            self.blank();
            let from = self.at;
            if self.redirection()? {
                continue;
            }
            if !self.word(assigning)? {
                break;
            }
            let word = &self.text[from..self.at];
            if name.is_none() && !is_assignment(word) {
                name = Some(word);
                assigning = ASSIGNING.contains(&word);
                self.blank();
                if self.peek() == b'(' && first && from == start {
                    self.parentheses()?;
                    return self.body();
                }
            }
        }
        if self.at == start || self.peek() == b'(' {
            return self.unexpected();
        }
        Ok(false)
    }

    /// A redirection, if there is one.
    fn redirection(&mut self) -> Read<bool> {
        let from = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        if self.at == from && self.peek() == b'{' {
            let name = self.text[from + 1..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(0);
            if name > 0 && matches!(self.bytes.get(from + 2 + name), Some(b'<' | b'>')) && self.bytes[from + 1 + name] == b'}' {
                self.at += name + 2;
            }
        }
        let process = self.starts("<(") || self.starts(">(");
        const OPERATORS: [&str; 11] = ["<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">", "&>>"];
        let Some(operator) = OPERATORS.into_iter().find(|o| self.starts(o)).or(self.starts("&>").then_some("&>")).filter(|_| !process || self.at > from) else {
            self.at = from;
            return Ok(false);
        };
        if operator.starts_with('&') && self.at > from {
            self.at = from;
            return Ok(false);
        }
        self.at += operator.len();
        self.blank();
        let word = self.at;
        self.required()?;
        if matches!(self.peek(), b'<' | b'>') && self.text[word..self.at].bytes().all(|b| b.is_ascii_digit()) {
            return self.unexpected(); // the number is one of the next redirection
        }
        if matches!(operator, "<<" | "<<-") {
            let last = unquoted(&self.text[word..self.at]);
            self.documents.push((last, operator == "<<-"));
        }
        Ok(true)
    }

    fn required(&mut self) -> Read {
        if self.word(false)? {
            Ok(())
        } else {
            self.unexpected()
        }
    }

    /// A word, if there is one. `assigning`: it may be an assignment of an array.
    fn word(&mut self, assigning: bool) -> Read<bool> {
        let from = self.at;
        loop {
            let at = self.at;
            match self.peek() {
                0 if at >= self.bytes.len() => break,
                b'<' | b'>' if self.bytes.get(at + 1) == Some(&b'(') => {
                    self.at += 2;
                    self.substitution(at)?;
                }
                b'?' | b'*' | b'+' | b'@' | b'!' if self.patterns && self.bytes.get(at + 1) == Some(&b'(') => {
                    self.at += 2;
                    self.matched(b'(', b')', at + 1)?;
                }
                b'[' if assigning && at > from && is_name(&self.text[from..at]) => {
                    self.at += 1;
                    self.matched(b'[', b']', at)?;
                }
                b'=' if assigning && self.bytes.get(at + 1) == Some(&b'(') && is_assignment(&self.text[from..at + 1]) => {
                    self.at += 2;
                    self.array(at + 1)?;
                }
                b if breaks(b) && !(b == b'\r' && !self.starts("\r\n")) => break,
                _ => self.part(false)?,
            }
        }
        Ok(self.at > from)
    }

    /// The words of an array, and its `)`.
    fn array(&mut self, from: usize) -> Read {
        loop {
            self.newlines();
            let at = self.at;
            if self.take(")") {
                return Ok(());
            }
            if self.take("[") {
                self.matched(b'[', b']', at)?;
            }
            if !self.word(false)? && self.at == at {
                return if at >= self.bytes.len() { self.open(from, ")") } else { self.unexpected() };
            }
        }
    }

    /// A character, a quoted text or an expansion. `double`: between double quotes.
    fn part(&mut self, double: bool) -> Read {
        let from = self.at;
        let next = self.bytes.get(from + 1).copied().unwrap_or(0);
        match self.peek() {
            b'\\' => self.at = (from + 1 + self.text[from + 1..].chars().next().map_or(0, char::len_utf8)).min(self.bytes.len()),
            b'\'' if !double => {
                let Some(n) = self.text[from + 1..].find('\'') else { return self.open(from, "'") };
                self.at += n + 2;
            }
            b'"' if !double => {
                self.at += 1;
                while self.peek() != b'"' {
                    if self.at >= self.bytes.len() {
                        return self.open(from, "\"");
                    }
                    self.part(true)?;
                }
                self.at += 1;
            }
            b'`' => {
                self.at += 1;
                while self.peek() != b'`' {
                    if self.at >= self.bytes.len() {
                        return self.open(from, "`");
                    }
                    self.at += if self.peek() == b'\\' { 2 } else { 1 };
                }
                self.at += 1;
            }
            b'$' if next == b'\'' && !double => {
                self.at += 2;
                while self.peek() != b'\'' {
                    if self.at >= self.bytes.len() {
                        return self.open(from, "'");
                    }
                    self.at += if self.peek() == b'\\' { 2 } else { 1 };
                }
                self.at += 1;
            }
            b'$' if self.starts("$((") => {
                self.at += 3;
                if let Some(&end) = self.ends.get(&from) {
                    self.at = end;
                    return Ok(());
                }
                self.matched(b'(', b')', from + 2)?;
                if !self.take(")") {
                    self.at = from + 2;
                    self.substitution(from)?;
                }
                self.ends.insert(from, self.at);
            }
            b'$' if next == b'(' => {
                if let Some(&end) = self.ends.get(&from) {
                    self.at = end;
                    return Ok(());
                }
                self.at += 2;
                self.substitution(from)?;
                self.ends.insert(from, self.at);
            }
            b'$' if next == b'{' => {
                self.at += 2;
                self.matched(0, b'}', from)?;
            }
            b'$' if next == b'[' => {
                self.at += 2;
                self.matched(b'[', b']', from)?;
            }
            _ => self.at += 1,
        }
        self.at = self.at.min(self.bytes.len());
        Ok(())
    }

    /// The commands of a substitution, and its `)`.
    fn substitution(&mut self, from: usize) -> Read {
        self.deeper(|r| r.list(true))?;
        self.close(")", from)
    }

    /// Text up to the bracket that closes the one before it.
    fn matched(&mut self, open: u8, close: u8, from: usize) -> Read {
        self.deeper(|r| {
            let mut depth = 1;
            while r.at < r.bytes.len() {
                let b = r.peek();
                if b == close {
                    depth -= 1;
                } else if b == open {
                    depth += 1;
                }
                if b == close || b == open {
                    r.at += 1;
                    if depth == 0 {
                        return Ok(());
                    }
                } else {
                    r.part(false)?;
                }
            }
            r.open(from, std::str::from_utf8(&[close]).unwrap_or(""))
        })
    }

    /// What is in `[[ ]]`.
    fn condition(&mut self) -> Read {
        loop {
            self.deeper(Self::term)?;
            self.blank();
            if !self.take("&&") && !self.take("||") {
                return Ok(());
            }
        }
    }

    fn term(&mut self) -> Read {
        const UNARY: &str = "abcdefghknoprstuvwxzGLNORS";
        const BINARY: [&str; 13] = ["==", "=~", "=", "!=", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];
        self.newlines();
        let from = self.at;
        if self.is("]]") {
            return Err(Fault::Syntax(from, from + 2, "expected a condition before ]]".into()));
        }
        if self.take("(") {
            self.condition()?;
            self.close(")", from)?;
            self.newlines();
            return Ok(());
        }
        if self.is("!") {
            self.at += 1;
            return self.deeper(Self::term);
        }
        self.required()?;
        let word = &self.text[from..self.at];
        self.blank();
        if word.len() == 2 && word.starts_with('-') && UNARY.contains(&word[1..]) {
            if self.is("]]") {
                return Err(Fault::Syntax(from, self.at, "expected a word after an operator".into()));
            }
            self.required()?;
            self.newlines();
            return Ok(());
        }
        if self.is("]]") || self.starts("&&") || self.starts("||") || self.peek() == b')' {
            return Ok(());
        }
        let operator = BINARY.into_iter().find(|o| self.is(o));
        match operator {
            Some(o) => self.at += o.len(),
            None if matches!(self.peek(), b'<' | b'>') && !matches!(self.bytes.get(self.at + 1), Some(b'<' | b'>' | b'&' | b'(')) => self.at += 1,
            None => {
                let at = self.at;
                return self.unexpected().map_err(|e| match e {
                    Fault::Syntax(from, to, what) if at < self.bytes.len() => Fault::Syntax(from, to, format!("{what}: expected an operator of [[")),
                    other => other,
                });
            }
        }
        self.blank();
        if self.is("]]") {
            return Err(Fault::Syntax(from, self.at, "expected a word after an operator".into()));
        }
        let patterns = std::mem::replace(&mut self.patterns, true);
        let at = self.at;
        if operator == Some("=~") {
            while matches!(self.peek(), b'(' | b'|') || !breaks(self.peek()) && self.at < self.bytes.len() {
                let bracket = self.at;
                match self.peek() {
                    b'(' => {
                        self.at += 1;
                        self.matched(b'(', b')', bracket)?;
                    }
                    _ => self.part(false)?,
                }
            }
        } else {
            self.word(false)?;
        }
        self.patterns = patterns;
        if self.at == at {
            return self.unexpected();
        }
        self.newlines();
        Ok(())
    }
}

/// Whether a byte ends a word.
fn breaks(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit()) && !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Whether a word begins with a name, its place in an array perhaps, and `=` or `+=`.
fn is_assignment(word: &str) -> bool {
    let name = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(word.len());
    let mut rest = &word[name..];
    if rest.starts_with('[') {
        rest = rest.find("]=").or(rest.find("]+=")).map_or("", |n| &rest[n + 1..]);
    }
    is_name(&word[..name]) && (rest.starts_with('=') || rest.starts_with("+="))
}

/// The line that ends a here-document, without the quotes of its word.
fn unquoted(word: &str) -> String {
    let mut plain = word.replace("$'", "'").replace("$\"", "\"");
    plain.retain(|c| !matches!(c, '\'' | '"' | '\\'));
    plain
}
