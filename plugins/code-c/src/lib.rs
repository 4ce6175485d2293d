//! Code checks for C.

rubric_host_code::plugin!(C: syntax, complexity, checks, codebleu, codebleu_corpus, tree_similarity);
