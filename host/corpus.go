package host

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/stats"
)

// sums makes the summary of a run of its rows, which come in their order.
type sums struct {
	plan    *plan.Plan
	rows    *result.Summarizer
	corpora *corpora
}

func newSums(p *plan.Plan) sums {
	return sums{p, result.NewSummarizer(runner.SummaryOptions(p)), newCorpora(p)}
}

func (s *sums) add(row *result.Row) {
	s.rows.Add(row)
	s.corpora.add(row)
}

// summary asks the plugins of e for the scores of the whole set.
func (s *sums) summary(ctx context.Context, e *Evaluator) *result.Summary {
	out := s.rows.Summary()
	out.Corpus = s.corpora.figures(ctx, e, s.plan)
	return out
}

// corpora sums the stats of corpus metrics over rows.
type corpora struct {
	order []string // criterion ids
	sums  map[string]*sum
}

// sum is the stats of one criterion, added up.
type sum struct {
	task  *plan.Task
	stats []float64
	n     int
	err   error
	cases [][]float64 // the stats of each case, nil if there are more than maxBootstrap
}

// Corpus scores have a bootstrap interval from sacrebleu's resamples and seed. Of more than
// maxBootstrap cases it is narrow, and would take their stats in memory and a second.
const (
	bootstrapResamples = 1000
	maxBootstrap       = 20_000
)

// newCorpora returns the sums of every task of the run's rubric that has a
// corpus function. Rubrics of single cases have none: they are not one set.
func newCorpora(p *plan.Plan) *corpora {
	c := &corpora{sums: map[string]*sum{}}
	for i := range p.Graders[0].Tasks {
		t := &p.Graders[0].Tasks[i]
		if t.Corpus != "" && len(t.Criteria) == 1 && p.Plugin(t.Plugin) != nil {
			c.order = append(c.order, t.Criteria[0])
			c.sums[t.Criteria[0]] = &sum{task: t}
		}
	}
	return c
}

// add adds the stats of a row. Further repeats of a case say nothing new.
func (c *corpora) add(row *result.Row) {
	if len(c.order) == 0 || row.Repeat > 1 || row.Rubric != "" {
		return
	}
	for one := range row.All() {
		if s := c.sums[one.ID]; s != nil && len(one.Stats) > 0 {
			s.add(one.Stats)
		}
	}
}

func (s *sum) add(stats []float64) {
	switch {
	case s.n == 0:
		s.stats = append(s.stats, stats...)
	case len(stats) != len(s.stats):
		s.err = fault.New(fault.Protocol, "its stats have %d numbers in one case and %d in another", len(s.stats), len(stats))
	default:
		for i, x := range stats {
			s.stats[i] += x
		}
	}
	if s.n++; s.n > maxBootstrap || s.err != nil {
		s.cases = nil
		return
	}
	s.cases = append(s.cases, stats)
}

// figures asks each plugin for the score of the whole set.
func (c *corpora) figures(ctx context.Context, e *Evaluator, p *plan.Plan) []result.Corpus {
	out := []result.Corpus{}
	for _, id := range c.order {
		s := c.sums[id]
		if s.n == 0 {
			continue
		}
		pin := p.Plugin(s.task.Plugin)
		f := result.Corpus{Name: id, Plugin: pin.Name, Export: s.task.Corpus, Digest: pin.Digest, N: s.n}
		if err := s.figure(ctx, e, p, &f); err != nil {
			f.Score, f.Error = nil, result.FailureOf(err)
		}
		out = append(out, f)
	}
	return out
}

func (s *sum) figure(ctx context.Context, e *Evaluator, p *plan.Plan, f *result.Corpus) error {
	pin := p.Plugin(s.task.Plugin)
	if s.err != nil {
		return fmt.Errorf("plugin %s: %w", pin.Name, s.err)
	}
	g, err := e.pinned(ctx, p, s.task)
	if err != nil {
		return err
	}
	score, a, fuel, err := corpusScore(ctx, g.Guest, pin, s.task, s.stats)
	f.Fuel = fuel
	if err != nil {
		return err
	}
	f.Score, f.Details = score, a.Details
	if score == nil || len(s.cases) < 2 {
		return nil
	}
	mean, half, err := stats.SetBootstrap(s.cases, resampledScore(ctx, g.Guest, pin, s.task), bootstrapResamples, compare.DefaultSeed)
	if fault.Is(err, fault.Unscored) {
		return nil // a resample may lack a statistic that the set has
	}
	if err != nil {
		return err
	}
	f.Bootstrap = &result.Bootstrap{Mean: mean, Half: half, Resamples: bootstrapResamples, Seed: compare.DefaultSeed}
	return nil
}

// ownUnit returns the score of an answer in the metric's own unit where its
// details have it: 34.7 BLEU, not 0.347.
func ownUnit(a *metric.Answer) *float64 {
	var own struct {
		Score *float64 `json:"score"`
	}
	if json.Unmarshal(a.Details, &own) == nil && own.Score != nil && rubric.Finite(*own.Score) {
		return own.Score
	}
	return a.Score
}

// sliceFields are the fields to slice by: those asked for, and those that gates
// are about.
func (o *EvaluateOptions) sliceFields() ([]string, error) {
	fields := slices.Clone(o.Slices)
	for i := range o.Gates {
		if f := o.Gates[i].SliceField(); f != "" {
			fields = append(fields, f)
		}
	}
	slices.Sort(fields)
	fields = slices.Compact(fields)
	switch {
	case len(fields) == 0:
		return nil, nil
	case o.NoContent:
		return nil, runner.NoSlices(fields)
	case o.Runs == "":
		return nil, fault.New(fault.Usage, "slice %s: slices need a run directory", fields[0])
	}
	return fields, nil
}

// slice adds the slices to the summary of a run that has ended.
func (w *evaluating) slice(s *result.Summary) {
	if len(w.slices) == 0 {
		return
	}
	err := w.dir.Flush()
	if err == nil {
		s.Slices, err = runner.Slices(w.dir.Path(), w.ev.Plan, w.slices)
	}
	if err != nil {
		s.Warnings = append(s.Warnings, fmt.Sprintf("no slices: %v", err))
		return
	}
	for i := range s.Slices {
		if v := s.Slices[i].Values; len(v) == 1 && v[0].Missing {
			s.Warnings = append(s.Warnings, fmt.Sprintf("no case has the field %q to slice by", s.Slices[i].Field))
		}
	}
}
