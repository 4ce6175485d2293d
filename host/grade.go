package host

import (
	"context"
	"time"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// GradeOptions say how one case is graded. The zero value is valid.
type GradeOptions struct {
	PlanOptions
	Timeout time.Duration // 0: none
}

// Grade grades one case with a document. A case that could not be scored is a
// row without a score, not an error; the error says that nothing was graded.
func (e *Evaluator) Grade(ctx context.Context, doc *dialect.Document, c *dataset.Case, o GradeOptions) (*result.Row, error) {
	p, err := e.Plan(doc, o.PlanOptions)
	if err != nil {
		return nil, err
	}
	return e.GradeWith(ctx, p, c, o)
}

// GradeWith is Grade with a plan that this evaluator has made. Of o only Given, which must be that of
// the plan, and Timeout count. The error has class fault.NotFound if the plan lacks the case's rubric.
func (e *Evaluator) GradeWith(ctx context.Context, p *plan.Plan, c *dataset.Case, o GradeOptions) (*result.Row, error) {
	graders, err := e.assemble(ctx, p, o.Given)
	if err != nil {
		return nil, err
	}
	s := graders[c.Rubric]
	if s == nil {
		return nil, fault.New(fault.NotFound, "%s: the plan has no rubric %s", c.Place(), c.Rubric)
	}
	row, err := runner.Grade(ctx, s, c, runner.GradeOptions{Unscored: p.Unscored, Timeout: o.Timeout, CPU: e.cpu})
	if err != nil {
		return nil, err
	}
	if row.Feedback == "" {
		row.Feedback = result.Feedback(s.Rubric, row)
	}
	return row, nil
}
