package host

import (
	"context"

	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// baseline is the run that an evaluation is compared with, with the rows of the
// evaluation read so far. Nil is none.
type baseline struct {
	base    *compared
	current *compared
}

// openBaseline reads the baseline, and refuses one that cannot be compared with
// the run that begins.
func (o *EvaluateOptions) openBaseline(run *result.Run) (*baseline, error) {
	if o.Baseline == "" {
		return nil, nil //nolint:nilnil // no baseline is no error
	}
	b := &baseline{current: &compared{Run: compare.NewRun(), cases: &runner.CaseFile{}}}
	b.current.describe(run)
	b.current.status = result.Finished
	var err error
	if b.base, err = openCompared(o.Baseline); err != nil {
		return nil, err
	}
	return b, compare.Check(b.base.Run, b.current.Run, o.AllowDifferent)
}

func (b *baseline) add(row *result.Row) {
	if b != nil {
		b.current.Add(row)
	}
}

// compare compares the evaluation with the baseline.
func (b *baseline) compare(ctx context.Context, w *evaluating) (*result.Comparison, error) {
	if b == nil {
		return nil, nil //nolint:nilnil // no baseline is no error
	}
	defer b.base.cases.Close()
	b.current.Side.Run = w.ev.Run.ID
	if w.dir != nil {
		b.current.Side.Source = w.dir.Path()
		if cases, err := runner.OpenCases(w.dir.Path()); err == nil {
			b.current.cases = cases
			defer cases.Close()
		}
	}
	return w.e.compare(ctx, b.base, b.current, compare.Options{Allow: w.o.AllowDifferent, Slices: w.o.Slices})
}
