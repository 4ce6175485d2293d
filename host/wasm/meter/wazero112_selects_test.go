package meter_test

import (
	"bytes"
	"runtime"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// selecting returns a function that goes away and comes back, selects one of two
// values and stores it. The first is used again, so that it was put on the stack.
func selecting(t binary.ValType, load, store, selection, use []byte) *binary.Module {
	y, x := byte(1), byte(2)
	return &binary.Module{
		Types: []binary.FuncType{
			{Params: []binary.ValType{binary.I64}, Results: []binary.ValType{binary.I64}},
			{Params: i32, Results: i32},
		},
		Imports:   []binary.Import{{Module: "host", Name: "away", Kind: binary.FunctionKind}},
		Functions: []uint32{1},
		Memories:  []binary.Size{{Min: 1}},
		Exports:   []binary.Export{{Name: "memory", Kind: binary.MemoryKind}, {Name: "f", Kind: binary.FunctionKind, Index: 1}},
		Code: []binary.Body{{
			Locals: []binary.Locals{{Count: 2, Type: t}},
			Code: slices.Concat(
				[]byte{0x41, 0}, load, []byte{0, 0, 0x21, x}, // x = memory[0]
				[]byte{0x42, 0, 0x10, 0, 0x1a}, // away
				[]byte{0x20, 0, 0x04, 0x40},    // if
				[]byte{0x02, byte(t), 0x20, y, 0x20, 0, 0x0d, 0, 0x1a, 0x20, x, 0x0b, 0x1a}, // a block that ends with y or x
				[]byte{0x05, 0x41, 0, 0x41, 16}, load, []byte{0, 0, 0x21, y},                // else y = memory[16]
				[]byte{0x20, x, 0x20, y, 0x20, 0}, selection, store, []byte{0, 32, 0x0b}, // memory[32] = select(x, y)
				[]byte{0x20, x}, use, []byte{0x1a, 0x41, 0, 0x28, 0, 32, 0x0b},
			),
		}},
	}
}

// TestWazero112_SelectOfFloatsGivesOneOfTheTwo also tells when wazero's compiler has no need
// of it any more.
func TestWazero112_SelectOfFloatsGivesOneOfTheTwo(t *testing.T) {
	const first, second = 0x3f8000003f800000, 0x4000000040000000 // 1 and 2, as f32
	ask := func(module []byte) uint64 {
		box := newMachine(t, wazero.NewRuntimeConfigCompiler())
		_, err := box.rt.NewHostModuleBuilder("host").NewFunctionBuilder().WithFunc(func(v uint64) uint64 { return v }).Export("away").Instantiate(ctx)
		if err != nil {
			t.Fatal(err)
		}
		mod := box.instantiate(module)
		for at, v := range map[uint32]uint64{0: first, 8: first, 16: second, 24: second} {
			mod.Memory().WriteUint64Le(at, v)
		}
		r, trap, _ := box.call(mod, "f", []uint64{0})
		if trap != "" {
			t.Fatal(trap)
		}
		return r[0]
	}
	wrong := 0
	for _, k := range []struct {
		of               binary.ValType
		load, store, use []byte
	}{
		{binary.F32, []byte{0x2a}, []byte{0x38}, []byte{0xa8}},
		{binary.F64, []byte{0x2b}, []byte{0x39}, []byte{0xaa}},
		{binary.V128, []byte{0xfd, 0x00}, []byte{0xfd, 0x0b}, []byte{0xfd, 0xfc, 0x01, 0xfd, 0x53}},
	} {
		for _, selection := range [][]byte{{0x1b}, {0x1c, 1, byte(k.of)}} {
			m := selecting(k.of, k.load, k.store, selection, k.use)
			if ask(m.Append(nil)) != second>>32 {
				wrong++
			}
			if got := ask(rewrite(t, m, meter.Options{}).Module); got != second>>32 {
				t.Errorf("% x of %x gives %#x", selection, k.of, got)
			}
		}
	}
	if runtime.GOARCH == "amd64" && wrong == 0 {
		t.Error("wazero's compiler selects floats as it should: wazero112_selects.go and wazero112_types.go can go")
	}
	t.Logf("%d of 6 wrong without", wrong)
}

// TestWazero112_UntypedSelectsAreRewrittenAsTypedOnes makes the second of two floats,
// or the condition, in every way. The type of the select is found in all of them.
func TestWazero112_UntypedSelectsAreRewrittenAsTypedOnes(t *testing.T) {
	const f64 = byte(binary.F64)
	number := append([]byte{0x44}, make([]byte, 8)...) // 0.0
	value, condition := []byte{0x20, 2}, []byte{0x20, 0}
	for _, w := range []struct {
		name             string
		value, condition []byte
	}{
		{"a local", value, condition},
		{"a local that is written", slices.Concat(number, []byte{0x22, 1}), condition},
		{"a constant", number, condition},
		{"a load", []byte{0x41, 0, 0x2b, 3, 0}, condition},
		{"a sum", slices.Concat(value, value, []byte{0xa0}), condition},
		{"a converted integer", []byte{0x20, 0, 0xb7}, condition},
		{"a lane", slices.Concat(number, []byte{0xfd, 0x14, 0xfd, 0x21, 0}), condition},
		{"an imported global", []byte{0x23, 0}, condition},
		{"a global", []byte{0x23, 1}, condition},
		{"a call of an import", []byte{0x10, 0}, condition},
		{"a call", []byte{0x20, 0, 0x10, 1}, condition},
		{"a call through a table", []byte{0x20, 0, 0x41, 0, 0x11, 1, 0}, condition},
		{"a select", slices.Concat(value, number, condition, []byte{0x1b}), condition},
		{"a select that names its type", slices.Concat(value, number, condition, []byte{0x1c, 1, f64}), condition},
		{"statements between", slices.Concat(value, number, []byte{0x21, 1}), slices.Concat(number, []byte{0x1a}, condition)},
		{"a branch between", value, []byte{0x20, 0, 0x0d, 0, 0x20, 0}},
		{"a return before", slices.Concat([]byte{0x20, 0, 0x04, 0x40}, value, []byte{0x0f, 0x0b}, value), condition},
		{"a block", slices.Concat([]byte{0x02, f64}, value, []byte{0x0b}), condition},
		{"a block that takes a value", slices.Concat(value, []byte{0x02, 2, 0x0b}), condition},
		{"a loop", slices.Concat([]byte{0x03, f64}, number, []byte{0x0b}), condition},
		{"an if", slices.Concat([]byte{0x20, 0, 0x04, f64}, value, []byte{0x05}, number, []byte{0x0b}), condition},
		{"a block for the condition", value, []byte{0x02, 0x7f, 0x20, 0, 0x0b}},
		{"a select in a block", slices.Concat([]byte{0x02, f64}, value, number, condition, []byte{0x1b, 0x0b}), condition},
	} {
		t.Run(w.name, func(t *testing.T) {
			var metered [2][]byte
			for k, selection := range [][]byte{{0x1b}, {0x1c, 1, f64}} {
				code := slices.Concat([]byte{0x20, 1}, w.value, w.condition, selection, []byte{0x0b})
				metered[k] = rewrite(t, floatsFromEverywhere(code), meter.Options{}).Module
				if _, err := newMachine(t, wazero.NewRuntimeConfigInterpreter()).rt.CompileModule(ctx, metered[k]); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(metered[0], metered[1]) {
				t.Errorf("% x\n% x", metered[0], metered[1])
			}
		})
	}
}

// floatsFromEverywhere returns a module with a function of that code, from an i32 to
// an f64, with two locals.
func floatsFromEverywhere(code []byte) *binary.Module {
	floats := []binary.ValType{binary.F64}
	global := binary.GlobalType{Type: binary.F64}
	return &binary.Module{
		Types: []binary.FuncType{{Results: floats}, {Params: i32, Results: floats}, {Params: floats, Results: floats}},
		Imports: []binary.Import{
			{Module: "host", Name: "global", Kind: binary.GlobalKind, Global: global},
			{Module: "host", Name: "function", Kind: binary.FunctionKind},
		},
		Functions: []uint32{1},
		Tables:    []binary.Table{{Of: binary.FuncRef, Size: binary.Size{Min: 1}}},
		Memories:  []binary.Size{{Min: 1}},
		Globals:   []binary.Global{{GlobalType: global, Init: append(append([]byte{0x44}, make([]byte, 8)...), 0x0b)}},
		Code:      []binary.Body{{Locals: []binary.Locals{{Count: 2, Type: binary.F64}}, Code: code}},
	}
}
