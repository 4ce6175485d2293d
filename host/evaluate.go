package host

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
)

// EvaluateOptions say how a dataset is evaluated. Only Dataset is needed, and
// not even that for an eval file with cases of its own.
type EvaluateOptions struct {
	PlanOptions
	Dataset dataset.Options

	// Runs is the directory that holds run directories. Empty: nothing is kept.
	Runs string

	// Fresh starts a new run even if the same one was left unfinished.
	Fresh bool

	Gates       []result.Gate
	MaxUnscored Share // more rows without a score than this fail the run

	Timeout     time.Duration // of the run; 0: none
	CaseTimeout time.Duration // of a case; 0: none
	FailFast    bool          // stop at the first case without a score
	InFlight    int           // cases at once; 0: chosen by what the plan waits for

	Command []string          // what repeats the run, for run.json
	Version string            // of the program, for run.json
	Observe func(*result.Row) // called for every new row, in order, by one goroutine
	Begun   func(*Evaluation) // called once, before the first case
}

// A Share is a number of rows, or a part of them. The zero value is none.
type Share struct {
	Count   int
	Percent float64
	IsPart  bool // Percent counts
}

// Exceeded reports whether n of all rows are more than the share.
func (s Share) Exceeded(n, all int) bool {
	if s.IsPart {
		return float64(n)*100 > s.Percent*float64(all)*(1+rubric.Slack)
	}
	return n > s.Count
}

// An Evaluation is a run that has begun: its record, and where it is kept.
type Evaluation struct {
	Run     *result.Run
	Plan    *plan.Plan
	Dir     string // of the run; empty if nothing is kept
	Resumed int    // rows that were there already
	Totals  dataset.Totals
	opts    EvaluateOptions
}

// Evaluate grades a dataset with a document. The error says why the run could
// not begin, or why it stopped before its end; in the second case the
// Evaluation holds everything that was finished. What a finished run says about
// the outputs is Evaluation.Err.
func (e *Evaluator) Evaluate(ctx context.Context, doc *dialect.Document, o EvaluateOptions) (*Evaluation, error) {
	p, err := e.Plan(doc, o.PlanOptions)
	if err != nil {
		return nil, err
	}
	names := gateNames(p)
	for i := range o.Gates {
		if err := o.Gates[i].Check(names); err != nil {
			return nil, err
		}
	}
	if err := o.giveCases(doc, p); err != nil {
		return nil, err
	}
	reader, err := dataset.Open(o.Dataset)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	sheets, err := e.assemble(ctx, p, o.Given)
	if err != nil {
		return nil, err
	}
	ev := &Evaluation{Plan: p, opts: o}
	ev.Run = e.newRun(doc, p, o)
	work := &evaluating{e: e, ev: ev, o: o, reader: reader, sheets: sheets, corpora: newCorpora(p), summary: newSummarizer(p)}
	return ev, work.run(ctx)
}

// gateNames are what gates may speak of.
func gateNames(p *plan.Plan) result.Names {
	n := result.NamesOf(p.Sheets[0].Rubric)
	for i := range p.Sheets[1:] {
		more := result.NamesOf(p.Sheets[i+1].Rubric)
		n.Criteria = append(n.Criteria, more.Criteria...)
		n.Metrics = append(n.Metrics, more.Metrics...)
	}
	n.Corpus = append(n.Corpus, newCorpora(p).order...)
	return n
}

// giveCases hands the cases of an eval file to the dataset.
func (o *EvaluateOptions) giveCases(doc *dialect.Document, p *plan.Plan) error {
	var problem error
	given := givenOf(doc, func(r *rubric.Rubric) string {
		adjusted, err := adjust(r, o.PlanOptions)
		if err != nil {
			problem = err
			return ""
		}
		if d := adjusted.Digest(); d != p.Sheets[0].Digest {
			return d
		}
		return ""
	})
	o.Dataset.Given = append(slices.Clone(o.Dataset.Given), given...)
	return problem
}

func newSummarizer(p *plan.Plan) *result.Summarizer {
	o := result.SummaryOptions{Rubric: p.Sheets[0].Rubric, Repeats: p.Repeat, Rubrics: map[string]*rubric.Rubric{}}
	for i := range p.Sheets {
		o.Rubrics[p.Sheets[i].Digest] = p.Sheets[i].Rubric
	}
	return result.NewSummarizer(o)
}

// newRun makes the record of a run that begins.
func (e *Evaluator) newRun(doc *dialect.Document, p *plan.Plan, o EvaluateOptions) *result.Run {
	now := time.Now()
	encoded, err := json.Marshal(p, json.Deterministic(true))
	if err != nil { // the plan holds only what JSON can say
		panic(fmt.Sprintf("host: %v", err))
	}
	r := p.Sheets[0].Rubric
	run := &result.Run{
		Schema: result.SchemaVersion, ID: runner.NewID(now), Status: result.Running, Started: now.UTC(),
		Command: o.Command, Plan: encoded, PlanDigest: p.Digest(), Repeats: p.Repeat,
		Rubric:      rubricRecord(r, doc, p.Sheets[0].Digest),
		Versions:    versions(o.Version),
		Environment: result.Environment{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU()},
	}
	o.describe(&run.Dataset, dataset.Totals{})
	for i := range p.Sheets[1:] {
		run.Rubrics = append(run.Rubrics, rubricRecord(p.Sheets[i+1].Rubric, doc, p.Sheets[i+1].Digest))
	}
	for _, pin := range p.Plugins {
		used := result.Plugin{Name: pin.Name, Version: pin.Version, Digest: pin.Digest, Source: pin.Source,
			Grants: pin.Grants, Exports: exportsOf(p, pin.Digest)}
		switch {
		case len(pin.Grants) > 0:
			used.Wall = result.Process
		case pin.Source != goSource:
			used.Wall = e.wall(pin.Source)
		}
		run.Plugins = append(run.Plugins, used)
	}
	if j := p.Judge; j != nil {
		settings, err := json.Marshal(j, json.Deterministic(true))
		if err != nil {
			panic(fmt.Sprintf("host: %v", err))
		}
		run.Judges = append(run.Judges, result.Judge{Name: j.Name, Model: j.Model, Prompts: j.Prompts, Settings: settings})
	}
	if o.Dataset.Select.Sample > 0 {
		run.Seeds = map[string]uint64{"sample": o.Dataset.Select.Seed}
	}
	return run
}

// describe says what a dataset is read from and how, and what it turned out to
// hold.
func (o *EvaluateOptions) describe(d *result.Dataset, t dataset.Totals) {
	*d = result.DatasetOf(t, o.Dataset.Select)
	d.Paths, d.Format, d.FromRubric = o.Dataset.Paths, string(o.Dataset.Format), len(o.Dataset.Given) > 0
	for _, m := range o.Dataset.Map {
		d.Map = append(d.Map, m.String())
	}
	if o.Dataset.Outputs != nil {
		d.Outputs = o.Dataset.Outputs.Name
	}
}

func rubricRecord(r *rubric.Rubric, doc *dialect.Document, digest string) result.Rubric {
	return result.Rubric{ID: r.ID, Name: r.Name, Version: r.Version, Dialect: doc.Dialect, File: doc.File, Digest: digest}
}

func exportsOf(p *plan.Plan, digest string) []string {
	var out []string
	for i := range p.Sheets {
		for _, t := range p.Sheets[i].Tasks {
			if t.Plugin == digest && !slices.Contains(out, t.Export) {
				out = append(out, t.Export)
			}
		}
	}
	return out
}

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
const callsPerBatch = 4

// Append takes a row from the runner: to disk first, then into the sums.
func (w *evaluating) Append(row *result.Row, encoded []byte) error {
	if w.dir != nil {
		if err := w.dir.Append(row, encoded); err != nil {
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
	if a.PlanDigest != b.PlanDigest || a.Repeats != b.Repeats || !slices.Equal(a.Dataset.Paths, b.Dataset.Paths) {
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
	w.dir, err = runner.Resume(path, w.take)
	if err != nil {
		return err
	}
	w.ev.Dir = path
	return w.dir.WriteRun(w.ev.Run)
}

// recordCalls lets the judge's calls be kept in the run directory.
func (w *evaluating) recordCalls() (done func() error, err error) {
	none := func() error { return nil }
	if w.dir == nil || w.e.asked == nil || w.e.asked.calls == nil || !w.ev.Plan.Judged() {
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

// Err says what a finished run means for whoever waits for it: nil if every
// gate holds, a fault of class Unscored if more rows lack a score than allowed,
// one of class Gate if a gate does not hold. Without gates every case must
// pass.
func (ev *Evaluation) Err() error {
	c := ev.Run.Counts
	if ev.opts.MaxUnscored.Exceeded(c.Unscored, c.Rows) {
		class := fault.Unscored
		if c.Scored == 0 && ev.Totals.Bad > 0 && ev.Totals.Cases == 0 {
			class = fault.Invalid // nothing of the dataset could be read
		}
		return fault.New(class, "%d of %d rows have no score", c.Unscored, c.Rows)
	}
	missed := 0
	for _, g := range ev.Run.Gates {
		if !g.Passed {
			missed++
		}
	}
	switch {
	case missed > 0:
		return fault.New(fault.Gate, "%d of %d gates do not hold", missed, len(ev.Run.Gates))
	case len(ev.Run.Gates) == 0 && c.Failed > 0:
		return fault.New(fault.Gate, "%d of %d cases did not pass", c.Failed, c.Scored)
	}
	return nil
}

// ReadRows returns the rows of a run directory, in order.
func ReadRows(dir string) (iter.Seq2[*result.Row, error], func() error, error) {
	f, err := os.Open(filepath.Join(dir, runner.RowsFile))
	if err != nil {
		return nil, nil, fault.New(fault.NotFound, "%w", err)
	}
	return result.ReadRows(f), f.Close, nil
}
