package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

// writeComparisonGitHub writes workflow commands: an error for each gate that is
// not passed and, if there is one, the first cases that regressed, else warnings of them; a warning for the first that lost
// their score, at their lines of the dataset, and a notice with the result.
func writeComparisonGitHub(w io.Writer, list []Compared, _ Options) error {
	errs, warnings := 0, 0
	var broken error
	for _, c := range list {
		failed := slices.ContainsFunc(c.Gates, func(g result.Outcome) bool { return !g.Passed })
		for _, g := range c.Gates {
			if !g.Passed && errs < maxAnnotations {
				annotate(w, "error", nil, "gate "+g.Expr, g.Why)
				errs++
			}
		}
		for _, x := range c.Cases {
			kind, n := "", &warnings
			switch x.State {
			case "regressed":
				kind = "warning"
				if failed {
					kind, n = "error", &errs
				}
			case "lost score":
				kind = "warning"
			}
			if kind == "" || *n >= maxAnnotations {
				continue
			}
			*n++
			var at *dataset.Case
			if c.Candidate != nil {
				var err error
				if at, err = c.Candidate(x.CandidateDigest); err != nil && broken == nil {
					broken = err
				}
			}
			annotate(w, kind, at, fmt.Sprintf("case %s: %s", diag.Fit(x.Case, 120), x.State),
				fmt.Sprintf("%s → %s: %s", against(x.Base, x.Candidate), against(x.Candidate, x.Base), caseCriteria(&x)))
		}
		annotate(w, "notice", nil, sideName(c.Comparison.Candidate)+" against "+sideName(c.Comparison.Base), c.Sentence)
	}
	return broken
}
