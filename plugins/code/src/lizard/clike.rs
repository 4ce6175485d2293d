//! C and C++, and Java, whose machine is C's with more states.

mod java;
mod parallel;

use java::{java_global, java_class, give, java_body};
use parallel::{Nesting, Parallel, Reference};
use super::context::Context;
use super::machine::{Level, Machine, Stack};
use super::tokens::{begins_with_letter, is_blank, is_word, span, tokens, Token};
use super::{condition_none, Function, Reader};
use rubric_host_text::is_space;

#[derive(Clone, Copy)]
pub enum State {
    Global,
    Function,
    TemplateInName,
    Operator,
    OperatorNext,
    NameWithSpace,
    Parameters,
    AfterParameters,
    Throw,
    Throws,
    Noexcept,
    OldParameters,
    Initializers,
    Initializer,
    Value,
    BracedValue,
    Entering,
    Body,
    Attribute,
    LambdaCheck,
    LambdaParameters,
    LambdaParameterList,
    LambdaBody,
    LambdaBodySkip,
    LambdaCapture,
    // Java's own.
    Decorator,
    AfterDecorator,
    DecoratorArguments,
    Class,
    RecordParameters,
    RecordConstructor,
    RecordConstructorBody,
    New,
    NewParameters,
    Nothing,
}

/// Which of lizard's classes a machine is.
#[derive(Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    C,
    Java,
    JavaClass,
    JavaBody,
}

#[derive(Clone, Copy)]
pub enum Then {
    Global,
    EndOfBody,
    EndOfBlock,
}

#[derive(Default)]
pub struct Clike {
    kind: Kind,
    brackets: Vec<u8>,
    saved: Vec<String>,
    class: Option<String>,
    is_record: bool,
    in_record_constructor: bool,
    in_method: bool,
    dot: bool,
    reference: bool,
    after_annotation: bool,
    generics: i64,
    braced: bool,
    braces: i64,
    after_static: bool,
}

type Machines = Stack<Clike>;

fn body(braced: bool) -> Level<Clike> {
    Level::new(State::Global, Clike { kind: Kind::JavaBody, in_method: true, braced, ..Clike::default() })
}

fn class(name: Option<String>, is_record: bool) -> Level<Clike> {
    Level::new(State::Global, Clike { kind: Kind::JavaClass, class: name, is_record, ..Clike::default() })
}

/// Calls the current state with a token, not the machine: what it returns is lost.
fn again(stack: &mut Machines, at: usize, token: &str, context: &mut Context) {
    Clike::step(stack, at, stack.levels[at].state, token, context);
}

fn try_new_function(stack: &mut Machines, at: usize, name: &str, context: &mut Context) {
    let own = &mut stack.levels[at].own;
    if own.kind != Kind::C && own.is_record && own.class.as_deref() == Some(name) {
        own.in_record_constructor = true;
        return stack.next(at, State::RecordConstructor);
    }
    context.try_new_function(name);
    if own.kind == Kind::C && name == "operator" {
        return stack.next(at, State::Operator);
    }
    if let Some(class) = own.class.as_deref().filter(|_| own.kind != Kind::C) {
        context.current.borrow_mut().name = format!("{class}::{name}");
    }
    stack.next(at, State::Function);
}

fn c_global(stack: &mut Machines, at: usize, token: &str, context: &mut Context) {
    if begins_with_letter(token) || token.starts_with(['_', '~']) {
        try_new_function(stack, at, token, context);
    } else if token == "[" && stack.levels[at].own.kind == Kind::C {
        stack.next(at, State::LambdaCheck);
    }
}

fn after_parameters(stack: &mut Machines, at: usize, token: &str, context: &mut Context) {
    match token {
        "const" | "&" | "&&" => context.add_to_long_name(&format!(" {token}")),
        "throw" => stack.next(at, State::Throw),
        "throws" | "->" => stack.next(at, State::Throws),
        "noexcept" => stack.next(at, State::Noexcept),
        "(" => {
            let name = context.current.borrow().long_name.clone();
            try_new_function(stack, at, &name, context);
            Clike::step(stack, at, State::Function, token, context);
        }
        "{" => drop(stack.next_with(at, State::Entering, token, context)),
        ":" => stack.next(at, State::Initializers),
        "[" => {
            stack.next(at, State::Attribute);
            again(stack, at, token, context);
        }
        _ if !begins_with_letter(token) && !token.starts_with('_') => {
            stack.next(at, State::Global);
            again(stack, at, token, context);
        }
        _ => {
            stack.next(at, State::OldParameters);
            stack.levels[at].own.saved = vec![token.into()];
        }
    }
}

fn old_parameters(stack: &mut Machines, at: usize, token: &str, context: &mut Context) {
    let own = &mut stack.levels[at].own;
    if own.kind != Kind::C {
        if token == "{" {
            after_parameters(stack, at, token, context);
        }
        return;
    }
    own.saved.push(token.into());
    match token {
        ";" => {
            own.saved.clear();
            stack.next(at, State::AfterParameters);
        }
        "{" if own.saved.len() == 2 => {
            own.saved.clear();
            after_parameters(stack, at, token, context);
        }
        "{" | "(" => {
            let saved = std::mem::take(&mut own.saved);
            stack.next(at, State::Global);
            for t in &saved {
                again(stack, at, t, context);
            }
        }
        _ => {}
    }
}

/// Reads up to a character, and reads that again in the next state.
fn until(stack: &mut Machines, at: usize, ends: &[&str], token: &str, next: State, context: &mut Context) {
    if ends.contains(&token) {
        stack.next(at, next);
        again(stack, at, token, context);
    }
}

/// Pops an open bracket if it is the last one; true: none is left.
fn shut(brackets: &mut Vec<u8>, open: u8) -> bool {
    if brackets.last() != Some(&open) {
        return false;
    }
    brackets.pop();
    brackets.is_empty()
}

impl Machine for Clike {
    type State = State;
    type Then = Then;

    fn step(stack: &mut Machines, at: usize, state: State, token: &str, context: &mut Context) -> bool {
        match state {
            State::Global => match stack.levels[at].own.kind {
                Kind::C => c_global(stack, at, token, context),
                Kind::Java => java_global(stack, at, token, context),
                Kind::JavaClass => java_class(stack, at, token, context),
                Kind::JavaBody => java_body(stack, at, token),
            },
            State::Function => match token {
                "(" => drop(stack.next_with(at, State::Parameters, token, context)),
                "::" => {
                    context.add_to_name(token);
                    stack.next(at, State::NameWithSpace);
                }
                "<" => drop(stack.next_with(at, State::TemplateInName, token, context)),
                _ => drop(stack.next_with(at, State::Global, token, context)),
            },
            State::TemplateInName => {
                let closed = stack.brackets(at, "<", ">", token);
                context.add_to_name(token);
                if closed {
                    stack.next(at, State::Function);
                }
            }
            State::Operator => {
                if token != "(" {
                    stack.next(at, State::OperatorNext);
                }
                context.add_to_name(&format!(" {token}"));
            }
            State::OperatorNext if token == "(" => drop(Clike::step(stack, at, State::Function, token, context)),
            State::OperatorNext => context.add_to_name(&format!(" {token}")),
            State::NameWithSpace => {
                stack.next(at, if token == "operator" { State::Operator } else { State::Function });
                context.add_to_name(token);
            }
            State::Parameters => {
                let closed = stack.brackets(at, "(", ")", token);
                parameters(stack, at, token, context);
                if closed {
                    stack.next(at, State::AfterParameters);
                }
            }
            State::AfterParameters => after_parameters(stack, at, token, context),
            State::Throw => stack.skip(at, "(", ")", token, State::AfterParameters),
            State::Throws => until(stack, at, &[";", "{"], token, State::AfterParameters, context),
            State::Noexcept => {
                stack.next(at, if token == "(" { State::Throw } else { State::AfterParameters });
                again(stack, at, token, context);
            }
            State::OldParameters => old_parameters(stack, at, token, context),
            State::Initializers => {
                stack.next(at, State::Initializer);
                if token == "{" {
                    stack.next_with(at, State::Entering, token, context);
                }
            }
            State::Initializer if token == "(" => until(stack, at, &["("], token, State::Value, context),
            State::Initializer => until(stack, at, &["{"], token, State::BracedValue, context),
            State::Value => stack.skip(at, "(", ")", token, State::Initializers),
            State::BracedValue => stack.skip(at, "{", "}", token, State::Initializers),
            State::Entering => {
                context.confirm_new_function();
                stack.next_with(at, State::Body, token, context);
            }
            State::Body if stack.levels[at].own.kind != Kind::C => {
                stack.levels[at].own.in_method = true;
                stack.sub(at, body(true), Some(Then::EndOfBody));
                give(stack, at, token, context);
            }
            State::Body => stack.skip(at, "{", "}", token, State::Global),
            State::Attribute => stack.skip(at, "[", "]", token, State::AfterParameters),
            State::LambdaCheck => stack.next(at, match token {
                "]" => State::LambdaParameters,
                "[" => State::Attribute,
                _ => State::LambdaCapture,
            }),
            State::LambdaParameters if token == "(" => {
                stack.levels[at].own.brackets.push(b'(');
                stack.next(at, State::LambdaParameterList);
            }
            State::LambdaParameters => {
                stack.next(at, State::LambdaBody);
                again(stack, at, token, context);
            }
            State::LambdaParameterList => {
                let brackets = &mut stack.levels[at].own.brackets;
                match token {
                    "(" | "<" | "[" => brackets.push(token.as_bytes()[0]),
                    ")" => {
                        if shut(brackets, b'(') {
                            stack.next(at, State::LambdaBody);
                        }
                    }
                    ">" => drop(shut(brackets, b'<')),
                    "]" => drop(shut(brackets, b'[')),
                    _ => {}
                }
            }
            State::LambdaBody => match token {
                "{" => {
                    stack.levels[at].own.brackets.push(b'{');
                    stack.next(at, State::LambdaBodySkip);
                }
                ";" | "," | ")" => {
                    stack.next(at, State::Global);
                    again(stack, at, token, context);
                }
                _ => {}
            },
            State::LambdaBodySkip => {
                let brackets = &mut stack.levels[at].own.brackets;
                if token == "{" {
                    brackets.push(b'{');
                } else if token == "}" && shut(brackets, b'{') {
                    stack.next(at, State::Global);
                }
            }
            State::LambdaCapture => {
                if token == "]" {
                    stack.next(at, State::LambdaParameters);
                }
            }
            State::Decorator => stack.next(at, State::AfterDecorator),
            State::AfterDecorator => match token {
                "." => stack.next(at, State::Decorator),
                "(" => drop(stack.next_with(at, State::DecoratorArguments, token, context)),
                _ => {
                    stack.levels[at].own.after_annotation = true;
                    stack.next(at, State::Global);
                }
            },
            State::DecoratorArguments => stack.skip(at, "(", ")", token, State::Global),
            State::Class => {
                let own = &mut stack.levels[at].own;
                if token == "{" {
                    let inner = class(own.class.clone(), own.is_record);
                    stack.sub(at, inner, Some(Then::Global));
                    give(stack, at, token, context);
                } else if token == "(" {
                    stack.next(at, State::RecordParameters);
                } else if own.class.is_none() && begins_with_letter(token) {
                    own.class = Some(token.into());
                }
            }
            State::RecordParameters => {
                if token == ")" {
                    stack.next(at, State::Class);
                }
            }
            State::RecordConstructor if token == "{" => stack.next(at, State::RecordConstructorBody),
            State::RecordConstructor => {
                stack.next(at, State::Global);
                again(stack, at, token, context);
            }
            State::RecordConstructorBody => {
                if token == "}" {
                    stack.levels[at].own.in_record_constructor = false;
                    stack.next(at, State::Global);
                }
            }
            State::New => {
                stack.levels[at].own.generics = 0;
                stack.next(at, State::NewParameters);
            }
            State::NewParameters => {
                let own = &mut stack.levels[at].own;
                if own.generics > 0 || token.starts_with('<') {
                    own.generics += token.matches('<').count() as i64 - token.matches('>').count() as i64;
                } else if token == "(" {
                    stack.sub(at, body(false), None);
                    give(stack, at, token, context);
                } else if token == "{" {
                    stack.sub(at, class(Some("(anonymous)".into()), false), Some(Then::Global));
                    give(stack, at, token, context);
                } else if token != "." && !begins_with_letter(token) && !token.starts_with('_') {
                    stack.next_with(at, State::Global, token, context);
                }
            }
            State::Nothing => {}
        }
        false
    }

    fn then(stack: &mut Machines, at: usize, then: Then, _: &mut Context) {
        match then {
            Then::Global => stack.next(at, State::Global),
            Then::EndOfBody => {
                stack.levels[at].own.in_method = false;
                stack.next(at, State::Global);
            }
            Then::EndOfBlock => stack.levels[at].own.braces -= 1,
        }
    }
}

fn parameters(stack: &mut Machines, at: usize, token: &str, context: &mut Context) {
    let brackets = &mut stack.levels[at].own.brackets;
    match token {
        "(" | "<" => brackets.push(token.as_bytes()[0]),
        ")" | ">" => {
            if brackets.pop().is_none() {
                stack.next(at, State::Global);
            }
        }
        _ if brackets.len() == 1 => {
            if token != "void" {
                context.parameter(token);
            }
            return;
        }
        _ => {}
    }
    context.add_to_long_name(token);
}

/// Raw strings without a delimiter, and numbers with a point.
fn addition(text: &str) -> Option<usize> {
    let raw = ["u8R\"(", "uR\"(", "UR\"(", "LR\"(", "R\"("].iter().find_map(|p| text.strip_prefix(p).map(|t| (p.len(), t)));
    if let Some((prefix, end)) = raw.and_then(|(p, t)| t.find(")\"").map(|end| (p, end))) {
        return Some(prefix + end + 2);
    }
    let digits = |t: &str| span(t, |c| c.is_ascii_digit() || !c.is_ascii() && rubric_host_text::DIGIT.has(c));
    let whole = digits(text);
    let after = text[whole..].strip_prefix('.')?;
    let fraction = digits(after);
    if whole + fraction == 0 {
        return None;
    }
    let mut end = whole + 1 + fraction;
    if let Some(power) = text[end..].strip_prefix(['e', 'E']) {
        let sign = usize::from(power.starts_with(['-', '+']));
        let power = digits(&power[sign..]);
        if power > 0 {
            end += 1 + sign + power;
        }
    }
    Some(end)
}

/// `#\s*(\w+)\s*(.*)` at the start of a token: the directive, and what follows.
fn directive(token: &str) -> Option<(&str, &str)> {
    let rest = token.strip_prefix('#')?.trim_start_matches(is_space);
    let name = span(rest, is_word);
    (name > 0).then(|| (&rest[..name], rest[name..].trim_start_matches(is_space)))
}

fn read(text: &str, kind: Kind) -> Option<Vec<Function>> {
    let mut list: Vec<Token> = Vec::new();
    tokens(text, addition, &mut list);
    let mut reader = Reader {
        states: Parallel {
            functions: Stack::new(State::Global, Clike { kind, ..Clike::default() }),
            nesting: Nesting::Global,
            brackets: 0,
            saved: Vec::new(),
            reference: (kind == Kind::C).then_some(Reference::Global),
            ands: 0,
        },
        condition: |t| matches!(t, "if" | "for" | "while" | "catch" | "&&" | "||" | "case" | "?"),
        take: Parallel::take,
        end: condition_none,
        too_deep: |p| p.functions.too_deep,
    };
    let mut counter = super::Counter::new(super::slashes);
    let mut tilde = false;
    for token in &list {
        let more = if token == "~" {
            tilde = true;
            true
        } else if std::mem::take(&mut tilde) {
            reader.feed(&format!("~{token}"), &mut counter)
        } else if token != "\n" && is_blank(token) {
            true
        } else if let Some((name, rest)) = directive(token) {
            if matches!(name, "if" | "ifdef" | "elif") {
                counter.inner.add_condition(1);
            }
            let included = name != "include" || reader.feed("#include", &mut counter) && reader.feed(if rest.is_empty() { "\"\"" } else { rest }, &mut counter);
            for _ in rest.matches('\n') {
                reader.feed("\n", &mut counter);
            }
            included
        } else {
            reader.feed(token, &mut counter)
        };
        if !more {
            break;
        }
    }
    counter.functions()
}

/// The functions of a C or C++ file.
pub fn c(text: &str) -> Option<Vec<Function>> {
    read(text, Kind::C)
}

/// The functions of a Java file.
pub fn java(text: &str) -> Option<Vec<Function>> {
    read(text, Kind::Java)
}
