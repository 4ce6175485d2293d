package worker

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// TestLoad_MemoriesAreMappingsOfTheImage checks that the system call filter allows
// the calls that images need: without them, every call copies all memory.
func TestLoad_MemoriesAreMappingsOfTheImage(t *testing.T) {
	rt := isolated(t, Options{CacheDir: wasmtest.CacheDir(t)})
	m, err := rt.Load(t.Context(), wasm.Source{Name: "p", Module: scripted(t, `export const score = () => 1`)}, wasm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Call(t.Context(), "score", []byte(question), nil); err != nil {
		t.Fatal(err)
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", processOf(m).cmd.Process.Pid))
	if err != nil {
		wasmtest.NeedsKernel(t, false, "permission to read a worker's memory map (root)")
	}
	if !strings.Contains(string(maps), "memfd:rubric-host-image") {
		t.Error("no memory is a mapping of an image")
	}
}
