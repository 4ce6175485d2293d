package report

import (
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
		_, bad := verdictGood(c.Total.Verdict)
		if result.Missed(c.Gates) > 0 || len(c.Gates) == 0 && (bad || c.Regressions != nil && *c.Regressions > 0) {
			sign = "❌"
		}
		fmt.Fprintf(w, "## %s %s\n\nbase %s · candidate %s · %s\n", sign, markdown(c.Sentence),
			markdown(sideName(c.Comparison.Base)), markdown(sideName(c.Comparison.Candidate)), pairing(c.Comparison))
		markdownOutcomes(w, c.Gates)
		markdownChange(w, c.Comparison)
	}
	return nil
}

// markdownChange writes figures, cases and notes of a comparison.
func markdownChange(w io.Writer, c *result.Comparison) {
	fmt.Fprint(w, "\n| | base | now | delta | 95% CI | p | q | pass | p | |\n|---|---:|---:|---:|---|---:|---:|---|---:|---|\n")
	for _, x := range changes(c) {
		name := markdown(x.ID)
		if x.ID == "" {
			name = "**total**"
		}
		word := string(x.Verdict)
		if good, bad := verdictGood(x.Verdict); good || bad {
			word = "**" + word + "**"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name, against(x.Base, x.Candidate), against(x.Candidate, x.Base), delta(x.Delta), deltaInterval(x.Interval),
			markdown(pValue(x.P)), markdown(pValue(x.Q)), flips(x), markdown(pValue(passP(x))), word)
	}
	for i := range c.Corpus {
		x := &c.Corpus[i]
		fmt.Fprintf(w, "| %s (whole set) | %s | %s | %s | %s | | | | | %s |\n", markdown(x.Name), against(x.Base, x.Candidate), against(x.Candidate, x.Base), delta(x.Delta), deltaInterval(x.Interval), markdown(corpusTests(x)))
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
