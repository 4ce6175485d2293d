//! The languages.

use crate::codebleu;
use crate::lizard;
use crate::syntax::{bash, c, go, java, javascript, javascript_names, json, preprocess, python, rust, yaml};
use crate::unit;
use crate::Language;
use rubric_host_tree::grammar;

macro_rules! languages {
    ($($constant:ident $name:literal $fences:expr, $checker:literal, $rules:expr, $rewrite:expr, [$($expand:expr)?], [$($snippets:ident)?], $lizard:expr $(, $codebleu:ident)?;)+) => {
        $(#[doc = $checker] pub const $constant: Language = Language {
            name: $name,
            fences: &$fences,
            grammar: grammar::$constant,
            checker: $checker,
            rules: $rules,
            returns: matches!($name.as_bytes(), b"c" | b"cpp" | b"java" | b"javascript" | b"python" | b"typescript"),
            rewrite: $rewrite,
            expand: languages!(? $($expand)?),
            snippets: languages!(@ unit $($snippets)?),
            lizard: $lizard,
            codebleu: languages!(@ codebleu $($codebleu)?),
        };)+
    };
    (@ $module:ident) => { None };
    (@ $module:ident $known:ident) => { Some(&$module::$known) };
    (?) => { None };
    (? $expand:expr) => { Some($expand) };
}

languages! {
    BASH "bash" ["sh", "shell", "zsh"], "tree-sitter-bash-0.25.1+reader-1", bash::rules, bash::words, [], [], None;
    C "c" ["h"], "tree-sitter-c-0.24.1+rules-15", c::rules, c::known_c, [|text, assumed| preprocess::expand(text, false, assumed)], [C], Some(lizard::c), C;
    CPP "cpp" ["c++", "cc", "cxx", "hpp"], "tree-sitter-cpp-0.23.4+rules-16", c::rules_cpp, c::known_cpp, [|text, assumed| preprocess::expand(text, true, assumed)], [C], Some(lizard::c), CPP;
    GO "go" ["golang"], "tree-sitter-go-0.25.0+rules-10", go::rules, go::headers, [], [GO], Some(lizard::go), GO;
    JAVA "java" [], "tree-sitter-java-0.23.5+rules-9", java::rules, java::names, [], [JAVA], Some(lizard::java), JAVA;
    JAVASCRIPT "javascript" ["js", "jsx", "mjs", "cjs", "node"], "tree-sitter-javascript-0.25.0+rules-17", javascript::rules, javascript_names::using, [], [], Some(lizard::script), JAVASCRIPT;
    JSON "json" [], "tree-sitter-json-0.24.8+rfc8259", json::rules, |_| None, [], [], None;
    PYTHON "python" ["py", "py3", "python3"], "tree-sitter-python-0.25.0+rules-12", python::rules, python::join, [], [], Some(lizard::python), PYTHON;
    RUST "rust" ["rs"], "tree-sitter-rust-0.24.0+rules-14", rust::rules, rust::blocks, [], [RUST], Some(lizard::rust), RUST;
    SQL "sql" ["sqlite", "postgresql", "postgres", "mysql"], "tree-sitter-sequel-0.3.11+sqlite3-parser-0.17.0+sqlparser-0.64.0", |_, _, _| Ok(()), |_| None, [], [], None;
    TYPESCRIPT "typescript" ["ts", "mts", "cts"], "tree-sitter-typescript-0.23.2+rules-16", javascript::typescript, javascript_names::types_of_modules, [], [], Some(lizard::script);
    YAML "yaml" ["yml"], "tree-sitter-yaml-0.7.1+rules-4", yaml::rules, |_| None, [], [], None;
}
