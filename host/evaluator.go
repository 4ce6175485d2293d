// Package host is the evaluator: it loads rubrics, grades outputs with them, and
// runs every scorer that is code as a sandboxed WebAssembly module.
//
//	ev, err := host.New(ctx, host.Options{})
//	doc, err := host.Load("rubric.yaml")
//	row, err := ev.Grade(ctx, doc, c, host.GradeOptions{})
//
// An Evaluator is made once and used for many rubrics and cases. It is safe for
// concurrent use, but for runs that ask a judge: these share its usage, limits and
// recording, so only one Evaluate, Retry or Rescore of them may be under way.
//
// Stability: experimental.
package host

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
	"github.com/rubric-host/rubric-host/plugins"
)

// An Evaluator has the plugins, the sandbox that runs them, and the judge. New makes it.
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
