//! Cyclomatic complexity as radon 6.0.1 counts it, with its quirks: what an assert tests is
//! not looked at, nested functions and inner classes are in no list, and a block ends at
//! the line on which the last part of its last statement begins.

use super::{measure, Lines, Measured};
use rubric_host_sdk::Object;
use rubric_host_tree::{Id, Tree, ROOT};

/// What a visitor of radon finds in a range of nodes.
#[derive(Default)]
struct Visited {
    decisions: usize,
    functions: Vec<Id>,
    classes: Vec<Id>,
    /// Byte where the last node begins that it has seen; 0: none.
    last: Option<usize>,
}

fn visit(tree: &Tree, from: Id, to: Id) -> Visited {
    let mut v = Visited::default();
    let mut id = from;
    while id < to {
        let n = tree.node(id);
        match n.kind {
            "decorated_definition" => {
                id = tree.field(id, "definition").unwrap_or(n.last);
                continue;
            }
            "function_definition" => {
                v.functions.push(id);
                id = n.last;
                continue;
            }
            "class_definition" => {
                v.classes.push(id);
                id = n.last;
                continue;
            }
            "assert_statement" => {
                v.decisions += 1;
                id = n.last;
                continue;
            }
            "if_statement" | "elif_clause" | "conditional_expression" | "boolean_operator" | "for_in_clause" => v.decisions += 1,
            "if_clause" if tree.kind(n.parent) != "case_clause" => v.decisions += 1,
            "for_statement" | "while_statement" => v.decisions += 1 + usize::from(tree.child(id, "else_clause").is_some()),
            // radon knows Try and not TryStar.
            "try_statement" if !tree.children(id).any(|c| tree.child(c, "*").is_some() && tree.kind(c) == "except_clause") => {
                v.decisions += tree.children(id).filter(|&c| matches!(tree.kind(c), "except_clause" | "else_clause")).count();
            }
            "match_statement" => {
                let cases: Vec<Id> = tree.field(id, "body").map_or(Vec::new(), |b| tree.children(b).filter(|&c| tree.kind(c) == "case_clause").collect());
                let open = cases.iter().any(|&c| is_capture(tree, c));
                v.decisions += cases.len() - usize::from(open && !cases.is_empty());
            }
            _ => {}
        }
        if n.named && !n.is_trivia() && !matches!(n.kind, "string_content" | "string_end" | "escape_sequence" | "string_start") && !(n.kind == "string" && tree.kind(n.parent) == "concatenated_string") {
            v.last = v.last.max(Some(n.start));
        }
        id += 1;
    }
    v
}

/// case _ and case name match everything.
fn is_capture(tree: &Tree, case: Id) -> bool {
    let Some(pattern) = tree.named_children(case).find(|&c| tree.kind(c) == "case_pattern") else { return false };
    let text = tree.text(pattern);
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.starts_with(|c: char| c.is_ascii_digit()) && !matches!(text, "None" | "True" | "False")
}

fn body(tree: &Tree, id: Id) -> Option<Id> {
    tree.field(id, "body")
}

fn function(tree: &Tree, id: Id) -> usize {
    1 + body(tree, id).map_or(0, |b| visit(tree, b + 1, tree.node(b).last).decisions)
}

fn function_end(tree: &Tree, id: Id, lines: &Lines) -> usize {
    let own = lines.at(tree.node(id).start);
    let last = body(tree, id).and_then(|b| tree.elements(b).last());
    let seen = last.and_then(|s| visit(tree, s, tree.node(s).last).last);
    own.max(seen.map_or(0, |byte| lines.at(byte)))
}

/// What radon calls real complexity, and the methods.
fn class(tree: &Tree, id: Id) -> (usize, Vec<Id>) {
    let Some(b) = body(tree, id) else { return (1, Vec::new()) };
    let v = visit(tree, b + 1, tree.node(b).last);
    (1 + v.decisions + v.functions.iter().map(|&f| function(tree, f)).sum::<usize>(), v.functions)
}

fn whole(tree: &Tree) -> Visited {
    visit(tree, ROOT + 1, tree.nodes.len())
}

pub fn total(tree: &Tree) -> u64 {
    let v = whole(tree);
    let functions: usize = v.functions.iter().map(|&f| function(tree, f) - 1).sum();
    let classes: usize = v.classes.iter().map(|&c| class(tree, c).0 - 1).sum();
    (1 + v.decisions + functions + classes) as u64
}

/// Functions and methods, for the score; here with the nested ones, which radon leaves out.
pub fn functions(tree: &Tree) -> Vec<Measured> {
    measure::measured(tree, |f| function(tree, f))
}

/// radon's list: functions, classes and their methods, by line and name.
pub fn blocks(tree: &Tree, lines: &Lines) -> Vec<Object> {
    let v = whole(tree);
    let mut list: Vec<(usize, String, &str, usize, usize)> = Vec::new();
    let name = |id| tree.field_text(id, "name");
    for &f in &v.functions {
        list.push((lines.at(tree.node(f).start), name(f).into(), "F", function(tree, f), function_end(tree, f, lines)));
    }
    for &c in &v.classes {
        let line = lines.at(tree.node(c).start);
        let (real, methods) = class(tree, c);
        let complexity = if methods.is_empty() { real } else { real / methods.len() + usize::from(methods.len() > 1) };
        let mut end = line;
        if let Some(b) = body(tree, c) {
            end = end.max(visit(tree, b + 1, tree.node(b).last).last.map_or(0, |byte| lines.at(byte)));
        }
        for &m in &methods {
            let method_end = function_end(tree, m, lines);
            end = end.max(method_end);
            list.push((lines.at(tree.node(m).start), format!("{}.{}", name(c), name(m)), "M", function(tree, m), method_end));
        }
        list.push((line, name(c).into(), "C", complexity, end));
    }
    list.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    list.into_iter()
        .map(|(line, name, kind, complexity, end)| {
            let mut o = Object::new();
            o.text("name", &name).text("type", kind).int("complexity", complexity as u64).int("lineno", line as u64).int("endline", end as u64);
            o
        })
        .collect()
}
