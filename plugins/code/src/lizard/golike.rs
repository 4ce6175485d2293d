//! Go and Rust, which lizard reads with one machine.

use super::context::Context;
use super::machine::{Level, Machine, Stack};
use super::tokens::{is_word, span};
use super::Reader;

#[derive(Clone, Copy)]
pub enum State {
    Global,
    Type,
    AfterType,
    TypeBody,
    Name,
    Declaration,
    TypeParameters,
    Receiver,
    Parameters,
    ExpectBody,
    Body,
}

#[derive(Clone, Copy)]
pub struct GoLike {
    keyword: &'static str,
    square: bool,
}

/// The end of a function's body.
#[derive(Clone, Copy)]
pub struct End;

impl GoLike {
    fn new(keyword: &'static str) -> Level<Self> {
        Level::new(State::Global, GoLike { keyword, square: false })
    }
}

impl Machine for GoLike {
    type State = State;
    type Then = End;

    fn step(stack: &mut Stack<Self>, at: usize, state: State, token: &str, context: &mut Context) -> bool {
        let keyword = stack.levels[at].own.keyword;
        match state {
            State::Global => match token {
                _ if token == keyword => {
                    stack.next(at, State::Name);
                    context.push_new_function("");
                }
                "type" => stack.next(at, State::Type),
                "{" => stack.sub(at, GoLike::new(keyword), None),
                "}" => stack.levels[at].exit = true,
                _ => {}
            },
            State::Type => stack.next(at, State::AfterType),
            State::AfterType => stack.next(at, if matches!(token, "struct" | "interface") { State::TypeBody } else { State::Global }),
            State::TypeBody => stack.skip(at, "{", "}", token, State::Global),
            State::Name => match token {
                "`" => {}
                "(" => return stack.next_with(at, if context.is_inner() { State::Parameters } else { State::Receiver }, token, context),
                "{" => return stack.next_with(at, State::ExpectBody, token, context),
                _ => {
                    context.add_to_name(token);
                    stack.next(at, State::Declaration);
                }
            },
            State::Declaration => match token {
                "(" => drop(stack.next_with(at, State::Parameters, token, context)),
                "<" | "[" => drop(stack.next_with(at, State::TypeParameters, token, context)),
                _ => stack.next(at, State::Global),
            },
            State::TypeParameters => {
                if stack.closed(at) {
                    stack.levels[at].own.square = token != "<";
                }
                let (open, shut) = match (stack.levels[at].own.square, token) {
                    (true, _) => ("[", "]"),
                    _ => ("<", ">"),
                };
                stack.skip(at, open, shut, token, State::Declaration);
            }
            State::Receiver => {
                let closed = stack.brackets(at, "(", ")", token);
                context.add_to_long_name(token);
                if closed {
                    stack.next(at, State::Name);
                }
            }
            State::Parameters => {
                let closed = stack.brackets(at, "(", ")", token);
                if !matches!(token, "(" | ")") {
                    context.parameter(token);
                }
                if closed {
                    stack.next(at, State::ExpectBody);
                }
            }
            State::ExpectBody => {
                if token == "{" && stack.levels[at].last != "interface" {
                    stack.next_with(at, State::Body, token, context);
                }
            }
            State::Body => stack.sub(at, GoLike::new(keyword), Some(End)),
        }
        false
    }

    fn then(stack: &mut Stack<Self>, at: usize, _: End, context: &mut Context) {
        stack.next(at, State::Global);
        context.end_of_function();
    }
}

fn reader(keyword: &'static str, condition: fn(&str) -> bool) -> Reader<Stack<GoLike>> {
    Reader {
        states: Stack { levels: vec![GoLike::new(keyword)], too_deep: false },
        condition,
        take: |stack, token, context| {
            stack.call(0, token, context);
        },
        end: |_, _| {},
        too_deep: |stack| stack.too_deep,
    }
}

/// The functions of a Go file.
pub fn go(text: &str) -> Option<Vec<super::Function>> {
    let raw = |t: &str| t.strip_prefix('`')?.find('`').map(|end| end + 2);
    reader("func", |t| matches!(t, "if" | "for" | "while" | "catch" | "&&" | "||" | "case" | "?")).plain(text, raw)
}

/// The functions of a Rust file.
pub fn rust(text: &str) -> Option<Vec<super::Function>> {
    let lifetime = |t: &str| {
        let len = span(t.strip_prefix('\'')?, is_word);
        (len > 0).then_some(len + 1)
    };
    reader("fn", |t| matches!(t, "if" | "for" | "while" | "catch" | "match" | "where" | "&&" | "||" | "?")).plain(text, lifetime)
}
