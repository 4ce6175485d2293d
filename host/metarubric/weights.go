package metarubric

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// mostCombinations is the number of combinations of answers that weights scores, in less than a second.
const mostCombinations = 1 << 14

// weights finds a threshold that every output reaches, or none does, else criteria whose weight can change no verdict:
// whatever the others are answered, all answers to it lead to the same band. Every combination of answers is scored as an evaluation scores it. Gates are left aside: a
// criterion that fails a case by itself still has no use for its weight.
func (b *reviewer) weights() {
	const check = "weight-without-effect"
	r, leaves := b.Rubric, b.Rubric.Leaves()
	if !r.Pass.Set() {
		b.skip(check, nil, "the rubric has no pass rule: no weight decides anything")
		return
	}
	if len(r.GoAggregates()) > 0 || r.LengthPenalty != nil {
		b.skip(check, nil, "the score does not depend on the answers alone")
		return
	}
	worth, strides, n := make([][]float64, len(leaves)), make([]int, len(leaves)), 1
	for i, c := range leaves {
		worth[i], strides[i] = values(r, c), n
		if n *= len(worth[i]); n > mostCombinations || continuous(r, c) {
			b.skip(check, nil, "the criteria have more than %d combinations of answers", mostCombinations)
			return
		}
	}
	labels, verdicts := make([]string, n), make([]rubric.Verdict, len(leaves))
	for k := range labels {
		for i, c := range leaves {
			verdicts[i] = verdict(r, c, worth[i][k/strides[i]%len(worth[i])])
		}
		total := score.Combine(r, verdicts, score.Options{})
		if total.Score == nil {
			b.skip(check, nil, "the weights give no score")
			return
		}
		labels[k] = r.Pass.Label(*total.Score)
	}
	passes := func(label string) bool { return label == r.Pass.Bands[0].Label }
	switch xslices.Count(labels, passes) {
	case 0:
		b.find(Finding{Severity: diag.Error, Code: "threshold-unreachable", Message: "no output can pass, whatever the answers are", Hint: "lower the threshold"}, "pass")
		return
	case len(labels):
		b.find(Finding{Severity: diag.Error, Code: "threshold-trivial", Message: "every output passes, whatever the answers are", Hint: "raise the threshold"}, "pass")
		return
	}
	for i, c := range leaves {
		matters := false
		for k, label := range labels {
			if k/strides[i]%len(worth[i]) > 0 && label != labels[k-strides[i]] {
				matters = true
			}
		}
		if matters {
			continue
		}
		note := ""
		if r.Gated(c) {
			note = "; its gate does"
		}
		b.of(Finding{Severity: diag.Warning, Code: check, Hint: "raise the weight, make it required, or remove the criterion",
			Message: fmt.Sprintf("the weight of criterion %s, %s, changes no verdict, whatever the others get%s", b.quoted([]string{c.ID}), cmp.Or(c.Weight.Literal, rubric.FormatNumber(c.Weight.Value)), note)}, c.ID)
	}
}

// maxSteps is the length of the longest discrete scale whose steps are looked at
// one by one.
const maxSteps = 100

// continuous reports whether every number between the ends of values is one, too.
func continuous(r *rubric.Rubric, c *rubric.Criterion) bool {
	s := r.ScaleOf(c)
	return c.Answer.KindOrMet() == rubric.KindNumber && !(s.Discrete && s.Max-s.Min <= maxSteps)
}

// values returns the values that a leaf can have, ascending and each once; of a
// continuous scale, its two ends. It is never empty.
func values(r *rubric.Rubric, c *rubric.Criterion) []float64 {
	list := []float64{0, 1}
	switch {
	case c.Answer.KindOrMet() == rubric.KindLevel:
		list = xslices.Map(c.Answer.Levels, func(l rubric.Level) float64 { return l.Score })
		if len(list) == 0 { // rubric.Check refuses it
			list = []float64{0}
		}
	case c.Answer.KindOrMet() == rubric.KindNumber && !continuous(r, c):
		s := r.ScaleOf(c)
		list = list[:0]
		for n := range int(s.Max-s.Min) + 1 {
			list = append(list, s.Position(s.Min+float64(n)))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func verdict(r *rubric.Rubric, c *rubric.Criterion, value float64) rubric.Verdict {
	native, _ := r.NativeOf(c, value) // levels that share a score have none, and need none
	return rubric.Verdict{Criterion: c.ID, Status: rubric.Scored, Value: value, Native: native}
}
