package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/compare"
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

	// NoContent keeps digests in place of the content of cases, in the run directory
	// and so in every report, and of judge calls only the digests of requests, and
	// the costs: verdicts are not re-derived from them. Rows keep the reasons and
	// evidence of scorers, which may quote it.
	NoContent bool

	// Fresh starts a new run even if the same one was left unfinished.
	Fresh bool

	// Baseline is a finished run, or a file of rows, that the run is compared
	// with; see Compare. Empty: none. A run with another rubric or other scorers
	// is refused before anything is scored, unless AllowDifferent names it.
	Baseline       string
	AllowDifferent []compare.Difference

	Slices      []string // fields of cases to sum up by; those of Gates are added
	Gates       []result.Gate
	MaxUnscored result.Share // more rows without a score than this fail the run

	Timeout     time.Duration // of the run; 0: none
	CaseTimeout time.Duration // of a case; 0: none
	FailFast    bool          // stop at the first case without a score
	InFlight    int           // cases at once; 0: chosen by the plan's scorers

	By      string            // who starts the run, for run.json; empty: result.System
	Command []string          // the command that repeats the run, for run.json
	Version string            // of the program, for run.json
	Observe func(*result.Row) // called for every new row once it is kept, in the order in which they are finished, by one goroutine
	Begun   func(*Evaluation) // called once, before the first case
}

// An Evaluation is a run that has begun: its record, and where it is kept.
type Evaluation struct {
	Run     *result.Run
	Plan    *plan.Plan
	Dir     string      // of the run; empty if nothing is kept
	Resumed int         // rows of an earlier execution that count; set when the run ends
	Kept    runner.Kept // rows of an earlier execution
	Dropped int         // rows of an earlier execution that no longer belong to the dataset; set when the run ends
	Total   int         // rows that the run will have, where that is known before its end: Retry and Rescore; else 0
	Totals  dataset.Totals
	Unkept  error // why the run could not be kept as it ended, such as files that were removed; part of Evaluate's error
	opts    EvaluateOptions

	// Count reads the dataset a second time for the number of its cases; nil where Total is set.
	Count func(context.Context) (n int, ok bool)
}

// Evaluate grades a dataset with a document. The error says why the run could not
// begin, or why it stopped before its end; in the second case the Evaluation holds
// all finished rows. The verdict of a finished run on the outputs is Evaluation.Err.
func (e *Evaluator) Evaluate(ctx context.Context, doc *dialect.Document, o EvaluateOptions) (*Evaluation, error) {
	o.Samples = (o.Samples || o.Dataset.Samples || dataset.Sampled(o.Dataset.Preset)) && !o.Dataset.Audit
	p, err := e.Plan(doc, o.PlanOptions)
	if err != nil {
		return nil, err
	}
	if err := o.giveCases(doc, p); err != nil {
		return nil, err
	}
	if o.Dataset.Audit {
		for _, g := range p.Graders {
			if !g.Rubric.Decides() {
				return nil, fault.WithHint(fault.New(fault.Usage, "an audit needs a rule for what passes: rubric %q has none", g.Rubric.ID), "write pass: 0.8 in the rubric, or required: true in a criterion")
			}
		}
	}
	o.Dataset.Samples = o.Samples || len(p.Graders[0].Rubric.PassAt) > 0
	if name := p.Graders[0].Rubric.Problems; name != "" && o.Dataset.Problems == "" && o.Dataset.Preset != "" {
		o.Dataset.Problems = filepath.Join(baseDir(doc), name)
	}
	reader, err := dataset.Open(o.Dataset)
	if err != nil {
		return nil, err
	}
	w, err := e.prepare(ctx, &Evaluation{Plan: p, Run: e.newRun(doc, p, o), opts: o})
	if err != nil {
		return nil, err
	}
	if err := preflight(ctx, reader); err != nil {
		return nil, err
	}
	defer reader.Close()
	w.reader, w.cases, w.ev.Count = reader, w.untilGarbage, reader.Count
	return w.ev, w.run(ctx)
}

// preflight looks at a dataset before anything is sent. Reading a pipe may last
// for ever: ctx ends the wait, and the reader is then left to it.
func preflight(ctx context.Context, reader *dataset.Reader) error {
	done := make(chan error, 1)
	go func() { done <- fault.Guard(reader.Preflight) }()
	select {
	case err := <-done:
		if err != nil {
			return errors.Join(err, reader.Close())
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// checkGates refuses gates on figures that the run does not have.
func (o *EvaluateOptions) checkGates(p *plan.Plan) error {
	names := gateNames(p)
	names.Baseline = o.Baseline != ""
	for i := range o.Gates {
		if err := o.Gates[i].Check(names); err != nil {
			return err
		}
	}
	return nil
}

// gateNames are the names that gates may use.
func gateNames(p *plan.Plan) result.Names {
	n := result.NamesOf(p.Graders[0].Rubric)
	for i := range p.Graders[1:] {
		more := result.NamesOf(p.Graders[i+1].Rubric)
		n.Criteria = append(n.Criteria, more.Criteria...)
		n.Metrics = append(n.Metrics, more.Metrics...)
		n.Pass = n.Pass || more.Pass
		n.Unruled = slices.DeleteFunc(n.Unruled, func(id string) bool { return slices.Contains(more.Criteria, id) })
	}
	n.Corpus = append(n.Corpus, newCorpora(p).order...)
	if p.Samples {
		if n.PassAt = p.Graders[0].Rubric.PassAt; len(n.PassAt) == 0 {
			n.PassAt = append(result.DefaultPassAt(), p.Repeat)
		}
	}
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
		if d := adjusted.Digest(); d != p.Graders[0].Digest {
			return d
		}
		return ""
	})
	o.Dataset.Given = append(slices.Clone(o.Dataset.Given), given...)
	return problem
}

// newRun makes the record of a run that begins.
func (e *Evaluator) newRun(doc *dialect.Document, p *plan.Plan, o EvaluateOptions) *result.Run {
	now := time.Now()
	encoded, err := json.Marshal(p, json.Deterministic(true))
	if err != nil { // the plan holds JSON values only
		panic(fmt.Sprintf("host: %v", err))
	}
	run := &result.Run{
		Schema: result.SchemaVersion, ID: runner.NewID(now), Status: result.Running, Started: now.UTC(),
		By: o.By, Command: o.Command, Plan: encoded, PlanDigest: p.Digest(), Repeats: p.Repeat, Cache: string(e.o.Cache.Mode()),
		Rubric:      rubricRecord(&p.Graders[0], doc.Name()),
		Versions:    result.CurrentVersions(o.Version),
		Environment: result.Environment{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU()},
	}
	o.describe(&run.Dataset, dataset.Totals{})
	for i := range p.Graders[1:] {
		run.Rubrics = append(run.Rubrics, rubricRecord(&p.Graders[i+1], doc.Name()))
	}
	for k := range p.Plugins {
		pin := &p.Plugins[k]
		used := pluginRecord(p, pin)
		if pin.Source != goSource {
			used.Wall = e.modules.wallOf(pin)
		}
		run.Plugins = append(run.Plugins, used)
	}
	if p.Judge != nil {
		run.Judges = append(run.Judges, judgeRecord(p.Judge))
	}
	if o.Dataset.Select.Sample > 0 {
		run.Seeds = map[string]uint64{"sample": o.Dataset.Select.Seed}
	}
	return run
}

// describe returns the sources of a dataset, how it is read, and its content.
func (o *EvaluateOptions) describe(d *result.Dataset, t dataset.Totals) {
	*d = result.DatasetOf(t, o.Dataset.Select)
	d.Paths, d.Format, d.FromRubric = o.Dataset.Paths, string(o.Dataset.Format), len(o.Dataset.Given) > 0
	d.NoContent = o.NoContent
	for _, m := range o.Dataset.Map {
		d.Map = append(d.Map, m.String())
	}
	if o.Dataset.Outputs != nil {
		d.Outputs = o.Dataset.Outputs.Name
	}
	d.Preset, d.Problems, d.Samples = o.Dataset.Preset, o.Dataset.Problems, o.Dataset.Samples
	d.Audit = o.Dataset.Audit
}

func rubricRecord(g *plan.Grader, file string) result.Rubric {
	r := g.Rubric
	return result.Rubric{ID: r.ID, Name: r.Name, Version: r.Version, Dialect: r.Source.Dialect, File: file, Digest: g.Digest}
}

// judgeRecord returns what a run records about its judge.
func judgeRecord(j *plan.Judge) result.Judge {
	settings, err := json.Marshal(j, json.Deterministic(true))
	if err != nil { // it holds JSON values only
		panic(fmt.Sprintf("host: %v", err))
	}
	return result.Judge{Name: j.Name, Model: j.Model, Prompts: j.Prompts, Settings: settings}
}

// pluginRecord returns what a run records about a plugin, without where it ran.
func pluginRecord(p *plan.Plan, pin *plan.Plugin) result.Plugin {
	return result.Plugin{Name: pin.Name, Version: pin.Version, Digest: pin.Digest, Source: pin.Source, Grants: pin.Grants, Exports: exportsOf(p, pin.Digest)}
}

func exportsOf(p *plan.Plan, digest string) []string {
	var out []string
	for t := range p.Tasks() {
		if t.Plugin == digest && !slices.Contains(out, t.Export) {
			out = append(out, t.Export)
		}
	}
	return out
}

// Err returns the verdict of a finished run: nil if every gate holds, a fault of
// class Unscored if more rows lack a score than allowed, one of class Gate if a gate
// does not hold. Without gates every case must pass.
func (ev *Evaluation) Err() error {
	c := ev.Run.Counts
	if ev.opts.MaxUnscored.Exceeded(c.Unscored, c.Rows) {
		class := fault.Unscored
		if c.Scored == 0 && ev.Totals.Bad > 0 && ev.Totals.Cases == 0 {
			class = fault.Invalid // nothing of the dataset could be read
		}
		return fault.New(class, "%d of %d rows have no score", c.Unscored, c.Rows)
	}
	missed := result.Missed(ev.Run.Gates)
	switch {
	case missed > 0:
		return fault.New(fault.Gate, "%d of %d gates failed", missed, len(ev.Run.Gates))
	case len(ev.Run.Gates) == 0 && ev.Run.Summary != nil && ev.Run.Summary.Audit != nil:
		if n := ev.Run.Summary.Audit.Wrong(); n > 0 {
			return fault.New(fault.Gate, "the grader is wrong about %d probes", n)
		}
	case len(ev.Run.Gates) == 0 && c.Failed > 0:
		return fault.New(fault.Gate, "%d of %d cases did not pass", c.Failed, c.Scored)
	}
	return nil
}
