package dialect

import (
	"cmp"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// effective returns the effective policy for r: parts that cannot matter
// there are set to one form, so that two policies with the same arithmetic are
// equal. Strategy is left out.
func effective(r *rubric.Rubric, p rubric.Policy) rubric.Policy {
	p.Strategy = ""
	switch p.Aggregate {
	case "", rubric.Auto: // the signed form, which is the mean where no weight is negative
		p.Aggregate = rubric.Signed
	case rubric.WeightedMean:
		if !anyNegative(r.Criteria) {
			p.Aggregate = rubric.Signed
		}
	}
	if p.Blend == "" || len(r.Metrics) == 0 {
		p.Blend = rubric.WeightedAverage
	}
	if p.Normalization == "" || p.Raw != rubric.RawOnScale {
		p.Normalization = rubric.MinMax
	}
	if p.RawAsScore && p.Raw == rubric.RawNone {
		p.RawAsScore = false
	}
	if p.Required != rubric.RequiredEvaluated && !anyRequired(r) {
		p.Required = rubric.RequiredIgnored
	}
	p.Overall = cmp.Or(p.Overall, &rubric.Scale{Min: 0, Max: 100})
	return p
}

// everyCriterion returns a rubric that has the criteria of all rubrics of a
// document: the effective policy depends on them.
func (doc *Document) everyCriterion(r *rubric.Rubric) *rubric.Rubric {
	all := *r
	all.Criteria = append([]rubric.Criterion{}, r.Criteria...)
	for i := range doc.Cases {
		if own := doc.Cases[i].Rubric; own != nil && own != doc.Rubric {
			all.Criteria = append(all.Criteria, own.Criteria...)
		}
	}
	return &all
}

func anyNegative(list []rubric.Criterion) bool {
	for i := range list {
		if list[i].Weight.Value < 0 || anyNegative(list[i].Criteria) {
			return true
		}
	}
	return false
}

func anyRequired(r *rubric.Rubric) bool {
	found := false
	r.Walk(func(_ string, c *rubric.Criterion) { found = found || c.Required })
	return found
}
