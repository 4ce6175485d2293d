package dialect

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
)

// scored is a line of scores.jsonl.
type scored struct {
	ID       string   `json:"id"`
	Dialect  string   `json:"dialect"`
	Format   string   `json:"format"`
	Doc      string   `json:"doc"`
	Case     string   `json:"case"`
	Score    float64  `json:"score"`
	Raw      *float64 `json:"raw"`
	Verdict  string   `json:"verdict"`
	Passed   *bool    `json:"passed"`
	Gates    int      `json:"gates"`
	Verdicts []struct {
		Index  int      `json:"index"` // of the criterion; -1 for the whole
		Met    *bool    `json:"met"`
		Level  *string  `json:"level"`
		Number *float64 `json:"number"`
		Value  *float64 `json:"value"`
	} `json:"verdicts"`
}

// TestDecode_PoliciesScoreAsTheOriginals gives the rubrics of the five systems the
// verdicts that the originals had, or that their documents work out, and
// compares the scores: the dialect's policy must be the system's arithmetic.
func TestDecode_PoliciesScoreAsTheOriginals(t *testing.T) {
	src, err := os.ReadFile("testdata/scores.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, line := range bytes.Split(bytes.TrimSpace(src), []byte("\n")) {
		var x scored
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		seen[x.Dialect]++
		doc, err := Decode(x.ID, []byte(x.Doc), Options{Dialect: x.Dialect, Format: x.Format})
		if err != nil {
			t.Errorf("%s: %v", x.ID, err)
			continue
		}
		r := doc.Rubric
		for _, c := range doc.Cases {
			if c.ID == x.Case {
				r = c.Rubric
			}
		}
		got := score.Combine(r, x.given(t, r), score.Options{})
		if got.Score == nil || math.Abs(*got.Score-x.Score) > 1e-9 {
			t.Errorf("%s: %s, want %g", x.ID, total(got), x.Score)
			continue
		}
		if x.Raw != nil && (got.Raw == nil || math.Abs(*got.Raw-*x.Raw) > 1e-9) {
			t.Errorf("%s: raw %v, want %g", x.ID, got.Raw, *x.Raw)
		}
		if x.Verdict != "" && got.Verdict != x.Verdict || x.Passed != nil && *x.Passed != (got.Passed != nil && *got.Passed) || len(got.GateFailures) != x.Gates {
			t.Errorf("%s: %s, want %+v", x.ID, total(got), x)
		}
	}
	for _, name := range []string{OpenRubricRL, AgentEvals, RubricList, AgentV, Dataknobs} {
		if seen[name] < 5 {
			t.Errorf("%s: only %d rubrics", name, seen[name])
		}
	}
}

// given are the verdicts of a line on the criteria of r.
func (x *scored) given(t *testing.T, r *rubric.Rubric) []rubric.Verdict {
	leaves := r.Leaves()
	var out []rubric.Verdict
	for _, v := range x.Verdicts {
		verdict := rubric.Verdict{Status: rubric.Scored}
		switch {
		case v.Met != nil:
			verdict.Native = rubric.MetIs(*v.Met)
		case v.Level != nil:
			verdict.Native = rubric.LevelIs(*v.Level)
		case v.Number != nil:
			verdict.Native = rubric.NumberIs(*v.Number)
		}
		switch {
		case v.Index < 0:
			verdict.Criterion = rubric.Overall
		case v.Value != nil:
			verdict.Criterion, verdict.Value = leaves[v.Index].ID, *v.Value
			verdict.Native = rubric.MetIs(*v.Value == 1)
		default:
			verdict.Criterion = leaves[v.Index].ID
			value, err := r.Value(leaves[v.Index], verdict.Native)
			if err != nil {
				t.Errorf("%s: %v", x.ID, err)
			}
			verdict.Value = value
		}
		out = append(out, verdict)
	}
	return out
}
