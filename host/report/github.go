package report

import (
	"fmt"
	"io"
	"strings"
)

// maxAnnotations is how many annotations of one kind GitHub shows of a step.
const maxAnnotations = 10

// writeGitHub writes workflow commands: an error for each gate and the first
// failing cases, a warning for the first cases without a score, and a notice
// with the result.
func writeGitHub(w io.Writer, v *view, _ Options) error {
	errs := 0
	for _, g := range v.Run.Gates {
		if !g.Passed && errs < maxAnnotations {
			annotate(w, "error", "gate "+g.Expr, g.Why)
			errs++
		}
	}
	if e := v.Run.Error; e != nil && errs < maxAnnotations {
		annotate(w, "error", string(e.Class), e.Message)
		errs++
	}
	warnings, more := 0, 0
	for row := range v.rows() {
		switch {
		case !failing(row):
		case row.Score == nil && warnings < maxAnnotations:
			annotate(w, "warning", "case "+caseName(row)+" has no score", whyFailed(row))
			warnings++
		case row.Score != nil && errs < maxAnnotations:
			annotate(w, "error", fmt.Sprintf("case %s: %s %s", caseName(row), verdictWord(row), score(row.Score)), whyFailed(row))
			errs++
		default:
			more++
		}
	}
	word, rest, _ := v.outcome()
	text := fmt.Sprintf("%s: %s. Mean %s %s, %s", word, rest, score(v.sum.Total.Mean), interval(v.sum.Total.Interval), v.passed())
	if more > 0 {
		text += fmt.Sprintf("; %s are not annotated", plural(more, "more failing case"))
	}
	annotate(w, "notice", v.title(), text)
	return nil
}

// annotate writes one workflow command. Percent signs and line breaks are
// escaped, in the title colons and commas too, as the runner undoes it.
func annotate(w io.Writer, kind, title, message string) {
	const most = 1000
	message = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(clip(plain(message), most))
	title = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(clip(plain(title), most))
	fmt.Fprintf(w, "::%s title=%s::%s\n", kind, title, message)
}
