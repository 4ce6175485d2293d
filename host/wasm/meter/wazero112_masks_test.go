package meter_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// comparesMasks returns a module whose functions each compare a zero with their
// parameter masked, in one of all ways, and the operands of each.
func comparesMasks() (*binary.Module, []string) {
	m := &binary.Module{Types: []binary.FuncType{{Params: i32, Results: i32}}}
	join := slices.Concat[[]byte]
	var names []string
	for _, first := range []byte{0x46, 0x51} { // i32.eq, i64.eq
		constant, and, wide, result := byte(0x41), byte(0x71), []byte{}, byte(0x7f)
		untouched, held, copied := byte(1), byte(2), byte(3) // locals of the type
		if first == 0x51 {
			constant, and, wide, result = 0x42, 0x83, []byte{0xac}, 0x7e
			untouched, held, copied = 4, 5, 6
		}
		mask := join([]byte{0x20, 0}, wide, []byte{constant, 0x7c, and}) // parameter & -4
		zeros := map[string][]byte{"a constant": {constant, 0}, "a local": {0x20, untouched}, "a mask of its own": join(mask, []byte{constant, 0, and})}
		sides := map[string][]byte{
			"as it is":         mask,
			"from a local":     {0x20, held},
			"teed":             join(mask, []byte{0x22, held}),
			"from a copy":      {0x20, copied},
			"from a block":     join([]byte{0x02, result}, mask, []byte{0x0b}),
			"from an if":       join([]byte{0x20, 0, 0x04, result}, mask, []byte{0x05}, mask, []byte{0x0b}),
			"through a branch": join([]byte{0x02, result}, mask, []byte{0x0c, 0, 0x0b}),
			"selected":         join(mask, mask, []byte{0x20, 0, 0x1b}),
			"shifted by zero":  join(mask, []byte{constant, 0, and + 3}), // shl
		}
		uses := map[string]func(condition []byte) []byte{
			"if": func(c []byte) []byte { return join(c, []byte{0x04, 0x7f, 0x41, 1, 0x05, 0x41, 2, 0x0b}) },
			"br_if": func(c []byte) []byte {
				return join([]byte{0x02, 0x7f, 0x41, 1}, c, []byte{0x0d, 0, 0x1a, 0x41, 2, 0x0b})
			},
			"select": func(c []byte) []byte { return join([]byte{0x41, 1, 0x41, 2}, c, []byte{0x1b}) },
			"value":  func(c []byte) []byte { return c },
		}
		for op := first; op < first+10; op++ {
			for zero, left := range zeros {
				for side, right := range sides {
					for use, of := range uses {
						for order, sides := range map[string][]byte{"left": join(left, right), "right": join(right, left)} {
							before := join(mask, []byte{0x21, held, 0x20, held, 0x21, copied})
							if side != "from a local" && side != "from a copy" {
								before = nil
							}
							code := join(before, of(join(sides, []byte{op})), []byte{0x0b})
							m.Exports = append(m.Exports, binary.Export{Name: fmt.Sprintf("f%d", len(names)), Kind: binary.FunctionKind, Index: uint32(len(names))})
							names = append(names, fmt.Sprintf("opcode %#x, %s on the %s, mask %s, for %s", op, zero, order, side, use))
							m.Functions = append(m.Functions, 0)
							m.Code = append(m.Code, binary.Body{
								Locals: []binary.Locals{{Count: 3, Type: binary.I32}, {Count: 3, Type: binary.I64}}, Code: code,
							})
						}
					}
				}
			}
		}
	}
	return m, names
}

// TestWazero112_MasksCompareAsInTheInterpreter also tells when wazero's compiler has no
// need of it any more.
func TestWazero112_MasksCompareAsInTheInterpreter(t *testing.T) {
	m, names := comparesMasks()
	module := reread(t, m).Append(nil)
	metered := rewrite(t, m, meter.Options{}).Module
	type answer struct {
		result []uint64
		fuel   uint64
	}
	all := func(config wazero.RuntimeConfig, module []byte) (answers []answer) {
		box := newMachine(t, config)
		mod := box.instantiate(module)
		for k := range names {
			for _, arg := range []uint32{0, 1, 8, 1 << 31} {
				r, trap, fuel := box.call(mod, fmt.Sprintf("f%d", k), []uint64{uint64(arg)})
				if trap != "" {
					t.Fatalf("%s: %s", names[k], trap)
				}
				answers = append(answers, answer{r, fuel})
			}
		}
		return answers
	}
	compiled, interpreted := wazero.NewRuntimeConfigCompiler(), wazero.NewRuntimeConfigInterpreter()
	want, wrong := all(interpreted, module), 0
	for k, got := range all(compiled, module) {
		if !slices.Equal(got.result, want[k].result) {
			wrong++
		}
	}
	if wrong == 0 {
		t.Error("wazero's compiler compares masks as it should: wazero112_masks.go can go")
	}
	counted := all(interpreted, metered)
	for k, got := range all(compiled, metered) {
		if name := names[k/4]; !slices.Equal(got.result, want[k].result) || got.fuel != counted[k].fuel {
			t.Errorf("%s: %v, want %v; %d fuel, interpreted %d", name, got.result, want[k].result, got.fuel, counted[k].fuel)
		}
	}
	t.Logf("%d functions, %d of %d answers wrong without", len(names), wrong, len(want))
}
