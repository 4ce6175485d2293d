//! Syntax errors that the grammars accept, a file for each language that has rules.

pub mod bash;
pub mod go;
pub mod javascript;
mod javascript_early;
pub mod json;
pub mod python;
mod python_compile;
mod regex;
pub mod yaml;
