package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/stats"
)

// Compare compares two finished runs: run directories, or files of rows such as rows.jsonl
// and JSONL reports. A file does not hold the rubric or the content of its cases. Whole sets
// are scored with the plugins and limits of the candidate (BLEU). It is a fault of class Incomparable if the runs do not
// allow a comparison; see compare.Compare. Inputs, Corpus and Labels of o are those of the runs.
func (e *Evaluator) Compare(ctx context.Context, base, candidate string, o compare.Options) (*result.Comparison, error) {
	var sides [2]*compared
	var errs [2]error
	var wait sync.WaitGroup
	for i, path := range []string{base, candidate} {
		wait.Go(func() {
			errs[i] = fault.Guard(func() (err error) {
				sides[i], err = openCompared(path)
				return err
			})
		})
	}
	wait.Wait()
	for _, s := range sides {
		if s != nil {
			defer s.cases.Close()
		}
	}
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return e.compare(ctx, sides[0], sides[1], o)
}

func (e *Evaluator) compare(ctx context.Context, base, candidate *compared, o compare.Options) (*result.Comparison, error) {
	o.Inputs = func(a, b string) (differ, known bool) { return inputsDiffer(base.cases, candidate.cases, a, b) }
	o.Labels = labelsOf(candidate.cases)
	if candidate.plan != nil {
		o.Corpus = func(id string) stats.SetScore { return e.limitedAs(candidate.plan).setScore(ctx, candidate.plan, id) }
	}
	if o.Slices == nil {
		o.Slices = candidate.slices
	}
	c, err := compare.Compare(base.Run, candidate.Run, o)
	if err != nil {
		return nil, err
	}
	for _, s := range []*compared{base, candidate} {
		if s.status != "" && s.status != result.Finished {
			c.Notes = append(c.Notes, "run "+s.Side.Name()+" is not finished ("+string(s.status)+")")
		}
	}
	return c, nil
}

type compared struct {
	*compare.Run
	plan   *plan.Plan
	cases  *runner.CaseFile // nil: a file of rows
	status result.RunStatus
	slices []string // fields that the run was summed up by
}

// openCompared reads a run directory or a file of rows.
func openCompared(path string) (*compared, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault.WithHint(fault.New(fault.NotFound, "%w", err), "name a run ("+fault.OptionListRuns+" shows them), a run directory or a file of rows")
	}
	s := &compared{Run: compare.NewRun(), cases: &runner.CaseFile{}}
	s.Side.Source = path
	if info.IsDir() {
		run, err := runner.ReadRun(path)
		if err != nil {
			return nil, err
		}
		s.describe(run)
		if s.cases, err = runner.OpenCases(path); err != nil {
			return nil, err
		}
		return s, eachRow(path, s.Add)
	}
	rows := 0
	err = eachRow(path, func(row *result.Row) {
		rows++
		s.Add(row)
	})
	if err == nil && rows == 0 { // a line without its end may be of any file
		err = fault.New(fault.Invalid, "%s has no rows", path)
	}
	if fault.Is(err, fault.Invalid) {
		err = fault.WithHint(err, "name a run, its directory, or a file with one row a line, as rows.jsonl and reports in JSONL have them")
	}
	return s, err
}

// describe reads the parts of a run record that a comparison needs.
func (s *compared) describe(run *result.Run) {
	s.Side.Run, s.Side.Rubric, s.Side.Dataset, s.status = run.ID, run.Rubric.Digest, run.Dataset.Digest, run.Status
	s.Scorers, s.Listed, s.slices = scorersOf(run), run.Dataset.Selection.Listed > 0, run.SliceFields()
	if s.plan = runner.KnownPlan(run); s.plan != nil {
		s.Rubric, s.Unscored = s.plan.Graders[0].Rubric, s.plan.Unscored
	}
}

// scorersOf returns the scorers of a run, by name, with their digests or settings.
func scorersOf(run *result.Run) map[string]string {
	out := map[string]string{}
	for _, p := range run.Plugins {
		out["plugin "+p.Name] = p.Digest
	}
	var names, settings []string
	for _, j := range run.Judges {
		names = append(names, j.Name+" ("+j.Model+")")
		settings = append(settings, settingsOf(j))
	}
	if len(names) > 0 {
		out["judge"] = strings.Join(names, ", ")
		out["settings of the judge"] = strings.Join(settings, ", ")
	}
	return out
}

// settingsOf returns what a judge was asked with, without its name and model.
func settingsOf(j result.Judge) string {
	var known map[string]jsontext.Value
	if json.Unmarshal(j.Settings, &known) == nil {
		delete(known, "name")
		delete(known, "model")
	}
	all, err := json.Marshal([]any{known, j.Prompts}, json.Deterministic(true))
	if err != nil {
		return string(j.Settings)
	}
	return string(all)
}

// eachRow gives the rows of a run directory, or of a file of rows, to add.
func eachRow(path string, add func(*result.Row)) error {
	for row, err := range runner.ReadRows(path) {
		if result.Ended(err) {
			continue // the run was killed while it wrote
		}
		if err != nil {
			return rowError(path, err)
		}
		add(row)
	}
	return nil
}

// rowError names the file that a row could not be read from. The error of one that cannot be opened
// does.
func rowError(path string, err error) error {
	if fault.Is(err, fault.NotFound) {
		return err
	}
	return fault.As(fault.Invalid, fmt.Errorf("%s: %w", path, err))
}

func labelsOf(cases *runner.CaseFile) func(digest, field string) []string {
	last, c := "", (*dataset.Case)(nil) // that is asked for field by field
	return func(digest, field string) []string {
		if digest != last || c == nil {
			last, c = digest, caseIn(cases, digest)
		}
		if c == nil {
			return nil
		}
		return c.Labels(field)
	}
}

// caseIn returns the case of a digest, nil if the run does not hold it.
func caseIn(cases *runner.CaseFile, digest string) *dataset.Case {
	record, err := cases.Read(digest)
	if err != nil || record == nil || record.Fields == nil {
		return nil
	}
	c, _ := record.Restore("") // nil: it has changed
	return c
}

// inputFields are the fields of a case that a system is given or compared with. Its output is
// expected to differ.
var inputFields = []string{"input", "references", "expected_output", "context"}

// inputsDiffer reports whether two cases differ in more than their outputs;
// known is false where the runs do not hold them.
func inputsDiffer(a, b *runner.CaseFile, base, candidate string) (differ, known bool) {
	u, v := caseIn(a, base), caseIn(b, candidate)
	if u == nil || v == nil {
		return false, false
	}
	for _, name := range inputFields {
		if !bytes.Equal(u.Raw(name), v.Raw(name)) {
			return true, true
		}
	}
	return false, true
}

// setScore returns the function that scores whole sets for a criterion of a plan, or nil if
// its plugin has no corpus score.
func (e *Evaluator) setScore(ctx context.Context, p *plan.Plan, id string) stats.SetScore {
	s := newCorpora(p).sums[id]
	if s == nil {
		return nil
	}
	pin := p.Plugin(s.task.Plugin)
	g, err := e.pinned(ctx, p, s.task)
	if err != nil {
		return func([]float64) (float64, error) { return 0, err }
	}
	return resampledScore(ctx, g.Guest, pin, s.task)
}

func resampledScore(ctx context.Context, g metric.Guest, pin *plan.Plugin, task *plan.Task) stats.SetScore {
	return func(sum []float64) (float64, error) {
		score, _, _, err := corpusScore(ctx, g, pin, task, sum)
		if err != nil {
			return 0, err
		}
		if score == nil {
			return 0, fault.New(fault.Unscored, "plugin %s gives no score for a resampled set", pin.Name)
		}
		return *score, nil
	}
}

// corpusScore asks a plugin for the score of a set, in the metric's own unit.
func corpusScore(ctx context.Context, g metric.Guest, pin *plan.Plugin, task *plan.Task, sum []float64) (score *float64, a *metric.Answer, fuel uint64, err error) {
	a, usage, err := metric.Corpus(ctx, g, metric.Options{Plugin: pin.Name, Export: task.Corpus, Config: task.Config, Range: task.Range}, sum)
	switch {
	case err != nil:
		return nil, nil, usage.Fuel, err
	case a.Unscored != nil:
		return nil, nil, usage.Fuel, fault.New(fault.Unscored, "plugin %s: %s", pin.Name, *a.Unscored)
	}
	return ownUnit(a), a, usage.Fuel, nil
}

// CheckGates holds gates against the candidate of a comparison: its summary, with the
// comparison as its baseline. It is a fault of class Invalid if a gate names a score
// that the candidate does not have, and of class Incomparable if one of the two runs is not
// finished: cases that it lacks would pass.
func CheckGates(candidate string, c *result.Comparison, gates []result.Gate) ([]result.Outcome, error) {
	if len(gates) == 0 {
		return nil, nil
	}
	for _, path := range []string{c.Base.Source, candidate} {
		if run, err := runner.ReadRun(path); err == nil && run.Status != "" && run.Status != result.Finished {
			err := fault.New(fault.Incomparable, "run %s is not finished (%s): gates need all of its cases", run.ID, run.Status)
			return nil, fault.WithHint(err, "re-run its command to resume it")
		}
	}
	summary, names, err := summaryOf(candidate)
	if err != nil {
		return nil, err
	}
	summary.Baseline, names.Baseline = c, true
	for _, f := range slices.Concat(summary.Criteria, summary.Metrics) {
		names.Criteria, names.Metrics = append(names.Criteria, f.ID), append(names.Metrics, f.ID)
	}
	names.Pass = names.Pass || summary.Total.Pass != nil // a file of rows has no rubric
	for i := range c.PassAtK {
		if k := c.PassAtK[i].K; !slices.Contains(names.PassAt, k) {
			names.PassAt = append(names.PassAt, k)
		}
	}
	for i := range summary.Corpus {
		names.Corpus = append(names.Corpus, summary.Corpus[i].Name)
	}
	var out []result.Outcome
	for i := range gates {
		if err := gates[i].Check(names); err != nil {
			return nil, err
		}
		out = append(out, gates[i].Evaluate(summary))
	}
	return out, nil
}

// summaryOf returns the summary of a run directory or a file of rows.
func summaryOf(path string) (*result.Summary, result.Names, error) {
	var names result.Names
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		run, err := runner.ReadRun(path)
		if err != nil {
			return nil, names, err
		}
		if p := runner.KnownPlan(run); p != nil {
			names = gateNames(p)
		}
		if run.SummedUp() {
			return new(*run.Summary), names, nil
		}
	}
	s, err := runner.SumUp(path, result.SummaryOptions{})
	if err != nil {
		return nil, names, rowError(path, err)
	}
	return s, names, nil
}

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
