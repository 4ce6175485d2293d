package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
)

// evaluating is the work of one Evaluate, Retry or Rescore.
type evaluating struct {
	e       *Evaluator
	ev      *Evaluation
	o       EvaluateOptions
	reader  *dataset.Reader
	graders map[string]*runner.Grader
	corpora *corpora
	summary *result.Summarizer
	slices  []string // fields
	dir     *runner.Dir

	cases   runner.Cases
	again   func(*result.Row) bool // the rows of a run that are graded again; nil: the cases of a dataset are graded
	redo    []redo                 // questions that the judge gets again
	path    string                 // of the run that is gone on with; empty: that of the same command, or a new one
	lost    error                  // why the cases end before their end
	resumed bool                   // the directory holds rows of an earlier execution
	against *baseline              // nil: none
	begun   time.Time              // this execution
	ahead   string                 // a run that began later by its record; empty: none
	likely  map[string]int         // unscored rows without references, by the field that may hold them
	unmet   map[string]bool        // cases with given verdicts that have no row yet

	usage    *result.Usage // of the runs that are merged
	rescored string        // directory of the run whose cases are graded; empty: those of a dataset
}

// prepare makes the work of an evaluation that has its plan, its record and its
// options. It refuses combinations that cannot work before a case is graded.
func (e *Evaluator) prepare(ctx context.Context, ev *Evaluation) (*evaluating, error) {
	w := &evaluating{e: e, ev: ev, o: ev.opts, corpora: newCorpora(ev.Plan), summary: newSummarizer(ev.Plan), begun: time.Now(), likely: map[string]int{}, unmet: ev.opts.Given.Cases()}
	err := w.check()
	if err != nil {
		return nil, err
	}
	w.graders, err = e.assemble(ctx, ev.Plan, w.o.Given)
	return w, err
}

// check reads the gates, the slices and the baseline, before anything is written.
func (w *evaluating) check() (err error) {
	if err = w.o.checkGates(w.ev.Plan); err != nil {
		return err
	}
	if w.slices, err = w.o.sliceFields(); err != nil {
		return err
	}
	w.against, err = w.o.openBaseline(w.ev.Run)
	return err
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
func (w *evaluating) fixed() bool { return w.again != nil }

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

// Append keeps a row of the runner.
func (w *evaluating) Append(place int, row *result.Row, c *dataset.Case, encoded []byte) error {
	if row.Score == nil && c != nil {
		if name := c.LikelyReferences(); name != "" {
			w.likely[name]++
		}
	}
	if w.dir == nil {
		return nil
	}
	return w.dir.Append(place, row, c, encoded)
}

// Flush lets the rows outlive the process.
func (w *evaluating) Flush() error {
	if w.dir == nil {
		return nil
	}
	return w.dir.Flush()
}

func (w *evaluating) take(row *result.Row) error {
	delete(w.unmet, row.Case)
	w.summary.Add(row)
	w.corpora.add(row)
	w.against.add(row)
	return nil
}

// compares reports whether a metric of the plan compares with the references of cases: another
// field can be named instead.
func compares(p *plan.Plan) bool {
	for t := range p.Tasks() {
		if t.Way == rubric.ByMetric && len(t.References) == 0 && (len(t.Inputs) == 0 || slices.Contains(t.Inputs, dataset.FieldReferences)) {
			return true
		}
	}
	return false
}

// unmetWords says which cases of the given verdicts the dataset lacks.
func (w *evaluating) unmetWords() string {
	names := slices.Sorted(maps.Keys(w.unmet))
	text := fmt.Sprintf("%s: verdicts for cases that the dataset lacks: %q", w.o.Given.File(), fault.Clip(names[0], 60))
	if n := len(names) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// open makes the run directory, or continues the one that the same run left
// unfinished.
func (w *evaluating) open() error {
	if w.path != "" {
		return w.resume(w.path)
	}
	if w.o.Runs == "" {
		return nil
	}
	for !w.o.Fresh {
		path := w.unfinished()
		if path == "" {
			break
		}
		if err := w.resume(path); !errors.Is(err, errFinished) {
			return err
		}
	}
	var err error
	w.dir, err = runner.Create(w.o.Runs, w.ev.Run)
	if err == nil {
		w.ev.Dir = w.dir.Path()
		w.ahead = runner.Ahead(w.o.Runs, w.ev.Run.ID, time.Now())
	}
	return err
}

// unfinished returns the newest run of the same plan over the same data if it did not come to
// its end, or the empty string. Once a newer one has finished, older ones are no longer continued.
func (w *evaluating) unfinished() string {
	ids, err := runner.List(w.o.Runs)
	if err != nil {
		return ""
	}
	const recent = 50
	for _, id := range slices.Backward(ids[max(0, len(ids)-recent):]) {
		path := filepath.Join(w.o.Runs, id)
		old, err := runner.ReadRun(path)
		if err != nil || !sameWork(old, w.ev.Run) {
			continue
		}
		if old.Status == result.Finished {
			break
		}
		return path
	}
	return ""
}

// sameWork reports whether two runs grade the same cases in the same way.
func sameWork(a, b *result.Run) bool {
	if a.PlanDigest != b.PlanDigest || a.Repeats != b.Repeats || a.RescoredFrom != b.RescoredFrom || a.Dataset.NoContent != b.Dataset.NoContent || !slices.Equal(a.Dataset.Paths, b.Dataset.Paths) {
		return false
	}
	x, errX := json.Marshal(a.Dataset.Selection)
	y, errY := json.Marshal(b.Dataset.Selection)
	return errX == nil && errY == nil && string(x) == string(y)
}

// errFinished says that another process finished the run before it could be resumed.
var errFinished = errors.New("the run is finished")

func (w *evaluating) resume(path string) error {
	dir, kept, err := runner.Resume(path, !w.o.NoContent, w.again)
	if err != nil {
		return err
	}
	old, err := runner.ReadRun(path)
	if err == nil && w.path == "" && old.Status == result.Finished {
		err = errFinished
	}
	if err != nil {
		return errors.Join(err, dir.Close())
	}
	w.ev.Run.ID, w.ev.Run.Started, w.ev.Run.By = old.ID, old.Started, old.By
	w.ev.Run.Seconds = old.Seconds
	w.dir, w.ev.Kept = dir, kept
	w.ev.Dir, w.resumed = path, true
	return w.dir.WriteRun(w.ev.Run)
}

// finish records the outcome of the run. It returns stopped, or why the run
// cannot be compared with its baseline.
func (w *evaluating) finish(ctx context.Context, stopped error) error {
	run := w.ev.Run
	s := w.summary.Summary()
	s.Corpus = w.corpora.figures(ctx, w.e, w.ev.Plan)
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

// ownWarnings tells what may make the figures of a summary other numbers than they seem, as far
// as plan and summary say it.
func ownWarnings(p *plan.Plan, s *result.Summary, gates int) (list []string) {
	warn := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for _, pin := range p.Plugins {
		if len(pin.Grants) > 0 {
			warn("plugin %s was allowed %s: its numbers are not deterministic", pin.Name, strings.Join(pin.Grants, ", "))
		}
		if len(pin.Missing) > 0 {
			warn("plugin %s asks for %s, which it was not allowed: it ran without", pin.Name, strings.Join(pin.Missing, ", "))
		}
	}
	if n := s.Counts.Undecided(); n > 0 && s.Audit == nil && gates == 0 {
		warn("%d of %d scored rows neither passed nor failed: their rubric does not say which scores pass. Without a gate, such as mean>=0.8, they cannot fail the run", n, s.Counts.Scored)
	}
	return list
}

// warnings tells the rest: what happened to the run.
func (w *evaluating) warnings(s *result.Summary, stopped error) (list []string) {
	warn := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if since := w.e.Stats().Judge.Refusing; stopped != nil && !since.IsZero() {
		warn("the judge gave no answer in the last %s, since it answered 429 (too many requests)", time.Since(since).Round(100*time.Millisecond))
	}
	if w.ahead != "" {
		warn("the clock was set back: run %s began later by its record, and latest means that one", w.ahead)
	}
	if n := w.ev.Kept.Doubled; n > 0 {
		warn("%d rows stood in %s twice: each is counted once", n, runner.RowsFile)
	}
	if n := w.ev.Dropped; n > 0 {
		warn("%d rows of the earlier, interrupted execution were dropped: their cases have changed or are no longer in the dataset", n)
	}
	if all := w.reader == nil || w.ev.Totals.Complete && w.o.Dataset.Select.All(); all && stopped == nil && len(w.unmet) > 0 {
		warn("%s", w.unmetWords())
	}
	for name, n := range w.likely {
		if n == s.Counts.Rows && compares(w.ev.Plan) {
			warn("no case has references, which a metric compares with: if %q holds them, use "+fault.OptionDatasetMap+" references=%s", name, name)
		}
	}
	return list
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
		w.ev.Run.RowsKept = w.kept()
	}
	wrote := w.dir.WriteRun(w.ev.Run)
	w.failed(wrote)
	closed := w.dir.Close()
	w.failed(closed)
	w.ev.Unkept = also(also(err, wrote), closed)
	return w.ev.Unkept
}

// kept counts the rows that a resume finds.
func (w *evaluating) kept() *int {
	n := 0
	for _, err := range runner.ReadRows(w.dir.Path()) {
		if err != nil {
			break
		}
		n++
	}
	return &n
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
