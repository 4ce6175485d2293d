//! Go: what go/parser refuses and the grammar accepts.

use crate::finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Id, Tree, ROOT};

pub fn rules(tree: &Tree, _: &Config, findings: &mut Findings) -> Result<()> {
    struct_tags(tree, findings);
    file(tree, findings);
    for id in tree.below(ROOT) {
        let n = tree.node(id);
        match n.kind {
            "unary_expression" => operators(tree, id, findings),
            "literal_value" | "argument_list" | "parameter_list" => commas(tree, id, findings),
            _ => {}
        }
    }
    Ok(())
}

/// The grammar wants the end of a line after the tag of a field, also before a }.
fn struct_tags(tree: &Tree, findings: &mut Findings) {
    if !tree.has_error || tree.nodes.iter().any(|n| n.is_error() || n.missing) {
        return;
    }
    let innermost = |id: &Id| tree.node(*id).faulty && !tree.children(*id).any(|c| tree.node(c).faulty);
    let tagged = |id: Id| {
        let fields: Vec<Id> = tree.named_children(id).filter(|&c| tree.kind(c) == "field_declaration").collect();
        let ended = |pair: &[Id]| tree.text[tree.node(pair[0]).end..tree.node(pair[1]).start].contains(['\n', ';']);
        tree.kind(id) == "field_declaration_list" && fields.last().is_some_and(|&f| tree.field(f, "tag").is_some()) && fields.windows(2).all(ended)
    };
    if tree.below(ROOT).filter(innermost).all(tagged) {
        findings.list.clear();
    }
}

/// A file is a package clause, imports, and declarations.
fn file(tree: &Tree, findings: &mut Findings) {
    let mut first = true;
    let mut declared = false;
    let mut before = None;
    for id in tree.named_children(ROOT) {
        let n = tree.node(id);
        match n.kind {
            "comment" | "ERROR" => continue,
            "package_clause" if first => {}
            _ if first => findings.add("package", n.start, n.end.min(n.start + 1), "expected a package clause"),
            "import_declaration" if declared => findings.add("import-order", n.start, n.end, "imports come before other declarations"),
            "import_declaration" => {}
            "const_declaration" | "var_declaration" | "type_declaration" | "function_declaration" | "method_declaration" => declared = true,
            _ => findings.add("declaration", n.start, n.end.min(n.start + 1), "expected a declaration"),
        }
        if before.is_some_and(|end: usize| !tree.text[end..n.start].contains(['\n', ';'])) {
            findings.add("declaration", n.start, n.end.min(n.start + 1), "expected the end of a line before a declaration");
        }
        before = Some(n.end);
        first = false;
    }
    if first && findings.list.is_empty() {
        findings.add("package", tree.text.len(), tree.text.len(), "expected a package clause");
    }
}

/// Two adjacent signs are one token: ++x is not +(+x).
fn operators(tree: &Tree, id: Id, findings: &mut Findings) {
    let (Some(outer), Some(operand)) = (tree.field(id, "operator"), tree.field(id, "operand")) else { return };
    if tree.kind(operand) != "unary_expression" {
        return;
    }
    let Some(inner) = tree.field(operand, "operator") else { return };
    let (a, b) = (tree.node(outer), tree.node(inner));
    if a.end == b.start && matches!((a.kind, b.kind), ("+", "+") | ("-", "-") | ("&", "&") | ("<-", "-") | ("&", "^")) {
        findings.add("operator", a.start, b.end, format!("expected an expression, found {}{}", a.kind, b.kind));
    }
}

/// The last element before a closing bracket on another line needs a comma.
fn commas(tree: &Tree, id: Id, findings: &mut Findings) {
    let mut before: Option<Id> = None;
    for c in tree.children(id) {
        let n = tree.node(c);
        if matches!(n.kind, "}" | ")") {
            if let Some(last) = before.map(|b| tree.node(b)) {
                if last.named && tree.text.get(last.end..n.start).is_some_and(|gap| gap.contains('\n')) {
                    findings.add("comma", n.start, n.start, "missing , before newline");
                }
            }
        } else if n.kind != "comment" {
            before = Some(c);
        }
    }
}
