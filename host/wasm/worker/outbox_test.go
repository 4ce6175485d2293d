package worker

import (
	"bytes"
	"context"
	"runtime"
	"strings"
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

// TestOutbox_WritesResponsesTogether holds responses back while calls wait to be made, and
// none for long.
func TestOutbox_WritesResponsesTogether(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // on one processor nothing is held back
	w := make(writes, 10)
	o := outbox{w: w}
	o.sweep()
	add := func(answer string, waiting int) {
		if err := o.hold(&callResponse{answer: []byte(answer)}, waiting); err != nil {
			t.Error(err)
		}
	}
	all := ""
	expect := func(n int) {
		t.Helper()
		for len(all) < n {
			all += <-w
		}
	}
	add("a", 0) // nobody waits: at once
	if got := <-w; got != "a" {
		t.Errorf("%q was written first", got)
	}
	add("b", 100) // by the sweeper
	expect(1)
	add("c", 100)
	add("d", 100)
	add("e", 2)
	expect(4)
	if err := o.send(kindCallResponse, &callResponse{answer: []byte("f")}); err != nil {
		t.Error(err)
	}
	expect(5)
	large := strings.Repeat("g", readAhead-100)
	add(large, 100)
	add(large, 100) // enough for one write
	expect(5 + 2*len(large))
	if want := "bcdef" + large + large; all != want {
		t.Errorf("%.20q was written, want %.20q", all, want)
	}
}

// TestAnAnswerIsNotHeldForASlowCall has quick calls answered before those that
// wait behind them, which never end.
func TestAnAnswerIsNotHeldForASlowCall(t *testing.T) {
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
	var ended atomic.Int32
	calls := func(w *sync.WaitGroup, n int, request string, done func([]byte, error)) {
		for range n {
			w.Add(1)
			c := make(chan struct{})
			go func() {
				defer w.Done()
				close(c)
				answer, _, err := m.Call(ctx, "score", []byte(request), nil)
				done(answer, err)
			}()
			<-c
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
