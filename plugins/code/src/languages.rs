//! The languages.

use crate::codebleu;
use crate::syntax::{go, javascript, json, python, sql};
use crate::Language;
use rubric_host_tree::grammar;

macro_rules! languages {
    ($($constant:ident $name:literal $fences:expr, $checker:literal, $rules:expr $(, $codebleu:ident)?;)+) => {
        $(#[doc = $checker] pub const $constant: Language = Language {
            name: $name,
            fences: &$fences,
            grammar: grammar::$constant,
            checker: $checker,
            rules: $rules,
            codebleu: languages!(@ $($codebleu)?),
        };)+
    };
    (@) => { None };
    (@ $codebleu:ident) => { Some(&codebleu::$codebleu) };
}

languages! {
    BASH "bash" ["sh", "shell", "zsh"], "tree-sitter-bash-0.25.1", |_, _, _| Ok(());
    C "c" ["h"], "tree-sitter-c-0.24.1", |_, _, _| Ok(()), C;
    CPP "cpp" ["c++", "cc", "cxx", "hpp"], "tree-sitter-cpp-0.23.4", |_, _, _| Ok(()), CPP;
    GO "go" ["golang"], "tree-sitter-go-0.25.0+rules-1", go::rules, GO;
    JAVA "java" [], "tree-sitter-java-0.23.5", |_, _, _| Ok(()), JAVA;
    JAVASCRIPT "javascript" ["js", "jsx", "mjs", "node"], "tree-sitter-javascript-0.25.0+rules-1", javascript::rules, JAVASCRIPT;
    JSON "json" [], "tree-sitter-json-0.24.8+rfc8259", json::rules;
    PYTHON "python" ["py", "python3"], "tree-sitter-python-0.25.0+rules-1", python::rules, PYTHON;
    RUST "rust" ["rs"], "tree-sitter-rust-0.24.0", |_, _, _| Ok(()), RUST;
    SQL "sql" ["sqlite", "postgresql", "postgres", "mysql"], "tree-sitter-sequel-0.3.11", sql::rules;
    TYPESCRIPT "typescript" ["ts"], "tree-sitter-typescript-0.23.2+rules-1", javascript::typescript;
    YAML "yaml" ["yml"], "tree-sitter-yaml-0.7.1", |_, _, _| Ok(());
}
