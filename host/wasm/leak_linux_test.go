package wasm_test

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
)

// held returns how many mappings and descriptors this process has.
func held(t *testing.T) (mappings, descriptors int) {
	t.Helper()
	for range 3 {
		runtime.GC() // wazero frees machine code when it is collected
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(maps, []byte("\n")), len(open)
}

// TestNothingIsLeftBehind makes many instances, modules and runtimes, and lets
// them end in every way.
func TestNothingIsLeftBehind(t *testing.T) {
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
			if _, err := rt.Load(ctx, "x", assemble(string(fixture(t, "hostile/start-trap.wat"))), wasm.Limits{}); err == nil {
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
			use(rt, 3)
			mappings, descriptors := held(t)
			use(rt, rounds)
			m, d := held(t)
			if m > mappings+20 || d > descriptors+2 {
				t.Errorf("%d mappings and %d descriptors became %d and %d", mappings, descriptors, m, d)
			}
		})
	}
}
