//! Snippets: statements and declarations without the file around them.

use crate::answer;
use crate::Language;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::{Tree, ROOT};

/// What a language's snippets are.
pub struct Snippets {
    /// Before declarations, to make them a file.
    pub file: &'static str,
    /// Before and after declarations that are not a file, such as members of a class.
    pub members: Option<[&'static str; 2]>,
    /// Before and after statements.
    pub body: [&'static str; 2],
    /// Kinds of nodes that stand before the function that is put around the statements.
    pub hoisted: &'static [&'static str],
    /// Kinds of nodes that define functions and types. Beside them statements are more likely a defect of a file.
    pub definitions: &'static [&'static str],
    /// A kind of node that only files have.
    pub file_only: &'static str,
}

/// As rustdoc reads examples.
pub const RUST: Snippets = Snippets {
    file: "",
    members: None,
    body: ["fn f() {\n", "\n}\n"],
    hoisted: &[],
    definitions: &["function_item", "struct_item", "enum_item", "union_item", "trait_item", "impl_item", "mod_item"],
    file_only: "inner_attribute_item",
};

/// As gofmt reads standard input, and imports or functions before statements.
pub const GO: Snippets = Snippets {
    file: "package p\n",
    members: Some(["package p\n", "\n"]),
    body: ["package p\nfunc f() {\n", "\n}\n"],
    hoisted: &["import_declaration", "function_declaration", "method_declaration"],
    definitions: &["function_declaration", "method_declaration"],
    file_only: "package_clause",
};

/// Members of a class, statements, and imports or classes before statements.
pub const JAVA: Snippets = Snippets {
    file: "",
    members: Some(["class C {\n", "\n}\n"]),
    body: ["class C { void f() {\n", "\n} }\n"],
    hoisted: &["import_declaration", "class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "method_declaration"],
    definitions: &["class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "method_declaration"],
    file_only: "package_declaration",
};

/// Statements, and functions or directives before them.
pub const C: Snippets = Snippets {
    file: "",
    members: None,
    body: ["void f(void) {\n", "\n}\n"],
    hoisted: &[
        "preproc_include", "preproc_def", "preproc_function_def", "function_definition", "template_declaration", "namespace_definition",
        "using_declaration", "alias_declaration",
    ],
    definitions: &["function_definition", "template_declaration", "namespace_definition"],
    file_only: "linkage_specification",
};

/// What makes a snippet more than a name or a number, which prose may be, too.
const SUBSTANCE: [&str; 24] = [
    "let_declaration", "call_expression", "macro_invocation", "assignment_expression", "compound_assignment_expr", "update_expression",
    "method_invocation", "object_creation_expression", "block", "match_expression", "if_expression", "loop_expression", "while_expression",
    "for_expression", "return_expression", "local_variable_declaration", "short_var_declaration", "declaration", "use_declaration",
    "const_declaration", "var_declaration", "type_declaration", "const_item", "static_item",
];

/// How a text is valid as a snippet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Snippet {
    /// Statements, or declarations that only lack what is around them.
    Valid,
    /// Statements beside functions or types: perhaps a file with a defect.
    Mixed,
    /// Functions and types alone: as a file, they have a defect.
    Definitions,
}

/// Whether a text is valid as a snippet; `tree` is its own.
pub fn snippet(language: &Language, snippets: &Snippets, tree: &Tree, config: &Config) -> Result<Option<Snippet>> {
    if !tree.text.ends_with('\n') {
        // Go's grammar needs the end of the last line.
        let text = format!("{}\n", tree.text);
        return match answer::tree(language, &text) {
            Ok(tree) => snippet(language, snippets, &tree, config),
            Err(_) => Ok(None),
        };
    }
    let text = tree.text;
    let file_only = |t: &Tree| t.nodes.iter().any(|n| n.kind == snippets.file_only);
    if file_only(tree) || tree.nodes.iter().enumerate().any(|(id, n)| n.kind == "identifier" && tree.text(id) == "main" && defines(tree, id)) {
        return Ok(None);
    }
    if let Some(around) = snippets.members {
        if let Some(found) = inside(language, snippets, text, around, false, config)? {
            return Ok(Some(found));
        }
    }
    if let Some(found) = inside(language, snippets, text, snippets.body, true, config)? {
        return Ok(Some(found));
    }
    if tree.has_error {
        return Ok(None);
    }
    // The text twice: once with what stands before a function alone, once with the rest.
    let (mut before, mut rest) = (Vec::from(text), Vec::from(text));
    let (mut at, mut definitions) = (0, false);
    for id in tree.children(ROOT).filter(|&id| snippets.hoisted.contains(&tree.kind(id))) {
        let n = tree.node(id);
        blank(&mut before[at..n.start]);
        blank(&mut rest[n.start..n.end]);
        definitions |= snippets.definitions.contains(&n.kind);
        at = n.end;
    }
    blank(&mut before[at..]);
    let (Ok(before), Ok(rest)) = (String::from_utf8(before), String::from_utf8(rest)) else { return Ok(None) };
    if at == 0 || !whole(language, &format!("{}{before}", snippets.file), config)?.is_some_and(|t| !t.has_error) {
        return Ok(None);
    }
    let found = inside(language, snippets, &rest, snippets.body, true, config)?;
    Ok(found.map(|f| if definitions { Snippet::Mixed } else { f }))
}

/// Whether an identifier is the name of a function.
fn defines(tree: &Tree, id: usize) -> bool {
    let parent = tree.node(id).parent;
    matches!(tree.kind(parent), "function_item" | "function_declaration" | "method_declaration" | "function_declarator")
}

fn blank(bytes: &mut [u8]) {
    for b in bytes.iter_mut().filter(|b| !matches!(b, b'\n' | b'\r')) {
        *b = b' ';
    }
}

/// The tree of a text without a finding. In a snippet of C, macros count as valid.
fn whole<'a>(language: &Language, text: &'a str, config: &Config) -> Result<Option<Tree<'a>>> {
    let Ok(tree) = answer::tree(language, text) else { return Ok(None) };
    let findings = answer::findings(language, &tree, config)?;
    Ok((findings.list.is_empty() && (findings.undecided.is_none() || language.expand.is_some())).then_some(tree))
}

/// Whether a text is valid within others.
fn inside(language: &Language, snippets: &Snippets, text: &str, [before, after]: [&str; 2], body: bool, config: &Config) -> Result<Option<Snippet>> {
    let made = format!("{before}{text}{after}");
    let Some(tree) = whole(language, &made, config)? else { return Ok(None) };
    // The bracket that opens before the text closes after it.
    let mut parent = ROOT;
    if let Some(open) = before.rfind('{') {
        let end = made.len() - after.len() + after.find('}').map_or(0, |n| n + 1);
        match tree.nodes.iter().position(|n| n.start == open && n.end == end && n.named) {
            Some(id) => parent = id,
            None => return Ok(None),
        }
    }
    if tree.kind(parent) == "block" && language.name == "go" {
        parent = tree.named_children(parent).find(|&c| tree.kind(c) == "statement_list").unwrap_or(parent);
    }
    let mut parts = tree.elements(parent).filter(|&c| tree.node(c).start >= before.len());
    // Go: an expression that is a statement is a call or receives.
    let bare = |id: usize| {
        language.name == "go"
            && tree.kind(id) == "expression_statement"
            && tree.named_children(id).next().is_some_and(|e| !matches!(tree.kind(e), "call_expression" | "unary_expression" | "parenthesized_expression"))
    };
    if parts.any(bare) {
        return Ok(None);
    }
    let substance = |id: usize| {
        let n = tree.node(id);
        n.named && n.start >= before.len() && (SUBSTANCE.contains(&n.kind) || n.kind.ends_with("_statement") && !matches!(n.kind, "expression_statement" | "empty_statement"))
    };
    let members = !body && tree.named_children(parent).any(|c| tree.node(c).start >= before.len() && !tree.node(c).is_trivia());
    if !members && !tree.below(parent).any(substance) {
        return Ok(None);
    }
    if !body {
        return Ok(Some(Snippet::Valid));
    }
    let kinds: Vec<&str> = tree.named_children(parent).map(|c| tree.kind(c)).collect();
    let definitions = kinds.iter().any(|k| snippets.definitions.contains(k));
    let statements = kinds.iter().any(|k| {
        k.ends_with("_statement") && *k != "empty_statement" || k.ends_with("_expression") || matches!(*k, "let_declaration" | "local_variable_declaration" | "short_var_declaration")
    });
    Ok(Some(match (definitions, statements) {
        (false, _) => Snippet::Valid,
        (true, true) => Snippet::Mixed,
        (true, false) => Snippet::Definitions,
    }))
}
