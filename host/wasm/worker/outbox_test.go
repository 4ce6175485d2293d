package worker

import (
	"bytes"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// writes gives the answers in each write.
type writes chan string

func (w writes) Write(b []byte) (int, error) {
	r := newFrameReader(bytes.NewReader(b), readAhead)
	var m callResponse
	all := ""
	for r.receive(kindCallResponse, &m) == nil {
		all += string(m.answer)
	}
	w <- all
	return len(b), nil
}

// TestOutbox_WritesTogether sends messages while another is written.
func TestOutbox_WritesTogether(t *testing.T) {
	w := make(writes)
	o := newOutbox(w)
	send := func(answer string) { o.send(kindCallResponse, &callResponse{answer: []byte(answer)}) }
	go o.run()
	send("a")
	for writing := false; !writing; runtime.Gosched() {
		o.mu.Lock()
		writing = o.writing > 0
		o.mu.Unlock()
	}
	for _, answer := range []string{"b", "c", "d"} {
		send(answer)
	}
	for _, want := range []string{"a", "bcd"} {
		if got := <-w; got != want {
			t.Errorf("%q was written, want %q", got, want)
		}
	}
	close(o.wake)
}

// TestCall_NotHeldForASlowCall has quick calls answered before those that
// wait behind them, which never end.
func TestCall_NotHeldForASlowCall(t *testing.T) {
	module := wasmtest.Assemble(`(module
		(memory (export "memory") 1)
		(data (i32.const 8) "{\22score\22:1}")
		(func (export "alloc") (param i32) (result i32) (i32.const 1024))
		(func (export "score") (param i32 i32) (result i64)
			(local $n i32)
			(loop $work
				(br_if $work (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 3000000))))
			(loop $ever (br_if $ever (i32.eq (i32.load8_u (local.get 0)) (i32.const 69)))) ;; E
			(i64.const 0x80000000b)))`)
	m := load(t, isolated(t, Options{Parallel: 2}), "slow", module, wasm.Limits{Fuel: 1 << 60})
	ctx, cancel := context.WithCancel(t.Context())
	var quick, slow sync.WaitGroup
	var ended, begun, returned atomic.Int32
	calls := func(w *sync.WaitGroup, n int, request string, done func([]byte, error)) {
		for range n {
			w.Go(func() {
				answer, _, err := m.Call(ctx, "score", []byte(request), nil)
				returned.Add(1)
				done(answer, err)
			})
			begun.Add(1)
			for held := int32(0); held < begun.Load(); runtime.Gosched() { // until the owner has it
				held = returned.Load()
				m.inspect(func(o *owner) { held += int32(len(o.waiting) + len(o.flight)) })
			}
		}
	}
	endless := func([]byte, error) { ended.Add(1) }
	calls(&slow, 1, "E", endless)
	calls(&quick, 10, "Q", func(answer []byte, err error) {
		if err != nil || !bytes.Equal(answer, []byte(`{"score":1}`)) {
			t.Errorf("answer %s, error %v", answer, err)
		}
	})
	calls(&slow, 8, "E", endless)
	quick.Wait()
	if n := ended.Load(); n > 0 {
		t.Errorf("%d calls that never end have ended before those in front of them were answered", n)
	}
	cancel()
	slow.Wait()
}
