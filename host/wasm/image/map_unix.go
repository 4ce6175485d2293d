//go:build linux || darwin || freebsd || netbsd || openbsd

package image

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// reserve reserves an address range without memory.
func reserve(size uint64) ([]byte, error) {
	at, err := unix.MmapPtr(-1, 0, nil, uintptr(size), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	return unsafe.Slice((*byte)(at), size), nil
}

// release unmaps an address range.
func release(space []byte) {
	// It fails only for unmapped memory, and this was mapped.
	_ = unix.MunmapPtr(unsafe.Pointer(unsafe.SliceData(space)), uintptr(len(space)))
}

// protect makes reserved addresses accessible, filled with zeros.
func protect(part []byte) error {
	return os.NewSyscallError("mprotect", unix.Mprotect(part, unix.PROT_READ|unix.PROT_WRITE))
}

// unprotect releases the memory of addresses, which stay reserved.
func unprotect(part []byte) error { return mapAt(part, -1, 0, unix.PROT_NONE, unix.MAP_ANON) }

// attach maps a part of the image privately to the same place in the area.
func (a *area) attach(s span) error {
	return mapAt(a.space[s.from:s.to], int(a.im.file.Fd()), int64(s.from), unix.PROT_READ|unix.PROT_WRITE, 0)
}

// mapAt maps a part of a file, or nothing, over reserved addresses.
func mapAt(part []byte, fd int, from int64, prot, flags int) error {
	_, err := unix.MmapPtr(fd, from, unsafe.Pointer(unsafe.SliceData(part)), uintptr(len(part)), prot, unix.MAP_PRIVATE|unix.MAP_FIXED|flags)
	return os.NewSyscallError("mmap", err)
}

func mapFile(f *os.File, size int) ([]byte, error) {
	at, err := unix.MmapPtr(int(f.Fd()), 0, nil, uintptr(size), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	return unsafe.Slice((*byte)(at), size), nil
}

// advise discards the written pages of a private mapping.
func advise(b []byte) error {
	return os.NewSyscallError("madvise", unix.Madvise(b, unix.MADV_DONTNEED))
}

// unlinked returns a file on disk without a name. Closing its last descriptor deletes it.
func unlinked() (*os.File, error) {
	f, err := os.CreateTemp("", "rubric-host-image-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
