package generate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/generate"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

// examples returns n good and n bad outputs; the good ones say thank you.
func examples(t *testing.T, n int) (e generate.Examples) {
	t.Helper()
	for i := range n {
		for to, text := range map[*[]*dataset.Case]string{&e.Good: "Thank you, it comes on day %d.", &e.Bad: "No. Day %d is off."} {
			c, err := host.Case(fmt.Sprintf(`{"id": "x%d", "input": "Mail %d", "output": "`+text+`"}`, i, i, i))
			must(t, err)
			*to = append(*to, c)
		}
	}
	return e
}

// judging drafts, and judges by whether an output says thank you, in the form that a
// dialect's judge answers.
func judging(name string) func(llmtest.Call) llmtest.Answer {
	return func(c llmtest.Call) llmtest.Answer {
		user := c.User()
		if strings.Contains(user, "<good_output") {
			return llmtest.Answer{Text: `{"criteria": [{"id": "thanks", "text": "Thanks the customer.", "weight": 1}, {"id": "day", "text": "Names the day of delivery.", "weight": 2}, {"id": "short", "text": "Has at most twenty words.", "weight": 1}]}`}
		}
		good, each := strings.Contains(user, "Thank you"), map[bool]string{true: `"MET"`, false: `"UNMET"`}
		switch name {
		case dialect.OpenRubricRL:
			each = map[bool]string{true: "1", false: "0"}
		case dialect.Dataknobs:
			each = map[bool]string{true: `"met"`, false: `"unmet"`}
		}
		one := `{"reason": "r", "verdict": ` + each[good] + `}`
		if strings.Contains(user, `"verdicts"`) {
			return llmtest.Answer{Text: `{"verdicts": {"thanks": ` + one + `, "day": ` + one + `, "short": ` + one + `}}`}
		}
		return llmtest.Answer{Text: one}
	}
}

func TestDraft_RefusesRequestsForNothing(t *testing.T) {
	s := llmtest.Texts(t, draft)
	ev := evaluator(t, s, llm.Limits{})
	for name, r := range map[string]generate.Request{
		"nothing":            {},
		"an unknown dialect": {Task: "x", Dialect: "agentw"},
	} {
		if got, err := generate.Draft(t.Context(), ev, r); got != nil || fault.Of(err) != fault.Usage {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if n := len(s.Calls()); n != 0 {
		t.Errorf("%d calls", n)
	}
}

func TestEvalFile_ErrCountsTheCasesThatAreLeft(t *testing.T) {
	f := &generate.EvalFile{Cases: []generate.Filled{{Status: generate.Drafted}, {Status: generate.Left}, {Status: generate.Left}}}
	if err := f.Err(nil); err != nil {
		t.Error(err)
	}
	budget := fault.New(fault.Budget, "0.02 USD are spent")
	if err := f.Err(budget); fault.Of(err) != fault.Budget || !strings.Contains(err.Error(), "2 cases are left without rubrics") {
		t.Error(err)
	}
	if err := f.Err(fault.New(fault.Storage, "full")); err == nil || err.Error() != "full" {
		t.Error(err)
	}
	f.Cases[1] = generate.Filled{Status: generate.Failed, Err: fault.New(fault.JudgeAnswer, "no JSON")}
	if err := f.Err(nil); fault.Of(err) != fault.JudgeAnswer || !strings.Contains(err.Error(), "1 of 2 cases got no draft: no JSON") {
		t.Error(err)
	}
	f.Cases[1].Err = fault.WithHint(fault.New(fault.Invalid, "line 6"), "one key a line")
	if err := f.Err(nil); fault.Of(err) != fault.Unscored || fault.Hint(err) != "one key a line" {
		t.Error(err)
	}
}

func TestDraft_IsTriedInEveryDialect(t *testing.T) {
	for _, name := range dialect.Names() {
		t.Run(name, func(t *testing.T) {
			ev := evaluator(t, llmtest.New(t, judging(name)), llm.Limits{})
			got, err := generate.Draft(t.Context(), ev, generate.Request{ID: "Mail!", Task: "Answer mail", Examples: examples(t, 10), Dialect: name})
			must(t, err)
			if got.Trial == nil || !got.Trial.HeldOut || got.Trial.AUC == nil || got.Trial.AUC.Value != 1 || got.Trial.Good.N != 5 || got.Trial.Separation != generate.Separates || got.Seen.Good.N != 5 {
				t.Errorf("%+v\n%s", got.Trial, got.Text)
			}
			if got.Meta == nil || got.Meta.Score == nil || *got.Meta.Score != 1 {
				t.Errorf("meta-rubric %+v", got.Meta)
			}
			if len(got.Shown) != 10 || len(got.Held) != 10 {
				t.Errorf("shown %v, held %v", got.Shown, got.Held)
			}
		})
	}
}

// A budget that ends during the trial leaves a draft without figures, and an error.
func TestDraft_StopsAtItsBudget(t *testing.T) {
	ev := evaluator(t, llmtest.New(t, judging(dialect.Native)), llm.Limits{Tokens: 4000})
	got, err := generate.Draft(t.Context(), ev, generate.Request{Task: "Answer mail", Examples: examples(t, 10)})
	if fault.Of(err) != fault.Budget || got == nil || got.Text == nil || got.Trial != nil {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := generate.Draft(t.Context(), ev, generate.Request{Task: " "}); fault.Of(err) != fault.Usage {
		t.Errorf("err = %v", err)
	}
}

func TestReadPairs_ReportsRows(t *testing.T) {
	read := func(text string) ([]generate.Pair, error) {
		return generate.ReadPairs(dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), StdinName: "pairs.jsonl", Format: "jsonl"})
	}
	good := `{"prompt": "p", "chosen": "a", "rejected": [{"role": "user", "content": "p"}, {"role": "assistant", "content": "b"}]}` + "\n"
	pairs, err := read(good + good)
	if err != nil || len(pairs) != 2 || pairs[1].Chosen.Output != "a" || pairs[1].Rejected.Output != "b" || pairs[1].Rejected.Input != "p" {
		t.Errorf("%+v, %v", pairs, err)
	}
	for row, problem := range map[string]string{
		`{"prompt": "p", "chosen": "a"}`:                                             "no rejected output",
		`{"prompt": "p", "chosen": "", "rejected": "b"}`:                             "chosen output is neither",
		`{"prompt": "p", "chosen": 5, "rejected": "b"}`:                              "chosen output is neither",
		`{"prompt": "p", "chosen": [], "rejected": "b"}`:                             "chosen output is neither",
		`{"prompt": "p", "chosen": "a", "rejected": [{"role": "user"}]}`:             "rejected output is neither",
		`{"prompt": "p", "chosen": "a", "rejected": [{"role": "a", "content": {}}]}`: "rejected output is neither",
		`{"prompt": `: "ends in the middle",
	} {
		if _, err := read(good + row + "\n"); err == nil || !strings.Contains(err.Error(), problem) || !strings.Contains(err.Error(), "pairs.jsonl:2") {
			t.Errorf("%s: %v", row, err)
		}
	}
}
