package wasm_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// came is what a call came to.
type came struct {
	answer, failure, log string
	fuel                 uint64
}

func whatCame(m *wasm.Module, export string, request []byte) came {
	answer, u, err := m.Call(context.Background(), export, request, nil)
	o := came{answer: string(answer), fuel: u.Fuel, log: string(u.Log)}
	if err != nil {
		o.failure = string(fault.Of(err)) + ": " + err.Error()
	}
	return o
}

func runtimeIn(t *testing.T, dir string) *wasm.Runtime {
	t.Helper()
	rt, err := wasm.New(context.Background(), wasm.Options{CacheDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close(context.Background()) })
	return rt
}

// TestNobodySeesWhenMachineCodeTakesOver makes calls, from several goroutines,
// until there is machine code and after.
func TestNobodySeesWhenMachineCodeTakesOver(t *testing.T) {
	module := fixture(t, "bleu/bleu.wasm")
	rt := runtimeIn(t, "")
	want := whatCame(load(t, rt, "bleu", module, wasm.Limits{}), "bleu", pair)
	m, err := runtimeIn(t, "").LoadTiered(context.Background(), "bleu", module, wasm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !m.Early() {
		t.Fatal("a module that nobody has compiled is not interpreted")
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for after := 0; after < 20; {
				if got := whatCame(m, "bleu", pair); got != want {
					t.Errorf("got %+v, want %+v", got, want)
					return
				}
				if !m.Early() {
					after++
				}
			}
		})
	}
	group.Wait()
	if n := m.EarlyInstances(); n != 0 {
		t.Errorf("%d instances are interpreted still", n)
	}
}

// TestAFailureIsThatOfMachineCode holds the hostile modules to the same
// outcomes, whatever runs their first calls.
func TestAFailureIsThatOfMachineCode(t *testing.T) {
	rt, tiered := runtimeIn(t, ""), runtimeIn(t, "")
	for _, h := range readHostile(t) {
		if h.AtLoad || h.Class == fault.Deadline {
			continue
		}
		t.Run(h.Name, func(t *testing.T) {
			m, err := tiered.LoadTiered(context.Background(), h.Name, h.Module, h.Limits)
			if err != nil {
				t.Fatal(err)
			}
			plain := load(t, rt, h.Name, h.Module, h.Limits)
			for range 2 {
				got, want := whatCame(m, m.Exports()[0], []byte("x")), whatCame(plain, plain.Exports()[0], []byte("x"))
				if got != want {
					t.Errorf("got %+v\nwant %+v", got, want)
				}
			}
		})
	}
}

// TestALongCallIsMadeAgainByMachineCode would take minutes if it were not.
func TestALongCallIsMadeAgainByMachineCode(t *testing.T) {
	module := assemble(`(module (memory (export "memory") 1)
		(func (export "alloc") (param i32) (result i32) (i32.const 16))
		(func (export "score") (param i32 i32) (result i64) (local $n i64)
			(local.set $n (i64.const 200000000))
			(loop $l (local.set $n (i64.sub (local.get $n) (i64.const 1))) (br_if $l (i64.ne (local.get $n) (i64.const 0))))
			(i64.const 0x1000000001)))`)
	limits := wasm.Limits{Deadline: 20 * time.Second}
	m, err := runtimeIn(t, "").LoadTiered(context.Background(), "long", module, limits)
	if err != nil {
		t.Fatal(err)
	}
	if got := whatCame(m, "score", []byte("x")); got.failure != "" || m.Early() {
		t.Errorf("got %+v; interpreted: %v", got, m.Early())
	}
}

func TestWhatDoesNotCompileDoesNotScore(t *testing.T) {
	m, err := runtimeIn(t, "").LoadTiered(context.Background(), "bleu", fixture(t, "bleu/bleu.wasm"), wasm.Limits{Compile: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	var got came
	for got.failure == "" {
		got = whatCame(m, "bleu", pair)
	}
	if !strings.Contains(got.failure, "load: plugin bleu: compiling takes longer than 1ns") {
		t.Error(got.failure)
	}
	if again := whatCame(m, "bleu", pair); again.failure != got.failure {
		t.Error(again.failure)
	}
}

func TestACallWithAGrantWaitsForMachineCode(t *testing.T) {
	m, err := runtimeIn(t, "").LoadTiered(context.Background(), "bleu", fixture(t, "bleu/bleu.wasm"), wasm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	access, err := grant.OpenAccess(nil, grant.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	defer access.Close()
	m.Grant(access)
	if got := whatCame(m, "bleu", pair); got.failure != "" || m.Early() {
		t.Errorf("got %+v; interpreted: %v", got, m.Early())
	}
}

// TestWhatWasCompiledOnceIsNotInterpreted closes the first runtime while it
// compiles: what it makes is of use to the second.
func TestWhatWasCompiledOnceIsNotInterpreted(t *testing.T) {
	dir, module := filepath.Join(t.TempDir(), "cache"), fixture(t, "bleu/bleu.wasm")
	for turn, early := range []bool{true, false} {
		rt := runtimeIn(t, dir)
		m, err := rt.LoadTiered(context.Background(), "bleu", module, wasm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if m.Early() != early {
			t.Errorf("turn %d: interpreted: %v", turn, m.Early())
		}
		if got := whatCame(m, "bleu", pair); got.failure != "" {
			t.Error(got.failure)
		}
		rt.Close(context.Background())
	}
	files, err := filepath.Glob(filepath.Join(dir, "scripts-*", "*.code", "*", "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if m, err := runtimeIn(t, dir).LoadTiered(context.Background(), "bleu", module, wasm.Limits{}); err != nil || !m.Early() {
		t.Error("what a damaged file says was believed", err)
	}
}

func TestClosingEndsWhatNobodyNeeds(t *testing.T) {
	module := fixture(t, "bleu/bleu.wasm")
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, ctx := range []context.Context{context.Background(), stopped} {
		for calls := range 2 {
			rt, err := wasm.New(context.Background(), wasm.Options{CacheDir: filepath.Join(t.TempDir(), "cache")})
			if err != nil {
				t.Fatal(err)
			}
			m, err := rt.LoadTiered(context.Background(), "bleu", module, wasm.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			for range calls {
				whatCame(m, "bleu", pair)
			}
			if err := rt.Close(ctx); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestOnlyTwoNaNsTellTheEnginesApart applies every operation of floating point to
// values of all kinds: what LoadTiered says of them is all there is to say.
func TestOnlyTwoNaNsTellTheEnginesApart(t *testing.T) {
	bits := map[string][]uint64{
		"f32": {0x7fc00000, 0xffc00000, 0x7fc00123, 0xffc00456, 0x7f800001, 0xff800abc, 0, 1 << 31, 0x3f800000, 0xbf800001, 0x7f800000, 0xff800000, 1, 0x7f7fffff, 0x4effffff},
		"f64": {0x7ff8 << 48, 0xfff8 << 48, 0x7ff8000000000123, 0xfff8000000000456, 0x7ff0000000000001, 0xfff0000000000abc, 0, 1 << 63, 0x3ff0 << 48, 0xbff0000000000001, 0x7ff0 << 48, 0xfff0 << 48, 1, 0x7fefffffffffffff, 0x41dfffffffc00000},
	}
	isNaN := map[string]func(uint64) bool{
		"f32": func(v uint64) bool { return v&0x7fffffff > 0x7f800000 },
		"f64": func(v uint64) bool { return v&^(1<<63) > 0x7ff0<<48 },
	}
	integer := map[string]string{"f32": "i32", "f64": "i64"}
	operations := []string{"f32.demote_f64 f64 f32", "f64.promote_f32 f32 f64"}
	for f := range bits {
		for _, name := range []string{"abs", "neg", "ceil", "floor", "trunc", "nearest", "sqrt"} {
			operations = append(operations, fmt.Sprintf("%s.%s %s %[1]s", f, name, f))
		}
		for _, name := range []string{"add", "sub", "mul", "div", "min", "max", "copysign"} {
			operations = append(operations, fmt.Sprintf("%s.%s %s %[1]s two", f, name, f))
		}
	}
	for _, operation := range operations {
		o := strings.Fields(operation)
		from, to, two := integer[o[1]], integer[o[2]], len(o) > 3
		operands := ""
		for k := range map[bool]int{false: 1, true: 2}[two] {
			operands += fmt.Sprintf("(%s.reinterpret_%s (local.get %d)) ", o[1], from, k)
		}
		module := assemble(fmt.Sprintf(`(module (func (export "f") (param %s %s) (result %s) (%s.reinterpret_%s (%s %s))))`,
			from, from, to, to, o[2], o[0], operands))
		var engines [2]api.Function
		for k, config := range []wazero.RuntimeConfig{wazero.NewRuntimeConfigCompiler(), wazero.NewRuntimeConfigInterpreter()} {
			rt := wazero.NewRuntimeWithConfig(context.Background(), config)
			defer rt.Close(context.Background())
			mod, err := rt.Instantiate(context.Background(), module)
			if err != nil {
				t.Fatal(operation, err)
			}
			engines[k] = mod.ExportedFunction("f")
		}
		for _, a := range bits[o[1]] {
			for _, b := range bits[o[1]] {
				var got [2]uint64
				for k, f := range engines {
					result, err := f.Call(context.Background(), a, b)
					if err != nil {
						t.Fatal(operation, err)
					}
					if got[k] = result[0]; to == "i32" {
						got[k] = uint64(uint32(result[0])) // wazero leaves the rest as it is
					}
				}
				if got[0] != got[1] && !(two && isNaN[o[1]](a) && isNaN[o[1]](b) && isNaN[o[2]](got[0]) && isNaN[o[2]](got[1])) {
					t.Errorf("%s of %#x and %#x: %#x compiled, %#x interpreted", o[0], a, b, got[0], got[1])
				}
			}
		}
	}
}

// TestAStrangersModuleHasOneEngine loads it as all but built-in plugins are loaded:
// no call of it may be interpreted.
func TestAStrangersModuleHasOneEngine(t *testing.T) {
	for _, dir := range []string{"", filepath.Join(t.TempDir(), "cache")} {
		m := load(t, runtimeIn(t, dir), "bleu", fixture(t, "bleu/bleu.wasm"), wasm.Limits{})
		for range 2 {
			if m.Early() {
				t.Error("it is interpreted")
			}
			whatCame(m, "bleu", pair)
		}
	}
}
