package meter_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

var i32 = []binary.ValType{binary.I32}

// function returns a module that exports one function (i32) -> i32 as "f", with
// two more i32 locals, a memory, a table and a global "g".
func function(code ...byte) *binary.Module {
	return &binary.Module{
		Types:     []binary.FuncType{{Params: i32, Results: i32}, {}},
		Functions: []uint32{0},
		Tables:    []binary.Table{{Of: binary.FuncRef, Size: binary.Size{Min: 10}}},
		Memories:  []binary.Size{{Min: 1}},
		Globals:   []binary.Global{{GlobalType: binary.GlobalType{Type: binary.I32, Mutable: true}, Init: binary.ConstExpr{0x41, 0, 0x0b}}},
		Exports: []binary.Export{
			{Name: "f", Kind: binary.FunctionKind},
			{Name: "g", Kind: binary.GlobalKind},
			{Name: "t", Kind: binary.TableKind},
		},
		Code: []binary.Body{{Locals: []binary.Locals{{Count: 2, Type: binary.I32}}, Code: append(code, 0x0b)}},
	}
}

// loopModule counts its parameter down in a loop, and the global up.
func loopModule() *binary.Module {
	return function(
		0x03, 0x40, // loop
		0x23, 0, 0x41, 1, 0x6a, 0x24, 0, // global.get 0, i32.const 1, i32.add, global.set 0
		0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, // local.get 0, i32.const 1, i32.sub, local.tee 0, br_if 0
		0x0b,
		0x20, 0,
	)
}

// reread fills in the fields of a hand-made module that only Read sets.
func reread(t testing.TB, m *binary.Module) *binary.Module {
	t.Helper()
	out, err := binary.Read(m.Append(nil), binary.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func rewrite(t testing.TB, m *binary.Module, o meter.Options) *meter.Result {
	t.Helper()
	r, err := meter.Rewrite(reread(t, m), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// engines are the two that must agree.
var engines = map[string]func() wazero.RuntimeConfig{
	"compiler":    wazero.NewRuntimeConfigCompiler,
	"interpreter": wazero.NewRuntimeConfigInterpreter,
}

// TestFuel_Golden states the fuel of calls. A change here is a change of the
// contract: it needs another TableVersion.
func TestFuel_Golden(t *testing.T) {
	if meter.TableVersion != 1 {
		t.Error("the golden numbers below are those of version 1")
	}
	tests := []struct {
		name string
		code []byte
		fuel uint64
	}{
		{"a constant", []byte{0x41, 7}, 1},
		{"what makes no machine code is free", []byte{0x01, 0x02, 0x40, 0x0b, 0x41, 7}, 1},
		{"arithmetic", []byte{0x20, 0, 0x41, 1, 0x6a}, 3},
		{"a division", []byte{0x41, 9, 0x41, 2, 0x6d}, 10},
		{"a square root and a conversion that may trap", []byte{0x43, 0, 0, 0, 0, 0x91, 0xa8}, 8},
		{"a saturating conversion", []byte{0x43, 0, 0, 0, 0, 0xfc, 0}, 4},
		{"a load", []byte{0x41, 0, 0x28, 2, 0}, 2},
		{"memory.size", []byte{0x3f, 0}, 1},
		{"table.get", []byte{0x41, 0, 0x25, 0, 0xd1}, 4},
		{"ref.func leaves compiled code", []byte{0xd2, 0, 0xd1}, 101},
		{"SIMD", []byte{0x41, 1, 0xfd, 0x0f, 0xfd, 0x53}, 5},
		{"a branch over code pays for a little of it", []byte{0x02, 0x40, 0x41, 1, 0x41, 1, 0x1a, 0x0d, 0, 0x41, 5, 0x1a, 0x0b, 0x41, 7}, 7},
		{"an arm that is dear beside what precedes it pays for itself", append(append([]byte{0x41, 0, 0x04, 0x40}, bytes.Repeat([]byte{0x41, 5, 0x1a}, 9)...), 0x0b, 0x41, 7), 3},
		{"a loop of one round", []byte{0x03, 0x40, 0x0b, 0x41, 7}, 2},
		{"memory.fill of a short, known length", []byte{0x41, 0, 0x41, 0, 0x41, 0xc0, 0, 0xfc, 0x0b, 0, 0x41, 7}, 14 + 64},
		{"memory.fill of an unknown length", []byte{0x41, 0, 0x41, 0, 0x20, 0, 0x41, 0x80, 0x80, 4, 0x6a, 0xfc, 0x0b, 0, 0x41, 7}, 16 + 65536/8},
		{"memory.copy", []byte{0x41, 0, 0x41, 0, 0x20, 0, 0x41, 0x80, 8, 0x6a, 0xfc, 0x0a, 0, 0, 0x41, 7}, 16 + 1024/8},
		{"table.fill of an unknown length", []byte{0x41, 0, 0xd0, 0x70, 0x20, 0, 0x41, 9, 0x6a, 0xfc, 0x11, 0, 0x41, 7}, 16 + 9},
		{"memory.grow", []byte{0x20, 0, 0x41, 3, 0x6a, 0x40, 0}, 103 + 3*8192},
		{"memory.grow that fails", []byte{0x41, 0x7f, 0x40, 0}, 101},
		{"table.grow", []byte{0xd0, 0x70, 0x20, 0, 0x41, 5, 0x6a, 0xfc, 0x0f, 0}, 104 + 5},
	}
	for _, tt := range tests {
		for engine, config := range engines {
			t.Run(tt.name+"/"+engine, func(t *testing.T) {
				m := newMachine(t, config())
				fn := function(tt.code...)
				mod := m.instantiate(rewrite(t, fn, meter.Options{}).Module)
				if mod == nil {
					t.Fatal("the module does not instantiate")
				}
				if _, trap, fuel := m.call(mod, "f", []uint64{0}); trap != "" || fuel != tt.fuel {
					t.Errorf("%d fuel, want %d; trap %q", fuel, tt.fuel, trap)
				}
			})
		}
	}
}

// withHost instantiates m, metered, with its import env.host, which returns its
// argument.
func withHost(t *testing.T, m *binary.Module) (*machine, api.Module) {
	t.Helper()
	box := newMachine(t, wazero.NewRuntimeConfigInterpreter())
	_, err := box.rt.NewHostModuleBuilder("env").NewFunctionBuilder().WithFunc(func(x uint32) uint32 { return x }).Export("host").Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return box, box.instantiate(rewrite(t, m, meter.Options{}).Module)
}

func TestFuel_OfCalls(t *testing.T) {
	m := function(0x20, 0, 0x10, 1, 0x10, 2) // local.get 0, call 1 (itself below), call 2
	m.Imports = []binary.Import{{Module: "env", Name: "host", Kind: binary.FunctionKind, Type: 0}}
	m.Functions = []uint32{0, 0}
	m.Code = []binary.Body{{Code: []byte{0x20, 0, 0x0b}}, {Code: []byte{0x20, 0, 0x10, 0, 0x10, 1, 0x0b}}}
	m.Exports[0].Index = 2
	box, mod := withHost(t, m)
	// local.get, two calls, the flat amount for the import, local.get.
	if _, trap, fuel := box.call(mod, "f", []uint64{5}); fuel != 1+4+4+200+1 || trap != "" {
		t.Errorf("%d fuel, trap %q", fuel, trap)
	}
}

func TestFuel_OfIndirectCallsToImports(t *testing.T) {
	for _, tt := range []struct {
		name     string
		elements []uint32
		fuel     uint64
	}{
		{"the table holds our own function", []uint32{1}, 1 + 1 + 6 + 1},
		{"the table holds the import too", []uint32{1, 0}, 1 + 1 + 6 + 1 + 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := function(0x20, 0, 0x41, 0, 0x11, 0, 0) // local.get 0, i32.const 0, call_indirect
			m.Imports = []binary.Import{{Module: "env", Name: "host", Kind: binary.FunctionKind, Type: 0}}
			m.Functions = []uint32{0, 0}
			m.Code = []binary.Body{{Code: []byte{0x20, 0, 0x0b}}, m.Code[0]}
			m.Elements = []binary.Element{{Offset: binary.ConstExpr{0x41, 0, 0x0b}, Type: binary.FuncRef, Functions: tt.elements}}
			m.Exports[0].Index = 2
			box, mod := withHost(t, m)
			if r, trap, fuel := box.call(mod, "f", []uint64{5}); fuel != tt.fuel || trap != "" || r[0] != 5 {
				t.Errorf("%d fuel, want %d; %v, trap %q", fuel, tt.fuel, r, trap)
			}
		})
	}
}

func TestCost_OfEveryInstruction(t *testing.T) {
	free := map[binary.Op]bool{binary.Nop: true, binary.Block: true, binary.Else: true, binary.End: true}
	for op := range binary.Op(256) {
		if (meter.Cost(op) == 0) != free[op] {
			t.Errorf("instruction 0x%x costs %d", op, meter.Cost(op))
		}
	}
	for op := binary.Op(0xfc00); op <= binary.TableFill; op++ {
		if meter.Cost(op) == 0 {
			t.Errorf("instruction 0x%x costs nothing", op)
		}
	}
}

// TestFuel_ExhaustionIsDeterministic stops a loop by its budget and looks how
// far it came.
func TestFuel_ExhaustionIsDeterministic(t *testing.T) {
	module := rewrite(t, loopModule(), meter.Options{}).Module
	var reached, used uint64
	for engine, config := range engines {
		for _, slice := range []uint64{1, 7, 1000, 1 << 40} {
			t.Run(fmt.Sprintf("%s in slices of %d", engine, slice), func(t *testing.T) {
				m := newMachine(t, config())
				m.budget.Slice = slice
				mod := m.instantiate(module)
				counter := mod.ExportedGlobal(meter.FuelName).(api.MutableGlobal)
				counter.Set(uint64(m.budget.Start(54_321)))
				_, err := mod.ExportedFunction("f").Call(ctx, math.MaxUint32)
				if err == nil || !strings.Contains(err.Error(), "out of fuel") {
					t.Fatalf("error %v", err)
				}
				// The refill that ends the call sees the counter; the guest's
				// global still has it.
				g, u := mod.ExportedGlobal("g").Get(), m.budget.Used(int64(counter.Get()))
				if reached == 0 {
					reached, used = g, u
				}
				if g != reached || u != used {
					t.Errorf("stopped after %d rounds and %d fuel, before after %d and %d", g, u, reached, used)
				}
				if u <= 54_321 || u > 54_321+100 {
					t.Errorf("%d of 54321 fuel used", u)
				}
			})
		}
	}
}

func TestDepth_StopsRecursion(t *testing.T) {
	forever := function(0x20, 0, 0x10, 0)                                                                                              // f(x) = f(x)
	tree := function(0x20, 0, 0x04, 0x7f, 0x20, 0, 0x41, 1, 0x6b, 0x10, 0, 0x20, 0, 0x41, 1, 0x6b, 0x10, 0, 0x6a, 0x05, 0x41, 1, 0x0b) // f(x) = x ? f(x-1)+f(x-1) : 1
	for engine, config := range engines {
		t.Run(engine, func(t *testing.T) {
			m := newMachine(t, config())
			mod := m.instantiate(rewrite(t, forever, meter.Options{Depth: 1_500}).Module)
			_, trap, fuel := m.call(mod, "f", []uint64{1})
			if !strings.Contains(trap, "unreachable") || fuel != 1_500*5 {
				t.Errorf("%q after %d fuel, want a trap in call 1501", trap, fuel)
			}
			if mod = m.instantiate(rewrite(t, tree, meter.Options{}).Module); mod == nil {
				t.Fatal("the module does not instantiate")
			}
			if r, trap, _ := m.call(mod, "f", []uint64{10}); trap != "" || r[0] != 1024 {
				t.Errorf("f(10) = %v, %q", r, trap)
			}
			mod.ExportedGlobal(meter.FuelName).(api.MutableGlobal).Set(uint64(m.budget.Start(1_000_000)))
			if _, err := mod.ExportedFunction("f").Call(ctx, 60); err == nil || !strings.Contains(err.Error(), "out of fuel") {
				t.Errorf("f(60) without a loop ends with %v", err)
			}
		})
	}
}

func TestDepth_IsRestoredOnEveryExit(t *testing.T) {
	// f(x): if x == 0 return 0; block: br_if out when x is even; return f(x-1); end; f(x-1)
	m := function(
		0x20, 0, 0x45, 0x04, 0x40, 0x41, 0, 0x0f, 0x0b,
		0x02, 0x40, 0x20, 0, 0x41, 1, 0x71, 0x45, 0x0d, 0,
		0x20, 0, 0x41, 1, 0x6b, 0x10, 0, 0x0f, 0x0b,
		0x20, 0, 0x41, 1, 0x6b, 0x10, 0, 0x0c, 0,
	)
	box := newMachine(t, wazero.NewRuntimeConfigCompiler())
	mod := box.instantiate(rewrite(t, m, meter.Options{Depth: 500}).Module)
	for range 10 {
		if r, err := mod.ExportedFunction("f").Call(ctx, 400); err != nil || r[0] != 0 {
			t.Fatalf("f(400) = %v, %v", r, err)
		}
	}
	if d := mod.ExportedGlobal(meter.DepthName).Get(); d != 500 {
		t.Errorf("depth is %d after the calls, want 500", d)
	}
}

func TestDepth_CountsWideFunctionsMore(t *testing.T) {
	wide := function(0x20, 0, 0x10, 0)
	wide.Code[0].Locals = []binary.Locals{{Count: 319, Type: binary.I32}}
	box := newMachine(t, wazero.NewRuntimeConfigCompiler())
	mod := box.instantiate(rewrite(t, wide, meter.Options{Depth: 1_100}).Module)
	if _, trap, fuel := box.call(mod, "f", []uint64{1}); !strings.Contains(trap, "unreachable") || fuel != 100*5 {
		t.Errorf("%q after %d fuel, want a trap in call 101", trap, fuel)
	}
}

func TestRewrite_CapsMemoryAndTables(t *testing.T) {
	grow := function(0x20, 0, 0x40, 0)
	r := rewrite(t, grow, meter.Options{MemoryPages: 4})
	box := newMachine(t, wazero.NewRuntimeConfigCompiler())
	mod := box.instantiate(r.Module)
	if got, _, _ := box.call(mod, "f", []uint64{3}); !r.Grows || got[0] != 1 || mod.ExportedGlobal(meter.DeniedName).Get() != 0 {
		t.Errorf("memory.grow 3 of 4 gives %v", got)
	}
	if got, _, _ := box.call(mod, "f", []uint64{1}); uint32(got[0]) != math.MaxUint32 || mod.ExportedGlobal(meter.DeniedName).Get() != 1 {
		t.Errorf("memory.grow beyond the cap gives %v", got)
	}
	table := function(0xd0, 0x70, 0x20, 0, 0xfc, 0x0f, 0)
	mod = box.instantiate(rewrite(t, table, meter.Options{TableEntries: 20}).Module)
	if got, _, _ := box.call(mod, "f", []uint64{11}); uint32(got[0]) != math.MaxUint32 {
		t.Errorf("table.grow beyond the cap gives %v", got)
	}
}

func TestRewrite_Refuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*binary.Module)
		says   string
	}{
		{"an import of ours", func(m *binary.Module) {
			m.Imports = []binary.Import{{Module: meter.RefillModule, Name: meter.RefillName, Kind: binary.GlobalKind, Global: binary.GlobalType{Type: binary.I32}}}
		}, "belongs to the host"},
		{"an export of ours", func(m *binary.Module) { m.Exports[0].Name = meter.FuelName }, "belongs to the host"},
		{"too much memory", func(m *binary.Module) { m.Memories[0].Min = 5 }, "5 pages of memory to begin with, 4 allowed"},
		{"too large a table", func(m *binary.Module) { m.Tables[0].Size.Min = 21 }, "a table of 21 entries, 20 allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := function(0x20, 0)
			tt.change(m)
			_, err := meter.Rewrite(reread(t, m), meter.Options{MemoryPages: 4, TableEntries: 20})
			if !fault.Is(err, fault.Refused) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want class refused and %q", err, tt.says)
			}
		})
	}
}

func TestRewrite_ExportsGlobals(t *testing.T) {
	m := loopModule()
	m.Globals = append(m.Globals, binary.Global{GlobalType: binary.GlobalType{Type: binary.I64}, Init: binary.ConstExpr{0x42, 1, 0x0b}}, m.Globals[0])
	r := rewrite(t, m, meter.Options{ExportGlobals: true})
	if got := fmt.Sprint(r.Globals); got != "[rubric-host.global.0 rubric-host.global.2]" {
		t.Errorf("exported %s", got)
	}
	box := newMachine(t, wazero.NewRuntimeConfigCompiler())
	mod := box.instantiate(r.Module)
	mod.ExportedGlobal(r.Globals[0]).(api.MutableGlobal).Set(40)
	box.call(mod, "f", []uint64{2})
	if got := mod.ExportedGlobal("g").Get(); got != 42 {
		t.Errorf("the module's own global is %d, want 42", got)
	}
	if r := rewrite(t, m, meter.Options{}); len(r.Globals) != 0 {
		t.Errorf("exported %v unasked", r.Globals)
	}
}

func TestRewrite_KeepsFunctionNames(t *testing.T) {
	m := function(0x00)
	m.Customs = []binary.Custom{binary.NameSection([]binary.Name{{Index: 0, Function: "count_ngrams"}}), {Name: ".debug_info", Bytes: []byte{1}}}
	r := rewrite(t, m, meter.Options{})
	box := newMachine(t, wazero.NewRuntimeConfigCompiler())
	_, err := box.instantiate(r.Module).ExportedFunction("f").Call(ctx, 0)
	if err == nil || !strings.Contains(err.Error(), "count_ngrams") {
		t.Errorf("trace %v", err)
	}
	if bytes.Contains(r.Module, []byte(".debug_info")) {
		t.Error("a section about places in the old code is kept")
	}
}

func TestBudget_HandsOutSlices(t *testing.T) {
	b := meter.Budget{Slice: 10}
	left := b.Start(25)
	if left != 10 || b.Used(4) != 6 {
		t.Errorf("start %d, used %d", left, b.Used(4))
	}
	if left, ok := b.Refill(-15); !ok || left != 0 || b.Used(left) != 25 {
		t.Errorf("left %d, %v, used %d", left, ok, b.Used(left))
	}
	if left, ok := b.Refill(-3); ok || left != -3 || b.Used(left) != 28 {
		t.Errorf("left %d, %v, used %d", left, ok, b.Used(left))
	}
	if left := b.Start(math.MaxUint64); left != 10 {
		t.Errorf("a new start gives %d", left)
	}
}
