//! The machines that run beside that of functions: nesting, and `&&` that is not a condition.

use super::*;

/// Lizard's `CLikeNestingStackStates`: braces, and the names of classes and namespaces.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Nesting {
    Global,
    Template,
    Dot,
    Namespace,
    Name,
    Attribute,
}

/// Lizard's `CppRValueRefStates`: `&&` that is not a condition.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Reference {
    Global,
    Reference,
    Typedef,
}

pub(super) struct Parallel {
    pub(super) functions: Machines,
    pub(super) nesting: Nesting,
    pub(super) brackets: i64,
    pub(super) saved: Vec<String>,
    pub(super) reference: Option<Reference>,
    pub(super) ands: i64,
}

impl Parallel {
    pub(super) fn take(&mut self, token: &str, context: &mut Context) {
        self.functions.call(0, token, context);
        self.nest(token, context);
        self.refer(token, context);
    }

    fn nest(&mut self, token: &str, context: &mut Context) {
        match self.nesting {
            Nesting::Global => match token {
                "template" => self.nesting = Nesting::Template,
                "." => self.nesting = Nesting::Dot,
                "struct" | "class" | "namespace" | "union" => self.nesting = Nesting::Namespace,
                "{" => context.add_bare_nesting(),
                "}" => context.pop_nesting(),
                _ => {}
            },
            Nesting::Dot => self.nesting = Nesting::Global,
            Nesting::Namespace => {
                self.nesting = if token == "[" { Nesting::Attribute } else { Nesting::Name };
                self.nest(token, context);
            }
            Nesting::Name if matches!(token, ")" | "(" | "{" | ";") => {
                self.nesting = Nesting::Global;
                let saved = std::mem::take(&mut self.saved);
                if token == "{" {
                    let name = saved.iter().take_while(|t| !matches!(t.as_str(), "<" | ":" | "final" | "[" | "extends" | "implements"));
                    context.add_namespace(name.map(String::as_str).collect());
                }
            }
            Nesting::Name => self.saved.push(token.into()),
            Nesting::Template => self.skip("<", ">", token, Nesting::Global),
            Nesting::Attribute => self.skip("[", "]", token, Nesting::Namespace),
        }
    }

    fn skip(&mut self, open: &str, shut: &str, token: &str, next: Nesting) {
        self.brackets += i64::from(token == open) - i64::from(token == shut);
        if self.brackets == 0 {
            self.nesting = next;
        }
    }

    fn refer(&mut self, token: &str, context: &Context) {
        let Some(state) = self.reference else { return };
        self.reference = Some(match state {
            Reference::Global if token == "&&" => Reference::Reference,
            Reference::Global if token == "typedef" => Reference::Typedef,
            Reference::Reference if matches!(token, "=" | ";" | "{" | "}" | ")") => {
                if token == "=" {
                    context.add_condition(-1);
                }
                Reference::Global
            }
            Reference::Typedef if token == ";" => {
                context.add_condition(-std::mem::take(&mut self.ands));
                Reference::Global
            }
            Reference::Typedef => {
                self.ands += i64::from(token == "&&");
                state
            }
            _ => state,
        });
    }
}
