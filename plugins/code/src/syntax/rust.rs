//! Rust: what rustc's parser refuses and the grammar accepts.

use super::rust_places;
use super::tokens::{Quotes, Tokens};
use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Tree, ROOT};

/// Words that are not names in the editions 2021 and 2024.
const RESERVED: [&str; 48] = [
    "as", "break", "const", "continue", "else", "enum", "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move",
    "mut", "pub", "ref", "return", "static", "struct", "trait", "true", "type", "unsafe", "use", "where", "while", "abstract", "become", "final", "override",
    "async", "await", "box", "do", "dyn", "macro", "priv", "r#self", "try", "typeof", "unsized", "virtual", "yield",
];

pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    if !findings.list.is_empty() {
        return Ok(());
    }
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        // Not of 'static.
        let name = matches!(n.kind, "identifier" | "type_identifier" | "field_identifier") && !matches!(tree.kind(n.parent), "lifetime" | "label");
        if name && RESERVED.contains(&tree.text(id)) && !macro_tokens(tree, id) {
            findings.add("reserved", n.start, n.end, format!("{} is a reserved word", tree.text(id)));
        }
        if !macro_tokens(tree, id) {
            rust_places::node(tree, id, findings);
        }
        match n.kind {
            "parameters" if matches!(tree.kind(n.parent), "function_item" | "function_signature_item") => parameters(tree, id, findings),
            "function_modifiers" => modifiers(tree, id, findings),
            "identifier" | "type_identifier" | "field_identifier" if tree.text(id) == "_" && named(tree, id) => findings.add("reserved", n.start, n.end, "_ is not a name"),
            "identifier" if tree.kind(n.parent) == "label" && (tree.text(id) == "_" || RESERVED.contains(&tree.text(id))) => findings.add("reserved", n.start, n.end, "a label has a name"),
            "string_literal" | "char_literal" | "#" if tree.text(id).starts_with(['"', '\'', '#']) && prefixed(&tree.text[..n.start]) => {
                findings.add("literal", n.start, n.end, "this prefix of a literal is reserved");
            }
            "binary_expression" if compares(tree, id) => {
                if let Some(m) = tree.named_children(id).find(|&c| compares(tree, c)).map(|c| tree.node(c)) {
                    findings.add("comparison", m.start, m.end, "comparisons are not chained: put parentheses around one");
                }
            }
            "struct_item" | "enum_item" | "union_item" | "trait_item" | "impl_item" | "mod_item" | "use_declaration" if n.parent != ROOT && matches!(tree.kind(tree.node(n.parent).parent), "impl_item" | "trait_item" | "foreign_mod_item") => {
                findings.add("item", n.start, n.end, "this item does not stand here");
            }
            "gen_block" | "try_block" | "yield_expression" => findings.add("unstable", n.start, n.end, "this expression is not stable"),
            "'" if !tree.text[n.end..].starts_with(|c: char| c.is_alphabetic() || c == '_') => findings.add("literal", n.start, n.end, "a character literal needs a second '"),
            // The grammar takes anything for what separates repetitions.
            "token_repetition" | "token_repetition_pattern" => {
                let end = tree.children(id).filter(|&c| tree.kind(c) == ")").last().map_or(n.end, |c| tree.node(c).end);
                if tree.text[end..n.end].contains(['(', ')', '[', ']', '{', '}']) {
                    findings.add("macro", end, n.end, "a bracket separates no repetitions");
                }
            }
            "," if id > 0 && tree.kind(id - 1) == "(" && tree.node(id - 1).parent == n.parent && !macro_tokens(tree, id) => findings.add("comma", n.start, n.end, "expected a value or a pattern, found ,"),
            "..." if tree.kind(n.parent) == "range_expression" => findings.add("range", n.start, n.end, "... is not an operator: use .. or ..="),
            "attribute_item" => {
                let end = tree.node(n.parent).last;
                let next = (n.last..end).find(|&c| !tree.node(c).is_trivia() && tree.node(c).parent == n.parent);
                if next.is_none_or(|c| matches!(tree.kind(c), "}" | ")" | "]")) && !macro_tokens(tree, id) {
                    findings.add("item", n.start, n.end, "expected an item after an attribute");
                }
            }
            _ => {}
        }
        if n.parent != ROOT {
            continue;
        }
        let call = |id| tree.named_children(id).next().is_some_and(|c| tree.kind(c) == "macro_invocation");
        match n.kind {
            "empty_statement" => findings.add("item", n.start, n.end, "expected an item, found ;"),
            "let_declaration" => findings.add("item", n.start, n.end, "let outside of a function"),
            "expression_statement" if !call(id) => findings.add("item", n.start, n.end, "expected an item"),
            "macro_invocation" if !tree.text(id).ends_with('}') => findings.add("item", n.end, n.end, "expected ; after a macro"),
            _ => {}
        }
    }
    Ok(())
}

/// Leaves out what the grammar does not know: `unsafe extern "C" {` of edition 2024, the `safe` of its items, and lists of types
/// that are empty. `None`: there is nothing of it.
pub fn blocks(text: &str) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    for (at, word) in text.match_indices("unsafe extern") {
        let rest = text[at + word.len()..].trim_start();
        let rest = rest.strip_prefix('"').and_then(|r| r.split_once('"')).map_or(rest, |(_, after)| after.trim_start());
        if rest.starts_with('{') {
            bytes[at..at + "unsafe".len()].fill(b' ');
        }
    }
    for (at, _) in text.match_indices("safe fn ").chain(text.match_indices("safe static ")) {
        if text[..at].ends_with([' ', '\t', '\n']) {
            bytes[at..at + "safe".len()].fill(b' ');
        }
    }
    // White space that the grammar does not know.
    for (at, c) in text.match_indices(['\u{85}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}']) {
        if !text[..at].ends_with('\'') {
            bytes[at..at + c.len()].fill(b' ');
        }
    }
    // Empty lists of types.
    for (at, _) in text.match_indices("<>") {
        let before = text[..at].strip_suffix("::").unwrap_or(&text[..at]);
        if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '>')) {
            bytes[before.len()..at + 2].fill(b' ');
        }
    }
    let other = String::from_utf8(bytes).ok()?;
    let mut tokens = Tokens::of(&other, Quotes::Lifetimes);
    rust_places::known(&mut tokens);
    tokens.changed().or(Some(other)).filter(|other| other != text)
}

/// Whether a text ends with a word that is no lifetime.
fn prefixed(before: &str) -> bool {
    let word = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    !word.ends_with('\'') && before[word.len()..].starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// A parameter has a name and a type.
fn parameters(tree: &Tree, id: usize, findings: &mut Findings) {
    let known = |c: usize| matches!(tree.kind(c), "parameter" | "self_parameter" | "variadic_parameter" | "attribute_item") || tree.node(c).is_trivia();
    findings.at(tree, tree.children(id).find(|&c| if tree.node(c).named { !known(c) } else { tree.kind(c) == "_" }), "parameter", "a parameter needs a name and a type");
}

/// Whether a node compares two values.
fn compares(tree: &Tree, id: usize) -> bool {
    tree.kind(id) == "binary_expression" && tree.field(id, "operator").is_some_and(|o| matches!(tree.kind(o), "<" | ">" | "<=" | ">=" | "==" | "!="))
}

/// Each modifier stands once, in its order.
fn modifiers(tree: &Tree, id: usize, findings: &mut Findings) {
    let words: Vec<_> = tree.children(id).filter(|&c| !tree.node(c).is_trivia()).collect();
    for (i, &c) in words.iter().enumerate() {
        if words[..i].iter().any(|&b| tree.text(b) == tree.text(c)) {
            findings.at(tree, c, "modifier", format!("{} is repeated", tree.text(c)));
        }
        let place = |c| ["default", "const", "async", "unsafe", "extern"].iter().position(|m| tree.text(c).starts_with(m));
        if i > 0 && place(c).is_some_and(|p| place(words[i - 1]).is_some_and(|before| p < before)) {
            findings.at(tree, c, "modifier", format!("{} stands before the other modifiers", tree.text(c)));
        }
    }
}

/// Whether an identifier stands where `_` is no wildcard: the name of an item, and a part of a path.
fn named(tree: &Tree, id: usize) -> bool {
    let n = tree.node(id);
    match tree.kind(n.parent) {
        "function_item" | "function_signature_item" | "struct_item" | "enum_item" | "union_item" | "trait_item" | "mod_item" | "static_item" | "type_item" | "associated_type" | "enum_variant" | "macro_definition"
        | "type_parameter" | "const_parameter" | "field_declaration" | "field_pattern" => n.field == "name",
        "scoped_identifier" | "scoped_type_identifier" | "use_declaration" | "use_list" | "scoped_use_list" => true,
        "use_as_clause" => n.field == "path",
        _ => matches!(n.field, "macro" | "field"),
    }
}

/// Whether a token is one of a macro, which may be any word. The value of an attribute is an expression.
fn macro_tokens(tree: &Tree, id: usize) -> bool {
    let (mut down, mut up) = (id, tree.node(id).parent);
    while up != ROOT {
        match tree.kind(up) {
            "token_tree" | "token_tree_pattern" | "macro_rule" | "token_repetition" | "token_repetition_pattern" => return true,
            "attribute" if tree.node(down).field != "value" => return true,
            _ => (down, up) = (up, tree.node(up).parent),
        }
    }
    false
}
