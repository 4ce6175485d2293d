//! Syntax trees by tree-sitter, whose C code `grammars/build.sh` compiles. All unsafe
//! code of the code plugins is in this crate.
//!
//! A [`Tree`] is one flat list of nodes in preorder: a subtree is a range of it, and no
//! analysis of it recurses, however deep the source nests.

mod ffi;
mod flat;
#[cfg(target_arch = "wasm32")]
mod libc;
mod query;

pub use ffi::{Grammar, Limits};
pub use flat::{Id, Node, Tree, ROOT};
pub use query::{Match, Query};

/// The grammars that `grammars/build.sh` compiles. A module contains those that it names.
pub mod grammar {
    use crate::ffi::Grammar;

    macro_rules! grammars {
        ($($(#[$doc:meta])* $name:ident = $symbol:ident;)+) => {
            extern "C" { $(fn $symbol() -> *const crate::ffi::Language;)+ }
            $($(#[$doc])* pub const $name: Grammar = Grammar($symbol);)+
        };
    }

    grammars! {
        /// tree-sitter-bash 0.25.1
        BASH = tree_sitter_bash;
        /// tree-sitter-c 0.24.1
        C = tree_sitter_c;
        /// tree-sitter-cpp 0.23.4
        CPP = tree_sitter_cpp;
        /// tree-sitter-go 0.25.0
        GO = tree_sitter_go;
        /// tree-sitter-java 0.23.5
        JAVA = tree_sitter_java;
        /// tree-sitter-javascript 0.25.0
        JAVASCRIPT = tree_sitter_javascript;
        /// tree-sitter-json 0.24.8
        JSON = tree_sitter_json;
        /// tree-sitter-python 0.25.0
        PYTHON = tree_sitter_python;
        /// tree-sitter-rust 0.24.0
        RUST = tree_sitter_rust;
        /// tree-sitter-sequel 0.3.11
        SQL = tree_sitter_sql;
        /// tree-sitter-typescript 0.23.2
        TYPESCRIPT = tree_sitter_typescript;
        /// tree-sitter-yaml 0.7.1
        YAML = tree_sitter_yaml;
    }
}
