package machinecode

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// TestMemory_IsOneMapping holds for each size, because before Linux 6.17 mremap moves no more than one.
func TestMemory_IsOneMapping(t *testing.T) {
	for size := 1 << 18; size <= 4<<20; size += 1 << 18 {
		b, free := memory(size, 100)
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Fatal(err)
		}
		first := uintptr(unsafe.Pointer(&b[0]))
		whole := false
		for line := range strings.Lines(string(maps)) {
			var from, to uintptr
			if _, err := fmt.Sscanf(line, "%x-%x", &from, &to); err == nil {
				whole = whole || from <= first && first+uintptr(size) <= to
			}
		}
		if !whole {
			t.Errorf("%d bytes lie in several mappings", size)
		}
		free()
	}
}
