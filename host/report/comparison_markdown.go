package report

import (
	"fmt"
	"io"

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
		outcomes(c.Gates).markdown(w)
		markdownChange(w, c.Comparison)
	}
	return nil
}

func markdownChange(w io.Writer, c *result.Comparison) {
	for _, t := range changeTables(changes(c), c.Corpus) {
		t.markdown(w)
	}
	list, all := caseChanges(c, maxMarkdownCases)
	caseTable(list).details(w, "Changed cases", all+c.More)
	for _, s := range c.Notes {
		fmt.Fprintf(w, "\n> ⚠️ %s\n", markdown(s))
	}
	fmt.Fprintf(w, "\n<sub>%s</sub>\n", markdown(methods(c)))
}
