// First begins to compile a module and its stub, as the first call of a program does.
package main

import (
	"context"
	"os"

	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/wasm/machinecode"
)

func main() {
	_, _ = machinecode.Compile(context.Background(), os.Args[1], nil, nil, func([]byte, wazero.CompilationCache) error { return nil })
}
