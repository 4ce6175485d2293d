//! JavaScript: early errors of what is bound, assigned to and deleted.

use super::javascript_early::{is_generator, Rules};
use rubric_host_tree::{Id, Node};

impl Rules<'_, '_> {
    /// Parameters of getters and setters.
    pub(super) fn accessor(&mut self, method: Id, id: Id) {
        let tree = self.tree;
        for p in tree.named_children(id) {
            self.binding(p);
        }
        if tree.kind(method) != "method_definition" {
            return;
        }
        let parameters: Vec<Id> = tree.named_children(id).filter(|&c| tree.kind(c) != "comment").collect();
        let (get, set) = (tree.child(method, "get").is_some(), tree.child(method, "set").is_some());
        if get && !parameters.is_empty() {
            self.add(id, "accessor", "a getter has no parameters");
        }
        if set && (parameters.len() != 1 || tree.kind(parameters[0]) == "rest_pattern") {
            self.add(id, "accessor", "a setter has one parameter");
        }
        if (get || set) && (tree.child(method, "async").is_some() || is_generator(tree, method)) {
            self.add(method, "accessor", "a getter or setter is neither async nor a generator");
        }
    }

    /// The names that a pattern declares.
    pub(super) fn patterns(&mut self, pattern: Option<Id>) {
        if let Some(pattern) = pattern.filter(|&p| self.tree.kind(p).ends_with("_pattern")) {
            self.binding(pattern);
        }
    }

    /// A binding holds names and patterns.
    pub(super) fn binding(&mut self, pattern: Id) {
        let tree = self.tree;
        let mut id = pattern;
        while id < tree.node(pattern).last {
            let n = tree.node(id);
            if id != pattern && (n.field == "right" || n.kind == "computed_property_name" || n.field == "key") {
                id = n.last;
                continue;
            }
            if matches!(n.kind, "member_expression" | "subscript_expression" | "non_null_expression") {
                self.add(id, "target", "a declaration binds names");
                id = n.last;
                continue;
            }
            id += 1;
        }
    }

    pub(super) fn rest(&mut self, id: Id, n: &Node) {
        let tree = self.tree;
        // By the text, because a list may be long; a comment is left alone. TypeScript's parameters have a rule of their own.
        if !tree.kind(n.parent).ends_with("_parameter") && tree.text[n.end..].trim_start().starts_with(',') {
            self.add(id, "rest", "a rest element comes last, without a comma");
        }
        if tree.kind(n.parent) == "pair_pattern" {
            self.add(id, "rest", "a property has one value");
        }
        let Some(inner) = tree.named_children(id).find(|&c| tree.kind(c) != "comment") else { return };
        if tree.kind(n.parent) == "object_pattern" && matches!(tree.kind(inner), "object_pattern" | "array_pattern" | "object" | "array") {
            self.add(id, "rest", "the rest of an object is a name");
        }
        self.target(inner, true);
    }

    /// What is assigned to. `patterns`: whether it may be a pattern.
    pub(super) fn target(&mut self, id: Id, patterns: bool) {
        let tree = self.tree;
        let (mut at, mut parentheses) = (id, false);
        while tree.kind(at) == "parenthesized_expression" {
            let Some(inner) = tree.named_children(at).find(|&c| tree.kind(c) != "comment") else { break };
            (at, parentheses) = (inner, true);
        }
        let bad = match tree.kind(at) {
            "identifier" => self.strict[at] && matches!(tree.text(at), "eval" | "arguments"),
            "member_expression" | "subscript_expression" => self.optional(at),
            "call_expression" => tree.field(at, "arguments").is_some_and(|a| tree.kind(a) == "template_string") || self.strict[at] || self.optional(at) || self.imports(at),
            "object_pattern" | "array_pattern" => !patterns || parentheses,
            "assignment_pattern" | "rest_pattern" | "comment" | "undefined" | "ERROR" => false,
            "object" | "array" | "sequence_expression" | "assignment_expression" => true,
            kind => kind.ends_with("_expression") && kind != "yield_expression" || matches!(kind, "number" | "string" | "template_string" | "this" | "null" | "true" | "false" | "regex" | "meta_property" | "arrow_function" | "generator_function" | "class"),
        };
        if bad {
            self.add(id, "target", "invalid target of an assignment");
        }
    }

    /// Reports whether a node is a call of import.
    pub(super) fn imports(&self, id: Id) -> bool {
        self.tree.kind(id) == "call_expression" && self.tree.field(id, "function").is_some_and(|f| self.tree.kind(f) == "import")
    }

    /// Reports whether a chain of members and calls has ?. in it.
    pub(super) fn optional(&self, id: Id) -> bool {
        let tree = self.tree;
        let mut at = id;
        loop {
            if tree.child(at, "optional_chain").is_some() {
                return true;
            }
            let field = match tree.kind(at) {
                "member_expression" | "subscript_expression" => "object",
                "call_expression" => "function",
                _ => return false,
            };
            let Some(next) = tree.field(at, field) else { return false };
            at = next;
        }
    }

    pub(super) fn delete(&mut self, id: Id) {
        let tree = self.tree;
        let Some(mut argument) = tree.field(id, "argument") else { return };
        while tree.kind(argument) == "parenthesized_expression" {
            let Some(inner) = tree.named_children(argument).next() else { return };
            argument = inner;
        }
        if tree.kind(argument) == "identifier" && self.strict[id] {
            self.add(argument, "delete", "a name cannot be deleted in strict mode");
        }
        if tree.field(argument, "property").is_some_and(|p| tree.kind(p) == "private_property_identifier") {
            self.add(argument, "delete", "a private field cannot be deleted");
        }
    }
}
