//go:build !race

package wasm_test

// Go's modules have millions of bytes, which take a minute to compile under the race
// detector. There the program in C and the plugin in Rust stand for them.

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// kits are the languages in which testdata/extism has the same scorer.
var kits = []string{"go", "rust"}

// ways are the ways in which the same scorer is written.
func ways(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"program in Go": program(t), "program in C": fixture(t, "c/recall.wasm"),
		"kit for Go": fixture(t, "extism/recall-go.wasm"), "kit for Rust": fixture(t, "extism/recall-rust.wasm"),
	}
}

// recall is testdata/program as plain go build makes it.
var recall = sync.OnceValues(func() ([]byte, error) {
	path, err := wasmtest.GoProgram("testdata/program", "recall.go", "probe.go", "granted.go")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func program(t testing.TB) []byte {
	t.Helper()
	b, err := recall()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func probing(what string) []byte {
	return []byte(`{"contract":1,"kind":"metric","case":{},"config":{"probe":"` + what + `"}}`)
}

func TestProgram_InGo(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	m := load(t, lasting(t), "recall", program(t), wasm.Limits{Fuel: 100_000_000})
	if m.ABI() != wasm.Command || !slices.Equal(m.Exports(), []string{wasm.CommandExport}) || !m.Keeps() {
		t.Errorf("ABI %q, exports %q, keeps %v", m.ABI(), m.Exports(), m.Keeps())
	}
	tests := []struct {
		name, request, answer string
		class                 fault.Class
		says                  string
	}{
		{"a score", `{"contract":1,"case":{"output":"the cat sat","references":["The cat SLEPT here"]}}`,
			`{"details":{"found":2,"words":4},"score":0.5}`, "", ""},
		{"no score", `{"contract":1,"case":{"output":"a"}}`, `{"unscored":"the case has no references"}`, "", ""},
		{"another contract", `{"contract":2}`, `{"error":"contract 2 is not known, only 1"}`, "", ""},
		{"a request that it cannot read", `{"contract":`, "", fault.PluginError, `exit code 3; it printed: "cannot read the request: unexpected EOF"`},
		{"an exit", string(probing("exit")), "", fault.PluginError, `exit code 4; it printed: "cannot find the model of the language"`},
		{"exits that wait for each other", string(probing("exit in a loop")), "", fault.PluginError, "exit code 5"},
		{"a panic", string(probing("panic")), "", fault.PluginError, `panic: runtime error: index out of range`},
		{"no end", string(probing("spin")), "", fault.Fuel, "used 1"},
		{"no end of its answer", string(probing("flood")), "", fault.Output, "1048576 allowed"},
		{"no end of its memory", string(probing("memory")), "", fault.Memory, "of 67108864 bytes"},
		{"an input that is too large", strings.Repeat(" ", 5<<20), "", fault.Input, "5242880 bytes, 4194304 allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 {
				got, _, err := m.Call(context.Background(), "score", []byte(tt.request), nil)
				if strings.TrimSpace(string(got)) != tt.answer || fault.Of(err) != tt.class {
					t.Fatalf("answer %s, error %v of class %q", got, err, fault.Of(err))
				}
				if err != nil && (!strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "\n") || fault.Hint(err) == "") {
					t.Errorf("error %q, hint %q; want %q", err, fault.Hint(err), tt.says)
				}
			}
		})
	}
}

// TestProgram_SeesTheSameEmptyWorld runs a probe beside others, and with
// variables in the host's environment.
func TestProgram_SeesTheSameEmptyWorld(t *testing.T) {
	t.Setenv("RUBRIC_HOST_CANARY", "1")
	m := load(t, lasting(t), "recall", program(t), wasm.Limits{})
	want, usage, err := m.Call(context.Background(), "score", probing("world"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"args":0`, `"env":0`, `"file":true`, `"dir":true`, `"rest":0`, `"end":true`, `"year":2022`, `"slept":true`, `"calls":1`} {
		if !bytes.Contains(want, []byte(part)) {
			t.Errorf("the world is %s, want %s in it", want, part)
		}
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 {
				got, u, err := m.Call(context.Background(), "score", probing("world"), nil)
				if err != nil || !bytes.Equal(got, want) || u.Fuel != usage.Fuel {
					t.Errorf("answer %s for %d fuel, error %v; want %s for %d", got, u.Fuel, err, want, usage.Fuel)
				}
				if _, _, err := m.Call(context.Background(), "score", probing("panic"), nil); err == nil {
					t.Error("a panic is no error")
				}
			}
		})
	}
	all.Wait()
}
