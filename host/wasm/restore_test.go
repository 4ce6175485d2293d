package wasm_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/image"
)

// everyWay returns runtimes that put memories back in every way there is. The
// interpreter, which does nothing else in that than the compiler, but takes its
// time, is there with the best way and the last one.
func everyWay(t *testing.T) map[string]*wasm.Runtime {
	t.Helper()
	all := map[string]*wasm.Runtime{}
	for _, deny := range [][]image.Way{
		{},
		{image.Scan},
		{image.Scan, image.Pagemap},
		{image.Scan, image.Pagemap, image.Drop},
		{image.Map},
	} {
		for engine, o := range map[string]wasm.Options{"compiler": {}, "interpreter": {Interpreter: true}} {
			if o.Interpreter && len(deny) > 0 && deny[0] != image.Map {
				continue
			}
			rt, err := wasm.New(context.Background(), wasm.Denying(o, deny...))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { rt.Close(context.Background()) })
			name := engine
			for _, w := range deny {
				name += "-without-" + string(w)
			}
			all[name] = rt
		}
	}
	return all
}

// greedyLimits let every call of guests/greedy.wat end as it means to.
var greedyLimits = wasm.Limits{Fuel: 1_200_000, Depth: 1_000}

const greedyWays = 11

// TestRestore_IsCompleteByEveryWay makes calls in any order and compares each with
// the same call of a module that was just loaded.
func TestRestore_IsCompleteByEveryWay(t *testing.T) {
	module := assemble(string(fixture(t, "guests/greedy.wat")))
	var first [greedyWays]outcome // on whatever runtime comes first
	for name, rt := range everyWay(t) {
		t.Run(name, func(t *testing.T) {
			for how := range first {
				m := load(t, rt, "greedy", module, greedyLimits)
				fresh := call(m, "score", []byte{byte(how)})
				m.Close(context.Background())
				if first[how] == (outcome{}) {
					first[how] = fresh
				} else if fresh != first[how] {
					t.Fatalf("%d gives %+v, elsewhere %+v", how, fresh, first[how])
				}
			}
			m := load(t, rt, "greedy", module, greedyLimits)
			same := func(t rapid.TB, how int) {
				if got := call(m, "score", []byte{byte(how)}); got != first[how] {
					t.Fatalf("%d gives %+v, on a fresh module %+v", how, got, first[how])
				}
			}
			if strings.HasPrefix(name, "interpreter") {
				for _, how := range rand.New(rand.NewPCG(1, 2)).Perm(2 * greedyWays) {
					same(t, how/2)
				}
				return
			}
			rapid.Check(t, func(t *rapid.T) {
				for range rapid.IntRange(1, 8).Draw(t, "calls") {
					same(t, rapid.IntRange(0, greedyWays-1).Draw(t, "how"))
				}
			})
		})
	}
	want := map[int]fault.Class{5: fault.Trap, 6: fault.Trap, 7: fault.PluginError, 8: fault.Fuel, 9: fault.Depth}
	for how, o := range first {
		if o.class != want[how] || len(o.answer) != 8 && want[how] == fault.None {
			t.Errorf("the guest does not do what it should: %d gives %+v", how, o)
		}
	}
}

// TestRestore_AfterDeadline stops a guest that has overwritten all
// its memory.
func TestRestore_AfterDeadline(t *testing.T) {
	module := assemble(string(fixture(t, "guests/greedy.wat")))
	for name, rt := range everyWay(t) {
		t.Run(name, func(t *testing.T) {
			m := load(t, rt, "greedy", module, wasm.Limits{Fuel: 1 << 60})
			want := call(m, "score", []byte{0})
			rounds := 3
			if strings.HasPrefix(name, "interpreter") {
				rounds = 1
			}
			for range rounds {
				ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
				_, _, err := m.Call(ctx, "score", []byte{8}, nil)
				cancel()
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("a guest that never ends gives %v", err)
				}
				if got := call(m, "score", []byte{0}); got != want {
					t.Fatalf("after a deadline %+v, before %+v", got, want)
				}
			}
		})
	}
}

// TestRestore_ManyInstancesAtOnce lets goroutines call one module in every way.
func TestRestore_ManyInstancesAtOnce(t *testing.T) {
	module := assemble(string(fixture(t, "guests/greedy.wat")))
	for name, rt := range everyWay(t) {
		if strings.HasPrefix(name, "interpreter") {
			continue // as the compiler, but for a long time
		}
		t.Run(name, func(t *testing.T) {
			m, other := load(t, rt, "greedy", module, greedyLimits), load(t, rt, "greedy", module, greedyLimits)
			var want [greedyWays]outcome
			for how := range want {
				want[how] = call(m, "score", []byte{byte(how)})
			}
			var all sync.WaitGroup
			for g := range 16 {
				all.Go(func() {
					for k := range 22 {
						how, m := (g+k)%greedyWays, []*wasm.Module{m, other}[(g+k)/greedyWays%2]
						if got := call(m, "score", []byte{byte(how)}); got != want[how] {
							t.Errorf("%d gives %+v, alone %+v", how, got, want[how])
							return
						}
					}
				})
			}
			all.Wait()
		})
	}
}

func TestRestore_MemoryWithoutPages(t *testing.T) {
	module := assemble(`(module (memory (export "memory") 0)
		(func (export "alloc") (param i32) (result i32) (i32.const 0))
		(func (export "score") (param i32 i32) (result i64) (i64.const 0)))`)
	for name, rt := range everyWay(t) {
		t.Run(name, func(t *testing.T) {
			m := load(t, rt, "none", module, wasm.Limits{})
			for range 3 {
				if answer, usage, err := m.Call(context.Background(), "score", nil, nil); err != nil || len(answer) != 0 || usage.PeakMemoryBytes != 0 {
					t.Errorf("answer %q, %d bytes of memory, error %v", answer, usage.PeakMemoryBytes, err)
				}
			}
		})
	}
}

func TestLoad_RefusesDataOutsideOfMemory(t *testing.T) {
	for name, rt := range runtimes(t) {
		_, err := rt.Load(context.Background(), wasm.Source{Name: "x", Module: assemble(`(module (memory (export "memory") 1)
			(data (i32.const 65535) "ab")
			(func (export "alloc") (param i32) (result i32) (i32.const 0))
			(func (export "score") (param i32 i32) (result i64) (i64.const 0)))`)},

			wasm.Limits{})

		if fault.Of(err) != fault.Load || !strings.Contains(err.Error(), "data segment 0, 2 bytes at 65535, is outside") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestLoad_RefusesStartWithParameters(t *testing.T) {
	for name, rt := range runtimes(t) {
		_, err := rt.Load(context.Background(), wasm.Source{Name: "x", Module: assemble(`(module (memory (export "memory") 1)
			(func $start (param i32)) (start $start)
			(func (export "alloc") (param i32) (result i32) (i32.const 0))
			(func (export "score") (param i32 i32) (result i64) (i64.const 0)))`)},

			wasm.Limits{})

		if fault.Of(err) != fault.Load || !strings.Contains(err.Error(), "start function") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestCall_DroppedSegmentStaysDropped: active data is gone once it was written, so
// that memory.init from it traps, also where an instance was made from an image.
func TestCall_DroppedSegmentStaysDropped(t *testing.T) {
	module := assemble(`(module (memory (export "memory") 1)
		(data (i32.const 100) "abc")
		(data "def")
		(func (export "alloc") (param i32) (result i32) (i32.const 8))
		(func (export "passive") (param i32 i32) (result i64)
			(memory.init 1 (i32.const 200) (i32.const 0) (i32.const 3))
			(i64.or (i64.shl (i64.const 200) (i64.const 32)) (i64.const 3)))
		(func (export "active") (param i32 i32) (result i64)
			(memory.init 0 (i32.const 200) (i32.const 0) (i32.const 3)) (i64.const 0))
		(func (export "seen") (param i32 i32) (result i64) (i64.or (i64.shl (i64.const 100) (i64.const 32)) (i64.const 3))))`)
	for name, rt := range runtimes(t) {
		m := load(t, rt, "x", module, wasm.Limits{})
		for range 2 {
			if got := call(m, "active", nil); got.class != fault.Trap || !strings.Contains(got.says, "out of bounds memory access") {
				t.Errorf("%s: memory.init of a dropped segment gives %+v", name, got)
			}
			if a, b := call(m, "passive", nil), call(m, "seen", nil); a.answer != "def" || b.answer != "abc" {
				t.Errorf("%s: passive data %+v, active data %+v", name, a, b)
			}
		}
	}
}
