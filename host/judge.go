package host

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/rubric-host/rubric-host/host/cache"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/plugins"
)

// judgeClient is the models of the judge and of embeddings with their decorators, and their
// counters.
type judgeClient struct {
	judge    Judge
	hasJudge bool             // else only embeddings are asked for
	embeds   *plan.Embeddings // nil: no embeddings are asked for
	model    *activeModel     // that scorers ask
	inner    llm.Model        // behind it
	asked    []*asked         // empty: a recording answers
	budget   *llm.Budget
	meter    *llm.Meter
	recorder *llm.Recorder // nil: calls are not recorded
}

// judges reports whether there is a judge's model. a may be nil.
func (a *judgeClient) judges() bool { return a != nil && a.hasJudge }

// asked is an endpoint, or a model in its place.
type asked struct {
	model    llm.Model
	client   *llm.Client // nil: not an endpoint
	endpoint llm.Endpoint
	hint     string // advice about a refused key
	gate     *llm.Gate
	breaker  *llm.Breaker
	cached   bool // its answers may be kept
}

// activeModel is the model that scorers ask: the judge's, or for a resumed run one that
// replays its recordings first.
type activeModel struct{ now atomic.Pointer[llm.Model] }

// Complete asks the model that is in place.
func (f *activeModel) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	return (*f.now.Load()).Complete(ctx, req)
}

func (f *activeModel) set(m llm.Model) { f.now.Store(&m) }

// newJudgeClient stacks the decorators of the models of a judge and of embeddings, of
// which one may be nil: the model that is asked last is innermost.
func newJudgeClient(j *Judge, embeddings *Embeddings, answers *cache.Store) (*judgeClient, error) {
	a := &judgeClient{}
	if j != nil {
		a.judge = *j
	}
	if a.judge.Options.Model == "" && a.judge.Replay == nil {
		a.judge.Options.Model = a.judge.Endpoint.Model // requests name it, and so does their record
	}
	var err error
	if a.judge.Replay != nil {
		a.inner, err = a.replay(embeddings)
	} else {
		a.inner, err = a.stack(embeddings, answers)
	}
	if err != nil {
		return nil, err
	}
	a.model = &activeModel{}
	a.model.set(a.inner)
	return a, nil
}

// replay answers from a recording, which needs no gate, and costs nothing.
func (a *judgeClient) replay(embeddings *Embeddings) (llm.Model, error) {
	replay, err := llm.NewReplay(a.judge.Replay, a.judge.ReplayName)
	if err != nil {
		return nil, err
	}
	a.judge.Options.Model = cmp.Or(a.judge.Options.Model, replay.Model())
	a.hasJudge = true
	if embeddings != nil {
		a.embeds = embeddings.pin()
	} else if model := replay.EmbeddingModel(); model != "" {
		a.embeds = &plan.Embeddings{Name: model, Model: model}
	}
	return a.recorded(replay), nil
}

// pin says whose embeddings they are, for the plan.
func (m *Embeddings) pin() *plan.Embeddings {
	p := &plan.Embeddings{Name: cmp.Or(m.Name, m.Endpoint.Model), Model: m.Endpoint.Model}
	if m.Model == nil {
		p.BaseURL = cmp.Or(strings.TrimRight(m.Endpoint.BaseURL, "/"), llm.DefaultBaseURL)
	}
	return p
}

func (a *judgeClient) stack(embeddings *Embeddings, answers *cache.Store) (llm.Model, error) {
	j := &a.judge
	var judge, embedder *asked
	var err error
	if a.hasJudge = j.Model != nil || j.Endpoint.Model != "" || embeddings == nil; a.hasJudge {
		if judge, err = a.ask(j.Model, j.Endpoint, j.KeyHint); err != nil {
			return nil, err
		}
	}
	if embeddings != nil {
		if embedder, err = a.ask(embeddings.Model, embeddings.Endpoint, embeddings.KeyHint); err != nil {
			return nil, err
		}
		a.embeds = embeddings.pin()
	}
	route := func(of func(*asked) llm.Model) llm.Model {
		var answers, embeddings llm.Model
		if judge != nil {
			answers = of(judge)
		}
		if embedder != nil {
			embeddings = of(embedder)
		}
		return llm.Func(func(ctx context.Context, req llm.Request) (llm.Response, error) {
			next := answers
			if len(req.Embed) > 0 {
				next = embeddings
			}
			if next == nil {
				return llm.Response{}, fault.New(fault.Usage, "no model is given for it")
			}
			return next.Complete(ctx, req)
		})
	}
	a.meter = llm.NewMeter(route(func(m *asked) llm.Model { return m.model }))
	recorded := a.recorded(a.meter)
	guarded := route(func(m *asked) llm.Model {
		m.gate = llm.NewGate(recorded, j.Concurrency)
		m.breaker = llm.NewBreaker(m.gate, m.hint)
		if m.client != nil {
			m.breaker.NeedKey(m.endpoint)
		}
		return m.breaker
	})
	a.budget = llm.NewBudget(guarded, a.asked[0].endpoint, j.Limits)
	return route(func(m *asked) llm.Model {
		if answers != nil && m.cached {
			return llm.NewCached(a.budget, answers, m.endpoint, a.recorder)
		}
		return a.budget
	}), nil
}

// ask opens an endpoint, or takes the model in its place.
func (a *judgeClient) ask(model llm.Model, e llm.Endpoint, hint string) (*asked, error) {
	m := &asked{model: model, endpoint: e, hint: hint, cached: model == nil}
	if model == nil {
		if e.Model == "" {
			return nil, fault.WithHint(fault.New(fault.Usage, "the judge has no model"), "name one with "+fault.OptionModel)
		}
		client, err := llm.New(e)
		if err != nil {
			return nil, err
		}
		m.client, m.model = client, client
	}
	a.asked = append(a.asked, m)
	return m, nil
}

// recorded puts a recorder in front of a model if calls are to be kept.
func (a *judgeClient) recorded(m llm.Model) llm.Model {
	if a.judge.Record == nil && !a.judge.RecordRuns {
		return m
	}
	a.recorder = llm.NewRecorder(m, a.judge.Record)
	return a.recorder
}

func (a *judgeClient) close() {
	for _, m := range a.asked {
		if m.client != nil {
			m.client.Close()
		}
	}
}

// arm lets the breakers stop a run, or no longer.
func (a *judgeClient) arm(armed bool) {
	for _, m := range a.asked {
		m.breaker.Arm(armed)
	}
}

// begin starts a run of which earlier executions have used s.
func (a *judgeClient) begin(s llm.Usage) {
	if a.meter != nil {
		a.meter.Begin(s)
		a.budget.Begin(s)
	}
}

// spent returns the judge's usage so far.
func (a *judgeClient) spent() llm.Usage {
	if a.meter == nil {
		return llm.Usage{}
	}
	return a.meter.Spent()
}

// asPinned returns options of a judge with those that a plan pins.
func asPinned(o judge.Options, p *plan.Judge) judge.Options {
	o.Model, o.Temperature, o.MaxTokens, o.Seed, o.Attempts, o.Abstain = p.Model, p.Temperature, p.MaxTokens, p.Seed, p.Attempts, p.Abstain
	return o
}

// pin says who judges, for the plan. It holds no secret.
func (a *judgeClient) pin() *plan.Judge {
	o := a.judge.Options
	p := &plan.Judge{
		Name: a.judge.Name, Model: o.Model, Temperature: o.Temperature, MaxTokens: o.MaxTokens, Seed: o.Seed,
		Abstain: o.Abstain, Attempts: o.Attempts, Prompts: judge.Prompts(),
	}
	if len(a.asked) > 0 && a.asked[0].client != nil {
		e := a.asked[0].client.Endpoint()
		p.BaseURL, p.Structured = e.BaseURL, string(e.Structured)
	}
	p.Name = cmp.Or(p.Name, p.Model)
	return p
}

// Ask asks the judge's model for something that is not a verdict, with the judge's
// settings, limits, cache and recording; see judge.Converse. Without a judge the
// error has class fault.Usage.
func (e *Evaluator) Ask(ctx context.Context, q judge.Query) (rubric.How, error) {
	if !e.judge.judges() {
		return rubric.How{}, fault.WithHint(fault.New(fault.Usage, "no judge is configured"), "name one with "+fault.OptionJudge)
	}
	return judge.Converse(ctx, e.judge.model, e.judge.judge.Options, q)
}

// templates is the engine of the prompt templates, loaded when the first is
// compiled.
type templates struct {
	modules *modules
	module  flight.Once[loaded]
}

// Call implements judge.Templates.
func (t *templates) Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error) {
	m, err := t.module.Do(ctx, t.load)
	if err != nil {
		return nil, wasm.Usage{}, fmt.Errorf("template engine: %w", err)
	}
	return m.Call(ctx, export, request, answer)
}

func (t *templates) load(ctx context.Context) (loaded, error) {
	name, module := plugins.Jinja()
	return t.modules.openSource(ctx, wasm.Source{Name: name, Module: module}, judge.TemplateLimits(), t.modules.wall(plugin.Builtin, false))
}
