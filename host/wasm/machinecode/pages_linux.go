package machinecode

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// memory returns memory of a size in which a page begins at an offset, with few page faults: from 1 MB on huge pages, else on pages
// that the system provides at once. free ends its use.
func memory(size, at int) (b []byte, free func()) {
	room, flags := size+os.Getpagesize(), unix.MAP_ANON|unix.MAP_PRIVATE
	huge := size >= hugePage/2
	if huge {
		room = size + 2*hugePage
	} else {
		flags |= unix.MAP_POPULATE
	}
	all, err := unix.Mmap(-1, 0, room, unix.PROT_READ|unix.PROT_WRITE, flags)
	if err != nil {
		return make([]byte, size), func() {}
	}
	b = all
	if huge {
		preferHuge(all) // all of it: before Linux 6.17, memory of which only a part was advised does not move at once
		b = all[-uintptr(unsafe.Pointer(&all[0]))%hugePage:]
	}
	return b[-at&(os.Getpagesize()-1):][:size], func() { _ = unix.Munmap(all) }
}

// move moves whole pages, without copying their content, to the start of a mapping, and returns the number of bytes: none,
// unless both begin with a page. After an error the mapping may be gone.
func move(to, from []byte) (int, error) {
	n := uintptr(len(to) &^ (os.Getpagesize() - 1))
	const flags = unix.MREMAP_MAYMOVE | unix.MREMAP_FIXED | unix.MREMAP_DONTUNMAP
	_, err := unix.MremapPtr(unsafe.Pointer(&from[0]), n, unsafe.Pointer(&to[0]), n, flags)
	switch err {
	case nil:
		return int(n), nil
	case unix.EINVAL, unix.ENOSYS, unix.EPERM: // the system does not do that, and has done nothing
		return 0, nil
	}
	return 0, err
}

// preferHuge asks for huge pages for memory that was not touched yet: few faults now, few misses of the TLB later.
func preferHuge(b []byte) {
	// It may fail: not every system has them, and b need not begin with a page.
	_ = unix.Madvise(b[:len(b)&^(os.Getpagesize()-1)], unix.MADV_HUGEPAGE)
}
