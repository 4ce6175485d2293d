package judge_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
)

func TestHolistic_ReadsTheOverallVerdict(t *testing.T) {
	type test struct {
		name   string
		r      *rubric.Rubric
		answer string
		native float64
		value  float64
		class  fault.Class
	}
	tests := []test{
		{"a number from 0 to 100", rubricOf(weighing(criterion("a"), 10), weighing(criterion("b"), -5)), `{"reason": "r", "verdict": 72.5}`, 72.5, 0.725, fault.None},
		{"beyond the scale is not an answer", rubricOf(criterion("a")), `{"verdict": 101}`, 0, 0, fault.JudgeAnswer},
		{"nor is anything but a number", rubricOf(criterion("a")), `{"verdict": "MET"}`, 0, 0, fault.JudgeAnswer},
	}
	scaled := rubricOf(criterion("a"))
	scaled.Policy.Overall = &rubric.Scale{Min: 1, Max: 5, Discrete: true}
	tests = append(tests, test{"the rubric's own scale", scaled, `{"verdict": 4}`, 4, 0.75, fault.None})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := judge.NewHolistic(tt.r, says(tt.answer), judge.Options{})
			must(t, err)
			got := ask(t, s, caseOf("q", "a"))
			if len(got) != 1 || got[0].Criterion != rubric.Overall || got[0].Class != tt.class {
				t.Fatalf("verdicts %+v", got)
			}
			if tt.class == fault.None && (got[0].Native != rubric.NumberIs(tt.native) || got[0].Value != tt.value) {
				t.Errorf("verdict %+v", got[0])
			}
			if got[0].How.Digest != judge.Prompts()["holistic"] {
				t.Errorf("digest %q", got[0].How.Digest)
			}
		})
	}
	if _, err := judge.NewHolistic(&rubric.Rubric{ID: "r"}, says(""), judge.Options{}); fault.Of(err) != fault.Invalid {
		t.Errorf("err = %v", err)
	}
}

func TestHolistic_TheJudgesNumberIsACrossCheck(t *testing.T) {
	r := rubricOf(answering(criterion("a"), rubric.Answer{Kind: rubric.KindNumber}), answering(criterion("b"), rubric.Answer{Kind: rubric.KindNumber}))
	r.Scale, r.Policy = &rubric.Scale{Min: 0, Max: 10}, rubric.Policy{Raw: rubric.RawOnScale, Overall: &rubric.Scale{Min: 0, Max: 10}}
	m := says(`{"verdicts": {"a": {"verdict": 8}, "b": {"verdict": 6}}, "overall": 3}`)
	got := ask(t, scorerOf(t, r, m, judge.Options{}), caseOf("q", "a"))
	if len(got) != 3 || got[2].Criterion != rubric.Overall || got[2].Native != rubric.NumberIs(3) || got[2].How.Attempts != 0 || got[2].How.TokensIn != 0 {
		t.Fatalf("verdicts %+v", got)
	}
	total := score.Combine(r, got, score.Options{})
	if total.Score == nil || *total.Score != 0.7 || *total.Overall != 3 || !slices.ContainsFunc(total.Warnings, func(w string) bool { return strings.Contains(w, "overall score 3 differs") }) {
		t.Errorf("total %+v", total)
	}
	if !strings.Contains(m.asked[0].User, `"overall": <a number from 0 to 10>`) || !strings.Contains(string(m.asked[0].Schema), `"overall"`) {
		t.Error("the judge was not requested its own number")
	}
	part, err := judge.New(context.Background(), r, []*rubric.Criterion{&r.Criteria[0]}, says(`{"verdict": 8, "overall": 3}`), judge.Options{})
	must(t, err)
	if got := ask(t, part, caseOf("q", "a")); len(got) != 1 {
		t.Errorf("a part of the rubric gave a verdict on the whole: %+v", got)
	}
}
