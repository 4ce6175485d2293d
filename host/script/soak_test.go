package script_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// TestCalls_DoNotDrift makes calls in random order, hostile ones among them, and
// compares each answer with the first one.
func TestCalls_DoNotDrift(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	for _, l := range []struct {
		name   string
		module func(t *testing.T) *wasm.Module
	}{
		{"JavaScript", func(t *testing.T) *wasm.Module {
			return mustLoad(t, openRuntime(t, ""), bundle(t, "score.js", probeJS))
		}},
		{"Python", func(t *testing.T) *wasm.Module { return mustLoad(t, python(t), bundle(t, "score.py", probePy)) }},
	} {
		t.Run(l.name, func(t *testing.T) {
			m := l.module(t)
			requests := []string{request, requestOfCats}
			sources := []string{"count += 1; globalThis.x = 1; return 0.5", "throw new Error('x')", "return new Uint8Array(20 << 20).length", "return f("}
			if l.name == "Python" {
				sources = []string{"LOG.append(1)\nimport sys\nsys.x = 1\nreturn 0.5", "raise ValueError", "return len(bytearray(30_000_000)) / 1e9", "return f("}
			}
			for _, s := range sources {
				requests = append(requests, requestWith(t, "source", s))
			}
			first := make([]string, len(requests))
			r := rand.New(rand.NewPCG(1, 2))
			for range numberOf("SCRIPT_CALLS", amount.Of(40, 3_000)) {
				k := r.IntN(len(requests))
				if r.IntN(4) > 0 { // most leave the instance as it is
					k = r.IntN(2)
				}
				got := ask(t, m, "score", requests[k])
				if first[k] == "" {
					first[k] = got
				}
				if got != first[k] {
					t.Fatalf("%s\nanswers %s\nat first %s", requests[k], got, first[k])
				}
			}
		})
	}
}
