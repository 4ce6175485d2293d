//! Calls and imports. What a program computes - an alias, a name in a string - is not
//! seen: this is a check of style and intent, not a sandbox.

use rubric_host_tree::{Id, Tree};
use std::collections::{HashMap, HashSet};

/// A call or an import.
pub struct Use {
    pub name: String,
    pub start: usize,
    pub end: usize,
}

/// Reports whether a name is meant by a pattern: the name itself, or with a * the
/// beginning or the end of it.
pub fn matches(name: &str, pattern: &str) -> bool {
    match (pattern.strip_suffix('*'), pattern.strip_prefix('*')) {
        (Some(start), _) => name.starts_with(start),
        (None, Some(end)) => name.ends_with(end),
        (None, None) => name == pattern,
    }
}

/// Reports whether a module is another, or below it.
pub fn within(module: &str, other: &str) -> bool {
    module.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/', ':']))
}

/// All calls, and what stands behind an @. Names that a file imports or binds to other names are resolved; a name
/// may be of each module that a file imports with *, and is listed so, too.
pub fn calls(tree: &Tree) -> Vec<Use> {
    let aliases = aliases(tree);
    let stars = stars(tree);
    let mut defined: HashSet<&str> = HashSet::new();
    if !stars.is_empty() {
        // A method of Go, Python and Rust is not called by its name alone.
        let method = |id| tree.field(id, "receiver").is_some() || tree.above(id).take(3).any(|a| matches!(tree.kind(a), "class_definition" | "impl_item" | "trait_item"));
        let definitions = (0..tree.nodes.len()).filter(|&id| matches!(tree.kind(id), "function_definition" | "class_definition" | "function_declaration" | "function_item" | "method_declaration") && !method(id));
        defined.extend(definitions.filter_map(|id| tree.field(id, "name")).map(|name| tree.text(name)));
    }
    // Rust: closures, the first thousand, from their declaration to the end of its block, but in functions within.
    let closure = |id: &Id| tree.kind(*id) == "let_declaration" && tree.field(*id, "value").is_some_and(|v| tree.kind(v) == "closure_expression");
    let closures: Vec<Id> = (0..tree.nodes.len()).filter(|_| !stars.is_empty()).filter(closure).take(1000).collect();
    let sees = |c: Id, call: Id| (tree.node(c).last..tree.node(tree.node(c).parent).last).contains(&call) && tree.above(call).take_while(|&a| a > c).all(|a| tree.kind(a) != "function_item");
    let is_closure = |name: &str, call: Id| closures.iter().any(|&c| sees(c, call) && tree.field(c, "pattern").is_some_and(|p| tree.text(p) == name));
    let mut list = Vec::new();
    for (id, n) in tree.nodes.iter().enumerate() {
        let callee = match n.kind {
            "call" | "call_expression" => tree.field(id, "function").map(|f| plain(tree, f)),
            // Go: the grammar takes f[T](x) for a conversion.
            "type_conversion_expression" => tree.field(id, "type").filter(|&t| tree.kind(t) == "generic_type").map(|t| plain(tree, t)),
            "decorator" => tree.named_children(id).find(|&c| NAMES.contains(&tree.kind(c))).map(|c| plain(tree, c)),
            "new_expression" => tree.field(id, "constructor").or(tree.field(id, "type")).map(|f| plain(tree, f)),
            "object_creation_expression" => tree.field(id, "type").map(|f| plain(tree, f)),
            "macro_invocation" => tree.field(id, "macro").map(|f| plain(tree, f) + "!"),
            "token_tree" => in_macro(tree, id),
            "command" => tree.field(id, "name").map(|f| command(tree, f)),
            "method_invocation" => tree.field(id, "name").map(|name| match tree.field(id, "object") {
                Some(o) => plain(tree, o) + "." + tree.text(name),
                None => tree.text(name).into(),
            }),
            _ => None,
        };
        let Some(callee) = callee else { continue };
        let mut names = resolved(&aliases, &callee);
        if n.kind == "command" && RUNNERS.contains(&callee.rsplit('/').next().unwrap_or("")) {
            let mut arguments = tree.children(id).filter(|&c| tree.node(c).field == "argument").map(|c| command(tree, c));
            names.extend(arguments.find(|a| !a.starts_with('-') && !a.contains('=')));
        }
        // Names that Java imports from a class are not those of classes.
        if n.kind != "object_creation_expression" {
            let own = |name: &str| name.contains('.') || aliases.get(name).is_some_and(|all| all.iter().any(|full| full != name)) || defined.contains(name) || is_closure(name, id);
            let starred: Vec<String> = names.iter().filter(|name| !own(name)).flat_map(|name| stars.iter().map(move |module| format!("{module}{name}"))).collect();
            names.splice(0..0, starred);
        }
        for name in names {
            // A shell finds a command by its last part.
            if let Some((_, command)) = name.rsplit_once('/').filter(|_| n.kind == "command") {
                list.push(Use { name: command.into(), start: n.start, end: n.end });
            }
            if let Some(builtin) = ["builtins.", "__builtins__.", "globals().", "sys.modules.", "globalThis.", "global.", "window.", "java.lang.", "std::", "::"].iter().find_map(|p| name.strip_prefix(p)) {
                list.push(Use { name: builtin.into(), start: n.start, end: n.end });
            }
            // JavaScript: f.call(this, x); Python: f.__call__(x)
            let calls: &[&str] = if n.kind == "call" { &[".__call__"] } else { &[".call", ".apply"] };
            if let Some(function) = calls.iter().find_map(|c| name.strip_suffix(c)).filter(|_| tree.field(id, "function").is_some_and(|f| matches!(tree.kind(f), "member_expression" | "attribute"))) {
                list.push(Use { name: function.into(), start: n.start, end: n.end });
            }
            if name.contains("->") {
                list.push(Use { name: name.replace("->", "."), start: n.start, end: n.end });
            }
            list.push(Use { name, start: n.start, end: n.end });
        }
    }
    list
}

/// The function of a call among the tokens of a macro of Rust: names with `.` and `::` before arguments in parentheses.
fn in_macro(tree: &Tree, arguments: Id) -> Option<String> {
    let parent = tree.node(arguments).parent;
    if tree.kind(parent) != "token_tree" || !tree.text(arguments).starts_with('(') {
        return None;
    }
    let last = arguments - 1;
    let mut first = last;
    while first > parent + 2 && matches!(tree.kind(first - 1), "." | "::") && tree.node(first - 2).parent == parent && is_name(tree, first - 2) {
        first -= 2;
    }
    if !is_name(tree, last) || tree.node(last).parent != parent {
        return None;
    }
    let computed = matches!(tree.kind(first - 1), "." | "::");
    Some(tree.text.get(tree.node(first - usize::from(computed)).start..tree.node(last).end)?.split_whitespace().collect())
}

fn is_name(tree: &Tree, id: Id) -> bool {
    matches!(tree.kind(id), "identifier" | "self" | "super" | "crate" | "primitive_type")
}

/// Commands of a shell that run the command in their arguments.
const RUNNERS: [&str; 9] = ["builtin", "command", "doas", "env", "exec", "nice", "nohup", "sudo", "xargs"];

/// A word of a shell without quotes.
fn command(tree: &Tree, word: Id) -> String {
    plain(tree, word).replace(['\\', '"', '\''], "")
}

/// Names, and attributes of them.
const NAMES: [&str; 8] = ["identifier", "scoped_identifier", "attribute", "member_expression", "selector_expression", "dotted_name", "parenthesized_expression", "await_expression"];

/// Parts of lists that stand for any number of items.
const SPREAD: [&str; 4] = ["list_splat_pattern", "list_splat", "rest_pattern", "spread_element"];

/// Expressions with their type behind them.
const TYPED: [&str; 3] = ["as_expression", "satisfies_expression", "non_null_expression"];

/// What a name stands for: what it is bound to, each of it; without a binding, itself.
fn resolved(aliases: &Aliases, name: &str) -> Vec<String> {
    let head = name.split(['.', ':']).next().unwrap_or("");
    match aliases.get(head) {
        Some(all) => all.iter().map(|full| format!("{full}{}", &name[head.len()..])).collect(),
        None => vec![name.into()],
    }
}

/// Before the names of modules, classes and packages whose names a file has without them: `from os import *`, `use std::process::*`,
/// `import static java.lang.System.*` and `import . "os"`; the first hundred.
fn stars(tree: &Tree) -> Vec<String> {
    let imported = |id| match tree.kind(id) {
        "import_from_statement" if tree.child(id, "wildcard_import").is_some() => tree.field(id, "module_name").map(|m| plain(tree, m) + "."),
        "import_spec" if tree.child(id, "dot").is_some() => tree.field(id, "path").map(|p| format!("{}.", package(tree, p))),
        "use_wildcard" => {
            let lists = tree.above(id).take_while(|&a| tree.kind(a) != "use_declaration").filter_map(|a| tree.field(a, "path"));
            let paths: Vec<String> = tree.named_children(id).next().into_iter().chain(lists).map(|path| plain(tree, path) + "::").collect();
            Some(paths.into_iter().rev().collect())
        }
        "import_declaration" if tree.child(id, "static").is_some() && tree.child(id, "asterisk").is_some() => {
            let class = plain(tree, tree.child(id, "scoped_identifier")?);
            Some(format!("{}.", class.strip_prefix("java.lang.").unwrap_or(&class)))
        }
        _ => None,
    };
    (0..tree.nodes.len()).filter_map(imported).take(100).collect()
}

/// A name without white space, comments, type arguments, parentheses around it and optional chaining. The module that a call imports
/// stands for the call, and the last of several expressions for all.
fn plain(tree: &Tree, id: Id) -> String {
    let mut name = String::new();
    let (mut at, end) = (id, tree.node(id).last);
    while at < end && name.len() < 500 {
        let n = tree.node(at);
        at = match n.kind {
            "parenthesized_expression" | "sequence_expression" | "named_expression" | "await_expression" => tree.elements(at).last().unwrap_or(n.last),
            // Types of TypeScript say nothing of the value in front of them.
            "as" | "satisfies" | "!" if TYPED.contains(&tree.kind(n.parent)) => tree.node(n.parent).last,
            "pointer_expression" => tree.field(at, "argument").unwrap_or(n.last), // (*f)(x) of C
            "type_arguments" | "template_argument_list" => n.last,
            "::" if n.last < end && tree.kind(n.last) == "type_arguments" => n.last,
            _ => {
                if let Some(module) = imported(tree, at, of_module) {
                    name += module;
                    n.last
                } else if let Some((object, _)) = member(tree, at) {
                    object
                } else if let Some((named, text)) = ends_object(tree, at) {
                    name += ".";
                    name += text;
                    tree.node(named).last
                } else {
                    if n.is_leaf(at) && !n.is_trivia() && !(n.kind == ")" && tree.kind(n.parent) == "parenthesized_expression") {
                        name += if n.kind == "?." || n.kind == "optional_chain" { "." } else { tree.text(at) };
                    }
                    at + 1
                }
            }
        };
    }
    name.retain(|c| !c.is_whitespace());
    name.replace("?.", ".").replace("..", ".")
}

/// The object and the name of a member that a text names: `getattr(os, "system")`, `window["eval"]`.
fn member<'t>(tree: &Tree<'t>, id: Id) -> Option<(Id, &'t str)> {
    let (object, name) = match tree.kind(id) {
        "subscript" => (tree.field(id, "value")?, tree.field(id, "subscript")?),
        "subscript_expression" => (tree.field(id, "object")?, tree.field(id, "index")?),
        "call" if tree.field(id, "function").is_some_and(|f| tree.text(f) == "getattr") => {
            let mut arguments = tree.elements(tree.field(id, "arguments")?);
            (arguments.next()?, arguments.next()?)
        }
        _ => return None,
    };
    is_text(tree, name).then(|| (object, tree.text(name).trim_matches(['"', '\'', '`'])))
}

/// The member that a text names, and its name, if a node is the sign behind its object: `[`, or the first comma of `getattr`.
fn ends_object<'t>(tree: &Tree<'t>, id: Id) -> Option<(Id, &'t str)> {
    let named = match tree.kind(id) {
        "[" => tree.node(id).parent,
        "," => tree.node(tree.node(id).parent).parent,
        _ => return None,
    };
    member(tree, named).filter(|(object, _)| tree.node(*object).last <= id).map(|(_, text)| (named, text))
}

/// Whether a node is a text as it stands, without parts that are computed.
fn is_text(tree: &Tree, id: Id) -> bool {
    tree.kind(id) == "string" || tree.kind(id) == "template_string" && tree.child(id, "template_substitution").is_none()
}

/// Whether a function gives the module that its argument names.
fn of_module(function: &str) -> bool {
    matches!(function, "__import__" | "importlib.import_module" | "require" | "module.require" | "import")
}

/// The module of a call whose function imports what its first argument names.
fn imported<'t>(tree: &Tree<'t>, id: Id, imports: impl Fn(&str) -> bool) -> Option<&'t str> {
    if !matches!(tree.kind(id), "call" | "call_expression") || !tree.field(id, "function").is_some_and(|f| imports(tree.text(f))) {
        return None;
    }
    let first = tree.elements(tree.field(id, "arguments")?).next()?;
    let value = if tree.kind(first) == "keyword_argument" { tree.field(first, "value")? } else { first };
    is_text(tree, value).then(|| module(tree, value))
}

/// What the names of a file stand for.
type Aliases<'t> = HashMap<&'t str, Vec<String>>;

/// How much a name may stand for.
const MOST_ALIASES: usize = 20;

/// What the imports of a Python file or a module of JavaScript bind, and names that are bound to names.
fn aliases<'t>(tree: &Tree<'t>) -> Aliases<'t> {
    let mut map = Aliases::new();
    for (id, n) in tree.nodes.iter().enumerate() {
        let from = match n.kind {
            "import_from_statement" => tree.field(id, "module_name").map(|m| plain(tree, m) + "."),
            "import_statement" | "import_require_clause" if tree.field(id, "source").is_some() => {
                if let Some(source) = tree.field(id, "source") {
                    parts(&mut map, tree, id, module(tree, source));
                }
                None
            }
            "import_statement" => Some(String::new()),
            // A class of Java and an item of Rust have their short names, too.
            "use_declaration" => {
                for (path, name) in tree.field(id, "argument").map_or(Vec::new(), |a| used(tree, a)) {
                    bind(&mut map, name, path);
                    bind(&mut map, name, name.into());
                }
                None
            }
            "import_declaration" => {
                if let Some(path) = tree.child(id, "scoped_identifier").filter(|_| tree.child(id, "asterisk").is_none()) {
                    let name = tree.field_text(path, "name");
                    let path = plain(tree, path);
                    bind(&mut map, name, path.strip_prefix("java.lang.").unwrap_or(&path).into());
                    bind(&mut map, name, name.into());
                }
                None
            }
            "import_spec" => {
                if let Some((name, path)) = tree.field(id, "name").zip(tree.field(id, "path")) {
                    bind(&mut map, tree.text(name), package(tree, path).into());
                }
                None
            }
            "assignment" | "named_expression" | "variable_declarator" | "assignment_expression" | "short_var_declaration" | "var_spec" | "let_declaration" => {
                let (left, right) = ["left", "name", "pattern"].iter().zip(["right", "value", "value"]).find_map(|(l, r)| tree.field(id, l).zip(tree.field(id, r))).unwrap_or((id, id));
                let each = |list| tree.elements(list).collect::<Vec<_>>();
                let (mut lefts, mut rights) = (vec![left], vec![right]);
                if let ("pattern_list" | "tuple_pattern" | "expression_list", "expression_list" | "tuple") | ("array_pattern", "array") = (tree.kind(left), tree.kind(right)) {
                    (lefts, rights) = (each(left), each(right));
                }
                if n.kind == "var_spec" {
                    (lefts, rights) = (tree.children(id).filter(|&c| tree.node(c).field == "name").collect(), each(right));
                }
                if lefts.len() != rights.len() || lefts.iter().chain(&rights).any(|&c| SPREAD.contains(&tree.kind(c))) {
                    continue;
                }
                for (left, right) in lefts.into_iter().zip(rights) {
                    let names = NAMES.contains(&tree.kind(right)) || member(tree, right).is_some() || imported(tree, right, of_module).is_some();
                    if tree.kind(left) == "object_pattern" && names {
                        parts(&mut map, tree, left, &plain(tree, right));
                    } else if tree.kind(left) == "identifier" && names {
                        for full in resolved(&map, &plain(tree, right)) {
                            bind(&mut map, tree.text(left), full);
                        }
                        if n.kind == "let_declaration" {
                            bind(&mut map, tree.text(left), tree.text(left).into()); // the path of a module is another name
                        }
                    }
                }
                None
            }
            _ => None,
        };
        let Some(from) = from else { continue };
        for c in tree.children(id).filter(|&c| tree.node(c).field == "name") {
            let (name, alias) = match tree.kind(c) {
                "aliased_import" => (tree.field(c, "name"), tree.field(c, "alias")),
                _ if from.is_empty() => {
                    // import a.b binds a
                    let head = tree.text(c).split('.').next().unwrap_or("").trim();
                    bind(&mut map, head, head.into());
                    continue;
                }
                _ => (Some(c), Some(c)),
            };
            if let (Some(name), Some(alias)) = (name, alias) {
                bind(&mut map, tree.text(alias), format!("{from}{}", plain(tree, name)));
            }
        }
    }
    map
}

/// Binds what a clause or a pattern of JavaScript takes from a module.
fn parts<'t>(map: &mut Aliases<'t>, tree: &Tree<'t>, id: Id, module: &str) {
    for c in tree.below(id) {
        let n = tree.node(c);
        let (name, alias) = match n.kind {
            "import_specifier" => (tree.field(c, "name"), tree.field(c, "alias").or(tree.field(c, "name"))),
            "pair_pattern" if n.parent == id => (tree.field(c, "key"), tree.field(c, "value").map(|v| tree.field(v, "left").unwrap_or(v))),
            "shorthand_property_identifier_pattern" if n.parent == id || tree.kind(n.parent) == "object_assignment_pattern" && tree.node(n.parent).parent == id => (Some(c), Some(c)),
            "identifier" if matches!(tree.kind(n.parent), "import_clause" | "namespace_import" | "import_require_clause") => (None, Some(c)),
            _ => continue,
        };
        if let Some(alias) = alias {
            bind(map, tree.text(alias), name.map_or(module.into(), |name| format!("{module}.{}", tree.text(name))));
        }
    }
}

/// The module that a string names. Node takes a name with `node:` for the same.
fn module<'t>(tree: &Tree<'t>, string: Id) -> &'t str {
    let name = tree.text(string).trim_matches(['"', '\'', '`']);
    name.strip_prefix("node:").unwrap_or(name)
}

/// The last part of the path of a package of Go.
fn package<'t>(tree: &Tree<'t>, path: Id) -> &'t str {
    module(tree, path).rsplit('/').next().unwrap_or("")
}

fn bind<'t>(map: &mut Aliases<'t>, name: &'t str, full: String) {
    let all = map.entry(name).or_default();
    if all.len() < MOST_ALIASES && full.len() < 500 && !all.contains(&full) {
        all.push(full);
    }
}

/// The paths of a `use` of Rust, and the names that they get; the first hundred.
fn used<'t>(tree: &Tree<'t>, argument: Id) -> Vec<(String, &'t str)> {
    let (mut open, mut paths) = (vec![(argument, String::new())], Vec::new());
    while let Some((id, before)) = open.pop().filter(|_| paths.len() < 100) {
        let below = |id| tree.field(id, "path").map_or(before.clone(), |p| format!("{before}{}::", plain(tree, p)));
        match tree.kind(id) {
            "scoped_use_list" => open.extend(tree.field(id, "list").map(|list| (list, below(id)))),
            "use_list" => open.extend(tree.elements(id).map(|c| (c, before.clone()))),
            "use_as_clause" => {
                if let Some((path, alias)) = tree.field(id, "path").zip(tree.field(id, "alias")) {
                    let full = format!("{before}{}", plain(tree, path));
                    paths.push((full.strip_suffix("::self").unwrap_or(&full).into(), tree.text(alias)));
                }
            }
            "self" => {
                let name = before.trim_end_matches("::");
                paths.push((name.into(), tree.field(tree.node(tree.node(id).parent).parent, "path").map_or("", |p| tree.text(p).rsplit("::").next().unwrap_or(""))));
            }
            _ => paths.push((format!("{before}{}", plain(tree, id)), tree.text(id).rsplit("::").next().unwrap_or(""))),
        }
    }
    paths
}

/// All imports: modules, paths and headers, without quotes.
pub fn imports(tree: &Tree) -> Vec<Use> {
    let aliases = aliases(tree);
    let mut list = Vec::new();
    let mut add = |id: Id, name: String| {
        let n = tree.node(id);
        let name = name.trim_matches(['"', '\'', '`', '<', '>']);
        list.push(Use { name: name.strip_prefix("::").unwrap_or(name).into(), start: n.start, end: n.end });
    };
    for (id, n) in tree.nodes.iter().enumerate() {
        match n.kind {
            "import_from_statement" => {
                let Some(module) = tree.field(id, "module_name").map(|m| plain(tree, m)) else { continue };
                let names: Vec<Id> = tree.children(id).filter(|&c| tree.node(c).field == "name").collect();
                if names.is_empty() {
                    add(id, module);
                    continue;
                }
                for c in names {
                    let name = tree.field(c, "name").unwrap_or(c);
                    add(id, format!("{module}.{}", plain(tree, name)));
                }
            }
            "import_statement" | "export_statement" | "import_require_clause" if tree.field(id, "source").is_some() => {
                if let Some(source) = tree.field(id, "source") {
                    add(id, module(tree, source).into());
                }
            }
            "import_statement" => {
                for c in tree.children(id).filter(|&c| tree.node(c).field == "name") {
                    add(id, plain(tree, tree.field(c, "name").unwrap_or(c)));
                }
            }
            "import_spec" => {
                if let Some(path) = tree.field(id, "path") {
                    add(id, plain(tree, path));
                }
            }
            "import_declaration" if tree.child(id, "import_spec").is_none() && tree.child(id, "import_spec_list").is_none() => {
                if let Some(name) = tree.named_children(id).find(|&c| tree.kind(c).ends_with("identifier")) {
                    add(id, plain(tree, name));
                }
            }
            "use_declaration" => {
                if let Some(argument) = tree.field(id, "argument") {
                    for (path, _) in used(tree, argument) {
                        add(id, path);
                    }
                }
            }
            "extern_crate_declaration" => {
                if let Some(name) = tree.field(id, "name") {
                    add(id, tree.text(name).into());
                }
            }
            "preproc_include" => {
                if let Some(path) = tree.field(id, "path") {
                    add(id, plain(tree, path));
                }
            }
            "call" | "call_expression" => {
                let module = imported(tree, id, |f| resolved(&aliases, f).iter().any(|f| f == "import_module" || of_module(f)));
                if let Some(module) = module {
                    add(id, module.into());
                }
            }
            _ => {}
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert!(matches("eval", "eval") && !matches("evaluate", "eval") && matches("os.system", "os.*") && !matches("oss", "os.*") && matches("a.b.sort", "*.sort") && !matches("sort", "*.sort"));
        assert!(within("os.path", "os") && within("os", "os") && !within("oscar", "os") && within("std::fs", "std") && within("net/http", "net"));
    }
}
