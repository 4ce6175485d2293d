package meter_test

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// comingBack returns a function that reads three values, goes away and comes back,
// and stores either the chosen one or the result of an instruction on them, and all
// three after that.
func comingBack(t binary.ValType, load, store, of []byte, operands []byte, chosen byte) *binary.Module {
	join := slices.Concat[[]byte]
	var code []byte
	for k := range byte(3) {
		code = join(code, []byte{0x41, 16 * k}, load, []byte{0, 0, 0x21, 1 + k})
	}
	code = join(code, []byte{0x42, 0, 0x10, 0, 0x1a, 0x41, 48, 0x20, 0, 0x04, byte(t), 0x20, chosen, 0x05})
	for _, o := range operands {
		if o == 0 {
			code = join(code, []byte{0x41, 0}, load, []byte{0, 24})
		} else {
			code = append(code, 0x20, o)
		}
	}
	code = join(code, of, []byte{0x0b}, store, []byte{0, 0})
	for k := range byte(3) {
		code = join(code, []byte{0x41, 0, 0x20, 1 + k}, store, []byte{0, 64 + 16*k})
	}
	return &binary.Module{
		Types: []binary.FuncType{
			{Params: []binary.ValType{binary.I64}, Results: []binary.ValType{binary.I64}},
			{Params: i32},
		},
		Imports:   []binary.Import{{Module: "host", Name: "away", Kind: binary.FunctionKind}},
		Functions: []uint32{1},
		Memories:  []binary.Size{{Min: 1}},
		Exports:   []binary.Export{{Name: "memory", Kind: binary.MemoryKind}, {Name: "f", Kind: binary.FunctionKind, Index: 1}},
		Code:      []binary.Body{{Locals: []binary.Locals{{Count: 3, Type: t}}, Code: append(code, 0x0b)}},
	}
}

// orders are all in which n of the three values and a fourth, 0, that is read when
// it is needed, can be.
func orders(n int) (all [][]byte) {
	if n == 0 {
		return [][]byte{nil}
	}
	for _, rest := range orders(n - 1) {
		for k := range byte(4) {
			all = append(all, append(slices.Clone(rest), k))
		}
	}
	return all
}

// TestWazero112_OperandsSurviveReload compares instructions that wazero's compiler makes
// of several with the interpreter, when their operands come back from the stack. It
// also tells when the compiler has no need of it any more.
func TestWazero112_OperandsSurviveReload(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	boxes := map[string]*machine{}
	for name, config := range engines {
		boxes[name] = newMachine(t, config())
		_, err := boxes[name].rt.NewHostModuleBuilder("host").NewFunctionBuilder().WithFunc(func(v uint64) uint64 { return v }).Export("away").Instantiate(ctx)
		if err != nil {
			t.Fatal(err)
		}
	}
	ask := func(engine string, module []byte, condition uint64) []byte {
		box := boxes[engine]
		mod, free, err := box.open(module)
		if err != nil {
			t.Fatal(err)
		}
		defer free()
		for k, v := range []float64{-1.5, 2.25, 1e100, -7, 1 << 20, math.SmallestNonzeroFloat64} {
			mod.Memory().WriteFloat64Le(uint32(8*k), v)
		}
		if _, trap, _ := box.call(mod, "f", []uint64{condition}); trap != "" {
			t.Fatal(trap)
		}
		memory, _ := mod.Memory().Read(48, 64)
		return bytes.Clone(memory)
	}
	wrong := map[string]int{}
	for _, k := range []struct {
		name        string
		of          binary.ValType
		load, store byte
		operation   []byte
		operands    int
	}{
		{"f32.copysign", binary.F32, 0x2a, 0x38, []byte{0x98}, 2},
		{"f64.copysign", binary.F64, 0x2b, 0x39, []byte{0xa6}, 2},
		{"f64.min", binary.F64, 0x2b, 0x39, []byte{0xa4}, 2},
		{"v128.bitselect", binary.V128, 0, 0x0b, []byte{0xfd, 0x52}, 3},
		{"i64x2.mul", binary.V128, 0, 0x0b, []byte{0xfd, 0xd5, 0x01}, 2},
		{"f32x4.min", binary.V128, 0, 0x0b, []byte{0xfd, 0xe8, 0x01}, 2},
		{"f32x4.max", binary.V128, 0, 0x0b, []byte{0xfd, 0xe9, 0x01}, 2},
		{"f64x2.min", binary.V128, 0, 0x0b, []byte{0xfd, 0xf4, 0x01}, 2},
		{"f64x2.max", binary.V128, 0, 0x0b, []byte{0xfd, 0xf5, 0x01}, 2},
		{"i16x8.ge_u", binary.V128, 0, 0x0b, []byte{0xfd, 0x36}, 2},
	} {
		load, store := []byte{k.load}, []byte{k.store}
		if k.of == binary.V128 {
			load, store = []byte{0xfd, k.load}, []byte{0xfd, k.store}
		}
		for _, operands := range orders(k.operands) {
			for chosen := range byte(3) {
				m := comingBack(k.of, load, store, k.operation, operands, 1+chosen)
				metered := rewrite(t, m, meter.Options{}).Module
				for condition := range uint64(2) {
					want := ask("interpreter", m.Append(nil), condition)
					if !bytes.Equal(ask("compiler", m.Append(nil), condition), want) {
						wrong[k.name]++
					}
					for engine := range engines {
						if got := ask(engine, metered, condition); !bytes.Equal(got, want) {
							t.Errorf("%s of %v, or %d, in the %s: % x, want % x", k.name, operands, 1+chosen, engine, got, want)
						}
					}
				}
			}
		}
	}
	if runtime.GOARCH == "amd64" && (wrong["v128.bitselect"] == 0 || wrong["f64.copysign"] == 0) {
		t.Error("wazero's compiler loses nothing any more: wazero112_rewrites.go can go, but for arm64")
	}
	t.Log("wrong without:", fmt.Sprint(wrong))
}

// TestWazero112_PopcntCountsOneHalf counts the ones of values wider than an i32.
func TestWazero112_PopcntCountsOneHalf(t *testing.T) {
	m := &binary.Module{
		Types:     []binary.FuncType{{Params: []binary.ValType{binary.I64}, Results: i32}},
		Functions: []uint32{0, 0},
		Memories:  []binary.Size{{Min: 1}},
		Exports:   []binary.Export{{Name: "wrapped", Kind: binary.FunctionKind}, {Name: "loaded", Kind: binary.FunctionKind, Index: 1}},
		Code: []binary.Body{
			{Code: []byte{0x20, 0, 0xa7, 0x69, 0x0b}},
			{Code: []byte{0x41, 0, 0x20, 0, 0x37, 3, 0, 0x41, 0, 0x2c, 0, 0, 0x69, 0x0b}}, // as a byte with a sign
		},
	}
	right := func(module []byte) bool {
		for name, config := range engines {
			box := newMachine(t, config())
			mod := box.instantiate(module)
			for function, want := range map[string]uint32{"wrapped": 4, "loaded": 28} {
				if r, trap, _ := box.call(mod, function, []uint64{0xff00ff00000000c3}); trap != "" || uint32(r[0]) != want {
					t.Logf("%s, %s: %d %s, want %d", name, function, r, trap, want)
					return false
				}
			}
		}
		return true
	}
	if !right(rewrite(t, m, meter.Options{}).Module) {
		t.Error("metered, it counts what it should not")
	}
	if right(m.Append(nil)) && runtime.GOARCH == "arm64" {
		t.Error("wazero's compiler counts as it should: i32.popcnt can be as it is")
	}
}
