package host_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// feedbackJudge answers MET, and feedback with a text.
func feedbackJudge(t *testing.T, cases int, verdict, text string) *dollarJudge {
	t.Helper()
	d := newDollarJudge(t, cases, func(c llmtest.Call) llmtest.Answer {
		if strings.Contains(c.User(), "<results ") {
			return llmtest.Answer{Text: text, TokensIn: 1, TokensOut: 1}
		}
		return llmtest.Answer{Text: verdict, TokensIn: 1, TokensOut: 1}
	})
	d.o.Feedback = plan.ByJudge
	return d
}

const met = `{"reason":"it is","verdict":"MET"}`

func rowsIn(t *testing.T, dir string) (rows []*result.Row) {
	t.Helper()
	for row, err := range runner.ReadRows(dir) {
		must(t, err)
		rows = append(rows, row)
	}
	return rows
}

func TestFeedback_OfTheJudge(t *testing.T) {
	d := feedbackJudge(t, 3, met, `{"feedback": "Overall, the score is 100%. The criterion kind is met."}`)
	done, err := d.evaluator(0).Evaluate(t.Context(), d.doc, d.o)
	d.check("with feedback", done, err, fault.None, result.Finished, 6)
	for _, row := range rowsIn(t, done.Dir) {
		how := row.FeedbackHow
		if row.Feedback != "Overall, the score is 100%. The criterion kind is met." || how == nil || how.By != "judge" || len(how.PromptHash) != 16 || len(how.ResponseHash) != 16 || row.Judge.Calls != 2 || len(row.Warnings) > 0 {
			t.Errorf("%q %+v %+v %v", row.Feedback, how, row.Judge, row.Warnings)
		}
	}
	v, err := d.evaluator(0).Verify(t.Context(), done.Dir, nil)
	if err != nil || len(v.Differences) > 0 {
		t.Errorf("verify: %+v, %v", v, err)
	}
	if n := len(d.server.Calls()); n != 6 {
		t.Errorf("verify asked the judge: %d calls", n)
	}
}

func TestFeedback_ThatClaimsMoreIsReplaced(t *testing.T) {
	for name, text := range map[string]string{
		"no answer":     "",
		"another score": `{"feedback": "Overall, the score is 90%."}`,
		"blank":         `{"feedback": "  "}`,
		"no object":     "Well done!",
		"no text":       `{"feedback": 7}`,
	} {
		t.Run(name, func(t *testing.T) {
			d := feedbackJudge(t, 1, met, text)
			done, err := d.evaluator(0).Evaluate(t.Context(), d.doc, d.o)
			d.check(name, done, err, fault.None, result.Finished, 2)
			row := rowsIn(t, done.Dir)[0]
			if want := result.Feedback(d.doc.Rubric, row); row.Feedback != want || row.FeedbackHow != nil {
				t.Errorf("%q", row.Feedback)
			}
			if len(row.Warnings) != 1 || !strings.Contains(row.Warnings[0], "the judge's feedback is not used") {
				t.Errorf("%q", row.Warnings)
			}
			if v, err := d.evaluator(0).Verify(t.Context(), done.Dir, nil); err != nil || len(v.Differences) > 0 {
				t.Errorf("verify: %+v, %v", v, err)
			}
		})
	}
}

// TestFeedback_OfWhatNoJudgeDecided: the call is not made where the judge gave no verdict
// (vectors README, trap 16).
func TestFeedback_OfWhatNoJudgeDecided(t *testing.T) {
	d := feedbackJudge(t, 1, "I am not sure.", `{"feedback": "Overall, it is unscored."}`)
	done, err := d.evaluator(0).Evaluate(t.Context(), d.doc, d.o)
	d.check("no verdict", done, err, fault.None, result.Finished, 1)
	if row := rowsIn(t, done.Dir)[0]; !strings.Contains(row.Feedback, "[LLM evaluation inconclusive]") || row.FeedbackHow != nil {
		t.Errorf("%q", row.Feedback)
	}
	dir, doc, _ := evaluating(t, map[string]string{"rubric.yaml": "rubric: r\ncriteria:\n  - {id: same, metric: exact}\n", "data.jsonl": `{"output":"x","references":["x"]}` + "\n"})
	d.o.Dataset.Paths, d.doc = []string{filepath.Join(dir, "data.jsonl")}, doc
	done, err = d.evaluator(0).Evaluate(t.Context(), d.doc, d.o)
	if err != nil || len(d.server.Calls()) != 1 {
		t.Fatalf("%d calls, %v", len(d.server.Calls()), err)
	}
	if row := rowsIn(t, done.Dir)[0]; row.Feedback != result.Feedback(doc.Rubric, row) {
		t.Errorf("%q", row.Feedback)
	}
}

// TestFeedback_IsPartOfTheBudget stops a run before the feedback of a row, and
// resumes it: paid calls are not repeated.
func TestFeedback_IsPartOfTheBudget(t *testing.T) {
	d := feedbackJudge(t, 4, met, `{"feedback": "Overall, the score is 100%."}`)
	d.o.InFlight = 1
	done, err := d.evaluator(3).Evaluate(t.Context(), d.doc, d.o)
	d.check("stopped", done, err, fault.Budget, result.OverBudget, 3)
	done, err = d.evaluator(0).Evaluate(t.Context(), d.doc, d.o)
	d.check("resumed", done, err, fault.None, result.Finished, 8)
}

func TestFeedback_Deterministic(t *testing.T) {
	d := feedbackJudge(t, 1, met, "never asked")
	d.o.Feedback = plan.Deterministic
	done, err := d.evaluator(0).Evaluate(t.Context(), d.doc, d.o)
	d.check("deterministic", done, err, fault.None, result.Finished, 1)
	if row := rowsIn(t, done.Dir)[0]; row.Feedback != result.Feedback(d.doc.Rubric, row) {
		t.Errorf("%q", row.Feedback)
	}
	d.o.Feedback = ""
	done, err = d.evaluator(0).Evaluate(t.Context(), d.doc, d.o)
	if err != nil || rowsIn(t, done.Dir)[0].Feedback != "" {
		t.Errorf("%v", err)
	}
}

// TestFeedback_OfAJudgeThatFails: the verdicts stay, whatever becomes of their feedback.
func TestFeedback_OfAJudgeThatFails(t *testing.T) {
	for name, answer := range map[string]llmtest.Answer{
		"server": {Status: 500, Error: "no"}, "refusal": {Refusal: "I will not."}, "request": {Status: 400, Error: "too long"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDollarJudge(t, 1, func(c llmtest.Call) llmtest.Answer {
				if strings.Contains(c.User(), "<results ") {
					return answer
				}
				return llmtest.Answer{Text: met, TokensIn: 1, TokensOut: 1}
			})
			d.o.Feedback = plan.ByJudge
			done, err := d.evaluator(0).Evaluate(t.Context(), d.doc, d.o)
			must(t, err)
			row := rowsIn(t, done.Dir)[0]
			if row.Score == nil || row.Feedback != result.Feedback(d.doc.Rubric, row) || row.FeedbackHow != nil || len(row.Warnings) != 1 {
				t.Errorf("%+v", row)
			}
		})
	}
}
