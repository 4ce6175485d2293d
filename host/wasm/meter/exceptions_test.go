package meter_test

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

var withExceptions = binary.Limits{Exceptions: true}

// native is an engine that runs exceptions itself. It is the interpreter: the
// compiler of wazero 1.12 loses writes of a try_table's body to locals.
func native() wazero.RuntimeConfig {
	return wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling)
}

// uncaught is the beginning of the trap of an uncaught exception.
const uncaught = "wasm error: uncaught exception"

// callThrowing is call, for modules with exceptions. While wazero runs them itself,
// no garbage is collected: it forgets exceptions that the guest still holds.
func (m *machine) callThrowing(mod api.Module, name string, args []uint64) (results []uint64, trap string, fuel uint64) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	results, trap, fuel = m.call(mod, name, args)
	if thrown, ok := mod.ExportedGlobal(meter.ThrownName).(api.MutableGlobal); ok {
		if trap == "" && thrown.Get() != 0 {
			results, trap = nil, uncaught
		}
		thrown.Set(0)
	}
	return results, trap, fuel
}

func TestRandom_ProgramsThrowAndCatchTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	var threw, caught int
	rapid.Check(t, func(rt *rapid.T) {
		m, err := binary.Read(random(rt, true).Append(nil), withExceptions)
		if err != nil {
			rt.Fatal(err)
		}
		type answer func(arg uint64) ([]uint64, string, uint64)
		lane := func(config wazero.RuntimeConfig, module []byte) answer {
			box := newMachine(rt, config)
			if _, err := box.rt.CompileModule(ctx, module); err != nil {
				rt.Fatal(err)
			}
			mod := box.instantiate(module)
			return func(arg uint64) ([]uint64, string, uint64) { return box.callThrowing(mod, "f", []uint64{arg}) }
		}
		form := func(o meter.Options) []byte {
			r, err := meter.Rewrite(m, o)
			if err != nil {
				rt.Fatal(err)
			}
			return r.Module
		}
		compiler, interpreter := wazero.NewRuntimeConfigCompiler(), wazero.NewRuntimeConfigInterpreter()
		plain := lane(native(), m.Append(nil))
		metered, interpreted := lane(compiler, form(meter.Options{})), lane(interpreter, form(meter.Options{}))
		exact, naive := lane(interpreter, form(meter.Options{}.Exact())), lane(native(), meter.Naive(m))
		for _, arg := range []uint64{0, 1, 7} {
			want, wantTrap, _ := plain(arg)
			got, trap, fuel := metered(arg)
			if !slices.Equal(got, want) || trap != wantTrap {
				rt.Errorf("f(%d) = %v %q, metered %v %q", arg, want, wantTrap, got, trap)
			}
			switch {
			case trap != "":
				threw++
			case m.Uses(binary.Throw):
				caught++
			}
			if _, _, f := interpreted(arg); f != fuel {
				rt.Errorf("f(%d): %d fuel compiled, %d interpreted", arg, fuel, f)
			}
			_, _, e := exact(arg)
			_, _, n := naive(arg)
			if e < n || fuel < e || !m.Uses(binary.Throw) && (e != n || fuel > 2*n) {
				rt.Errorf("f(%d): %d fuel, %d by runs, %d by instruction", arg, fuel, e, n)
			}
		}
	})
	t.Logf("%d calls ended with an exception, %d others were of programs that throw", threw, caught)
	if !testing.Short() && (threw == 0 || caught == 0) { // few programs may have no throw
		t.Error("nothing was thrown, or nothing caught")
	}
}

// throwing returns a module with a tag 0 that carries an i32, a tag 1 that carries
// nothing, a function "f" (i32) -> i32 with two i32 locals and an exception, and
// functions (i32) -> i32 that it may call.
func throwing(f []byte, others ...[]byte) *binary.Module {
	locals := []binary.Locals{{Count: 2, Type: binary.I32}, {Count: 1, Type: binary.ExnRef}}
	m := &binary.Module{
		Types:   []binary.FuncType{{Params: i32, Results: i32}, {Params: i32}, {}},
		Tags:    []uint32{1, 2},
		Exports: []binary.Export{{Name: "f", Kind: binary.FunctionKind}},
	}
	for _, code := range append([][]byte{f}, others...) {
		m.Functions = append(m.Functions, 0)
		m.Code = append(m.Code, binary.Body{Locals: locals, Code: append(code, 0x0b)})
	}
	return m
}

// run meters a module and calls its f in both engines, which must agree.
func run(t *testing.T, m *binary.Module, arg uint64, calls int) (results []uint64, trap string) {
	t.Helper()
	read, err := binary.Read(m.Append(nil), withExceptions)
	if err != nil {
		t.Fatal(err)
	}
	r, err := meter.Rewrite(read, meter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Throws {
		t.Error("Throws is not set")
	}
	was := ""
	for name, engine := range engines {
		box := newMachine(t, engine())
		mod := box.instantiate(r.Module)
		if mod == nil {
			t.Fatalf("%s: the module does not instantiate", name)
		}
		depth := mod.ExportedGlobal(meter.DepthName).(api.MutableGlobal)
		var fuel uint64
		for k := range calls {
			depth.Set(meter.DefaultDepth)
			var f uint64
			results, trap, f = box.callThrowing(mod, "f", []uint64{arg})
			if k > 0 && f != fuel {
				t.Fatalf("%s: a call takes %d fuel, and %d the next time", name, fuel, f)
			}
			fuel = f
		}
		if d := depth.Get(); d != meter.DefaultDepth {
			t.Errorf("%s: the depth is %d after a call, not %d", name, d, meter.DefaultDepth)
		}
		if is := fmt.Sprint(results, trap, fuel); was != "" && is != was {
			t.Errorf("the engines differ: %s, %s", is, was)
		} else {
			was = is
		}
	}
	return results, trap
}

// TestExceptions_LocalsKeepValuesWhenCaught tests the case that wazero's compiler
// gets wrong.
func TestExceptions_LocalsKeepValuesWhenCaught(t *testing.T) {
	results, trap := run(t, throwing([]byte{
		0x41, 1, 0x21, 1, 0x02, 0x7f, 0x1f, 0x40, 1, 0, 0, 0, // local 1 = 1, block (result i32) try_table (catch 0 0)
		0x41, 2, 0x21, 1, 0x41, 7, 0x08, 0, // local 1 = 2, throw 0 (7)
		0x0b, 0x00, 0x0b, 0x1a, 0x20, 1,
	}), 0, 1)
	if trap != "" || !slices.Equal(results, []uint64{2}) {
		t.Errorf("%v %q, want 2", results, trap)
	}
}

// TestExceptions_KeptReferenceStaysTheSame keeps one while it throws and catches a
// hundred thousand others, and the garbage is collected: in wazero's engines it is
// then memory that holds something else.
func TestExceptions_KeptReferenceStaysTheSame(t *testing.T) {
	results, trap := run(t, throwing(slices.Concat(
		[]byte{0x02, 0x69, 0x1f, 0x40, 1, 3, 0, 0x41, 42, 0x08, 0, 0x0b, 0x00, 0x0b, 0x21, 3},            // local 3 = operand of throw 0 (42)
		[]byte{0x03, 0x40, 0x02, 0x7f, 0x1f, 0x40, 1, 0, 0, 0, 0x20, 1, 0x08, 0, 0x0b, 0x00, 0x0b, 0x1a}, // loop: throw 0 (local 1), caught
		[]byte{0x20, 1, 0x41, 1, 0x6a, 0x22, 1, 0x41, 0xa0, 0x8d, 6, 0x48, 0x0d, 0, 0x0b},                // local 1 += 1, again if it is below 100,000
		[]byte{0x02, 0x7f, 0x1f, 0x40, 1, 0, 0, 0, 0x20, 3, 0x0a, 0x0b, 0x00, 0x0b},                      // throw it again, and catch its value
	)), 0, 1)
	if trap != "" || !slices.Equal(results, []uint64{42}) {
		t.Errorf("%v %q, want 42", results, trap)
	}
}

// TestExceptions_RestoreDepth throws out of functions that
// call themselves, ten deep, and catches: in a function that is counted, and
// around one.
func TestExceptions_RestoreDepth(t *testing.T) {
	deep := []byte{ // g(n): if n == 0 throw, else g(n - 1)
		0x20, 0, 0x45, 0x04, 0x40, 0x41, 9, 0x08, 0, 0x0b,
		0x20, 0, 0x41, 1, 0x6b, 0x10, 1, // which is itself
	}
	cycle := func(around ...byte) []byte { // local 1 times, to 20,000, twice what a leak of one level would take: block (result i32) try_table (catch 0 0) g(10) end, drop
		return slices.Concat(around, []byte{0x03, 0x40, 0x02, 0x7f, 0x1f, 0x40, 1, 0, 0, 0, 0x41, 10, 0x10, 1, 0x1a, 0x0b, 0x00, 0x0b, 0x1a},
			[]byte{0x20, 1, 0x41, 1, 0x6a, 0x22, 1, 0x41, 0xa0, 0x9c, 1, 0x48, 0x0d, 0, 0x0b, 0x20, 1})
	}
	for name, f := range map[string][]byte{
		"caught around them":        cycle(),
		"caught in one of the kind": cycle(0x20, 0, 0x04, 0x40, 0x41, 0, 0x10, 0, 0x1a, 0x0b), // if the argument is not 0, f(0)
	} {
		t.Run(name, func(t *testing.T) {
			results, trap := run(t, throwing(f, deep), 0, 1)
			if trap != "" || !slices.Equal(results, []uint64{20_000}) {
				t.Errorf("%v %q, want 20,000", results, trap)
			}
		})
	}
	t.Run("thrown out of the module", func(t *testing.T) {
		if results, trap := run(t, throwing([]byte{0x41, 10, 0x10, 1}, deep), 0, 100); trap != uncaught {
			t.Errorf("%v %q, want an exception", results, trap)
		}
	})
}

// TestExceptions_GoToTheNearestHandler nests handlers.
func TestExceptions_GoToTheNearestHandler(t *testing.T) {
	throws0, throws1 := []byte{0x41, 3, 0x08, 0}, []byte{0x08, 1}
	for _, tt := range []struct {
		name string
		f    []byte
		want uint64
		trap string
	}{
		{"of another tag: further out", []byte{ // block (result i32) try (catch 0 0): block try (catch 1 0): throw 0 (5)
			0x02, 0x7f, 0x1f, 0x40, 1, 0, 0, 0, 0x02, 0x40, 0x1f, 0x40, 1, 0, 1, 0, 0x41, 5, 0x08, 0, 0x0b, 0x0b, 0x0b, 0x41, 6, 0x0b,
		}, 5, ""},
		{"none of the tag", []byte{0x02, 0x40, 0x1f, 0x40, 1, 0, 1, 0, 0x41, 5, 0x08, 0, 0x0b, 0x0b, 0x41, 6}, 0, uncaught},
		{"behind its end", []byte{0x02, 0x40, 0x1f, 0x40, 1, 2, 0, 0x0b, 0x41, 5, 0x08, 0, 0x0b, 0x41, 6}, 0, uncaught},
		{"in a function that is called", []byte{0x02, 0x7f, 0x1f, 0x40, 1, 0, 0, 0, 0x41, 1, 0x10, 1, 0x21, 1, 0x0b, 0x41, 6, 0x0b}, 3, ""},
		{"by another way out of the body", []byte{ // try (catch_all ...): return 8
			0x02, 0x40, 0x1f, 0x40, 1, 2, 0, 0x41, 8, 0x0f, 0x0b, 0x0b, 0x41, 6,
		}, 8, ""},
		{"what was thrown is not thrown any more", []byte{ // caught, then a call of a function that may throw and does not
			0x02, 0x40, 0x1f, 0x40, 1, 2, 0, 0x41, 1, 0x10, 1, 0x1a, 0x0b, 0x0b, 0x41, 0, 0x10, 1,
		}, 7, ""},
		{"no exception", []byte{0x20, 3, 0x0a}, 0, "wasm error: unreachable"},
		{"from beneath what is on the stack", []byte{ // 1 + (block (result i32) try (catch 0 0): 2 + g(1))
			0x41, 1, 0x02, 0x7f, 0x1f, 0x40, 1, 0, 0, 0, 0x41, 2, 0x41, 1, 0x10, 1, 0x6a, 0x1a, 0x0b, 0x41, 6, 0x0b, 0x6a,
		}, 4, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := slices.Concat([]byte{0x20, 0, 0x04, 0x40}, throws0, []byte{0x0b, 0x41, 7}) // g(n): if n, throw 0 (3); 7
			h := slices.Concat(throws1, []byte{0x41, 1})
			results, trap := run(t, throwing(tt.f, g, h), 0, 2)
			if trap != tt.trap || tt.trap == "" && !slices.Equal(results, []uint64{tt.want}) {
				t.Errorf("%v %q, want %d %q", results, trap, tt.want, tt.trap)
			}
		})
	}
}

func TestExceptions_RefusesLargePayloads(t *testing.T) {
	for name, change := range map[string]func(*binary.Module){
		"tag 0: an exception carries nothing or one i32":               func(m *binary.Module) { m.Tags[0] = 0 },
		"tag 1: an exception carries":                                  func(m *binary.Module) { m.Types[2] = binary.FuncType{Params: []binary.ValType{binary.I64}} },
		"function 0: an exception is neither a parameter nor a result": func(m *binary.Module) { m.Types[0].Params = []binary.ValType{binary.ExnRef} },
		"type 3: an exception is neither a parameter nor a result": func(m *binary.Module) {
			m.Types = append(m.Types, binary.FuncType{Params: []binary.ValType{binary.ExnRef}})
			m.Tables = []binary.Table{{Of: binary.FuncRef}}
			m.Code[0].Code = []byte{0x20, 3, 0x41, 0, 0x11, 3, 0, 0x41, 0, 0x0b}
		},
	} {
		m := throwing([]byte{0x41, 1})
		change(m)
		read, err := binary.Read(m.Append(nil), withExceptions)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := meter.Rewrite(read, meter.Options{}); fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}
