package host_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rubric-host/rubric-host/host"
)

// quiz is a rubric of dataknobs whose functions lie in one module.
const quiz = `{"id": "quiz", "name": "Quiz", "description": "d", "version": "1.0.0", "target_type": "content", "pass_threshold": 0.7, "criteria": [
	{"id": "a", "name": "A", "description": "d", "weight": 0.5, "levels": [{"id": "fail", "label": "Fail", "description": "d", "score": 0}, {"id": "pass", "label": "Pass", "description": "d", "score": 1}], "scoring_method": {"type": "deterministic", "function_ref": "myapp.scoring:check_clarity"}},
	{"id": "b", "name": "B", "description": "d", "weight": 0.5, "levels": [{"id": "fail", "label": "Fail", "description": "d", "score": 0}, {"id": "pass", "label": "Pass", "description": "d", "score": 1}], "scoring_method": {"type": "deterministic", "function_ref": "myapp.scoring:check_count"}}]}`

func TestScorer_KnowsItsFunctionAndAnswersAsAPlugin(t *testing.T) {
	ctx := context.Background()
	reason := host.Level("pass")
	reason.Reason = "why"
	for name, tt := range map[string]struct {
		answer host.Answer
		want   string
	}{
		"a level":                        {host.Level("pass"), "scored 1 pass"},
		"a level with a reason":          {reason, "scored 1 pass why"},
		"a level that there is not":      {host.Level("great"), "failed protocol"},
		"a score that is a level's":      {host.Score(0), "scored 0 fail"},
		"a score that is not a level's":  {host.Score(0.37), "failed protocol"},
		"no score":                       {host.Unscored("it cannot be said"), "unscored it cannot be said"},
		"nothing":                        {host.Answer{}, "failed protocol"},
		"two at once":                    {host.Answer{Score: host.Score(1).Score, Level: host.Level("pass").Level}, "failed protocol"},
		"unscored that says no reason":   {host.Unscored(""), "failed protocol"},
		"a score outside of the range":   {host.Score(7), "failed protocol"},
		"a function that has its own":    {host.Level("fail"), "scored 0 fail"},
		"another function of the module": {host.Level("pass"), "scored 1 pass"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			all := func(_ context.Context, q host.Question) (host.Answer, error) {
				asked = append(asked, q.Function)
				if len(q.Criterion.Answer.Levels) != 2 {
					t.Errorf("levels %v", q.Criterion.Answer.Levels)
				}
				return tt.answer, nil
			}
			ev, err := host.New(ctx, host.Options{CPU: 1, Scorers: map[string]host.Scorer{"myapp.scoring": all, "myapp.scoring:check_count": func(context.Context, host.Question) (host.Answer, error) { return host.Level("fail"), nil }}})
			must(t, err)
			defer ev.Close(ctx)
			doc, err := host.Parse("quiz.json", []byte(quiz))
			must(t, err)
			c, err := host.Case(`{"id": "x", "output": {"questions": [1]}}`)
			must(t, err)
			row, err := ev.Grade(ctx, doc, c, host.GradeOptions{})
			must(t, err)
			r := row.Criteria[0]
			got := string(r.Status)
			switch {
			case r.Value != nil:
				got += fmt.Sprintf(" %v %s", *r.Value, *r.Native.Level)
				if r.Reason != "" {
					got += " " + r.Reason
				}
			case r.Error != nil:
				got += " " + string(r.Error.Class)
			default:
				got += " " + r.Reason
			}
			if got != tt.want || len(asked) != 1 || asked[0] != "check_clarity" {
				t.Errorf("%s of %q, want %s", got, asked, tt.want)
			}
			if b := row.Criteria[1]; *b.Native.Level != "fail" {
				t.Errorf("the function of its own: %+v", b)
			}
		})
	}
}
