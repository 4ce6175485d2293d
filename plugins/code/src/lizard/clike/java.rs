//! Java's own states.

use super::*;

/// `Foo.class` and `Type::method` are not declarations.
pub(super) fn expression(own: &mut Clike, token: &str) -> bool {
    if token == "::" {
        own.reference = true;
        return true;
    }
    if std::mem::take(&mut own.reference) {
        return true;
    }
    if token == "." && !own.dot {
        own.dot = true;
        return true;
    }
    std::mem::take(&mut own.dot) && token == "class"
}

/// Whether `record` begins a declaration: it is a name, too.
pub(super) fn declares_record(last: &str, after_annotation: bool) -> bool {
    if after_annotation || last.is_empty() {
        return true;
    }
    if matches!(last, "void" | "boolean" | "byte" | "char" | "short" | "int" | "long" | "float" | "double" | "var" | "]" | ">") || last.starts_with(['_', '{', '$']) {
        return false;
    }
    const MODIFIERS: [&str; 14] = [
        "public", "private", "protected", "static", "final", "strictfp", "abstract", "synchronized", "native", "default", "transient", "volatile", "sealed", "non-sealed",
    ];
    MODIFIERS.contains(&last) || matches!(last, "}" | ";" | ")" | "@")
}

pub(super) fn starts_class(stack: &mut Machines, at: usize, token: &str, after_annotation: bool) -> bool {
    let level = &mut stack.levels[at];
    let is_record = token == "record";
    if is_record {
        if level.own.in_method {
            return false;
        }
        level.own.after_annotation = false;
        if !declares_record(&level.last, after_annotation) {
            return false;
        }
    } else if !matches!(token, "class" | "enum") {
        return false;
    }
    let own = &mut level.own;
    (own.after_annotation, own.class, own.is_record, own.in_record_constructor) = (false, None, is_record, false);
    stack.next(at, State::Class);
    true
}

/// What all machines of Java do first; true: the token is done.
pub(super) fn java_first(stack: &mut Machines, at: usize, token: &str) -> bool {
    let own = &mut stack.levels[at].own;
    if expression(own, token) {
        return true;
    }
    let after_annotation = own.after_annotation;
    if token != "record" {
        own.after_annotation = false;
    }
    if token == "@" {
        stack.next(at, State::Decorator);
        return true;
    }
    starts_class(stack, at, token, after_annotation)
}

pub(super) fn java_global(stack: &mut Machines, at: usize, token: &str, context: &mut Context) {
    let keyword = || {
        matches!(
            token,
            "if" | "else" | "for" | "while" | "do" | "switch" | "catch" | "try" | "finally" | "synchronized" | "return" | "throw" | "assert" | "break" | "continue" | "instanceof"
        )
    };
    if !java_first(stack, at, token) && !keyword() && !stack.levels[at].own.in_record_constructor {
        c_global(stack, at, token, context);
    }
}

pub(super) fn java_class(stack: &mut Machines, at: usize, token: &str, context: &mut Context) {
    let level = &mut stack.levels[at];
    if std::mem::take(&mut level.own.after_static) {
        if token == "{" {
            return block(stack, at, token, context);
        }
        java_global(stack, at, "static", context);
        java_global(stack, at, token, context);
    } else if token == "static" {
        level.own.after_static = true;
        return;
    } else if token == "{" && matches!(level.last.as_str(), "{" | "}" | ";") {
        return block(stack, at, token, context);
    } else if token == "new" {
        return stack.next(at, State::New);
    } else {
        java_global(stack, at, token, context);
        stack.levels[at].own.braces += i64::from(token == "{") - i64::from(token == "}");
    }
    let level = &mut stack.levels[at];
    level.exit |= token == "}" && level.own.braces == 0;
}

/// A block of a class that is not a method.
pub(super) fn block(stack: &mut Machines, at: usize, token: &str, context: &mut Context) {
    stack.levels[at].own.braces += 1;
    stack.sub(at, body(true), Some(Then::EndOfBlock));
    give(stack, at, token, context);
}

/// Gives a token to the machine and so to the one inside it.
pub(super) fn give(stack: &mut Machines, at: usize, token: &str, context: &mut Context) {
    if !stack.too_deep {
        stack.call(at, token, context);
    }
}

pub(super) fn java_body(stack: &mut Machines, at: usize, token: &str) {
    let braces = stack.brackets(at, "{", "}", token);
    let closed = if token == "(" || token == ")" { stack.brackets(at, "(", ")", token) } else { braces };
    if !java_first(stack, at, token) {
        if token == "new" {
            stack.next(at, State::New);
        } else {
            let level = &mut stack.levels[at];
            if !level.own.braced {
                level.exit |= closed;
            } else if matches!(token, "{" | "}") {
                level.own.braces += if token == "{" { 1 } else { -1 };
                level.exit |= level.own.braces == 0;
            }
        }
    }
    if stack.closed(at) {
        stack.next(at, State::Nothing);
    }
}
