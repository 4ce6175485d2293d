package meter_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// TestStub_LooksLikeTheModuleAndDoesNothing compares the visible properties of both.
func TestStub_LooksLikeTheModuleAndDoesNothing(t *testing.T) {
	ctx := context.Background()
	digest := [32]byte{1: 0x80, 7: 0xff, 31: 1}
	r := rewrite(t, loopModule(), meter.Options{Stub: digest, ExportGlobals: true})
	if plain := rewrite(t, loopModule(), meter.Options{ExportGlobals: true}); plain.Stub != nil || len(plain.Module) >= len(r.Module) {
		t.Errorf("%d bytes with a stub, %d without", len(r.Module), len(plain.Module))
	}
	seen := map[bool]map[string]string{}
	for whole, module := range map[bool][]byte{true: r.Module, false: r.Stub} {
		rt := wazero.NewRuntime(ctx)
		defer rt.Close(ctx)
		refill := api.GoFunc(func(_ context.Context, stack []uint64) { stack[0] = 1_000 })
		i64 := []api.ValueType{api.ValueTypeI64}
		if _, err := rt.NewHostModuleBuilder(meter.RefillModule).NewFunctionBuilder().WithGoFunction(refill, i64, i64).Export(meter.RefillName).Instantiate(ctx); err != nil {
			t.Fatal(err)
		}
		c, err := rt.CompileModule(ctx, module)
		if err != nil {
			t.Fatal(err)
		}
		types := map[string]string{}
		for name, f := range c.ExportedFunctions() {
			types[name] = string(f.ParamTypes()) + ":" + string(f.ResultTypes())
		}
		m, err := rt.InstantiateModule(ctx, c, wazero.NewModuleConfig())
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range append(r.Globals, meter.FuelName, meter.DepthName, "g") {
			types[name] = api.ValueTypeName(m.ExportedGlobal(name).Type())
		}
		seen[whole] = types
		got, err := m.ExportedFunction(meter.WholeName).Call(ctx)
		if want := map[bool]int64{true: meter.WholeMark(digest)}[whole]; err != nil || len(got) != 1 || int64(got[0]) != want {
			t.Errorf("%s says %v, %v of a module that is whole: %t", meter.WholeName, got, err, whole)
		}
		_, err = m.ExportedFunction("f").Call(ctx, 3)
		if whole != (err == nil) || !whole && !strings.Contains(err.Error(), "unreachable") {
			t.Errorf("whole: %t, a call: %v", whole, err)
		}
	}
	if len(seen[true]) < 5 || len(seen[true]) != len(seen[false]) {
		t.Fatalf("%v\n%v", seen[true], seen[false])
	}
	for name, is := range seen[true] {
		if seen[false][name] != is {
			t.Errorf("%s is %q, stub %q", name, is, seen[false][name])
		}
	}
}
