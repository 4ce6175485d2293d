package wasm

import (
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/wasm/wasi"
)

// wasiImports are the imports of WASI preview 1; package wasi implements them.
var wasiImports = func() hostModule {
	h := hostModule{name: wasiModule}
	for _, f := range wasi.Functions() {
		h.functions = append(h.functions, hostFunction{f.Name, f.Shape, wasiHost(&f)})
	}
	return h
}()

// wasiHost returns a function of WASI as wazero calls it.
func wasiHost(f *wasi.Function) api.GoModuleFunc {
	return func(ctx context.Context, _ api.Module, stack []uint64) {
		errno, err := f.Invoke(&instanceOf(ctx).world, stack)
		if err != nil {
			panic(hostError{err})
		}
		if len(stack) > 0 {
			stack[0] = uint64(errno)
		}
	}
}
