package metarubric

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Bounds on the search for weights without effect.
const (
	mostSums = 1 << 19 // different sums of the criteria
	mostWork = 1 << 26 // sums that are made, in about a second
)

// sameSum is how far apart two sums are that differ only by the rounding of their parts.
// A band begins rubric.Slack below its threshold, which is farther from every sum that is
// written with fewer than nine decimals.
const sameSum = 1e-13

// An effect is the effect of a weight on the verdict.
type effect int

const (
	none effect = iota
	some
	unknown
)

// sums are the contributions of criteria to the score.
type sums struct {
	items  []contribution
	bounds []float64 // the sums from which on a band is reached
	total  float64   // of the largest contributions
	work   int
}

// A contribution is what a criterion can add to the score beyond its least: one of its
// steps, ascending from 0, or anything up to the last one.
type contribution struct {
	steps      []float64
	continuous bool
}

func (c contribution) high() float64 { return c.steps[len(c.steps)-1] }

// newSums reads a rubric. ok is false if its weights give no score.
func newSums(r *rubric.Rubric) (s *sums, ok bool) {
	divisor, least := divisorOf(r)
	if !(divisor > 0) || !rubric.Finite(divisor) {
		return nil, false
	}
	s, least = &sums{}, least/divisor // least: the score of the smallest contributions
	for i := range r.Criteria {
		c, from := contributionOf(r, &r.Criteria[i], divisor)
		least += from
		s.items, s.total = append(s.items, c), s.total+c.high()
	}
	for _, band := range r.Pass.Bands {
		if band.Min > 0 && band.Min <= 1+rubric.Slack { // the score is cut to [0, 1]: every sum reaches others, or none does
			s.bounds = append(s.bounds, band.Min-rubric.Slack-least)
		}
	}
	return s, true
}

// divisorOf returns the divisor of the weighted sum, and the number that is added to
// the sum before: rubrics with nothing but penalties count from 1. The divisor is 0 if
// weights cancel each other out.
func divisorOf(r *rubric.Rubric) (divisor, shift float64) {
	positive, negative := 0.0, 0.0
	for i := range r.Criteria {
		if w := r.Criteria[i].Weight.Value; w < 0 {
			negative -= w
		} else {
			positive += w
		}
	}
	switch a := r.Policy.Aggregate; {
	case a == rubric.WeightedMean || negative == 0 && a != rubric.Signed:
		if positive-negative < rubric.Slack*positive {
			return 0, 0
		}
		return positive - negative, 0
	case positive == 0:
		return negative, negative
	}
	return positive, 0
}

// contributionOf returns the contribution of a criterion, and its least value.
func contributionOf(r *rubric.Rubric, c *rubric.Criterion, divisor float64) (out contribution, least float64) {
	var list []float64
	if c.Group() {
		low, high := ends(r, c)
		list, out.continuous = []float64{low, high}, true
	} else {
		list, out.continuous = values(r, c), continuous(r, c)
	}
	share := c.Weight.Value / divisor
	for i := range list {
		list[i] *= share
	}
	if share < 0 {
		slices.Reverse(list)
	}
	least = list[0]
	for _, v := range list {
		if v -= least; len(out.steps) == 0 || v > out.high() {
			out.steps = append(out.steps, v)
		}
	}
	return out, least
}

// effects returns the effect of each weight; unknown where there are too many sums.
func (s *sums) effects() []effect {
	out := make([]effect, len(s.items))
	for i, c := range s.items {
		// The others have some sum from 0 to rest; it matters if a bound lies above it and
		// at most high above it.
		rest := s.total - c.high()
		if c.high() > 0 && slices.ContainsFunc(s.bounds, func(at float64) bool { return at > 0 && at-c.high() <= rest+sameSum }) {
			out[i] = s.decide(i)
		}
	}
	return out
}

// decide returns the effect of an item beside every sum of the others. Continuous ones add up to
// width to it.
func (s *sums) decide(i int) effect {
	others, width := []float64{0}, 0.0
	for k, c := range s.items {
		switch {
		case k == i:
		case c.continuous:
			width += c.high()
		default:
			if others = s.plus(others, c.steps); others == nil {
				return unknown
			}
		}
	}
	for _, at := range s.bounds {
		// The others' sum x must be below at, and x + width + high must reach it.
		k, _ := slices.BinarySearch(others, at-s.items[i].high()-width)
		if k < len(others) && others[k] < at {
			return some
		}
	}
	return none
}

// plus returns the sums of an ascending list and one of the steps; nil: there are too many.
func (s *sums) plus(list, steps []float64) []float64 {
	all := list
	for _, step := range steps[1:] {
		var merged []float64
		add := func(x float64) {
			if n := len(merged); n == 0 || x > merged[n-1]+sameSum {
				merged = append(merged, x)
			}
		}
		for _, x := range list {
			for len(all) > 0 && all[0] <= x+step {
				add(all[0])
				all = all[1:]
			}
			add(x + step)
		}
		for _, x := range all {
			add(x)
		}
		if s.work += len(merged); len(merged) > mostSums || s.work > mostWork {
			return nil
		}
		all = merged
	}
	return all
}

// weights finds criteria whose weight can change no verdict: whatever the others get,
// their best and their worst value lead to the same band. It is exact where the score
// is a sum over criteria with levels: every sum that the others can have is tried.
// Where there are too many, or some value is continuous, only certain findings are
// reported. Gates are left aside: a criterion
// that fails a case by itself still has no use for its weight.
func (b *reviewer) weights() {
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
			note := ""
			if r.Gated(c) {
				note = "; its gate does"
			}
			b.of(Finding{Severity: diag.Warning, Code: check, Hint: "raise the weight, make it required, or remove the criterion",
				Message: fmt.Sprintf("the weight of criterion %s, %s, changes no verdict, whatever the others get%s", b.quoted([]string{c.ID}), cmp.Or(c.Weight.Literal, rubric.FormatNumber(c.Weight.Value)), note)}, c.ID)
		case unknown:
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		b.skip(check, open, "too many different sums: only the largest and the smallest are looked at")
	}
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

// values returns the values that a leaf can have, ascending and each once; of a
// continuous scale, or one with many steps, its two ends. It is never empty.
func values(r *rubric.Rubric, c *rubric.Criterion) []float64 {
	list := []float64{0, 1}
	switch c.Answer.KindOrMet() {
	case rubric.KindLevel:
		list = xslices.Map(c.Answer.Levels, func(l rubric.Level) float64 { return l.Score })
		if len(list) == 0 { // rubric.Check refuses it
			list = []float64{0}
		}
	case rubric.KindNumber:
		if s := r.ScaleOf(c); s.Discrete && s.Max-s.Min <= maxSteps {
			list = list[:0]
			for n := s.Min; n <= s.Max; n++ {
				list = append(list, s.Position(n))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// maxSteps is the length of the longest discrete scale whose steps are looked at
// one by one.
const maxSteps = 100

// continuous reports whether every number between the ends of values is one, too.
func continuous(r *rubric.Rubric, c *rubric.Criterion) bool {
	s := r.ScaleOf(c)
	return c.Answer.KindOrMet() == rubric.KindNumber && !(s.Discrete && s.Max-s.Min <= maxSteps)
}

func verdict(r *rubric.Rubric, c *rubric.Criterion, value float64) rubric.Verdict {
	native, _ := r.NativeOf(c, value) // levels that share a score have none, and need none
	return rubric.Verdict{Criterion: c.ID, Status: rubric.Scored, Value: value, Native: native}
}
