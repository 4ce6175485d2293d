package wasm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// TestClose_ReleasesEverything makes many instances, modules and runtimes, and lets
// them end in every way.
func TestClose_ReleasesEverything(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	module := assemble(string(fixture(t, "guests/greedy.wat")))
	fresh := assemble(string(fixture(t, "guests/irreversible.wat")))
	ctx := context.Background()
	ways := byte(greedyWays)
	use := func(rt *wasm.Runtime, rounds int) {
		again := load(t, rt, "again", fresh, wasm.Limits{Fuel: 300_000})
		defer again.Close(ctx)
		for range rounds {
			m := load(t, rt, "greedy", module, greedyLimits)
			for how := range ways {
				call(m, "score", []byte{how})
				call(again, "see", []byte{0})
			}
			m.Close(ctx)
			if _, err := rt.Load(ctx, wasm.Source{Name: "x", Module: assemble(string(fixture(t, "hostile/start-trap.wat")))}, wasm.Limits{}); err == nil {
				t.Error("a module whose start function traps was loaded")
			}
			empty, err := wasm.New(ctx, wasm.Options{Interpreter: true})
			if err != nil {
				t.Fatal(err)
			}
			empty.Close(ctx)
		}
	}
	for name, rt := range everyWay(t) {
		t.Run(name, func(t *testing.T) {
			rounds := 30
			if ways = greedyWays; strings.HasPrefix(name, "interpreter") {
				ways, rounds = 2, 20 // for the time that the rest takes
			}
			if wasmtest.Race { // it holds memory of its own
				rounds /= 4
			}
			use(rt, 3)
			before := wasmtest.Holds(t)
			use(rt, rounds)
			after := wasmtest.Holds(t)
			if after.Mappings > before.Mappings+20 || after.Descriptors > before.Descriptors+2 {
				t.Errorf("%+v became %+v", before, after)
			}
		})
	}
}
