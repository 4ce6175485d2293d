//! Code checks for YAML.

rubric_host_code::plugin!(YAML: syntax, tree_similarity);
