//! Code checks for TypeScript.

rubric_host_code::plugin!(TYPESCRIPT: syntax, complexity, checks, tree_similarity);
