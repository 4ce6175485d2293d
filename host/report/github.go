package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

// maxAnnotations is how many annotations of one kind GitHub shows of a step.
const maxAnnotations = 10

// annotations writes as many annotations of each kind as GitHub shows.
type annotations struct {
	w io.Writer
	n map[string]int // written, by kind
}

func newAnnotations(w io.Writer) *annotations { return &annotations{w, map[string]int{}} }

// full reports whether GitHub would show no further one of a kind.
func (a *annotations) full(kind string) bool { return a.n[kind] >= maxAnnotations }

func (a *annotations) add(kind string, at *dataset.Case, title, message string) {
	if !a.full(kind) {
		a.n[kind]++
		annotate(a.w, kind, at, title, message)
	}
}

func (a *annotations) gates(list []result.Outcome) {
	for _, g := range list {
		if !g.Passed {
			a.add("error", nil, "gate "+g.Expr, g.Why)
		}
	}
}

// writeGitHub writes annotations: gates and failing cases are errors, cases without a score and those that
// a passing run tolerates are warnings, the result is a notice.
func writeGitHub(w io.Writer, v *view, _ Options) error {
	a := newAnnotations(w)
	a.gates(v.Run.Gates)
	if e := v.Run.Error; e != nil {
		a.add("error", nil, string(e.Class), e.Message)
	}
	more := 0
	for row := range v.rows() {
		kind, title := "error", fmt.Sprintf("case %s: %s %s", caseName(row), verdictWord(row), v.score(row.Score))
		switch {
		case !row.Fails():
			continue
		case row.Score == nil:
			kind, title = "warning", "case "+caseName(row)+" has no score"
		case tolerant(v.Run):
			kind = "warning"
		}
		if a.full(kind) {
			more++
			continue
		}
		a.add(kind, v.caseOf(row), title, v.whyFailed(row))
	}
	word, rest, _ := v.outcome()
	text := word + ": " + rest
	if v.sum.Total.Mean != nil {
		text += fmt.Sprintf(". Mean %s %s, %s", v.score(v.sum.Total.Mean), v.interval(v.sum.Total.Interval), v.passed())
	}
	if more > 0 {
		text += fmt.Sprintf("; %s are not annotated", diag.Count(more, "more failing case"))
	}
	if note := v.contentNote(); note != "" {
		text += "; " + note
	}
	a.add("notice", nil, v.title(), text)
	for _, note := range v.sliceNotes() {
		a.add("notice", nil, "slice "+note[0], note[1])
	}
	return nil
}

// annotate writes one workflow command, at the place of a case if that is known.
// Percent signs and line breaks are escaped, in properties colons and commas
// too, as the runner undoes it.
func annotate(w io.Writer, kind string, at *dataset.Case, title, message string) {
	const most = 1000
	message = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(diag.Fit(plain(message), most))
	place := ""
	if at != nil && at.File != "" {
		place = "file=" + property(at.File) + ","
		if at.Line > 0 {
			place += fmt.Sprintf("line=%d,", at.Line)
		}
	}
	fmt.Fprintf(w, "::%s %stitle=%s::%s\n", kind, place, property(diag.Fit(title, most)), message)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(plain(s))
}
