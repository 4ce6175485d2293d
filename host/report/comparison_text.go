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
	p := paint{o.Color}
	for i, c := range list {
		if i > 0 {
			fmt.Fprintln(w)
		}
		head := fmt.Sprintf("%s %s %s %s · %s", p.dim("base"), p.bold(sideName(c.Comparison.Base)), p.dim("candidate"), p.bold(sideName(c.Comparison.Candidate)), pairing(c.Comparison))
		fmt.Fprintln(w, strings.Join(o.lines(head, 0), "\n "))
		textOutcomes(w, c.Gates, p, o)
		textChange(w, c.Comparison, p, o)
		textSentence(w, plain(c.Sentence), p, o)
	}
	return nil
}

func textSentence(w io.Writer, text string, p paint, o Options) {
	fmt.Fprintln(w)
	for _, line := range o.lines(text, 1) {
		fmt.Fprintln(w, " "+p.bold(line))
	}
}

// textChange writes the figures, cases, notes and the sentence of a comparison.
func textChange(w io.Writer, c *result.Comparison, p paint, o Options) {
	g := o.grid(false, true, true, true, false, true, true)
	g.Add("", p.dim("base"), p.dim("now"), p.dim("delta"), p.dim("95% CI"), p.dim("p"), p.dim("q"), "")
	passes := o.grid(false, true, true, true, true, true, true, true)
	passes.Add(p.dim("pass rate"), p.dim("base"), p.dim("now"), p.dim("lost"), p.dim("gained"), p.dim("p"), p.dim("agree"), p.dim("kappa"))
	for _, x := range changes(c) {
		r := compareRowOf(x)
		r.ID = cmp.Or(r.ID, p.bold("TOTAL"))
		if r.Class != "" {
			r.Verdict = p.verdict(r.Verdict, r.Class == "good")
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
		fmt.Fprintf(w, "\n%s\n", p.bold(" whole set")+p.dim(ofWholeSets))
		g := o.grid(false, true, true, true)
		for _, r := range corpusRows(c) {
			g.Add(" "+r.ID, r.Base, r.Now, r.Delta, r.Interval, r.Verdict)
		}
		fmt.Fprint(w, g.String())
	}
	textCases(w, c, p, o)
	if len(c.Notes) > 0 {
		fmt.Fprintln(w)
	}
	for _, s := range c.Notes {
		fmt.Fprintf(w, " %s  %s\n", p.warn("note"), strings.Join(wrap(plain(s), o.width()-8), "\n       "))
	}
}

// textCases lists the first cases that became worse.
func textCases(w io.Writer, c *result.Comparison, p paint, o Options) {
	const most = 10
	list, all := caseChanges(c, most, important...)
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", p.bold(" worse"))
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
	fmt.Fprintln(w, p.dim("  "+rest+" in the other formats"))
}

// textAgainst adds the changes since the baseline to the report of a run.
func textAgainst(w io.Writer, v *view, p paint, o Options) {
	c := v.sum.Baseline
	if c == nil {
		return
	}
	textSentence(w, "against "+sideName(c.Base)+": "+plain(c.Sentence), p, o)
	textChange(w, c, p, o)
}
