package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// Rescore grades the cases of a finished run with another rubric, in a run of its
// own. Where the rubric asks a judge the same question about the same case, the run's
// answer is reused; everything else is scored. Of o, Dataset and NoContent are
// ignored, and a Repeat of 0 means the run's.
func (e *Evaluator) Rescore(ctx context.Context, dir string, doc *dialect.Document, o EvaluateOptions) (*Evaluation, error) {
	base, err := runner.ReadRun(dir)
	if err != nil {
		return nil, err
	}
	if err := rescorable(base, doc); err != nil {
		return nil, err
	}
	o.Repeat = cmp.Or(o.Repeat, max(1, base.Repeats))
	o.NoContent, o.Dataset = false, dataset.Options{}
	p, err := e.Plan(doc, o.PlanOptions)
	if err != nil {
		return nil, err
	}
	run := e.newRun(doc, p, o)
	run.Dataset, run.RescoredFrom, run.MergedFrom = base.Dataset, base.ID, base.MergedFrom
	w, err := e.prepare(ctx, &Evaluation{Plan: p, Run: run, opts: o})
	if err != nil {
		return nil, err
	}
	kept, err := runner.OpenCases(dir)
	if err != nil {
		return nil, err
	}
	defer kept.Close()
	w.rescored, w.cases = dir, casesOfRun(dir, kept, &w.lost)
	unreadable := base.Counts.Rows - base.Dataset.Cases*max(1, base.Repeats) // they are not repeated
	w.ev.Total = base.Dataset.Cases*o.Repeat + max(0, unreadable)
	return w.ev, w.run(ctx)
}

// rescorable says why a run cannot be graded with another rubric, if so.
func rescorable(base *result.Run, doc *dialect.Document) error {
	switch {
	case base.Status != result.Finished:
		return fault.WithHint(fault.New(fault.Conflict, "run %s is not finished (%s)", base.ID, base.Status), "re-run its command to resume it")
	case base.Dataset.NoContent:
		return fault.WithHint(fault.New(fault.Usage, "run %s keeps no content: its cases cannot be graded again", base.ID), "evaluate its dataset in place of the run")
	case len(doc.Cases) > 0:
		return fault.WithHint(fault.New(fault.Usage, "%s brings cases of its own, and a run is graded with one rubric", doc.File), "evaluate it as a new run")
	}
	return nil
}

// casesOfRun goes over the cases of a run, in its order. Rows of the dataset that
// could not be read stay unreadable. It ends at a row of the run that is damaged, and
// sets lost.
func casesOfRun(dir string, kept *runner.CaseFile, lost *error) runner.Cases {
	return func(yield func(*dataset.Case, error) bool) {
		for row, err := range runner.ReadRows(dir) {
			if err != nil {
				*lost = err
				return
			}
			if row.Repeat > 1 {
				continue // the runner repeats
			}
			c, err := keptCase(kept, row)
			switch {
			case err == nil:
				c.Rubric = "" // it is graded with the one rubric
			case fault.Is(err, fault.NotFound) && row.Error != nil:
				err = &unreadable{row}
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// keptCase returns the case of a row. It is a fault of class NotFound if the run
// does not hold it.
func keptCase(kept *runner.CaseFile, row *result.Row) (*dataset.Case, error) {
	c, err := kept.Of(row)
	if err == nil && c == nil {
		err = fault.New(fault.NotFound, "the run does not hold case %q", row.Case)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", runner.CasesFile, err)
	}
	return c, nil
}

// unreadable is a row of a dataset that another run could not read.
type unreadable struct{ row *result.Row }

func (u *unreadable) Error() string { return u.row.Error.Message }

// Unwrap gives the failure its class, and its id to the row.
func (u *unreadable) Unwrap() []error {
	return []error{fault.New(u.row.Error.Class, "%s", u.row.Error.Message), &dataset.RowError{ID: u.row.Case, SampleOf: u.row.SampleOf, Cluster: u.row.Cluster}}
}

// reuse puts the judge's answers of the run that is rescored in front of the
// model. close ends the reading of its file.
func (w *evaluating) reuse(next llm.Model) (llm.Model, error) {
	if w.rescored == "" {
		return next, nil
	}
	f, err := file.Open(filepath.Join(w.rescored, runner.CallsFile), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return next, nil
	}
	if err != nil {
		return nil, fault.New(fault.Invalid, "%w", err)
	}
	defer f.Close()
	return llm.Reuse(next, io.Reader(f), f.Name(), w.e.judge.recorder)
}
