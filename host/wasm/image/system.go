package image

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

// A Way is a mechanism of the operating system to restore memories.
type Way string

// The ways, best first. Copy always works. Scan, Pagemap and Drop need Map. Faults needs Scan
// or Pagemap, and saves calling them. Without Memfd, an image lies in an unlinked file on disk.
const (
	Memfd   Way = "memfd"   // images are files in memory
	Map     Way = "map"     // memories are private mappings of their image
	Scan    Way = "scan"    // written pages are found by the ioctl PAGEMAP_SCAN (Linux 6.7)
	Pagemap Way = "pagemap" // written pages are found in /proc/self/pagemap
	Faults  Way = "faults"  // without a page fault of the thread, no page became private
	Drop    Way = "drop"    // written pages are dropped by MADV_DONTNEED
	Copy    Way = "copy"    // memories are compared with their image and copied
)

// A Finding says whether a way works on this machine.
type Finding struct {
	Way Way
	Err error // nil: it works
}

// A System knows the ways that work on this machine. It is safe for concurrent use. Close it
// after its images and memories.
type System struct {
	memfd   bool              // Memfd works
	mapping bool              // Map works
	advise  bool              // Drop works
	find    func(*area) error // Scan or Pagemap: fills area.spans; nil: neither works
	faults  func(*area) int64 // Faults: the page faults of the thread; nil: it does not work
	pagemap *os.File          // nil if find is nil
	fd      int               // of pagemap
	page    int               // bytes of a page
	found   []Finding
}

var (
	errDenied = errors.New("denied")
	errNoMap  = errors.New("memories are not mappings")
)

// Probe tries all ways on a small memory. Those in deny count as not working: for tests and
// for diagnosis.
func Probe(deny ...Way) *System {
	s := &System{page: os.Getpagesize()}
	note := func(w Way, try func() error) bool {
		err := errDenied
		if !slices.Contains(deny, w) {
			err = try()
		}
		s.found = append(s.found, Finding{w, err})
		return err == nil
	}
	s.memfd = note(Memfd, tryMemfd)
	var tried trial
	s.mapping = note(Map, func() error { return s.try(&tried) })
	defer tried.close()
	for _, f := range finders {
		if note(f.way, func() error { return tried.written(s, f.find) }) && s.find == nil {
			s.find = f.find
		}
	}
	if note(Faults, tried.faults) && s.find != nil {
		s.faults = (*area).threadFaults
	}
	s.advise = note(Drop, tried.drop)
	note(Copy, func() error { return nil })
	if s.find == nil {
		s.Close()
	}
	return s
}

// Findings returns the result for each way, best first.
func (s *System) Findings() []Finding { return slices.Clone(s.found) }

// Close closes the files of the system.
func (s *System) Close() {
	if s.pagemap != nil {
		// Nothing was written to it.
		_ = s.pagemap.Close()
		s.pagemap = nil
	}
}

// A trial is a memory of four pages with an image, and two bytes that were written to since: the last
// one of the first page, which is not zero in the image, and the last one of all.
type trial struct {
	first, m      *Memory
	im            *Image
	before, after int // the two bytes
}

func (s *System) try(t *trial) (err error) {
	s.mapping = true // for the mappings below
	t.before, t.after = s.page-1, 4*s.page-1
	if t.first, err = s.mapped(uint64(4 * s.page)); err != nil {
		return err
	}
	b := t.first.Reallocate(uint64(4 * s.page))
	if b == nil {
		return errors.New("the system refused memory that was reserved")
	}
	b[t.before] = 1
	if t.im = s.Freeze(t.first, nil); t.im.notMapped != nil {
		return t.im.notMapped
	}
	if t.m = t.im.Memory(); !t.m.attached {
		return errors.New("a file exists, but cannot be mapped at the right address")
	}
	t.m.b[t.before], t.m.b[t.after] = 2, 3
	if t.im.b[t.before] != 1 || t.im.b[t.after] != 0 {
		return errors.New("writes to a memory change its image")
	}
	return nil
}

// written tries to find the two written pages.
func (t *trial) written(s *System, find func(*area) error) error {
	if t.m == nil {
		return errNoMap
	}
	if err := s.openPagemap(); err != nil {
		return err
	}
	t.m.spans = t.m.spans[:0]
	if err := find(t.m.area); err != nil {
		return err
	}
	page := s.page
	want := []span{{t.before + 1 - page, t.before + 1}, {t.after + 1 - page, t.after + 1}}
	if !slices.Equal(t.m.spans, want) {
		return fmt.Errorf("%v was written to, the system says %v", want, t.m.spans)
	}
	return nil
}

func (s *System) openPagemap() (err error) {
	if s.pagemap == nil {
		if s.pagemap, err = os.Open("/proc/self/pagemap"); err == nil {
			s.fd = int(s.pagemap.Fd())
		}
	}
	return err
}

// drop tries to discard the written pages.
func (t *trial) drop() error {
	if t.m == nil {
		return errNoMap
	}
	if err := advise(t.m.b); err != nil {
		return err
	}
	if t.m.b[t.before] != 1 || t.m.b[t.after] != 0 {
		return errors.New("writes persist")
	}
	return nil
}

func (t *trial) close() {
	for _, m := range []*Memory{t.first, t.m} {
		if m != nil {
			m.Free()
		}
	}
	if t.im != nil {
		t.im.Close()
	}
}
