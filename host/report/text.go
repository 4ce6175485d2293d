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
		textOutcomes(w, v.Run.Gates, o)
		textFigures(w, v, o)
	}
	v.audit().text(w, o)
	v.samples().text(w, o)
	textCorpus(w, v, o)
	textSlices(w, v, o)
	textUsage(w, v, o)
	textAgainst(w, v, o)
	textUnscored(w, v, o)
	textWarnings(w, v, o)
	textEnd(w, v, o)
	return nil
}

func textOutcomes(w io.Writer, gates []result.Outcome, o Options) {
	if len(gates) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", o.bold(" gates"))
	g := o.grid()
	for _, gate := range gates {
		word := "FAIL"
		if gate.Passed {
			word = "PASS"
		}
		g.Add(" "+o.verdict(word, gate.Passed), plain(gate.Expr), plain(gate.Why))
	}
	fmt.Fprint(w, g.String())
}

func textFigures(w io.Writer, v *view, o Options) {
	g := o.grid(false, true, true, false, true)
	lowest := "worst cases"
	if v.sum.Audit != nil {
		lowest = "lowest probes" // of which most must not pass
	}
	g.Add(o.dim("criterion"), o.dim("weight"), o.dim("score"), o.dim("95% CI"), o.dim("pass"), o.dim(lowest))
	gates := false
	for _, f := range v.sum.Figures() {
		name := plain(f.ID)
		if f.Gate {
			name += " " + o.warn("*")
			gates = true
		}
		g.Add(name, weight(f.Weight), v.score(f.Mean), v.interval(f.Interval), v.passRate(f.Pass), figureNote(f))
	}
	t := &v.sum.Total
	g.Add(o.bold("TOTAL"), "", o.bold(v.score(t.Mean)), v.interval(t.Interval), v.passRate(t.Pass), totalNote(t))
	fmt.Fprintf(w, "\n%s", g.String())
	if gates {
		fmt.Fprintln(w, o.dim(" * a gate: if it is not met the case fails, whatever its score"))
	}
	if n := t.N; n > 0 {
		fmt.Fprintf(w, "\n%s %s %s\n", o.dim(" scores 0"), sparkline(t.Histogram), o.dim("1"))
	}
}

// figureNote names the rows with the lowest scores, or the scored ones where the
// rubric has no pass rule.
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
	if len(parts) == 0 && f.Pass == nil && f.Scorer != "" {
		parts = append(parts, fmt.Sprintf("(%s %s)", plain(f.By), plain(f.Scorer)))
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

// sparks are bars of one to eight eighths.
var sparks = []rune("▁▂▃▄▅▆▇█")

// sparkline draws a histogram on one line; an empty bin is a blank.
func sparkline(counts []int) string {
	most := 0
	for _, n := range counts {
		most = max(most, n)
	}
	var b strings.Builder
	for _, n := range counts {
		if n == 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(sparks[(n*len(sparks)-1)/most])
	}
	return b.String()
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

// ofWholeSets says what the scores of whole sets are.
const ofWholeSets = " (from summed statistics; BLEU is 0 to 100)"

func textCorpus(w io.Writer, v *view, o Options) {
	if len(v.sum.Corpus) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", o.bold(" whole set")+o.dim(ofWholeSets))
	g := o.grid(false, true)
	for _, c := range v.sum.Corpus {
		g.Add(" "+plain(c.Name), v.score(c.Score), corpusNote(&c))
	}
	fmt.Fprint(w, g.String())
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

func textUnscored(w io.Writer, v *view, o Options) {
	if len(v.sum.Unscored) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", o.bold(" unscored")+o.dim(" (excluded from the mean)"))
	g := o.grid(true)
	for _, u := range v.sum.Unscored {
		g.Add(" "+diag.Thousands(u.Count), o.warn(plain(string(u.Class))), "such as "+example(&u, maxMessage))
	}
	fmt.Fprint(w, g.String())
}

func textWarnings(w io.Writer, v *view, o Options) {
	if len(v.sum.Warnings) == 0 {
		return
	}
	fmt.Fprintln(w)
	for _, s := range v.sum.Warnings {
		fmt.Fprintf(w, " %s %s\n", o.warn("warning"), strings.Join(wrap(plain(s), o.width()-11), "\n         "))
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
