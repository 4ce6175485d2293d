package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestScoreLines_AnswersAtOnce asks as a trainer does: the next line is written when the last one
// is answered. A blank line has an answer, too.
func TestScoreLines_AnswersAtOnce(t *testing.T) {
	in, ask := io.Pipe()
	answers, out := io.Pipe()
	t.Cleanup(func() { answers.Close() })
	go func() {
		run([]string{"score", "bleu", "--lines", "--isolate", "never"}, in, out, io.Discard)
		out.Close()
	}()
	lines := bufio.NewReader(answers)
	for _, tc := range []struct{ line, want string }{
		{`{"output":"a b","references":["a b"]}`, `"status":"scored"`},
		{"no JSON", `"class":"invalid"`},
		{"", "line 3 is blank"},
		{`{"output":"a b","references":["a b"]}`, `"status":"scored"`},
		{" ", "line 5 is blank"},
	} {
		fmt.Fprintln(ask, tc.line)
		if got, err := lines.ReadString('\n'); err != nil || !strings.Contains(got, tc.want) {
			t.Fatalf("%q: %q, %v", tc.line, got, err)
		}
	}
	ask.Close()
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}
