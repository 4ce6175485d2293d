package worker

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"github.com/rubric-host/rubric-host/host/wasm"
)

// beParent makes a parent of this process that has a worker which is frozen, and
// so cannot see that its input ends.
func beParent() {
	os.Unsetenv(mark)
	Main()
	rt, err := New(madOptions())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	m, err := rt.Load(context.Background(), wasm.Source{Name: "mad", Module: emptyScorer}, wasm.Limits{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go m.Call(context.Background(), "score", []byte("#freeze"), nil)
	for m.inFlight() == 0 {
		runtime.Gosched()
	}
	fmt.Print(processOf(m).cmd.Process.Pid)
	select {}
}

func init() { disguises["parent"] = beParent } //nolint:gochecknoinits // see pretend

// emptyScorer is (module (memory (export "memory") 1)
//
//	(func (export "alloc") (param i32) (result i32) (i32.const 8))
//	(func (export "score") (param i32 i32) (result i64) (i64.const 0)))
var emptyScorer = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x0c\x02\x60\x01\x7f\x01\x7f\x60\x02\x7f\x7f\x01\x7e" +
	"\x03\x03\x02\x00\x01" +
	"\x05\x03\x01\x00\x01" +
	"\x07\x1a\x03\x06memory\x02\x00\x05alloc\x00\x00\x05score\x00\x01" +
	"\x0a\x0b\x02\x04\x00\x41\x08\x0b\x04\x00\x42\x00\x0b")
