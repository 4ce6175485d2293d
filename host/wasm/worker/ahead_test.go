//go:build unix

package worker

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
)

// TestAWorkerIsStartedAhead has the first module take the worker that was started
// ahead, and no other, and none left behind that nobody has taken.
func TestAWorkerIsStartedAhead(t *testing.T) {
	rt := isolated(t, Options{Ahead: true})
	ahead := rt.ahead
	if ahead == nil {
		t.Fatal("none was started")
	}
	first := load(t, rt, "first", bleu(t), wasm.Limits{})
	second := load(t, rt, "second", bleu(t), wasm.Limits{})
	if first.conn.p != ahead || second.conn.p == ahead || first.Workers() != 1 {
		t.Errorf("the first module has another worker, or the second has the same; %d workers", first.Workers())
	}
	for _, m := range []*Module{first, second} {
		if _, _, err := m.Call(t.Context(), "bleu", request("pair"), nil); err != nil {
			t.Error(err)
		}
	}
	unused := isolated(t, Options{Ahead: true})
	left := unused.ahead
	if err := unused.Close(t.Context()); err != nil {
		t.Error(err)
	}
	<-left.gone // else this does not end
}

// TestAWorkerThatDiesAheadCostsNothing kills the worker that was started ahead:
// another one loads the module.
func TestAWorkerThatDiesAheadCostsNothing(t *testing.T) {
	rt := isolated(t, Options{Ahead: true})
	rt.ahead.end()
	m := load(t, rt, "bleu", bleu(t), wasm.Limits{})
	if _, _, err := m.Call(t.Context(), "bleu", request("pair"), nil); err != nil {
		t.Error(err)
	}
}
