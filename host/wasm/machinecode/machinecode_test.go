package machinecode_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/wasm/machinecode"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

func answering(body string) []byte {
	return wasmtest.Assemble(`(module (memory 1) (func (export "f") (result i32) ` + body + `) (func (export "g") (result i32) ` + body + `))`)
}

// run compiles a module with a cache and calls a function of it.
func run(t *testing.T, cache wazero.CompilationCache, module []byte) (uint64, error) {
	t.Helper()
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache))
	defer rt.Close(ctx)
	m, err := rt.Instantiate(ctx, module)
	if err != nil {
		return 0, err
	}
	got, err := m.ExportedFunction("g").Call(ctx)
	if err != nil {
		return 0, err
	}
	return got[0], nil
}

func compiled(t *testing.T) (dir, file string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "cache")
	file, err := machinecode.Compile(t.Context(), dir, answering("(i32.const 42)"), answering("(unreachable)"), func(module []byte, cache wazero.CompilationCache) error {
		rt := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache))
		defer rt.Close(t.Context())
		_, err := rt.CompileModule(t.Context(), module)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir, file
}

func ask(t *testing.T, dir string) (uint64, error) {
	t.Helper()
	cache, err := machinecode.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close(context.Background())
	return run(t, cache, answering("(unreachable)"))
}

// TestCompile_StubRunsTheModule fails when wazero's file cache changes so that this
// package has to change: the path of a file, its format, or that nothing after its
// data is read.
func TestCompile_StubRunsTheModule(t *testing.T) {
	dir, file := compiled(t)
	if got, err := ask(t, dir); err != nil || got != 42 {
		t.Errorf("the stub answers %d, %v", got, err)
	}
	path := filepath.Join(dir, file)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(filepath.ToSlash(file), "/"); n != 1 {
		t.Errorf("%s is %d directories below the cache", file, n)
	}
	if err := os.WriteFile(path, append(whole, "anything behind it"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := ask(t, dir); err != nil || got != 42 {
		t.Errorf("with more behind it: %d, %v", got, err)
	}
}

// TestOpen_WithoutMachineCodeTheStubRuns is why a stub has to say that it is one.
func TestOpen_WithoutMachineCodeTheStubRuns(t *testing.T) {
	dir, file := compiled(t)
	if err := os.Remove(filepath.Join(dir, file)); err != nil {
		t.Fatal(err)
	}
	if got, err := ask(t, dir); err == nil {
		t.Errorf("it answers %d", got)
	}
}

func TestCompile_ErrorsAreThoseOfCompile(t *testing.T) {
	_, err := machinecode.Compile(t.Context(), t.TempDir(), nil, nil, func([]byte, wazero.CompilationCache) error { return os.ErrDeadlineExceeded })
	if err != os.ErrDeadlineExceeded { //nolint:errorlint // the very error
		t.Error(err)
	}
	_, err = machinecode.Compile(t.Context(), t.TempDir(), nil, nil, func([]byte, wazero.CompilationCache) error { return nil })
	if err != machinecode.ErrNotKept { //nolint:errorlint // the very error
		t.Errorf("nothing was compiled: %v", err)
	}
}
