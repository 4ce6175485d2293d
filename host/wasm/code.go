package wasm

import (
	"context"
	"errors"
	"fmt"
	"runtime"

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
	cache    wazero.CompilationCache // the module's own, closed with it; nil: shared
}

func (c *code) close(ctx context.Context) error {
	err := c.runtime.Close(ctx)
	if c.cache != nil {
		err = errors.Join(err, c.cache.Close(ctx))
	}
	return err
}

// compile makes code of a rewritten module: through the store if that can be written,
// else in memory.
func (r *Runtime) compile(ctx context.Context, m *Module, w *rewritten) error {
	m.cacheMiss = r.store != nil
	err := r.keep(ctx, m, w)
	if err == nil {
		if r.restore(ctx, m) {
			return nil
		}
		err = ctx.Err()
	}
	if !stopped(ctx, err) { // the store may be at fault: a full disk, say
		m.code, err = r.codeOf(ctx, m, w.module, w.Imports, r.cache)
	}
	switch {
	case err == nil:
		m.traits, m.data = w.traits, w.data
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("plugin %s: compile: %w", m.name, flight.Stopped(ctx))
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Load, "plugin %s: compiling takes longer than %v", m.name, m.limits.Compile)
	}
	return fault.As(fault.Load, fmt.Errorf("plugin %s: %s", m.name, printable(firstLine(err.Error()), 300)))
}

func stopped(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded)
}

// manyBytes of code are compiled by several workers: on two cores in two thirds of
// the time, 3.5 ms for 5 with 7 KB. For less, starting them costs what they save. Only
// with workers does wazero look at its context while it compiles; a little code is
// soon compiled, as the limits of package binary see to.
const manyBytes = 4 << 10

// codeOf compiles a metered module, with an engine of its own. It takes the machine code
// that cache has; nil: there is no cache.
func (r *Runtime) codeOf(ctx context.Context, m *Module, module []byte, imports [][2]string, cache wazero.CompilationCache) (c *code, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the compiler failed: %v", p)
		}
	}()
	config := wazero.NewRuntimeConfigCompiler()
	if r.interpreter {
		config = wazero.NewRuntimeConfigInterpreter()
	}
	config = config.WithCoreFeatures(api.CoreFeaturesV2).WithMemoryLimitPages(m.limits.MemoryPages).WithDebugInfoEnabled(false)
	if cache != nil {
		config = config.WithCompilationCache(cache)
	}
	ctx, cancel := context.WithTimeout(ctx, m.limits.Compile)
	defer cancel()
	c = &code{runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	if err = provide(ctx, c.runtime, imports, m.how.stubs); err == nil {
		if len(module) > manyBytes {
			ctx = experimental.WithCompilationWorkers(ctx, max(2, runtime.GOMAXPROCS(0)))
		}
		c.compiled, err = c.runtime.CompileModule(ctx, module)
	}
	if err != nil {
		return nil, errors.Join(err, c.close(ctx))
	}
	return c, nil
}
