//! JavaScript and TypeScript: what V8 refuses and the grammars accept. Code is valid if it
//! is, as a script or as a module.

use super::regex;
use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Id, Node, Tree, ROOT};
use std::collections::{HashMap, HashSet};

pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    let script = is_script(tree);
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        shared(tree, id, n, findings);
        match n.kind {
            "jsx_element" | "jsx_self_closing_element" if !tree.above(id).any(|a| tree.kind(a).starts_with("jsx_")) => {
                findings.add("jsx", n.start, n.end, "JSX is not JavaScript");
            }
            "number" if !script => octal(tree, id, findings),
            "number" if strict(tree, id) => octal(tree, id, findings),
            _ => {}
        }
    }
    declarations(tree, findings);
    Ok(())
}

pub fn typescript(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    for id in tree.below(ROOT) {
        shared(tree, id, tree.node(id), findings);
    }
    Ok(())
}

/// The rules of both languages.
fn shared(tree: &Tree, id: Id, n: &Node, findings: &mut Findings) {
    match n.kind {
        "return_statement" if function(tree, id).is_none() => findings.add("return", n.start, n.end, "return outside of a function"),
        "await_expression" => {
            if let Some(f) = function(tree, id) {
                if tree.child(f, "async").is_none() {
                    findings.add("await", n.start, n.end, "await outside of an async function");
                }
            }
        }
        "break_statement" | "continue_statement" => jump(tree, id, findings),
        "regex_pattern" => {
            if let Err(what) = regex::check(tree.text(id)) {
                findings.add("regex", n.start, n.end, format!("invalid regular expression: {what}"));
            }
        }
        "object" => prototypes(tree, id, findings),
        "private_property_identifier" if tree.kind(n.parent) == "member_expression" || tree.kind(n.parent) == "binary_expression" => private(tree, id, findings),
        "meta_property" if tree.text(id).starts_with("new") => {
            let allowed = tree.above(id).any(|a| {
                matches!(tree.kind(a), "function_declaration" | "function_expression" | "function" | "generator_function" | "generator_function_declaration"
                    | "method_definition" | "field_definition" | "public_field_definition" | "class_static_block")
            });
            if !allowed {
                findings.add("new-target", n.start, n.end, "new.target outside of a function");
            }
        }
        "arguments" => commas(tree, id, findings),
        "binary_expression" => coalescing(tree, id, findings),
        "variable_declarator" => constant(tree, id, findings),
        _ => {}
    }
}

fn is_function(kind: &str) -> bool {
    matches!(
        kind,
        "function_declaration" | "function_expression" | "function" | "arrow_function" | "method_definition" | "generator_function"
            | "generator_function_declaration"
    )
}

/// The innermost function around a node; a class body that is not in a method is none.
fn function(tree: &Tree, id: Id) -> Option<Id> {
    tree.above(id).take_while(|&a| tree.kind(a) != "class_static_block").find(|&a| is_function(tree.kind(a)))
}

fn jump(tree: &Tree, id: Id, findings: &mut Findings) {
    let n = tree.node(id);
    let label = tree.field(id, "label").map(|l| tree.text(l));
    let found = tree.above(id).take_while(|&a| !is_function(tree.kind(a)) && tree.kind(a) != "class_static_block").any(|a| match (tree.kind(a), label) {
        ("labeled_statement", Some(l)) => tree.field(a, "label").is_some_and(|x| tree.text(x) == l),
        ("for_statement" | "for_in_statement" | "while_statement" | "do_statement", None) => true,
        ("switch_statement", None) => n.kind == "break_statement",
        _ => false,
    });
    if !found {
        let what = n.kind.trim_end_matches("_statement");
        findings.add("jump", n.start, n.end, match label {
            Some(l) => format!("{what}: no label {l}"),
            None => format!("{what} outside of a loop"),
        });
    }
}

fn prototypes(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut seen = false;
    for pair in tree.children(id).filter(|&c| tree.kind(c) == "pair") {
        let Some(key) = tree.field(pair, "key") else { continue };
        let name = tree.text(key);
        if tree.kind(key) != "computed_property_name" && name.trim_matches(['"', '\'']) == "__proto__" {
            if seen {
                let n = tree.node(key);
                findings.add("prototype", n.start, n.end, "duplicate __proto__");
            }
            seen = true;
        }
    }
}

fn private(tree: &Tree, id: Id, findings: &mut Findings) {
    let name = tree.text(id);
    let declared = tree.above(id).filter(|&a| tree.kind(a) == "class_body").any(|body| {
        tree.children(body).any(|member| {
            tree.field(member, "property").or_else(|| tree.field(member, "name")).is_some_and(|p| tree.text(p) == name)
        })
    });
    if !declared {
        let n = tree.node(id);
        findings.add("private", n.start, n.end, format!("no class around has a field {name}"));
    }
}

fn commas(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut last = "(";
    for c in tree.children(id) {
        let n = tree.node(c);
        if n.kind == "," && matches!(last, "," | "(") {
            findings.add("comma", n.start, n.end, "expected an argument, found ,");
        }
        if n.kind != "comment" {
            last = n.kind;
        }
    }
}

/// ?? needs parentheses next to && and ||.
fn coalescing(tree: &Tree, id: Id, findings: &mut Findings) {
    let operator = |e: Id| tree.field(e, "operator").map(|o| tree.kind(o)).unwrap_or("");
    let mine = operator(id);
    for side in ["left", "right"] {
        let Some(e) = tree.field(id, side).filter(|&e| tree.kind(e) == "binary_expression") else { continue };
        if matches!((mine, operator(e)), ("??", "&&" | "||") | ("&&" | "||", "??")) {
            let n = tree.node(id);
            findings.add("coalescing", n.start, n.end, "?? needs parentheses next to && and ||");
            return;
        }
    }
}

/// A const needs a value, unless a for loop gives it one, or a declaration of TypeScript has none.
fn constant(tree: &Tree, id: Id, findings: &mut Findings) {
    let n = tree.node(id);
    let is_const = tree.child(n.parent, "const").is_some();
    let ambient = tree.above(n.parent).any(|a| matches!(tree.kind(a), "ambient_declaration" | "for_in_statement"));
    if is_const && !ambient && tree.field(id, "value").is_none() {
        findings.add("const", n.start, n.end, "a const needs a value");
    }
}

/// Reports whether nothing in the file makes it a module.
fn is_script(tree: &Tree) -> bool {
    !tree.children(ROOT).any(|c| matches!(tree.kind(c), "import_statement" | "export_statement"))
}

/// Reports whether a node is in strict code: a class, or after the directive.
fn strict(tree: &Tree, id: Id) -> bool {
    tree.above(id).any(|a| {
        tree.kind(a) == "class_body"
            || matches!(tree.kind(a), "program" | "statement_block")
                && tree
                    .named_children(a)
                    .filter(|&c| tree.kind(c) != "comment")
                    .take_while(|&c| tree.kind(c) == "expression_statement" && tree.kind((c + 1).min(tree.nodes.len() - 1)) == "string")
                    .any(|c| tree.text(c + 1).trim_matches(['"', '\'']) == "use strict")
    })
}

fn octal(tree: &Tree, id: Id, findings: &mut Findings) {
    let text = tree.text(id);
    if text.len() > 1 && text.starts_with('0') && text.bytes().all(|c| c.is_ascii_digit()) {
        let n = tree.node(id);
        findings.add("octal", n.start, n.end, "octal literals such as 010 are not allowed in strict mode; use 0o10");
    }
}

/// Two declarations of a name in one scope, one of them let, const or class.
fn declarations(tree: &Tree, findings: &mut Findings) {
    // By scope: names that may not come again, and names of var and functions.
    let mut lexical: HashMap<Id, HashSet<&str>> = HashMap::new();
    let mut others: HashMap<Id, HashSet<&str>> = HashMap::new();
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        if n.kind == "class_declaration" {
            if let Some(name) = tree.field(id, "name") {
                declare(tree, name, scope(tree, id), true, &mut lexical, &mut others, findings);
            }
            continue;
        }
        if n.kind == "import_clause" {
            for name in tree.below(id).filter(|&i| tree.kind(i) == "identifier") {
                let m = tree.node(name);
                let renamed = tree.kind(m.parent) == "import_specifier" && m.field == "name" && tree.field(m.parent, "alias").is_some();
                if !renamed {
                    declare(tree, name, ROOT, true, &mut lexical, &mut others, findings);
                }
            }
            continue;
        }
        if !matches!(n.kind, "lexical_declaration" | "variable_declaration") {
            continue;
        }
        let is_lexical = n.kind == "lexical_declaration";
        let place = if is_lexical { scope(tree, id) } else { outer(tree, id) };
        for d in tree.children(id).filter(|&d| tree.kind(d) == "variable_declarator") {
            let Some(name) = tree.field(d, "name") else { continue };
            for i in name..tree.node(name).last {
                let m = tree.node(i);
                let binds = m.kind == "shorthand_property_identifier_pattern"
                    || m.kind == "identifier" && (i == name || !matches!(m.field, "right" | "key") && !in_default(tree, i, name));
                if binds {
                    declare(tree, i, place, is_lexical, &mut lexical, &mut others, findings);
                }
            }
        }
    }
}

/// Reports whether an identifier of a pattern is in a default value or a computed key.
fn in_default(tree: &Tree, id: Id, pattern: Id) -> bool {
    std::iter::once(id).chain(tree.above(id)).take_while(|&a| a != pattern).any(|a| {
        tree.node(a).field == "right" || tree.kind(a) == "computed_property_name" || tree.kind(a).ends_with("expression")
    })
}

fn declare<'t>(
    tree: &'t Tree,
    name: Id,
    scope: Id,
    is_lexical: bool,
    lexical: &mut HashMap<Id, HashSet<&'t str>>,
    others: &mut HashMap<Id, HashSet<&'t str>>,
    findings: &mut Findings,
) {
    let text = tree.text(name);
    let again = if is_lexical {
        others.get(&scope).is_some_and(|s| s.contains(text)) || !lexical.entry(scope).or_default().insert(text)
    } else {
        others.entry(scope).or_default().insert(text);
        lexical.get(&scope).is_some_and(|s| s.contains(text))
    };
    if again {
        let n = tree.node(name);
        findings.add("redeclared", n.start, n.end, format!("{text} is already declared"));
    }
}

/// The block that a let, const or class of a node belongs to.
fn scope(tree: &Tree, id: Id) -> Id {
    tree.above(id)
        .find(|&a| matches!(tree.kind(a), "statement_block" | "program" | "for_statement" | "for_in_statement" | "switch_body" | "class_static_block"))
        .unwrap_or(ROOT)
}

/// The function body or file that a var of a node belongs to.
fn outer(tree: &Tree, id: Id) -> Id {
    tree.above(id)
        .find(|&a| matches!(tree.kind(a), "statement_block") && is_function(tree.kind(tree.node(a).parent)))
        .unwrap_or(ROOT)
}
