//! Code checks for Rust.

rubric_host_code::plugin!(RUST: syntax, complexity, checks, codebleu, codebleu_corpus, tree_similarity);
