package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// held is the resources of a process and its children. Sizes are in KiB, and 0 where the
// system does not say.
type held struct{ resident, own, mappings, descriptors, goroutines, children int }

func (h held) String() string {
	return fmt.Sprintf("resident %d MiB, own share %d MiB, %d mappings, %d descriptors, %d goroutines, %d workers", h.resident>>10, h.own>>10, h.mappings, h.descriptors, h.goroutines, h.children)
}

func holds() held {
	for range 3 {
		debug.FreeOSMemory() // machine code is freed when it is collected
	}
	h := of("self")
	h.goroutines = runtime.NumGoroutine()
	lists, _ := filepath.Glob("/proc/self/task/*/children") // none: the system has no such thing
	for _, list := range lists {
		b, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for _, child := range strings.Fields(string(b)) {
			c := of(child)
			h.resident, h.own, h.mappings, h.descriptors, h.children = h.resident+c.resident, h.own+c.own, h.mappings+c.mappings, h.descriptors+c.descriptors, h.children+1
		}
	}
	return h
}

func of(process string) (h held) {
	dir := filepath.Join("/proc", process)
	if b, err := os.ReadFile(filepath.Join(dir, "smaps_rollup")); err == nil {
		h.resident, h.own = field(b, "Rss:"), field(b, "Pss:")
	}
	if b, err := os.ReadFile(filepath.Join(dir, "maps")); err == nil {
		h.mappings = bytes.Count(b, []byte("\n"))
	}
	if list, err := os.ReadDir(filepath.Join(dir, "fd")); err == nil {
		h.descriptors = len(list)
	}
	return h
}

// field returns a number of a list of names and numbers.
func field(b []byte, name string) (n int) {
	_, rest, _ := strings.Cut(string(b), "\n"+name)
	_, _ = fmt.Sscan(rest, &n) // 0: it is not there
	return n
}

// grownSince lists resources that have grown more than chance explains.
func (h held) grownSince(first held) error {
	switch {
	case h.own > first.own+first.own/5+(32<<10):
		return fmt.Errorf("memory has grown: %s; it was: %s", h, first)
	case h.mappings > first.mappings+40 || h.descriptors > first.descriptors+8 || h.goroutines > first.goroutines+8 || h.children > first.children:
		return fmt.Errorf("what the process holds has grown: %s; it was: %s", h, first)
	}
	return nil
}
