package wasm_test

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

func spinner(t testing.TB) []byte { return assemble(string(fixture(t, "hostile/loop.wat"))) }

func TestLoad_RecognisesABIs(t *testing.T) {
	rt := runtimes(t)["compiler"]
	module := fixture(t, "bleu/bleu.wasm")
	m := load(t, rt, "bleu", append(bytes.Clone(module), 0, 2, 1, 'x'), wasm.Limits{Fuel: 7}) // with a custom section
	if got := m.Exports(); !slices.Equal(got, []string{"bleu", "echo", "f1"}) {
		t.Errorf("exports %q", got)
	}
	if d := m.Digest(); len(d) != len("sha256:")+64 || d == load(t, rt, "bleu", module, wasm.Limits{}).Digest() {
		t.Errorf("digest %s", d)
	}
	if l := m.Limits(); l.Fuel != 7 || l.OutputBytes != 1<<20 || l.Deadline != 10*time.Second || m.Name() != "bleu" || !m.Keeps() {
		t.Errorf("limits %+v", l)
	}
}

func TestABIOf_KnowsEveryABI(t *testing.T) {
	tests := []struct {
		name, text string
		want       wasm.ABI
	}{
		{"direct", string(fixture(t, "hostile/loop.wat")), wasm.Direct},
		{"extism", `(module (import "extism:host/env" "input_length" (func $f (result i64))) (func (export "score") (result i32) (i32.const 0)))`, wasm.Extism},
		{"command", `(module (memory (export "memory") 1) (func (export "_start")))`, wasm.Command},
		{"unknown", `(module (func (export "score") (param i32 i32) (result i64) (i64.const 0)))`, wasm.Unknown},
	}
	rt := runtimes(t)["compiler"]
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			module := assemble(tt.text)
			m, err := binary.Read(module, binary.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := wasm.ABIOf(m); got != tt.want {
				t.Errorf("ABI %q, want %q", got, tt.want)
			}
			if _, err := rt.Load(context.Background(), wasm.Source{Name: "x", Module: module}, wasm.Limits{}); (err == nil) != (tt.want != wasm.Unknown) || err != nil && fault.Of(err) != fault.Load {
				t.Errorf("Load gives %v", err)
			}
		})
	}
}

func TestCall_ErrorsNameUsageAndFix(t *testing.T) {
	rt := runtimes(t)["compiler"]
	ctx := context.Background()
	m := load(t, rt, "spin", spinner(t), wasm.Limits{Fuel: 2_000_000, InputBytes: 4})
	_, usage, err := m.Call(ctx, "score", nil, nil)
	if got, want := err.Error(), "plugin spin: score: used 2000001 of 2000000 fuel"; got != want || usage.Fuel != 2_000_001 {
		t.Errorf("%q and %d fuel, want %q", got, usage.Fuel, want)
	}
	if got := fault.Hint(err); !strings.Contains(got, "raise wasm.Limits.Fuel") {
		t.Errorf("hint %q", got)
	}
	_, _, err = m.Call(ctx, "score", []byte("hello"), nil)
	if got, want := err.Error(), "plugin spin: score: the request has 5 bytes, 4 allowed"; got != want || fault.Of(err) != fault.Input {
		t.Errorf("%q, want %q", got, want)
	}
	_, _, err = m.Call(ctx, "scoer", nil, nil)
	if got, want := err.Error(), `plugin spin: unknown scorer "scoer"; it has ["score"]`; got != want || fault.Of(err) != fault.NotFound {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCall_TrapsNameFunctionsWithoutControlCharacters(t *testing.T) {
	rt := runtimes(t)["compiler"]
	read, err := binary.Read(assemble(`(module (memory (export "memory") 1)
		(func $alloc (export "alloc") (param i32) (result i32) (i32.const 64))
		(func $inner (unreachable))
		(func $outer (export "score") (param i32 i32) (result i64) (call $inner) (i64.const 0)))`), binary.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	read.Customs = []binary.Custom{binary.NameSection([]binary.Name{{Index: 1, Function: "in\x1b[31mner"}, {Index: 2, Function: "outer"}})}
	_, _, err = load(t, rt, "p", read.Append(nil), wasm.Limits{}).Call(context.Background(), "score", nil, nil)
	if got, want := err.Error(), "plugin p: score: trap: unreachable in in?[31mner < outer"; got != want || fault.Of(err) != fault.Trap {
		t.Errorf("%q, want %q", got, want)
	}
}

// A patience is a context that ends after it was asked a number of times.
type patience struct {
	context.Context               //nolint:containedctx // it is one
	asked           chan struct{} // closed at the first question
	left            atomic.Int64
}

func (p *patience) Err() error {
	select {
	case <-p.asked:
	default:
		close(p.asked)
	}
	if p.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestCall_EndsWhenCancelled(t *testing.T) {
	for engine, rt := range runtimes(t) {
		t.Run(engine, func(t *testing.T) {
			m := load(t, rt, "spin", spinner(t), wasm.Limits{Fuel: 1 << 60, Deadline: time.Hour})
			ctx := &patience{Context: context.Background(), asked: make(chan struct{})}
			ctx.left.Store(4)
			_, usage, err := m.Call(ctx, "score", nil, nil)
			if fault.Of(err) != fault.Interrupted || usage.Fuel == 0 {
				t.Errorf("error %v of class %q after %d fuel", err, fault.Of(err), usage.Fuel)
			}
			done, cancel := context.WithCancelCause(context.Background())
			cancel(errors.New("the user went home"))
			if _, _, err := m.Call(done, "score", nil, nil); fault.Of(err) != fault.Interrupted || !strings.Contains(err.Error(), "the user went home") {
				t.Errorf("a call after the cancellation gives %v", err)
			}
		})
	}
}

// errOf asks a patience, then a context that can be cancelled.
type errOf struct {
	*patience
	ctx context.Context //nolint:containedctx // it is one, made of two
}

func (e errOf) Err() error {
	if err := e.patience.Err(); err != nil {
		return err
	}
	return e.ctx.Err()
}

func TestCall_EndsAtTheDeadline(t *testing.T) {
	for engine, rt := range runtimes(t) {
		t.Run(engine, func(t *testing.T) {
			m := load(t, rt, "spin", spinner(t), wasm.Limits{Fuel: 1 << 60, Deadline: time.Millisecond})
			_, _, err := m.Call(context.Background(), "score", nil, nil)
			if fault.Of(err) != fault.Deadline || !strings.Contains(err.Error(), "still running after 1ms") {
				t.Errorf("error %v of class %q", err, fault.Of(err))
			}
		})
	}
}

func TestCall_AllocatesNothing(t *testing.T) {
	rt := runtimes(t)["compiler"]
	m := load(t, rt, "bleu", fixture(t, "bleu/bleu.wasm"), wasm.Limits{})
	ctx := context.Background()
	var answer []byte
	allocs := testing.AllocsPerRun(200, func() {
		var err error
		if answer, _, err = m.Call(ctx, "bleu", pair, answer); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 0 && !wasmtest.Race {
		t.Errorf("%v allocations in a call", allocs)
	}
}

func TestLoad_SameBytesTwice(t *testing.T) {
	rt := runtimes(t)["compiler"]
	module := fixture(t, "bleu/bleu.wasm")
	a, b := load(t, rt, "a", module, wasm.Limits{}), load(t, rt, "b", module, wasm.Limits{})
	want, _, err := b.Call(context.Background(), "bleu", pair, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	if got, _, err := b.Call(context.Background(), "bleu", pair, nil); err != nil || string(got) != string(want) {
		t.Errorf("after the other was closed: %s, %v", got, err)
	}
}

func TestLoad_EndsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for engine, rt := range runtimes(t) {
		if _, err := rt.Load(ctx, wasm.Source{Name: "x", Module: spinner(t)}, wasm.Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: Load gives %v", engine, err)
		}
	}
}

func TestLimits_RefusesInvalid(t *testing.T) {
	rt := runtimes(t)["compiler"]
	for _, l := range []wasm.Limits{{Deadline: -1}, {OutputBytes: -1}, {MemoryPages: 65_537}, {Depth: -5}} {
		if _, err := rt.Load(context.Background(), wasm.Source{Name: "x", Module: spinner(t)}, l); fault.Of(err) != fault.Invalid {
			t.Errorf("%+v: error %v", l, err)
		}
	}
	m := load(t, rt, "x", assemble(string(fixture(t, "hostile/memory-min.wat"))), wasm.Limits{MemoryPages: 4_096})
	if _, usage, err := m.Call(context.Background(), "score", nil, nil); err != nil || usage.PeakMemoryBytes != 128<<20 {
		t.Errorf("with more memory granted: %d bytes, %v", usage.PeakMemoryBytes, err)
	}
}
