package wasi_test

import (
	"context"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/rubric-host/rubric-host/host/wasm/wasi"
)

// TestFunctions_AreThoseOfWazero compares names and types with wazero's implementation.
func TestFunctions_AreThoseOfWazero(t *testing.T) {
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer rt.Close(ctx)
	theirs, err := wasi_snapshot_preview1.NewBuilder(rt).Compile(ctx)
	if err != nil {
		t.Fatal(err)
	}
	letters := func(types []api.ValueType) (s string) {
		for _, v := range types {
			s += map[api.ValueType]string{api.ValueTypeI32: "i", api.ValueTypeI64: "I"}[v]
		}
		return s
	}
	ours := map[string]string{}
	for _, f := range wasi.Functions() {
		ours[f.Name] = f.Shape
	}
	for name, f := range theirs.ExportedFunctions() {
		if want := letters(f.ParamTypes()) + ":" + letters(f.ResultTypes()); ours[name] != want {
			t.Errorf("%s is %q, want %q", name, ours[name], want)
		}
		delete(ours, name)
	}
	if len(ours) != 0 {
		t.Errorf("functions that wazero does not have: %v", ours)
	}
}
