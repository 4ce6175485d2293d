//! TypeScript: what its parser and the grammar checks of its checker refuse, and what the grammar does not know.

use super::tokens::{is_word, Quotes, Tokens};
use crate::finding::Findings;
use rubric_host_tree::{Id, Tree};

/// Adds what is wrong with a node and depends on its place.
pub fn node(tree: &Tree, id: Id, findings: &mut Findings) {
    let n = tree.node(id);
    let parent = tree.kind(n.parent);
    let error = match n.kind {
        "enum_declaration" | "type_alias_declaration" if parent == "export_statement" && tree.child(n.parent, "default").is_some() => Some(("export", "a default export cannot be an enum or a type alias")),
        "accessibility_modifier" if matches!(tree.kind(tree.node(n.parent).parent), "interface_body" | "object_type") => Some(("modifier", "a member of a type has no such modifier")),
        "extends_clause" if tree.child(id, ",").is_some() => Some(("class", "a class extends a single class")),
        "optional_parameter" if tree.field(id, "value").is_some() => Some(("parameter", "a parameter has either ? or a value")),
        "optional_parameter" if tree.field(id, "pattern").is_some_and(|p| tree.kind(p) == "rest_pattern") => Some(("parameter", "a rest parameter cannot be optional")),
        "mapped_type_clause" if tree.named_children(tree.node(n.parent).parent).filter(|&c| !tree.node(c).is_trivia()).count() > 1 => Some(("type", "a mapped type has no other members")),
        "import_clause" if tree.child(n.parent, "type").is_some() && tree.child(id, ",").is_some() => Some(("import", "import type has either a default import or a list")),
        "unary_expression" if parent == "literal_type" && tree.text(id).starts_with('+') => Some(("type", "expected a type")),
        "call_expression" if parent == "type_query" && !tree.text(id).starts_with("import") => Some(("type", "typeof stands before a name")),
        "infer_type" if !tree.above(id).any(|a| tree.kind(a) == "conditional_type") => Some(("type", "infer stands behind the extends of a conditional type")),
        "instantiation_expression" if parent == "member_expression" && n.field == "object" => Some(("type", "a list of types cannot stand before a member")),
        "function_declaration" if parent == "ambient_declaration" && tree.field(id, "body").is_some() => Some(("declaration", "what is declared has no body")),
        "const" if parent == "as_expression" && tree.named_children(n.parent).next().is_some_and(|v| matches!(tree.kind(v), "identifier" | "call_expression" | "binary_expression" | "new_expression")) => Some(("const", "as const stands behind literals")),
        "tuple_type" => required(tree, id),
        "module" | "internal_module" if parent != "ambient_declaration" && n.named && tree.field(id, "name").is_some_and(|m| tree.kind(m) == "string") => Some(("module", "a namespace has a name without quotes")),
        _ => None,
    };
    if let Some((rule, message)) = error {
        findings.add(rule, n.start, n.end, message);
    }
}

/// Elements of a tuple without ? stand before those with it.
fn required(tree: &Tree, id: Id) -> Option<(&'static str, &'static str)> {
    let elements: Vec<Id> = tree.named_children(id).filter(|&c| !tree.node(c).is_trivia()).collect();
    let optional = |&c: &Id| matches!(tree.kind(c), "optional_type" | "optional_parameter");
    let first = elements.iter().position(optional)?;
    elements[first..].iter().any(|c| !optional(c) && !tree.text(*c).starts_with("...")).then_some(("type", "a required element follows an optional one"))
}

/// Puts what the grammar knows for `export type *`, static index signatures, static accessors, and `using` in loops.
pub fn known(text: &str) -> Option<String> {
    let mut t = Tokens::of(text, Quotes::Plain);
    for i in 0..t.len() {
        let (before, next) = (t.before(i, 1), t.at(i + 1));
        match t.at(i) {
            "type" if before == "export" && next == "*" => t.blank(i, i),
            "static" if next == "[" && is_word(t.at(i + 2)) && t.at(i + 3) == ":" => t.blank(i, i),
            "static" if next == "readonly" && t.at(i + 2) == "[" && is_word(t.at(i + 3)) && t.at(i + 4) == ":" => t.blank(i, i),
            "accessor" if (is_word(next) || matches!(next, "#" | "[")) && (matches!(before, ";" | "{" | "}" | ")") || is_word(before)) => t.blank(i, i),
            "using" if before == "(" && is_word(next) && t.at(i + 2) == "of" => t.put(i, "const"),
            "using" if before == "await" && is_word(next) => {
                t.blank(i - 1, i - 1);
                t.put(i, "const");
            }
            _ => {}
        }
    }
    t.changed()
}
