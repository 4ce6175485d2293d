package wasmtest

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Held counts the resources of this process.
type Held struct{ Mappings, Descriptors, Goroutines, Children int }

// Holds counts after a garbage collection, which frees unused machine code.
func Holds(t testing.TB) Held {
	t.Helper()
	for range 3 {
		runtime.GC()
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	h := Held{Mappings: bytes.Count(maps, []byte("\n")), Descriptors: len(open), Goroutines: runtime.NumGoroutine()}
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		b, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		h.Children += len(bytes.Fields(b))
	}
	return h
}
