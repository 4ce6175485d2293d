package result_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// feedbackVector is a line of testdata/feedback.jsonl.
type feedbackVector struct {
	ID     string
	Rubric struct {
		Name          string
		PassThreshold float64 `json:"pass_threshold"`
		Criteria      []struct {
			ID, Name string
			Weight   float64
			Levels   []rubric.Level
		}
	}
	Results []struct {
		Criterion string `json:"criterion_id"`
		Level     string `json:"level_id"`
		Score     float64
	}
	Score   float64 `json:"weighted_score"`
	Passed  bool
	Summary string
}

func TestFeedback_IsThatOfDataknobs(t *testing.T) {
	f, err := os.Open("testdata/feedback.jsonl")
	must(t, err)
	defer f.Close()
	n := 0
	for in := bufio.NewScanner(f); in.Scan(); n++ {
		var v feedbackVector
		must(t, json.Unmarshal(in.Bytes(), &v))
		r := &rubric.Rubric{Name: v.Rubric.Name, Pass: rubric.Threshold(v.Rubric.PassThreshold)}
		for _, c := range v.Rubric.Criteria {
			r.Criteria = append(r.Criteria, rubric.Criterion{ID: c.ID, Name: c.Name, Weight: rubric.Weight{Value: c.Weight}, Answer: rubric.Answer{Kind: rubric.KindLevel, Levels: c.Levels}})
		}
		row := &result.Row{Score: &v.Score, Passed: &v.Passed}
		for _, c := range v.Results {
			row.Criteria = append(row.Criteria, result.Criterion{ID: c.Criterion, Status: rubric.Scored, Value: &c.Score, Native: &result.Native{Level: &c.Level}})
		}
		if diff := cmp.Diff(v.Summary, result.Feedback(r, row)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", v.ID, diff)
		}
	}
	if n != 4 {
		t.Errorf("%d vectors, want 4", n)
	}
}

func levels() rubric.Answer {
	return rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{
		{ID: "excellent", Label: "Excellent", Description: "Covers all required topics with depth", Score: 1},
		{ID: "fail", Description: "Nothing", Score: 0},
		{ID: "pass", Label: "Pass", Description: "Enough", Score: 0.7},
	}}
}

// TestFeedback_Sample is the sample of the seed document.
func TestFeedback_Sample(t *testing.T) {
	r := &rubric.Rubric{Name: "Content Quality", Pass: rubric.Threshold(0.7), Criteria: []rubric.Criterion{
		{ID: "clarity", Name: "Clarity", Answer: levels()}, {ID: "completeness", Name: "Completeness", Answer: levels()},
	}}
	row := &result.Row{Score: new(0.85), Passed: new(true), Criteria: []result.Criterion{
		{ID: "clarity", Status: rubric.Scored, Value: new(1.0), Native: &result.Native{Level: new("excellent")}},
		{ID: "completeness", Status: rubric.Scored, Value: new(0.7), Native: &result.Native{Level: new("pass")}},
	}}
	want := `Evaluation PASSED for rubric 'Content Quality'.
Overall score: 85%

- Clarity: excellent (score: 1.00)
- Completeness: pass (score: 0.70)

Suggestions for improvement:
  - Completeness: aim for 'Excellent' — Covers all required topics with depth`
	if diff := cmp.Diff(want, result.Feedback(r, row)); diff != "" {
		t.Error(diff)
	}
}

// TestFeedback_NeverShowsAZeroForAMissingScore: where there is no score the text says so.
func TestFeedback_NeverShowsAZeroForAMissingScore(t *testing.T) {
	r := &rubric.Rubric{ID: "r", Pass: rubric.Threshold(0.7), Criteria: []rubric.Criterion{
		{ID: "coded", Answer: levels(), Scorer: rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: "p"}}},
		{ID: "judged", Answer: levels()},
		{ID: "asked", Answer: levels()},
		{ID: "template", Answer: levels()},
		{ID: "low", Answer: levels()},
		{ID: "met"},
		{ID: "group", Criteria: []rubric.Criterion{{ID: "inner"}}},
	}}
	row := &result.Row{Criteria: []result.Criterion{
		{ID: "coded", Status: rubric.Failed, Error: &result.Failure{Class: fault.Trap, Message: "x y"}},
		{ID: "judged", Status: rubric.Unscored, Reason: "not said"},
		{ID: "asked", Status: rubric.Failed, Error: &result.Failure{Class: fault.JudgeAnswer, Message: "nonsense"}},
		{ID: "template", Status: rubric.Failed, Error: &result.Failure{Class: fault.Invalid, Message: "no variable"}},
		{ID: "low", Status: rubric.Scored, Value: new(0.0), Native: &result.Native{Level: new("fail")}},
		{ID: "met", Status: rubric.Scored, Value: new(1.0), Native: &result.Native{Met: new(true)}},
		{ID: "group", Status: rubric.Scored, Value: new(1.0)},
		{ID: "inner", Status: rubric.Scored, Value: new(0.5)},
		{ID: "stray", Status: rubric.Scored, Value: new(0.5)},
	}}
	want := `Evaluation UNSCORED for rubric 'r'.
Overall score: none

- coded: error (no score) [Evaluation error: x y]
- judged: unable_to_evaluate (no score) [LLM evaluation inconclusive]
- asked: unable_to_evaluate (no score) [LLM evaluation inconclusive]
- template: error (no score) [Evaluation error: no variable]
- low: fail (score: 0.00)
- met: met (score: 1.00)
- inner: scored (score: 0.50)

Suggestions for improvement:
  - judged: could not be evaluated by LLM
  - asked: could not be evaluated by LLM
  - low: aim for 'Pass' — Enough`
	if diff := cmp.Diff(want, result.Feedback(r, row)); diff != "" {
		t.Error(diff)
	}
}

// TestCriterionFeedback_Sample is the sample of the seed document.
func TestCriterionFeedback_Sample(t *testing.T) {
	c := &rubric.Criterion{ID: "clarity", Name: "Clarity", Answer: levels()}
	v := &result.Criterion{ID: "clarity", Status: rubric.Scored, Value: new(1.0), Native: &result.Native{Level: new("excellent")}}
	if got := result.CriterionFeedback(c, v); got != "Clarity: excellent (score: 1.00)" {
		t.Error(got)
	}
	v = &result.Criterion{ID: "clarity", Status: rubric.Failed, Error: &result.Failure{Class: fault.JudgeAnswer, Message: "nonsense"}}
	if got := result.CriterionFeedback(c, v); got != "Clarity: unable_to_evaluate (no score) [LLM evaluation inconclusive]" {
		t.Error(got)
	}
}
