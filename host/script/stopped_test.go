package script_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// TestLoad_CancelledCallerFailsNoOther loads two scripts at once. Who loads the first
// stops while the interpreter that both need is made ready.
func TestLoad_CancelledCallerFailsNoOther(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	var rt *wasm.Runtime
	var second sync.WaitGroup
	first, stop := context.WithCancel(t.Context())
	began := false
	rt, err := wasm.New(t.Context(), wasm.Options{Scripts: script.Open, Doing: func(step string) {
		if step != "compiling it" || began {
			return
		}
		began = true
		second.Go(func() {
			if _, err := rt.Load(t.Context(), wasm.Source{Name: "b", Module: bundle(t, "b.js", f1JS)}, patient); err != nil {
				t.Errorf("the script that is waited for: %v", err)
			}
		})
		time.Sleep(100 * time.Millisecond) // so that it waits for the interpreter; it passes without
		stop()
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close(context.Background())
	if _, err := rt.Load(first, wasm.Source{Name: "a", Module: bundle(t, "a.js", f1JS)}, patient); err == nil {
		t.Error("the script that is not waited for was loaded")
	}
	second.Wait()
}
