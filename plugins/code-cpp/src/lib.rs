//! Code checks for C++.

rubric_host_code::plugin!(CPP: syntax, complexity, checks, codebleu, codebleu_corpus, tree_similarity);
