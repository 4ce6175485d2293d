package host

import (
	"context"
	"fmt"
	"time"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// GradeOptions say how one case is graded. The zero value is valid.
type GradeOptions struct {
	PlanOptions
	Timeout time.Duration // 0: none
}

// Grade grades one case with a document. A case that could not be scored is a
// row without a score, not an error; the error says that nothing was graded.
func (e *Evaluator) Grade(ctx context.Context, doc *dialect.Document, c *dataset.Case, o GradeOptions) (*result.Row, error) {
	p, err := e.Plan(doc, o.PlanOptions)
	if err != nil {
		return nil, err
	}
	return e.GradeWith(ctx, p, c, o)
}

// GradeWith grades one case with a plan of this evaluator.
func (e *Evaluator) GradeWith(ctx context.Context, p *plan.Plan, c *dataset.Case, o GradeOptions) (*result.Row, error) {
	graders, err := e.assemble(ctx, p, o.Given)
	if err != nil {
		return nil, err
	}
	s := graders[c.Rubric]
	if s == nil {
		return nil, fault.New(fault.NotFound, "%s: the plan has no rubric %s", c.Place(), c.Rubric)
	}
	row, err := runner.Grade(ctx, s, c, runner.GradeOptions{Unscored: p.Unscored, Timeout: o.Timeout, CPU: e.cpu})
	if err != nil {
		return nil, err
	}
	if row.Feedback == "" {
		row.Feedback = result.Feedback(s.Rubric, row)
	}
	return row, nil
}

// Call scores one case with one plugin, without a rubric, for authors of metrics. The
// answer has the plugin's own details.
func (e *Evaluator) Call(ctx context.Context, s Call) (*Called, error) {
	r := &rubric.Rubric{ID: "score", Criteria: []rubric.Criterion{{
		ID: "score", Weight: rubric.One, Answer: rubric.Answer{Kind: rubric.KindNumber, Levels: s.Levels, Scale: &rubric.Scale{Max: 1}},
		Scorer: rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: s.Plugin, Export: s.Export, Config: s.Config}},
	}}}
	if len(s.Levels) > 0 {
		r.Criteria[0].Answer.Kind = rubric.KindLevel
	}
	o := plan.Options{Catalog: e.catalog, Read: plugin.ReadFile, Alone: true, Allow: e.allowed, BaseDir: s.BaseDir}
	if e.judge != nil {
		o.Embeddings = e.judge.embeds
	}
	p, err := plan.Build([]*rubric.Rubric{r}, o)
	if err != nil {
		return nil, err
	}
	graders, err := e.assemble(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	return &Called{Plan: p, scorer: graders[""].Tasks[0].Scorer, e: e}, nil
}

// A Call names a plugin and its configuration.
type Call struct {
	Plugin  string // name, export name or path
	Export  string // empty: the plugin's default
	Config  map[string]any
	Levels  []rubric.Level // for plugins that answer with a level
	BaseDir string         // of a relative path; empty: the working directory
}

// A Called plugin is ready to score cases. It is safe for concurrent use.
type Called struct {
	Plan   *plan.Plan
	scorer scorer.Scorer
	e      *Evaluator
}

// Corpus returns the plugin's figure for a whole set from summed stats. The
// error says that the plugin has none.
func (c *Called) Corpus(ctx context.Context, stats []float64) (rubric.Verdict, error) {
	t := &c.Plan.Graders[0].Tasks[0]
	if t.Corpus == "" {
		return rubric.Verdict{}, fault.New(fault.Unscored, "the plugin is not a corpus metric")
	}
	pin := c.Plan.Plugin(t.Plugin)
	g, err := c.e.pinned(ctx, c.Plan, t)
	if err != nil {
		return rubric.Verdict{}, err
	}
	a, usage, err := metric.Corpus(ctx, g.Guest, metric.Options{Plugin: pin.Name, Export: t.Corpus, Config: t.Config, Range: t.Range}, stats)
	if err != nil {
		return rubric.Verdict{}, err
	}
	v := rubric.Verdict{Criterion: "score", Status: rubric.Scored, Reason: a.Reason, Details: a.Details,
		How: rubric.How{By: "metric", Plugin: pin.Name, Export: t.Corpus, Digest: pin.Digest, Fuel: usage.Fuel}}
	if a.Unscored != nil {
		v.Status, v.Reason = rubric.Unscored, *a.Unscored
		return v, nil
	}
	v.Value = *a.Score
	return v, nil
}

// Score scores one case. A failure is a verdict with its class, never a number.
func (c *Called) Score(ctx context.Context, in *dataset.Case) rubric.Verdict {
	return *c.verdict(ctx, in)
}

func (c *Called) verdict(ctx context.Context, in *dataset.Case) *rubric.Verdict {
	verdicts, err := c.scorer.Score(ctx, in)
	if err == nil && len(verdicts) != 1 {
		err = fmt.Errorf("%d verdicts for one criterion", len(verdicts))
	}
	if err != nil {
		return new(rubric.FailedBy("score", err))
	}
	return &verdicts[0]
}
