//! Code checks for JavaScript.

rubric_host_code::plugin!(JAVASCRIPT: syntax, complexity, checks, codebleu, codebleu_corpus, tree_similarity);
