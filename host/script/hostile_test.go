package script_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// An attempt is an attack by a script in a call, and the beginning of the expected
// error.
type attempt struct{ name, source, ends string }

// A callable is a script that is loaded, wherever it runs.
type callable interface {
	Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error)
}

// nothingStays makes some of the attempts in this process, some of these in a worker too, and looks at
// the world after each: make heavy-check makes them all. begins is how the world begins. Both walls say the same of each. Peers and
// their judges that are to run out of fuel get a quarter of it.
func nothingStays(t *testing.T, h home, module []byte, l wasm.Limits, begins string, list []attempt) {
	l.Compile, l.Deadline = patient.Compile, patient.Deadline
	sample := func(list []attempt) []attempt {
		one := amount.OneIn(8)
		return slices.DeleteFunc(slices.Clone(list), func(attempt) bool { return !one() })
	}
	list = sample(list)
	said := map[string]string{}
	try := func(t *testing.T, load func(context.Context, wasm.Source, wasm.Limits) (callable, error), list []attempt) {
		for _, burns := range []bool{false, true} {
			l, list := l, list
			if l.PeerFuel > 0 { // else it costs more to load the script again
				list = slices.DeleteFunc(slices.Clone(list), func(a attempt) bool { return strings.Contains(a.ends, "fuel") != burns })
			} else if burns {
				return
			}
			if burns {
				l.Fuel, l.PeerFuel = l.Fuel/4, l.PeerFuel/4
			}
			m, err := load(t.Context(), wasm.Source{Name: "p", Module: module}, l)
			if err != nil {
				t.Fatal(err)
			}
			tryAll(t, m, begins, list, said)
		}
	}
	t.Run("in process", func(t *testing.T) {
		rt := h.here(t)
		try(t, func(ctx context.Context, s wasm.Source, l wasm.Limits) (callable, error) { return rt.Load(ctx, s, l) }, list)
	})
	if wasmtest.Race {
		return // a worker compiles the interpreter anew, and the guest is the same
	}
	t.Run("in a worker", func(t *testing.T) {
		rt := h.there(t)
		try(t, func(ctx context.Context, s wasm.Source, l wasm.Limits) (callable, error) { return rt.Load(ctx, s, l) }, sample(list))
	})
}

// tryAll makes all attempts and compares their ends with the expected ones, if any
// are given.
func tryAll(t *testing.T, m callable, begins string, list []attempt, said map[string]string) {
	world := ask(t, m, "score", request)
	if !strings.HasPrefix(world, begins) {
		t.Fatal(world)
	}
	for _, tt := range list {
		t.Run(tt.name, func(t *testing.T) {
			for range amount.Of(1, 2) {
				ended := ask(t, m, "score", requestWith(t, "source", tt.source))
				if !strings.HasPrefix(ended, tt.ends) {
					t.Errorf("it ends with %.400s, want %s", ended, tt.ends)
				}
				if strings.HasPrefix(ended, "internal") {
					t.Errorf("our own defect: %s", ended)
				}
				if first, ok := said[tt.name]; ok && ended != first {
					t.Errorf("again: %.400s\nfirst: %.400s", ended, first)
				}
				said[tt.name] = ended
				if got := ask(t, m, "score", request); got != world {
					t.Errorf("afterwards the world is %s\nit was %s", got, world)
				}
			}
		})
	}
}
