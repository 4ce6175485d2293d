package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

// TestWatch_ScoresWholeVersions scores as --watch does, behind each wall, with versions
// that are whole and versions that are not.
func TestWatch_ScoresWholeVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	saves, walls := amount.Of(10, 50), []worker.Isolation{worker.Auto, worker.Never}
	if wasmtest.Race {
		saves, walls = 10, walls[:1] // each wall compiles the interpreter
	}
	cache := wasmtest.CacheDir(t)
	for _, wall := range walls {
		t.Run(string(wall), func(t *testing.T) {
			o := host.Options{CacheDir: cache, Isolate: wall}
			c, err := host.Case(`{"output": "x"}`)
			must(t, err)
			path := filepath.Join(t.TempDir(), "score.js")
			var out bytes.Buffer
			p := newProgram(nil, &out, &out) // one, as --watch has: cobra never forgets a flag's completion
			save := func(n int) string {
				text := fmt.Sprintf("const kept = new Uint8Array(1 << 20).fill(1)\nexport const score = () => %d / 100\n", n)
				if n%5 == 4 {
					text = fmt.Sprintf("export const score = () => %d +\n", n)
				}
				must(t, os.WriteFile(path, []byte(text), 0o600))
				out.Reset()
				p.report(scoreOnce(t.Context(), p.console, o, host.Call{Plugin: path}, c, nil, false))
				return out.String()
			}
			first := save(0)
			before, heap := wasmtest.Holds(t), heapOf()
			for n := range saves {
				if got, broken := save(n), n%5 == 4; broken != bytes.Contains([]byte(got), []byte("SyntaxError")) {
					t.Fatalf("save %d: %s", n, got)
				}
			}
			if got := save(0); got != first {
				t.Errorf("%s, at first %s", got, first)
			}
			after := wasmtest.Holds(t)
			if after.Children > before.Children || after.Descriptors > before.Descriptors+4 || after.Mappings > before.Mappings+40 || after.Goroutines > before.Goroutines+4 {
				t.Errorf("%+v became %+v", before, after)
			}
			if now := heapOf(); now > heap+(8<<20) {
				t.Errorf("%d KiB of memory became %d", heap>>10, now>>10)
			}
		})
	}
}

// heapOf returns the bytes that are in use.
func heapOf() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
