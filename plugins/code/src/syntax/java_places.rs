//! Java: names, modifiers, literals and patterns that javac's parser refuses where they stand.

use super::tokens::{is_word, Quotes, Tokens};
use crate::finding::Findings;
use rubric_host_tree::{Id, Tree, ROOT};

/// Adds what is wrong with a node and depends on its place.
pub fn node(tree: &Tree, id: Id, findings: &mut Findings) {
    let n = tree.node(id);
    let parent = tree.kind(n.parent);
    let error = match n.kind {
        "package_declaration" if tree.children(ROOT).any(|c| c < id && tree.node(c).named && !tree.node(c).is_trivia()) => Some(("package", "the package comes before imports and types")),
        "compact_constructor_declaration" if !of_record(tree, id) => Some(("declaration", "a constructor without parameters in brackets belongs to a record of its name")),
        "underscore_pattern" if parent == "variable_declarator" && tree.kind(tree.node(n.parent).parent) != "local_variable_declaration" => Some(("reserved", "_ is not a name for a field")),
        "underscore_pattern" if parent == "formal_parameter" && tree.kind(tree.node(tree.node(n.parent).parent).parent) != "lambda_expression" => Some(("reserved", "_ is not a name for a parameter of a method")),
        "identifier" if n.field == "name" && is_type(parent) && matches!(tree.text(id), "var" | "record" | "yield" | "sealed" | "permits" | "_") => Some(("reserved", "a type cannot have this name")),
        "variable_declarator" if parent == "local_variable_declaration" && typed(tree, n.parent, "var") => array(tree, id),
        "formal_parameters" if parent == "lambda_expression" && mixed(tree, id) => Some(("parameters", "var stands for the types of all parameters or of none")),
        "switch_label" if tree.child(id, "case").is_some() && default_alone(tree, id) => Some(("case", "default follows null in a case")),
        "escape_sequence" if !known_escape(tree.text(id)) => Some(("literal", "unknown escape")),
        "string_literal" if tree.text(id).starts_with("\"\"\"") && unknown_escape(tree.text(id)) => Some(("literal", "unknown escape")),
        "string_literal" if !tree.text(id).starts_with("\"\"\"") && tree.text(id).contains('\n') => Some(("literal", "a string ends on its line")),
        "string_literal" if opens_on_its_line(tree.text(id)) => Some(("literal", "a text block begins with a line break")),
        "method_invocation" if tree.field(id, "object").is_none() && tree.field(id, "name").is_some_and(|m| tree.text(m) == "yield") => Some(("reserved", "a method yield needs a value or a type before it")),
        "underscore_pattern" if parent == "variable_declarator" && tree.field(n.parent, "value").is_none() => Some(("declaration", "_ needs a value")),
        "permits" if n.named && !modified(tree, n.parent, &["sealed"]) => Some(("modifier", "permits belongs to a sealed type")),
        "record_declaration" | "enum_declaration" if modified(tree, id, &["sealed", "non-sealed"]) => Some(("modifier", "records and enums are not sealed")),
        "formal_parameter" if tree.kind(tree.node(n.parent).parent) == "record_declaration" && modified(tree, id, &["final"]) => Some(("modifier", "a component of a record has no modifiers")),
        "template_expression" => Some(("literal", "string templates are not part of Java 25")),
        _ => None,
    };
    if let Some((rule, message)) = error {
        findings.add(rule, n.start, n.end, message);
    }
    if n.kind == "modifiers" && is_type(parent) && matches!(tree.kind(tree.node(n.parent).parent), "block" | "constructor_body" | "switch_block_statement_group") {
        if let Some(m) = tree.children(id).find(|&c| matches!(tree.text(c), "static" | "public" | "private" | "protected" | "sealed" | "non-sealed")) {
            findings.at(tree, m, "modifier", format!("a local type cannot be {}", tree.text(m)));
        }
    }
}

fn is_type(kind: &str) -> bool {
    matches!(kind, "class_declaration" | "interface_declaration" | "enum_declaration" | "record_declaration" | "annotation_type_declaration")
}

fn modified(tree: &Tree, id: Id, words: &[&str]) -> bool {
    tree.child(id, "modifiers").is_some_and(|m| tree.children(m).any(|c| words.contains(&tree.text(c))))
}

fn of_record(tree: &Tree, id: Id) -> bool {
    let record = tree.node(tree.node(id).parent).parent;
    let name = |id| tree.field(id, "name").map(|n| tree.text(n));
    tree.kind(record) == "record_declaration" && name(record) == name(id)
}

fn typed(tree: &Tree, id: Id, name: &str) -> bool {
    tree.field(id, "type").is_some_and(|t| tree.text(t) == name)
}

fn array(tree: &Tree, id: Id) -> Option<(&'static str, &'static str)> {
    let list = tree.field(id, "value").is_some_and(|v| tree.kind(v) == "array_initializer");
    (list || tree.field(id, "dimensions").is_some()).then_some(("declaration", "var cannot declare an array this way"))
}

fn mixed(tree: &Tree, id: Id) -> bool {
    let parameters = || tree.named_children(id).filter(|&c| tree.kind(c) == "formal_parameter");
    let inferred = parameters().filter(|&c| typed(tree, c, "var")).count();
    inferred > 0 && inferred < parameters().count()
}

fn default_alone(tree: &Tree, id: Id) -> bool {
    let values: Vec<Id> = tree.elements(id).collect();
    let default = values.iter().position(|&c| tree.text(c) == "default");
    default.is_some_and(|at| at != 1 || tree.kind(values[0]) != "null_literal" || values.len() > 2)
}

fn known_escape(text: &str) -> bool {
    matches!(text.as_bytes().get(1), Some(b'b' | b't' | b'n' | b'f' | b'r' | b's' | b'"' | b'\'' | b'\\' | b'0'..=b'7' | b'u' | b'\n' | b'\r') | None)
}

/// Whether a text block has an escape that Java does not know, for which the grammar has no node.
fn unknown_escape(block: &str) -> bool {
    let mut rest = block;
    while let Some(at) = rest.find('\\') {
        if !known_escape(&rest[at..]) {
            return true;
        }
        rest = rest[at + 1..].get(1..).unwrap_or("");
    }
    false
}

fn opens_on_its_line(text: &str) -> bool {
    text.strip_prefix("\"\"\"").is_some_and(|rest| !rest.trim_start_matches([' ', '\t', '\u{c}']).starts_with(['\n', '\r']))
}

/// Puts what the grammar knows for imports of modules, several patterns in a case, `final` in patterns, statements before `super()`,
/// hexadecimal numbers with an exponent, and escapes in names.
pub fn known(text: &str) -> Option<String> {
    let plain = unescaped(text);
    let text = plain.as_deref().unwrap_or(text);
    let mut t = Tokens::of(text, Quotes::Plain);
    for i in 0..t.len() {
        match t.at(i) {
            "module" if t.before(i, 1) == "import" && is_word(t.at(i + 1)) => t.blank(i, i),
            "super" | "this" if t.at(i + 1) == "(" && matches!(t.before(i, 1), ";" | "}") => t.put(i, if t.at(i) == "super" { "x____" } else { "x___" }),
            number if number.starts_with("0x") && number.contains(['p', 'P']) => t.put(i, "0"),
            "case" => {
                if t.at(i + 1) == "final" {
                    t.blank(i + 1, i + 1);
                }
                patterns(&mut t, i + 1);
            }
            _ => {}
        }
    }
    t.changed().or(plain)
}

/// Leaves out all patterns of a case but the first, if they bind no names.
fn patterns(t: &mut Tokens, from: usize) {
    let arrow = (from..t.len()).find(|&i| t.at(i) == ":" || t.starts(i, &["-", ">"]));
    let Some(arrow) = arrow else { return };
    let end = (from..arrow).find(|&i| t.at(i) == "when").unwrap_or(arrow);
    let binds = (from..end.saturating_sub(1)).any(|i| is_word(t.at(i)) && is_word(t.at(i + 1)) && t.at(i + 1) != "_");
    let pattern = (from..end).any(|i| t.at(i) == "_");
    if let Some(comma) = t.find(from, &[","]).filter(|&c| c < end && !binds && pattern) {
        t.blank(comma, end - 1);
    }
}

/// Puts letters for the escapes `\u0061` of letters.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    for (at, _) in text.match_indices("\\u") {
        let letter = text.get(at + 2..at + 6).and_then(|d| u32::from_str_radix(d, 16).ok()).and_then(char::from_u32);
        if letter.is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '$')) {
            bytes[at..at + 6].copy_from_slice(b"x_____");
        }
    }
    String::from_utf8(bytes).ok().filter(|other| other != text)
}
