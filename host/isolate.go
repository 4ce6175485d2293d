package host

import (
	"context"
	"slices"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

// newWorkers returns the runtime of workers, nil if no plugin is to have one. A
// program that cannot be a worker has none, unless it must.
func newWorkers(o Options) (*worker.Runtime, error) {
	switch o.Isolate {
	case worker.Never:
		return nil, nil
	case "", worker.Auto:
		if o.Worker == "" && worker.Available() != nil {
			return nil, nil
		}
	case worker.Always:
	default:
		return nil, fault.WithHint(fault.New(fault.Usage, "unknown isolation %q", o.Isolate), "known: auto, always, never")
	}
	return worker.New(worker.Options{Command: o.Worker, CacheDir: o.CacheDir, Interpreter: o.Interpreter, Interpreters: o.interpreters(), Doing: o.Doing, Parallel: o.CPU})
}

// wall says where a plugin of that source runs. With a peer, a built-in one is like any other:
// the code it runs there is untrusted.
func (e *Evaluator) wall(source string, peer bool) result.Wall {
	switch {
	case e.workers == nil, source == plugin.Builtin && !peer && e.o.Isolate != worker.Always:
		return result.Process
	}
	return result.Worker
}

// wallOf says where a plugin of a plan runs.
func (e *Evaluator) wallOf(pin *plan.Plugin) result.Wall {
	peer := false
	if pin.Source == plugin.Builtin {
		p := e.catalog.Plugin(pin.Name)
		peer = p != nil && p.Manifest.Peer
	}
	return e.wall(pin.Source, peer)
}

// isolates reports whether a plugin of the plan runs in a worker.
func (e *Evaluator) isolates(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Plugins, func(pin plan.Plugin) bool { return pin.Source != goSource && e.wallOf(&pin) == result.Worker })
}

// Isolation starts a worker and reports the rights it drops before it reads a plugin;
// see worker.Finding. It returns nil if no plugin would have a worker.
func (e *Evaluator) Isolation(ctx context.Context) ([]worker.Finding, error) {
	if e.workers == nil {
		return nil, nil
	}
	return e.workers.Findings(ctx)
}

// Memory says by which ways the memories of plugins can be put back in this
// process, best first; see wasm.Runtime.Memory.
func (e *Evaluator) Memory() []image.Finding { return e.runtime.Memory() }
