package machinecode

import (
	"os"

	"golang.org/x/sys/unix"
)

// preferHuge asks for huge pages for memory that was not touched yet: few faults now, few misses of the TLB later.
func preferHuge(b []byte) {
	// It may fail: not every system has them, and b need not begin with a page.
	_ = unix.Madvise(b[:len(b)&^(os.Getpagesize()-1)], unix.MADV_HUGEPAGE)
}
