//! C23, C++23 and corners of older standards: what the grammars do not know, and literals and directives that they do not check.

use super::tokens::{is_number, is_word, Quotes, Tokens};
use crate::finding::Findings;
use rubric_host_tree::{Id, Tree};

/// Types of bit-fields.
const INTEGERS: [&str; 8] = ["int", "unsigned", "signed", "char", "short", "long", "bool", "_Bool"];

/// Puts what the grammar knows for what it does not. `None`: there is nothing of it.
pub fn known(text: &str, cpp: bool) -> Option<String> {
    let mut t = Tokens::of(text, Quotes::Plain);
    let mut inside = 0; // of a function or class up to here
    for i in 0..t.len() {
        let (before, next) = (t.before(i, 1), t.at(i + 1));
        match t.at(i) {
            "{" if i >= inside && !is_namespace(&t, i) => inside = t.close(i).unwrap_or(0),
            "[" if next == "[" && t.touches(i) => {
                if let Some(end) = t.close(i).filter(|&end| t.at(end) == "]" && t.before(end, 1) == "]") {
                    t.blank(i, end); // an attribute
                }
            }
            ":" => colon(&mut t, i, cpp),
            "_BitInt" if next == "(" => {
                if let Some(end) = t.close(i + 1) {
                    t.blank(i, end);
                    t.put(i, "int");
                }
            }
            "auto" if !cpp => t.put(i, "int"),
            "enum" if !cpp => {
                let colon = i + 1 + usize::from(is_word(next));
                if let Some(end) = t.find(colon, &["{", ";"]).filter(|&end| t.at(colon) == ":" && end > colon + 1) {
                    t.blank(colon, end - 1);
                }
            }
            "this" if cpp && before == "(" && is_word(next) => t.blank(i, i),
            "using" if cpp && is_word(next) => {
                let comma = t.find(i, &[",", ";", "="]).filter(|&c| t.at(c) == ",");
                if let Some((comma, end)) = comma.and_then(|c| Some((c, t.find(c, &[";"])?))) {
                    t.blank(comma, end - 1);
                }
            }
            "goto" if next == "*" => t.put(i, "!!!!"), // of GNU, to a value: the value is a statement
            "consteval" if before == "if" => t.put(i, "(1)"),
            "consteval" if before == "!" && t.before(i, 2) == "if" => {
                t.blank(i - 1, i - 1);
                t.put(i, "(1)");
            }
            "-" if cpp && t.starts(i, &["-", ">", "*"]) && t.touches(i) && t.touches(i + 1) => t.blank(i, i + 1),
            "." if cpp && next == "*" && t.touches(i) && (matches!(before, ")" | "]" | "}" | "this") || is_word(before) && !super::c::is_reserved(before)) => t.blank(i, i),
            "operator" if cpp && t.starts(i + 1, &["-", ">", "("]) && matches!(before, "return" | "=" | "(" | "," | "!") => {
                t.put(i, "operato_"); // a call of it
                t.blank(i + 1, i + 2);
            }
            "for" | "if" | "while" if cpp && next == "(" => {
                if let Some(end) = t.close(i + 1) {
                    body(&mut t, end + 1);
                }
            }
            "constexpr" if cpp && before == "if" && next == "(" => {
                if let Some(end) = t.close(i + 1) {
                    body(&mut t, end + 1);
                }
            }
            "else" if cpp => body(&mut t, i + 1),
            "(" if cpp => comma(&mut t, i),
            "typeid" if next == "(" => {
                if let Some(end) = t.close(i + 1).filter(|&end| end > i + 2) {
                    t.blank(i + 2, end - 1);
                    t.put(i + 2, "0");
                }
            }
            "new" if cpp && before != "operator" => pointers(&mut t, i),
            "." if cpp && is_word(before) && t.starts(i, &[".", ".", ".", "["]) => {
                if let Some(end) = t.close(i + 3).filter(|&end| end > i + 4) {
                    t.blank(i, end); // of a pack, one
                }
            }
            "export" if cpp && i >= inside && (is_word(next) || next == "{") && (matches!(before, "" | ";" | "}" | "{" | ">")) => {
                if !matches!(next, "module" | "import") || t.find(i, &[";"]).is_some_and(|end| names_module(&t, i + 2, end)) {
                    t.blank(i, i);
                }
                if let Some(end) = t.close(i + 1).filter(|_| next == "{") {
                    t.blank(i + 1, i + 1);
                    t.blank(end, end);
                }
            }
            "module" | "import" if cpp && i >= inside && (matches!(before, "" | ";" | "}" | ">" | "export")) && (is_word(next) || next.starts_with([';', ':', '<', '"'])) => {
                if let Some(end) = t.find(i, &[";"]).filter(|&end| end < i + MOST_ARGUMENTS && names_module(&t, i + 1, end)) {
                    t.blank(i, end);
                }
            }
            token if cpp && before.starts_with('"') && (token.starts_with("PRI") || token.starts_with("SCN")) => t.put(i, "\"\""), // PRId64 of inttypes.h
            "static" if cpp && matches!(before, "]" | ")") => t.blank(i, i), // of a lambda expression
            "friend" if t.find(i, &[";"]).is_some_and(|end| t.before(end, 1) == "default" && t.before(end, 2) == "=") => t.blank(i, i),
            _ => {}
        }
    }
    t.changed()
}

/// Whether a brace opens a namespace, or what is exported or of another language.
fn is_namespace(t: &Tokens, open: usize) -> bool {
    let before = t.before(open, 1);
    before == "export" || before.starts_with('"') || (1..MOST_NAMES).map(|n| t.before(open, n)).take_while(|token| is_word(token) || matches!(*token, ":" | "[" | "]")).any(|token| token == "namespace")
}

/// Longest name of a namespace, in tokens.
const MOST_NAMES: usize = 20;

/// Whether a line imports a header, as `import <vector>;` of C++ does.
pub fn imports_header(text: &str) -> bool {
    let imports = |line: &str| {
        let line = line.trim_start();
        line.strip_prefix("export").unwrap_or(line).trim_start().strip_prefix("import").is_some_and(|rest| rest.trim_start().starts_with(['<', '"']))
    };
    text.contains("import") && text.lines().any(imports)
}

/// Whether what stands behind `module` or `import` is nothing, a header, or names with dots and a colon between them, and attributes.
fn names_module(t: &Tokens, from: usize, end: usize) -> bool {
    let first = from + usize::from(t.at(from) == ":");
    let last = (first..end).find(|&n| t.at(n) == "[").unwrap_or(end);
    let named = || (first..last).all(|n| if (n - first) % 2 == 0 { is_word(t.at(n)) } else { matches!(t.at(n), "." | ":") }) && (last - first) % 2 == 1;
    from == end && t.at(from - 1) == "module" && t.before(from, 2) != "export" || t.at(from).starts_with(['<', '"']) || named()
}

/// Longest list of types, in tokens.
const MOST_ARGUMENTS: usize = 500;

/// Leaves out the `*` of `new T*[n]` and the `const` of `new const T`.
fn pointers(t: &mut Tokens, new: usize) {
    let mut at = if t.at(new + 1) == "(" { t.close(new + 1).map_or(t.len(), |end| end + 1) } else { new + 1 };
    let (first, mut depth) = (at, 0usize);
    while at < first + MOST_ARGUMENTS {
        match t.at(at) {
            "<" => depth += 1,
            ">" if depth > 0 => depth -= 1,
            ":" => {}
            "const" | "volatile" if depth == 0 => t.blank(at, at),
            token if depth > 0 && !matches!(token, "" | ";" | "{") || is_word(token) && token != "new" => {}
            _ => break,
        }
        at += 1;
    }
    while at > first && matches!(t.at(at), "*" | "const") {
        t.blank(at, at);
        at += 1;
    }
}

/// Puts an operation for the assignment of `(a = b, c)`, which the grammar of C++ does not know.
fn comma(t: &mut Tokens, open: usize) {
    let before = t.before(open, 1);
    if before == "while" && t.at(open + 2) != "=" || is_word(before) && !matches!(before, "return" | "while") || matches!(before, ")" | "]" | ">") {
        return;
    }
    let Some(sign) = t.find(open + 1, &["=", ","]).filter(|&i| t.at(i) == "=" && t.at(i + 1) != "=") else { return };
    if t.find(sign + 1, &[","]).is_some() && !matches!(t.before(sign, 1), "=" | "!" | "<" | ">") {
        if is_word(t.before(sign, 1)) || matches!(t.before(sign, 1), ")" | "]") {
            t.put(sign, "+");
        } else {
            t.blank(sign, sign); // a += b
        }
    }
}

/// Leaves out the type of a variable that is the body of a statement.
fn body(t: &mut Tokens, at: usize) {
    let ends = t.at(at + 2) == ";" || matches!(t.at(at + 2), "[" | "(" | "=" | "{");
    if ends && is_word(t.at(at)) && is_word(t.at(at + 1)) && (!super::c::is_reserved(t.at(at)) || INTEGERS.contains(&t.at(at)) || matches!(t.at(at), "double" | "float") || t.at(at) == "auto" && t.at(at + 2) == "=") && !super::c::is_reserved(t.at(at + 1)) {
        t.blank(at, at);
    }
}

/// Bit-fields without a name or with a value, and a label at the end of a block.
fn colon(t: &mut Tokens, i: usize, cpp: bool) {
    let (before, next, then) = (t.before(i, 1), t.at(i + 1), t.at(i + 2));
    if is_number(next) && then == ";" && INTEGERS.contains(&before) && !t.touches(i - 1) {
        t.put(i, "a");
        t.blank(i + 1, i + 1);
    } else if cpp && is_number(next) && matches!(then, "=" | "{") && is_word(before) && is_word(t.before(i, 2)) {
        t.blank(i, i + 1);
    } else if next == "}" && is_word(before) && before != "default" && matches!(t.before(i, 2), ";" | "{" | "}" | ":" | ")") {
        t.blank(i - 1, i);
    }
}

/// Numbers, characters and directives.
pub fn node(tree: &Tree, id: Id, cpp: bool, findings: &mut Findings) {
    let n = tree.node(id);
    let error = match n.kind {
        "number_literal" => number(tree.text(id)),
        "char_literal" | "string_literal" if ends_early(tree.text(id)) => Some("a literal ends on its line"),
        "preproc_call" => directive(tree, id),
        "preproc_def" | "preproc_function_def" if tree.field(id, "name").is_some_and(|name| tree.text[n.start..tree.node(name).start].replace("\\\n", "").contains('\n')) => Some(ARGUMENT),
        "linkage_specification" if !cpp => Some("extern \"C\" is C++"),
        "enumerator_list" if !cpp && tree.named_children(id).all(|c| tree.node(c).is_trivia()) => Some("an enum needs an enumerator"),
        "enum_specifier" if cpp && tree.field(id, "name").is_none() && (tree.child(id, "class").is_some() || tree.child(id, "struct").is_some()) => Some("an enum class needs a name"),
        // auto p(static_cast<T>(b)) may declare a function for the grammar.
        "template_type" if cpp && is_cast(tree, id) && !tree.text[n.end..].trim_start().starts_with('(') => Some(CAST),
        "call_expression" if cpp && tree.field(id, "function").is_some_and(|f| is_cast(tree, f)) && tree.field(id, "arguments").is_some_and(|a| tree.named_children(a).all(|c| tree.node(c).is_trivia())) => Some(CAST),
        "using_declaration" if cpp && tree.child(id, "identifier").is_some() && tree.child(id, "namespace").is_none() && tree.child(id, "enum").is_none() => Some("using needs a qualified name"),
        "parameter_pack_expansion" if matches!(tree.kind(n.parent), "assignment_expression" | "binary_expression" | "condition_clause" | "conditional_expression" | "pointer_expression" | "unary_expression" | "update_expression") || tree.kind(n.parent).ends_with("_statement") => Some("a pack cannot be expanded here"),
        "subscript_argument_list" if tree.field(n.parent, "argument").is_some_and(|a| tree.kind(a) == "parameter_pack_expansion") && tree.named_children(id).next().is_none() => Some("an element of a pack has an index"),
        "concept_definition" if !tree.kind(n.parent).starts_with("template") => Some("a concept needs template parameters"),
        _ => None,
    };
    if let Some(message) = error {
        findings.add(if n.kind.starts_with("preproc") { "directive" } else { "literal" }, n.start, n.end, message);
    }
}

const ARGUMENT: &str = "this directive needs an argument";
const CAST: &str = "a cast needs a value in parentheses";

/// Whether a name with arguments of a template is that of a cast.
fn is_cast(tree: &Tree, id: Id) -> bool {
    matches!(tree.kind(id), "template_function" | "template_type") && tree.field(id, "name").is_some_and(|m| matches!(tree.text(m), "static_cast" | "dynamic_cast" | "reinterpret_cast" | "const_cast"))
}

fn number(text: &str) -> Option<&'static str> {
    let digits = text.as_bytes();
    let whole = || !text.contains(['.', 'e', 'E']);
    match digits {
        [b'0', b'b' | b'B', rest @ ..] if rest.iter().any(|c| matches!(c, b'2'..=b'9')) => Some("a binary number has the digits 0 and 1"),
        [b'0', c, ..] if c.is_ascii_digit() && whole() && digits.iter().take_while(|c| c.is_ascii_digit() || **c == b'\'').any(|c| *c > b'7') => Some("a number that begins with 0 is octal: it has no 8 or 9"),
        [b'0'..=b'9' | b'.', ..] if text.split_once(['e', 'E']).is_some_and(|(mantissa, exponent)| mantissa.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'.' | b'\'')) && !exponent.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit())) => Some("an exponent has digits"),
        _ => None,
    }
}

/// Whether a literal has a line break that no backslash continues. Raw strings may.
fn ends_early(text: &str) -> bool {
    let prefix = text.find(['"', '\'']).unwrap_or(0);
    !text[..prefix].ends_with('R') && text.match_indices('\n').any(|(at, _)| !text[..at].trim_end_matches('\r').ends_with('\\'))
}

/// A directive of which the grammar knows no more than that it is one.
fn directive(tree: &Tree, id: Id) -> Option<&'static str> {
    let name = tree.field(id, "directive").map(|d| tree.text(d).trim_start_matches('#').trim())?;
    match name {
        "else" | "elif" | "elifdef" | "elifndef" | "endif" => Some("this directive needs an #if before it"),
        // Beside another error the grammar may leave out the argument.
        "define" | "undef" | "include" | "ifdef" | "ifndef" | "if" => {
            let line = tree.text[tree.node(id).start..].lines().next().unwrap_or("");
            line.trim_start_matches('#').trim().strip_prefix(name).is_none_or(|rest| rest.trim().is_empty()).then_some(ARGUMENT)
        }
        "" | "pragma" | "error" | "warning" | "line" | "ident" | "sccs" | "include_next" | "import" | "assert" | "unassert" | "embed" => None,
        // Groups that a condition leaves out may have any directive.
        _ if tree.above(id).any(|a| tree.kind(a).starts_with("preproc_")) => None,
        _ => Some("unknown directive"),
    }
}
