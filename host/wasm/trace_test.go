package wasm_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// deepModule fails in its fourth function, by a trap, or by spinning if the
// request is not empty. Only some functions have names.
func deepModule(t *testing.T) []byte {
	t.Helper()
	m, err := binary.Read(assemble(`(module
		(import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
		(memory (export "memory") 1)
		(func $alloc (export "alloc") (param i32) (result i32) (i32.const 64))
		(func $inner (param i32) (drop (call $yield)) (if (local.get 0) (then (loop $l (br $l)))) (unreachable))
		(func $middle (param i32) (call $inner (local.get 0)))
		(func $score (export "score") (param i32 i32) (result i64) (call $middle (local.get 1)) (i64.const 0)))`), binary.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	m.Customs = []binary.Custom{binary.NameSection([]binary.Name{
		{Index: 2, Function: "count<std::pair<int, int> >(char const*, int)\x1b[31m"}, {Index: 4, Function: strings.Repeat("score", 40)},
	})}
	return m.Append(nil)
}

func TestTrace_NamesFunctionsOfEveryFailure(t *testing.T) {
	want := []string{"count<std::pair<int, int> >(char const*, int)?[31m", "func[3]", strings.Repeat("score", 16) + "..."}
	tests := []struct {
		name, request string
		limits        wasm.Limits
		class         fault.Class
	}{
		{"a trap", "", wasm.Limits{}, fault.Trap},
		{"no fuel", "x", wasm.Limits{Fuel: 1_000_000}, fault.Fuel},
		{"no time", "x", wasm.Limits{Fuel: 1 << 60, Deadline: time.Millisecond}, fault.Deadline},
	}
	for engine, rt := range runtimes(t) {
		for _, tt := range tests {
			t.Run(engine+"/"+tt.name, func(t *testing.T) {
				_, _, err := load(t, rt, "p", deepModule(t), tt.limits).Call(context.Background(), "score", []byte(tt.request), nil)
				if got := fault.Trace(err); fault.Of(err) != tt.class || !slices.Equal(got, want) {
					t.Errorf("%v: trace %q, want %q", err, got, want)
				}
			})
		}
	}
}

func TestTrace_OfDeepRecursionIsCut(t *testing.T) {
	for engine, rt := range runtimes(t) {
		_, _, err := load(t, rt, "p", assemble(string(fixture(t, "hostile/recurse.wat"))), wasm.Limits{Depth: 1_000}).
			Call(context.Background(), "score", nil, nil)
		got := fault.Trace(err)
		if len(got) != 30 || strings.Count(err.Error(), " < ") != 5 {
			t.Errorf("%s: %d functions in the trace, message %v", engine, len(got), err)
		}
	}
}

func TestTrace_OfFailingStart(t *testing.T) {
	_, err := runtimes(t)["compiler"].Load(context.Background(), wasm.Source{Name: "p", Module: assemble(string(fixture(t, "hostile/start-trap.wat")))}, wasm.Limits{})
	if got := fault.Trace(err); len(got) != 1 {
		t.Errorf("%v: trace %q", err, got)
	}
	for _, err := range []error{nil, errors.New("p"), fault.New(fault.Trap, "wasm stack trace:\n\t.f()")} {
		if got := fault.Trace(err); got != nil {
			t.Errorf("trace of %v: %q", err, got)
		}
	}
}
