package wasm_test

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// hostile is one of the attacks in testdata/hostile. Loading it and calling it twice
// takes no longer than mostTime, which only catches endless ones, and no more of the
// host's own memory than mostBytes. threats_test.go says which threat each stands
// for.
type hostile struct{ wasmtest.Attack }

const (
	mostTime  = time.Minute
	mostBytes = 96 << 20
)

func readHostile(t *testing.T) (all []hostile) {
	t.Helper()
	for _, a := range wasmtest.Attacks(t, "testdata/hostile") {
		all = append(all, hostile{a})
	}
	return all
}

// runtimes are the engines that everything is tried on.
func runtimes(t testing.TB) map[string]*wasm.Runtime {
	t.Helper()
	all := map[string]*wasm.Runtime{}
	for name, o := range map[string]wasm.Options{"compiler": {}, "interpreter": {Interpreter: true}} {
		rt, err := wasm.New(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rt.Close(context.Background()) })
		all[name] = rt
	}
	return all
}

func load(t testing.TB, rt *wasm.Runtime, name string, module []byte, l wasm.Limits) *wasm.Module {
	t.Helper()
	m, err := rt.Load(context.Background(), wasm.Source{Name: name, Module: module}, l)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestCall_HostileModules runs every hostile module, twice, beside a neighbour that
// keeps scoring. The race detector sees the same goroutines with each, and watches
// some.
func TestCall_HostileModules(t *testing.T) {
	one := amount.OneIn(4)
	for engine, rt := range runtimes(t) {
		neighbour := load(t, rt, "neighbour", fixture(t, "bleu/bleu.wasm"), wasm.Limits{})
		want, _, err := neighbour.Call(context.Background(), "bleu", pair, nil)
		if err != nil || !bytes.Contains(want, []byte(`"score":0.`)) {
			t.Fatalf("neighbour answers %s, %v", want, err)
		}
		for _, h := range readHostile(t) {
			t.Run(engine+"/"+h.Name, func(t *testing.T) {
				if wasmtest.Race && !one() {
					return
				}
				var done sync.WaitGroup
				defer done.Wait()
				done.Go(func() {
					for range 5 {
						begin := time.Now()
						got, _, err := neighbour.Call(context.Background(), "bleu", pair, nil)
						if err != nil || !bytes.Equal(got, want) {
							t.Errorf("the neighbour answers %s, %v", got, err)
						}
						if took := time.Since(begin); took > mostTime {
							t.Errorf("the neighbour answers after %v", took)
						}
					}
				})
				bounded(t, func() { h.run(t, rt) })
			})
		}
	}
}

// bounded makes sure that f takes no more time and memory of the host than an
// attack may.
func bounded(t *testing.T, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	f()
	took := time.Since(begin)
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; took > mostTime || bytes > mostBytes {
		t.Errorf("it takes %v and %d bytes, allowed are %v and %d", took, bytes, mostTime, mostBytes)
	}
}

func (h *hostile) run(t *testing.T, rt *wasm.Runtime) {
	ctx := context.Background()
	m, err := rt.Load(ctx, wasm.Source{Name: h.Name, Module: h.Module}, h.Limits)
	if h.AtLoad {
		h.check(t, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close(ctx)
	var first wasm.Usage
	for round := range 2 {
		answer, usage, err := m.Call(ctx, "score", []byte("hello"), nil)
		h.check(t, err)
		if err == nil && string(answer) != h.Answer {
			t.Errorf("answer %q, want %q", answer, h.Answer)
		}
		if h.Fuel > 0 && usage.Fuel != h.Fuel {
			t.Errorf("%d fuel, want %d", usage.Fuel, h.Fuel)
		}
		if len(usage.Log) != h.Log && h.Log > 0 {
			t.Errorf("%d bytes of log, want %d", len(usage.Log), h.Log)
		}
		if limit := uint64(m.Limits().MemoryPages) << 16; usage.PeakMemoryBytes > limit {
			t.Errorf("%d bytes of memory, %d allowed", usage.PeakMemoryBytes, limit)
		}
		if round == 0 {
			first = usage
		} else if usage.Fuel != first.Fuel {
			t.Errorf("%d fuel the second time, %d the first", usage.Fuel, first.Fuel)
		}
	}
}

func (h *hostile) check(t *testing.T, err error) {
	t.Helper()
	if fault.Of(err) != h.Class {
		t.Errorf("error %v of class %q, want %q", err, fault.Of(err), h.Class)
	}
	if err == nil {
		return
	}
	for _, part := range []string{h.Says, "plugin " + h.Name} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\x1b") {
		t.Errorf("error %q is not one plain line", err)
	}
	if fault.Hint(err) == "" {
		t.Errorf("error %q has no hint", err)
	}
}
