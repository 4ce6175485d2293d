package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

func writeComparisonText(w io.Writer, list []Compared, o Options) error {
	for i, c := range list {
		if i > 0 {
			fmt.Fprintln(w)
		}
		head := fmt.Sprintf("%s %s %s %s · %s", o.dim("base"), o.bold(sideName(c.Comparison.Base)), o.dim("candidate"), o.bold(sideName(c.Comparison.Candidate)), pairing(c.Comparison))
		fmt.Fprintln(w, strings.Join(o.lines(head, 0), "\n "))
		textOutcomes(w, c.Gates, o)
		textChange(w, c.Comparison, o)
		textSentence(w, plain(c.Sentence), o)
	}
	return nil
}

func textSentence(w io.Writer, text string, o Options) {
	fmt.Fprintln(w)
	for _, line := range o.lines(text, 1) {
		fmt.Fprintln(w, " "+o.bold(line))
	}
}

// textChange writes the figures, cases, notes and the sentence of a comparison.
func textChange(w io.Writer, c *result.Comparison, o Options) {
	g := o.grid(false, true, true, true, false, true, true)
	g.Add("", o.dim("base"), o.dim("now"), o.dim("delta"), o.dim("95% CI"), o.dim("p"), o.dim("q"), "")
	passes := o.grid(false, true, true, true, true, true, true, true)
	passes.Add(o.dim("pass rate"), o.dim("base"), o.dim("now"), o.dim("lost"), o.dim("gained"), o.dim("p"), o.dim("agree"), o.dim("kappa"))
	for _, x := range changes(c) {
		r := compareRowOf(x)
		r.ID = cmp.Or(r.ID, o.bold("TOTAL"))
		if r.Class != "" {
			r.Verdict = o.verdict(r.Verdict, r.Class == "good")
		}
		g.Add(r.ID, r.Base, r.Now, r.Delta, r.Interval, r.P, r.Q, r.Verdict)
		if pass := x.Pass; pass != nil {
			passes.Add(r.ID, share(pass.Base, pass.Candidate), share(pass.Candidate, pass.Base), diag.Thousands(pass.Regressions), diag.Thousands(pass.Improvements), r.PassP, share(pass.Agreement, pass.Agreement), score(pass.Kappa))
		}
	}
	fmt.Fprintf(w, "\n%s", g.String())
	if len(passes.rows) > 1 {
		fmt.Fprintf(w, "\n%s", passes.String())
	}
	if len(c.Corpus) > 0 {
		fmt.Fprintf(w, "\n%s\n", o.bold(" whole set")+o.dim(ofWholeSets))
		g := o.grid(false, true, true, true)
		for _, r := range corpusRows(c) {
			g.Add(" "+r.ID, r.Base, r.Now, r.Delta, r.Interval, r.Verdict)
		}
		fmt.Fprint(w, g.String())
	}
	textCases(w, c, o)
	if len(c.Notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, s := range c.Notes {
		fmt.Fprintf(w, " %s  %s\n", o.warn("note"), strings.Join(wrap(plain(s), o.width()-8), "\n       "))
	}
}

// textCases lists the first cases that became worse.
func textCases(w io.Writer, c *result.Comparison, o Options) {
	const most = 10
	list, all := caseChanges(c, most, important...)
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", o.bold(" worse"))
	g := o.grid()
	for _, x := range list {
		g.Add(" "+diag.Fit(plain(x.Case), 120), string(x.State), against(x.Base, x.Candidate)+" → "+against(x.Candidate, x.Base), caseCriteria(x))
	}
	fmt.Fprint(w, g.String())
	rest := fmt.Sprintf("and %s more", diag.Thousands(all-most))
	switch { // better cases come last: behind one nothing is worse
	case c.More > 0 && c.Cases[len(c.Cases)-1].State != result.BetterCase:
		rest = "and perhaps more"
		if all > most {
			rest = fmt.Sprintf("and at least %s more", diag.Thousands(all-most))
		}
	case all <= most:
		return
	}
	fmt.Fprintln(w, o.dim("  "+rest+" in the other formats"))
}

// textAgainst adds the changes since the baseline to the report of a run.
func textAgainst(w io.Writer, v *view, o Options) {
	c := v.sum.Baseline
	if c == nil {
		return
	}
	textSentence(w, "against "+sideName(c.Base)+": "+plain(c.Sentence), o)
	textChange(w, c, o)
}
