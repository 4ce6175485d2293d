package rubric_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestCheckWeights_NamesWeightsThatGiveNoScore(t *testing.T) {
	list := func(weights ...float64) []rubric.Criterion {
		var out []rubric.Criterion
		for _, w := range weights {
			out = append(out, rubric.Criterion{ID: "c", Weight: rubric.Weight{Value: w}})
		}
		return out
	}
	group := func(how rubric.Aggregate, weights ...float64) []rubric.Criterion {
		return []rubric.Criterion{{ID: "g", Weight: rubric.One, Aggregate: how, Criteria: list(weights...)}}
	}
	tests := []struct {
		name string
		how  rubric.Aggregate
		list []rubric.Criterion
		want string
	}{
		{"all 0", rubric.WeightedMean, list(0, 0), "weights-zero criteria"},
		{"all 0, with a minimum", rubric.Min, list(0, 0), "weights-zero criteria"},
		{"a sum of 0", rubric.WeightedMean, list(1, -1), "weights-sum criteria"},
		{"a negative sum", rubric.WeightedMean, list(-1), "weights-sum criteria"},
		{"signed weights may cancel", rubric.Signed, list(1, -1), ""},
		{"only penalties", rubric.Auto, list(0, -1), "weights-negative criteria"},
		{"only penalties, by default", "", list(-1), "weights-negative criteria"},
		{"in a group", rubric.WeightedMean, group("", 0, 0), "weights-zero criteria[0].criteria"},
		{"in a group with its own aggregate", rubric.Min, group(rubric.WeightedMean, 1, -2), "weights-sum criteria[0].criteria"},
		{"an aggregate in Go knows what it does", "go:mine", list(0, 0), ""},
		{"fine", rubric.WeightedMean, list(0, 1), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range rubric.CheckWeights(&rubric.Rubric{Policy: rubric.Policy{Aggregate: tt.how}, Criteria: tt.list}) {
				got = append(got, p.Code+" "+p.Path)
				if p.Message == "" || p.Hint == "" {
					t.Errorf("%+v", p)
				}
			}
			if strings.Join(got, "\n") != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestCheck_RefusesWordsThatNoDialectReads: of rubrics that are made in Go.
func TestCheck_RefusesWordsThatNoDialectReads(t *testing.T) {
	whole := rubric.Rubric{ID: "r", Criteria: []rubric.Criterion{{ID: "a", Weight: rubric.One}}}
	before := len(rubric.Check(&whole))
	for code, change := range map[string]func(r *rubric.Rubric){
		"aggregate-unknown":     func(r *rubric.Rubric) { r.Policy.Aggregate = "median" },
		"blend-unknown":         func(r *rubric.Rubric) { r.Policy.Blend = "sum" },
		"normalization-unknown": func(r *rubric.Rubric) { r.Policy.Normalization = "log" },
	} {
		r := whole
		change(&r)
		found := rubric.Check(&r)
		if len(found) != before+1 || !slices.ContainsFunc(found, func(p rubric.Problem) bool { return p.Code == code }) {
			t.Errorf("%s: %v", code, found)
		}
	}
}
