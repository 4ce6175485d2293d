package plugins_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/plugins"
)

// A runner is a plugin that runs candidates, started.
type runner struct{ module *wasm.Module }

// runners are started once for all tests, by the name of the plugin.
var runners = struct {
	sync.Mutex
	of map[string]runner
}{of: map[string]runner{}}

// newRunner returns run-python.
func newRunner(t testing.TB) runner {
	t.Helper()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	return sharedRunner(t, "run-python")
}

func sharedRunner(t testing.TB, name string) runner {
	t.Helper()
	runners.Lock()
	defer runners.Unlock()
	r, ok := runners.of[name]
	if !ok {
		rt, err := wasm.New(context.Background(), scripts(t))
		if err != nil {
			t.Fatal(err)
		}
		r = load(t, rt, name, judgeFuel)
		runners.of[name] = r
	}
	return r
}

func scripts(t testing.TB) wasm.Options {
	t.Helper()
	return wasm.Options{CacheDir: wasmtest.CacheDir(t), Scripts: script.Open}
}

// judgeFuel is more than the judge of any case takes.
const judgeFuel = 20_000_000_000

// runnerOf starts a plugin for one test, with as much fuel for its judge.
func runnerOf(t testing.TB, name string, fuel uint64, o wasm.Options) runner {
	t.Helper()
	return load(t, wasmtest.Runtime(t, o), name, fuel)
}

func load(t testing.TB, rt *wasm.Runtime, name string, fuel uint64) runner {
	t.Helper()
	catalog, err := plugins.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	p, limits := catalog.Plugin(name), wasm.Limits{Fuel: fuel, PeerFuel: 20_000_000_000, Compile: time.Hour, Deadline: 10 * time.Minute}
	m, err := rt.Load(context.Background(), wasm.Source{Name: name, Module: p.Module()}, p.Manifest.Limits.Apply(limits)) // those that machine code is shared by
	if err != nil {
		t.Fatal(err)
	}
	return runner{m}
}

// run returns the answer to a case, and the fuel of the call.
func (r runner) run(t *testing.T, export string, row, config map[string]any) (map[string]any, wasm.Usage) {
	t.Helper()
	if config == nil {
		config = map[string]any{}
	}
	request, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "case": row, "config": config})
	if err != nil {
		t.Fatal(err)
	}
	answer, usage, err := r.module.Call(t.Context(), export, request, nil)
	if err != nil {
		return map[string]any{"failed": err.Error()}, usage
	}
	return decode(t, answer), usage
}
