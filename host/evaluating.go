package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// evaluating is the work of one Evaluate.
type evaluating struct {
	e       *Evaluator
	ev      *Evaluation
	o       EvaluateOptions
	reader  *dataset.Reader
	sheets  map[string]*runner.Sheet
	corpora *corpora
	summary *result.Summarizer
	dir     *runner.Dir
}

func (w *evaluating) run(ctx context.Context) error {
	if err := w.open(); err != nil {
		return err
	}
	closeCalls, err := w.recordCalls()
	if err != nil {
		return errors.Join(err, w.close())
	}
	if w.o.Begun != nil {
		w.o.Begun(w.ev)
	}
	if w.o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, w.o.Timeout, fault.New(fault.Timeout, "the run took longer than %s", w.o.Timeout))
		defer cancel()
	}
	tally, err := runner.Run(ctx, w.reader.Cases(), func(key string) *runner.Sheet { return w.sheets[key] }, w, w.options())
	w.ev.Resumed = tally.Skipped
	w.ev.Totals = w.reader.Totals()
	if err == nil && tally.Rows+tally.Skipped == 0 {
		err = fault.New(fault.Empty, "no case matched: the dataset has %d rows, and the selection takes none", w.ev.Totals.Rows)
	}
	if err == nil && w.dir != nil {
		err = w.dir.Sort()
	}
	w.finish(context.WithoutCancel(ctx), err)
	if fault.Is(err, fault.Empty) && w.dir != nil { // nobody wants to find a run of nothing
		w.ev.Dir = ""
		return errors.Join(err, closeCalls(), w.dir.Discard())
	}
	return errors.Join(err, closeCalls(), w.close())
}

// options are the runner's: many cases at once where they wait for a judge,
// chunks of cases where they only compute.
func (w *evaluating) options() runner.Options {
	o := runner.Options{
		GradeOptions: runner.GradeOptions{Unscored: w.ev.Plan.Unscored, Timeout: w.o.CaseTimeout},
		Workers:      w.o.InFlight, Repeat: w.ev.Plan.Repeat, FailFast: w.o.FailFast, Chunk: 1, Observe: w.o.Observe,
	}
	if w.dir != nil {
		o.Done = w.dir.Done
	}
	switch {
	case w.ev.Plan.Judged():
		o.CPU = w.e.cpu
		if o.Workers == 0 {
			o.Workers = 256
			if c := w.e.o.Judge; c != nil && c.Concurrency > 0 {
				o.Workers = 2 * c.Concurrency
			}
		}
	default:
		o.Chunk = 16
		if o.Workers == 0 {
			o.Workers = cap(w.e.cpu)
			if w.e.isolates(w.ev.Plan) {
				o.Workers *= callsPerBatch
			}
		}
	}
	return o
}

// callsPerBatch is how many calls wait for a worker process, for each that it
// makes at once: they go there and come back together.
const callsPerBatch = 8

// Append takes a row from the runner: to disk first, then into the sums.
func (w *evaluating) Append(row *result.Row, c *dataset.Case, encoded []byte) error {
	if w.dir != nil {
		if err := w.dir.Append(row, c, encoded); err != nil {
			return err
		}
	}
	w.take(row)
	return nil
}

func (w *evaluating) take(row *result.Row) {
	w.summary.Add(row)
	w.corpora.add(row)
}

// open makes the run directory, or goes on with the one that the same run left
// unfinished.
func (w *evaluating) open() error {
	if w.o.Runs == "" {
		return nil
	}
	if !w.o.Fresh {
		if path := w.unfinished(); path != "" {
			return w.resume(path)
		}
	}
	var err error
	w.dir, err = runner.Create(w.o.Runs, w.ev.Run)
	if err == nil {
		w.ev.Dir = w.dir.Path()
	}
	return err
}

// unfinished returns the newest run of the same plan over the same data that
// did not come to its end, or the empty string.
func (w *evaluating) unfinished() string {
	ids, err := runner.List(w.o.Runs)
	if err != nil {
		return ""
	}
	const recent = 50
	for _, id := range slices.Backward(ids[max(0, len(ids)-recent):]) {
		path := filepath.Join(w.o.Runs, id)
		old, err := runner.ReadRun(path)
		if err == nil && old.Status != result.Finished && sameWork(old, w.ev.Run) {
			return path
		}
	}
	return ""
}

// sameWork reports whether two runs grade the same cases in the same way.
func sameWork(a, b *result.Run) bool {
	if a.PlanDigest != b.PlanDigest || a.Repeats != b.Repeats || a.Dataset.NoContent != b.Dataset.NoContent || !slices.Equal(a.Dataset.Paths, b.Dataset.Paths) {
		return false
	}
	x, errX := json.Marshal(a.Dataset.Selection)
	y, errY := json.Marshal(b.Dataset.Selection)
	return errX == nil && errY == nil && string(x) == string(y)
}

func (w *evaluating) resume(path string) error {
	old, err := runner.ReadRun(path)
	if err != nil {
		return err
	}
	w.ev.Run.ID, w.ev.Run.Started = old.ID, old.Started
	w.dir, err = runner.Resume(path, !w.o.NoContent, w.take)
	if err != nil {
		return err
	}
	w.ev.Dir = path
	return w.dir.WriteRun(w.ev.Run)
}

// recordCalls lets the judge's calls be kept in the run directory.
func (w *evaluating) recordCalls() (done func() error, err error) {
	none := func() error { return nil }
	if w.dir == nil || w.o.NoContent || w.e.asked == nil || w.e.asked.calls == nil || !w.ev.Plan.Judged() {
		return none, nil
	}
	f, err := os.OpenFile(filepath.Join(w.dir.Path(), runner.CallsFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%w", err)
	}
	w.e.asked.calls.point(f)
	return func() error {
		w.e.asked.calls.point(nil)
		return f.Close()
	}, nil
}

// finish writes down what became of the run.
func (w *evaluating) finish(ctx context.Context, stopped error) {
	run := w.ev.Run
	s := w.summary.Summary()
	s.Corpus = w.corpora.figures(ctx, w.e, w.ev.Plan)
	for _, pin := range w.ev.Plan.Plugins {
		if len(pin.Grants) > 0 {
			s.Warnings = append(s.Warnings, fmt.Sprintf("plugin %s was allowed %s: its numbers are not deterministic", pin.Name, strings.Join(pin.Grants, ", ")))
		}
		if len(pin.Missing) > 0 {
			s.Warnings = append(s.Warnings, fmt.Sprintf("plugin %s asks for %s, which it was not allowed: it ran without", pin.Name, strings.Join(pin.Missing, ", ")))
		}
	}
	for _, d := range w.ev.Totals.Warnings {
		s.Warnings = append(s.Warnings, d.Message)
	}
	run.Finished, run.Status = time.Now().UTC(), result.StatusOf(stopped)
	run.Summary, run.Counts, run.Usage = s, s.Counts, s.Usage
	w.o.describe(&run.Dataset, w.ev.Totals)
	run.Gates = []result.Outcome{}
	for i := range w.o.Gates {
		run.Gates = append(run.Gates, w.o.Gates[i].Evaluate(s))
	}
	run.Error = result.FailureOf(stopped)
	if err := w.ev.Err(); stopped == nil && err != nil {
		run.Exit = fault.ExitCode(err)
	} else {
		run.Exit = fault.ExitCode(stopped)
	}
}

// close writes run.json for the last time and lets go of the directory.
func (w *evaluating) close() error {
	if w.dir == nil {
		return nil
	}
	return errors.Join(w.dir.WriteRun(w.ev.Run), w.dir.Close())
}
