package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
)

// maxAnnotations is how many annotations of one kind GitHub shows of a step.
const maxAnnotations = 10

// writeGitHub writes workflow commands: an error for each gate and the first
// failing cases, a warning for the first cases without a score, and a notice
// with the result. Failing cases that a run tolerates are warnings: as with JUnit, there is
// no error if the run passed.
func writeGitHub(w io.Writer, v *view, _ Options) error {
	errs := 0
	for _, g := range v.Run.Gates {
		if !g.Passed && errs < maxAnnotations {
			annotate(w, "error", nil, "gate "+g.Expr, g.Why)
			errs++
		}
	}
	if e := v.Run.Error; e != nil && errs < maxAnnotations {
		annotate(w, "error", nil, string(e.Class), e.Message)
		errs++
	}
	warnings, more := 0, 0
	for row := range v.rows() {
		kind, title, n := "error", fmt.Sprintf("case %s: %s %s", caseName(row), verdictWord(row), v.score(row.Score)), &errs
		switch {
		case !row.Fails():
			continue
		case row.Score == nil:
			kind, title, n = "warning", "case "+caseName(row)+" has no score", &warnings
		case tolerant(v.Run):
			kind, n = "warning", &warnings
		}
		if *n >= maxAnnotations {
			more++
			continue
		}
		annotate(w, kind, v.caseOf(row), title, v.whyFailed(row))
		*n++
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
	annotate(w, "notice", nil, v.title(), text)
	for i, note := range v.sliceNotes() {
		if i == maxAnnotations-1 {
			break
		}
		annotate(w, "notice", nil, "slice "+note[0], note[1])
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
