//! Figures of functions as lizard 1.24.0 (PyPI) has them. Lizard does not parse: it cuts the text into
//! tokens, and finds functions by small state machines, one for each family of languages. What
//! follows is its code in Rust, with its defects; plugins/code/README.md lists them.

mod clike;
mod context;
mod golike;
mod machine;
mod python;
mod script;
mod script_tokens;
mod tokens;

pub use clike::{c, java};
pub use context::Function;
use context::Context;
pub use golike::{go, rust};
pub use python::python;
use rubric_host_sdk::Object;
use rubric_host_text::strip;
pub use script::script;
use tokens::{is_blank, Addition, Token};

/// The functions of a text in the order in which they end; `None`: too deep.
pub type Lizard = fn(&str) -> Option<Vec<Function>>;

/// The functions of a file: its lines end with \n, as Python reads files.
pub fn functions(lizard: Lizard, text: &str) -> Option<Vec<Function>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\r') {
        return lizard(&text.replace("\r\n", "\n").replace('\r', "\n"));
    }
    lizard(text)
}

impl Function {
    /// The figures under the names of the reference lines.
    pub fn object(&self) -> Object {
        let mut o = Object::new();
        o.text("name", &self.name).num("ccn", self.complexity as f64).num("nloc", self.lines as f64).num("tokens", self.tokens as f64);
        o.int("params", self.parameters() as u64).num("start", self.start as f64).num("end", self.end as f64).num("length", (self.end - self.start + 1) as f64);
        o
    }
}

/// The last of lizard's stages: the states of a language.
struct Reader<S> {
    states: S,
    condition: fn(&str) -> bool,
    take: fn(&mut S, &str, &mut Context),
    end: fn(&mut S, &mut Context),
    too_deep: fn(&S) -> bool,
}

/// The stages between: comments, lines, tokens, conditions.
struct Counter {
    inner: Context,
    newline: i64,
    comment: fn(&str) -> Option<&str>,
    too_deep: bool,
}

fn condition_none<S>(_: &mut S, _: &mut Context) {}

/// A comment of C's kind, without its first two characters.
fn slashes(token: &str) -> Option<&str> {
    (token.starts_with("/*") || token.starts_with("//")).then(|| &token[2..])
}

impl Counter {
    fn new(comment: fn(&str) -> Option<&str>) -> Self {
        Counter { inner: Context::new(), newline: 1, comment, too_deep: false }
    }

    fn functions(self) -> Option<Vec<Function>> {
        if self.too_deep {
            return None;
        }
        // A function can be in the list twice, and lizard changes those in it.
        let list = self.inner.found.iter().map(|f| f.borrow().clone()).collect();
        Some(list)
    }
}

impl<S> Reader<S> {
    /// Takes a token; false: the rest of the file is generated code, and is not read.
    fn feed(&mut self, token: &str, counter: &mut Counter) -> bool {
        let context = &mut counter.inner;
        if let Some(comment) = (counter.comment)(token) {
            let lines = crate::complexity::split_lines(comment).len().saturating_sub(1);
            context.line += lines as i64;
            if lines > 0 {
                counter.newline = 1;
            }
            let text = strip(comment);
            if text.starts_with("#lizard forgive global") {
                context.forgive_global = true;
            } else if text.starts_with("#lizard forgive") && !text.starts_with("#lizard forgives(") {
                context.forgive = true;
            }
            return !comment.contains("GENERATED CODE");
        }
        if token == "\n" {
            context.line += 1;
            counter.newline = 1;
            return true;
        }
        let lines = token.matches('\n').count() as i64;
        context.line += lines;
        context.add_lines(lines + counter.newline);
        counter.newline = 0;
        context.current.borrow_mut().tokens += 1;
        if (self.condition)(token) {
            context.add_condition(1);
        }
        (self.take)(&mut self.states, token, context);
        counter.too_deep |= (self.too_deep)(&self.states) || context.depth() > 4 * 200;
        true
    }

    /// Reads the tokens of a language without directives and significant white space.
    fn read(mut self, list: &[Token]) -> Option<Vec<Function>> {
        let mut counter = Counter::new(slashes);
        for token in list {
            if (token == "\n" || !is_blank(token)) && !self.feed(token, &mut counter) {
                break;
            }
        }
        (self.end)(&mut self.states, &mut counter.inner);
        counter.functions()
    }

    fn plain(self, text: &str, addition: Addition) -> Option<Vec<Function>> {
        let mut list = Vec::new();
        tokens::tokens(text, addition, &mut list);
        self.read(&list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Functions as lizard 1.24.0 prints them: name, complexity, lines, tokens, parameters, first and last line.
    fn of(lizard: Lizard, text: &str) -> String {
        let shown = |f: &Function| format!("{} {} {} {} {} {}-{}", f.name, f.complexity, f.lines, f.tokens, f.parameters(), f.start, f.end);
        functions(lizard, text).unwrap().iter().map(shown).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn defects_of_lizard_are_kept() {
        // A character is a lifetime and an open string, up to the next quote.
        assert_eq!(of(rust, "fn a(c: char) -> bool { c == 'x' }\nfn b() { if x {} }\nfn c() { 'y' }"), "a 1 3 17 1 1-3");
        // A # in Rust takes the rest of its line with it; ? is a condition.
        assert_eq!(of(rust, "#[test] fn a() {}\nfn b() -> Option<u8> { x?; None }\n"), "b 2 1 15 0 2-2");
        // a? is one token, ?? are two conditions; conditions in a template do not count.
        assert_eq!(of(script, "function f(a) { return a?.b ?? a ? 1 : 2 }"), "f 4 1 16 1 1-1");
        assert_eq!(of(script, "function f(a) { return `${a && b}` }"), "f 1 1 11 1 1-1");
        // Parameters end at the first parenthesis; type parameters are the name.
        assert_eq!(of(python, "def f(a, b=(1, 2), *, c: int = 3):\n    return a\n"), "f 1 2 23 3 1-2");
        assert_eq!(of(python, "def f[T](a):\n    return a\n"), "] 1 2 7 1 1-2");
        assert_eq!(of(python, "def f(a):\n    return f'{1 if a else 2}'\n"), "f 2 2 12 1 1-2");
        assert_eq!(of(python, "# GENERATED CODE\ndef f():\n    pass\n"), "");
        // A function in a variable is taken for a method; its parameters for the receiver.
        assert_eq!(of(go, "package a\nvar f = func(x int) int { return x }\n"), "");
        assert_eq!(of(c, "int f(int a) {\r\n#if A\r\n return a && 1;\r\n#endif\r\n}\r\n"), "f 3 3 12 1 1-5");
        assert_eq!(of(java, "class A { int f(int a) { return a > 0 ? 1 : 2; } }"), "A::f 2 1 16 1 1-1");
    }

    #[test]
    fn what_nests_too_deeply_has_no_figures() {
        assert!(functions(go, &"{".repeat(150)).is_some());
        assert!(functions(go, &"{".repeat(300)).is_none());
        assert!(functions(c, &"{".repeat(3000)).is_none());
    }
}
