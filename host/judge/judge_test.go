package judge_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestScore_AVerdictHoldsTheAnswer(t *testing.T) {
	m := says(`{"reason": "It says so.", "verdict": "MET"}`)
	m.steps[0].res = llm.Response{Model: "gpt-x", TokensIn: 100, TokensOut: 20, CostUSD: 0.5}
	got := ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{Model: "x"}), caseOf("q", "a"))
	want := []rubric.Verdict{{
		Criterion: "clear", Status: rubric.Scored, Native: rubric.MetIs(true), Value: 1, Reason: "It says so.",
		How: rubric.How{By: "judge", Digest: judge.Prompts()["criteria"], Judge: "gpt-x", TokensIn: 100, TokensOut: 20, CostUSD: 0.5, Attempts: 1, Nondeterministic: true},
	}}
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(rubric.How{}, "PromptHash", "ResponseHash")); d != "" {
		t.Error(d)
	}
}

// TestScore_HashesAsDataKnobs holds the hashes of prompts and answers to those of dataknobs-bots,
// rows DKB-40 and DKB-41 of the project's reference vectors.
func TestScore_HashesAsDataKnobs(t *testing.T) {
	c := answering(criterion("level"), rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "fail"}, {ID: "pass", Score: 1}}})
	c.Scorer.Prompt = &rubric.Prompt{Template: "Q: {{ q }}"}
	s := scorerOf(t, rubricOf(c), says(`{"level_id":"pass"}`), judge.Options{})
	v := ask(t, s, caseOf("", `{"q": "x"}`))[0]
	if v.How.PromptHash != "9ecb672c97462d8c" || v.How.ResponseHash != "aa2746db8cddb818" {
		t.Errorf("prompt %s, response %s", v.How.PromptHash, v.How.ResponseHash)
	}
}

func TestScore_KindsMixInOneCall(t *testing.T) {
	r := rubricOf(
		criterion("clear"),
		answering(criterion("tone"), rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "cold"}, {ID: "warm", Score: 0.75}}}),
		answering(weighing(criterion("padding"), -2), rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(true)}),
	)
	m := says(`{"verdicts": {"padding": {"reason": "p", "verdict": 4}, "tone": {"reason": "t", "verdict": "warm"}, "clear": {"reason": "c", "verdict": false}}}`)
	m.steps[0].res = llm.Response{TokensIn: 100, TokensOut: 20, CostUSD: 0.5}
	got := ask(t, scorerOf(t, r, m, judge.Options{}), caseOf("q", "a"))
	want := []rubric.Verdict{
		{Criterion: "clear", Status: rubric.Scored, Native: rubric.MetIs(false), Value: 0, Reason: "c"},
		{Criterion: "tone", Status: rubric.Scored, Native: rubric.LevelIs("warm"), Value: 0.75, Reason: "t"},
		{Criterion: "padding", Status: rubric.Scored, Native: rubric.NumberIs(4), Value: 0.4, Reason: "p"},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(rubric.Verdict{}, "How")); d != "" {
		t.Error(d)
	}
	var sum rubric.How
	for _, v := range got {
		sum.TokensIn += v.How.TokensIn
		sum.TokensOut += v.How.TokensOut
		sum.CostUSD += v.How.CostUSD
		sum.Attempts += v.How.Attempts
		if v.How.By != "judge" || v.How.Digest == "" {
			t.Errorf("%s: how = %+v", v.Criterion, v.How)
		}
	}
	if sum.TokensIn != 100 || sum.TokensOut != 20 || sum.CostUSD != 0.5 || sum.Attempts != 1 {
		t.Errorf("the usage of the call adds up to %+v", sum)
	}
}

func TestScore_NothingToGrade(t *testing.T) {
	m := says(`{"verdict": "MET"}`)
	v := ask(t, scorerOf(t, rubricOf(criterion("a"), criterion("b")), m, judge.Options{}), &dataset.Case{ID: "q"})
	if len(v) != 2 || v[0].Status != rubric.Unscored || v[1].Status != rubric.Unscored || len(m.asked) != 0 {
		t.Errorf("verdicts %+v", v)
	}
}

func TestScore_RefusesTooBigACase(t *testing.T) {
	m := says(`{"verdict": "MET"}`)
	v := ask(t, scorerOf(t, rubricOf(criterion("a")), m, judge.Options{}), caseOf("q", strings.Repeat("x", 9<<20)))[0]
	if v.Class != fault.Input || len(m.asked) != 0 || len(v.Message) > 300 {
		t.Errorf("verdict %+v", v)
	}
}

func TestScore_Request(t *testing.T) {
	three := 3
	r := rubricOf(criterion("clear"))
	r.Judge = rubric.Judge{Model: "m1", MaxTokens: 77, Temperature: new(float64)}
	*r.Judge.Temperature = 0.5
	m := says(`{"verdict": "MET"}`)
	s := scorerOf(t, r, m, judge.Options{Seed: &three})
	for _, repeat := range []int{1, 2} {
		if _, err := s.Score(llm.WithRepeat(context.Background(), repeat), caseOf("q", "a")); err != nil {
			t.Fatal(err)
		}
	}
	if q := m.asked[0]; q.Model != "m1" || q.MaxTokens != 77 || *q.Temperature != 0.5 || *q.Seed != 3 || q.ID.Repeat != 1 || q.Schema == nil {
		t.Errorf("request %+v", q)
	}
	if id := m.asked[0].ID; id.Case != "q1" || id.CaseDigest != caseOf("q", "a").Digest() || id.Attempt != 1 || len(id.Criteria) != 1 || id.Criteria[0] != "clear" {
		t.Errorf("identity %+v", id)
	}
	if q := m.asked[1]; *q.Seed != 4 || q.ID.Repeat != 2 {
		t.Errorf("the second repeat: %+v", q)
	}
	m = says(`{"verdict": "MET"}`)
	ask(t, scorerOf(t, r, m, judge.Options{Model: "m2", MaxTokens: 5, Temperature: new(float64)}), caseOf("q", "a"))
	if q := m.asked[0]; q.Model != "m2" || q.MaxTokens != 5 || *q.Temperature != 0 || q.Seed != nil {
		t.Errorf("request %+v", q)
	}
	m = says(`{"verdict": "MET"}`)
	ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{}), caseOf("q", "a"))
	if q := m.asked[0]; q.Temperature == nil || *q.Temperature != 0 || q.MaxTokens != 0 {
		t.Errorf("request %+v", q)
	}
}

func TestScore_NamesDroppedParameters(t *testing.T) {
	m := says(`{"verdict": "MET"}`)
	m.steps[0].res.Dropped = []string{"temperature"}
	v := ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{}), caseOf("q", "a"))[0]
	if len(v.Warnings) != 1 || !strings.Contains(v.Warnings[0], "does not take temperature") {
		t.Errorf("warnings %q", v.Warnings)
	}
}

func TestNew_RefusesInvalidTasks(t *testing.T) {
	templated := criterion("t")
	templated.Scorer.Prompt = &rubric.Prompt{Template: "{{ x"}
	r := rubricOf(criterion("a"), templated)
	for name, list := range map[string][]*rubric.Criterion{
		"no criteria":                        nil,
		"a template that does not parse":     {&r.Criteria[1]},
		"a template in one call with others": {&r.Criteria[0], &r.Criteria[1]},
	} {
		if _, err := judge.New(context.Background(), r, list, says(""), judge.Options{Templates: judge.Engine()}); fault.Of(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNew_RendersTheTemplateOfACriterion(t *testing.T) {
	c := answering(criterion("level"), rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "low", Description: "little"}, {ID: "high", Score: 1}}})
	c.Scorer.Prompt = &rubric.Prompt{Template: "Judge:\n{% for q in questions %}- {{ q }}\n{% endfor %}"}
	m := says(`{"reason": "r", "verdict": "high"}`)
	s := scorerOf(t, rubricOf(c), m, judge.Options{})
	v := ask(t, s, caseOf("", `{"questions": ["one", "two"]}`))[0]
	if v.Native != rubric.LevelIs("high") || v.How.Digest == judge.Prompts()["criteria"] {
		t.Errorf("verdict %+v", v)
	}
	if q := m.asked[0].User; !strings.Contains(q, "Judge:\n- one\n- two\n") || !strings.Contains(q, "<task nonce=") || strings.Contains(q, "<response") || !strings.Contains(q, "- low: little") {
		t.Errorf("asked %s", q)
	}
	whole := &dataset.Case{ID: "w", Fields: []dataset.Field{{Name: "questions", Value: jsontext.Value(`["three"]`)}}}
	if v = ask(t, s, whole)[0]; v.Status != rubric.Scored || !strings.Contains(m.asked[1].User, "- three") {
		t.Errorf("a case without an output: %+v", v)
	}
	v = ask(t, s, caseOf("", `{"answers": []}`))[0]
	if v.Status != rubric.Failed || v.Class != fault.Invalid || !strings.Contains(v.Message, "'questions' is undefined") || len(m.asked) != 2 {
		t.Errorf("verdict %+v, asked %d times", v, len(m.asked))
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
