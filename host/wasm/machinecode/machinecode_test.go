package machinecode_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
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

// ask runs a stub with machine code, if it is accepted.
func ask(t *testing.T, name machinecode.Name, content []byte, accept bool) (uint64, error) {
	t.Helper()
	code := machinecode.Read(io.NewSectionReader(bytes.NewReader(content), 0, int64(len(content))), func(from io.Reader) bool {
		read, err := io.ReadAll(from)
		return err == nil && bytes.Equal(read, content) && accept
	})
	defer code.Close()
	cache := machinecode.Open(name, code)
	defer cache.Close(context.Background())
	return run(t, cache, answering("(unreachable)"))
}

// TestCompile_StubRunsTheModule fails when wazero's cache changes so that this package has to
// change. Machine code of each size is read in another way.
func TestCompile_StubRunsTheModule(t *testing.T) {
	for _, kib := range []int{0, 100, 1 << 10, 4200} {
		name, code := compiled(t, strings.Repeat("(i32.store (i32.const 0) (i32.const 1))", kib*8))
		if len(code) < kib<<10 {
			t.Errorf("%d KiB of machine code, want %d", len(code)>>10, kib)
		}
		for _, content := range [][]byte{code, append(code, "anything behind it"...)} {
			if got, err := ask(t, name, content, true); err != nil || got != 42 {
				t.Errorf("%d KiB: the stub answers %d, %v", kib, got, err)
			}
			if got, err := ask(t, name, content, false); err == nil {
				t.Errorf("%d KiB: code that was refused answers %d", kib, got)
			}
		}
		for _, n := range []int{len(code) / 2, len(code) - 4100, len(code) - 1} {
			if got, err := ask(t, name, code[:max(n, 0)], true); err == nil {
				t.Errorf("%d KiB, cut at %d: it answers %d", kib, n, got)
			}
		}
	}
}

// TestPages_AreCopiedWhereTheyCannotMove reads to an address where no page begins.
func TestPages_AreCopiedWhereTheyCannotMove(t *testing.T) {
	want := bytes.Repeat([]byte("machine code"), 1<<15)
	got := make([]byte, len(want)+1)[1:]
	from := machinecode.Pages(want)
	if n, err := from.Read(got); n != len(want) || err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v, equal: %t", n, err, bytes.Equal(got, want))
	}
	if n, err := from.Read(got); n != 0 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("behind the end: %d bytes, %v", n, err)
	}
}

// TestOpen_OtherMachineCodeIsNotRun asks for machine code of another name, which is that of another module or
// processor, and for some that is cut.
func TestOpen_OtherMachineCodeIsNotRun(t *testing.T) {
	name, code := compiled(t, "")
	other := name
	other[31] ^= 1
	if got, err := ask(t, other, code, true); err == nil {
		t.Errorf("under another name: %d", got)
	}
	for n := range code {
		if got, err := ask(t, name, code[:n], true); err == nil {
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
