package meter_test

import (
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// TestRewrite_DeadBranchesKeepTheirLabels has code behind a trap, in a
// loop that is rewritten, which is valid only with the types of its own labels.
func TestRewrite_DeadBranchesKeepTheirLabels(t *testing.T) {
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer rt.Close(ctx)
	for name, jump := range map[string]string{
		"br_if":  `(br_if 3)`,
		"return": `(return)`,
	} {
		t.Run(name, func(t *testing.T) {
			module := wasmtest.Assemble(`(module (func (export "f")
				(block (block (block
					(drop (loop (result i32) (unreachable) ` + jump + ` (i32.const 0))))))))`)
			m, err := binary.Read(module, binary.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := rt.CompileModule(ctx, module); err != nil {
				t.Fatalf("it was never valid: %v", err)
			}
			r, err := meter.Rewrite(m, meter.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := rt.CompileModule(ctx, r.Module); err != nil {
				t.Errorf("metered: %v", err)
			}
		})
	}
}
