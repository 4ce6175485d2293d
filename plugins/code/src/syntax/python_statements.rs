//! Python: clauses, targets, commas and patterns, where the grammar takes more than CPython's parser.

use super::python_places;
use crate::finding::Findings;
use rubric_host_tree::{Id, Node, Tree};

/// The rules of one node.
pub fn node(tree: &Tree, id: Id, n: &Node, findings: &mut Findings) {
    match n.kind {
        "argument_list" | "dictionary" => findings.at(tree, tree.children(id).filter(|&c| !tree.node(c).is_trivia()).nth(1).filter(|&c| tree.kind(c) == ","), "comma", "expected an item, found ,"),
        "import_statement" | "import_from_statement" | "future_import_statement" | "with_clause" => {
            findings.at(tree, tree.children(id).filter(|&c| !tree.node(c).is_trivia()).last().filter(|&c| tree.kind(c) == ","), "comma", "a trailing comma needs parentheses around the list");
            if n.kind == "import_from_statement" {
                let names = tree.children(id).filter(|&c| tree.node(c).field == "name");
                let dotted = |c: Id| Some(if tree.kind(c) == "aliased_import" { tree.field(c, "name")? } else { c }).filter(|&c| tree.child(c, ".").is_some());
                for name in names.filter_map(dotted) {
                    findings.at(tree, name, "import", "from imports names without a dot");
                }
            }
        }
        "raise_statement" => {
            findings.at(tree, tree.child(id, "expression_list"), "python2", "raise takes one exception: raise E(...)");
            findings.at(tree, tree.children(id).nth(1).filter(|&c| tree.kind(c) == "from"), "raise", "expected an exception before from");
        }
        "assert_statement" => findings.at(tree, tree.elements(id).nth(2), "assert", "assert takes a condition and a message"),
        "as_pattern" => alias(tree, id, n, findings),
        "tuple" | "tuple_pattern" if tree.child(id, ",").is_none() => {
            let star = tree.named_children(id).find(|&c| tree.kind(c).starts_with("list_splat"));
            findings.at(tree, star, "unpacking", "* in parentheses needs a comma");
        }
        "pair" | "slice" => findings.at(tree, tree.child(id, "list_splat"), "unpacking", "* cannot be used here"),
        "try_statement" => tries(tree, id, findings),
        "assignment" | "augmented_assignment" => {
            let right = tree.field(id, "right").map(|r| (r, tree.kind(r)));
            if let Some((right, _)) = right.filter(|&(_, kind)| kind == "augmented_assignment" || kind == "assignment" && n.kind == "augmented_assignment") {
                findings.at(tree, right, "target", "an augmented assignment stands alone");
            }
        }
        "for_in_clause" => {
            let comma = tree.children(id).find(|&c| tree.node(c).field == "right" && tree.kind(c) == ",");
            findings.at(tree, comma, "comma", "a comprehension is over one expression: put parentheses around a tuple");
        }
        "line_continuation" if n.end == tree.text.len() => findings.at(tree, id, "line", "the text ends after a backslash"),
        "dict_pattern" => {
            let mut after = tree.children(id).skip_while(|&c| tree.kind(c) != "splat_pattern").skip(1);
            findings.at(tree, after.find(|&c| tree.node(c).named && !tree.node(c).is_trivia()), "pattern", "** comes last in a pattern");
        }
        "class_pattern" => {
            let named = |c: Id| tree.child(c, "keyword_pattern").is_some();
            let keyword = |c: Id| named(c) || tree.child(c, "as_pattern").and_then(|a| tree.child(a, "case_pattern")).is_some_and(named);
            let mut patterns = tree.named_children(id).filter(|&c| tree.kind(c) == "case_pattern").skip_while(|&c| !keyword(c));
            findings.at(tree, patterns.find(|&c| !keyword(c)), "pattern", "a positional pattern follows a keyword pattern");
        }
        "splat_pattern" if tree.kind(n.parent) == "case_pattern" && tree.kind(tree.node(n.parent).parent) == "case_clause" => {
            if tree.child(tree.node(n.parent).parent, ",").is_none() {
                findings.at(tree, id, "pattern", "* needs a comma or brackets");
            }
        }
        "complex_pattern" => {
            let mut numbers = tree.named_children(id).filter(|&c| matches!(tree.kind(c), "integer" | "float"));
            let imaginary = |c: Option<Id>| c.is_some_and(|c| tree.text(c).ends_with(['j', 'J']));
            let (first, second) = (numbers.next(), numbers.next());
            if second.is_some() && (imaginary(first) || !imaginary(second)) {
                findings.at(tree, id, "pattern", "a pattern of two numbers is a real and an imaginary one");
            }
        }
        _ => {}
    }
}

/// `as` stands in with, except and case. The target of except is a name, that of with what can be assigned to.
fn alias(tree: &Tree, id: Id, n: &Node, findings: &mut Findings) {
    if tree.children(id).next().is_some_and(|c| tree.kind(c) == "case_pattern") {
        return;
    }
    // The grammar takes `as` for a part of the last operand before it.
    let mut whole = n;
    while matches!(tree.kind(whole.parent), "lambda" | "conditional_expression") && tree.node(whole.parent).end == n.end {
        whole = tree.node(whole.parent);
    }
    let (parent, around) = (tree.kind(whole.parent), tree.kind(tree.node(whole.parent).parent));
    let handler = matches!(parent, "except_clause" | "except_group_clause");
    if !handler && parent != "with_item" && !(around == "with_item" && matches!(parent, "tuple" | "parenthesized_expression")) {
        return findings.add("as", n.start, n.end, "as is not allowed here");
    }
    let Some(target) = tree.field(id, "alias").and_then(|t| tree.named_children(t).next()) else { return };
    match handler {
        true if tree.kind(target) == "identifier" => {}
        true => findings.at(tree, target, "target", "invalid target of as"),
        false => python_places::targets(tree, target, "assign to", findings),
    }
}

/// try has handlers, all with * or none, or finally.
fn tries(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut add = |at: Id, message| findings.at(tree, at, "try", message);
    let handlers: Vec<Id> = tree.named_children(id).filter(|&c| matches!(tree.kind(c), "except_clause" | "except_group_clause")).collect();
    let group = |c: Id| tree.kind(c) == "except_group_clause" || tree.child(c, "*").is_some();
    let Some(&first) = handlers.first() else {
        if tree.child(id, "finally_clause").is_none() {
            add(id, "try needs except or finally");
        }
        return;
    };
    for &h in &handlers {
        if group(h) != group(first) {
            add(h, "except and except* cannot be mixed");
        } else if group(h) && tree.elements(h).next().is_none_or(|c| tree.kind(c) == "block") {
            add(h, "except* needs a type");
        }
    }
}
