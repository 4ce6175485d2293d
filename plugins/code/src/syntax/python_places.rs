//! Python: where a starred expression, `:=`, an annotation or a target may stand, where the grammar takes more than CPython's parser.

use super::python::breaks;
use crate::finding::Findings;
use rubric_host_tree::{Id, Node, Tree};

/// The rules of one node.
pub fn node(tree: &Tree, id: Id, n: &Node, minor: usize, findings: &mut Findings) {
    let parent = tree.kind(n.parent);
    match n.kind {
        "list_splat" if !starred(tree, id) => findings.at(tree, id, "unpacking", "* cannot be used here"),
        "dictionary_splat" if n.field != "body" && !matches!(parent, "argument_list" | "dictionary" | "ERROR") => findings.at(tree, id, "unpacking", "** cannot be used here"),
        "dictionary_splat" if parent == "dictionary" && tree.named_children(id).any(|c| matches!(tree.kind(c), "lambda" | "conditional_expression" | "not_operator" | "boolean_operator" | "comparison_operator")) => {
            findings.at(tree, id, "operand", "the operand of ** needs parentheses here");
        }
        "named_expression" if !named(tree, id) => findings.at(tree, id, "walrus", ":= needs parentheses here"),
        "constrained_type" if parameter_list(tree, id).is_none() && !in_subscript(tree, n.parent) => findings.at(tree, id, "type", "expected one type, found :"),
        "splat_type" if parameter_list(tree, id).is_none() => {
            let around = tree.node(n.parent).parent;
            let star = !tree.text(id).starts_with("**");
            let variable = tree.kind(around) == "typed_parameter" && tree.kind(around + 1) == "list_splat_pattern";
            let operand = matches!(tree.kind(around), "member_type" | "union_type"); // of what begins with the *
            if !(star && (variable || operand || in_subscript(tree, n.parent))) {
                findings.at(tree, id, "unpacking", "* cannot be used in this type");
            }
        }
        "type_parameter" if is_parameters(tree, id) => {
            for item in tree.named_children(id).filter(|&c| tree.kind(c) == "type") {
                parameter(tree, item, minor, findings);
            }
        }
        "lambda" | "conditional_expression" | "not_operator" if operand(tree, id, n) => findings.at(tree, id, "operand", "this expression needs parentheses here"),
        "await" if tree.named_children(id).any(|c| matches!(tree.kind(c), "unary_operator" | "await")) => findings.at(tree, id, "operand", "the operand of await needs parentheses"),
        "string_content" if broken(tree, id, n) => findings.at(tree, id, "string", "a line break in a string of one quote"),
        "yield" if matches!(parent, "list" | "tuple" | "set") => findings.at(tree, id, "yield", "yield needs parentheses here"),
        "assignment" if parent == "assignment" && (tree.field(n.parent, "type").is_some() || tree.field(id, "type").is_some()) => findings.at(tree, id, "target", "an annotated target is the only one"),
        "for_in_clause" => findings.at(tree, tree.children(id).filter(|&c| !tree.node(c).is_trivia()).last().filter(|&c| tree.kind(c) == ","), "comma", "a comprehension ends without a comma"),
        "keyword_pattern" if pattern_list(tree, id) != "class_pattern" => findings.at(tree, id, "pattern", "a keyword pattern stands in a class pattern"),
        "splat_pattern" if parent == "dict_pattern" && !tree.text(id).starts_with("**") => findings.at(tree, id, "pattern", "* stands in a sequence"),
        "splat_pattern" if parent == "dict_pattern" && tree.text(id).trim_start_matches("**").trim() == "_" => findings.at(tree, id, "pattern", "the rest of a mapping needs a name"),
        "list_splat" if parent == "yield" && tree.child(n.parent, "from").is_some() => findings.at(tree, id, "yield", "* cannot follow yield from"),
        "splat_pattern" if parent == "keyword_pattern" => findings.at(tree, id, "pattern", "* stands in a sequence, ** in a mapping"),
        "splat_pattern" if parent == "union_pattern" => findings.at(tree, id, "pattern", "* is not an alternative"),
        "splat_pattern" if parent == "case_pattern" => {
            let around = tree.node(n.parent).parent;
            let sequence = match tree.kind(around) {
                "tuple_pattern" => tree.child(around, ",").is_some(),
                kind => matches!(kind, "list_pattern" | "case_clause"),
            };
            if !sequence || tree.text(id).starts_with("**") {
                findings.at(tree, id, "pattern", "* stands in a sequence, ** in a mapping");
            }
        }
        "dict_pattern" => {
            let key = |c: &Id| tree.node(*c).field == "key" && tree.node(*c).named;
            let good = |c: Id| match tree.kind(c) {
                "dotted_name" => tree.child(c, ".").is_some(),
                kind => matches!(kind, "string" | "concatenated_string" | "integer" | "float" | "complex_pattern" | "true" | "false" | "none" | "comment" | "line_continuation"),
            };
            let name = tree.children(id).find(|&c| tree.kind(c) == "_" && tree.node(c).field == "key");
            findings.at(tree, tree.children(id).filter(key).find(|&c| !good(c)).or(name), "pattern", "a key of a pattern is a literal or a name with a dot");
        }
        "as_pattern" if parent == "case_pattern" => {
            let inner = tree.named_children(id).next().is_some_and(|c| tree.kind(c) == "case_pattern" && tree.kind(c + 1) == "as_pattern");
            let name = tree.children(id).last().filter(|&c| tree.text(c) == "_");
            findings.at(tree, name.or(Some(id).filter(|_| inner)), "pattern", "as gives a pattern one name, which is not _");
        }
        _ => {}
    }
}

/// Reports targets of `del` and of `with ... as` that cannot be one.
pub fn targets(tree: &Tree, target: Id, what: &str, findings: &mut Findings) {
    let mut left = vec![target];
    while let Some(t) = left.pop() {
        match tree.kind(t) {
            "identifier" | "attribute" | "subscript" | "comment" | "line_continuation" => {}
            "list_splat" if what == "assign to" => left.extend(tree.named_children(t)),
            "expression_list" | "tuple" | "list" | "parenthesized_expression" => left.extend(tree.named_children(t)),
            kind => findings.at(tree, t, "target", format!("cannot {what} this: {}", kind.replace('_', " "))),
        }
    }
}

/// The expression that begins with a node, and whether that binds looser than `|`. The grammar binds `*` and `:=` closer
/// than the operators behind them.
fn whole<'t>(tree: &'t Tree, id: Id) -> (&'t Node, bool) {
    let (mut top, mut loose) = (id, false);
    loop {
        let parent = tree.node(top).parent;
        match tree.kind(parent) {
            _ if parent + 1 != top => break,
            "attribute" | "subscript" | "call" | "binary_operator" => {}
            "boolean_operator" | "comparison_operator" | "conditional_expression" => loose = true,
            _ => break,
        }
        top = parent;
    }
    (tree.node(top), loose)
}

/// Whether a `*` stands where CPython has one.
fn starred(tree: &Tree, id: Id) -> bool {
    let (n, loose) = whole(tree, id);
    match tree.kind(n.parent) {
        "argument_list" | "ERROR" => true,
        _ if loose => false,
        "tuple" | "match_statement" => tree.child(n.parent, ",").is_some(),
        "with_item" => { // of a tuple
            let clause = tree.node(n.parent).parent;
            tree.child(clause, "(").is_some() && tree.child(clause, ",").is_some() && tree.named_children(clause).all(|c| tree.child(c, "as_pattern").is_none())
        }
        "for_statement" => true,
        "assignment" => n.field == "right" || tree.field(n.parent, "type").is_none(),
        "augmented_assignment" => n.field == "right",
        "type" => in_subscript(tree, n.parent) || tree.kind(tree.node(n.parent).parent) == "typed_parameter",
        "list_comprehension" | "set_comprehension" | "generator_expression" => n.field == "body", // which is told of elsewhere
        kind => matches!(kind, "list" | "set" | "pattern_list" | "list_pattern" | "tuple_pattern" | "expression_list" | "subscript" | "expression_statement" | "return_statement" | "yield" | "interpolation" | "format_expression" | "as_pattern_target"),
    }
}

/// Whether `:=` stands where CPython has one without parentheses.
fn named(tree: &Tree, id: Id) -> bool {
    let (n, _) = whole(tree, id);
    match tree.kind(n.parent) {
        "if_clause" => tree.node(n.parent).field == "guard",
        "list_comprehension" | "set_comprehension" | "generator_expression" => n.field == "body",
        "type" => in_subscript(tree, n.parent),
        kind => matches!(kind, "argument_list" | "list" | "set" | "tuple" | "parenthesized_expression" | "subscript" | "if_statement" | "elif_clause" | "while_statement"
            | "decorator" | "match_statement" | "interpolation" | "format_expression" | "ERROR"),
    }
}

/// What a pattern is an item of, with alternatives and `as` around it.
fn pattern_list<'t>(tree: &'t Tree, id: Id) -> &'t str {
    tree.above(id).map(|a| tree.kind(a)).find(|kind| !matches!(*kind, "case_pattern" | "as_pattern" | "union_pattern")).unwrap_or("")
}

/// Whether a string of one quote has a line break without a backslash: the grammar reads on in those that have a `{`.
fn broken(tree: &Tree, id: Id, n: &Node) -> bool {
    let text = tree.text(id);
    text.contains('\n') && tree.kind(n.parent) == "string" && tree.child(n.parent, "string_end").is_some_and(|e| tree.text(e).len() == 1) && breaks(text)
}

/// Whether `lambda`, `not` or a conditional expression is the operand of what binds closer.
fn operand(tree: &Tree, id: Id, n: &Node) -> bool {
    match tree.kind(n.parent) {
        "list_splat" => tree.kind(tree.node(n.parent).parent) != "argument_list",
        _ if n.kind == "not_operator" => false,
        "not_operator" | "boolean_operator" | "comparison_operator" => true,
        "for_in_clause" => n.field == "right",
        "if_clause" => tree.node(n.parent).field != "guard",
        "conditional_expression" => tree.children(n.parent).last() != Some(id),
        _ => false,
    }
}

/// Whether a `type_parameter` declares the parameters of a function, a class or an alias; else it is a subscript in an annotation.
fn is_parameters(tree: &Tree, id: Id) -> bool {
    let n = tree.node(id);
    let left = tree.node(n.parent).parent; // the type around generic_type
    n.field == "type_parameters" || tree.kind(n.parent) == "generic_type" && tree.node(left).field == "left" && tree.kind(tree.node(left).parent) == "type_alias_statement"
}

/// Whether a `type` is an item of a subscript in an annotation.
fn in_subscript(tree: &Tree, id: Id) -> bool {
    let list = tree.node(id).parent;
    tree.kind(list) == "type_parameter" && !is_parameters(tree, list)
}

/// The list of type parameters of which a node is an item, or a bound within one.
fn parameter_list(tree: &Tree, id: Id) -> Option<Id> {
    let list = tree.above(id).find(|&a| !matches!(tree.kind(a), "type" | "constrained_type"))?;
    Some(list).filter(|&l| tree.kind(l) == "type_parameter" && is_parameters(tree, l))
}

/// A type parameter: a name, or one with a bound, with a star, or with a default, whose `=` the grammar has as `:`.
fn parameter(tree: &Tree, item: Id, minor: usize, findings: &mut Findings) {
    let mut add = |rule, message: &str| findings.at(tree, item, rule, message);
    let (mut name, mut rest) = (item + 1, None);
    if tree.kind(name) == "constrained_type" {
        (name, rest) = (name + 2, Some(name));
    }
    let star = tree.kind(name) == "splat_type";
    if !star && tree.kind(name) != "identifier" {
        return add("type", "a type parameter is a name");
    }
    let mut bound = !star; // still to come
    while let Some(pair) = rest {
        let mut parts = tree.children(pair).filter(|&c| !tree.node(c).is_trivia()).skip(1);
        let (Some(sign), Some(value)) = (parts.next(), parts.next()) else { return };
        let inner = value + 1;
        rest = Some(inner).filter(|&i| tree.kind(i) == "constrained_type");
        let default = tree.text(sign) == "=";
        if default && minor < 13 {
            return add("version", "the default of a type parameter needs Python 3.13");
        }
        if default && rest.is_some() || !default && !bound {
            return add("type", "a type parameter has one bound, if it has no star, and one default behind it");
        }
        let first = if rest.is_some() { inner + 2 } else { inner };
        let unpacked = tree.text[tree.node(sign).end..].trim_start().starts_with('*');
        if matches!(tree.kind(first), "splat_type" | "list_splat") || unpacked && !(default && star && !tree.text(name).starts_with("**")) {
            return add("unpacking", "* stands in the default of a parameter with one *");
        }
        bound = false;
    }
}
