//! What functions, classes and branches look like in a language.

use rubric_host_tree::{Id, Tree};

/// Kinds of nodes, by what they mean. Names are those of the grammars; a kind that a
/// language lacks harms nothing, so one table serves all.
const FUNCTIONS: [&str; 11] = [
    "function_definition", "function_declaration", "method_definition", "method_declaration", "constructor_declaration", "function_item",
    "generator_function_declaration", "generator_function", "function_expression", "arrow_function", "func_literal",
];
const LAMBDAS: [&str; 3] = ["lambda", "lambda_expression", "closure_expression"];
const CLASSES: [&str; 14] = [
    "class_definition", "class_declaration", "class", "class_specifier", "struct_specifier", "interface_declaration", "struct_item", "trait_item", "enum_declaration",
    "abstract_class_declaration", "record_declaration", "enum_item", "union_item", "type_spec",
];
const LOOPS: [&str; 11] = [
    "for_statement", "for_in_statement", "while_statement", "do_statement", "enhanced_for_statement", "for_range_loop", "for_expression",
    "while_expression", "loop_expression", "c_style_for_statement", "until_statement",
];
const IFS: [&str; 2] = ["if_statement", "if_expression"];
const SWITCHES: [&str; 7] = [
    "switch_statement", "switch_expression", "expression_switch_statement", "type_switch_statement", "select_statement", "match_expression", "match_statement",
];
const CATCHES: [&str; 2] = ["catch_clause", "except_clause"];
const TERNARIES: [&str; 2] = ["ternary_expression", "conditional_expression"];

/// What a node is for the measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    Function,
    Lambda,
    Class,
    Loop,
    If,
    ElseIf,
    Else,
    Switch,
    Case,
    Catch,
    Ternary,
    /// && and ||, and what means the same.
    Logic,
    Other,
}

/// Classifies a node.
pub fn part(tree: &Tree, id: Id) -> Part {
    let n = tree.node(id);
    let kind = n.kind;
    if !n.named {
        // Go and Java have no node for an else.
        if kind == "else" && IFS.contains(&tree.kind(n.parent)) {
            let else_if = tree.field(n.parent, "alternative").is_some_and(|a| IFS.contains(&tree.kind(a)));
            return if else_if { Part::Other } else { Part::Else };
        }
        // Bash has no binary expressions of commands, nor Rust of conditions with let: the operator stands alone.
        return if matches!(kind, "&&" | "||") && matches!(tree.kind(n.parent), "list" | "let_chain") { Part::Logic } else { Part::Other };
    }
    match kind {
        "elif_clause" => return Part::ElseIf,
        "else_clause" => {
            let else_if = tree.elements(id).next().is_some_and(|c| IFS.contains(&tree.kind(c)));
            return if else_if { Part::Other } else { Part::Else };
        }
        "boolean_operator" => return Part::Logic,
        "binary_expression" => {
            let logic = tree.field(id, "operator").is_some_and(|o| matches!(tree.kind(o), "&&" | "||" | "??" | "and" | "or"));
            return if logic { Part::Logic } else { Part::Other };
        }
        "match_arm" => {
            let guarded = tree.field(id, "pattern").is_some_and(|p| tree.field(p, "condition").is_some());
            return if tree.text(id).starts_with('_') && !guarded { Part::Other } else { Part::Case };
        }
        "case_statement" => {
            // In C a case of a switch; in Bash the switch itself.
            return if tree.child(id, "esac").is_some() {
                Part::Switch
            } else if tree.child(id, "default").is_some() {
                Part::Other
            } else {
                Part::Case
            };
        }
        // Bash has no other default.
        "case_item" if tree.field(id, "value").is_some_and(|v| tree.text(v) == "*") => return Part::Other,
        // C: a declaration, or a use of the type.
        "expression_case" | "type_case" | "communication_case" | "switch_case" | "case_item" | "case_clause" => return Part::Case,
        "class_specifier" | "struct_specifier" if tree.field(id, "body").is_none() => return Part::Other,
        "switch_label" => return if tree.text(id).starts_with("case") { Part::Case } else { Part::Other },
        _ => {}
    }
    if IFS.contains(&kind) {
        let parent = tree.kind(n.parent);
        let chained = n.field == "alternative" && IFS.contains(&parent) || parent == "else_clause";
        return if chained { Part::ElseIf } else { Part::If };
    }
    for (list, part) in [(&FUNCTIONS[..], Part::Function), (&LAMBDAS, Part::Lambda), (&CLASSES, Part::Class), (&LOOPS, Part::Loop),
        (&SWITCHES, Part::Switch), (&CATCHES, Part::Catch), (&TERNARIES, Part::Ternary)] {
        if list.contains(&kind) {
            return part;
        }
    }
    Part::Other
}

/// The name of a function or class, or of the type that an `impl` is of; empty: it has none.
pub fn name<'t>(tree: &Tree<'t>, id: Id) -> &'t str {
    if let Some(name) = tree.field(id, "name") {
        return tree.text(name);
    }
    if tree.kind(id) == "type_alias_statement" {
        return tree.field_text(id, "left");
    }
    if tree.kind(id) == "impl_item" {
        let of = tree.field(id, "type");
        return of.map_or("", |t| tree.text(tree.field(t, "type").unwrap_or(t)));
    }
    // C: the declarator that is a function holds the name.
    let mut at = tree.field(id, "declarator");
    while let Some(d) = at {
        match tree.kind(d) {
            "identifier" | "field_identifier" | "qualified_identifier" | "destructor_name" | "operator_name" => return tree.text(d),
            _ => at = tree.field(d, "declarator").or_else(|| tree.named_children(d).find(|&c| tree.kind(c).ends_with("declarator"))),
        }
    }
    // JavaScript: const f = () => ...
    let parent = tree.node(id).parent;
    match tree.kind(parent) {
        "variable_declarator" | "pair" | "field_definition" | "public_field_definition" | "assignment_expression" => ["name", "key", "property", "left"]
            .iter()
            .find_map(|f| tree.field(parent, f))
            .map_or("", |n| tree.text(n).trim_matches(['"', '\''])),
        _ => "",
    }
}

/// The name with those of the functions and classes around it, joined by dots.
pub fn qualified(tree: &Tree, id: Id) -> String {
    let mut names = vec![name(tree, id)];
    names.extend(tree.above(id).filter(|&a| matches!(part(tree, a), Part::Function | Part::Class) || tree.kind(a) == "impl_item").map(|a| name(tree, a)));
    names.retain(|n| !n.is_empty());
    names.reverse();
    names.join(".")
}

/// Whether a function may be called by a name: its own, with or without what is around it; or what it is bound to.
pub fn is_called(tree: &Tree, id: Id, wanted: &str) -> bool {
    let own = name(tree, id);
    let last = own.rsplit(['.', ':']).next();
    let receiver = || tree.field(id, "receiver").and_then(|r| tree.below(r).find(|&t| tree.kind(t) == "type_identifier"));
    let ends = |whole: String, wanted: &str| whole.strip_suffix(wanted).is_some_and(|before| before.is_empty() || before.ends_with('.'));
    !own.is_empty() && (own == wanted || last == Some(wanted) || ends(qualified(tree, id).replace("::", "."), &wanted.replace("::", ".")) || receiver().is_some_and(|t| wanted.strip_prefix(tree.text(t)).and_then(|w| w.strip_prefix('.')) == Some(own)))
        || bound(tree, id) == wanted
}

/// The name to which an expression is bound alone; empty: there is none.
fn bound<'t>(tree: &Tree<'t>, id: Id) -> &'t str {
    let mut parent = tree.node(id).parent;
    if tree.kind(parent) == "expression_list" && tree.named_children(parent).count() == 1 {
        parent = tree.node(parent).parent;
    }
    match tree.kind(parent) {
        "assignment" | "var_spec" | "short_var_declaration" | "let_declaration" | "init_declarator" | "variable_declarator" => {
            ["left", "name", "pattern", "declarator"].iter().find_map(|f| tree.field(parent, f)).map_or("", |n| tree.text(n))
        }
        _ => "",
    }
}

/// All functions, in the order of the code.
pub fn functions(tree: &Tree) -> Vec<Id> {
    (0..tree.nodes.len()).filter(|&id| part(tree, id) == Part::Function).collect()
}

/// The number of parameters of a function, without self, cls and this of methods.
pub fn arity(tree: &Tree, function: Id) -> usize {
    let declarator = tree.field(function, "declarator");
    let list = tree.field(function, "parameters").or_else(|| {
        let d = declarator?;
        (d..tree.node(d).last).find(|&i| tree.kind(i) == "parameter_list")
    });
    let Some(list) = list.filter(|&l| tree.kind(l) != "identifier") else { return usize::from(list.or(tree.field(function, "parameter")).is_some()) };
    let mut count = 0;
    for (i, p) in tree.elements(list).filter(|&p| !matches!(tree.kind(p), "keyword_separator" | "positional_separator")).enumerate() {
        let typed = || tree.kind(p) == "typed_parameter" && tree.named_children(p).next().is_some_and(|t| matches!(tree.text(t), "self" | "cls"));
        let this = || matches!(tree.kind(p), "self_parameter" | "receiver_parameter") || tree.field(p, "pattern").is_some_and(|t| matches!(tree.kind(t), "this" | "self")) || typed();
        if i == 0 && (matches!(tree.text(p), "self" | "cls" | "&self" | "&mut self" | "mut self" | "void") || this()) {
            continue;
        }
        // Go: a, b int is one declaration with two names.
        let names = if tree.kind(p) == "parameter_declaration" { tree.children(p).filter(|&c| tree.node(c).field == "name").count() } else { 1 };
        count += names.max(1);
    }
    count
}

/// Whether a function or class has a documentation: a docstring in Python, elsewhere a
/// comment that ends on the line before it.
pub fn documented(tree: &Tree, id: Id) -> bool {
    if tree.node(id).kind.ends_with("_definition") && tree.field(id, "body").is_some_and(|b| tree.kind(b) == "block") {
        return tree.field(id, "body").is_some_and(|b| docstring(tree, b));
    }
    let before = |at: Id| {
        let parent = tree.node(at).parent;
        let last = at.saturating_sub(1);
        std::iter::once(last).chain(tree.above(last)).find(|&b| b != parent && tree.node(b).parent == parent)
    };
    let mut at = id;
    loop {
        while let Some(attribute) = before(at).filter(|&b| tree.kind(b) == "attribute_item") {
            if ["#[doc =", "#[doc=", "#[doc("].iter().any(|doc| tree.text(attribute).starts_with(doc)) {
                return true;
            }
            at = attribute;
        }
        let (start, parent) = (tree.node(at).start, tree.node(at).parent);
        let above = before(at).filter(|&b| tree.kind(b).ends_with("comment"));
        if let Some(comment) = above {
            let breaks = |text: &str| text[text.trim_end().len()..].matches('\n').count();
            let between = breaks(&tree.text[..start]);
            // A comment behind a statement is of that statement.
            let code = &tree.text[..tree.node(comment).start];
            return between == 0 || between == 1 && (breaks(code) > 0 || code.trim_end().is_empty() || code.trim_end().ends_with(['{', '(']));
        }
        // export, const f =, public, template<...>: the comment is before the whole of it.
        let first = parent != at && tree.text(parent).len() < tree.text.len() && tree.children(parent).next() == Some(at);
        if !first && !matches!(tree.kind(parent), "export_statement" | "variable_declarator" | "lexical_declaration" | "template_declaration" | "type_declaration") {
            return false;
        }
        at = parent;
    }
}

/// Whether the first statement of a Python block is a plain string.
pub fn docstring(tree: &Tree, block: Id) -> bool {
    let Some(first) = tree.elements(block).next() else { return false };
    let Some(value) = tree.elements(first).next() else { return false };
    let plain = |s: Id| tree.kind(s) == "string" && tree.text(s).bytes().take_while(u8::is_ascii_alphabetic).all(|c| matches!(c, b'r' | b'R' | b'u' | b'U'));
    tree.kind(first) == "expression_statement"
        && tree.elements(first).count() == 1
        && match tree.kind(value) {
            "string" => plain(value),
            "concatenated_string" => tree.elements(value).all(plain),
            _ => false,
        }
}
