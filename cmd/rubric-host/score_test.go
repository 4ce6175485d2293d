package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/rubric"
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

// TestScored_UsualLinesAreThoseOfTheLibrary compares the lines that are written by hand.
func TestScored_UsualLinesAreThoseOfTheLibrary(t *testing.T) {
	for _, details := range []string{"", "{}", `{"a":1.50,"b":[1,2e3],"c":"<&>/","d":{"e":null}}`, "{\"del\":\"\x7f\"}"} {
		for _, x := range []float64{0, math.Copysign(0, -1), 1e-6, 0.1 + 0.2, 1.0 / 3, 1, 5e-7} {
			for _, fuel := range []uint64{0, math.MaxUint64} {
				v := rubric.Verdict{Status: rubric.Scored, Value: x, Plain: true, Details: []byte(details), How: rubric.How{Fuel: fuel}}
				answer := scoredOf(&v)
				var want bytes.Buffer
				w := bufio.NewWriter(&want)
				if err := writeLine(w, &answer); err != nil || w.Flush() != nil {
					t.Fatal(err)
				}
				got := answer.appendUsual(nil, &v)
				if x == 5e-7 { // the library writes an exponent
					if got != nil {
						t.Errorf("%v: got %s, want nothing", x, got)
					}
				} else if string(got) != want.String() {
					t.Errorf("got  %swant %s", got, &want)
				}
			}
		}
	}
}
