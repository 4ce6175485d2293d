//! Code checks for JSON.

rubric_host_code::plugin!(JSON: syntax, tree_similarity);
