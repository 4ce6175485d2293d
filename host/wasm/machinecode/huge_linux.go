package machinecode

import (
	"io"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

const hugePage = 2 << 20 // bytes

// fill reads into a new mapping, with few page faults: into huge pages, which are few misses of the TLB later, too.
// Systems that have none read into pages of 4 KiB.
func fill(b []byte, from io.Reader) (int, error) {
	switch {
	case len(b) < hugePage/2:
		return io.ReadFull(from, b)
	case len(b) > 2*hugePage: // it holds some
		_ = unix.Madvise(b[:len(b)&^(os.Getpagesize()-1)], unix.MADV_HUGEPAGE)
		return io.ReadFull(from, b)
	}
	room, err := unix.Mmap(-1, 0, 3*hugePage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return io.ReadFull(from, b)
	}
	defer unix.Munmap(room) //nolint:errcheck // it was mapped
	huge := room[-uintptr(unsafe.Pointer(&room[0]))%hugePage:]
	_ = unix.Madvise(huge[:2*hugePage], unix.MADV_HUGEPAGE)
	n, err := io.ReadFull(from, huge[:len(b)])
	size := uintptr(len(b)) // the pages move, without their content being copied
	if _, refused := unix.MremapPtr(unsafe.Pointer(&huge[0]), size, unsafe.Pointer(&b[0]), size, unix.MREMAP_MAYMOVE|unix.MREMAP_FIXED|unix.MREMAP_DONTUNMAP); refused != nil {
		copy(b, huge)
	}
	return n, err
}
