package wasm_test

import (
	"context"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

// TestMain lets this program be a worker.
func TestMain(m *testing.M) {
	worker.Main()
	m.Run()
}

// A callable is a module, wherever it runs.
type callable interface {
	Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error)
}

// A place is an environment in which a module may run with its grants.
type place func(t testing.TB, name string, module []byte, l wasm.Limits, a *grant.Access) callable

// here runs modules in this process.
func here(t testing.TB) place {
	rt := lasting(t)
	return func(t testing.TB, name string, module []byte, l wasm.Limits, a *grant.Access) callable {
		t.Helper()
		m := load(t, rt, name, module, l)
		t.Cleanup(func() { m.Close(context.Background()) })
		m.Grant(a)
		return m
	}
}

// there runs modules in workers.
func there(t testing.TB) place {
	t.Helper()
	rt, err := worker.New(worker.Options{Grace: 20 * time.Second, CacheDir: wasmtest.CacheDir(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close(context.Background()) })
	return func(t testing.TB, name string, module []byte, l wasm.Limits, a *grant.Access) callable {
		t.Helper()
		m, err := rt.Load(context.Background(), wasm.Source{Name: name, Module: module, Access: a}, l)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close(context.Background()) })
		return m
	}
}

// eachPlace runs a test where a module may run: all that its guests see has to be
// the same.
func eachPlace(t *testing.T, test func(t *testing.T, in place)) {
	t.Run("in process", func(t *testing.T) { test(t, here(t)) })
	t.Run("in a worker", func(t *testing.T) { test(t, there(t)) })
}

// loading loads a module with its grants.
type loading func(name string, module []byte, l wasm.Limits, list ...grant.Grant) callable

// eachWay is eachPlace for grants by a list.
func eachWay(t *testing.T, test func(t *testing.T, load loading)) {
	eachPlace(t, func(t *testing.T, in place) {
		test(t, func(name string, module []byte, l wasm.Limits, list ...grant.Grant) callable {
			t.Helper()
			a := wasmtest.Access(t, list...) // closed after the module is
			return in(t, name, module, l, a)
		})
	})
}
