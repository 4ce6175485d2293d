package host

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/schema"
	"github.com/rubric-host/rubric-host/host/scorer"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// assemble turns a plan into graders: one scorer per task. Plugins are loaded
// and their digests compared here, before anything is scored.
func (e *Evaluator) assemble(ctx context.Context, p *plan.Plan, given *scorer.Given) (map[string]*runner.Grader, error) {
	err := e.loadAll(ctx, p)
	if err != nil {
		return nil, err
	}
	graders := make(map[string]*runner.Grader, len(p.Graders)+1)
	for i := range p.Graders {
		ps := &p.Graders[i]
		s := &runner.Grader{Rubric: ps.Rubric, Given: given}
		named := ps.Rubric.Index()
		for j := range ps.Tasks {
			t, err := e.task(ctx, p, ps, named, &ps.Tasks[j])
			if err != nil {
				return nil, err
			}
			s.Tasks = append(s.Tasks, t)
		}
		if s.Aggregate, err = e.aggregates(ps.Rubric); err != nil {
			return nil, err
		}
		s.Feedback = e.feedback(p, ps.Rubric)
		graders[ps.Digest] = s
		if i == 0 {
			graders[""] = s
		}
	}
	return graders, nil
}

// loadAll loads the plugins of a plan side by side: compiling takes most of a run's
// start.
func (e *Evaluator) loadAll(ctx context.Context, p *plan.Plan) error {
	var used []*plan.Task
	for t := range p.Tasks() {
		same := func(u *plan.Task) bool { return u.Plugin == t.Plugin && string(u.Config) == string(t.Config) } // a configuration may need data files
		if pin := p.Plugin(t.Plugin); pin != nil && pin.Source != goSource && !slices.ContainsFunc(used, same) {
			used = append(used, t)
		}
	}
	errs := make(chan error, len(used))
	load := func(t *plan.Task) {
		errs <- fault.Guard(func() error {
			_, err := e.pinned(ctx, p, t)
			return err
		})
	}
	for i, t := range used {
		if i < len(used)-1 {
			go load(t)
		} else {
			load(t)
		}
	}
	var first error
	for range used {
		first = cmp.Or(first, <-errs)
	}
	return first
}

// pinned returns the module that a task's pin names, and refuses any other. It has the data files
// that calls with the task's configuration need, and the exports that the plan's tasks call.
func (e *Evaluator) pinned(ctx context.Context, p *plan.Plan, t *plan.Task) (guest, error) {
	u, err := e.modules.use(p, t, e.o.Limits)
	if err != nil {
		return guest{}, err
	}
	if pin := p.Plugin(t.Plugin); u.plugin.Digest != pin.Digest {
		return guest{}, fault.WithHint(
			fault.New(fault.Mismatch, "plugin %q: the plan pins %s, %s holds %s", pin.Name, pin.Digest, u.plugin.Source, u.plugin.Digest),
			"use the plugin that the plan was made with, or start a new run")
	}
	module, err := e.modules.load(ctx, u)
	return guest{u.plugin, module}, err
}

// goSource is the source of a scorer that is written in Go, and is not a plugin.
const goSource = "go"

// task assembles one task. Every way of scoring has one line here.
func (e *Evaluator) task(ctx context.Context, p *plan.Plan, s *plan.Grader, named map[string]*rubric.Criterion, t *plan.Task) (runner.Task, error) {
	out := runner.Task{Criteria: t.Criteria}
	var err error
	switch t.Way {
	case rubric.ByMetric:
		out.Scorer, err = e.metric(ctx, p, s, named[t.Criteria[0]], t)
		out.Waits = p.Embeddings != nil && len(t.Embeds) > 0
	case rubric.BySchema:
		out.Scorer, err = schemaTask(s, named[t.Criteria[0]], t)
	default:
		out.Waits, out.Judged = true, true
		out.Scorer, err = e.judgeTask(ctx, s, named, t.Criteria)
		ctx := context.WithoutCancel(ctx) // parts are made when ctx may have ended
		out.Part = func(criteria []string) (scorer.Scorer, error) { return e.judgeTask(ctx, s, named, criteria) }
	}
	if err != nil {
		return out, fmt.Errorf("rubric %q: criterion %q: %w", s.Rubric.ID, strings.Join(t.Criteria, ", "), err)
	}
	return out, nil
}

func (e *Evaluator) metric(ctx context.Context, p *plan.Plan, s *plan.Grader, c *rubric.Criterion, t *plan.Task) (scorer.Scorer, error) {
	pin := p.Plugin(t.Plugin)
	if pin == nil {
		return runner.Unbound(fault.New(fault.NotFound, "unknown plugin %q", t.Export)), nil
	}
	if pin.Source == goSource {
		return e.goScorer(pin.Name, s.Rubric, c, t)
	}
	g, err := e.pinned(ctx, p, t)
	if err != nil {
		return nil, err
	}
	if c.Scorer.Metric != nil && g.plugin.Scripted() { // keys set by the rubric and not by the manifest
		if err := metric.CheckReads(ctx, g.Guest, pin.Name, t.Export, slices.Collect(maps.Keys(c.Scorer.Metric.Config))); err != nil {
			return nil, err
		}
	}
	o := metric.Options{
		Rubric: s.Rubric, Criterion: c, Plugin: pin.Name, Digest: pin.Digest, Export: t.Export, Kind: t.Kind,
		Args: t.Args, Config: t.Config, Inputs: t.Inputs, Embeds: t.Embeds, References: t.References, Range: t.Range,
		Nondeterministic: len(pin.Grants) > 0, Log: e.logOf(pin.Name),
	}
	if e.judge != nil && p.Embeddings != nil {
		o.Embed = e.embedder(p, c)
	}
	if kept := e.answersOf(pin, t.Export); kept != nil {
		o.Answers = kept
	}
	if p.Samples && len(pin.Grants) == 0 {
		return metric.New(newOnceEach(g.Guest), o)
	}
	return metric.New(g.Guest, o)
}

func (e *Evaluator) embedder(p *plan.Plan, c *rubric.Criterion) func(context.Context, *dataset.Case, []string) ([]jsontext.Value, rubric.How, error) {
	o := e.judge.judge.Options
	o.Model = p.Embeddings.Model
	return func(ctx context.Context, cs *dataset.Case, texts []string) ([]jsontext.Value, rubric.How, error) {
		id := llm.CallID{Case: cs.ContentID(), CaseDigest: cs.Digest(), Repeat: llm.RepeatOf(ctx), Rubric: cs.Rubric, Criteria: []string{c.ID}}
		return judge.Embed(ctx, e.judge.model, o, id, texts)
	}
}

// logOf returns the receiver of a plugin's output.
func (e *Evaluator) logOf(name string) func([]byte) {
	if e.o.Log == nil {
		return nil
	}
	return func(printed []byte) { e.o.Log(name, printed) }
}

// aggregates returns the caller of the Go functions that combine criteria of
// r; nil: it needs none.
func (e *Evaluator) aggregates(r *rubric.Rubric) (func(context.Context, string, []Part) (float64, error), error) {
	names := r.GoAggregates()
	if len(names) == 0 {
		return nil, nil
	}
	for _, name := range names {
		if e.o.Aggregates[name] == nil {
			return nil, fault.New(fault.NotFound, "the plan requires the Go aggregate %q, which is not registered in this program", name)
		}
	}
	return func(ctx context.Context, name string, parts []Part) (float64, error) {
		return e.o.Aggregates[name](ctx, parts)
	}, nil
}

// goScorer wraps a scorer written in Go.
func (e *Evaluator) goScorer(name string, r *rubric.Rubric, c *rubric.Criterion, t *plan.Task) (scorer.Scorer, error) {
	f := e.o.Scorers[name]
	if f == nil {
		return nil, fault.New(fault.NotFound, "the plan requires the Go scorer %q, which is not registered in this program", name)
	}
	var config map[string]any
	if err := json.Unmarshal(t.Config, &config); err != nil {
		return nil, fault.New(fault.Invalid, "its configuration: %w", err)
	}
	return scorer.Func(func(ctx context.Context, cs *dataset.Case) ([]rubric.Verdict, error) {
		a, err := f(ctx, Question{Case: cs, Criterion: c, Function: t.Export, Config: config})
		if err != nil {
			if fault.Of(err) == fault.Internal && ctx.Err() == nil { // it has no class, and is not our bug
				err = fault.New(fault.PluginError, "%w", err)
			}
			return nil, fmt.Errorf("scorer %s: %w", name, err)
		}
		v, err := a.Verdict(r, c, rubric.Scale{Min: 0, Max: 1})
		if err != nil {
			return nil, fmt.Errorf("scorer %s: %w", name, err)
		}
		v.How = rubric.How{By: "metric", Plugin: name, Export: t.Export, Nondeterministic: true}
		return []rubric.Verdict{v}, nil
	}), nil
}

func schemaTask(s *plan.Grader, c *rubric.Criterion, t *plan.Task) (scorer.Scorer, error) {
	if t.JSONSchema == nil {
		return runner.Unbound(fault.New(fault.NotFound, "its schema was not found")), nil
	}
	compiled, err := schema.Compile(t.JSONSchema)
	if err != nil {
		return nil, err
	}
	return schema.New(s.Rubric, c, compiled, t.SchemaDigest)
}

func (e *Evaluator) judgeTask(ctx context.Context, s *plan.Grader, named map[string]*rubric.Criterion, criteria []string) (scorer.Scorer, error) {
	if !e.judge.judges() {
		return runner.Unbound(fault.New(fault.Usage, "no judge")), nil
	}
	if len(criteria) == 1 && criteria[0] == rubric.Overall {
		return judge.NewHolistic(s.Rubric, e.judge.model, e.judge.judge.Options)
	}
	list := xslices.Map(criteria, func(id string) *rubric.Criterion { return named[id] })
	o := e.judge.judge.Options
	o.Templates = e.templates
	return judge.New(ctx, s.Rubric, list, e.judge.model, o)
}
