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

/// Reports whether a name is meant by a pattern: the name itself, or with a final * the
/// beginning of it.
pub fn matches(name: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    }
}

/// Reports whether a module is another, or below it.
pub fn within(module: &str, other: &str) -> bool {
    module.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/', ':']))
}

/// All calls. Names that a Python file imports are resolved to what they were imported from; a name
/// may be of each module that is imported with *, and is listed so, too.
pub fn calls(tree: &Tree) -> Vec<Use> {
    let aliases = aliases(tree);
    let stars = stars(tree);
    let mut defined: HashSet<&str> = HashSet::new();
    if !stars.is_empty() {
        let definitions = (0..tree.nodes.len()).filter(|&id| matches!(tree.kind(id), "function_definition" | "class_definition"));
        defined.extend(definitions.filter_map(|id| tree.field(id, "name")).map(|name| tree.text(name)));
    }
    let mut list = Vec::new();
    for (id, n) in tree.nodes.iter().enumerate() {
        let callee = match n.kind {
            "call" | "call_expression" => tree.field(id, "function").map(|f| plain(tree.text(f))),
            "new_expression" => tree.field(id, "constructor").map(|f| plain(tree.text(f))),
            "object_creation_expression" => tree.field(id, "type").map(|f| plain(tree.text(f))),
            "macro_invocation" => tree.field(id, "macro").map(|f| plain(tree.text(f)) + "!"),
            "command" => tree.field(id, "name").map(|f| plain(tree.text(f))),
            "method_invocation" => tree.field(id, "name").map(|name| match tree.field(id, "object") {
                Some(o) => plain(tree.text(o)) + "." + tree.text(name),
                None => tree.text(name).into(),
            }),
            _ => None,
        };
        let Some(mut name) = callee else { continue };
        let head = name.split('.').next().unwrap_or("");
        if let Some(full) = aliases.get(head) {
            name = format!("{full}{}", &name[head.len()..]);
        }
        if !name.contains('.') && !aliases.contains_key(name.as_str()) && !defined.contains(name.as_str()) {
            list.extend(stars.iter().map(|module| Use { name: format!("{module}.{name}"), start: n.start, end: n.end }));
        }
        if let Some(builtin) = name.strip_prefix("builtins.").or_else(|| name.strip_prefix("__builtins__.")) {
            list.push(Use { name: builtin.into(), start: n.start, end: n.end });
        }
        list.push(Use { name, start: n.start, end: n.end });
    }
    list
}

/// Modules that a Python file imports with *; the first hundred.
fn stars(tree: &Tree) -> Vec<String> {
    let imports = (0..tree.nodes.len()).filter(|&id| tree.kind(id) == "import_from_statement" && tree.child(id, "wildcard_import").is_some());
    imports.filter_map(|id| tree.field(id, "module_name")).map(|m| plain(tree.text(m))).take(100).collect()
}

/// A name without white space and optional chaining.
fn plain(text: &str) -> String {
    text.chars().take(500).filter(|c| !c.is_whitespace()).collect::<String>().replace("?.", ".")
}

/// What imported names of a Python file stand for.
fn aliases<'t>(tree: &Tree<'t>) -> HashMap<&'t str, String> {
    let mut map = HashMap::new();
    for (id, n) in tree.nodes.iter().enumerate() {
        let module = match n.kind {
            "import_from_statement" => tree.field(id, "module_name").map(|m| plain(tree.text(m)) + "."),
            "import_statement" => Some(String::new()),
            _ => None,
        };
        let Some(module) = module else { continue };
        for c in tree.children(id).filter(|&c| tree.node(c).field == "name") {
            let (name, alias) = match tree.kind(c) {
                "aliased_import" => (tree.field(c, "name"), tree.field(c, "alias")),
                _ if module.is_empty() => continue, // import a.b binds a
                _ => (Some(c), Some(c)),
            };
            if let (Some(name), Some(alias)) = (name, alias) {
                map.insert(tree.text(alias), format!("{module}{}", plain(tree.text(name))));
            }
        }
    }
    map
}

/// All imports: modules, paths and headers, without quotes.
pub fn imports(tree: &Tree) -> Vec<Use> {
    let mut list = Vec::new();
    let mut add = |id: Id, name: String| {
        let n = tree.node(id);
        list.push(Use { name: name.trim_matches(['"', '\'', '`', '<', '>']).into(), start: n.start, end: n.end });
    };
    for (id, n) in tree.nodes.iter().enumerate() {
        match n.kind {
            "import_from_statement" => {
                let Some(module) = tree.field(id, "module_name").map(|m| plain(tree.text(m))) else { continue };
                let names: Vec<Id> = tree.children(id).filter(|&c| tree.node(c).field == "name").collect();
                if names.is_empty() {
                    add(id, module);
                    continue;
                }
                for c in names {
                    let name = tree.field(c, "name").unwrap_or(c);
                    add(id, format!("{module}.{}", plain(tree.text(name))));
                }
            }
            "import_statement" | "export_statement" if tree.field(id, "source").is_some() => {
                if let Some(source) = tree.field(id, "source") {
                    add(id, plain(tree.text(source)));
                }
            }
            "import_statement" => {
                for c in tree.children(id).filter(|&c| tree.node(c).field == "name") {
                    add(id, plain(tree.text(tree.field(c, "name").unwrap_or(c))));
                }
            }
            "import_spec" => {
                if let Some(path) = tree.field(id, "path") {
                    add(id, plain(tree.text(path)));
                }
            }
            "import_declaration" if tree.child(id, "import_spec").is_none() && tree.child(id, "import_spec_list").is_none() => {
                if let Some(name) = tree.named_children(id).find(|&c| tree.kind(c).ends_with("identifier")) {
                    add(id, plain(tree.text(name)));
                }
            }
            "use_declaration" => {
                if let Some(argument) = tree.field(id, "argument") {
                    add(id, plain(tree.text(argument)));
                }
            }
            "preproc_include" => {
                if let Some(path) = tree.field(id, "path") {
                    add(id, plain(tree.text(path)));
                }
            }
            "call" | "call_expression" => {
                let function = tree.field(id, "function").map_or(String::new(), |f| plain(tree.text(f)));
                let literal = tree.field(id, "arguments").and_then(|a| tree.named_children(a).next()).filter(|&s| tree.kind(s) == "string");
                if let (true, Some(s)) = (matches!(function.as_str(), "__import__" | "importlib.import_module" | "import_module" | "require" | "import"), literal) {
                    add(id, plain(tree.text(s)));
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
        assert!(matches("eval", "eval") && !matches("evaluate", "eval") && matches("os.system", "os.*") && !matches("oss", "os.*"));
        assert!(within("os.path", "os") && within("os", "os") && !within("oscar", "os") && within("std::fs", "std") && within("net/http", "net"));
    }
}
