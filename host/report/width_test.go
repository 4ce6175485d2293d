package report_test

import (
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
)

// Nothing is cut off: on a screen the last column is wrapped, elsewhere lines have
// any length.
func TestWrite_SummaryCutsNothingOff(t *testing.T) {
	long := "endpoint openai:gpt-5-mini: HTTP 401: " + strings.Repeat("the key is not valid ", 20) + "END"
	d := sample()
	run := *d.Run
	s := *run.Summary
	s.Unscored = []result.UnscoredClass{{Class: "judge-auth", Count: 5000, Case: "case-0", Message: long}}
	s.Slices = nil // as wide as there are criteria
	s.Baseline = comparisonOf("tone").Comparison
	s.Baseline.Slices = nil
	s.Baseline.Sentence += ", which takes more columns than a usual screen has for the sentence"
	run.Summary, d.Run = &s, &run
	flat := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	for _, width := range []int{0, 40, 60, 80, 120} {
		text := render(t, report.Text, d, report.Options{Width: width})
		if !strings.Contains(flat(text), flat(long)) {
			t.Errorf("width %d: the message is cut off:\n%s", width, text)
		}
		if width == 0 && !strings.Contains(text, long) {
			t.Errorf("the message is not on one line where lines may have any length")
		}
		for line := range strings.Lines(text) {
			if n := report.Columns(strings.TrimRight(line, "\n")); width >= 80 && n > width && !strings.Contains(line, "rubric-host ") {
				t.Errorf("width %d: a line has %d columns: %s", width, n, line)
			}
		}
	}
}

// One long id takes no room from the other rows.
func TestFailures_LongIDStandsAlone(t *testing.T) {
	d := docOf([]*result.Row{supportRow("short", false, "neutral", false, 0.28), supportRow(strings.Repeat("long", 20), false, "neutral", false, 0.28)})
	var b strings.Builder
	must(t, report.Failures(&b, d, "", report.Options{Width: 60}))
	if !strings.Contains(b.String(), "\n short  FAIL  ") && !strings.HasPrefix(b.String(), " short  FAIL  ") {
		t.Error(b.String())
	}
}

// A program is shown as it was written: without its indentation Python cannot be read.
func TestFailures_KeepsIndentation(t *testing.T) {
	d := sample()
	code := "def f(a):\n    if a:\n\treturn 'x  y'\n" + strings.Repeat(" ", 200) + "deep\n        " + strings.Repeat("word ", 20) + "\n"
	d.Case = func(row *result.Row) (*dataset.Case, error) {
		return &dataset.Case{ID: row.Case, Output: code, HasOutput: true, Fields: []dataset.Field{{Name: "output"}}}, nil
	}
	var b strings.Builder
	must(t, report.Failures(&b, d, "q-0193", report.Options{Width: 80}))
	for _, want := range []string{"output   def f(a):\n", "\n                   if a:\n", "\n                   return 'x  y'\n", "deep\n", "\n" + strings.Repeat(" ", 23) + "word word", "word\n" + strings.Repeat(" ", 23) + "word"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	for line := range strings.Lines(b.String()) {
		if n := report.Columns(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
