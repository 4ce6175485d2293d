package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

// writeText writes the end summary: gates, figures, the cost of judging, warnings,
// and the next commands.
func writeText(w io.Writer, v *view, o Options) error {
	line := o.bold(v.title())
	for _, f := range v.facts() {
		line += o.dim(" · ") + f
	}
	fmt.Fprintln(w, line)
	if v.Run.Error == nil || v.Run.Counts.Rows > 0 { // else there are no figures
		outcomes(v.Run.Gates).text(w, o)
		v.figures().text(w, o)
	}
	v.audit().text(w, o)
	v.samples().text(w, o)
	v.corpus().text(w, o)
	textSlices(w, v, o)
	textUsage(w, v, o)
	textAgainst(w, v, o)
	v.unscored(maxMessage).text(w, o)
	textNotes(w, "warning", v.sum.Warnings, o)
	textEnd(w, v, o)
	return nil
}

// figureNote counts the rows without a score, and names those with the lowest.
func figureNote(f *result.Figure) string {
	var parts []string
	if missing := f.Unscored + f.Failed; missing > 0 {
		parts = append(parts, fmt.Sprintf("%s unscored", diag.Thousands(missing)))
	}
	if f.Fallback > 0 {
		parts = append(parts, fmt.Sprintf("%s by fallback", diag.Thousands(f.Fallback)))
	}
	for i, low := range f.Worst {
		if i == 3 {
			break
		}
		parts = append(parts, lowName(low))
	}
	return strings.Join(parts, ", ")
}

func totalNote(t *result.Figure) string {
	s := "n=" + diag.Thousands(t.N)
	if t.Clusters > 0 && t.Clusters < t.N {
		s += " clusters=" + diag.Thousands(t.Clusters)
	}
	return s
}

func textUsage(w io.Writer, v *view, o Options) {
	u := v.Run.Usage // of all executions
	if u.Calls == 0 && u.Cached == 0 {
		return
	}
	line := fmt.Sprintf("%s, %s, cost %s", calls(u), tokens(u), cost(u))
	if u.Cached > 0 {
		line += fmt.Sprintf("; %s from the cache", diag.Count(u.Cached, "answer"))
	}
	fmt.Fprintf(w, "\n%s  %s\n", o.bold(" judge"), line)
}

// corpusNote says what a corpus score is over, with its interval as sacrebleu has it, mean and
// half width; or why there is none.
func corpusNote(c *result.Corpus) string {
	switch b := c.Bootstrap; {
	case c.Error != nil:
		return failure(c.Error)
	case b != nil:
		return fmt.Sprintf("over %s; resampled %s ± %s", diag.Count(c.N, "case"), score(&b.Mean), score(&b.Half))
	}
	return "over " + diag.Count(c.N, "case")
}

// maxMessage is how much of a message the summary shows, in characters.
const maxMessage = 2000

// textNotes writes warnings or notes, each behind a label.
func textNotes(w io.Writer, label string, list []string, o Options) {
	if len(list) > 0 {
		fmt.Fprintln(w)
	}
	indent := len(label) + 2
	for _, s := range list {
		fmt.Fprintf(w, " %s %s\n", o.warn(label), strings.Join(wrap(plain(s), o.width()-indent-2), "\n"+strings.Repeat(" ", indent)))
	}
}

func textEnd(w io.Writer, v *view, o Options) {
	word, rest, good := v.outcome()
	fmt.Fprintf(w, "\n %s  %s", o.verdict(word, good), rest)
	if code := v.Run.Exit; code != nil {
		fmt.Fprintf(w, "   exit %d", *code)
	}
	fmt.Fprintln(w)
	if e := v.Run.Error; e != nil {
		fmt.Fprintf(w, " %s\n", failure(e))
		if e.Hint != "" && (v.Run.Status != result.Interrupted || len(v.Next) == 0) { // a next step resumes
			fmt.Fprintf(w, " %s %s\n", o.dim("hint:"), plain(e.Hint))
		}
	}
	g := Options{}.grid()
	for _, s := range v.Next {
		g.Add(o.dim(plain(s.Purpose)+":"), diag.Shell(s.Command...))
	}
	fmt.Fprint(w, g.String())
}
