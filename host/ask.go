package host

import (
	"context"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// Ask asks the judge's model for something that is not a verdict, with the judge's
// settings, limits, cache and recording; see judge.Converse. Without a judge the
// error has class fault.Usage.
func (e *Evaluator) Ask(ctx context.Context, q judge.Query) (rubric.How, error) {
	if e.judge == nil || !e.judge.judges {
		return rubric.How{}, fault.WithHint(fault.New(fault.Usage, "no judge is configured"), "name one with "+fault.OptionJudge)
	}
	return judge.Converse(ctx, e.judge.model, e.judge.judge.Options, q)
}
