package runner_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// A panic of a scorer fails the verdicts of one case, whether the scorer waits or
// computes: the process and the other cases go on.
func TestRun_PanicOfAScorerFailsOneCase(t *testing.T) {
	constant := constant(1, "a")
	panics := scorer.Func(func(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
		if c.ID == "c0001" {
			panic("a defect")
		}
		return constant.Score(ctx, c)
	})
	for _, waits := range []bool{false, true} {
		var kept memory
		tally, err := runner.Run(t.Context(), numbered(t, 3), oneCriterion(panics, waits), &kept, runner.Options{Workers: 2})
		if err != nil || tally.Rows != 3 {
			t.Fatalf("waits %v: %+v, %v", waits, tally, err)
		}
		for _, row := range kept.rows {
			v := row.Criteria[0]
			if row.Case != "c0001" {
				if v.Value == nil || *v.Value != 1 {
					t.Errorf("waits %v: %s: %+v", waits, row.Case, v)
				}
				continue
			}
			if row.Status == rubric.Scored || v.Value != nil || v.Error == nil || v.Error.Class != fault.Internal || !strings.Contains(v.Error.Message, "panic: a defect") {
				t.Errorf("waits %v: %s: %+v", waits, row.Status, v)
			}
		}
	}
}

// A panic outside of the scorers stops the run, of class internal; finished rows are kept.
func TestRun_PanicOfTheRunStopsIt(t *testing.T) {
	fine := oneCriterion(constant(1, "a"), false)
	for name, tt := range map[string]struct {
		cases  runner.Cases
		grader func(string) *runner.Grader
	}{
		"the dataset": {func(yield func(*dataset.Case, error) bool) {
			yield(newCase(t, "a"), nil)
			panic("the reader")
		}, fine},
		"the grader": {numbered(t, 3), func(string) *runner.Grader { panic("the grader") }},
	} {
		var kept memory
		_, err := runner.Run(t.Context(), tt.cases, tt.grader, &kept, runner.Options{Workers: 1})
		if fault.Of(err) != fault.Internal || !strings.Contains(err.Error(), "panic: "+strings.Replace(name, "dataset", "reader", 1)) {
			t.Errorf("%s: %v", name, err)
		}
		if frames := fault.Trace(err); !slices.ContainsFunc(frames, func(f string) bool { return strings.Contains(f, "TestRun_PanicOfTheRunStopsIt") }) {
			t.Errorf("%s: frames %q", name, frames)
		}
	}
}
