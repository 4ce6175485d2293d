//! C's preprocessor, as far as the text itself says what its macros are. Headers are not read.

use super::tokens::{is_open, literal};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What compilers define, and keywords of theirs that the grammars do not know everywhere.
const PREDEFINED: &str = "#define __STDC__ 1\n#define __STDC_VERSION__ 201710L\n#define __GNUC__ 12\n#define __linux__ 1\n#define __unix__ 1\n\
    #define __extension__\n#define __restrict\n#define __restrict__\n#define __inline inline\n#define __inline__ inline\n#define __const const\n\
    #define __attribute__(x)\n#define __attribute(x)\n#define __declspec(x)\n#define _Complex\n#define _Thread_local\n#define __thread\n#define _Pragma(x)\n#define __complex__\n#define va_arg(list, ...) ((__VA_ARGS__)list)\n";

/// Tokens that macros may make, beyond those of the text.
const MOST_TOKENS: usize = 300_000;

/// Macros within macros. The stack is small.
const MOST_DEPTH: usize = 30;

/// Tokens of a condition, of which each may be a level of recursion.
const MOST_CONDITION: usize = 100;

#[derive(Clone, Debug)]
struct Token {
    text: Rc<str>,
    /// White space stands before it.
    space: bool,
    /// Macros that made it, and do not apply to it again.
    made_by: Option<Rc<Maker>>,
}

#[derive(Debug)]
struct Maker {
    name: Rc<str>,
    /// Macros before it.
    depth: usize,
    before: Option<Rc<Maker>>,
}

impl Token {
    fn made_by(&self, name: &str) -> bool {
        let mut maker = self.made_by.as_deref();
        while let Some(m) = maker {
            if &*m.name == name {
                return true;
            }
            maker = m.before.as_deref();
        }
        false
    }

    fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

struct Macro {
    /// `None`: a macro without parentheses.
    parameters: Option<Vec<Rc<str>>>,
    /// The last parameter takes all arguments that are left.
    variadic: bool,
    body: Vec<Token>,
}

/// The text after the preprocessor, with names that it does not define `assumed` to be defined or not. `None`: a
/// directive or a condition cannot be decided.
pub fn expand(text: &str, cpp: bool, assumed: bool) -> Option<String> {
    let mut p = Preprocessor { macros: HashMap::new(), left: MOST_TOKENS, depth: 0, assumed: false, own: own_names(text) };
    p.run(PREDEFINED)?;
    if cpp {
        p.run("#define __cplusplus 202002L\n")?;
    }
    (p.left, p.assumed) = (MOST_TOKENS + text.len(), assumed);
    p.run(text)
}

struct Preprocessor {
    macros: HashMap<Rc<str>, Macro>,
    left: usize,
    /// Macros in arguments of macros.
    depth: usize,
    assumed: bool,
    /// Names whose definition is known: none, or one in the text.
    own: HashSet<String>,
}

/// Names that the text defines or undefines somewhere; and C++'s own one.
fn own_names(text: &str) -> HashSet<String> {
    let directive = |l: &str| {
        let rest = l.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("define").or(rest.strip_prefix("undef"))?.trim_start();
        Some(rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?.to_owned())
    };
    text.lines().filter_map(directive).chain(["__cplusplus".to_owned()]).collect()
}

/// Whether an include has the name of a header, or a macro for it.
fn header(tokens: &[Token]) -> bool {
    match tokens {
        [first, rest @ ..] if &*first.text == "<" => rest.iter().position(|t| &*t.text == ">").is_some_and(|n| n > 0),
        [first, rest @ ..] if first.is_word() => rest.first().is_none_or(|t| &*t.text == "("),
        [first, ..] => first.text.len() > 2 && first.text.ends_with('"'),
        [] => false,
    }
}

/// A group of lines between #if and #endif.
struct Group {
    /// Its lines count.
    on: bool,
    /// A branch was taken, or the group is in one that is not.
    done: bool,
    has_else: bool,
}

impl Preprocessor {
    fn run(&mut self, text: &str) -> Option<String> {
        let mut out = String::new();
        let mut pending = Vec::new();
        let mut groups: Vec<Group> = Vec::new();
        for line in lines(text) {
            let on = groups.last().is_none_or(|g| g.on);
            let tokens = tokens(&line);
            if tokens.first().is_none_or(|t| &*t.text != "#") {
                if on {
                    // A literal that its line does not end would go on in the next, which is joined to it.
                    if tokens.iter().any(|t| is_open(&t.text)) {
                        return None;
                    }
                    pending.extend(tokens);
                }
                continue;
            }
            let directive = tokens.get(1).map_or("", |t| &*t.text);
            let rest = tokens.get(2..).unwrap_or(&[]);
            match directive {
                "if" | "ifdef" | "ifndef" => {
                    let yes = on && self.condition(directive, rest)?;
                    groups.push(Group { on: yes, done: yes || !on, has_else: false });
                }
                "elif" | "elifdef" | "elifndef" => {
                    let done = groups.last().filter(|g| !g.has_else)?.done;
                    let yes = !done && self.condition(directive.strip_prefix("el").unwrap_or(""), rest)?;
                    let group = groups.last_mut()?;
                    (group.on, group.done) = (yes, done || yes);
                }
                "else" => {
                    let group = groups.last_mut().filter(|g| !g.has_else)?;
                    (group.on, group.done, group.has_else) = (!group.done, true, true);
                }
                "endif" => {
                    groups.pop()?;
                }
                _ if !on => {}
                "define" | "undef" => {
                    self.flush(&mut pending, &mut out)?;
                    if directive == "define" {
                        self.define(rest)?;
                    } else {
                        self.macros.remove(&rest.first()?.text);
                    }
                }
                "include" if header(rest) => {}
                "" | "pragma" | "line" | "error" | "warning" | "ident" | "include_next" | "import" => {}
                _ => return None,
            }
        }
        self.flush(&mut pending, &mut out)?;
        groups.is_empty().then_some(out)
    }

    fn flush(&mut self, pending: &mut Vec<Token>, out: &mut String) -> Option<()> {
        let mut before: Option<Token> = None;
        let mut case = false;
        for mut t in self.expanded(std::mem::take(pending))? {
            let wordy = |t: &Token| t.text.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '"' || c == '\'');
            // GNU's ranges of cases, in a form that the grammars know.
            match &*t.text {
                "case" => case = true,
                ":" => case = false,
                "..." if case => t.text = "||".into(),
                _ => {}
            }
            if t.space || before.is_some_and(|b| wordy(&b) == wordy(&t) && (wordy(&t) || b.made_by.is_some() || t.made_by.is_some())) {
                out.push(' ');
            }
            out.push_str(&t.text);
            before = Some(t);
        }
        out.push('\n');
        Some(())
    }

    fn define(&mut self, tokens: &[Token]) -> Option<()> {
        let name = tokens.first().filter(|t| t.is_word())?;
        let (mut parameters, mut variadic, mut at) = (None, false, 1);
        if tokens.get(1).is_some_and(|t| &*t.text == "(" && !t.space) {
            let mut names: Vec<Rc<str>> = Vec::new();
            at = 2 + tokens[2..].iter().position(|t| &*t.text == ")")?;
            for t in &tokens[2..at] {
                match &*t.text {
                    "," => {}
                    "..." => {
                        variadic = true;
                        if tokens[at - 2].text.starts_with([',', '(']) {
                            names.push("__VA_ARGS__".into());
                        }
                    }
                    _ if t.is_word() => names.push(t.text.clone()),
                    _ => return None,
                }
            }
            parameters = Some(names);
            at += 1;
        }
        self.macros.insert(name.text.clone(), Macro { parameters, variadic, body: tokens[at..].to_vec() });
        Some(())
    }

    /// Replaces macros. `None`: too many tokens, or arguments do not suit.
    fn expanded(&mut self, tokens: Vec<Token>) -> Option<Vec<Token>> {
        let mut out = Vec::new();
        let mut input = tokens;
        input.reverse();
        while let Some(t) = input.pop() {
            self.left = self.left.checked_sub(1)?;
            let Some(m) = self.macros.get(&t.text).filter(|_| !t.made_by(&t.text)) else {
                out.push(t);
                continue;
            };
            let mut arguments: Vec<Vec<Token>> = Vec::new();
            if let Some(parameters) = &m.parameters {
                if input.last().is_none_or(|next| &*next.text != "(") {
                    out.push(t);
                    continue;
                }
                input.pop();
                let (mut depth, mut current) = (0, Vec::new());
                loop {
                    let a = input.pop()?;
                    match &*a.text {
                        ")" if depth == 0 => break,
                        "," if depth == 0 && !(m.variadic && arguments.len() + 1 >= parameters.len()) => {
                            arguments.push(std::mem::take(&mut current));
                            continue;
                        }
                        "(" => depth += 1,
                        ")" => depth -= 1,
                        _ => {}
                    }
                    current.push(a);
                }
                if !(parameters.is_empty() && current.is_empty()) {
                    arguments.push(current);
                }
                if m.variadic && arguments.len() + 1 == parameters.len() {
                    arguments.push(Vec::new());
                }
                if arguments.len() != parameters.len() {
                    return None;
                }
            }
            let depth = t.made_by.as_ref().map_or(0, |m| m.depth + 1);
            if depth > MOST_DEPTH {
                return None;
            }
            let maker = Some(Rc::new(Maker { name: t.text.clone(), depth, before: t.made_by.clone() }));
            let (names, body) = (m.parameters.clone().unwrap_or_default(), m.body.clone());
            let mut made = self.substituted(&names, &arguments, &body)?;
            for r in &mut made {
                if r.made_by.is_none() {
                    r.made_by.clone_from(&maker);
                }
            }
            if let Some(first) = made.first_mut() {
                first.space |= t.space;
            }
            self.left = self.left.checked_sub(made.len())?;
            input.extend(made.into_iter().rev());
        }
        Some(out)
    }

    /// The body of a macro with its arguments.
    fn substituted(&mut self, names: &[Rc<str>], arguments: &[Vec<Token>], body: &[Token]) -> Option<Vec<Token>> {
        let of = |t: &Token| names.iter().position(|n| *n == t.text).map(|i| &arguments[i]);
        let mut out: Vec<Token> = Vec::new();
        let mut i = 0;
        while i < body.len() {
            let t = &body[i];
            let pasted = body.get(i + 1).is_some_and(|n| &*n.text == "##");
            match &*t.text {
                "#" if !names.is_empty() => {
                    i += 1;
                    let text: String = of(body.get(i)?)?.iter().map(|a| format!("{}{}", if a.space { " " } else { "" }, a.text)).collect();
                    let quoted = text.trim().replace('\\', "\\\\").replace('"', "\\\"");
                    out.push(Token { text: format!("\"{quoted}\"").into(), space: t.space, made_by: None });
                }
                "##" => {
                    i += 1;
                    let next = body.get(i)?;
                    let right = of(next).cloned().unwrap_or_else(|| vec![next.clone()]);
                    // GNU: a comma before no arguments goes.
                    let comma = out.last().is_some_and(|l| &*l.text == ",");
                    match (right.split_first(), comma && of(next).is_some()) {
                        (None, true) => {
                            out.pop();
                        }
                        (None, false) => {}
                        (Some(_), true) => out.extend(right),
                        (Some((first, others)), false) => {
                            let left = out.pop().map_or(String::new(), |l| l.text.to_string());
                            out.push(Token { text: format!("{left}{}", first.text).into(), space: true, made_by: None });
                            out.extend(others.iter().cloned());
                        }
                    }
                }
                _ => match of(t) {
                    // Operands of ## are not expanded; an empty one leaves an empty token.
                    Some(a) if pasted && a.is_empty() => out.push(Token { text: "".into(), space: true, made_by: None }),
                    Some(a) if pasted => out.extend(a.iter().cloned()),
                    Some(a) => {
                        self.depth += 1;
                        let made = if self.depth > MOST_DEPTH { None } else { self.expanded(a.clone()) };
                        self.depth -= 1;
                        out.extend(made?);
                    }
                    None => out.push(t.clone()),
                },
            }
            i += 1;
        }
        Some(out)
    }

    fn defined(&self, name: &Token) -> bool {
        self.macros.contains_key(&name.text) || self.assumed && !self.own.contains(&*name.text)
    }

    fn condition(&mut self, directive: &str, tokens: &[Token]) -> Option<bool> {
        match directive {
            "ifdef" => return Some(self.defined(tokens.first()?)),
            "ifndef" => return Some(!self.defined(tokens.first()?)),
            _ => {}
        }
        let mut known = Vec::new();
        let mut i = 0;
        while i < tokens.len() {
            let t = &tokens[i];
            let word = |text: &str| Token { text: text.into(), space: true, made_by: None };
            if &*t.text == "defined" {
                let open = usize::from(&*tokens.get(i + 1)?.text == "(");
                let name = tokens.get(i + 1 + open)?;
                known.push(word(if self.macros.contains_key(&name.text) { "1" } else if self.own.contains(&*name.text) { "0" } else { UNKNOWN }));
                i += 2 + 2 * open;
            } else if t.text.starts_with("__has_") && tokens.get(i + 1).is_some_and(|n| &*n.text == "(") {
                known.push(word(UNKNOWN));
                i += 2 + tokens[i + 2..].iter().position(|t| &*t.text == ")")?;
                i += 1;
            } else {
                known.push(t.clone());
                i += 1;
            }
        }
        let mut tokens = self.expanded(known)?;
        for t in tokens.iter_mut().filter(|t| self.own.contains(&*t.text)) {
            t.text = "0".into();
        }
        if tokens.len() > MOST_CONDITION {
            return None;
        }
        let mut at = 0;
        let (value, unknown) = evaluate(&tokens, &mut at, 0)?;
        (at == tokens.len()).then_some((value != 0) != (unknown && self.assumed))
    }
}

/// A name in a condition that may have any value.
const UNKNOWN: &str = "unknown";

/// The value of a condition from a token on, of operators that bind at least so tightly, with unknown names as 0; and
/// whether it may be another one.
fn evaluate(tokens: &[Token], at: &mut usize, least: u8) -> Option<(i64, bool)> {
    let t = tokens.get(*at)?.text.clone();
    *at += 1;
    let (mut left, mut unknown) = match &*t {
        "!" => evaluate(tokens, at, 11).map(|(v, u)| (i64::from(v == 0), u))?,
        "-" => evaluate(tokens, at, 11).map(|(v, u)| (v.wrapping_neg(), u))?,
        "+" => evaluate(tokens, at, 11)?,
        "~" => evaluate(tokens, at, 11).map(|(v, u)| (!v, u))?,
        "(" => {
            let inner = evaluate(tokens, at, 0)?;
            (&*tokens.get(*at)?.text == ")").then_some(())?;
            *at += 1;
            inner
        }
        "true" => (1, false),
        // Not so a call of one.
        word if word.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
            if tokens.get(*at).is_some_and(|n| &*n.text == "(") {
                return None;
            }
            (0, true)
        }
        number => {
            let digits = number.trim_end_matches(['u', 'U', 'l', 'L']).replace('\'', "");
            match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
                Some(hex) => (i64::from_str_radix(hex, 16).ok()?, false),
                None => (digits.parse().ok()?, false),
            }
        }
    };
    while let Some(operator) = tokens.get(*at).map(|t| t.text.clone()) {
        let level = match &*operator {
            "?" => 0,
            "||" => 1,
            "&&" => 2,
            "|" => 3,
            "^" => 4,
            "&" => 5,
            "==" | "!=" => 6,
            "<" | ">" | "<=" | ">=" => 7,
            "<<" | ">>" => 8,
            "+" | "-" => 9,
            "*" | "/" | "%" => 10,
            _ => break,
        };
        if level < least {
            break;
        }
        *at += 1;
        if level == 0 {
            let yes = evaluate(tokens, at, 0)?;
            (&*tokens.get(*at)?.text == ":").then_some(())?;
            *at += 1;
            let no = evaluate(tokens, at, 0)?;
            let value = if left != 0 { yes } else { no };
            (left, unknown) = (value.0, unknown || value.1);
            continue;
        }
        let (right, other) = evaluate(tokens, at, level + 1)?;
        unknown = match &*operator {
            "||" => (unknown || other) && (unknown || left == 0) && (other || right == 0),
            "&&" => (unknown || other) && (unknown || left != 0) && (other || right != 0),
            _ => unknown || other,
        };
        left = match &*operator {
            "||" => i64::from(left != 0 || right != 0),
            "&&" => i64::from(left != 0 && right != 0),
            "|" => left | right,
            "^" => left ^ right,
            "&" => left & right,
            "==" => i64::from(left == right),
            "!=" => i64::from(left != right),
            "<" => i64::from(left < right),
            ">" => i64::from(left > right),
            "<=" => i64::from(left <= right),
            ">=" => i64::from(left >= right),
            "<<" => left.checked_shl(right.try_into().ok()?)?,
            ">>" => left.checked_shr(right.try_into().ok()?)?,
            "+" => left.checked_add(right)?,
            "-" => left.checked_sub(right)?,
            "*" => left.checked_mul(right)?,
            "/" => left.checked_div(right)?,
            _ => left.checked_rem(right)?,
        };
    }
    Some((left, unknown))
}

/// Lines after joining those that end in a backslash, without comments.
fn lines(text: &str) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let taken = if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
            at += if rest.starts_with("\\\n") { 2 } else { 3 };
            continue;
        } else if rest.starts_with("//") {
            let mut end = 0;
            for (i, c) in rest.bytes().enumerate() {
                end = i;
                if c == b'\n' && !rest[..i].trim_end_matches('\r').ends_with('\\') {
                    break;
                }
                end = i + 1;
            }
            at += end;
            continue;
        } else if rest.starts_with("/*") {
            line.push(' ');
            // A comment that does not end stays, for the grammar.
            match rest[2..].find("*/") {
                Some(end) => at += end + 4,
                None => {
                    line.push_str(rest);
                    at = bytes.len();
                }
            }
            continue;
        } else if rest.starts_with(['"', '\'']) {
            literal(text, at)
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        line.push_str(&rest[..taken]);
        at += taken;
        if bytes[at - 1] == b'\n' {
            lines.push(std::mem::take(&mut line));
        }
    }
    lines.push(line);
    lines
}

fn tokens(line: &str) -> Vec<Token> {
    const LONG: [&str; 27] = [
        "...", "<<=", ">>=", "<=>", "->*", "##", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "::", "|=", "&=", "^=", ".*",
    ];
    let mut found = Vec::new();
    let (mut at, mut space) = (0, true);
    while at < line.len() {
        let rest = &line[at..];
        let Some(c) = rest.chars().next() else { break };
        if c.is_whitespace() {
            space = true;
            at += c.len_utf8();
            continue;
        }
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let taken = if c.is_ascii_digit() || c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            let mut end = 0;
            while let Some(c) = rest[end..].chars().next() {
                let sign = matches!(c, '+' | '-') && rest[..end].ends_with(['e', 'E', 'p', 'P']) && !(rest.starts_with("0x") && rest[..end].ends_with(['e', 'E']));
                if !(word(c) || matches!(c, '.' | '\'') || sign) {
                    break;
                }
                end += c.len_utf8();
            }
            end
        } else if matches!(c, '"' | '\'') {
            literal(line, at)
        } else if word(c) {
            let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
            // A prefix belongs to its string.
            let prefix = matches!(&rest[..end], "L" | "u" | "U" | "u8" | "R" | "LR" | "uR" | "UR" | "u8R") && rest[end..].starts_with(['"', '\'']);
            end + if prefix { literal(line, at + end) } else { 0 }
        } else {
            LONG.iter().find(|l| rest.starts_with(**l)).map_or(c.len_utf8(), |l| l.len())
        };
        found.push(Token { text: rest[..taken].into(), space, made_by: None });
        (at, space) = (at + taken, false);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        expand(text, false, false).map_or("none".into(), |t| t.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn macros_of_the_text_are_replaced() {
        for (text, want) in [
            ("#define A 1\nint a = A;", "int a = 1;"),
            ("#define F(x, y) x + y\nF(1, (2, 3)) F", "1 + (2, 3) F"),
            ("#define S(x) #x\n#define P(a, b) a##b\nS(a \"b\") P(x, 1)", "\"a \\\"b\\\"\" x1"),
            ("#define L(f, ...) p(f, ##__VA_ARGS__)\nL(1) + L(1, 2, 3)", "p(1) + p(1, 2, 3)"),
            ("#define A &\n[[x]] y &= a ^= A=b;", "[[x]] y &= a ^= & =b;"),
            ("#define f g\n#define g(x) f(x + 1)\nf(2)", "f(2 + 1)"),
            ("#define a b\n#define b a\na b", "a b"),
            ("#if defined A || 1 + 1 == 2\nx\n#else\ny\n#endif", "x"),
            ("#ifdef __cplusplus\nx\n#elif __GNUC__ > 3\ny\n#else\nz\n#endif", "y"),
            ("#if 0\n#if 1\n#else\n#endif\n#else\nx // y \\\n z\n#endif", "x"),
            ("#define N \\\n 1\nN /* a\n b */ 2", "1 2"),
            ("#if X(1)\n#endif", "none"),
            ("#endif", "none"),
            ("f(\n#ifdef X\n1\n#else\n2\n#endif\n)", "f( 2 )"),
            ("x = 1'000; c = 'a'; R\"(\" //)\"", "x = 1'000; c = 'a'; R\"(\" //)\""),
        ] {
            assert_eq!(words(text), want, "{text}");
        }
        let assumed = expand("#ifndef H\n#define H\n#if defined A && B\nx\n#endif\n#ifdef __cplusplus\ny\n#endif\nz\n#endif", false, true);
        assert_eq!(assumed.map(|t| t.split_whitespace().collect::<String>()), Some("xz".into()));
        // A condition has its other value, if names that the text does not define decide it.
        for (condition, other) in [("B == 8", true), ("B < 8", false), ("1 || B", true), ("B && 0", false), ("__has_include(<b>)", true), ("!defined(B) && 1", false), ("__GNUC__ > 8", true)] {
            let assumed = expand(&format!("#if {condition}\nx\n#endif"), false, true);
            assert_eq!(assumed.map(|t| t.contains('x')), Some(other), "{condition}");
        }
        let doubled = (0..40).map(|i| format!("#define A{} A{i} A{i}\n", i + 1)).collect::<String>();
        assert_eq!(expand(&(doubled + "A40"), false, false), None);
    }
}
