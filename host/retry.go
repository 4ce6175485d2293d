package host

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// Retry grades the rows of a finished run again that have no score, in the same
// directory. A row with a score is never touched, and of the others the judge is
// asked only about criteria without a number. classes restricts it to rows in which
// something failed with one of these classes; fault.Unscored means rows in which
// nothing failed. Nil: every row without a score.
//
// The plan, with its limits of calls, the cases and the gates are the run's own; of o only Given, Gates (nil:
// the run's), MaxUnscored, the timeouts, FailFast, InFlight, Observe and Begun
// count. The evaluator needs the run's plugins, and its judge the run's endpoint.
// Rows of the dataset that could not be read stay as they are.
func (e *Evaluator) Retry(ctx context.Context, dir string, classes []fault.Class, o EvaluateOptions) (*Evaluation, error) {
	run, p, err := runner.ReadPlanned(dir)
	if err != nil {
		return nil, err
	}
	if err := retriable(run, p, o); err != nil {
		return nil, err
	}
	if err := o.keep(run); err != nil {
		return nil, err
	}
	if b := run.Baseline(); b != nil && o.Baseline == "" {
		o.Baseline, o.AllowDifferent = b.Base.Source, compare.Differences() // grants of the run are granted again
	}
	o.Runs, o.NoContent, o.Repeat, o.Unscored = filepath.Dir(dir), false, p.Repeat, p.Unscored
	second, err := e.limitedAs(p).judging(run, p)
	if err != nil {
		return nil, err
	}
	w, err := second.prepare(ctx, &Evaluation{Plan: p, Run: run, opts: o})
	if err != nil {
		return nil, err
	}
	kept, err := runner.OpenCases(dir)
	if err != nil {
		return nil, err
	}
	defer kept.Close()
	var rows []*result.Row // one of each case
	seen := map[string]bool{}
	w.retry = &retrying{dir: dir}
	w.retry.again = func(row *result.Row) bool {
		if row.Repeat == 0 || !hasClass(row, classes) {
			return false
		}
		if !seen[row.Case] {
			seen[row.Case] = true
			rows = append(rows, &result.Row{Case: row.Case, CaseDigest: row.CaseDigest, Rubric: row.Rubric})
		}
		w.retry.redo = append(w.retry.redo, w.askedAnew(row)...)
		return true
	}
	w.cases = func(yield func(*dataset.Case, error) bool) {
		for _, row := range rows {
			c, err := keptCase(kept, row)
			if err != nil {
				w.lost = err
				return
			}
			if !yield(c, nil) {
				return
			}
		}
	}
	run.Status, run.Retrying, run.Finished, run.Error, run.Exit = result.Running, true, time.Time{}, nil, nil
	return w.ev, w.run(ctx)
}

// retriable says why the rows of a run cannot be graded again, if so.
func retriable(run *result.Run, p *plan.Plan, o EvaluateOptions) error {
	switch {
	case run.Status == result.Running:
		return fault.WithHint(fault.New(fault.Conflict, "run %s is still running", run.ID), "wait for it")
	case run.Status != result.Finished && !run.Retrying:
		return fault.WithHint(fault.New(fault.Conflict, "run %s is not finished (%s)", run.ID, run.Status), "re-run its command to resume it, then retry the unscored rows")
	case run.Dataset.NoContent:
		return fault.WithHint(fault.New(fault.Usage, "run %s keeps no content: its cases cannot be graded again", run.ID), "start a new run with "+fault.OptionFresh)
	case p.Verdicts != o.Given.Digest():
		return fault.WithHint(fault.New(fault.Mismatch, "run %s was made with other given verdicts", run.ID), "give the same ones with "+fault.OptionGiven)
	}
	return nil
}

// keep takes the gates and the slices of a run where none are given.
func (o *EvaluateOptions) keep(run *result.Run) error {
	if o.Gates == nil {
		for _, g := range run.Gates {
			gate, err := result.ParseGate(g.Expr)
			if err != nil {
				return err
			}
			o.Gates = append(o.Gates, gate)
		}
	}
	if o.Slices == nil {
		o.Slices = run.SliceFields()
	}
	return nil
}

// judging returns the evaluator with its judge asked as the run's was.
func (e *Evaluator) judging(run *result.Run, p *plan.Plan) (*Evaluator, error) {
	if p.Embeddings != nil && (e.judge == nil || e.judge.embeds == nil) {
		return nil, fault.WithHint(fault.New(fault.Usage, "run %s has embeddings of %s, and no endpoint is given", run.ID, p.Embeddings.Name), "name it with "+fault.OptionEmbeddings)
	}
	if !p.Judged() || p.Judge == nil {
		return e, nil
	}
	if !e.judge.judges() {
		return nil, fault.WithHint(fault.New(fault.Usage, "run %s has a judge, %s, and none is given", run.ID, p.Judge.Name), "name it with "+fault.OptionJudge)
	}
	if model := e.judge.judge.Options.Model; p.Judge.Model != "" && model != p.Judge.Model {
		return nil, fault.WithHint(fault.New(fault.Mismatch, "run %s was judged by the model %s, and %s is given", run.ID, p.Judge.Model, model),
			"retry with the judge of the run, or start a new run with "+fault.OptionFresh)
	}
	second, a := *e, *e.judge
	a.judge.Options = asPinned(a.judge.Options, p.Judge)
	second.judge = &a
	return &second, nil
}

// hasClass reports whether a row without a score is one of those that are meant.
func hasClass(row *result.Row, classes []fault.Class) bool {
	if len(classes) == 0 {
		return true
	}
	found := []fault.Class{}
	if row.Error != nil {
		found = append(found, row.Error.Class)
	}
	for c := range row.All() {
		if c.Error != nil {
			found = append(found, c.Error.Class)
		}
	}
	if len(found) == 0 {
		found = append(found, fault.Unscored)
	}
	return slices.ContainsFunc(found, func(c fault.Class) bool { return slices.Contains(classes, c) })
}
