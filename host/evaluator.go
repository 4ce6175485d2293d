// Package host is the evaluator: it loads rubrics, grades outputs with them, and
// runs every scorer that is code as a sandboxed WebAssembly module.
//
//	ev, err := host.New(ctx, host.Options{})
//	doc, err := host.Load("rubric.yaml")
//	row, err := ev.Grade(ctx, doc, c, host.GradeOptions{})
//
// An Evaluator is made once and used for many rubrics and cases. It is safe for
// concurrent use.
//
// Stability: experimental.
package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rubric-host/rubric-host/host/cache"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
	"github.com/rubric-host/rubric-host/plugins"
)

// An Evaluator is the assembled machine: plugins, judge, sandbox.
type Evaluator struct {
	o         Options
	catalog   *plugin.Catalog
	runtime   *wasm.Runtime
	workers   *worker.Runtime // nil: no plugin has one
	judge     *judgeClient    // nil: no judge, and no embeddings
	templates *templates
	cpu       chan struct{}
	modules   *modules
	allowed   allowed
}

// modules are the loaded modules, by loadKey.
type modules struct {
	mu sync.Mutex
	by map[string]*loading
}

// loading is a module that is being loaded, or is.
type loading struct{ flight.Once[loadedWith] }

// loadedWith is a module with its grants.
type loadedWith struct {
	module loaded
	access *grant.Access // nil: it was granted nothing
}

// A loaded plugin can be closed alone.
type loaded interface {
	metric.Guest
	Close(ctx context.Context) error
}

// close frees the module and releases its grants.
func (l *loading) close(ctx context.Context) error {
	has, made := l.Value()
	if !made {
		return nil
	}
	err := has.module.Close(ctx)
	if has.access != nil {
		err = errors.Join(err, has.access.Close())
	}
	return err
}

// New returns an evaluator. Close it when nothing uses it any more. The error
// says which plugin, directory or judge setting is wrong.
func New(ctx context.Context, o Options) (*Evaluator, error) {
	if o.CPU <= 0 {
		o.CPU = runtime.GOMAXPROCS(0)
	}
	allow, err := parseAllow(o.Allow)
	if err != nil {
		return nil, err
	}
	catalog, err := plugins.Catalog(o.Plugins...)
	if err != nil {
		return nil, err
	}
	workers, err := newWorkers(o)
	if err != nil {
		return nil, err
	}
	rt, err := wasm.New(ctx, wasm.Options{CacheDir: o.CacheDir, Interpreter: o.Interpreter, Scripts: script.Open, Interpreters: o.interpreters(), Doing: o.Doing})
	if err != nil {
		return nil, errors.Join(err, closeWorkers(ctx, workers))
	}
	e := &Evaluator{o: o, catalog: catalog, runtime: rt, workers: workers, cpu: make(chan struct{}, o.CPU), modules: &modules{by: map[string]*loading{}}, allowed: allow}
	e.templates = &templates{e: e}
	if o.Judge != nil || o.Embeddings != nil {
		if e.judge, err = newJudgeClient(o.Judge, o.Embeddings, o.Cache); err != nil {
			return nil, errors.Join(err, rt.Close(ctx), closeWorkers(ctx, workers))
		}
	}
	return e, nil
}

// interpreters returns the function that finds the interpreters of scripts.
func (o *Options) interpreters() func(context.Context, string) ([]byte, error) {
	if o.RuntimeDir == "" {
		return nil
	}
	return interpreter.In(o.RuntimeDir).Bytes
}

// Close frees every loaded plugin. No call may be running.
func (e *Evaluator) Close(ctx context.Context) error {
	if e.judge != nil {
		e.judge.close()
	}
	err := closeWorkers(ctx, e.workers)
	for _, l := range e.modules.by {
		if has, _ := l.Value(); has.access != nil {
			err = errors.Join(err, has.access.Close())
		}
	}
	return errors.Join(err, e.runtime.Close(ctx), e.o.Cache.Close())
}

func closeWorkers(ctx context.Context, workers *worker.Runtime) error {
	if workers == nil {
		return nil
	}
	return workers.Close(ctx)
}

// KeepOnly closes every loaded plugin that c does not use: a long-running program
// whose plugins change frees memory so. Calls of other plugins must have ended, and
// Scorers that use them must be made again.
func (e *Evaluator) KeepOnly(ctx context.Context, c *Called) error {
	used := map[string]bool{}
	for t := range c.Plan.Tasks() {
		pin := c.Plan.Plugin(t.Plugin)
		if pin == nil || pin.Source == goSource {
			continue
		}
		u, err := e.useOf(c.Plan, t)
		if err != nil {
			return err
		}
		used[e.loadKey(u)] = true
	}
	var old []*loading
	e.modules.mu.Lock()
	for key, l := range e.modules.by {
		if !used[key] {
			old = append(old, l)
			delete(e.modules.by, key)
		}
	}
	e.modules.mu.Unlock()
	var err error
	for _, l := range old {
		err = errors.Join(err, l.close(ctx))
	}
	return err
}

// Catalog returns the plugins that are available.
func (e *Evaluator) Catalog() *plugin.Catalog { return e.catalog }

// load returns the module of a plugin, loaded once for the same bytes, data files, exports and
// grants: plugins of different names may have the same bytes, and one of them was
// granted more than the other.
func (e *Evaluator) load(ctx context.Context, u use) (metric.Guest, error) {
	key := e.loadKey(u)
	e.modules.mu.Lock()
	l := e.modules.by[key]
	if l == nil {
		l = &loading{}
		e.modules.by[key] = l
	}
	e.modules.mu.Unlock()
	has, err := l.Do(ctx, func(ctx context.Context) (loadedWith, error) { return e.loadUse(ctx, u) })
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("plugin %s: not loaded: %w", u.plugin.Manifest.Name, flight.Stopped(ctx))
	}
	return has.module, err
}

// loadKey names a module that is loaded with its grants, data files, exports and limits.
func (e *Evaluator) loadKey(u use) string {
	return fmt.Sprintf("%s %q %q %q %v", u.plugin.Digest, u.grants, u.data, u.exports, u.plugin.Manifest.Limits.Apply(e.o.Limits))
}

// judgeClient is the models of the judge and of embeddings with their decorators, and their
// counters.
type judgeClient struct {
	judge    Judge
	judges   bool             // there is a judge's model; else only embeddings are asked for
	embeds   *plan.Embeddings // nil: no embeddings are asked for
	model    llm.Model
	asked    []*asked // empty: a recording answers
	budget   *llm.Budget
	meter    *llm.Meter
	calls    *calls        // nil: calls are not recorded
	recorder *llm.Recorder // nil like calls
	front    *front
	inner    llm.Model // behind front
}

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

// routed asks one model for answers and another for embeddings.
type routed struct{ answers, embeddings llm.Model }

// Complete asks the model that the request is for.
func (r routed) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	next := r.answers
	if len(req.Embed) > 0 {
		next = r.embeddings
	}
	if next == nil {
		return llm.Response{}, fault.New(fault.Usage, "no model is given for it")
	}
	return next.Complete(ctx, req)
}

// calls is where a recording goes: a writer that is given, and the run
// directory of the run that is under way.
type calls struct {
	mu    sync.Mutex
	given io.Writer
	run   io.Writer
}

// point sends the recording to a run directory too, until it is pointed to nil.
func (c *calls) point(w io.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run = w
}

// Write writes one line to every place.
func (c *calls) Write(line []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, w := range []io.Writer{c.given, c.run} {
		if w != nil {
			_, err := w.Write(line)
			errs = append(errs, err)
		}
	}
	return len(line), errors.Join(errs...)
}

// front is the model that scorers ask: the judge's, or for a resumed run one that
// replays its recordings first.
type front struct{ now atomic.Pointer[llm.Model] }

// Complete asks the model that is in place.
func (f *front) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	return (*f.now.Load()).Complete(ctx, req)
}

func (f *front) set(m llm.Model) { f.now.Store(&m) }

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
		err = a.replay(embeddings)
	} else {
		err = a.stack(embeddings, answers)
	}
	if err != nil {
		return nil, err
	}
	a.inner = a.model
	f := &front{}
	f.set(a.inner)
	a.front, a.model = f, f
	return a, nil
}

// replay answers from a recording, which needs no gate, and costs nothing.
func (a *judgeClient) replay(embeddings *Embeddings) error {
	replay, err := llm.NewReplay(a.judge.Replay, a.judge.ReplayName)
	if err != nil {
		return err
	}
	if a.judge.Options.Model == "" {
		a.judge.Options.Model = replay.Model()
	}
	a.judges = true
	if embeddings != nil {
		a.embeds = embeddings.pin()
	} else if model := replay.EmbeddingModel(); model != "" {
		a.embeds = &plan.Embeddings{Name: model, Model: model}
	}
	a.model = replay
	a.recorded()
	return nil
}

// pin says whose embeddings they are, for the plan.
func (m *Embeddings) pin() *plan.Embeddings {
	p := &plan.Embeddings{Name: cmp.Or(m.Name, m.Endpoint.Model), Model: m.Endpoint.Model}
	if m.Model == nil {
		p.BaseURL = cmp.Or(strings.TrimRight(m.Endpoint.BaseURL, "/"), llm.DefaultBaseURL)
	}
	return p
}

// stack makes the models with their decorators.
func (a *judgeClient) stack(embeddings *Embeddings, answers *cache.Store) error {
	j := &a.judge
	var judge, embedder *asked
	var err error
	if a.judges = j.Model != nil || j.Endpoint.Model != "" || embeddings == nil; a.judges {
		if judge, err = a.ask(j.Model, j.Endpoint, j.KeyHint); err != nil {
			return err
		}
	}
	if embeddings != nil {
		if embedder, err = a.ask(embeddings.Model, embeddings.Endpoint, embeddings.KeyHint); err != nil {
			return err
		}
		a.embeds = embeddings.pin()
	}
	route := func(of func(*asked) llm.Model) llm.Model {
		var r routed
		if judge != nil {
			r.answers = of(judge)
		}
		if embedder != nil {
			r.embeddings = of(embedder)
		}
		return r
	}
	a.meter = llm.NewMeter(route(func(m *asked) llm.Model { return m.model }))
	a.model = a.meter
	a.recorded()
	recorded := a.model
	a.model = route(func(m *asked) llm.Model {
		m.gate = llm.NewGate(recorded, llm.GateOptions{Fixed: j.Concurrency})
		m.breaker = llm.NewBreaker(m.gate, m.hint)
		return m.breaker
	})
	a.budget = llm.NewBudget(a.model, a.asked[0].endpoint, j.Limits)
	a.model = route(func(m *asked) llm.Model {
		if answers != nil && m.cached {
			return llm.NewCached(a.budget, answers, m.endpoint, a.recorder)
		}
		return a.budget
	})
	return nil
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

// recorded puts a recorder in front of the model if calls are to be kept.
func (a *judgeClient) recorded() {
	if a.judge.Record != nil || a.judge.RecordRuns {
		a.calls = &calls{given: a.judge.Record}
		a.recorder = llm.NewRecorder(a.model, a.calls)
		a.model = a.recorder
	}
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

// Stats are the current load and the usage of an Evaluator. Both are zero without
// a judge and embeddings.
type Stats struct {
	Judge llm.Load  // calls under way: of the judge, or for embeddings if there is no judge
	Spent llm.Usage // by both
}

// Stats returns the load and the usage of the evaluator.
func (e *Evaluator) Stats() Stats {
	var s Stats
	if e.judge != nil {
		s.Spent = e.judge.spent()
		if len(e.judge.asked) > 0 {
			s.Judge = e.judge.asked[0].gate.Load()
		}
	}
	return s
}
