package host

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
)

// countingGuest counts its calls. Those with the request "cheap" use little fuel,
// those with "fails" fail.
type countingGuest struct {
	calls atomic.Int32
	hold  chan struct{} // closed: calls return
}

func (g *countingGuest) Call(_ context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error) {
	g.calls.Add(1)
	<-g.hold
	if string(request) == "fails" {
		return nil, wasm.Usage{}, errors.New("no")
	}
	fuel := uint64(reusedFrom)
	if string(request) == "cheap" {
		fuel--
	}
	return append(append(answer, export...), request...), wasm.Usage{Fuel: fuel}, nil
}

func TestOnceEach_CallsOncePerRequest(t *testing.T) {
	g := &countingGuest{hold: make(chan struct{})}
	o := newOnceEach(g)
	call := func(export, request string) string {
		b, _, err := o.Call(t.Context(), export, []byte(request), []byte("scratch"))
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := call("tests", "dear"); got != "testsdear" {
				t.Errorf("got %q", got)
			}
		})
	}
	close(g.hold)
	all.Wait()
	expect := func(calls int32, what string) {
		t.Helper()
		if n := g.calls.Swap(0); n != calls {
			t.Errorf("%s: %d calls, want %d", what, n, calls)
		}
	}
	expect(1, "eight equal requests at once")
	call("tests", "dear")
	expect(0, "an equal request later")
	call("io", "dear")
	expect(1, "another export")
	call("tests", "cheap")
	call("tests", "cheap")
	expect(2, "requests that cost little")
	for range 2 {
		if got := call("tests", "fails"); got != "no" {
			t.Errorf("a failure became %q", got)
		}
	}
	expect(2, "requests that fail")
}

func TestOnceEach_IsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	g := &countingGuest{hold: make(chan struct{})}
	close(g.hold)
	o := newOnceEach(g)
	big := make([]byte, maxKeptAnswers/4)
	for i := range 6 {
		big[0] = byte(i)
		if _, _, err := o.Call(t.Context(), "", big, nil); err != nil {
			t.Fatal(err)
		}
	}
	if o.bytes > maxKeptAnswers || len(o.calls) == 0 || len(o.calls) > 4 {
		t.Errorf("%d bytes of %d calls are kept", o.bytes, len(o.calls))
	}
	big[0] = 5
	g.calls.Store(0)
	if _, _, err := o.Call(t.Context(), "", big, nil); err != nil || g.calls.Load() != 0 {
		t.Error("the newest answer is gone")
	}
}
