package score_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
)

// signed is the policy of the rubric library, mean that of AgentV.
var (
	signed = rubric.Policy{Aggregate: rubric.Signed, Raw: rubric.RawPoints}
	mean   = rubric.Policy{Aggregate: rubric.WeightedMean, Required: rubric.RequiredMet}
	bands  = rubric.Pass{Bands: []rubric.PassBand{{Label: "pass", Min: 0.8}, {Label: "borderline", Min: 0.6}}}
)

// flat makes a rubric with criteria a, b, c... of the given weights.
func flat(p rubric.Policy, weights ...float64) *rubric.Rubric {
	r := &rubric.Rubric{ID: "r", Policy: p}
	for i, w := range weights {
		r.Criteria = append(r.Criteria, rubric.Criterion{ID: string(rune('a' + i)), Text: "x", Weight: rubric.Weight{Value: w}})
	}
	return r
}

// values gives criteria a, b, c... the given values; NaN leaves one unscored.
func values(vs ...float64) []rubric.Verdict {
	out := make([]rubric.Verdict, len(vs))
	for i, v := range vs {
		out[i] = rubric.Verdict{Criterion: string(rune('a' + i)), Status: rubric.Scored, Value: v}
		if math.IsNaN(v) {
			out[i] = rubric.Unable(out[i].Criterion, "cannot tell")
		}
	}
	return out
}

var none = math.NaN()

// TestCombine_SignedFormula holds the aggregates of rubric 1.3.2 (research/seeds.md
// 4.3, RUB-01 to RUB-22; produced by the original).
func TestCombine_SignedFormula(t *testing.T) {
	tests := []struct {
		weights, met []float64
		score, raw   float64
	}{
		{[]float64{10, 8, -15}, []float64{1, 1, 0}, 1, 18},
		{[]float64{10, 8, -15}, []float64{1, 0, 0}, 0.5555555555555556, 10},
		{[]float64{10, 8, -15}, []float64{1, 1, 1}, 0.16666666666666666, 3},
		{[]float64{10, 8, -15}, []float64{0, 0, 1}, 0, -15},
		{[]float64{2, 1, 1, -0.5}, []float64{1, 1, 1, 1}, 0.875, 3.5},
		{[]float64{-1, -1, -1}, []float64{0, 0, 0}, 1, 0},
		{[]float64{-1, -1, -1}, []float64{1, 1, 1}, 0, -3},
		{[]float64{-1, -1, -1}, []float64{1, 0, 0}, 0.6666666666666667, -1},
		{[]float64{-2, -1}, []float64{1, 0}, 0.33333333333333337, -2},
		{[]float64{0, -2}, []float64{1, 0}, 1, 0},
		{[]float64{0, 5}, []float64{0, 1}, 1, 5},
		{[]float64{1e-9, -1}, []float64{1, 1}, 0, -0.999999999},
		{[]float64{0.1, 0.2}, []float64{1, 1}, 1, 0.30000000000000004},
	}
	for _, tt := range tests {
		got := score.Combine(flat(signed, tt.weights...), values(tt.met...), score.Options{})
		if got.Score == nil || *got.Score != tt.score || *got.Raw != tt.raw {
			t.Errorf("weights %v met %v: score %v raw %v, want %v %v", tt.weights, tt.met, show(got.Score), show(got.Raw), tt.score, tt.raw)
		}
	}
}

// The raw score of HealthBench is not clipped (calculate_score of simple-evals' healthbench_eval.py: points of met
// items over the positive points; None without any).
func TestCombine_RatioIsNotClipped(t *testing.T) {
	ratio := rubric.Policy{Aggregate: rubric.Signed, Raw: rubric.RawRatio}
	for _, tt := range []struct {
		weights, met []float64
		score, raw   float64 // raw NaN: none
	}{
		{[]float64{5, 7, -6}, []float64{1, 1, 1}, 0.5, 0.5},
		{[]float64{3, -4}, []float64{0, 1}, 0, -4.0 / 3},
		{[]float64{3, -4}, []float64{1, 1}, 0, -1.0 / 3},
		{[]float64{-4, -1}, []float64{0, 1}, 0.8, none},
	} {
		got := score.Combine(flat(ratio, tt.weights...), values(tt.met...), score.Options{})
		if got.Score == nil || *got.Score != tt.score || (got.Raw == nil) != math.IsNaN(tt.raw) || got.Raw != nil && *got.Raw != tt.raw {
			t.Errorf("weights %v met %v: score %v raw %v, want %v %v", tt.weights, tt.met, show(got.Score), show(got.Raw), tt.score, tt.raw)
		}
		asScore := ratio
		asScore.RawAsScore = true
		got = score.Combine(flat(asScore, tt.weights...), values(tt.met...), score.Options{})
		if (got.Score == nil) != math.IsNaN(tt.raw) || got.Score != nil && *got.Score != tt.raw {
			t.Errorf("weights %v met %v: the score is %v, want the ratio %v", tt.weights, tt.met, show(got.Score), tt.raw)
		}
	}
}

// TestCombine_Holistic holds the judge grader of rubric 1.3.2 (RUB-30 to RUB-38).
func TestCombine_Holistic(t *testing.T) {
	tests := []struct {
		weights         []float64
		overall         float64
		score, raw, llm float64
	}{
		{[]float64{10, 5}, 85, 0.85, 12.75, 85},
		{[]float64{-2, -3}, 0, 0, -5, 0},
		{[]float64{-2, -3}, 40, 0.4, -3, 40},
		{[]float64{10, -5}, 90, 0.9, 9, 90},
		{[]float64{10, 8, -15}, 85, 0.85, 15.299999999999999, 85},
	}
	for _, tt := range tests {
		v := []rubric.Verdict{{Criterion: rubric.Overall, Status: rubric.Scored, Native: rubric.NumberIs(tt.overall)}}
		got := score.Combine(flat(signed, tt.weights...), v, score.Options{})
		if *got.Score != tt.score || *got.Raw != tt.raw || *got.Overall != tt.llm {
			t.Errorf("weights %v overall %v: score %v raw %v, want %v %v", tt.weights, tt.overall, *got.Score, *got.Raw, tt.score, tt.raw)
		}
	}
}

// TestCombine_GatesAndBands holds AgentV's rules (research/seeds.md 3.3; the document
// where it differs from the code).
func TestCombine_GatesAndBands(t *testing.T) {
	required := func(r *rubric.Rubric, ids ...int) *rubric.Rubric {
		for _, i := range ids {
			r.Criteria[i].Required = true
		}
		r.Pass = bands
		return r
	}
	ranged := func(r *rubric.Rubric, mins ...float64) *rubric.Rubric {
		for i := range r.Criteria {
			r.Criteria[i].Answer = rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(true)}
			if i < len(mins) {
				r.Criteria[i].Min = &mins[i]
			}
		}
		r.Pass = bands
		return r
	}
	tests := []struct {
		name    string
		r       *rubric.Rubric
		v       []rubric.Verdict
		score   float64
		verdict string
		passed  bool
		gates   []string
	}{
		{"all satisfied", required(flat(mean, 1, 1), 0), values(1, 1), 1, "pass", true, nil},
		{"a failed gate outweighs a high mean", required(flat(mean, 1, 9), 0), values(0, 1), 0.9, "fail", false, []string{"a"}},
		{"no gate, same answers", required(flat(mean, 1, 9)), values(0, 1), 0.9, "pass", true, nil},
		{"a gate of weight 0 still fails", required(flat(mean, 0, 1), 0), values(0, 1), 1, "fail", false, []string{"a"}},
		{"0.8 on paper passes", ranged(flat(mean, 2, 1)), values(0.9, 0.6), 0.7999999999999999, "pass", true, nil},
		{"borderline does not pass", ranged(flat(mean, 1)), values(0.6), 0.6, "borderline", false, nil},
		{"below its minimum", ranged(flat(mean, 2, 1), 0.8), values(0.7, 1), 0.7999999999999999, "fail", false, []string{"a"}},
		{"a minimum of 0 lets 0 through", ranged(flat(mean, 1, 9), 0), values(0, 1), 0.9, "pass", true, nil},
		{"a required range only fails at 0", required(ranged(flat(mean, 1, 9)), 0), values(0.1, 1), 0.91, "pass", true, nil},
		{"a required range at 0", required(ranged(flat(mean, 1, 9)), 0), values(0, 1), 0.9, "fail", false, []string{"a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := score.Combine(tt.r, tt.v, score.Options{})
			if math.Abs(*got.Score-tt.score) > 1e-15 || got.Verdict != tt.verdict || got.Passed == nil || *got.Passed != tt.passed || !slices.Equal(got.GateFailures, tt.gates) {
				t.Errorf("got %v %q passed %s gates %v", *got.Score, got.Verdict, said(got.Passed), got.GateFailures)
			}
		})
	}
}

// TestCombine_NonzeroGate holds AgentEvals' rule: only a score of 0 fails the case.
func TestCombine_NonzeroGate(t *testing.T) {
	r := flat(rubric.Policy{Aggregate: rubric.WeightedMean, Required: rubric.RequiredNonzero}, 4, 3, 2, 2)
	r.Criteria[0].Required = true
	r.Pass = bands
	if got := score.Combine(r, values(0, 1, 1, 1), score.Options{}); got.Verdict != "fail" || *got.Score != 0.6363636363636364 {
		t.Errorf("AEV-10: %v %q", *got.Score, got.Verdict)
	}
	if got := score.Combine(r, values(0.1, 1, 1, 1), score.Options{}); got.Verdict != "borderline" || math.Abs(*got.Score-0.6727272727272727) > 1e-15 {
		t.Errorf("AEV-11: %v %q", *got.Score, got.Verdict)
	}
}

func TestCombine_UnscoredCriteria(t *testing.T) {
	evaluated := rubric.Policy{Aggregate: rubric.WeightedMean, Required: rubric.RequiredEvaluated}
	dataknobs := flat(evaluated, 0.5, 0.5)
	dataknobs.Criteria[1].Required = true
	penalty := flat(signed, 10, -5)
	gate := flat(mean, 1, 1)
	gate.Criteria[0].Required = true
	tests := []struct {
		name     string
		r        *rubric.Rubric
		v        []rubric.Verdict
		how      score.Unscored
		score    *float64
		partial  *float64
		warnings int
	}{
		{"null: no score, a partial one", flat(mean, 1, 3), values(none, 1), score.Null, nil, new(1.0), 0},
		{"null: a missing verdict is not a zero", flat(mean, 1, 3), values(1), score.Null, nil, new(1.0), 0},
		{"null: nothing at all has no partial", flat(mean, 1), nil, score.Null, nil, nil, 0},
		{"worst: 0 for a positive weight", flat(mean, 1, 3), values(none, 1), score.Worst, new(0.75), nil, 1},
		{"worst: met for a penalty", penalty, values(1, none), score.Worst, new(0.5), nil, 1},
		{"drop: leaves both sides", flat(mean, 1, 3), values(none, 0.5), score.Drop, new(0.5), nil, 1},
		{"weight 0 without a gate does not matter", flat(mean, 0, 1), values(none, 1), score.Null, new(1.0), nil, 0},
		{"optional leaves the mean (dataknobs)", dataknobs, values(none, 1), score.Null, new(1.0), nil, 0},
		{"required stops it (dataknobs)", dataknobs, values(1, none), score.Null, nil, new(1.0), 0},
		{"drop: an unseen gate does not hold", gate, values(none, 1), score.Drop, new(1.0), nil, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := score.Combine(tt.r, tt.v, score.Options{Unscored: tt.how})
			if show(got.Score) != show(tt.score) || show(got.Partial) != show(tt.partial) || len(got.Warnings) != tt.warnings {
				t.Errorf("score %s partial %s warnings %q", show(got.Score), show(got.Partial), got.Warnings)
			}
			if got.Score == nil && (passes(got) || got.Verdict != score.UnscoredLabel || got.Reason == "") {
				t.Errorf("a case without a score: passed %s verdict %q reason %q", said(got.Passed), got.Verdict, got.Reason)
			}
		})
	}
	if got := score.Combine(gate, values(none, 1), score.Options{Unscored: score.Drop}); got.Passed == nil || *got.Passed {
		t.Error("a case passed although its gate was never evaluated")
	}
}

func TestCombine_ZeroWeightsGiveNoScore(t *testing.T) {
	for _, r := range []*rubric.Rubric{flat(mean, 0, 0), flat(signed, 0, 0)} {
		if got := score.Combine(r, values(1, 1), score.Options{}); got.Score != nil || got.Reason == "" {
			t.Errorf("score %v reason %q", show(got.Score), got.Reason)
		}
	}
}

// TestCombine_Blend holds OpenRubricRL's hybrid reward (ORL-20 to ORL-24), and the seed
// document's creative_writing_advanced.
func TestCombine_Blend(t *testing.T) {
	blend := func(how rubric.Blend, llm, m1, w1, m2, w2 float64) float64 {
		r := flat(rubric.Policy{Aggregate: rubric.WeightedMean, Blend: how}, 1)
		r.Metrics = flat(mean, 0, w1, w2).Criteria[1:]
		return *score.Combine(r, values(llm, m1, m2), score.Options{}).Score
	}
	for _, tt := range []struct {
		how  rubric.Blend
		got  float64
		want float64
	}{
		{rubric.WeightedAverage, blend(rubric.WeightedAverage, 0.8, 1, 0.2, 0.5, 0.1), 0.81},
		{rubric.Multiplicative, blend(rubric.Multiplicative, 0.8, 1, 0.2, 0.5, 0.1), 0.7464263932294459},
		{rubric.BlendMax, blend(rubric.BlendMax, 0.8, 1, 0.2, 0.5, 0.1), 1},
		{rubric.BlendMin, blend(rubric.BlendMin, 0.8, 1, 0.2, 0.5, 0.1), 0.5},
		{"creative", blend(rubric.WeightedAverage, 0.71, 0.65, 0.1, 0, 0), 0.704},
	} {
		if math.Abs(tt.got-tt.want) > 1e-9 {
			t.Errorf("%s = %v, want %v", tt.how, tt.got, tt.want)
		}
	}
}

// TestCombine_OnScale holds the recomputed mean of OpenRubricRL and its normalisations
// (ORL-01 to ORL-14; dialogue_quality 4/5/3/5 on 1..5 is 4.2, or 0.8).
func TestCombine_OnScale(t *testing.T) {
	r := flat(rubric.Policy{Aggregate: rubric.WeightedMean, Raw: rubric.RawOnScale}, 0.4, 0.3, 0.2, 0.1)
	r.Scale = &rubric.Scale{Min: 1, Max: 5, Discrete: true}
	var v []rubric.Verdict
	for i, n := range []float64{4, 5, 3, 5} {
		v = append(v, rubric.Verdict{Criterion: string(rune('a' + i)), Status: rubric.Scored, Native: rubric.NumberIs(n), Value: r.Scale.Position(n)})
	}
	got := score.Combine(r, v, score.Options{})
	if math.Abs(*got.Raw-4.2) > 1e-9 || math.Abs(*got.Score-0.8) > 1e-9 {
		t.Errorf("raw %v score %v", *got.Raw, *got.Score)
	}
	r.Policy.Normalization = rubric.Sigmoid
	if got := score.Combine(r, v, score.Options{}); math.Abs(*got.Score-1/(1+math.Exp(-1.2))) > 1e-9 {
		t.Errorf("sigmoid %v", *got.Score)
	}
}

func TestCombine_OverallIsACrossCheck(t *testing.T) {
	r := flat(rubric.Policy{Aggregate: rubric.WeightedMean, Raw: rubric.RawOnScale, Overall: &rubric.Scale{Max: 10}}, 1)
	r.Scale = &rubric.Scale{Max: 10}
	v := append(values(0.5), rubric.Verdict{Criterion: rubric.Overall, Status: rubric.Scored, Native: rubric.NumberIs(9)})
	got := score.Combine(r, v, score.Options{})
	if *got.Score != 0.5 || *got.Overall != 9 || len(got.Warnings) != 1 {
		t.Errorf("score %v overall %v warnings %q", *got.Score, *got.Overall, got.Warnings)
	}
}

// TestCombine_OverallOfAJudge tests the judge's own number: it is always kept,
// compared on its scale, and normalised by the policy where it is the score.
func TestCombine_OverallOfAJudge(t *testing.T) {
	r := flat(rubric.Policy{Aggregate: rubric.WeightedMean, Raw: rubric.RawOnScale, Normalization: rubric.Sigmoid, Overall: &rubric.Scale{Max: 10}}, 1)
	r.Scale = &rubric.Scale{Max: 10}
	overall := func(n float64) rubric.Verdict {
		return rubric.Verdict{Criterion: rubric.Overall, Status: rubric.Scored, Native: rubric.NumberIs(n)}
	}
	tests := []struct {
		name     string
		verdicts []rubric.Verdict
		score    *float64
		warnings int
	}{
		{"the same as the mean is not a difference, however the mean is normalised", append(values(0.9), overall(9)), new(1 / (1 + math.Exp(-1.6))), 0},
		{"another number than the mean is remarked upon", append(values(0.9), overall(7)), new(1 / (1 + math.Exp(-1.6))), 1},
		{"alone it is normalised like a mean", []rubric.Verdict{overall(9)}, new(1 / (1 + math.Exp(-1.6))), 0},
		{"it is kept without a score", append(values(none), overall(7)), nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := score.Combine(r, tt.verdicts, score.Options{})
			if show(got.Score) != show(tt.score) || len(got.Warnings) != tt.warnings {
				t.Errorf("score %s with %q, want %s with %d warnings", show(got.Score), got.Warnings, show(tt.score), tt.warnings)
			}
			if got.Overall == nil {
				t.Error("the judge's own number is lost")
			}
			if got.Score == nil && !strings.Contains(got.Reason, "cannot tell") {
				t.Errorf("the reason %q does not say why", got.Reason)
			}
		})
	}
}

func TestCombine_Groups(t *testing.T) {
	r := &rubric.Rubric{ID: "tree", Criteria: []rubric.Criterion{
		{ID: "g", Weight: rubric.One, Aggregate: rubric.Min, Criteria: flat(mean, 1, 1).Criteria},
		{ID: "c", Weight: rubric.Weight{Value: 3}},
	}}
	v := append(values(0.5, 1), rubric.Verdict{Criterion: "c", Status: rubric.Scored, Value: 1})
	got := score.Combine(r, v, score.Options{})
	if *got.Score != (0.5+3)/4 || len(got.Verdicts) != 4 || got.Verdicts[0].Value != 0.5 {
		t.Errorf("score %v verdicts %+v", show(got.Score), got.Verdicts)
	}
	for how, want := range map[rubric.Aggregate]float64{rubric.Max: 1, rubric.Product: 0.5, rubric.All: 0, rubric.Any: 1, rubric.WeightedMean: 0.75} {
		r.Criteria[0].Aggregate = how
		if got := score.Combine(r, v, score.Options{}); got.Verdicts[0].Value != want {
			t.Errorf("%s = %v, want %v", how, got.Verdicts[0].Value, want)
		}
	}
	if got := score.Combine(r, v[1:], score.Options{}); got.Score != nil || got.Verdicts[0].Status != rubric.Unscored {
		t.Errorf("a member without a verdict left the group a number: %+v", got.Verdicts[0])
	}
}

// A group with a weight whose criteria have none cannot have a score. It is not
// left out of the mean: SCORING.md 4.2 and 4.3.
func TestCombine_GroupWhoseWeightsSumToZero(t *testing.T) {
	tree := func(how rubric.Aggregate, weights ...float64) *rubric.Rubric {
		return &rubric.Rubric{ID: "tree", Criteria: []rubric.Criterion{
			{ID: "g", Weight: rubric.One, Aggregate: how, Criteria: flat(mean, weights...).Criteria},
			{ID: "c", Weight: rubric.Weight{Value: 3}},
		}}
	}
	c := rubric.Verdict{Criterion: "c", Status: rubric.Scored, Value: 1}
	optional := tree(rubric.WeightedMean, 0, 0)
	optional.Criteria[0].Weight = rubric.Weight{}
	gated := tree(rubric.Min, 1, 1)
	gated.Criteria[0].Weight = rubric.Weight{}
	deep := &rubric.Rubric{ID: "deep", Criteria: []rubric.Criterion{gated.Criteria[0], gated.Criteria[1]}}
	gated.Criteria = []rubric.Criterion{{ID: "h", Criteria: slices.Clone(gated.Criteria)[:1]}, gated.Criteria[1]}
	gated.Criteria[0].Criteria[0].Weight = rubric.One
	gated.Criteria[0].Criteria[0].Criteria = slices.Clone(gated.Criteria[0].Criteria[0].Criteria)
	gated.Criteria[0].Criteria[0].Criteria[0].Required = true
	gated.Policy.Required = rubric.RequiredMet
	tests := []struct {
		name     string
		r        *rubric.Rubric
		v        []rubric.Verdict
		how      score.Unscored
		score    *float64
		warnings int
		reason   string
	}{
		{"in a group of weight 0, a member without a verdict matters no more", deep, values(none, 1), score.Null, new(1.0), 0, ""},
		{"unless it is a gate", gated, values(none, 1), score.Null, nil, 0, `criterion "a" unscored: `},
		{"or beside one that is not", gated, values(1, none), score.Null, new(1.0), 0, ""},
		{"null", tree(rubric.WeightedMean, 0, 0), values(1, 1), score.Null, nil, 0, `criterion "g" unscored: every criterion in it has weight 0`},
		{"null, members without a verdict", tree(rubric.WeightedMean, 0, 0), nil, score.Null, nil, 0, `criterion "g" unscored: every criterion in it has weight 0`},
		{"null, the least of none", tree(rubric.Min, 0, 0), values(1, 1), score.Null, nil, 0, `criterion "g" unscored: every criterion in it has weight 0`},
		{"null, weights that cancel", tree(rubric.WeightedMean, 1, -1), values(1, 1), score.Null, nil, 0, `criterion "g" unscored: the weights sum to 0, not to more than 0`},
		{"worst", tree(rubric.WeightedMean, 0, 0), values(1, 1), score.Worst, new(0.75), 1, ""},
		{"drop", tree(rubric.WeightedMean, 0, 0), values(1, 1), score.Drop, new(1.0), 1, ""},
		{"a group of weight 0 matters no more than a criterion of weight 0", optional, values(1, 1), score.Null, new(1.0), 0, ""},
		{"a member blocks: it is named, not the group", tree(rubric.WeightedMean, 1, 0), values(none, 1), score.Null, nil, 0, `criterion "a" unscored: `},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := score.Combine(tt.r, append(tt.v, c), score.Options{Unscored: tt.how})
			if show(got.Score) != show(tt.score) || len(got.Warnings) != tt.warnings || !strings.HasPrefix(got.Reason, tt.reason) {
				t.Errorf("score %s reason %q warnings %q", show(got.Score), got.Reason, got.Warnings)
			}
			if strings.Contains(got.Reason, ";") {
				t.Errorf("one cause, two reasons: %q", got.Reason)
			}
		})
	}
}

// TestCombine_LengthPenalty holds RUB-50 and RUB-51.
func TestCombine_LengthPenalty(t *testing.T) {
	l := &rubric.LengthPenalty{Free: 6000, Cap: 8000, AtCap: 0.5, Exponent: 1.6}
	for n, want := range map[int]float64{6000: 0, 6500: 0.05440941020600775, 7000: 0.16493848884661177, 8000: 0.5, 90000: 0.5} {
		if got := score.Penalty(l, n); math.Abs(got-want) > 1e-15 {
			t.Errorf("Penalty(%d) = %v, want %v", n, got, want)
		}
	}
	for text, want := range map[string][2]string{
		"plain":                      {"", "plain"},
		"<Thinking>a b</THINKING> c": {"a b", "c"},
		"<thinking>a</thinking><output>b</output>x": {"a", "b"},
		"<output>b": {"", "<output>b"},
	} {
		if thinking, answer := score.SplitThinking(text); thinking != want[0] || answer != want[1] {
			t.Errorf("SplitThinking(%q) = %q, %q", text, thinking, answer)
		}
	}
}

// TestCombine_Properties: whatever the weights and values, a score is in [0, 1] or
// absent, does not depend on the order of the verdicts, and never falls when a
// criterion without a penalty does better.
func TestCombine_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		weights := rapid.SliceOfN(rapid.Float64Range(-100, 100), n, n).Draw(t, "weights")
		vals := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "values")
		r := flat(rubric.Policy{}, weights...)
		v := values(vals...)
		got := score.Combine(r, v, score.Options{})
		slices.Reverse(v)
		if again := score.Combine(r, v, score.Options{}); show(again.Score) != show(got.Score) {
			t.Fatalf("order matters: %s and %s", show(got.Score), show(again.Score))
		}
		if got.Score == nil {
			return
		}
		if !(*got.Score >= 0 && *got.Score <= 1) {
			t.Fatalf("score %v", *got.Score)
		}
		i := rapid.IntRange(0, n-1).Draw(t, "i")
		better := slices.Clone(vals)
		better[i] = 1
		if weights[i] < 0 {
			better[i] = 0
		}
		if up := score.Combine(r, values(better...), score.Options{}); *up.Score < *got.Score-1e-12 {
			t.Fatalf("a better value lowered the score from %v to %v", *got.Score, *up.Score)
		}
	})
}

func show(x *float64) string {
	if x == nil {
		return "null"
	}
	return fmt.Sprint(*x)
}

func ExampleCombine() {
	r := &rubric.Rubric{ID: "summary", Pass: rubric.Threshold(0.8), Criteria: []rubric.Criterion{
		{ID: "faithful", Text: "Says nothing that the source does not say.", Weight: rubric.Weight{Value: 3}},
		{ID: "brief", Text: "Is no longer than three sentences.", Weight: rubric.One},
	}}
	total := score.Combine(r, []rubric.Verdict{
		{Criterion: "faithful", Status: rubric.Scored, Value: 1},
		{Criterion: "brief", Status: rubric.Scored, Value: 0.5},
	}, score.Options{})
	fmt.Println(*total.Score, total.Verdict)
	// Output: 0.875 pass
}

func BenchmarkCombine(b *testing.B) {
	r, v := flat(mean, 1, 2, 3, 4), values(1, 0.5, 0.25, 1)
	b.ReportAllocs()
	for b.Loop() {
		score.Combine(r, v, score.Options{})
	}
}

// TestCombine_WithoutAPassRule: without a pass rule there is no verdict. Gates are one: a
// case with a score passes if they hold.
func TestCombine_WithoutAPassRule(t *testing.T) {
	ruled := flat(mean, 1, 1)
	ruled.Pass = bands
	gated := flat(mean, 1, 1)
	gated.Criteria[0].Required = true
	for _, tt := range []struct {
		name string
		r    *rubric.Rubric
		v    []rubric.Verdict
		want string
	}{
		{"a low score without a rule", flat(mean, 1, 1), values(0, 0), "nil"},
		{"a high one", flat(mean, 1, 1), values(1, 1), "nil"},
		{"no score without a rule", flat(mean, 1, 1), values(none, none), "nil"},
		{"a gate that holds", gated, values(1, 0), "true"},
		{"no score with a gate", gated, values(1, none), "false"},
		{"a gate that fails", gated, values(0, 1), "false"},
		{"a rule", ruled, values(1, 1), "true"},
		{"a rule that is not met", ruled, values(0, 0), "false"},
		{"no score with a rule", ruled, values(none, none), "false"},
	} {
		if got := score.Combine(tt.r, tt.v, score.Options{}); said(got.Passed) != tt.want {
			t.Errorf("%s: passed %s, want %s", tt.name, said(got.Passed), tt.want)
		}
	}
}

// TestCombine_AGateNeedsAValue: one number for the whole rubric says nothing about a gate,
// and a case does not pass without it.
func TestCombine_AGateNeedsAValue(t *testing.T) {
	r := flat(mean, 1, 1)
	r.Criteria[0].Required, r.Pass = true, bands
	overall := []rubric.Verdict{{Criterion: rubric.Overall, Status: rubric.Scored, Native: rubric.NumberIs(100)}}
	if got := score.Combine(r, overall, score.Options{}); got.Score != nil || passes(got) || !strings.Contains(got.Reason, "was not evaluated") {
		t.Errorf("%+v", got)
	}
	if got := score.Combine(r, overall, score.Options{Unscored: score.Drop}); len(got.GateFailures) != 1 || passes(got) {
		t.Errorf("%+v", got)
	}
	r.Criteria[0].Required = false
	r.Metrics = []rubric.Criterion{{ID: "m", Required: true, Scorer: rubric.Binding{Way: rubric.ByMetric}}}
	low := append(overall, rubric.Verdict{Criterion: "m", Status: rubric.Scored})
	if got := score.Combine(r, low, score.Options{}); len(got.GateFailures) != 1 || passes(got) {
		t.Errorf("the gate of a metric: %+v", got)
	}
}

func passes(t score.Total) bool { return t.Passed != nil && *t.Passed }

func said(b *bool) string {
	if b == nil {
		return "nil"
	}
	return strconv.FormatBool(*b)
}
