package wasm

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// A code is a module as one of wazero's engines runs it.
type code struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	early    bool                    // it is interpreted until there is machine code
	kept     wazero.CompilationCache // the module's own, closed with it; nil: shared

	mu      sync.Mutex
	users   int // instances
	retired bool
}

// enter counts an instance. It reports false if there is other code now.
func (c *code) enter() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.retired {
		c.users++
	}
	return !c.retired
}

// leave counts an instance that is gone. The last one frees code that is not the
// module's any more.
func (c *code) leave() {
	c.mu.Lock()
	c.users--
	last := c.retired && c.users == 0
	c.mu.Unlock()
	if last {
		c.close(context.Background()) //nolint:errcheck // nothing without files and sockets can fail to close
	}
}

// retire frees the code when no instance uses it any more.
func (c *code) retire() {
	c.mu.Lock()
	c.retired = true
	unused := c.users == 0
	c.mu.Unlock()
	if unused {
		c.close(context.Background()) //nolint:errcheck // nothing without files and sockets can fail to close
	}
}

func (c *code) close(ctx context.Context) error {
	err := c.runtime.Close(ctx)
	if c.kept != nil {
		err = errors.Join(err, c.kept.Close(ctx))
	}
	return err
}

// compile makes what runs a metered module: machine code, unless the runtime
// interprets. A module that is kept hollow is so from now on.
func (r *Runtime) compile(ctx context.Context, m *Module, w *rewritten) (*rewritten, *code, error) {
	if m.hollows && !canKeep(r.kept) { // there is nothing to be found either
		c, err := r.compileIn(ctx, m, w, nil)
		return w, c, err
	}
	if m.hollows {
		if err := r.keepForm(ctx, m, w); err != nil {
			return nil, nil, err
		}
		if h, c := r.hollow(ctx, m); c != nil {
			h.library = w.library
			return h, c, nil
		}
	}
	if r.kept != "" && !m.hollows {
		if err := r.compileApart(ctx, m, w); err != nil {
			return nil, nil, err
		}
		if c := r.keptCode(ctx, m, w); c != nil {
			return w, c, nil
		}
	}
	c, err := r.compileIn(ctx, m, w, r.cache)
	return w, c, err
}

// compileIn makes what runs a metered module, with a cache for machine code.
func (r *Runtime) compileIn(ctx context.Context, m *Module, w *rewritten, cache wazero.CompilationCache) (*code, error) {
	config := wazero.NewRuntimeConfigCompiler
	if r.interpreter {
		config = wazero.NewRuntimeConfigInterpreter
	}
	c, err := m.codeOf(ctx, w, config(), cache)
	if err != nil && ctx.Err() == nil && cache != nil && !errors.Is(err, context.DeadlineExceeded) {
		// The cache may be at fault: a file that was cut short, a full disk.
		c, err = m.codeOf(ctx, w, config(), nil)
	}
	switch {
	case err == nil:
		return c, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("plugin %s: compile: %w", m.name, flight.Stopped(ctx))
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fault.New(fault.Load, "plugin %s: compiling takes longer than %v", m.name, m.limits.Compile)
	}
	return nil, fault.As(fault.Load, fmt.Errorf("plugin %s: %s", m.name, printable(firstLine(err.Error()), 300)))
}

// manyBytes of code are compiled by several workers: on two cores in two thirds of
// the time, 3.5 ms for 5 with 7 KB. For less, starting them costs what they save. Only
// with workers does wazero look at its context while it compiles; a little code is
// soon compiled, as the limits of package binary see to.
const manyBytes = 4 << 10

// codeOf makes code of a metered module, with an engine of its own.
func (m *Module) codeOf(ctx context.Context, w *rewritten, config wazero.RuntimeConfig, cache wazero.CompilationCache) (c *code, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the compiler failed: %v", p)
		}
	}()
	config = config.WithCoreFeatures(api.CoreFeaturesV2).WithMemoryLimitPages(m.limits.MemoryPages).WithDebugInfoEnabled(false)
	if cache != nil {
		config = config.WithCompilationCache(cache)
	}
	ctx, cancel := context.WithTimeout(ctx, m.limits.Compile)
	defer cancel()
	c = &code{runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	if err = provide(ctx, c.runtime, w.imports); err == nil {
		if len(w.Module) > manyBytes {
			ctx = experimental.WithCompilationWorkers(ctx, max(2, runtime.GOMAXPROCS(0)))
		}
		c.compiled, err = c.runtime.CompileModule(ctx, w.Module)
	}
	if err != nil {
		return nil, errors.Join(err, c.close(ctx))
	}
	return c, nil
}
