package report

import (
	"cmp"
	"fmt"
	"io"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

// writeComparisonMarkdown writes comparisons as a comment of a pull request.
func writeComparisonMarkdown(w io.Writer, list []Compared, _ Options) error {
	for i, c := range list {
		if i > 0 {
			fmt.Fprintln(w)
		}
		sign := "✅"
		worse := c.Total.Verdict == result.GotWorse
		if result.Missed(c.Gates) > 0 || len(c.Gates) == 0 && (worse || c.Regressions != nil && *c.Regressions > 0) {
			sign = "❌"
		}
		fmt.Fprintf(w, "## %s %s\n\nbase %s · candidate %s · %s\n", sign, markdown(c.Sentence),
			markdown(sideName(c.Comparison.Base)), markdown(sideName(c.Comparison.Candidate)), pairing(c.Comparison))
		markdownOutcomes(w, c.Gates)
		markdownChange(w, c.Comparison)
	}
	return nil
}

func markdownChange(w io.Writer, c *result.Comparison) {
	fmt.Fprint(w, "\n| | base | now | delta | 95% CI | p | q | pass | p | |\n|---|---:|---:|---:|---|---:|---:|---|---:|---|\n")
	for _, x := range changes(c) {
		r := compareRowOf(x)
		if r.Class != "" {
			r.Verdict = "**" + r.Verdict + "**"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", cmp.Or(markdown(r.ID), "**total**"), r.Base, r.Now, r.Delta, r.Interval,
			markdown(r.P), markdown(r.Q), r.Flips, markdown(r.PassP), r.Verdict)
	}
	for _, r := range corpusRows(c) {
		fmt.Fprintf(w, "| %s (whole set) | %s | %s | %s | %s | | | | | %s |\n", markdown(r.ID), r.Base, r.Now, r.Delta, r.Interval, markdown(r.Verdict))
	}
	if list, all := caseChanges(c, maxMarkdownCases); len(list) > 0 {
		fmt.Fprint(w, "\n<details><summary>Changed cases</summary>\n\n| case | | base | now | criteria |\n|---|---|---:|---:|---|\n")
		for _, x := range list {
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", markdown(diag.Fit(x.Case, 120)), x.State, against(x.Base, x.Candidate), against(x.Candidate, x.Base), markdown(caseCriteria(x)))
		}
		if more := all - len(list) + c.More; more > 0 {
			fmt.Fprintf(w, "\nand %s more\n", diag.Thousands(more))
		}
		fmt.Fprint(w, "\n</details>\n")
	}
	for _, s := range c.Notes {
		fmt.Fprintf(w, "\n> ⚠️ %s\n", markdown(s))
	}
	fmt.Fprintf(w, "\n<sub>%s</sub>\n", markdown(methods(c)))
}
