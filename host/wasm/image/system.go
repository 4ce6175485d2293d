package image

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

// A Way is something that the operating system may do for us.
type Way string

// The ways, best first. Copy needs nothing; Scan, Pagemap and Drop need Map, and
// Faults needs Scan or Pagemap, which it saves from being asked.
// Without Memfd, an image lies in a file on disk that has no name.
const (
	Memfd   Way = "memfd"   // images lie in files in memory
	Map     Way = "map"     // memories are private mappings of their image
	Scan    Way = "scan"    // written pages are found by the ioctl PAGEMAP_SCAN (Linux 6.7)
	Pagemap Way = "pagemap" // written pages are found in /proc/self/pagemap
	Faults  Way = "faults"  // without a page fault, no page was written to for the first time
	Drop    Way = "drop"    // written pages are dropped by MADV_DONTNEED
	Copy    Way = "copy"    // memories are compared with their image, and copied
)

// A Finding says whether a way works here.
type Finding struct {
	Way Way
	Err error // why it does not; nil if it does
}

// A System is what works here. It is safe for concurrent use. Close it after
// everything that came from it.
type System struct {
	memfd   bool              // Memfd works
	mapping bool              // Map works
	advise  bool              // Drop works
	find    func(*area) error // Scan or Pagemap: fills area.spans with what was written; nil: neither works
	faults  func(*area) int64 // Faults: how many the thread has taken; nil: it does not work
	pagemap *os.File          // nil unless find is not
	fd      int               // of pagemap
	page    int               // bytes of a page of the system's
	found   []Finding
}

var (
	errDenied = errors.New("denied")
	errNoMap  = errors.New("memories are not mappings")
)

// Probe finds out which ways work, by trying them on a small memory. Those in
// deny count as not working: for tests, and for finding faults.
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
	var tried specimen
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

// Findings returns what was found out, best way first.
func (s *System) Findings() []Finding { return slices.Clone(s.found) }

// Close frees what the system holds.
func (s *System) Close() {
	if s.pagemap != nil {
		// Nothing was written to it.
		_ = s.pagemap.Close()
		s.pagemap = nil
	}
}

// A specimen is a memory that was written to since its image was taken: the
// last byte of the first 64 KiB, which no page of any system is larger than,
// and its own last byte.
type specimen struct {
	first, m *Memory
	im       *Image
}

const (
	triedSize   = 4 << 16
	triedBefore = 1<<16 - 1 // was not zero before either
	triedAfter  = triedSize - 1
	triedFirst  = 1 << 16 // on pages that are not written to before
	triedSecond = 2 << 16
)

// try makes a specimen.
func (s *System) try(t *specimen) (err error) {
	s.mapping = true // for what follows
	if t.first, err = s.mapped(triedSize); err != nil {
		return err
	}
	b := t.first.Reallocate(triedSize)
	if b == nil {
		return errors.New("the system refused memory that was reserved")
	}
	b[triedBefore] = 1
	if t.im = s.Freeze(t.first, nil); t.im.unmapped != nil {
		return t.im.unmapped
	}
	if t.m = t.im.Memory(); !t.m.attached {
		return errors.New("a file exists, but cannot be mapped at the right address")
	}
	t.m.b[triedBefore], t.m.b[triedAfter] = 2, 3
	if t.im.b[triedBefore] != 1 || t.im.b[triedAfter] != 0 {
		return errors.New("writes to a memory change its image")
	}
	return nil
}

// written tries to find the two pages that were written to.
func (t *specimen) written(s *System, find func(*area) error) error {
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
	want := []span{{triedBefore + 1 - page, triedBefore + 1}, {triedAfter + 1 - page, triedAfter + 1}}
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

// drop tries to forget what was written.
func (t *specimen) drop() error {
	if t.m == nil {
		return errNoMap
	}
	if err := advise(t.m.b); err != nil {
		return err
	}
	if t.m.b[triedBefore] != 1 || t.m.b[triedAfter] != 0 {
		return errors.New("writes persist")
	}
	return nil
}

func (t *specimen) close() {
	for _, m := range []*Memory{t.first, t.m} {
		if m != nil {
			m.Free()
		}
	}
	if t.im != nil {
		t.im.Close()
	}
}
