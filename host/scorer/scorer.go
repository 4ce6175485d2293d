// Package scorer holds the one interface that every way of scoring satisfies,
// and the verdicts that people or another system give in its stead.
//
// Stability: stable.
package scorer

import (
	"context"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A Scorer answers for one case: one verdict for each criterion of its task,
// in the order of the task. It is made for one task and knows its criteria.
//
// Implementations are safe for concurrent use and return promptly once ctx is
// done. A Scorer that ran but could not decide returns a verdict whose status
// is rubric.Unscored, and one that got no usable answer for some criterion a
// rubric.Failed one. An error means that it did not run at all; its class says
// why, and it stands for every criterion of the task. Package scorertest holds
// an implementation to all of this.
type Scorer interface {
	Score(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error)
}

// Func is a function that scores.
type Func func(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error)

// Score calls f.
func (f Func) Score(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
	return f(ctx, c)
}
