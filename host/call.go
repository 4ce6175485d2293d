package host

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// A Call names a plugin and its configuration.
type Call struct {
	Plugin string         // name, export name, or path: a relative one starts from the working directory
	Export string         // empty: the plugin's default
	Config map[string]any // nil: none
	Levels []rubric.Level // of the criterion, for plugins that answer with a level; empty: scores in [0, 1]
}

// configField is the field of a case that configures the call.
const configField = "config"

// Take moves the field config of a case into the configuration of the call, so that a
// line of a conformance set is a call without changes. The configuration of the call
// takes precedence.
func (c Call) Take(fields []dataset.Field) (Call, []dataset.Field) {
	at := slices.IndexFunc(fields, func(f dataset.Field) bool { return f.Name == configField })
	if at < 0 {
		return c, fields
	}
	var own map[string]any
	if json.Unmarshal(fields[at].Value, &own) != nil {
		return c, fields
	}
	config := make(map[string]any, len(own)+len(c.Config))
	maps.Copy(config, own)
	maps.Copy(config, c.Config)
	c.Config = config
	return c, slices.Delete(slices.Clone(fields), at, at+1)
}

// Call loads a plugin with a configuration, to score cases without a rubric. It does not find the
// scorers of Options. The error has class fault.NotFound if no plugin has the name.
func (e *Evaluator) Call(ctx context.Context, s Call) (*Called, error) {
	r := &rubric.Rubric{ID: "score", Criteria: []rubric.Criterion{{
		ID: "score", Weight: rubric.One, Answer: rubric.Answer{Kind: rubric.KindNumber, Levels: s.Levels, Scale: &rubric.Scale{Max: 1}},
		Scorer: rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: s.Plugin, Export: s.Export, Config: s.Config}},
	}}}
	if len(s.Levels) > 0 {
		r.Criteria[0].Answer.Kind = rubric.KindLevel
	}
	o := plan.Options{Catalog: e.modules.catalog, Alone: true, Allow: e.modules.allowed}
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

// A Called plugin is ready to score cases, until its Evaluator is closed. It is safe for
// concurrent use.
type Called struct {
	Plan   *plan.Plan
	scorer scorer.Scorer
	e      *Evaluator
}

// Corpus returns the plugin's score of a whole set, in [0, 1], from the stats of its cases, summed
// one by one. The error has class fault.Unscored if the plugin scores no sets.
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
