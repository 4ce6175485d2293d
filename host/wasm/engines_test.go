package wasm_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// TestEngines_DifferInTwoNaNsOnly applies every floating-point operation to values of
// all kinds: Options.Interpreter promises the same answers.
func TestEngines_DifferInTwoNaNsOnly(t *testing.T) {
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
