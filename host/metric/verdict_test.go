package metric

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestScore_TakesTheFormOfTheCriterion(t *testing.T) {
	tone := rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "cold"}, {ID: "neutral", Score: 0.6}, {ID: "warm", Score: 1}}}
	twins := rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "a", Score: 0.5}, {ID: "b", Score: 0.5}, {ID: "c", Score: 1}}}
	on := func(low, high float64, discrete bool) rubric.Answer {
		return rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Min: low, Max: high, Discrete: discrete}}
	}
	tests := []struct {
		name   string
		answer rubric.Answer
		bounds [2]float64 // of the plugin's scores; zero: 0..1
		text   string
		native rubric.Native
		value  float64
		broken string // part of the message; empty: there is a verdict
	}{
		{"a score on the usual scale", on(0, 1, false), [2]float64{}, `{"score":0.73}`, rubric.NumberIs(0.73), 0.73, ""},
		{"a score on the rubric's scale", rubric.Answer{Kind: rubric.KindNumber}, [2]float64{}, `{"score":0.25}`, rubric.NumberIs(2), 0.25, ""},
		{"a score of a range of its own", on(0, 1, false), [2]float64{-10, 10}, `{"score":5}`, rubric.NumberIs(0.75), 0.75, ""},
		{"a score of the criterion's own range is not rounded", on(0, 10, false), [2]float64{0, 10}, `{"score":0.3}`, rubric.NumberIs(0.3), 0.03, ""},
		{"a range upside down of the scale's", on(1, 5, false), [2]float64{0, 100}, `{"score":50}`, rubric.NumberIs(3), 0.5, ""},
		{"the low end", on(0, 1, false), [2]float64{-1, 1}, `{"score":-1}`, rubric.NumberIs(0), 0, ""},
		{"the high end", on(0, 1, false), [2]float64{-1, 1}, `{"score":1}`, rubric.NumberIs(1), 1, ""},
		{"below the range", on(0, 1, false), [2]float64{-1, 1}, `{"score":-1.0001}`, rubric.Native{}, 0, "outside the declared range -1..1"},
		{"above the range", on(0, 10, false), [2]float64{}, `{"score":1.0001}`, rubric.Native{}, 0, "outside the declared range 0..1"},

		{"a discrete scale takes whole numbers", on(1, 5, true), [2]float64{}, `{"score":0.75}`, rubric.NumberIs(4), 0.75, ""},
		{"a whole number with the noise of a division", on(0, 3, true), [2]float64{}, `{"score":0.3333333333}`, rubric.NumberIs(1), 1. / 3, ""},
		{"a discrete scale takes nothing between", on(1, 5, true), [2]float64{}, `{"score":0.8}`, rubric.Native{}, 0, "the score 0.8 is not a whole number on the scale"},

		{"met", rubric.Answer{}, [2]float64{}, `{"score":1}`, rubric.MetIs(true), 1, ""},
		{"not met", rubric.Answer{}, [2]float64{}, `{"score":0}`, rubric.MetIs(false), 0, ""},
		{"met in a range of its own", rubric.Answer{Kind: rubric.KindMet}, [2]float64{0, 100}, `{"score":100}`, rubric.MetIs(true), 1, ""},
		{"met with the noise of a sum", rubric.Answer{}, [2]float64{}, `{"score":0.9999999999999999}`, rubric.MetIs(true), 1, ""},
		{"neither met nor not", rubric.Answer{}, [2]float64{}, `{"score":0.73}`, rubric.Native{}, 0, "is met or not, and the score 0.73 is neither"},

		{"a level", tone, [2]float64{}, `{"level":"neutral"}`, rubric.LevelIs("neutral"), 0.6, ""},
		{"a level that there is not", tone, [2]float64{}, `{"level":"hot"}`, rubric.Native{}, 0, `no level "hot"; it expects one of the levels cold, neutral, warm`},
		{"a level in capitals", tone, [2]float64{}, `{"level":"Warm"}`, rubric.Native{}, 0, `no level "Warm"`},
		{"an empty level", tone, [2]float64{}, `{"level":""}`, rubric.Native{}, 0, `no level ""`},
		{"a score that is a level's", tone, [2]float64{}, `{"score":0.6}`, rubric.LevelIs("neutral"), 0.6, ""},
		{"a score that is a level's, in a range of its own", tone, [2]float64{0, 5}, `{"score":3}`, rubric.LevelIs("neutral"), 0.6, ""},
		{"a score that is not a level's", tone, [2]float64{}, `{"score":0.61}`, rubric.Native{}, 0, "the score 0.61 is not that of one level"},
		{"a score that two levels have", twins, [2]float64{}, `{"score":0.5}`, rubric.Native{}, 0, "the score 0.5 is not that of one level"},
		{"one of two levels of a score", twins, [2]float64{}, `{"level":"b"}`, rubric.LevelIs("b"), 0.5, ""},

		{"a level for a number", on(0, 1, false), [2]float64{}, `{"level":"good"}`, rubric.Native{}, 0, `expects a number from 0 to 1, not the level "good"`},
		{"a level for met or not", rubric.Answer{}, [2]float64{}, `{"level":"good"}`, rubric.Native{}, 0, `expects met or not met, not the level "good"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &rubric.Rubric{Scale: rubric.ZeroToTen(false)}
			if tt.name == "a score on the rubric's scale" {
				r.Scale = &rubric.Scale{Min: 0, Max: 8}
			}
			a, err := ParseAnswer([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Range: tt.bounds}
			v, err := a.verdict(r, &rubric.Criterion{ID: "c", Answer: tt.answer}, o.bounds())
			if tt.broken != "" {
				if fault.Of(err) != fault.Protocol || !strings.Contains(err.Error(), tt.broken) {
					t.Errorf("%s: %v; want %q", fault.Of(err), err, tt.broken)
				}
				if d := cmp.Diff(rubric.Verdict{}, v); d != "" {
					t.Error("a verdict comes with the error: ", d)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := rubric.Verdict{Criterion: "c", Status: rubric.Scored, Native: tt.native, Value: tt.value}
			if d := cmp.Diff(want, v); d != "" {
				t.Error(d)
			}
			if v.Native.Kind != "" { // a verdict's own fields are true
				if value, err := r.Value(&rubric.Criterion{ID: "c", Answer: tt.answer}, v.Native); err != nil || value-v.Value > rubric.Slack || v.Value-value > rubric.Slack {
					t.Errorf("the rubric says %v, %v; the verdict %v", value, err, v.Value)
				}
			}
		})
	}
}

func TestScore_UnscoredKeepsItsReason(t *testing.T) {
	a, err := ParseAnswer([]byte(`{"unscored":"no words","reason":"the output is blank","details":{"words":0},"stats":[0]}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := a.verdict(&rubric.Rubric{}, &rubric.Criterion{ID: "c"}, rubric.Scale{Max: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := rubric.Verdict{Criterion: "c", Status: rubric.Unscored, Reason: "no words\nthe output is blank", Details: []byte(`{"words":0}`), Stats: []float64{0}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
