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

// verdict returns the verdict on c that has a value.
func verdict(r *rubric.Rubric, c *rubric.Criterion, value float64) rubric.Verdict {
	v := rubric.Verdict{Criterion: c.ID, Status: rubric.Scored, Value: value}
	switch c.Answer.KindOrMet() {
	case rubric.KindMet:
		v.Native = rubric.MetIs(value >= 1)
	case rubric.KindLevel:
		for _, l := range c.Answer.Levels {
			if l.Score == value {
				v.Native = rubric.LevelIs(l.ID)
				break
			}
		}
	case rubric.KindNumber:
		s := r.ScaleOf(c)
		v.Native = rubric.NumberIs(s.Min + float64(value*(s.Max-s.Min)))
	}
	return v
}
