// First begins to compile two modules at once, as the first calls of a program do.
package main

import (
	"context"
	"io"
	"sync"

	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/wasm/machinecode"
)

func main() {
	ctx := context.Background()
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			_, _ = machinecode.Compile(ctx, io.Discard, nil, nil, func(_ []byte, cache wazero.CompilationCache) error {
				return wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache)).Close(ctx)
			})
		})
	}
	both.Wait()
}
