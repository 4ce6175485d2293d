package wasmtest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
)

// Held counts the resources of this process: only Goroutines where there is no /proc.
type Held struct {
	Mappings, Descriptors, Goroutines, Children int

	KiB int // of memory, its share of what others have too, with that of its children
}

// Holds counts after a garbage collection, which frees unused machine code.
func Holds(t testing.TB) Held {
	t.Helper()
	for range 3 {
		debug.FreeOSMemory()
	}
	h := Held{Goroutines: runtime.NumGoroutine()}
	if runtime.GOOS != "linux" {
		return h
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	h.Mappings, h.Descriptors, h.KiB = bytes.Count(maps, []byte("\n")), len(open), share("self")
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		b, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for _, child := range bytes.Fields(b) {
			h.Children++
			h.KiB += share(string(child))
		}
	}
	return h
}

// share returns the memory of a process in KiB, 0 if it has ended.
func share(process string) (kib int) {
	b, _ := os.ReadFile(filepath.Join("/proc", process, "smaps_rollup"))
	_, rest, _ := bytes.Cut(b, []byte("\nPss:"))
	_, _ = fmt.Sscan(string(rest), &kib)
	return kib
}
