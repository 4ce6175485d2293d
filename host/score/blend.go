package score

import (
	"cmp"
	"fmt"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// Normalize maps a native score on a scale to [0, 1], for scores on the scale
// (OpenRubricRL 0.1.0, hybrid processor; research/seeds.md 1.1.3).
func Normalize(how rubric.Normalization, s rubric.Scale, x float64) float64 {
	mid, width := (s.Min+s.Max)/2, s.Max-s.Min
	switch how {
	case rubric.Sigmoid:
		return 1 / (1 + exponential(-product(4/width, x-mid)))
	case rubric.ZScore:
		return 1 / (1 + exponential(-(x-mid)/(width/4)))
	}
	return s.Position(x)
}

// blend joins the criteria's score with the metrics that count. Without
// metrics it is the score itself.
func (b *book) blend(mean float64, metrics []member) (float64, error) {
	how := cmp.Or(b.r.Policy.Blend, rubric.WeightedAverage)
	value, share, counted := mean, 0.0, 0
	var added float64
	for i := range metrics {
		m := &metrics[i]
		if !m.counts {
			continue
		}
		counted++
		v, w := m.verdict.Value, m.c.Weight.Value
		switch how {
		case rubric.WeightedAverage:
			share += w
			added += product(v, w)
		case rubric.Multiplicative:
			value = product(value, power(v, w))
		case rubric.BlendMax:
			value = max(value, v)
		case rubric.BlendMin:
			value = min(value, v)
		default:
			return 0, noScore(fmt.Sprintf("unknown blend %q", how))
		}
	}
	if counted == 0 {
		return mean, nil
	}
	if how == rubric.WeightedAverage {
		value = product(mean, max(0, 1-share)) + added
	}
	return b.clamp("the blended score", value), nil
}
