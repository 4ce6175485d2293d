package image

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// backing returns a file in memory, or if the system has none, on disk.
func (s *System) backing() (*os.File, error) {
	if s.memfd {
		if f, err := inMemory(); err == nil {
			return f, nil
		}
	}
	return unlinked()
}

func inMemory() (*os.File, error) {
	fd, err := unix.MemfdCreate("rubric-host-image", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	return os.NewFile(uintptr(fd), "image"), nil
}

// tryMemfd tries to create a file in memory.
func tryMemfd() error {
	f, err := inMemory()
	if err != nil {
		return err
	}
	return f.Close()
}

// seal makes a file in memory immutable.
func seal(f *os.File) {
	// Files on disk have no seals; no other process has a descriptor of them.
	_, _ = unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SEAL|unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_WRITE)
}

// finders find the private pages of a mapping.
var finders = []finder{{Scan, (*area).scan}, {Pagemap, (*area).readPagemap}}

// scratch has the buffers that the kernel fills.
type scratch struct {
	usage   unix.Rusage
	regions []region
	marks   []uint64
}

func (a *area) base() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(a.b))) }

// Categories of pages, and the number of the ioctl, from linux/fs.h.
const (
	pageIsFile    = 1 << 2
	pageIsPresent = 1 << 3
	pageIsSwapped = 1 << 4

	pagemapScan = 3<<30 | unsafe.Sizeof(scanArg{})<<16 | 'f'<<8 | 16
)

// scanArg is struct pm_scan_arg.
type scanArg struct {
	size, flags, start, end, walkEnd, vec, vecLen, maxPages uint64
	inverted, mask, anyOf, returned                         uint64
}

// region is struct page_region.
type region struct{ start, end, categories uint64 }

// regions is the number of regions that the kernel returns at once.
const regions = 128

// scan asks for pages that are present and not the file's.
func (a *area) scan() error {
	if a.regions == nil {
		a.regions = make([]region, regions)
	}
	base := uint64(a.base())
	arg := scanArg{
		start: base, end: base + uint64(len(a.b)),
		vec: uint64(uintptr(unsafe.Pointer(&a.regions[0]))), vecLen: regions,
		inverted: pageIsFile, mask: pageIsFile, anyOf: pageIsPresent | pageIsSwapped, returned: pageIsPresent,
	}
	arg.size = uint64(unsafe.Sizeof(arg))
	for arg.start < arg.end {
		n, _, errno := unix.RawSyscall(unix.SYS_IOCTL, uintptr(a.sys.fd), pagemapScan, uintptr(unsafe.Pointer(&arg)))
		if errno != 0 {
			return os.NewSyscallError("ioctl", errno)
		}
		for _, r := range a.regions[:n] {
			a.spans = append(a.spans, span{int(r.start - base), int(r.end - base)})
		}
		if arg.walkEnd <= arg.start {
			return errors.New("the scan does not advance")
		}
		arg.start = arg.walkEnd
	}
	return nil
}

// Bits of an entry of /proc/self/pagemap, from the kernel's admin-guide/mm/pagemap.
const (
	entryPresent = 1 << 63
	entrySwapped = 1 << 62
	entryFile    = 1 << 61 // of the file, or shared
)

// entries is the number of entries to read at once.
const entries = 1024

// readPagemap reads the entry of every page.
func (a *area) readPagemap() error {
	page := a.sys.page
	pages := len(a.b) / page
	if a.marks == nil {
		a.marks = make([]uint64, min(pages, entries))
	}
	first := int64(a.base()) / int64(page)
	for at := 0; at < pages; at += len(a.marks) {
		marks := a.marks[:min(len(a.marks), pages-at)]
		raw := unsafe.Slice((*byte)(unsafe.Pointer(&marks[0])), 8*len(marks))
		if n, err := unix.Pread(a.sys.fd, raw, 8*(first+int64(at))); err != nil || n != len(raw) {
			return errors.Join(errors.New("/proc/self/pagemap ends early"), err)
		}
		for i, m := range marks {
			if m&(entryPresent|entrySwapped) != 0 && m&entryFile == 0 {
				a.spans = extend(a.spans, (at+i)*page, (at+i+1)*page)
			}
		}
	}
	return nil
}

// threadFaults returns the page faults of this thread, including those of the kernel on its
// behalf; -1: unknown.
func (a *area) threadFaults() int64 {
	if _, _, errno := unix.RawSyscall(unix.SYS_GETRUSAGE, unix.RUSAGE_THREAD, uintptr(unsafe.Pointer(&a.usage)), 0); errno != 0 {
		return -1
	}
	return a.usage.Minflt + a.usage.Majflt
}

// faults tries whether the first write to a page is counted, by this thread and by the
// kernel on its behalf.
func (t *trial) faults() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if t.m == nil {
		return errNoMap
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	defer w.Close()
	if _, err := w.Write([]byte{1}); err != nil {
		return err
	}
	first, second := t.m.b[t.m.sys.page:], t.m.b[2*t.m.sys.page:][:1] // on pages that were not written to
	counts := []int64{t.m.threadFaults()}
	first[0]++
	counts = append(counts, t.m.threadFaults())
	if _, err := unix.Read(int(r.Fd()), second); err != nil {
		return os.NewSyscallError("read", err)
	}
	counts = append(counts, t.m.threadFaults())
	if counts[0] < 0 || counts[1] <= counts[0] || counts[2] <= counts[1] {
		return fmt.Errorf("the first write to a page is not counted: %v", counts)
	}
	return nil
}
