package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/datafile"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
	"github.com/rubric-host/rubric-host/plugins"
)

// modules finds the plugins of plans and loads them, each once: in this process or in workers.
type modules struct {
	catalog    *plugin.Catalog
	allowed    allowed
	runtime    *wasm.Runtime
	workers    *worker.Runtime // nil: no plugin has one
	isolate    worker.Isolation
	runtimeDir string // of data files

	mu sync.Mutex
	by map[string]*flight.Once[loaded] // by use.key
}

func newModules(ctx context.Context, o *Options) (*modules, error) {
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
	rt, err := wasm.New(ctx, wasm.Options{CacheDir: o.CacheDir, Interpreter: o.Interpreter, Scripts: script.Open, Interpreters: o.interpreters(), Doing: o.Doing, Carried: plugins.Compiled})
	if err != nil {
		return nil, errors.Join(err, closeWorkers(ctx, workers))
	}
	return &modules{catalog: catalog, allowed: allow, runtime: rt, workers: workers, isolate: o.Isolate, runtimeDir: o.RuntimeDir, by: map[string]*flight.Once[loaded]{}}, nil
}

// interpreters returns the function that finds the interpreters of scripts.
func (o *Options) interpreters() func(context.Context, string) ([]byte, error) {
	if o.RuntimeDir == "" {
		return nil
	}
	return interpreter.In(o.RuntimeDir).Bytes
}

// newWorkers returns the runtime of workers, nil if no plugin is to have one. A
// program that cannot be a worker has none, unless it must.
func newWorkers(o *Options) (*worker.Runtime, error) {
	switch o.Isolate {
	case worker.Never:
		return nil, nil
	case "", worker.Auto:
		if worker.Available() != nil {
			return nil, nil
		}
	case worker.Always:
	default:
		return nil, fault.WithHint(fault.New(fault.Usage, "unknown isolation %q", o.Isolate), "known: auto, always, never")
	}
	return worker.New(worker.Options{CacheDir: o.CacheDir, Interpreter: o.Interpreter, Interpreters: o.interpreters(), Doing: o.Doing, Parallel: o.CPU})
}

// close frees every loaded plugin. No call may be running.
func (m *modules) close(ctx context.Context) error {
	var err error
	for _, l := range m.by {
		if module, made := l.Value(); made {
			err = errors.Join(err, module.Close(ctx))
		}
	}
	return errors.Join(err, closeWorkers(ctx, m.workers), m.runtime.Close(ctx))
}

func closeWorkers(ctx context.Context, workers *worker.Runtime) error {
	if workers == nil {
		return nil
	}
	return workers.Close(ctx)
}

// A loaded plugin can be closed.
type loaded interface {
	metric.Guest
	Close(ctx context.Context) error
}

// granted is a loaded plugin that has grants, and releases them when it is closed.
type granted struct {
	loaded
	access *grant.Access
}

func (g granted) Close(ctx context.Context) error {
	return errors.Join(g.loaded.Close(ctx), g.access.Close())
}

// guest is a loaded plugin.
type guest struct {
	plugin *plugin.Plugin
	metric.Guest
}

// locate finds the plugin of a pin: in the catalog, else at its path.
func (m *modules) locate(pin plan.Plugin) (*plugin.Plugin, error) {
	named := m.catalog.Plugin(pin.Name)
	if named != nil && named.Digest == pin.Digest {
		return named, nil
	}
	var atPath *plugin.Plugin
	var err error
	if pin.Source != plugin.Builtin && pin.Source != "" {
		if atPath, err = plugin.ReadFile(pin.Source); err == nil && atPath.Digest == pin.Digest {
			return atPath, nil
		}
	}
	for _, p := range m.catalog.Plugins() {
		if p.Digest == pin.Digest {
			return p, nil
		}
	}
	switch {
	case atPath != nil || err != nil:
		return atPath, err
	case named != nil:
		return named, nil
	}
	return nil, fault.New(fault.NotFound, "plugin %q (%s) is not available", pin.Name, pin.Digest)
}

// A use is a plugin as it is loaded.
type use struct {
	plugin  *plugin.Plugin
	grants  []grant.Grant
	data    []string // names of data files
	exports []string // that are called; empty: any
	limits  wasm.Limits
}

// key tells a use from all others: plugins of different names may have the same bytes, and one of
// them was granted more than the other.
func (u *use) key() string {
	return fmt.Sprintf("%s %q %q %q %v", u.plugin.Digest, u.grants, u.data, u.exports, u.limits)
}

// use returns the use of a plugin by a plan's task. limits are the user's.
func (m *modules) use(p *plan.Plan, t *plan.Task, limits wasm.Limits) (use, error) {
	pin := p.Plugin(t.Plugin)
	found, err := m.locate(*pin)
	if err != nil {
		return use{}, err
	}
	u := use{plugin: found, grants: m.allowed.of(pin), data: found.Manifest.DataFor(t.Config), limits: found.Manifest.Limits.Apply(limits)}
	if m.wall(found.Source, found.Manifest.Peer) == result.Process { // a worker is as large as a process, so plans share it
		u.exports = p.Exports(t.Plugin)
	}
	return u, nil
}

// load returns the module of a use, loaded once.
func (m *modules) load(ctx context.Context, u use) (metric.Guest, error) {
	key := u.key()
	m.mu.Lock()
	l := m.by[key]
	if l == nil {
		l = &flight.Once[loaded]{}
		m.by[key] = l
	}
	m.mu.Unlock()
	module, err := l.Do(ctx, func(ctx context.Context) (loaded, error) { return m.open(ctx, u) })
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("plugin %s: not loaded: %w", u.plugin.Manifest.Name, flight.Stopped(ctx))
	}
	return module, err
}

// open loads a plugin with its grants, where it belongs.
func (m *modules) open(ctx context.Context, u use) (loaded, error) {
	p := u.plugin
	files, err := datafile.In(m.runtimeDir).Of(p, u.data)
	if err != nil {
		return nil, err
	}
	src := wasm.Source{Name: p.Manifest.Name, Digest: p.Code, Data: files, Scorers: u.exports}
	if p.Source == plugin.Builtin && p.Manifest.Language() == "" {
		src.Open = func() ([]byte, error) { return p.Module(), nil } // it is decompressed only if it must be compiled
	} else {
		src.Module = p.Module()
	}
	where := m.wall(p.Source, p.Manifest.Peer)
	if len(u.grants) == 0 {
		return m.openSource(ctx, src, u.limits, where)
	}
	if src.Access, err = grant.OpenAccess(u.grants); err != nil {
		return nil, err
	}
	module, err := m.openSource(ctx, src, u.limits, where)
	if err != nil {
		return nil, errors.Join(err, src.Access.Close())
	}
	return granted{module, src.Access}, nil
}

// openSource loads a module in this process or in a worker. With an error, the module is not valid.
func (m *modules) openSource(ctx context.Context, src wasm.Source, limits wasm.Limits, where result.Wall) (loaded, error) {
	if where == result.Worker {
		return m.workers.Load(ctx, src, limits)
	}
	return m.runtime.Load(ctx, src, limits)
}

// wall says where a plugin of that source runs. With a peer, a built-in one is like any other:
// the code it runs there is untrusted.
func (m *modules) wall(source string, peer bool) result.Wall {
	switch {
	case m.workers == nil, source == plugin.Builtin && !peer && m.isolate != worker.Always:
		return result.Process
	}
	return result.Worker
}

// wallOf says where a plugin of a plan runs.
func (m *modules) wallOf(pin *plan.Plugin) result.Wall {
	peer := false
	if pin.Source == plugin.Builtin {
		p := m.catalog.Plugin(pin.Name)
		peer = p != nil && p.Manifest.Peer
	}
	return m.wall(pin.Source, peer)
}

func (m *modules) isolates(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Plugins, func(pin plan.Plugin) bool { return pin.Source != goSource && m.wallOf(&pin) == result.Worker })
}

// allowed are the grants that a user gives, by the name of the plugin.
type allowed map[string][]grant.Grant

// parseAllow reads PLUGIN=GRANT. The error names everything that is wrong.
func parseAllow(list []string) (allowed, error) {
	out := allowed{}
	var problems []error
	for _, text := range list {
		name, what, found := strings.Cut(text, "=")
		if !found || name == "" {
			problems = append(problems, fault.WithHint(fault.New(fault.Usage, "the grant %q is not PLUGIN=GRANT", text), "write "+fault.OptionAllow+" such as words=fs:read:./words"))
			continue
		}
		g, err := grant.Parse(what)
		if err != nil {
			problems = append(problems, fault.As(fault.Usage, err))
			continue
		}
		if !slices.Contains(out[name], g) {
			out[name] = append(out[name], g)
		}
	}
	return out, errors.Join(problems...)
}

// of returns the grants of a plugin: those of its plan, as far as
// the user gives it here too. So no number is touched by a grant that its pin,
// which marks it, does not name.
func (a allowed) of(pin *plan.Plugin) []grant.Grant {
	return slices.DeleteFunc(slices.Clone(a[pin.Name]), func(g grant.Grant) bool { return !slices.Contains(pin.Grants, g.String()) })
}
