package report

import (
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
		outcomes(c.Gates).text(w, o)
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
	for _, t := range changeTables(changes(c), c.Corpus) {
		t.text(w, o)
	}
	textCases(w, c, o)
	textNotes(w, "note ", c.Notes, o)
}

// textCases lists the first cases that became worse.
func textCases(w io.Writer, c *result.Comparison, o Options) {
	const most = 10
	list, all := caseChanges(c, most, important...)
	if len(list) == 0 {
		return
	}
	t := caseTable(list)
	t.title, t.Heads = "worse", nil
	t.text(w, o)
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
