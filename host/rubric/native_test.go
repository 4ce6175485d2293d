package rubric_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/rubric"
)

func answers(t *rapid.T) rubric.Answer {
	switch kind := rapid.SampledFrom([]rubric.Kind{"", rubric.KindMet, rubric.KindLevel, rubric.KindNumber}).Draw(t, "kind"); kind {
	case rubric.KindLevel:
		a := rubric.Answer{Kind: kind}
		for i := range rapid.IntRange(1, 5).Draw(t, "levels") {
			a.Levels = append(a.Levels, rubric.Level{ID: string(rune('a' + i)), Score: float64(rapid.IntRange(0, 6).Draw(t, "score")) / 6})
		}
		return a
	case rubric.KindNumber:
		low := float64(rapid.IntRange(-10, 10).Draw(t, "low"))
		return rubric.Answer{Kind: kind, Scale: &rubric.Scale{Min: low, Max: low + float64(rapid.IntRange(1, 20).Draw(t, "width")), Discrete: rapid.Bool().Draw(t, "discrete")}}
	default:
		return rubric.Answer{Kind: kind}
	}
}

// TestNativeOf_IsTheInverseOfValue draws criteria and values: the answer of NativeOf
// has the value, and for a value without an answer there is none.
func TestNativeOf_IsTheInverseOfValue(t *testing.T) {
	r := &rubric.Rubric{}
	rapid.Check(t, func(t *rapid.T) {
		c := &rubric.Criterion{ID: "c", Answer: answers(t)}
		value := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 1, 0.5, 1. / 3, 0.1 + 0.2, 1 - 1e-12, -0.1, 1.1, math.NaN()})).Draw(t, "value")
		n, ok := r.NativeOf(c, value)
		if !ok {
			if n != (rubric.Native{}) {
				t.Fatalf("%v, and not ok", n)
			}
			if c.Answer.Kind == rubric.KindNumber && !c.Answer.Scale.Discrete && value >= 0 && value <= 1 {
				t.Fatalf("a scale without gaps does not have %v", value)
			}
			return
		}
		worth, err := r.Value(c, n)
		if err != nil || math.Abs(worth-value) > rubric.Slack {
			t.Fatalf("%v is worth %v, %v; want %v", n, worth, err, value)
		}
		alike := 0
		for _, l := range c.Answer.Levels {
			if math.Abs(l.Score-value) <= rubric.Slack {
				alike++
			}
		}
		if alike > 1 {
			t.Fatalf("%v was guessed among %d levels", n, alike)
		}
	})
}
