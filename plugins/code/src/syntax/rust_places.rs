//! Rust: literals, patterns, conditions and comments that rustc's parser refuses.

use super::tokens::{is_number, is_word, Tokens};
use crate::finding::Findings;
use rubric_host_tree::{Id, Tree, ROOT};

/// Adds what is wrong with a node and depends on its place.
pub fn node(tree: &Tree, id: Id, findings: &mut Findings) {
    let n = tree.node(id);
    let parent = tree.kind(n.parent);
    let error = match n.kind {
        "binary_expression" => binary(tree, id),
        "macro_invocation" if parent == "block" && !tree.text(id).ends_with('}') && !ends_block(tree, id) => Some(("statement", "expected ; after a macro")),
        "range_expression" | "assignment_expression" if is_range(tree, id) && operand(tree, id) => Some(("range", "a range needs parentheses here")),
        "let_declaration" if tree.child(id, "mutable_specifier").is_some() && tree.field(id, "pattern").is_some_and(|p| matches!(tree.kind(p), "tuple_pattern" | "tuple_struct_pattern" | "struct_pattern" | "slice_pattern" | "reference_pattern")) => Some(("modifier", "mut stands before each name of a pattern")),
        "inner_attribute_item" if !leads(tree, id) && !(parent == "match_arm" && leads(tree, n.parent)) => Some(("item", "an inner attribute stands at the beginning of what it belongs to")),
        "const_item" if tree.kind(tree.node(n.parent).parent) == "foreign_mod_item" => Some(("item", "this item does not stand here")),
        "let_declaration" if parent == "declaration_list" => Some(("item", "let outside of a function")),
        "let_declaration" => declaration(tree, id),
        "const_block" if parent.ends_with("pattern") => Some(("pattern", "a const block is not a pattern")),
        "remaining_field_pattern" | "base_field_initializer" if matches!(parent, "struct_pattern" | "field_initializer_list") && follows_comma(tree, id) => Some(("comma", ".. is the last field, without a comma")),
        "or_pattern" if parent == "or_pattern" && n.start > tree.node(n.parent).start => Some(("pattern", "alternatives are separated by a single |")),
        "mut_pattern" if tree.named_children(n.parent).any(|c| tree.kind(c) == "mutable_specifier") => Some(("modifier", "mut is repeated")),
        "generic_function" if parent != "call_expression" && tree.field(id, "function").is_some_and(|f| tree.kind(f) == "field_expression") => Some(("type", "a field has no generic arguments")),
        "char_literal" if n.is_leaf(id) && tree.text(id).contains('\\') => escape(tree, id),
        "char_literal" if tree.text(id).contains(['\n', '\t', '\r']) => Some(("literal", "this character needs an escape")),
        "char_literal" if tree.text(id).starts_with('b') && !tree.text(id).is_ascii() => Some(("literal", "a byte is an ASCII character")),
        "char_literal" if tree.text(id) == "''" => Some(("literal", "a character literal has one character")),
        "escape_sequence" => escape(tree, id),
        "string_content" if tree.text(n.parent).starts_with('b') && !tree.text(id).is_ascii() => Some(("literal", "a byte string has ASCII characters only")),
        "reference_type" if parent == "bounded_type" && tree.children(n.parent).next() == Some(id) => Some(("type", "+ in this type needs parentheses")),
        "self_parameter" if tree.children(n.parent).any(|c| c < id && tree.node(c).named && !tree.node(c).is_trivia() && tree.kind(c) != "attribute_item") => Some(("parameter", "self is the first parameter")),
        "outer_doc_comment_marker" if documents_nothing(tree, n.parent) => Some(("comment", "a documentation comment needs an item after it")),
        "inner_doc_comment_marker" if !leads(tree, n.parent) => Some(("comment", "an inner documentation comment stands at the beginning of what it documents")),
        _ => None,
    };
    if let Some((rule, message)) = error {
        findings.add(rule, n.start, n.end, message);
    }
}

/// Conditions with `let`, casts before <, and statements that begin with a block.
fn binary(tree: &Tree, id: Id) -> Option<(&'static str, &'static str)> {
    let n = tree.node(id);
    let (operator, left) = (tree.field(id, "operator")?, tree.field(id, "left")?);
    let operator = tree.kind(operator);
    let lets = |c: Id| matches!(tree.kind(c), "let_condition" | "let_chain");
    let minus = || tree.field(id, "right").is_some_and(|r| tree.text(r).starts_with('-') && tree.text[..tree.node(r).start].ends_with('<'));
    if operator == "<" && minus() {
        return Some(("operator", "unexpected <-"));
    }
    if operator == "||" && (lets(n.parent) && n.start > tree.node(n.parent).start || tree.named_children(id).any(lets)) {
        return Some(("condition", "|| is not supported in conditions with let"));
    }
    if matches!(operator, "<" | "<<") && casts(tree, left) {
        return Some(("comparison", "a type before < needs parentheses around the cast"));
    }
    // A statement that begins with a block ends with it; some operators then begin another statement.
    let statement = matches!(tree.kind(n.parent), "expression_statement" | "block");
    if statement && !matches!(operator, "-" | "*" | "&" | "&&" | "|" | "||") && is_block(tree, left) {
        return Some(("statement", "a block that begins a statement ends it: put parentheses around the expression"));
    }
    None
}

/// Whether an expression is a range. The grammar takes `..=b` for an assignment to `..`.
fn is_range(tree: &Tree, id: Id) -> bool {
    tree.kind(id) == "range_expression" || inclusive(tree, id)
}

fn inclusive(tree: &Tree, id: Id) -> bool {
    tree.kind(id) == "assignment_expression" && tree.text(id).starts_with("..=") && tree.field(id, "left").is_some_and(|l| tree.text(l) == "..")
}

/// Whether a range stands where only parentheses allow it: before `..` and assignments, and behind `..=`.
fn operand(tree: &Tree, id: Id) -> bool {
    let n = tree.node(id);
    let first = n.start == tree.node(n.parent).start;
    match tree.kind(n.parent) {
        "assignment_expression" if inclusive(tree, n.parent) => !first && !tree.text(id).starts_with(".."),
        "range_expression" => first && !tree.text(id).ends_with(".."), // `a.. ..b` is a range to a range
        "assignment_expression" | "compound_assignment_expr" => first,
        _ => false,
    }
}

/// Whether an expression ends with a cast to a path, which would take a < for itself.
fn casts(tree: &Tree, id: Id) -> bool {
    match tree.kind(id) {
        "type_cast_expression" => tree.field(id, "type").is_some_and(|t| matches!(tree.kind(t), "primitive_type" | "type_identifier" | "scoped_type_identifier")),
        "binary_expression" => tree.field(id, "right").is_some_and(|r| casts(tree, r)),
        _ => false,
    }
}

fn is_block(tree: &Tree, id: Id) -> bool {
    match tree.kind(id) {
        "if_expression" | "match_expression" | "block" | "unsafe_block" | "loop_expression" | "while_expression" | "for_expression" => true,
        "binary_expression" => tree.field(id, "left").is_some_and(|l| is_block(tree, l)),
        _ => false,
    }
}

/// The pattern of `let`, and its value before `else`.
fn declaration(tree: &Tree, id: Id) -> Option<(&'static str, &'static str)> {
    if tree.field(id, "pattern").is_some_and(|p| tree.kind(p) == "or_pattern") {
        return Some(("pattern", "alternatives of let need parentheses"));
    }
    tree.field(id, "alternative")?;
    let Some(value) = tree.field(id, "value") else { return Some(("declaration", "let needs a value before else")) };
    let lazy = tree.kind(value) == "binary_expression" && tree.field(value, "operator").is_some_and(|o| matches!(tree.kind(o), "&&" | "||"));
    let brace = tree.text(value).ends_with('}') && tree.kind(value) != "macro_invocation";
    (lazy || brace).then_some(("condition", "a value with && or || or a } before else needs parentheses"))
}

fn follows_comma(tree: &Tree, id: Id) -> bool {
    let n = tree.node(id);
    let end = tree.node(n.parent).last;
    (n.last..end).find(|&c| tree.node(c).parent == n.parent && !tree.node(c).is_trivia()).is_some_and(|c| tree.kind(c) == ",")
}

fn escape(tree: &Tree, id: Id) -> Option<(&'static str, &'static str)> {
    let character = tree.kind(id) == "char_literal";
    let literal = if character { id } else { tree.node(id).parent };
    let mut text = tree.text(id);
    if character {
        text = text.strip_prefix('b').unwrap_or(text);
        text = text.get(1..text.len() - 1).unwrap_or(text);
    }
    let (bytes, c) = (tree.text(literal).starts_with('b'), tree.text(literal).starts_with('c'));
    let good = match text.as_bytes().get(1) {
        Some(b'0') if c => false, // what ends a C string
        Some(b'n' | b'r' | b't' | b'\\' | b'0' | b'\'' | b'"' | b'\n' | b'\r') => true,
        Some(b'x') => u8::from_str_radix(&text[2..], 16).is_ok_and(|v| v < 0x80 || bytes || c),
        Some(b'u') => {
            let digits = text[2..].trim_matches(['{', '}']).replace('_', "");
            !bytes && text[2..].starts_with('{') && u32::from_str_radix(&digits, 16).is_ok_and(|v| char::from_u32(v).is_some())
        }
        _ => false,
    };
    (!good).then_some(("literal", "unknown escape"))
}

/// Whether an expression is the last one of its block.
fn ends_block(tree: &Tree, id: Id) -> bool {
    let n = tree.node(id);
    let next = (n.last..tree.node(n.parent).last).find(|&c| tree.node(c).parent == n.parent && !tree.node(c).is_trivia());
    next.is_none_or(|c| tree.kind(c) == "}")
}

/// Whether nothing comes after a comment in what it stands in.
fn documents_nothing(tree: &Tree, comment: Id) -> bool {
    let n = tree.node(comment);
    let end = if n.parent == ROOT { tree.nodes.len() } else { tree.node(n.parent).last };
    let next = (n.last..end).find(|&c| tree.node(c).parent == n.parent && !tree.node(c).is_trivia() && tree.kind(c) != "attribute_item");
    next.is_none_or(|c| tree.kind(c) == "}")
}

/// Whether only comments and attributes come before a comment in what it stands in.
fn leads(tree: &Tree, comment: Id) -> bool {
    let parent = tree.node(comment).parent;
    let mut before = comment;
    loop {
        let mut sibling = before - 1;
        while sibling != parent && tree.node(sibling).parent != parent {
            sibling = tree.node(sibling).parent;
        }
        // What is of this kind is looked at itself.
        if sibling == parent || matches!(tree.kind(sibling), "{" | "inner_attribute_item" | "shebang") || tree.text(sibling).starts_with("//!") || tree.text(sibling).starts_with("/*!") {
            return true;
        }
        if !tree.node(sibling).is_trivia() {
            return false;
        }
        before = sibling;
    }
}

/// Puts what the grammar knows for `..` where a value of a struct is taken apart, `A::<B>` as a type, negative constants as arguments, `raw` as a name after `&`, and attributes of parameters, and of fields in literals and patterns.
pub fn known(t: &mut Tokens) {
    const MOST_PARAMETERS: usize = 200; // in tokens
    for i in 0..t.len() {
        match t.at(i) {
            "(" if t.starts(i, &["(", ")", ":"]) && matches!(t.before(i, 1), "where" | ",") => {
                t.put(i, "T"); // `where (): A`
                t.blank(i + 1, i + 1);
            }
            "fn" if t.before(i, 1) == "where" && t.at(i + 1) == "(" => { // `where fn(i32) -> B: A`
                let end = t.close(i + 1).map_or(t.len(), |end| end + 1);
                let result = t.starts(end, &["-", ">"]);
                if let Some(colon) = t.find(end, &[":", "{"]).filter(|&c| t.at(c) == ":" && if result { c > end + 2 } else { c == end }) {
                    t.put(i, "T");
                    t.blank(i + 1, colon - 1);
                }
            }
            "where" if t.at(i + 1) != "{" => { // `struct A where B: C;`
                let end = t.find(i, &["{", ";"]).filter(|&end| t.at(end) == ";");
                let name = if t.before(i, 1) == ">" { (2..MOST_PARAMETERS).find(|&n| t.before(i, n) == "<").map_or(0, |n| n + 1) } else { 1 };
                if let Some(end) = end.filter(|_| name > 0 && t.before(i, name + 1) == "struct") {
                    t.blank(i, end - 1);
                }
            }
            "raw" if t.before(i, 1) == "&" && !matches!(t.at(i + 1), "const" | "mut") => t.put(i, "ra_"),
            first @ ("(" | "," | "{") => {
                let mut at = i + 1;
                while let Some(end) = Some(at).filter(|&at| t.starts(at, &["#", "["])).and_then(|at| t.close(at + 1)) {
                    if (at..end).any(|i| matches!(t.at(i), "(" | "[" | "{") && t.close(i).is_none()) {
                        break;
                    }
                    at = end + 1; // there may be several
                }
                let field = is_word(t.at(at)) && t.at(at + 1) == ":" && t.at(at + 2) != ":";
                if at > i + 1 && (first != "{" || field) {
                    t.blank(i + 1, at - 1);
                }
            }
            "." if t.starts(i, &[".", ".", "}", "="]) && !matches!(t.at(i + 4), "=" | ">") => t.blank(i, i + 1),
            "-" if matches!(t.before(i, 1), "<" | ",") && is_number(t.at(i + 1)) && matches!(t.at(i + 2), ">" | ",") => t.blank(i, i),
            ":" if i > 0 && t.starts(i, &[":", ":", "<"]) && is_word(t.before(i, 1)) => {
                let mut first = i - 1;
                while first > 2 && t.starts(first - 2, &[":", ":"]) && is_word(t.at(first - 3)) {
                    first -= 3;
                }
                let annotated = t.before(first, 1) == "=" && t.before(first, 3) == "type" || t.before(first, 1) == ":" && t.before(first, 2) != ":" || t.before(first, 1) == ">" && t.before(first, 2) == "-";
                // In a literal of a struct `x: A::<B>::new()` is a call.
                if annotated && t.at(path_end(t, i)) != "(" {
                    t.blank(i, i + 1);
                }
            }
            _ => {}
        }
    }
}

/// Longest list of types in a path, in tokens.
const MOST_ARGUMENTS: usize = 500;

/// The token behind a path that goes on with `::`.
fn path_end(t: &Tokens, from: usize) -> usize {
    let (mut i, mut depth) = (from, 0usize);
    while i < from + MOST_ARGUMENTS {
        match t.at(i) {
            ":" if depth == 0 && t.at(i + 1) == ":" => i += usize::from(t.at(i + 2) != "<") + 1,
            "<" => depth += 1,
            ">" if depth > 0 && t.before(i, 1) != "-" => depth -= 1,
            _ if depth > 0 => {}
            _ => break,
        }
        i += 1;
    }
    i
}
