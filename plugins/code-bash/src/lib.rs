//! Code checks for Bash.

rubric_host_code::plugin!(BASH: syntax, complexity, checks, tree_similarity);
