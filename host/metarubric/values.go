package metarubric

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// values returns the values that a leaf can have, ascending and each once; of a
// continuous scale, or one with many steps, its two ends. It is never empty.
func values(r *rubric.Rubric, c *rubric.Criterion) []float64 {
	list := []float64{0, 1}
	switch c.Answer.KindOrMet() {
	case rubric.KindLevel:
		list = list[:0]
		for _, l := range c.Answer.Levels {
			list = append(list, l.Score)
		}
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
