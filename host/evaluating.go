package host

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// evaluating is the work of one Evaluate, Retry, Rescore or Merge.
type evaluating struct {
	e       *Evaluator
	ev      *Evaluation
	o       EvaluateOptions
	graders map[string]*runner.Grader
	begun   time.Time // this execution

	reader *dataset.Reader // nil: the cases are those of a run
	cases  runner.Cases
	lost   error // why the cases end before their end

	retry    *retrying     // nil: the cases of a dataset are graded, not rows of a run again
	rescored string        // directory of the run whose cases are graded; empty: those of a dataset
	usage    *result.Usage // of the runs that are merged

	dir     *runner.Dir // nil: nothing is kept
	resumed bool        // dir holds rows of an earlier execution

	sums    sums
	slices  []string        // fields to sum up by
	against *baseline       // nil: none
	graded  int             // rows of cases, without those that could not be read
	likely  map[string]int  // unscored ones without references, by the field that may hold them
	unmet   map[string]bool // cases with given verdicts that have no row yet
}

// newEvaluating makes the work of an evaluation that has its plan, its record and its options.
// It refuses combinations that cannot work before anything is written.
func (e *Evaluator) newEvaluating(ev *Evaluation) (*evaluating, error) {
	w := &evaluating{e: e, ev: ev, o: ev.opts, sums: newSums(ev.Plan), begun: time.Now(), likely: map[string]int{}, unmet: ev.opts.Given.Cases()}
	err := w.o.checkGates(ev.Plan)
	if err != nil {
		return nil, err
	}
	if w.slices, err = w.o.sliceFields(); err != nil {
		return nil, err
	}
	w.against, err = w.o.openBaseline(ev.Run)
	return w, err
}

// prepare is newEvaluating for an evaluation that grades: it has its scorers, too.
func (e *Evaluator) prepare(ctx context.Context, ev *Evaluation) (*evaluating, error) {
	w, err := e.newEvaluating(ev)
	if err != nil {
		return nil, err
	}
	w.graders, err = e.assemble(ctx, ev.Plan, w.o.Given)
	return w, err
}

func (w *evaluating) run(ctx context.Context) error {
	if err := w.open(); err != nil {
		return err
	}
	closeCalls, err := w.recordCalls()
	if err != nil {
		closeCalls()
		return errors.Join(err, w.dir.Close())
	}
	if w.fixed() {
		w.ev.Total = w.ev.Kept.Rows
	}
	if w.o.Begun != nil {
		w.o.Begun(w.ev)
	}
	if w.o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, w.o.Timeout, fault.New(fault.Timeout, "the run took longer than %s", w.o.Timeout))
		defer cancel()
	}
	tally, err := runner.Run(ctx, w.cases, func(key string) *runner.Grader { return w.graders[key] }, w, w.options())
	err = errors.Join(err, w.lost)
	w.ev.Resumed = tally.Skipped
	if w.fixed() {
		w.ev.Resumed = w.ev.Kept.Rows - w.ev.Kept.Redo
	}
	if w.reader != nil {
		w.ev.Totals = w.reader.Totals()
	}
	if err == nil && tally.Rows+tally.Skipped == 0 && !w.fixed() && w.o.Dataset.Select.Shards == 0 { // a shard may have none
		if err = fault.New(fault.Empty, "no case matched: there are none"); w.reader != nil {
			err = w.reader.NoneSelected()
		}
	}
	err = also(err, w.order(err == nil))
	err = w.finish(context.WithoutCancel(ctx), err)
	if fault.Is(err, fault.Empty) && w.dir != nil && !w.resumed { // an empty run is not worth keeping
		w.ev.Dir = ""
		closeCalls()
		return errors.Join(err, w.dir.Discard())
	}
	closeCalls()
	return also(err, w.close())
}

// untilGarbage goes over the cases of the dataset, until it is given up.
func (w *evaluating) untilGarbage(yield func(*dataset.Case, error) bool) {
	for c, err := range w.reader.Cases() {
		if !yield(c, err) {
			return
		}
		if err != nil {
			if w.lost = w.reader.Garbage(); w.lost != nil {
				return
			}
		}
	}
}

// fixed reports whether the rows of a run are graded again, rather than the cases
// of a dataset.
func (w *evaluating) fixed() bool { return w.retry != nil }

// order puts the rows into the order of the dataset, and sums them up unless that
// was done as they came. complete says that the run came to its end.
func (w *evaluating) order(complete bool) error {
	if w.dir == nil {
		return nil
	}
	dropped, err := w.dir.Sort(complete)
	w.ev.Dropped = dropped
	if !w.resumed && !w.ev.Plan.Asks() {
		return err
	}
	for row, bad := range runner.ReadRows(w.dir.Path()) {
		if bad != nil {
			return cmp.Or(err, bad) // a write that failed tore the row
		}
		w.take(row) //nolint:errcheck // it has none
	}
	return err
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
	if w.dir == nil || !w.resumed && !w.ev.Plan.Asks() { // else they are summed up from the file, in its order
		o.Ordered = w.take
	}
	switch {
	case w.ev.Plan.Asks():
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
			if w.e.modules.isolates(w.ev.Plan) {
				o.Workers *= callsPerBatch
			}
		}
	}
	return o
}

// callsPerBatch is how many calls wait for a worker process, for each that it
// makes at once: they go there and come back together.
const callsPerBatch = 8

func (w *evaluating) take(row *result.Row) error {
	delete(w.unmet, row.Case)
	w.sums.add(row)
	if w.against != nil {
		w.against.current.Add(row)
	}
	return nil
}

// finish records the outcome of the run. It returns stopped, or why the run
// cannot be compared with its baseline.
func (w *evaluating) finish(ctx context.Context, stopped error) error {
	run := w.ev.Run
	s := w.sums.summary(ctx, w.e)
	w.slice(s)
	s.Warnings = append(s.Warnings, ownWarnings(w.ev.Plan, s, len(w.o.Gates))...)
	s.Warnings = append(s.Warnings, w.warnings(s, stopped)...)
	var err error
	if s.Baseline, err = w.against.compare(ctx, w); stopped == nil {
		stopped = err
	}
	for _, d := range w.ev.Totals.Warnings {
		s.Warnings = append(s.Warnings, d.Message)
	}
	run.Seconds += time.Since(w.begun).Seconds()
	run.Finished, run.Status = time.Now().UTC(), result.StatusOf(stopped)
	run.Summary, run.Counts, run.Usage = s, s.Counts, s.Usage
	run.Retrying = w.fixed() && stopped != nil
	if spent, ok := w.spent(); ok {
		spent.Cached = s.Usage.Cached
		run.Usage = spent
	}
	if w.reader != nil {
		w.o.describe(&run.Dataset, w.ev.Totals)
	}
	run.Gates, run.MaxUnscored = w.outcomes(s), w.o.MaxUnscored.String()
	run.Error = result.FailureOf(stopped)
	if err := w.ev.Err(); stopped == nil && err != nil {
		run.End(fault.ExitCode(err))
	} else {
		run.End(fault.ExitCode(stopped))
	}
	return stopped
}

// outcomes decides the gates by a summary, with the usage of all executions.
func (w *evaluating) outcomes(s *result.Summary) []result.Outcome {
	list := make([]result.Outcome, len(w.o.Gates))
	measured := *s
	measured.Usage = w.ev.Run.Usage
	for i := range list {
		list[i] = w.o.Gates[i].Evaluate(&measured)
		if w.against != nil {
			list[i].Why = strings.Replace(list[i].Why, result.NoBaseline, baselineRefused, 1)
		}
	}
	return list
}

// baselineRefused is why a gate has no figure where the baseline cannot be compared with.
const baselineRefused = "the baseline was refused"

// close writes run.json for the last time and lets go of the directory. A run that
// could not be kept has failed, whatever became of its rows.
func (w *evaluating) close() error {
	if w.dir == nil {
		return nil
	}
	err := w.dir.Sync()
	w.failed(err)
	if e := w.ev.Run.Error; e != nil && e.Class == fault.Storage {
		w.ev.Run.RowsKept = w.countRows()
	}
	wrote := w.dir.WriteRun(w.ev.Run)
	w.failed(wrote)
	closed := w.dir.Close()
	w.failed(closed)
	w.ev.Unkept = also(also(err, wrote), closed)
	return w.ev.Unkept
}

// also joins two errors, each part once.
func also(err, more error) error {
	if err == nil {
		return more
	}
	if joined, ok := more.(interface{ Unwrap() []error }); ok { // calls joined further inside stay joined
		for _, e := range joined.Unwrap() {
			err = also(err, e)
		}
		return err
	}
	if more == nil || errors.Is(err, more) {
		return err
	}
	return errors.Join(err, more)
}

// failed notes in the run why it could not be kept, unless it failed before.
func (w *evaluating) failed(err error) {
	run := w.ev.Run
	if err == nil || run.Error != nil {
		return
	}
	run.Status, run.Error = result.StatusOf(err), result.FailureOf(err)
	run.End(fault.ExitCode(err))
}
