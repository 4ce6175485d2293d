package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

// writeComparisonGitHub writes annotations at lines of the dataset: gates that failed and, with them,
// regressions are errors, else these are warnings, as lost scores; the result is a notice.
func writeComparisonGitHub(w io.Writer, list []Compared, _ Options) error {
	a := newAnnotations(w)
	var broken error
	for _, c := range list {
		a.gates(c.Gates)
		kinds := map[result.CaseState]string{result.Regressed: "warning", result.LostScore: "warning"}
		if result.Missed(c.Gates) > 0 {
			kinds[result.Regressed] = "error"
		}
		for _, x := range c.Cases {
			kind := kinds[x.State]
			if kind == "" || a.full(kind) {
				continue
			}
			at, err := c.candidateCase(x.CandidateDigest)
			broken = cmp.Or(broken, err)
			a.add(kind, at, fmt.Sprintf("%s %s: %s", c.Counted(), diag.Fit(x.Case, 120), x.State),
				strings.TrimSuffix(fmt.Sprintf("%s → %s: %s", against(x.Base, x.Candidate), against(x.Candidate, x.Base), caseCriteria(&x)), ": "))
		}
		annotate(w, "notice", nil, sideName(c.Comparison.Candidate)+" against "+sideName(c.Comparison.Base), c.Sentence)
	}
	return broken
}

// candidateCase finds the content of a case of the candidate, nil if it is not known.
func (c Compared) candidateCase(digest string) (*dataset.Case, error) {
	if c.Candidate == nil {
		return nil, nil //nolint:nilnil // the caller handles nil
	}
	return c.Candidate(digest)
}
