package wasm

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// A code is a compiled module, in a wazero runtime of its own.
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

// manyBytes is the size from which several workers compile a module: 3.5 ms for 7 KB
// on two cores instead of 5. Smaller modules gain nothing, since starting workers
// takes time. Only with workers does wazero check its context while it compiles;
// smaller modules compile quickly, as the limits of package binary ensure.
const manyBytes = 4 << 10

// codeOf compiles a metered module in a wazero runtime of its own. It takes the machine code
// from cache if it has it; nil: no cache.
func (s *artifacts) codeOf(ctx context.Context, p *prototype, module []byte, imports [][2]string, cache wazero.CompilationCache) (made *code, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the compiler failed: %v", p)
		}
	}()
	config := wazero.NewRuntimeConfigCompiler()
	if s.interpreter {
		config = wazero.NewRuntimeConfigInterpreter()
	}
	config = config.WithCoreFeatures(api.CoreFeaturesV2).WithMemoryLimitPages(p.limits.MemoryPages).WithDebugInfoEnabled(false)
	if cache != nil {
		config = config.WithCompilationCache(cache)
	}
	ctx, cancel := context.WithTimeout(ctx, p.limits.Compile)
	defer cancel()
	made = &code{runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	if err = provide(ctx, made.runtime, imports, p.convention.stubs); err == nil {
		if len(module) > manyBytes {
			ctx = experimental.WithCompilationWorkers(ctx, max(2, runtime.GOMAXPROCS(0)))
		}
		made.compiled, err = made.runtime.CompileModule(ctx, module)
	}
	if err != nil {
		return nil, errors.Join(err, made.close(ctx))
	}
	return made, nil
}
