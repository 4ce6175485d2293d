//! Code checks for Go.

rubric_host_code::plugin!(GO: syntax, complexity, checks, codebleu, codebleu_corpus, tree_similarity);
