//! JavaScript and TypeScript, which lizard reads with one machine.

use super::context::Context;
use super::machine::{Level, Machine, Stack};
use super::tokens::{begins_with_letter, is_letter, is_word};
use super::{script_tokens, Function, Reader};
use rubric_host_text::is_space;

#[derive(Clone, Copy)]
pub enum State {
    Global,
    Field,
    Condition,
    Statement,
    Arrow,
    Function,
    Parameters,
    Opening,
    Template,
    Declared,
    Alias,
    Interface,
    Computed,
    Generic,
    Annotation,
    SimpleType,
    InlineType,
    GenericType,
    FunctionType,
}

#[derive(Clone, Copy)]
pub enum Then {
    Pop,
    Global,
    Statement,
    /// The token after a type annotation is read again.
    Again,
}

#[derive(Default)]
pub struct Script {
    last: String,
    name: String,
    started: bool,
    object: bool,
    accessor: Option<String>,
    declare: bool,
    is_static: bool,
    is_async: bool,
    previous: String,
    in_value: bool,
    in_abstract: bool,
    depth: i64,
    /// Of the states that skip something.
    phase: u8,
    braces: i64,
    generics: i64,
    computed: String,
    /// The token that ended a type annotation: in its machine, and in the one around it.
    saved: String,
}

type Machines = Stack<Script>;

fn inner() -> Level<Script> {
    Level::new(State::Global, Script::default())
}

fn is_name(token: &str) -> bool {
    token.chars().next().is_some_and(|c| is_letter(c) || matches!(c, '_' | '$' | '#'))
}

/// A type parameter list that is one token.
fn is_generic(token: &str) -> bool {
    token.len() > 1 && token.starts_with('<') && token.ends_with('>')
}

fn push(stack: &mut Machines, at: usize, context: &mut Context) {
    let own = &mut stack.levels[at].own;
    if own.in_abstract {
        return;
    }
    own.started = true;
    context.push_new_function(if own.name.is_empty() { "(anonymous)" } else { &own.name });
}

fn pop(stack: &mut Machines, at: usize, context: &mut Context) {
    let own = &mut stack.levels[at].own;
    if own.started {
        context.end_of_function();
    }
    own.started = false;
    own.in_value = false;
}

fn annotation(stack: &mut Machines, at: usize) {
    stack.levels[at].own.saved.clear();
    stack.sub(at, Level::new(State::Annotation, Script::default()), Some(Then::Again));
}

fn generic(stack: &mut Machines, at: usize) {
    stack.levels[at].own.generics = 1;
    stack.next(at, State::Generic);
}

fn function(stack: &mut Machines, at: usize, token: &str, context: &mut Context) {
    match token {
        "*" => {}
        "<" => generic(stack, at),
        "(" => {
            if !stack.levels[at].own.started {
                push(stack, at, context);
            }
            stack.levels[at].own.depth = 0;
            stack.next(at, State::Parameters);
            parameters(stack, at, token, context);
        }
        _ if is_generic(token) => {}
        _ => {
            let own = &mut stack.levels[at].own;
            own.name.clear();
            if is_name(token) {
                own.name.push_str(token);
            }
            (own.is_static, own.is_async) = (false, false);
        }
    }
}

fn parameters(stack: &mut Machines, at: usize, token: &str, context: &mut Context) {
    let own = &mut stack.levels[at].own;
    match token {
        ")" => {
            stack.next(at, State::Opening);
            context.add_to_long_name(" )");
        }
        "(" => context.add_to_long_name(" ("),
        "," => {
            if own.depth == 0 {
                context.parameter(",");
            }
        }
        "<" => own.depth += 1,
        ">" => own.depth = (own.depth - 1).max(0),
        "string" | "number" | "boolean" | "void" | "any" | "object" | "unknown" | "never" => {}
        _ if own.depth == 0 => {
            let plain = token.replace('?', "");
            let mut letters = plain.chars().filter(|&c| c != '_').peekable();
            if letters.peek().is_some() && letters.all(|c| c != '_' && is_word(c)) && begins_with_letter(&plain) {
                context.parameter(&plain);
            }
        }
        _ => {}
    }
}

/// A name in brackets: quotes and pluses are left out.
fn camel_case(name: &str) -> String {
    let plain: String = name.chars().filter(|c| !matches!(c, '\'' | '"' | '+' | ' ')).collect();
    let mut parts = plain.split(is_space).filter(|p| !p.is_empty());
    let Some(first) = parts.next() else { return plain };
    let mut out = String::new();
    let mut chars = first.chars();
    out.extend(chars.next().into_iter().flat_map(char::to_lowercase));
    out.push_str(chars.as_str());
    for part in parts {
        let mut chars = part.chars();
        out.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        out.push_str(&chars.as_str().to_lowercase());
    }
    out
}

/// What objects and classes read in their own way; true: the token is done.
fn member(stack: &mut Machines, at: usize, token: &str, context: &mut Context) -> bool {
    let own = &mut stack.levels[at].own;
    if matches!(token, "get" | "set") {
        own.accessor = Some(token.into());
        return true;
    }
    if let Some(accessor) = own.accessor.take() {
        own.last = format!("{accessor} {token}");
        return true;
    }
    match token {
        "[" => {
            own.computed.clear();
            stack.next(at, State::Computed);
            return true;
        }
        ":" => {
            if is_name(&own.last) {
                own.name = own.last.clone();
            }
            own.in_value = true;
            return true;
        }
        "<" => {
            generic(stack, at);
            return true;
        }
        "(" => {
            let call = matches!(own.previous.as_str(), "." | "new");
            let value = own.in_value && (own.name.is_empty() || own.last != own.name);
            if call || value {
                stack.sub(at, inner(), None);
                set(&mut stack.levels[at].own.previous, token);
                return true;
            }
            if !own.started {
                let name = if own.last == "=" && !own.name.is_empty() { own.name.clone() } else { own.last.clone() };
                function(stack, at, &name, context);
            }
            stack.next_with(at, State::Function, token, context);
            return true;
        }
        _ if is_generic(token) => return true,
        _ => {}
    }
    if (own.is_async || own.is_static) && !matches!(token, "*" | "function" | "=>") {
        if token == "=" {
            (own.is_static, own.is_async) = (false, false);
        } else {
            set(&mut own.last, token);
            return true;
        }
    }
    false
}

fn set(text: &mut String, to: &str) {
    text.clear();
    text.push_str(to);
}

fn global(stack: &mut Machines, at: usize, token: &str, context: &mut Context) {
    let own = &mut stack.levels[at].own;
    if token == "declare" {
        own.declare = true;
        return;
    }
    let declared = std::mem::take(&mut own.declare);
    match token {
        "function" if declared => return stack.next(at, State::Declared),
        "type" if !own.object => {
            (own.phase, own.braces, own.generics) = (0, 0, 0);
            return stack.next(at, State::Alias);
        }
        "interface" => {
            (own.phase, own.braces) = (0, 0);
            return stack.next(at, State::Interface);
        }
        "abstract" if own.object => {
            own.in_abstract = true;
            return;
        }
        "static" | "async" | "new" => {
            own.is_static |= token == "static";
            own.is_async |= token == "async";
            return set(&mut own.previous, token);
        }
        _ => {}
    }
    if own.object && member(stack, at, token, context) {
        return;
    }
    let own = &mut stack.levels[at].own;
    match token {
        "." => {
            own.last.push('.');
            set(&mut own.previous, token);
            return stack.next(at, State::Field);
        }
        "function" => {
            if own.started && !own.object {
                pop(stack, at, context);
            }
            stack.next(at, State::Function);
        }
        "if" | "switch" | "for" | "while" | "catch" => stack.next(at, State::Condition),
        "else" | "do" | "try" | "final" => stack.next(at, State::Statement),
        "=>" => stack.next(at, State::Arrow),
        "=" => {
            if is_name(&own.last) {
                own.name = own.last.clone();
            }
        }
        "(" => {
            if matches!(own.previous.as_str(), "." | "new") || own.name.is_empty() {
                stack.sub(at, inner(), None);
            } else if own.last != own.name && !matches!(own.previous.as_str(), "=" | "async" | ">") {
                own.name.clear();
                stack.sub(at, inner(), None);
            } else {
                if !own.started {
                    let name = own.name.clone();
                    function(stack, at, &name, context);
                }
                stack.next_with(at, State::Function, token, context);
            }
        }
        "{" if own.started => stack.sub(at, inner(), Some(Then::Pop)),
        "{" => {
            let object = Script { object: true, is_static: own.is_static, is_async: own.is_async, ..Script::default() };
            stack.sub(at, Level::new(State::Global, object), Some(Then::Global));
            let own = &mut stack.levels[at].own;
            (own.is_static, own.is_async) = (false, false);
        }
        "}" | ")" => {
            stack.levels[at].exit = true;
            if own_started(stack, at) {
                pop(stack, at, context);
            }
        }
        _ if context.newline || token == ";" => {
            own.name.clear();
            pop(stack, at, context);
            let own = &mut stack.levels[at].own;
            (own.is_static, own.is_async, own.in_abstract, own.in_value) = (false, false, false, false);
            own.previous.clear();
        }
        _ => {}
    }
    if token == "`" {
        stack.next(at, State::Template);
    }
    if token == ":" && !stack.levels[at].own.object {
        annotation(stack, at);
        return set(&mut stack.levels[at].own.previous, token);
    }
    let own = &mut stack.levels[at].own;
    if own.object && token == "," {
        own.in_value = false;
    }
    set(&mut own.last, token);
    if !matches!(own.previous.as_str(), "new" | ".") {
        set(&mut own.previous, token);
    }
}

fn own_started(stack: &Machines, at: usize) -> bool {
    stack.levels[at].own.started
}

/// Skips `type Name = ...`; true: it has ended.
fn alias(stack: &mut Machines, at: usize, token: &str, context: &mut Context) -> bool {
    let own = &mut stack.levels[at].own;
    let again = match (own.phase, token) {
        (0, t) if begins_with_letter(t) => {
            own.phase = 1;
            return false;
        }
        (0, _) => {
            set(&mut own.last, "type");
            true
        }
        (1, "<") => {
            (own.generics, own.phase) = (1, 3);
            return false;
        }
        (1, "=") => {
            own.phase = 2;
            return false;
        }
        (1 | 2, ";") => false,
        (2, "{") => {
            (own.braces, own.phase) = (1, 4);
            return false;
        }
        (2, _) if context.newline => true,
        (3, "<") => {
            own.generics += 1;
            return false;
        }
        (3, ">") => {
            own.generics -= 1;
            if own.generics == 0 {
                own.phase = 1;
            }
            return false;
        }
        (4, "{") => {
            own.braces += 1;
            return false;
        }
        (4, "}") if own.braces == 1 => false,
        (4, "}") => {
            own.braces -= 1;
            return false;
        }
        _ => return false,
    };
    stack.next(at, State::Global);
    if again {
        global(stack, at, token, context);
    }
    true
}

impl Machine for Script {
    type State = State;
    type Then = Then;

    fn step(stack: &mut Machines, at: usize, state: State, token: &str, context: &mut Context) -> bool {
        match state {
            State::Global => global(stack, at, token, context),
            State::Field => {
                stack.levels[at].own.last.push_str(token);
                stack.next(at, State::Global);
            }
            State::Condition => match token {
                "await" => {}
                "(" => stack.sub(at, inner(), Some(Then::Statement)),
                _ => drop(stack.next_with(at, State::Global, token, context)),
            },
            State::Statement => match token {
                "{" => stack.sub(at, inner(), Some(Then::Global)),
                _ => drop(stack.next_with(at, State::Global, token, context)),
            },
            State::Arrow => {
                if !own_started(stack, at) {
                    push(stack, at, context);
                }
                let own = &mut stack.levels[at].own;
                own.name.clear();
                (own.is_static, own.is_async) = (false, false);
                stack.next_with(at, State::Global, token, context);
            }
            State::Function => function(stack, at, token, context),
            State::Parameters => parameters(stack, at, token, context),
            State::Opening => {
                let own = &mut stack.levels[at].own;
                if token == ":" {
                    annotation(stack, at);
                } else if token == ";" && own.object && own.in_abstract {
                    if own.started {
                        pop(stack, at, context);
                    }
                    stack.levels[at].own.in_abstract = false;
                } else if token != "{" && token != "=>" {
                    if own.started {
                        context.forgive = true;
                        context.end_of_function();
                    }
                    own.started = false;
                }
                stack.next_with(at, State::Global, token, context);
            }
            State::Template => {
                if token == "`" {
                    stack.next(at, State::Global);
                }
            }
            State::Declared => {
                if token == ";" || context.newline {
                    stack.next(at, State::Global);
                    return true;
                }
            }
            State::Alias => return alias(stack, at, token, context),
            State::Interface => {
                let own = &mut stack.levels[at].own;
                if token == "{" {
                    own.phase = 1;
                    own.braces += 1;
                } else if token == "}" && own.phase == 1 {
                    own.braces -= 1;
                    if own.braces == 0 {
                        stack.next(at, State::Global);
                        return true;
                    }
                }
            }
            State::Computed => {
                let own = &mut stack.levels[at].own;
                if token == "]" {
                    own.last = camel_case(&own.computed);
                    stack.next(at, State::Global);
                    return true;
                }
                own.computed.push_str(token);
            }
            State::Generic => {
                let own = &mut stack.levels[at].own;
                own.generics += i64::from(token == "<") - i64::from(token == ">");
                if token == ">" && own.generics == 0 {
                    stack.next(at, State::Global);
                }
            }
            State::Annotation => {
                let state = if token == "{" { State::InlineType } else { State::SimpleType };
                stack.next_with(at, state, token, context);
            }
            State::SimpleType => match token {
                "<" => drop(stack.next_with(at, State::GenericType, token, context)),
                "(" => drop(stack.next_with(at, State::FunctionType, token, context)),
                "{" | "=" | ";" | ")" | "=>" | "" => {
                    set(&mut stack.levels[at].own.saved, token);
                    stack.levels[at].exit = true;
                }
                _ => {}
            },
            State::InlineType => stack.levels[at].exit |= stack.brackets(at, "{", "}", token),
            State::GenericType => stack.levels[at].exit |= stack.brackets(at, "<", ">", token),
            State::FunctionType => stack.levels[at].exit |= stack.brackets(at, "(", ")", token),
        }
        false
    }

    fn then(stack: &mut Machines, at: usize, then: Then, context: &mut Context) {
        match then {
            Then::Pop => pop(stack, at, context),
            Then::Global => stack.next(at, State::Global),
            Then::Statement => stack.next(at, State::Statement),
            Then::Again => {
                let token = std::mem::take(&mut stack.levels[at].own.saved);
                if !token.is_empty() {
                    stack.call(at, &token, context);
                }
            }
        }
    }

    fn ended(&mut self, inner: &Self) {
        set(&mut self.saved, &inner.saved);
    }
}

/// The functions of a JavaScript or TypeScript file.
pub fn script(text: &str) -> Option<Vec<Function>> {
    let reader = Reader {
        states: Stack::new(State::Global, Script::default()),
        condition: |t| matches!(t, "if" | "elseif" | "for" | "while" | "catch" | "&&" | "||" | "case" | "?"),
        take: |stack: &mut Machines, token, context| {
            stack.call(0, token, context);
        },
        end: |stack, context| {
            if own_started(stack, 0) {
                pop(stack, 0, context);
            }
        },
        too_deep: |stack| stack.too_deep,
    };
    reader.read(&script_tokens::read(text))
}
