package wasm_test

import (
	"fmt"
	"os"
)

// residentPages returns how many pages of memory this process has.
func residentPages() (pages int, err error) {
	b, err := os.ReadFile("/proc/self/statm")
	if err == nil {
		var size int
		_, err = fmt.Sscan(string(b), &size, &pages)
	}
	return pages, err
}
