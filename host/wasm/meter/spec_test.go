package meter_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

var (
	ctx  = context.Background()
	open = binary.Limits{ImportMemory: true, ImportTable: true}
)

// wazeroDir returns the directory of wazero's source, which holds the
// specification's tests.
func wazeroDir(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	if err != nil {
		t.Fatalf("find the source of wazero: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// A machine is a runtime that counts fuel.
type machine struct {
	rt     wazero.Runtime
	budget meter.Budget
}

// newMachine is closed with the test, or with the check of a property.
func newMachine(t interface {
	Helper()
	Cleanup(func())
	Fatal(...any)
}, c wazero.RuntimeConfig) *machine {
	t.Helper()
	m := &machine{rt: wazero.NewRuntimeWithConfig(ctx, c.WithDebugInfoEnabled(false))}
	t.Cleanup(func() { m.rt.Close(ctx) })
	refill := func(_ context.Context, stack []uint64) {
		left, ok := m.budget.Refill(int64(stack[0]))
		if !ok {
			panic(errFuel)
		}
		stack[0] = uint64(left)
	}
	i64 := []api.ValueType{api.ValueTypeI64}
	_, err := m.rt.NewHostModuleBuilder(meter.RefillModule).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(refill), i64, i64).Export(meter.RefillName).Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

type fuelError struct{}

func (fuelError) Error() string { return "out of fuel" }

var errFuel = fuelError{}

// instantiate returns nil if the module cannot be linked or its start traps.
func (m *machine) instantiate(module []byte) api.Module {
	m.budget.Start(math.MaxInt64)
	mod, err := m.rt.InstantiateWithConfig(ctx, module, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil
	}
	return mod
}

// open instantiates a module of which nothing is left after free.
func (m *machine) open(module []byte) (mod api.Module, free func(), err error) {
	compiled, err := m.rt.CompileModule(ctx, module)
	if err != nil {
		return nil, nil, err
	}
	mod, err = m.rt.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		compiled.Close(ctx)
		return nil, nil, err
	}
	return mod, func() {
		mod.Close(ctx)
		compiled.Close(ctx)
	}, nil
}

// call returns results, the trap's first line, and the fuel used.
func (m *machine) call(mod api.Module, name string, args []uint64) (results []uint64, trap string, fuel uint64) {
	counter, metered := mod.ExportedGlobal(meter.FuelName).(api.MutableGlobal)
	if metered {
		counter.Set(uint64(m.budget.Start(1 << 40)))
	}
	results, err := mod.ExportedFunction(name).Call(ctx, args...)
	if err != nil {
		trap, _, _ = strings.Cut(err.Error(), "\n")
	}
	if metered {
		fuel = m.budget.Used(int64(counter.Get()))
		mod.ExportedGlobal(meter.DepthName).(api.MutableGlobal).Set(meter.DefaultDepth)
	}
	return results, trap, fuel
}

// script is a test script of the specification, as wast2json writes it.
type script struct {
	Commands []struct {
		Type     string `json:"type"`
		Line     int    `json:"line"`
		Filename string `json:"filename"`
		Action   struct {
			Type   string `json:"type"`
			Module string `json:"module"`
			Field  string `json:"field"`
			Args   []struct {
				Type  string `json:"type"`
				Value any    `json:"value"`
			} `json:"args"`
		} `json:"action"`
	} `json:"commands"`
}

// spectest is the module that the scripts import from.
func spectest() []byte {
	constant := func(t binary.ValType, code ...byte) binary.Global {
		return binary.Global{GlobalType: binary.GlobalType{Type: t}, Init: append(code, 0x0b)}
	}
	m := &binary.Module{
		Tables:   []binary.Table{{Of: binary.FuncRef, Size: binary.Size{Min: 10, Max: 20, HasMax: true}}},
		Memories: []binary.Size{{Min: 1, Max: 2, HasMax: true}},
		Globals: []binary.Global{
			constant(binary.I32, 0x41, 0x9a, 5), constant(binary.I64, 0x42, 0x9a, 5),
			constant(binary.F32, 0x43, 0, 0, 0, 0), constant(binary.F64, 0x44, 0, 0, 0, 0, 0, 0, 0, 0),
		},
		Exports: []binary.Export{
			{Name: "table", Kind: binary.TableKind}, {Name: "memory", Kind: binary.MemoryKind},
			{Name: "global_i32", Kind: binary.GlobalKind}, {Name: "global_i64", Kind: binary.GlobalKind, Index: 1},
			{Name: "global_f32", Kind: binary.GlobalKind, Index: 2}, {Name: "global_f64", Kind: binary.GlobalKind, Index: 3},
		},
	}
	for i, f := range []struct {
		name   string
		params []binary.ValType
	}{
		{"print", nil}, {"print_i32", []binary.ValType{binary.I32}}, {"print_i64", []binary.ValType{binary.I64}},
		{"print_f32", []binary.ValType{binary.F32}}, {"print_f64", []binary.ValType{binary.F64}},
		{"print_i32_f32", []binary.ValType{binary.I32, binary.F32}}, {"print_f64_f64", []binary.ValType{binary.F64, binary.F64}},
	} {
		m.Types = append(m.Types, binary.FuncType{Params: f.params})
		m.Functions, m.Code = append(m.Functions, uint32(i)), append(m.Code, binary.Body{Code: []byte{0x0b}})
		m.Exports = append(m.Exports, binary.Export{Name: f.name, Kind: binary.FunctionKind, Index: uint32(i)})
	}
	return m.Append(nil)
}

// TestRewrite_KeepsTheSpecification runs every call of some of the specification's
// scripts, others in every run, on the module as it was and on metered ones.
func TestRewrite_KeepsTheSpecification(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	scripts, err := filepath.Glob(filepath.Join(wazeroDir(t), "internal/integration_test/spectest/v2/testdata/*.json"))
	if err != nil || len(scripts) < 80 {
		t.Fatalf("%d scripts found: %v", len(scripts), err)
	}
	n := &tally{}
	one := amount.OneIn(6)
	for _, path := range scripts {
		if !one() {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var s script
		if err := json.Unmarshal(b, &s); err != nil {
			t.Fatal(err)
		}
		runScript(t, n, path, &s)
	}
	t.Logf("%d calls, %d of them traps, %d compared with the naive count", n.calls, n.traps, n.naive)
	if n.calls == 0 || amount.Full() && (n.calls < 15_000 || n.traps < 400 || n.naive < 15_000) {
		t.Error("too few calls were compared")
	}
}

type tally struct{ calls, traps, naive int }

// A lane runs one form of a module.
type lane struct {
	name string
	*machine
	form func(*binary.Module) []byte
	mod  api.Module
}

func runScript(t *testing.T, n *tally, path string, s *script) {
	rewrite := func(o meter.Options) func(*binary.Module) []byte {
		return func(m *binary.Module) []byte {
			o.MemoryPages, o.TableEntries = 1<<16, math.MaxUint32
			r, err := meter.Rewrite(m, o)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				return nil
			}
			return r.Module
		}
	}
	compiler, interpreter := wazero.NewRuntimeConfigCompiler(), wazero.NewRuntimeConfigInterpreter()
	lanes := []*lane{
		{name: "as it was", machine: newMachine(t, compiler), form: func(m *binary.Module) []byte { return m.Append(nil) }},
		{name: "metered", machine: newMachine(t, compiler), form: rewrite(meter.Options{ExportGlobals: true})},
		{name: "interpreted", machine: newMachine(t, interpreter), form: rewrite(meter.Options{})},
		{name: "exact", machine: newMachine(t, interpreter), form: rewrite(meter.Options{}.Exact())},
		{name: "naive", machine: newMachine(t, interpreter), form: meter.Naive},
	}
	for _, l := range lanes {
		if _, err := l.rt.InstantiateWithConfig(ctx, spectest(), wazero.NewModuleConfig().WithName("spectest")); err != nil {
			t.Fatal(err)
		}
	}
	var countable bool
	for _, c := range s.Commands {
		switch {
		case c.Type == "module":
			countable = loadAll(t, lanes, filepath.Join(filepath.Dir(path), c.Filename))
		case c.Action.Type == "invoke" && c.Action.Module == "" && lanes[0].mod != nil:
			args, ok := arguments(c.Action.Args)
			if !ok {
				continue
			}
			n.calls++
			compare(t, n, lanes, countable, filepath.Base(path)+":"+strconv.Itoa(c.Line), c.Action.Field, args)
		}
	}
}

// arg parses the arguments that fit into one word.
func arguments(list []struct {
	Type  string `json:"type"`
	Value any    `json:"value"`
}) (args []uint64, ok bool) {
	for _, a := range list {
		text, _ := a.Value.(string)
		v, err := strconv.ParseUint(text, 10, 64)
		if err != nil || a.Type == "externref" || a.Type == "funcref" {
			return nil, false
		}
		args = append(args, v)
	}
	return args, true
}

// loadAll puts a module into every lane. It reports whether the naive count is
// defined for it.
func loadAll(t *testing.T, lanes []*lane, file string) bool {
	for _, l := range lanes {
		l.mod = nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	m, err := binary.Read(b, open)
	if err != nil {
		return false // refused on purpose; package binary tests that
	}
	for _, l := range lanes {
		l.mod = l.instantiate(l.form(m))
		if (l.mod == nil) != (lanes[0].mod == nil) {
			t.Errorf("%s: %s instantiates: %v; as it was: %v", file, l.name, l.mod != nil, lanes[0].mod != nil)
			lanes[0].mod = nil
			return false
		}
	}
	for op := binary.MemoryInit; op <= binary.TableFill; op++ {
		if m.Uses(op) {
			return false
		}
	}
	return !m.Uses(binary.MemoryGrow)
}

func compare(t *testing.T, n *tally, lanes []*lane, countable bool, where, name string, args []uint64) {
	want, wantTrap, _ := lanes[0].call(lanes[0].mod, name, args)
	got, trap, fuel := lanes[1].call(lanes[1].mod, name, args)
	if strings.Contains(wantTrap, "stack overflow") {
		if !strings.Contains(trap, "unreachable") {
			t.Errorf("%s %s: endless recursion ends with %q", where, name, trap)
		}
		// A function that recursed once is not trusted again; the others would have
		// to recurse as deep.
		return
	}
	if references(lanes[0].mod, name) {
		got, want = nil, nil // addresses
	}
	if trap != wantTrap || !slices.Equal(got, want) {
		t.Errorf("%s %s: metered gives %x %q, as it was %x %q", where, name, got, trap, want, wantTrap)
	}
	theirs, theirTrap, interpreted := lanes[2].call(lanes[2].mod, name, args)
	if interpreted != fuel {
		t.Errorf("%s %s: %d fuel compiled, %d interpreted", where, name, fuel, interpreted)
	}
	if got == nil {
		theirs = nil
	}
	if theirTrap != trap || !slices.Equal(words(lanes[2].mod, name, theirs), words(lanes[1].mod, name, got)) {
		t.Errorf("%s %s: %x %q compiled, %x %q interpreted", where, name, got, trap, theirs, theirTrap)
	}
	if !bytes.Equal(memoryOf(lanes[1].mod), memoryOf(lanes[2].mod)) {
		t.Errorf("%s %s: the engines leave other memories (%q)", where, name, trap)
	}
	if !countable {
		return
	}
	_, _, exact := lanes[3].call(lanes[3].mod, name, args)
	_, _, naive := lanes[4].call(lanes[4].mod, name, args)
	if trap != "" {
		n.traps++
		if exact < naive || fuel < exact {
			t.Errorf("%s %s: trap after %d fuel, %d by runs, %d by instruction", where, name, fuel, exact, naive)
		}
		return
	}
	n.naive++
	if exact != naive {
		t.Errorf("%s %s: %d fuel by runs, %d by instruction", where, name, exact, naive)
	}
	if fuel < naive || fuel > 2*naive {
		t.Errorf("%s %s: %d fuel is not within one and two times %d", where, name, fuel, naive)
	}
}

// words returns results in the form in which engines are compared: all NaNs are
// equal, as wazero leaves their bits open, and so are the bits above 32.
func words(mod api.Module, name string, results []uint64) (list []uint64) {
	types := mod.ExportedFunction(name).Definition().ResultTypes()
	for k, v := range results {
		switch {
		case len(types) != len(results): // vectors
		case types[k] == api.ValueTypeI32:
			v = uint64(uint32(v))
		case types[k] == api.ValueTypeF32 && math.IsNaN(float64(math.Float32frombits(uint32(v)))), types[k] == api.ValueTypeF64 && math.IsNaN(math.Float64frombits(v)):
			v = math.MaxUint64
		case types[k] == api.ValueTypeF32:
			v = uint64(uint32(v))
		}
		list = append(list, v)
	}
	return list
}

// memoryOf returns the memory of an instance, nil if it has none.
func memoryOf(mod api.Module) []byte {
	if reflect.ValueOf(mod.Memory()).IsNil() {
		return nil
	}
	b, _ := mod.Memory().Read(0, mod.Memory().Size())
	return b
}

// references reports whether a function gives references.
func references(mod api.Module, name string) bool {
	return slices.ContainsFunc(mod.ExportedFunction(name).Definition().ResultTypes(), func(t api.ValueType) bool {
		return t == api.ValueTypeExternref || t == api.ValueType(binary.FuncRef)
	})
}
