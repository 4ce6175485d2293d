//! Code checks for SQL.

mod syntax;

rubric_host_code::plugin!(SQL(syntax::rules): syntax, tree_similarity);
