package worker

import (
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// TestClose_LeavesNothingBehind loads, calls, breaks and closes, and counts.
func TestClose_LeavesNothingBehind(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	access := lent(t, "files") // an abandoned connection is kept for a while
	round := func() {
		g := loadGranted(t, madOptions(), wasm.Limits{Deadline: 100 * time.Millisecond}, access)
		for _, how := range []string{"open", "open", "open", "sit", "die", "thousand"} {
			g.Call(t.Context(), "bleu", request("#ask "+how), nil)
		}
		g.runtime.Close(t.Context())
		rt := isolated(t, madOptions())
		m := load(t, rt, "mad", bleu(t), wasm.Limits{Deadline: 100 * time.Millisecond})
		for _, what := range []string{"pair", "#kill", "#garbage", "#spin"} {
			m.Call(t.Context(), "bleu", request(what), nil)
		}
		if _, err := rt.Load(t.Context(), wasm.Source{Name: "compile-die", Module: bleu(t)}, wasm.Limits{}); err == nil {
			t.Error("it was loaded")
		}
		if _, err := rt.Load(t.Context(), wasm.Source{Name: "refused", Module: []byte("text")}, wasm.Limits{}); err == nil {
			t.Error("it was loaded")
		}
		rt.Close(t.Context())
	}
	round()
	before := wasmtest.Holds(t)
	for range 2 {
		round()
	}
	for end := time.Now().Add(time.Minute); ; runtime.Gosched() { // timers that fired are gone when they are
		after := wasmtest.Holds(t)
		if after.Descriptors <= before.Descriptors && after.Goroutines <= before.Goroutines && after.Children <= before.Children {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%+v became %+v", before, after)
		}
	}
}

// TestProcess_EndsWithItsParent starts a parent that starts a worker, and kills
// it.
func TestProcess_EndsWithItsParent(t *testing.T) {
	parent, err := start("/proc/self/exe", []string{os.Args[0], "parent"})
	if err != nil {
		t.Fatal(err)
	}
	var pid [16]byte
	n, err := parent.out.Read(pid[:])
	if err != nil {
		t.Fatalf("%v: %s", err, parent.said.line())
	}
	parent.close()
	status := "/proc/" + string(pid[:n]) + "/stat"
	for end := time.Now().Add(time.Minute); ; runtime.Gosched() {
		b, err := os.ReadFile(status)
		if err != nil || stateOf(b) == 'Z' { // in a container without init it is not reaped
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the worker lives on: %s", b)
		}
	}
}

// stateOf returns the state in the text of /proc/PID/stat.
func stateOf(stat []byte) byte {
	for i, s := range slices.Backward(stat) {
		if s == ')' && i+2 < len(stat) {
			return stat[i+2]
		}
	}
	return 0
}
