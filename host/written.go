package host

import (
	"context"
	"fmt"
	"slices"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// feedback returns the function that writes the feedback of rows; nil: they have none.
func (e *Evaluator) feedback(p *plan.Plan, r *rubric.Rubric) func(context.Context, *result.Row) error {
	switch {
	case p.Feedback == plan.Deterministic:
		return func(_ context.Context, row *result.Row) error {
			row.Feedback = result.Feedback(r, row)
			return nil
		}
	case p.Feedback == plan.ByJudge && e.judge.judges():
		return func(ctx context.Context, row *result.Row) error { return e.written(ctx, r, row) }
	case p.Feedback == plan.ByJudge:
		return func(_ context.Context, row *result.Row) error {
			if !judged(row) {
				row.Feedback = result.Feedback(r, row)
			}
			return nil
		}
	}
	return nil
}

// written lets the judge write the feedback of a row that it has judged. Whatever keeps it
// from a text that holds leaves the deterministic one. The error ends the run.
func (e *Evaluator) written(ctx context.Context, r *rubric.Rubric, row *result.Row) error {
	row.Feedback = result.Feedback(r, row)
	if !judged(row) {
		return nil
	}
	id := llm.CallID{Case: row.Case, CaseDigest: row.CaseDigest, Repeat: llm.RepeatOf(ctx), Rubric: row.Rubric}
	text, how, err := judge.Feedback(ctx, e.judge.model, e.judge.judge.Options, r, row, id)
	if llm.Stops(err) {
		return err
	}
	row.Judge.Add(result.UsageOf(&rubric.Verdict{How: how, Class: fault.Of(err)}))
	if err != nil {
		row.Warnings = append(row.Warnings, fmt.Sprintf("the judge's feedback is not used: %s", fault.Clip(err.Error(), 400)))
		return nil
	}
	row.Feedback, row.FeedbackHow = text, &how
	return nil
}

// judged reports whether a judge gave one of the verdicts of a row.
func judged(row *result.Row) bool {
	return slices.ContainsFunc(row.Criteria, func(c result.Criterion) bool {
		return c.Value != nil && !c.Fallback && c.How != nil && c.How.By == "judge"
	})
}
