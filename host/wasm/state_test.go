package wasm_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// An outcome is everything that a caller sees of a call.
type outcome struct {
	answer string
	class  fault.Class
	says   string
	fuel   uint64
	log    string
}

func call(m callable, export string, request []byte) outcome {
	answer, usage, err := m.Call(context.Background(), export, request, nil)
	o := outcome{answer: string(answer), class: fault.Of(err), fuel: usage.Fuel, log: string(usage.Log)}
	if err != nil {
		o.says = err.Error()
	}
	return o
}

// TestCall_IsIsolated makes calls in any order, failing ones among them, and
// compares each with the same call of a module that was just loaded.
func TestCall_IsIsolated(t *testing.T) {
	for _, guest := range []struct {
		name  string
		keeps bool
	}{{"stateful", true}, {"irreversible", false}} {
		module := assemble(string(fixture(t, "guests/"+guest.name+".wat")))
		for engine, rt := range runtimes(t) {
			t.Run(guest.name+"/"+engine, func(t *testing.T) {
				limits := wasm.Limits{Fuel: 300_000, MemoryPages: 4, Depth: 1_000}
				type key struct {
					export string
					how    byte
				}
				fresh := map[key]outcome{}
				for how := range byte(9) {
					for _, export := range []string{"score", "see"} {
						m := load(t, rt, "guest", module, limits)
						fresh[key{export, how}] = call(m, export, []byte{how, 'x'})
						m.Close(context.Background())
					}
				}
				if fresh[key{"score", 4}].class != fault.Fuel || guest.keeps && fresh[key{"score", 6}].class != fault.Depth || fresh[key{"score", 0}].class != fault.None {
					t.Fatalf("the guest does not do what it should: %+v", fresh)
				}
				m := load(t, rt, "guest", module, limits)
				if m.Keeps() != guest.keeps {
					t.Errorf("Keeps() = %v", m.Keeps())
				}
				most := 12
				if engine == "interpreter" {
					most = 3
				}
				rapid.Check(t, func(rt *rapid.T) {
					for range rapid.IntRange(1, most).Draw(rt, "calls") {
						k := key{rapid.SampledFrom([]string{"score", "see"}).Draw(rt, "export"), byte(rapid.IntRange(0, 8).Draw(rt, "how"))}
						if got := call(m, k.export, []byte{k.how, 'x'}); got != fresh[k] {
							rt.Fatalf("%v gives %+v, on a fresh module %+v", k, got, fresh[k])
						}
					}
				})
			})
		}
	}
}

func TestEngines_Agree(t *testing.T) {
	all := runtimes(t)
	for _, name := range []string{"stateful", "irreversible"} {
		module := assemble(string(fixture(t, "guests/"+name+".wat")))
		compiled := load(t, all["compiler"], "guest", module, wasm.Limits{Fuel: 300_000, Depth: 1_000})
		interpreted := load(t, all["interpreter"], "guest", module, wasm.Limits{Fuel: 300_000, Depth: 1_000})
		for how := range byte(9) {
			a, b := call(compiled, "score", []byte{how}), call(interpreted, "score", []byte{how})
			if a != b {
				t.Errorf("%s %d: compiled %+v, interpreted %+v", name, how, a, b)
			}
		}
	}
}

// TestCall_Concurrent gives every goroutine requests of its own.
func TestCall_Concurrent(t *testing.T) {
	rt := runtimes(t)["compiler"]
	m := load(t, rt, "bleu", fixture(t, "bleu/bleu.wasm"), wasm.Limits{})
	errs := make(chan error)
	const goroutines = 64
	for g := range goroutines {
		go func() {
			request := bytes.Repeat([]byte{byte('a' + g%26)}, 10+g)
			var answer []byte
			var err error
			for range 50 {
				if answer, _, err = m.Call(context.Background(), "echo", request, answer); err == nil && !bytes.Equal(answer, request) {
					err = fmt.Errorf("goroutine %d got %q", g, answer)
				}
				if err != nil {
					break
				}
			}
			errs <- err
		}()
	}
	for range goroutines {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
