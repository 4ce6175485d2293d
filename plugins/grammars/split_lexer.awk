# Splits ts_lex of a generated parser.c in two. Bash's lexer has 11,172 branches in one
# function, and the sandbox compiles at most 8,000. Each half returns the state that it
# continues with, or -1 at the end of a token. The halves have the same states, and
# advance at the same places, as the whole.
#
#     awk -v middle=STATE -f split_lexer.awk parser.c

function head(name) {
	print "static __attribute__((noinline)) int " name "(TSLexer *lexer, TSStateId state, bool *accepted) {"
	print "  START_LEXER();"
	print "  eof = lexer->eof(lexer);"
	print "  switch (state) {"
}

function foot() {
	print "    default:"
	print "      *accepted |= result;"
	print "      return state;"
	print "  }"
	print "}"
}

/^static bool ts_lex\(TSLexer/ {
	inside = 1
	print "#undef END_STATE"
	print "#define END_STATE() { *accepted |= result; return -1; }"
	head("ts_lex_low")
}
inside && $0 == "    case " middle ":" { foot(); head("ts_lex_high") }
inside && /^    default:$/ {
	foot()
	print "#undef END_STATE"
	print "#define END_STATE() return result;"
	print "static bool ts_lex(TSLexer *lexer, TSStateId state) {"
	print "  bool accepted = false;"
	print "  for (int next = state; next >= 0;)"
	print "    next = next < " middle " ? ts_lex_low(lexer, next, &accepted) : ts_lex_high(lexer, next, &accepted);"
	print "  return accepted;"
	print "}"
}
!inside { print }
inside && /^    case / { cases = 1 }
inside && cases && !/^    default:$/ && !/^      return false;$/ && !/^  }$/ && !/^}$/ { print }
inside && /^}$/ { inside = cases = 0 }
