//! Lizard's context: the function that the tokens belong to, and its surroundings.

use super::tokens::{begins_with_letter, is_letter, is_word};
use rubric_host_text::is_space;
use std::cell::RefCell;
use std::rc::Rc;

/// One function, as lizard's `FunctionInfo`.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub long_name: String,
    pub complexity: i64,
    /// Lines with tokens.
    pub lines: i64,
    pub tokens: i64,
    pub start: i64,
    pub end: i64,
    parameters: Vec<String>,
}

impl Function {
    fn new(name: String, start: i64) -> Self {
        Function { long_name: name.clone(), name, complexity: 1, lines: 1, tokens: 1, start, end: start, parameters: Vec::new() }
    }

    /// The number of parameters: those in which lizard finds a name.
    pub fn parameters(&self) -> usize {
        self.parameters.iter().filter(|p| named(p)).count()
    }
}

/// Whether `(\w+)(\s=.*)?(\s:.*)?$` is found in a parameter.
fn named(parameter: &str) -> bool {
    let mut before = ' ';
    for (at, c) in parameter.char_indices().chain([(parameter.len(), ' ')]) {
        if is_word(before) && ends(&parameter[at..]) {
            return true;
        }
        before = c;
    }
    false
}

/// Whether a default value, a type, or both, or nothing, goes to the end.
fn ends(rest: &str) -> bool {
    if rest.is_empty() || rest == "\n" {
        return true;
    }
    let to_end = |from: &str| from.find('\n').is_none_or(|n| n + 1 == from.len());
    let mut chars = rest.chars();
    match (chars.next().is_some_and(is_space), chars.next()) {
        (true, Some(':')) => to_end(chars.as_str()),
        (true, Some('=')) => {
            let value = chars.as_str();
            let line = value.find('\n').unwrap_or(value.len());
            let typed = |(at, c): (usize, char)| is_space(c) && value[at + c.len_utf8()..].strip_prefix(':').is_some_and(to_end);
            to_end(value) || value.char_indices().take_while(|&(at, _)| at <= line).any(typed)
        }
        _ => false,
    }
}

pub type Shared = Rc<RefCell<Function>>;

enum Nest {
    Bare,
    Namespace(String),
    Function(Shared),
}

/// The name of the code outside of all functions.
const GLOBAL: &str = "*global*";

/// Lizard's `FileInfoBuilder` and `NestingStack`.
pub struct Context {
    pub line: i64,
    /// Whether the last token was the first of its line, or has several lines.
    pub newline: bool,
    pub forgive: bool,
    pub forgive_global: bool,
    pub current: Shared,
    global: Shared,
    stacked: Vec<Shared>,
    nesting: Vec<Nest>,
    pending: Option<Shared>,
    pub found: Vec<Shared>,
}

impl Context {
    pub fn new() -> Self {
        let global = Rc::new(RefCell::new(Function::new(GLOBAL.into(), 0)));
        Context { line: 1, newline: true, forgive: false, forgive_global: false, current: global.clone(), global, stacked: Vec::new(), nesting: Vec::new(), pending: None, found: Vec::new() }
    }

    pub fn depth(&self) -> usize {
        self.nesting.len()
    }

    pub fn is_global(&self) -> bool {
        self.current.borrow().name == GLOBAL
    }

    /// Whether the current function is in one that is not the global one.
    pub fn is_inner(&self) -> bool {
        self.stacked.last().is_some_and(|f| f.borrow().name != GLOBAL)
    }

    pub fn add_lines(&mut self, count: i64) {
        let mut f = self.current.borrow_mut();
        f.lines += count;
        f.end = self.line;
        self.newline = count > 0;
    }

    pub fn add_condition(&self, count: i64) {
        self.current.borrow_mut().complexity += count;
    }

    pub fn add_bare_nesting(&mut self) {
        let nest = self.pending.take().map_or(Nest::Bare, Nest::Function);
        self.nesting.push(nest);
    }

    pub fn add_namespace(&mut self, name: String) {
        self.pending = None;
        self.nesting.push(Nest::Namespace(name));
    }

    pub fn pop_nesting(&mut self) {
        self.pending = None;
        if let Some(Nest::Function(_)) = self.nesting.pop() {
            let end = self.current.borrow().end;
            self.end_of_function();
            let around = self.nesting.iter().rev().find_map(|n| if let Nest::Function(f) = n { Some(f.clone()) } else { None });
            self.current = around.unwrap_or_else(|| self.global.clone());
            self.current.borrow_mut().end = end;
        }
    }

    /// Begins what may be a function; the nesting goes in front of its name.
    pub fn try_new_function(&mut self, name: &str) {
        let mut whole = String::new();
        for nest in &self.nesting {
            match nest {
                Nest::Bare => {}
                Nest::Namespace(n) if n.is_empty() => {}
                Nest::Namespace(n) => {
                    whole.push_str(n);
                    whole.push_str("::");
                }
                Nest::Function(f) => {
                    whole.push_str(&f.borrow().name);
                    whole.push('.');
                }
            }
        }
        whole.push_str(name);
        self.current = Rc::new(RefCell::new(Function::new(whole, self.line)));
    }

    pub fn confirm_new_function(&mut self) {
        self.pending = Some(self.current.clone());
        self.current.borrow_mut().complexity = 1;
    }

    pub fn restart_new_function(&mut self, name: &str) {
        self.try_new_function(name);
        self.confirm_new_function();
    }

    pub fn push_new_function(&mut self, name: &str) {
        self.stacked.push(self.current.clone());
        self.restart_new_function(name);
    }

    pub fn end_of_function(&mut self) {
        if !self.forgive && !(self.forgive_global && self.is_global()) {
            self.found.push(self.current.clone());
        }
        self.forgive = false;
        self.current = self.stacked.pop().unwrap_or_else(|| self.global.clone());
    }

    pub fn add_to_name(&self, more: &str) {
        let mut f = self.current.borrow_mut();
        f.name.push_str(more);
        f.long_name.push_str(more);
    }

    pub fn add_to_long_name(&self, more: &str) {
        let long = &mut self.current.borrow_mut().long_name;
        if long.chars().next_back().is_some_and(is_letter) && begins_with_letter(more) {
            long.push(' ');
        }
        long.push_str(more);
    }

    pub fn parameter(&self, token: &str) {
        self.add_to_long_name(&format!(" {token}"));
        let list = &mut self.current.borrow_mut().parameters;
        match list.last_mut() {
            None => list.push(token.into()),
            Some(_) if token == "," => list.push(String::new()),
            Some(last) => {
                last.push(' ');
                last.push_str(token);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_names() {
        for yes in ["a", "a = 1", "a : int", "a : int = 1", "* args", "a = \"x\"", "a = ( 1", "int a", "a = \"x\n", "a = \"\"\"x\ny", "a\n"] {
            assert!(named(yes), "{yes}");
        }
        for no in ["", "*", "/", "a =\n \n"] {
            assert!(!named(no), "{no}");
        }
    }
}
