//! Code checks for SQL.

rubric_host_code::plugin!(SQL: syntax, tree_similarity);
