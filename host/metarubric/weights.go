package metarubric

import (
	"fmt"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// weights finds criteria whose weight can change no verdict: whatever the others get,
// their best and their worst value lead to the same band. It is exact where the score
// is a sum over criteria with levels: every sum that the others can have is tried.
// Where there are too many, or some value is continuous, only certain findings are
// reported. Gates are left aside: a criterion
// that fails a case by itself still has no use for its weight.
func (b *book) weights() {
	const check = "weight-without-effect"
	r := b.Rubric
	switch {
	case !r.Pass.Set():
		b.skip(check, nil, "the rubric has no pass rule: no weight decides anything")
		return
	case !isSum(r):
		b.skip(check, nil, "the score is not a sum over criteria")
		return
	}
	s, ok := newSums(r)
	if !ok {
		b.skip(check, nil, "the weights give no score")
		return
	}
	effect := s.effects()
	var open []string
	for i := range r.Criteria {
		c := &r.Criteria[i]
		switch effect[i] {
		case none:
			b.of(Finding{Severity: diag.Warning, Code: check, Hint: "raise the weight, make it required, or remove the criterion",
				Message: fmt.Sprintf("the weight of criterion %s, %s, changes no verdict, whatever the others get%s", b.quoted([]string{c.ID}), literal(c), gateNote(r, c))}, c.ID)
		case unknown:
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		b.skip(check, open, "too many different sums: only the largest and the smallest are looked at")
	}
}

func literal(c *rubric.Criterion) string {
	if c.Weight.Literal != "" {
		return c.Weight.Literal
	}
	return rubric.FormatNumber(c.Weight.Value)
}

func gateNote(r *rubric.Rubric, c *rubric.Criterion) string {
	if r.Gated(c) {
		return "; its gate does"
	}
	return ""
}

// isSum reports whether the score is Σ v·w over a divisor that does not depend on the
// verdicts, cut to [0, 1].
func isSum(r *rubric.Rubric) bool {
	switch a := r.Policy.Aggregate; {
	case len(r.Metrics) > 0 || r.LengthPenalty != nil || r.Policy.RawAsScore || r.Policy.Raw == rubric.RawOnScale && r.Policy.Normalization != "" && r.Policy.Normalization != rubric.MinMax:
		return false
	default:
		return a == "" || a == rubric.Auto || a == rubric.WeightedMean || a == rubric.Signed
	}
}
