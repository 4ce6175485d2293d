package host_test

import (
	"context"
	"sync"
	"testing"

	"github.com/rubric-host/rubric-host/host"
)

// TestCall_AStoppedLoadIsNotRemembered asks once more for a plugin whose load was
// abandoned.
func TestCall_AStoppedLoadIsNotRemembered(t *testing.T) {
	ctx := context.Background()
	ev, err := host.New(ctx, host.Options{})
	must(t, err)
	defer ev.Close(ctx)
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := ev.Call(stopped, host.Call{Plugin: "exact"}); err == nil {
		t.Fatal("it is loaded for nobody")
	}
	if _, err := ev.Call(ctx, host.Call{Plugin: "exact"}); err != nil {
		t.Errorf("for somebody: %v", err)
	}
}

// TestCall_ACallerWhoStopsFailsNoOther has two callers wait for a plugin, of which the first
// stops: the second gets its answer.
func TestCall_ACallerWhoStopsFailsNoOther(t *testing.T) {
	for range 5 {
		ev, err := host.New(t.Context(), host.Options{})
		must(t, err)
		first, stop := context.WithCancel(t.Context())
		var both sync.WaitGroup
		both.Go(func() {
			ev.Call(first, host.Call{Plugin: "bleu"})
		})
		both.Go(func() {
			if _, err := ev.Call(t.Context(), host.Call{Plugin: "bleu"}); err != nil {
				t.Errorf("the caller who stays: %v", err)
			}
		})
		stop()
		both.Wait()
		must(t, ev.Close(t.Context()))
	}
}
