//! Code checks for Java.

rubric_host_code::plugin!(JAVA: syntax, complexity, checks, codebleu, codebleu_corpus, tree_similarity);
