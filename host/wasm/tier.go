package wasm

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/script"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
)

// LoadTiered is Load for modules that are called soon. One that the compile
// cache does not hold is interpreted for its first calls, while the compiler
// works; that is some ten times sooner. What an interpreted call fails with does
// not count: it is made again when there is machine code, and so is one that is
// under way by then. A module that does not compile fails with class fault.Load
// from then on.
//
// Answers and fuel are the same as far as wazero's engines are the same: of two
// NaNs that are added or multiplied, they keep different ones, and what the
// compiler gets wrong the interpreter may get right. So this is for modules whose
// answers are tested in both, and not for strangers'; see RATIONALE.md.
func (r *Runtime) LoadTiered(ctx context.Context, name string, module []byte, limits Limits) (*Module, error) {
	if script.Is(module) || r.interpreter {
		return r.Load(ctx, name, module, limits)
	}
	m, err := r.load(ctx, name, module, limits, (*Runtime).interpret)
	if err != nil && ctx.Err() == nil { // perhaps it only cannot be interpreted
		return r.Load(ctx, name, module, limits)
	}
	return m, err
}

// interpret makes what interprets a metered module until there is machine code,
// or that, if the cache holds it.
func (r *Runtime) interpret(ctx context.Context, m *Module, w *rewritten) (*rewritten, *code, error) {
	if c := r.keptCode(ctx, m, w); c != nil {
		return w, c, nil
	}
	if r.compiledBefore(m) {
		return r.compile(ctx, m, w)
	}
	c, err := m.codeOf(ctx, w, wazero.NewRuntimeConfigInterpreter(), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("plugin %s: %w", m.name, err)
	}
	c.early = true
	m.rising = newRising(ctx, func(ctx context.Context) error { return r.rise(ctx, m, w) }, r.kept != "")
	return w, c, nil
}

// rise compiles a module that is interpreted, and makes that its code.
func (r *Runtime) rise(ctx context.Context, m *Module, w *rewritten) error {
	select {
	case r.risers <- struct{}{}:
		defer func() { <-r.risers }()
	case <-ctx.Done():
		return fmt.Errorf("plugin %s: not compiled: %w", m.name, ctx.Err())
	}
	// With workers, wazero sees that it is to stop.
	_, c, err := r.compile(experimental.WithCompilationWorkers(ctx, max(2, runtime.GOMAXPROCS(0))), m, w)
	if err != nil {
		return err
	}
	r.nowCompiled(m)
	m.code.Swap(c).retire()
	m.sweep()
	return nil
}

// sweep closes idle instances of code that is not the module's any more.
func (m *Module) sweep() {
	for _, i := range m.idle.drain() {
		if i.code != m.code.Load() || !m.idle.put(i) {
			i.close()
		}
	}
}

// callEarly calls a scorer of a module that is interpreted.
func (m *Module) callEarly(ctx context.Context, at int, request, answer []byte) ([]byte, Usage, error) {
	if m.access == nil && !m.rising.over() { // with a grant, a call may do what cannot be done twice
		answer, usage, early, err := m.attempt(ctx, at, request, answer)
		m.rising.begin()
		if err == nil || !early || ctx.Err() != nil {
			return answer, usage, err
		}
	}
	if err := m.rising.wait(ctx, m); err != nil {
		return answer[:0], Usage{}, err
	}
	answer, usage, _, err := m.attempt(ctx, at, request, answer[:0])
	return answer, usage, err
}

// overtaken reports whether an interpreted call is better made again. A call
// that is not over with its first slice of fuel is a long one.
func (i *instance) overtaken() bool {
	if !i.code.early {
		return false
	}
	i.m.rising.begin()
	return i.m.rising.over()
}

// compiledBefore reports whether the cache in memory should hold the machine code of a
// module. If it does not after all, that costs no more than time.
func (r *Runtime) compiledBefore(m *Module) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.compiled[m.formName()]
}

// nowCompiled remembers that the cache in memory holds the machine code of a module.
func (r *Runtime) nowCompiled(m *Module) {
	if r.kept != "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.compiled[m.formName()] = true
}

// A rising is the work of making machine code for a module that is interpreted.
type rising struct {
	once sync.Once
	work func()
	keep bool // what is made is of use to other processes
	stop context.CancelFunc
	done chan struct{}
	err  error
}

func newRising(ctx context.Context, work func(context.Context) error, keep bool) *rising {
	r := &rising{keep: keep, done: make(chan struct{})}
	ctx, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	r.work = func() {
		defer close(r.done)
		r.err = work(ctx)
	}
	return r
}

// begin starts the work. It is not begun before the first call is over, which it
// would slow down, unless that is a long one.
func (r *rising) begin() { r.once.Do(func() { go r.work() }) }

// over reports whether the work is done.
func (r *rising) over() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// wait waits until the work is done.
func (r *rising) wait(ctx context.Context, m *Module) error {
	r.begin()
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return fmt.Errorf("plugin %s: not compiled: %w", m.name, flight.Stopped(ctx))
	}
}

// end ends the work: if it is under way and of use to others, when it is done.
func (r *rising) end(ctx context.Context) {
	r.once.Do(func() { close(r.done) })
	if r.keep {
		select {
		case <-r.done:
		case <-ctx.Done():
		}
	}
	r.stop()
	<-r.done
}
