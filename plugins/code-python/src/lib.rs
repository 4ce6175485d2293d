//! Code checks for Python.

rubric_host_code::plugin!(PYTHON: syntax, complexity, checks, codebleu, codebleu_corpus, tree_similarity);
