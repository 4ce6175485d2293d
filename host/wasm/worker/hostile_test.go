package worker

import (
	"bytes"
	"sync"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// attack is one of the attacks on package wasm.
type attack struct{ wasmtest.Attack }

// TestCall_HostileModulesFailAsInProcess runs every hostile module in
// a worker and in process, beside a neighbour in a worker of its own.
func TestCall_HostileModulesFailAsInProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	rt, in := isolated(t, Options{}), wasmtest.Runtime(t, wasm.Options{})
	neighbour := load(t, rt, "neighbour", bleu(t), wasm.Limits{})
	want, _, err := neighbour.Call(t.Context(), "bleu", pair, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, attacked := range wasmtest.Attacks(t, "../testdata/hostile") {
		a := attack{attacked}
		t.Run(a.Name, func(t *testing.T) {
			var done sync.WaitGroup
			defer done.Wait()
			done.Go(func() {
				for range 5 {
					if got, _, err := neighbour.Call(t.Context(), "bleu", pair, nil); err != nil || !bytes.Equal(got, want) {
						t.Errorf("the neighbour answers %s, %v", got, err)
					}
				}
			})
			first, isolatedUsage, isolatedErr := a.run(t, rt)
			second, usage, err := a.run(t, in)
			if class := a.Class; fault.Of(isolatedErr) != class || fault.Of(err) != class {
				t.Errorf("isolated %v, in process %v, want class %q", isolatedErr, err, class)
			}
			if err != nil && isolatedErr != nil && (err.Error() != isolatedErr.Error() && fault.Of(err) != fault.Deadline || fault.Hint(err) != fault.Hint(isolatedErr)) {
				t.Errorf("isolated %q, in process %q", isolatedErr, err)
			}
			if !bytes.Equal(first, second) || isolatedUsage.Fuel != usage.Fuel && a.Class != fault.Deadline || !bytes.Equal(isolatedUsage.Log, usage.Log) {
				t.Errorf("isolated %q, %+v; in process %q, %+v", first, isolatedUsage, second, usage)
			}
		})
	}
	if n := neighbour.Workers(); n != 1 {
		t.Errorf("the neighbour needed %d workers", n)
	}
}

func (a *attack) run(t *testing.T, rt any) ([]byte, wasm.Usage, error) {
	t.Helper()
	var m interface {
		guest
		Workers() int
	}
	switch rt := rt.(type) {
	case *Runtime:
		loaded, err := rt.Load(t.Context(), wasm.Source{Name: a.Name, Module: a.Module}, a.Limits)
		if err != nil {
			return nil, wasm.Usage{}, err
		}
		defer loaded.Close(t.Context())
		m = loaded
	case *wasm.Runtime:
		loaded, err := rt.Load(t.Context(), wasm.Source{Name: a.Name, Module: a.Module}, a.Limits)
		if err != nil {
			return nil, wasm.Usage{}, err
		}
		defer loaded.Close(t.Context())
		m = direct{loaded}
	}
	answer, usage, err := m.Call(t.Context(), "score", []byte("hello"), nil)
	if n := m.Workers(); n != 1 {
		t.Errorf("it took %d workers", n)
	}
	return answer, usage, err
}

// direct is a module without a worker.
type direct struct{ guest }

func (direct) Workers() int { return 1 }
