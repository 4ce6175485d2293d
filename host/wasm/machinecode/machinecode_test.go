package machinecode_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

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

// inRuntime returns a function for Compile that compiles in a runtime of wazero.
func inRuntime(t *testing.T) func([]byte, wazero.CompilationCache) error {
	return func(module []byte, cache wazero.CompilationCache) error {
		rt := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache))
		defer rt.Close(t.Context())
		_, err := rt.CompileModule(t.Context(), module)
		return err
	}
}

func compiled(t *testing.T, before string) (machinecode.Name, []byte) {
	t.Helper()
	var code bytes.Buffer
	name, err := machinecode.Compile(t.Context(), &code, answering(before+"(i32.const 42)"), answering("(unreachable)"), inRuntime(t))
	if err != nil {
		t.Fatal(err)
	}
	return name, code.Bytes()
}

func ask(t *testing.T, name machinecode.Name, code io.Reader) (uint64, error) {
	t.Helper()
	cache := machinecode.Open(name, code)
	defer cache.Close(context.Background())
	return run(t, cache, answering("(unreachable)"))
}

// TestCompile_StubRunsTheModule fails when wazero's cache changes so that this package has to
// change. The reader gives a byte at a time, as a file need not. Machine code of each size lies on other pages.
func TestCompile_StubRunsTheModule(t *testing.T) {
	for _, kib := range []int{0, 1 << 10, 5 << 10} {
		stores := strings.Repeat("(i32.store (i32.const 0) (i32.const 1))", kib*8)
		name, code := compiled(t, stores)
		if len(code) < kib<<10 {
			t.Errorf("%d KiB of machine code, want %d", len(code)>>10, kib)
		}
		for _, from := range []io.Reader{bytes.NewReader(code), iotest.OneByteReader(bytes.NewReader(code)), bytes.NewReader(append(code, "anything behind it"...))} {
			if got, err := ask(t, name, from); err != nil || got != 42 {
				t.Errorf("%d KiB: the stub answers %d, %v", kib, got, err)
			}
		}
	}
}

// TestFill_PagesThatCannotMoveAreCopied reads to an address where no page begins.
func TestFill_PagesThatCannotMoveAreCopied(t *testing.T) {
	want := bytes.Repeat([]byte("machine code"), 1<<17)
	got := make([]byte, len(want)+1)[1:]
	if n, err := machinecode.Fill(got, bytes.NewReader(want)); n != len(want) || err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v, equal: %t", n, err, bytes.Equal(got, want))
	}
}

// TestOpen_OtherMachineCodeIsNotRun asks for machine code of another name, which is that of another module or
// processor, and for some that is cut.
func TestOpen_OtherMachineCodeIsNotRun(t *testing.T) {
	name, code := compiled(t, "")
	other := name
	other[31] ^= 1
	if got, err := ask(t, other, bytes.NewReader(code)); err == nil {
		t.Errorf("under another name: %d", got)
	}
	for n := range code {
		if got, err := ask(t, name, bytes.NewReader(code[:n])); err == nil {
			t.Errorf("cut at %d: %d", n, got)
		}
	}
}

func TestCompile_ErrorsAreThoseOfCompile(t *testing.T) {
	for want, compile := range map[error]func([]byte, wazero.CompilationCache) error{
		os.ErrDeadlineExceeded: func([]byte, wazero.CompilationCache) error { return os.ErrDeadlineExceeded },
		machinecode.ErrNotKept: func([]byte, wazero.CompilationCache) error { return nil },
		io.ErrShortWrite:       inRuntime(t),
	} {
		_, err := machinecode.Compile(t.Context(), full{}, answering("(i32.const 42)"), answering("(unreachable)"), compile)
		if !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
