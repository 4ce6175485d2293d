//! TypeScript: what its parser and the grammar checks of its checker refuse, and what the grammar does not know.

use super::javascript::is_function;
use super::javascript_early;
use super::tokens::{is_word, Quotes, Tokens};
use crate::finding::Findings;
use rubric_host_tree::{Id, Tree};
use std::borrow::Cow;
use std::collections::HashSet;

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
        "mapped_type_clause" if tree.elements(tree.node(n.parent).parent).count() > 1 => Some(("type", "a mapped type has no other members")),
        "import_clause" if tree.child(n.parent, "type").is_some() && tree.child(id, ",").is_some() => Some(("import", "import type has either a default import or a list")),
        "unary_expression" if parent == "literal_type" && tree.text(id).starts_with('+') => Some(("type", "expected a type")),
        "call_expression" if parent == "type_query" && !tree.text(id).starts_with("import") => Some(("type", "typeof stands before a name")),
        "infer_type" if !tree.above(id).any(|a| tree.kind(a) == "conditional_type") => Some(("type", "infer stands behind the extends of a conditional type")),
        "instantiation_expression" if parent == "member_expression" && n.field == "object" => Some(("type", "a list of types cannot stand before a member")),
        "function_declaration" if tree.field(id, "body").is_some() && ambient(tree, id) => Some(("declaration", "an ambient declaration has no body")),
        "function_signature" if tree.child(id, "async").is_some() && ambient(tree, id) => Some(("modifier", "an ambient declaration is not async")),
        "ambient_declaration" if ambient(tree, id) => Some(("modifier", "declare stands outside of ambient declarations")),
        "using_declaration" if ambient(tree, id) => Some(("declaration", "using is not ambient")),
        "import_statement" | "export_statement" if in_namespace(tree, id) => module(tree, id),
        "import_clause" if tree.child(n.parent, "typeof").is_some() => Some(("import", "import typeof is not TypeScript")),
        "{|" => Some(("type", "expected a member")),
        "flow_maybe_type" => Some(("type", "expected a type")),
        "identifier" if n.field == "pattern" && parent.ends_with("_parameter") && javascript_early::is_reserved(tree.text(id)) && !ambient(tree, id) && tree.above(id).any(|a| tree.kind(a) == "class_body") => Some(("reserved", "a word that is reserved in classes")),
        "type_arguments" if trailing(tree, id) => Some(("comma", "a list of types does not end with a comma")),
        "type_assertion" if tree.child(id, "assignment_expression").is_some() => Some(("target", "a type assertion needs parentheses here")),
        "await_expression" if in_namespace(tree, id) => Some(("await", "await outside of an async function")),
        "const" if parent == "as_expression" && tree.named_children(n.parent).next().is_some_and(|v| matches!(tree.kind(v), "identifier" | "call_expression" | "binary_expression" | "new_expression")) => Some(("const", "as const stands behind literals")),
        "tuple_type" => required(tree, id),
        "method_definition" | "abstract_method_signature" | "method_signature" => method(tree, id, parent),
        "public_field_definition" if field(tree, id).is_some() => field(tree, id),
        "public_field_definition" if tree.field(id, "value").is_some() && (tree.child(id, "abstract").is_some() || ambient(tree, id) && (tree.child(id, "readonly").is_none() || tree.field(id, "type").is_some())) => Some(("declaration", "what is abstract or declared has no value")),
        "public_field_definition" if tree.child(id, "abstract").is_some() && !in_abstract(tree, id) => Some(("modifier", "abstract members belong to an abstract class")),
        "formal_parameters" => order(tree, id),
        "function_type" | "constructor_type" if behind_operator(tree, id) => Some(("type", "a type of functions needs parentheses here")),
        "type_parameter" if tree.child(id, "const").is_some() && matches!(tree.kind(tree.node(n.parent).parent), "type_alias_declaration" | "interface_declaration") => Some(("modifier", "const stands before type parameters of functions and classes")),
        "readonly_type" if tree.named_children(id).next().is_some_and(|t| !matches!(tree.kind(first_operand(tree, t)), "array_type" | "tuple_type")) => Some(("type", "readonly stands before types of arrays and tuples")),
        "computed_property_name" if matches!(parent, "enum_body" | "enum_assignment") && tree.child(id, "string").or(tree.child(id, "number").filter(|&m| !tree.text(m).ends_with('n'))).is_none() => Some(("enum", "a member of an enum has a plain name")),
        "static" | "async" if parent.ends_with("_signature") && matches!(tree.kind(tree.node(n.parent).parent), "interface_body" | "object_type") => Some(("modifier", "a member of a type has no such modifier")),
        "rest_pattern" | "object_pattern" | "array_pattern" if parent.ends_with("_parameter") && tree.children(n.parent).any(|c| matches!(tree.kind(c), "accessibility_modifier" | "readonly" | "override_modifier")) => Some(("parameter", "a parameter with a modifier is a name")),
        "object_pattern" if n.field == "left" && tree.child(n.parent, "using").is_some() => Some(("declaration", "using declares names, not patterns")),
        "variable_declarator" if tree.child(id, "!").is_some() && (tree.field(id, "value").is_some() || tree.field(id, "type").is_none() || ambient(tree, n.parent)) => Some(("declaration", DEFINITE)),
        "variable_declarator" if tree.field(id, "value").is_none() && tree.field(id, "name").is_some_and(|p| tree.kind(p).ends_with("_pattern")) && !ambient(tree, n.parent) => Some(("declaration", "a pattern needs a value")),
        "variable_declarator" if ambient(tree, n.parent) && tree.field(id, "value").is_some() && (tree.field(id, "type").is_some() || tree.child(n.parent, "const").is_none()) => Some(("declaration", "an ambient declaration has no value")),
        "empty_statement" if parent == "if_statement" => Some(("statement", "an if needs a statement")),
        "module" | "internal_module" if parent != "ambient_declaration" && n.named && tree.field(id, "name").is_some_and(|m| tree.kind(m) == "string") => Some(("module", "a namespace has a name without quotes")),
        _ => None,
    };
    if let Some((rule, message)) = error {
        findings.add(rule, n.start, n.end, message);
    }
}

/// Whether a type stands behind a `|` or `&`. One that begins a union has it in its result, which the grammar does not know.
fn behind_operator(tree: &Tree, id: Id) -> bool {
    std::iter::once(id)
        .chain(tree.above(id))
        .take_while(|&t| is_union(tree, tree.node(t).parent))
        .any(|t| tree.children(tree.node(t).parent).take_while(|&c| c < t).any(|c| !tree.node(c).named))
}

/// The first type of a union: the grammar takes `readonly a[] | b` for `readonly (a[] | b)`.
fn first_operand(tree: &Tree, id: Id) -> Id {
    let mut at = id;
    while let Some(first) = tree.children(at).next().filter(|&c| tree.node(c).named && (is_union(tree, at) || tree.kind(at) == "conditional_type")) {
        at = first;
    }
    at
}

fn is_union(tree: &Tree, id: Id) -> bool {
    matches!(tree.kind(id), "union_type" | "intersection_type")
}

/// Constructors, accessors and abstract methods.
fn method(tree: &Tree, id: Id, parent: &str) -> Option<(&'static str, &'static str)> {
    let has = |kind| tree.child(id, kind).is_some();
    let parameters = || tree.field(id, "parameters").into_iter().flat_map(|p| tree.named_children(p)).filter(|&p| !tree.node(p).is_trivia() && tree.field(p, "pattern").is_none_or(|p| tree.kind(p) != "this"));
    let typed = tree.field(id, "return_type").is_some();
    let is_constructor = parent == "class_body" && tree.field(id, "name").is_some_and(|m| tree.text(m) == "constructor");
    if is_constructor && !has("static") && (typed || tree.field(id, "type_parameters").is_some()) {
        return Some(("constructor", "a constructor has no types but those of its parameters"));
    }
    if is_constructor && ["static", "async", "get", "set", "readonly", "override_modifier", "*", "abstract"].into_iter().any(has) {
        return Some(("modifier", "a constructor has no such modifier"));
    }
    if has("get") && parameters().next().is_some() {
        return Some(("parameter", "a get accessor has no parameters"));
    }
    if has("set") && (typed || parameters().count() != 1 || parameters().any(|p| tree.kind(p) == "optional_parameter" || tree.text(p).starts_with("..."))) {
        return Some(("parameter", "a set accessor has one parameter and no type"));
    }
    if has("readonly") {
        return Some(("modifier", "a method is not readonly"));
    }
    if (has("get") || has("set")) && tree.field(id, "type_parameters").is_some() {
        return Some(("type", "an accessor has no type parameters"));
    }
    if let Some(error) = private(tree, id) {
        return Some(error);
    }
    if has("async") && ambient(tree, id) {
        return Some(("modifier", "an ambient declaration is not async"));
    }
    if tree.kind(id) == "method_definition" && ambient(tree, id) {
        return Some(("declaration", "an ambient declaration has no body"));
    }
    if !has("abstract") {
        return None;
    }
    if tree.child(id, "accessibility_modifier").is_some_and(|m| tree.text(m) == "private") {
        return Some(("modifier", "what is private is not abstract"));
    }
    (!in_abstract(tree, id)).then_some(("modifier", "abstract members belong to an abstract class"))
}

const DEFINITE: &str = "! stands behind a name with a type and without a value, which is not ambient, static or abstract";

/// Members of an object with one name: one, two methods (for tsc an error of declarations), or a pair of accessors.
pub fn members(tree: &Tree, object: Id, findings: &mut Findings) {
    let mut seen: HashSet<(Cow<str>, &str)> = HashSet::new();
    for member in tree.named_children(object) {
        let has = |accessor| tree.child(member, accessor).is_some();
        let (name, kind) = match tree.kind(member) {
            "shorthand_property_identifier" => (Some(member), "property"),
            "pair" => (tree.field(member, "key"), "property"),
            "method_definition" => (tree.field(member, "name"), if has("get") { "get" } else if has("set") { "set" } else { "method" }),
            _ => continue,
        };
        let Some((name, text)) = name.and_then(|name| Some((name, spelling(tree, name)?))) else { continue };
        let excluded: &[&str] = match kind {
            "get" => &["get", "property", "method"],
            "set" => &["set", "property", "method"],
            "method" => &["get", "set", "property"],
            _ => &["get", "set", "property", "method"],
        };
        if excluded.iter().any(|other| seen.contains(&(text.clone(), *other))) {
            findings.at(tree, name, "member", format!("{text} is a member of the object already"));
        }
        seen.insert((text, kind));
    }
}

/// The spelling of a member's name; none if it is computed, or has escapes or a sign.
fn spelling<'t>(tree: &Tree<'t>, name: Id) -> Option<Cow<'t, str>> {
    let text = tree.text(name);
    match tree.kind(name) {
        "computed_property_name" => spelling(tree, tree.child(name, "string")?),
        "string" if text.len() > 2 && !text.contains('\\') => Some(text[1..text.len() - 1].into()),
        "number" if text == "0" || !text.starts_with('0') && text.len() < 16 && text.bytes().all(|b| b.is_ascii_digit()) => Some(text.into()),
        "property_identifier" | "shorthand_property_identifier" => javascript_early::spelled(text),
        _ => None,
    }
}

/// Names and modifiers of fields.
fn field(tree: &Tree, id: Id) -> Option<(&'static str, &'static str)> {
    let has = |kind| tree.child(id, kind).is_some();
    let name = tree.field(id, "name")?;
    let value = tree.field(id, "value").is_some();
    if tree.kind(name) != "computed_property_name" && javascript_early::spelled(tree.text(name).trim_matches(['"', '\''])).is_some_and(|n| n == "constructor") {
        return Some(("class", "a field cannot be named constructor"));
    }
    if has("!") && (value || tree.field(id, "type").is_none() || has("static") || has("abstract") || has("declare") || ambient(tree, id)) {
        return Some(("declaration", DEFINITE));
    }
    if has("declare") && value && (!has("readonly") || tree.field(id, "type").is_some()) {
        return Some(("declaration", "what is abstract or declared has no value"));
    }
    if has("accessor") && (has("readonly") || has("declare")) {
        return Some(("modifier", "an accessor field is neither readonly nor declared"));
    }
    private(tree, id)
}

/// Modifiers of private names.
fn private(tree: &Tree, id: Id) -> Option<(&'static str, &'static str)> {
    let is_private = tree.field(id, "name").is_some_and(|m| tree.kind(m) == "private_property_identifier");
    let modified = || ["accessibility_modifier", "abstract", "declare"].iter().any(|m| tree.child(id, m).is_some());
    (is_private && modified()).then_some(("modifier", "a private name has no such modifier"))
}

/// Whether a node is in a namespace, and in no function there.
fn in_namespace(tree: &Tree, id: Id) -> bool {
    let around = tree.above(id).find(|&a| is_function(tree.kind(a)) || is_namespace(tree, a) || matches!(tree.kind(a), "module" | "class_static_block"));
    around.is_some_and(|a| is_namespace(tree, a))
}

/// Whether a node is a namespace, not a module, whose name is a string.
fn is_namespace(tree: &Tree, id: Id) -> bool {
    matches!(tree.kind(id), "module" | "internal_module") && tree.field(id, "name").is_some_and(|m| tree.kind(m) != "string")
}

/// Imports and exports that belong to modules, not to namespaces.
fn module(tree: &Tree, id: Id) -> Option<(&'static str, &'static str)> {
    let has = |kind| tree.child(id, kind).is_some();
    let other = tree.field(id, "source").is_some() || has("import_require_clause");
    let list = has("export_clause") && !ambient(tree, id);
    (other || list || has("=") || has("default") || has("namespace")).then_some(("module", "imports and exports of modules do not stand in a namespace"))
}

fn trailing(tree: &Tree, id: Id) -> bool {
    tree.children(id).filter(|&c| tree.kind(c) != "comment").map(|c| tree.kind(c)).collect::<Vec<_>>().ends_with(&[",", ">"])
}

/// Whether a node is within a declaration with `declare`.
fn ambient(tree: &Tree, id: Id) -> bool {
    tree.above(id).any(|a| tree.kind(a) == "ambient_declaration")
}

fn in_abstract(tree: &Tree, member: Id) -> bool {
    let class = tree.node(tree.node(member).parent).parent;
    // Of a class that is exported by default the grammar does not know the word.
    let default = tree.child(tree.node(class).parent, "default");
    tree.child(class, "abstract").is_some() || default.is_some_and(|d| tree.text[tree.node(d).end..tree.node(class).start].trim() == "abstract")
}

/// Required parameters stand before optional ones, and a rest parameter is the last; a comma may follow an ambient one.
fn order(tree: &Tree, id: Id) -> Option<(&'static str, &'static str)> {
    let list: Vec<Id> = tree.named_children(id).filter(|&p| tree.kind(p).ends_with("_parameter")).collect();
    let rest = |p: Id| tree.field(p, "pattern").is_some_and(|p| tree.kind(p) == "rest_pattern");
    if list.iter().rev().skip(1).any(|&p| rest(p)) || list.last().is_some_and(|&p| rest(p) && code(&tree.text[tree.node(p).end..]).starts_with(',')) && !ambient(tree, id) {
        return Some(("parameter", "a rest parameter is the last one"));
    }
    let first = list.iter().position(|&p| tree.kind(p) == "optional_parameter")?;
    list[first..].iter().any(|&p| tree.kind(p) == "required_parameter" && tree.field(p, "value").is_none() && !rest(p)).then_some(("parameter", "a required parameter follows an optional one"))
}

/// Elements of a tuple without ? stand before those with it.
fn required(tree: &Tree, id: Id) -> Option<(&'static str, &'static str)> {
    let elements: Vec<Id> = tree.elements(id).collect();
    let optional = |&c: &Id| matches!(tree.kind(c), "optional_type" | "optional_parameter");
    let first = elements.iter().position(optional)?;
    elements[first..].iter().any(|c| !optional(c) && !tree.text(*c).starts_with("...")).then_some(("type", "a required element follows an optional one"))
}

/// Puts what the grammar knows for `export type *`, `import defer *`, static index signatures, static accessors, `using` in loops, the
/// names `as`, `satisfies` and `accessor`, signatures that begin a line with `<`, arguments of types before a template, and `in` and `out` of type parameters.
pub fn known(text: &str) -> Option<String> {
    let mut t = Tokens::of(text, Quotes::Plain);
    for i in 0..t.len() {
        let (before, next) = (t.before(i, 1), t.at(i + 1));
        match t.at(i) {
            "type" if before == "export" && next == "*" => t.blank(i, i),
            "type" if next == "extends" || !is_word(next) && !matches!(next, "{" | "*" | "") => t.put(i, "typ_"), // a name
            "any" | "bigint" | "boolean" | "never" | "number" | "object" | "string" | "symbol" | "unknown" if matches!(before, "(" | ",") && matches!(next, ")" | ",") => {
                t.put(i, "_ny"); // a name of a parameter, as in (any) => void
            }
            "defer" if before == "import" && next == "*" => t.blank(i, i),
            "{" if matches!(before, "import" | "export") || before == "type" && matches!(t.before(i, 2), "import" | "export") => specifiers(&mut t, i),
            "as" | "satisfies" if matches!(before, "let" | "const" | "var" | "type") && next == "=" => t.put(i, "_s"),
            "accessor" if matches!(next, ";" | "}" | "(" | "=" | ":" | "?") && (matches!(before, ";" | "{" | "}" | ")") || is_word(before)) => t.put(i, "_ccessor"),
            "static" if next == "[" && is_word(t.at(i + 2)) && t.at(i + 3) == ":" => t.blank(i, i),
            "static" if next == "readonly" && t.at(i + 2) == "[" && is_word(t.at(i + 3)) && t.at(i + 4) == ":" => t.blank(i, i),
            "accessor" if (is_word(next) || matches!(next, "#" | "[")) && (matches!(before, ";" | "{" | "}" | ")") || is_word(before)) => t.blank(i, i),
            "<" if is_word(before) && matches!(t.before(i, 2), "interface" | "class" | "type") => variance(&mut t, i),
            "<" if is_word(next) && t.breaks(i) && ends_type(&t, i - 1) => t.put_before(i, b';'),
            template if template.starts_with('`') && before == ">" => {
                if let Some(open) = type_arguments(&t, i - 1) {
                    t.blank(open, i - 1);
                }
            }
            "abstract" if before == "default" && next == "class" => t.blank(i, i),
            "abstract" if before != "." && matches!(next, "" | ":" | "=" | "?" | "!" | "(" | ")" | "," | ";" | "." | "}") => t.put(i, "_bstract"), // a name
            "function" if before == "default" && next == "(" && anonymous(&mut t, i + 1) => {
                t.blank(i - 1, i);
                t.put(i - 1, "function f");
            }
            "export" if next == "import" && before != "export" && (3..5).any(|n| t.at(i + n) == "=") => t.blank(i, i),
            "type" if before == "import" && is_word(next) && t.at(i + 2) == "=" && t.at(i + 3) == "require" => t.blank(i, i),
            "global" if next == "{" && matches!(before, "{" | "}" | ";") => t.blank(i, i),
            "assert" if next == "{" && before.starts_with(['"', '\'']) => t.put(i, "with"),
            "as" | "satisfies" if !matches!(before, "(" | "[" | "{" | ",") => assigned(&mut t, i),
            "using" if before == "await" && is_word(next) => {
                t.blank(i - 1, i - 1);
                t.put(i, "const");
            }
            "using" if is_word(next) && t.at(i + 2) == ":" && !t.breaks(i + 1) && !matches!(before, "declare" | "export") => t.put(i, "const"),
            "using" if before == "(" && is_word(next) && t.at(i + 2) == "of" => t.put(i, "const"),
            _ => {}
        }
    }
    t.changed()
}

/// A text without the white space and comments that it begins with.
pub fn code(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        let end = match text {
            _ if text.starts_with("//") => "\n",
            _ if text.starts_with("/*") => "*/",
            _ => return text,
        };
        text = text.split_once(end).map_or("", |(_, rest)| rest);
    }
}

/// Whether the parameters of a function without a name end a signature.
fn anonymous(t: &mut Tokens, open: usize) -> bool {
    let Some(end) = t.close(open) else { return false };
    let result = if t.at(end + 1) == ":" { t.close(end + 2).unwrap_or(end + 1) } else { end };
    t.at(result + 1) == ";" || result > end && t.find(result + 1, &[";", "{"]).is_some_and(|i| t.at(i) == ";")
}

/// Puts nothing for a plain type of a target, as in `(a as B) = c` and `[a as B] = c`.
fn assigned(t: &mut Tokens, i: usize) {
    let (mut end, mut depth) = (i + 1, 0usize);
    while end < i + MOST_ARGUMENTS {
        match t.at(end) {
            "<" => depth += 1,
            ">" if depth > 0 => depth -= 1,
            "[" if t.at(end + 1) == "]" => end += 1,
            "." | "|" => {}
            "," if depth > 0 => {}
            token if is_word(token) && (end == i + 1 || token == "as" || !is_word(t.at(end - 1)) || matches!(t.at(end - 1), "as" | "keyof" | "readonly" | "typeof")) => {}
            _ => break,
        }
        end += 1;
    }
    let alone = t.at(end) == ")" && t.at(end + 1) != "=" && t.before(i, 2) == "("; // [(a as B)] = c
    let close = t.find(end + usize::from(alone), &[")", "]", "}"]);
    let target = |n: usize| {
        let open = (i.saturating_sub(MOST_ARGUMENTS)..i).rev().find(|&o| t.close(o) == Some(n));
        let pair = t.at(n) != "}" || t.before(i, 2) == ":" || matches!(t.before(i, 1), ")" | "]");
        let assigns = t.at(n + 1) == "=" && !matches!(t.at(n + 2), "=" | ">");
        pair && open.is_some_and(|o| !matches!(t.before(o, 1), "let" | "const" | "var" | ",") && (assigns || t.at(n + 1) == "of" && t.before(o, 1) == "(" && matches!(t.before(o, 2), "for" | "await")))
    };
    if end > i + 1 && t.at(i + 1) != "const" && matches!(t.at(end), ")" | "]" | "}" | ",") && close.is_some_and(target) {
        t.blank(i, end - 1);
        if alone {
            t.blank(i - 2, i - 2);
            t.blank(end, end);
        }
    }
}

/// Puts letters for escapes between backticks, which the grammar does not know in types.
pub fn escapes(text: &str) -> Option<String> {
    let (mut bytes, mut inside, mut at) = (Vec::from(text), false, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'`' => inside = !inside,
            b'\\' if inside && text.is_char_boundary(at + 2) && !matches!(bytes[at + 1], b'\n' | b'x' | b'u' | b'0'..=b'9') => {
                bytes[at..at + 2].copy_from_slice(b"__");
                at += 1;
            }
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    String::from_utf8(bytes).ok().filter(|other| other != text)
}

/// Puts nothing for `in` and `out` in a list of type parameters.
fn variance(t: &mut Tokens, open: usize) {
    let mut depth = 0usize;
    for i in open..t.len().min(open + MOST_ARGUMENTS) {
        match t.at(i) {
            "<" | "(" | "[" | "{" => depth += 1,
            ">" if t.arrow(i) => {}
            ">" | ")" | "]" | "}" if depth == 1 => return,
            ">" | ")" | "]" | "}" => depth -= 1,
            "in" | "out" if depth == 1 && matches!(t.before(i, 1), "<" | "," | "in" | "const") && is_word(t.at(i + 1)) && t.at(i + 1) != "extends" => t.blank(i, i),
            _ => {}
        }
    }
}

/// Whether a type, a name or a value may end with a token.
fn ends_type(t: &Tokens, i: usize) -> bool {
    match t.at(i) {
        ">" => !t.arrow(i),
        "new" | "extends" | "return" | "default" => false,
        token => matches!(token, ")" | "]" | "}") || is_word(token) || token.starts_with(['"', '\'', '`']),
    }
}

/// Longest list of types that is read, in tokens.
const MOST_ARGUMENTS: usize = 500;

/// The `<` of the arguments that end with a `>`, if a name or a member is before it.
fn type_arguments(t: &Tokens, close: usize) -> Option<usize> {
    let mut depth = 0usize;
    for i in (close.saturating_sub(MOST_ARGUMENTS)..=close).rev() {
        match t.at(i) {
            ">" if t.arrow(i) => {}
            ">" | ")" | "]" | "}" => depth += 1,
            "<" | "(" | "[" | "{" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(i).filter(|&i| t.at(i) == "<" && i + 1 < close && (is_word(t.before(i, 1)) || matches!(t.before(i, 1), ")" | "]")));
        }
    }
    None
}

/// Puts other names for `as`, and for `type` where it is one, in the braces of imports and exports.
fn specifiers(t: &mut Tokens, open: usize) {
    let Some(close) = (open + 1..t.len()).find(|&i| matches!(t.at(i), "{" | "}")).filter(|&i| t.at(i) == "}") else { return };
    let mut from = open + 1;
    while from < close {
        let end = (from..close).find(|&i| t.at(i) == ",").unwrap_or(close);
        let words: Vec<&str> = (from..end).map(|i| t.at(i)).collect();
        let other: &[usize] = match words[..] {
            ["as"] | ["as", "as", _] => &[0],
            ["type", "as"] => &[1],
            ["type", "as", "as"] => &[2],
            ["type", "as", "as", "as"] => &[1, 3],
            ["type", "as", "as", _] => &[1],
            [_, "as", "as"] => &[2],
            _ => &[],
        };
        for &i in other {
            t.put(from + i, "_s");
        }
        from = end + 1;
    }
}
