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
	"runtime"

	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

// An Evaluator has the plugins, the sandbox that runs them, and the judge. New makes it.
type Evaluator struct {
	o         Options
	modules   *modules
	judge     *judgeClient // nil: no judge, and no embeddings
	templates *templates
	cpu       chan struct{}
}

// New returns an evaluator. Close it when nothing uses it any more. The error
// says which plugin, directory or judge setting is wrong.
func New(ctx context.Context, o Options) (*Evaluator, error) {
	if o.CPU <= 0 {
		o.CPU = runtime.GOMAXPROCS(0)
	}
	m, err := newModules(ctx, &o)
	if err != nil {
		return nil, err
	}
	e := &Evaluator{o: o, modules: m, templates: &templates{modules: m}, cpu: make(chan struct{}, o.CPU)}
	if o.Judge != nil || o.Embeddings != nil {
		if e.judge, err = newJudgeClient(o.Judge, o.Embeddings, o.Cache); err != nil {
			return nil, errors.Join(err, m.close(ctx))
		}
	}
	return e, nil
}

// Close frees every loaded plugin. No call may be running.
func (e *Evaluator) Close(ctx context.Context) error {
	if e.judge != nil {
		e.judge.close()
	}
	return errors.Join(e.modules.close(ctx), e.o.Cache.Close())
}

// Isolation starts a worker and reports the rights it drops before it reads a plugin;
// see worker.Finding. It returns nil if no plugin would have a worker.
func (e *Evaluator) Isolation(ctx context.Context) ([]worker.Finding, error) {
	if e.modules.workers == nil {
		return nil, nil
	}
	return e.modules.workers.Findings(ctx)
}

// Memory says by which ways the memories of plugins can be put back in this
// process, best first; see wasm.Runtime.Memory.
func (e *Evaluator) Memory() []image.Finding { return e.modules.runtime.Memory() }

// Catalog returns the plugins that are available.
func (e *Evaluator) Catalog() *plugin.Catalog { return e.modules.catalog }

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
