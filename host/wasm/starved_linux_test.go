package wasm_test

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// TestCall_FailsWhenTheMachineHasNoMemory lets a guest that takes a refused
// memory.grow for an answer ask for more than the process may have. The limit
// is one of the process, so it is tried in one of its own.
func TestCall_FailsWhenTheMachineHasNoMemory(t *testing.T) {
	const child = "RUBRIC_HOST_TEST_STARVED"
	if os.Getenv(child) == "" {
		c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		c.Env = append(os.Environ(), child+"=1")
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	rt, err := wasm.New(context.Background(), wasm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close(context.Background())
	const pages = 8_192
	m := load(t, rt, "p", assemble(`(module (memory (export "memory") 1)
		(func (export "alloc") (param i32) (result i32) (i32.const 64))
		(func (export "score") (param i32 i32) (result i64)
			(i32.store8 (i32.const 0) (i32.add (i32.const 98) (i32.shr_s (memory.grow (i32.const `+strconv.Itoa(pages-1)+`)) (i32.const 31))))
			(i64.const 1)))`), wasm.Limits{MemoryPages: pages})
	if got := call(m, "score", nil); got.answer != "b" {
		t.Fatalf("with memory to be had: %+v", got)
	}
	wasmtest.LimitData(t, uint64(pages)<<15)
	for range 2 {
		if got := call(m, "score", nil); got.class != fault.Memory || !strings.Contains(got.says, "the machine has no more memory") || got.answer != "" {
			t.Errorf("without: %+v", got)
		}
	}
	wasmtest.LimitData(t, 1<<40)
	if got := call(m, "score", nil); got.answer != "b" {
		t.Errorf("with memory again: %+v", got)
	}
}
