//! C and C++: statements that the grammars accept outside of functions, and macros.

use super::c_newer;
use super::tokens::literal;
use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Tree, ROOT};
use std::collections::HashSet;

/// Words that are not names in C. The grammar takes qualifiers after `*` for names.
const RESERVED: [&str; 32] = [
    "_Atomic", "auto", "break", "case", "char", "continue", "default", "do", "double", "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long",
    "register", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "while",
];

/// Words that begin a statement.
const STATEMENTS: [&str; 12] = ["break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "switch", "while"];

/// Those of C++ beside them, but what the grammar takes for the name of a function, such as `static_cast`.
const RESERVED_CPP: [&str; 21] = [
    "catch", "class", "consteval", "constexpr", "constinit", "explicit", "export", "friend", "mutable", "namespace", "new", "private", "protected", "public", "template", "thread_local", "throw", "try", "typename",
    "using", "virtual",
];

/// Whether a word is no name in C++.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word) || RESERVED_CPP.contains(&word) || QUALIFIERS.contains(&word) || word.starts_with("co_")
        || matches!(word, "alignof" | "and" | "bitand" | "bitor" | "compl" | "decltype" | "delete" | "export" | "false" | "noexcept" | "not" | "nullptr" | "operator" | "or" | "static_assert" | "this" | "true" | "typeid" | "xor")
}

/// Qualifiers, which the grammar also takes for names: of types, and after `*`.
const QUALIFIERS: [&str; 2] = ["const", "volatile"];

/// Types that a value may be made of, as in `auto(x)`.
const TYPES: [&str; 9] = ["auto", "char", "double", "float", "int", "long", "short", "signed", "unsigned"];

pub fn rules(tree: &Tree, config: &Config, findings: &mut Findings) -> Result<()> {
    words_and_functions(tree, false, findings);
    outside(tree, config, findings)
}

pub fn rules_cpp(tree: &Tree, config: &Config, findings: &mut Findings) -> Result<()> {
    words_and_functions(tree, true, findings);
    outside(tree, config, findings)
}

/// Leaves out the `typedef` of `typedef struct A { ... };`, which compilers ignore, since it has no name. `None`: there is none.
fn nameless(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    for (at, word) in text.match_indices("typedef ") {
        let mut head = text[at + word.len()..].char_indices().take(100); // of names so long
        let brace = head.find(|(_, c)| !c.is_alphanumeric() && !c.is_whitespace() && *c != '_').filter(|(_, c)| *c == '{');
        let Some(open) = brace.map(|(n, _)| at + word.len() + n) else { continue };
        let mut depth = 0usize;
        let close = text[open..].bytes().position(|b| {
            depth = if b == b'{' { depth + 1 } else { depth - usize::from(b == b'}') };
            depth == 0
        });
        let Some(close) = close.map(|n| open + n + 1) else { break };
        if text[close..].trim_start().starts_with(';') {
            bytes[at..at + word.len()].fill(b' ');
        }
    }
    String::from_utf8(bytes).ok().filter(|other| other != text)
}

/// Leaves out what the grammar does not know: `_Atomic(int)` is `int`; and typedefs without a name. `None`: there is neither.
fn atomic(text: &str) -> Option<String> {
    let mut bytes = nameless(text).unwrap_or_else(|| text.into()).into_bytes();
    for (at, word) in text.match_indices("_Atomic") {
        let end = at + word.len();
        let close = arguments(text, end);
        if close == end || text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let open = end + text[end..].find('(')?;
        let word = |c: char| c.is_alphabetic() || c == '_';
        if text[open + 1..].trim_start().starts_with(word) && text[close..].trim_start().starts_with(|c| word(c) || c == '*' || c == ')') {
            bytes[at..=open].fill(b' ');
            bytes[close - 1] = b' ';
        }
    }
    String::from_utf8(bytes).ok().filter(|other| other != text)
}

/// C without what its grammar does not know.
pub fn known_c(text: &str) -> Option<String> {
    let other = atomic(text);
    c_newer::known(other.as_deref().unwrap_or(text), false).or(other)
}

/// The same for C++.
pub fn known_cpp(text: &str) -> Option<String> {
    let other = nameless(text);
    c_newer::known(other.as_deref().unwrap_or(text), true).or(other)
}

/// Reserved words where a name belongs, bodies without a function, and names among strings.
fn words_and_functions(tree: &Tree, cpp: bool, findings: &mut Findings) {
    // T x(a, sizeof(b)) may declare a function for the grammar of C++.
    let reserved = |word: &str| RESERVED.contains(&word) && !(cpp && word == "sizeof") || cpp && RESERVED_CPP.contains(&word);
    let macros = Macros::of(tree);
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        c_newer::node(tree, id, cpp, findings);
        match n.kind {
            // `default` of _Generic, and auto(x) and unsigned{x}.
            "type_identifier" if tree.text(id) == "default" && tree.above(id).take(2).any(|a| tree.kind(a) == "generic_expression") => {}
            "identifier" if tree.text(id) == "default" && tree.above(id).take(3).any(|a| tree.kind(a) == "friend_declaration") => {}
            "identifier" | "type_identifier" if cpp && TYPES.contains(&tree.text(id)) && !names_function(tree, id) && tree.text[n.end..].trim_start().starts_with(['(', '{']) => {}
            // T x(a, new B) may declare a function for the grammar.
            "identifier" | "type_identifier" if cpp && tree.text(id) == "new" && tree.above(id).any(|a| tree.kind(a) == "parameter_declaration" && tree.above(a).any(|b| tree.kind(b) == "compound_statement")) => {}
            // A macro may have a type as its argument.
            "identifier" | "type_identifier" | "field_identifier" | "statement_identifier" | "namespace_identifier"
                if reserved(tree.text(id)) && !macros.may_take(tree, id) && !matches!(tree.kind(n.parent), "preproc_def" | "preproc_params" | "preproc_ifdef" | "preproc_defined") =>
            {
                findings.add("reserved", n.start, n.end, format!("{} is a reserved word", tree.text(id)));
            }
            "identifier" | "type_identifier"
                if QUALIFIERS.contains(&tree.text(id)) && tree.kind(n.parent) != "argument_list" && !tree.text[..n.start].trim_end().ends_with(['*', '&', '/']) =>
            {
                findings.add("reserved", n.start, n.end, format!("{} is a reserved word", tree.text(id)));
            }
            "identifier" if tree.kind(n.parent) == "concatenated_string" && !macros.may_have(tree.text(id)) => {
                findings.add("string", n.start, n.end, format!("{} is not a string", tree.text(id)));
            }
            // The grammar takes a call without its ; and the next statement for a declaration by a macro.
            "macro_type_specifier" if tree.field(id, "name").is_some_and(|name| !macros.may_be_type(tree.text(name))) => {
                findings.add("statement", n.end, n.end, "expected ; after a call");
            }
            "identifier" if tree.kind(n.parent) == "function_declarator" && n.field.is_empty() && !macros.may_have(tree.text(id)) => {
                findings.add("function", n.start, n.end, format!("{} cannot stand behind parameters", tree.text(id)));
            }
            "function_definition" if !declares_function(tree, id, &macros) => {
                findings.add("function", n.start, n.end, "a body without the parameters of a function");
            }
            "function_definition" if tree.kind(n.parent) == "compound_statement" => nested(tree, id, cpp, &macros, findings),
            _ => {}
        }
    }
}

/// A function in a function: without a type it is a call without its `;` before a block, or a macro, as Qt's `foreach`. C++ has none, but
/// a snippet may, in the function that is put around it.
fn nested(tree: &Tree, id: usize, cpp: bool, macros: &Macros, findings: &mut Findings) {
    let (n, kind) = (tree.node(id), tree.field(id, "type"));
    let Some(declarator) = tree.field(id, "declarator") else { return };
    let name = match kind {
        Some(_) if tree.kind(declarator) == "parenthesized_declarator" => kind,
        None => tree.field(declarator, "declarator"),
        Some(_) => None,
    };
    let end = tree.node(declarator).end;
    match name.map(|name| tree.text(name)) {
        Some(name) if macros.defined.contains(name) => {}
        Some(name) if macros.may_have(name) || name.contains("each") => findings.undecided = Some(crate::answer::not_defined(&[name.into()])),
        Some(_) => findings.add("statement", end, end, "expected ; after a call"),
        None if cpp && kind.is_some_and(|t| tree.kind(t) == "primitive_type") && !(tree.text.starts_with(crate::unit::C.body[0]) && tree.node(n.parent).start + 2 == crate::unit::C.body[0].len()) => {
            findings.add("function", n.start, n.end, "a function in a function");
        }
        None => {}
    }
}

/// Whether a name is that of a function behind a whole type, as in `void int(A a)`.
fn names_function(tree: &Tree, id: usize) -> bool {
    let declarator = tree.node(id).parent;
    tree.kind(declarator) == "function_declarator" && tree.field(tree.node(declarator).parent, "type").is_some_and(|t| tree.kind(t) == "primitive_type")
}

/// Names that may be those of macros.
struct Macros<'t> {
    defined: HashSet<&'t str>,
    /// Of calls and functions.
    functions: HashSet<&'t str>,
    headers: bool,
}

impl<'t> Macros<'t> {
    fn of(tree: &Tree<'t>) -> Self {
        let defined = (0..tree.nodes.len()).filter(|&id| tree.kind(id) == "identifier" && tree.kind(tree.node(id).parent).starts_with("preproc_"));
        let function = |id: &usize| matches!((tree.kind(tree.node(*id).parent), tree.node(*id).field), ("call_expression", "function") | ("function_declarator", "declarator"));
        let functions = (0..tree.nodes.len()).filter(|&id| tree.kind(id) == "identifier").filter(function);
        Macros { defined: defined.map(|id| tree.text(id)).collect(), functions: functions.map(|id| tree.text(id)).collect(), headers: own_headers(tree.text) }
    }

    fn may_have(&self, name: &str) -> bool {
        self.headers || name.contains(|c: char| c.is_ascii_uppercase()) || name.starts_with("__") || self.defined.contains(name)
    }

    /// Whether a reserved word is an argument, and one of a macro if it begins a statement.
    fn may_take(&self, tree: &Tree, id: usize) -> bool {
        let list = tree.node(id).parent;
        if tree.kind(list) != "argument_list" {
            return false;
        }
        let statement = || STATEMENTS.contains(&tree.text(id)) && !tree.node(tree.node(list).parent).is_error();
        let function = Some(list).filter(|_| statement()).and_then(|l| tree.field(tree.node(l).parent, "function")).filter(|&f| tree.kind(f) == "identifier");
        function.is_none_or(|f| self.may_have(tree.text(f)))
    }

    /// Whether a name with arguments may be a type.
    fn may_be_type(&self, name: &str) -> bool {
        matches!(name, "typeof" | "typeof_unqual") || self.may_have(name) && !self.functions.contains(name)
    }
}

/// Whether what has a body has parameters. A macro may stand for them, and for what is before the name of a class.
fn declares_function(tree: &Tree, id: usize, macros: &Macros) -> bool {
    let (Some(kind), Some(declarator)) = (tree.field(id, "type"), tree.field(id, "declarator")) else { return true };
    // Of C++, in C.
    if matches!(tree.text(kind), "class" | "namespace") && tree.kind(declarator) == "identifier" {
        return false;
    }
    if !matches!(tree.kind(kind), "primitive_type" | "sized_type_specifier" | "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier") {
        return true;
    }
    if std::iter::once(declarator).chain(tree.below(declarator)).any(|d| tree.kind(d).ends_with("function_declarator") || tree.kind(d).starts_with("operator")) {
        return true;
    }
    tree.field(kind, "name").map_or(tree.kind(declarator) == "identifier" && macros.may_have(tree.text(declarator)), |name| macros.may_have(tree.text(name)))
}

/// Statements outside of functions, and names of headers.
fn outside(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    for id in tree.children(ROOT) {
        let n = tree.node(id);
        if n.kind == "preproc_include" && tree.field(id, "path").is_some_and(|p| matches!(tree.text(p), "<>" | "\"\"") || tree.kind(p) == "system_lib_string" && !tree.text(p).ends_with('>')) {
            findings.add("include", n.start, n.end, "the name of a header stands in \"\" or <>");
        }
        // Attributes may stand alone, and a call may be a macro.
        let statement = match n.kind {
            "attributed_statement" => false,
            "expression_statement" => tree.named_children(id).next().is_some_and(|e| !macro_use(tree, e)),
            kind => kind.ends_with("_statement"),
        };
        if statement {
            findings.add("declaration", n.start, n.end, "a statement outside of a function");
        }
    }
    if !findings.list.is_empty() {
        findings.undecided = None; // by another error
    }
    Ok(())
}

/// Whether an expression outside of functions may be a macro: a name, or a call that is not plainly one of a function.
fn macro_use(tree: &Tree, id: usize) -> bool {
    if tree.kind(id) != "call_expression" {
        return matches!(tree.kind(id), "identifier" | "comma_expression") || tree.node(id).is_trivia();
    }
    let Some(name) = tree.field(id, "function").filter(|&f| tree.kind(f) == "identifier").map(|f| tree.text(f)) else { return false };
    if matches!(name, "static_assert" | "_Static_assert") {
        return true;
    }
    let capitals = !name.contains(|c: char| c.is_ascii_lowercase());
    let defined = tree.children(ROOT).any(|c| tree.kind(c) == "preproc_function_def" && tree.field(c, "name").is_some_and(|n| tree.text(n) == name));
    let names = tree.field(id, "arguments").is_some_and(|a| tree.named_children(a).all(|c| tree.kind(c) == "identifier"));
    capitals || defined || names || own_headers(tree.text)
}

/// Headers with a `/` that programs include of the standard library and POSIX. Others of `bits` belong to parts of the library.
const SYSTEM: [&str; 6] = ["<sys/", "<bits/stdc++.h>", "<ext/pb_ds/assoc_container.hpp>", "<ext/pb_ds/tree_policy.hpp>", "<arpa/inet.h>", "<netinet/in.h>"];

/// Whether headers are included that are not of the standard library; they may define any macro.
pub fn own_headers(text: &str) -> bool {
    let own = |l: &str| l.contains('"') || l.contains('/') && !SYSTEM.iter().any(|dir| l.contains(dir));
    text.lines().any(|l| l.trim_start().starts_with('#') && l.contains("include") && own(l))
}

/// Blanks out, at the errors of a tree, what may be macros of a header: words in capitals or after `__`, and calls and
/// words with a capital or `_` if `headers` are included that are not of the standard library. `None`: there is none at an error. Otherwise the text
/// without them, and their names.
pub fn without_macros(tree: &Tree, headers: bool, names: &mut Vec<String>) -> Option<String> {
    let words = words(tree.text);
    let suspect = |i: usize| {
        let word = &tree.text[words[i].0..words[i].1];
        let capitals = word.len() > 1 && word.contains(|c: char| c.is_ascii_uppercase()) && !word.contains(|c: char| c.is_ascii_lowercase());
        let own = |c: char| c.is_ascii_uppercase() || c == '_';
        let header = word.contains(own) || tree.text[words[i].1..].trim_start().starts_with('(') && !CALL_LIKE.contains(&word);
        capitals || word.starts_with("__") || headers && header
    };
    let mut bytes = Vec::from(tree.text);
    let mut found = false;
    let innermost = |&id: &usize| tree.node(id).is_error() || tree.node(id).missing || tree.node(id).faulty && !tree.children(id).any(|c| tree.node(c).faulty);
    for id in (0..tree.nodes.len()).filter(innermost) {
        let n = tree.node(id);
        let first = words.partition_point(|w| w.1 <= n.start).saturating_sub(2);
        let near = (first..words.len()).take_while(|&i| words[i].0 <= n.end.max(n.start + 1));
        for i in near.chain(around(tree.text, n.start, &words)).filter(|&i| suspect(i)) {
            let (start, end) = words[i];
            if bytes[start] == b' ' {
                continue;
            }
            found = true;
            let name = &tree.text[start..end];
            if !names.iter().any(|n| n == name) {
                names.push(name.into());
            }
            let end = arguments(tree.text, end);
            if let Some(colon) = label(tree.text, start, end) {
                bytes[start..colon].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
                bytes[colon] = b';';
                continue;
            }
            let next = tree.text[end..].trim_start();
            let value = tree.text[..start].trim_end().ends_with(|c| "=(,+-*/<>&|!?:[".contains(c)) && next.starts_with(|c| "),;]}+-*/<>=&|?:.".contains(c));
            for b in bytes[start..end].iter_mut().filter(|b| **b != b'\n') {
                *b = b' ';
            }
            if value {
                bytes[start] = b'0';
            }
        }
    }
    String::from_utf8(bytes).ok().filter(|_| found)
}

/// The colon of a macro that begins a statement and stands for `case`, as in `CASE 1:` and `CASE(1):`. `end`: that of its arguments.
fn label(text: &str, start: usize, end: usize) -> Option<usize> {
    let begins = text[..start].trim_end().is_empty() || text[..start].trim_end().ends_with(['{', '}', ';', ':']);
    let colon = end + text[end..].find(|c: char| !c.is_alphanumeric() && !" \t_'\"-,".contains(c))?;
    (begins && text[colon..].starts_with(':') && !text[colon..].starts_with("::")).then_some(colon)
}

/// Keywords before a bracket.
const CALL_LIKE: [&str; 9] = ["if", "for", "while", "switch", "return", "sizeof", "catch", "do", "else"];

/// The words of a text that are not in strings or comments.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let taken = match rest.chars().next() {
            Some('"' | '\'') => literal(text, at),
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |n| n + 2),
            Some(c) if c.is_alphanumeric() || c == '_' => {
                let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                if !c.is_ascii_digit() {
                    found.push((at, at + length));
                }
                length
            }
            c => c.map_or(1, char::len_utf8),
        };
        at += taken.max(1);
    }
    found
}

/// The words before the brackets that are open at a place, the three innermost, and before one that closes there.
fn around(text: &str, at: usize, words: &[(usize, usize)]) -> Vec<usize> {
    let (mut depth, mut found) = (0, Vec::new());
    let at = match text[..at].trim_end() {
        called if called.ends_with(')') => called.len() - 1,
        _ => at,
    };
    for (i, b) in text.as_bytes()[..at].iter().enumerate().rev().take(2000) {
        match b {
            b')' => depth += 1,
            b'(' if depth > 0 => depth -= 1,
            b'(' if found.len() < 3 => found.extend(words.binary_search_by_key(&text[..i].trim_end().len(), |w| w.1)),
            _ => {}
        }
    }
    found
}

/// The end of the arguments of a macro whose name ends here; the same place, if it has none.
fn arguments(text: &str, end: usize) -> usize {
    let open = text.len() - text[end..].trim_start_matches([' ', '\t']).len();
    let mut depth = 0;
    for (i, b) in text.as_bytes()[open..].iter().enumerate() {
        match b {
            b'(' => depth += 1,
            b')' if depth == 1 => return open + i + 1,
            b')' => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
    }
    end
}
