//go:build unix

package worker

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// wantPanic checks that a call failed because of the panic "a defect".
func wantPanic(t *testing.T, err error) {
	t.Helper()
	if !fault.Is(err, fault.Internal) || !strings.Contains(err.Error(), "panic: a defect") {
		t.Errorf("error %v of class %q", err, fault.Of(err))
	}
}

// TestOwner_PanicFailsCalls has the owner panic while one call is in flight and one waits.
func TestOwner_PanicFailsCalls(t *testing.T) {
	rt := isolated(t, Options{Parallel: 1})
	m := load(t, rt, "loop", endless(t), wasm.Limits{Fuel: 1 << 60})
	failed := make(chan error)
	for range 100 { // more than are in flight
		go func() {
			_, _, err := m.Call(context.Background(), "score", nil, nil)
			failed <- err
		}()
	}
	waiting := 0
	for waiting < 60 {
		m.inspect(func(o *owner) { waiting = len(o.waiting) })
	}
	m.owner.post(func(*owner) { panic("a defect") })
	for range 100 {
		wantPanic(t, <-failed)
	}
	_, _, err := m.Call(t.Context(), "score", nil, nil)
	wantPanic(t, err)
	m.Close(t.Context())
}

// panicking is granted, and panics.
type panicking struct{}

func (panicking) Open(context.Context, string) (*grant.File, error) { panic("a defect") }

// TestBroker_PanicFailsTheCall has the parent panic while it serves a host request.
func TestBroker_PanicFailsTheCall(t *testing.T) {
	m := loadGranted(t, madOptions(), wasm.Limits{}, &grant.Access{Tree: panicking{}})
	answer, _, err := m.Call(t.Context(), "bleu", []byte("#ask open"), nil)
	if err != nil || !strings.Contains(string(answer), "panic: a defect") {
		t.Errorf("%s, %v", answer, err)
	}
	if _, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil || m.Workers() != 1 {
		t.Errorf("the next call: %v, %d workers", err, m.Workers())
	}
}

// defective panics when it is read, once it is closed.
type defective chan struct{}

func (d defective) Read([]byte) (int, error) {
	<-d
	panic("a defect")
}

// TestConn_PanicFailsTheCall has the goroutine that reads from a worker panic: its call is
// retried in another worker, unless it was retried already.
func TestConn_PanicFailsTheCall(t *testing.T) {
	for _, retried := range []bool{false, true} {
		l, err := newLoader(isolated(t, Options{}), &wasm.Source{Name: "bleu", Module: bleu(t)}, wasm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		k, about, err := l.first(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		reader := make(defective)
		k.in = newFrameReader(reader, k.in.most)
		o := newOwner(l, k, about)
		go o.run()
		c := &pending{callRequest: callRequest{1, "bleu", pair}, done: make(chan struct{}, 1), alone: retried}
		o.post(func(o *owner) {
			o.call(c)
			o.pump() // it is in flight when the reader panics
			close(reader)
		})
		<-c.done
		if retried {
			wantPanic(t, c.err)
		} else if c.err != nil || len(c.answer) == 0 {
			t.Errorf("%s, %v", c.answer, c.err)
		}
		o.post((*owner).close)
		<-o.ended
		o.group.Wait()
	}
}

// TestRestart_PanicFailsCalls has the parent panic while it starts a worker.
func TestRestart_PanicFailsCalls(t *testing.T) {
	m := load(t, isolated(t, Options{}), "bleu", bleu(t), wasm.Limits{})
	processOf(m).close()
	for alive := true; alive; runtime.Gosched() {
		m.inspect(func(o *owner) { alive = o.worker != nil })
	}
	m.inspect(func(o *owner) { o.l.r = nil }) // without which no worker is started
	for range 2 {
		if _, _, err := m.Call(t.Context(), "bleu", pair, nil); !fault.Is(err, fault.Internal) || !strings.Contains(err.Error(), "panic: ") {
			t.Errorf("error %v of class %q", err, fault.Of(err))
		}
	}
}
