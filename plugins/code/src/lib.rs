//! What the plugins `code-python`, `code-go`, ... share. Each of them is this crate with
//! one [`Language`]: its module contains that grammar and no other.

mod answer;
mod checks;
mod codebleu;
mod complexity;
mod edit;
mod finding;
pub mod languages;
mod lizard;
mod shape;
mod source;
mod syntax;
mod tokenize;
pub mod unit;

pub use answer::syntax;
pub use checks::checks;
pub use codebleu::{codebleu, codebleu_corpus};
pub use complexity::complexity;
pub use edit::tree_similarity;
pub use finding::Findings;
use rubric_host_sdk::{Config, Result};
use rubric_host_tree::Grammar;
pub use rubric_host_tree::Tree;

/// A language, and what is particular to it. A plugin names one, so that the linker
/// drops the others.
pub struct Language {
    /// As `config.language` has it.
    pub name: &'static str,
    /// Other names, in a Markdown fence.
    pub fences: &'static [&'static str],
    /// The grammar, and its name and version.
    pub grammar: Grammar,
    /// For `details.checker`.
    pub checker: &'static str,
    /// Whether a carriage return alone ends a line; the grammars take it for white space.
    pub returns: bool,
    /// Code on which the grammar fails, in other letters at the same places, so that the grammar may know it; `None`:
    /// there is none. What is valid in one is valid in the other.
    pub rewrite: fn(&str) -> Option<String>,
    /// Syntax errors that the grammar accepts.
    pub rules: fn(&Tree, &Config, &mut Findings) -> Result<()>,
    /// C's preprocessor, which takes names that the text does not define for defined or not; `None`: the language has none.
    pub expand: Option<fn(&str, bool) -> Option<String>>,
    /// Code that is not a whole file; `None`: any statements are a file.
    pub snippets: Option<&'static unit::Snippets>,
    /// Lizard's figures; `None`: it does not know the language.
    pub lizard: Option<lizard::Lizard>,
    /// For CodeBLEU; `None`: it does not know the language.
    pub codebleu: Option<&'static codebleu::Known>,
}

/// Makes a crate a plugin for one language: its manifest and its scorers. `LANGUAGE(rules)`: rules of its own,
/// whose dependencies the other plugins do not have.
#[macro_export]
macro_rules! plugin {
    ($language:ident: $($name:ident),+) => {
        $crate::plugin!($language($crate::languages::$language.rules): $($name),+);
    };
    ($language:ident($rules:expr): $($name:ident),+) => {
        rubric_host_sdk::manifest!("../plugin.yaml");
        const LANGUAGE: $crate::Language = $crate::Language { rules: $rules, ..$crate::languages::$language };
        rubric_host_sdk::scorers!($($name(request) => $crate::$name(&LANGUAGE, request)),+);
    };
}
