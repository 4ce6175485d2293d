package image

import "runtime"

// A Memory is one linear memory. One goroutine uses it at a time. It has the
// methods of wazero's experimental.LinearMemory.
type Memory struct{ *area }

// An area is the address range behind a memory. It outlives the Memory if its
// image keeps it for the next one.
type area struct {
	sys   *System
	im    *Image // nil: not frozen yet
	max   uint64 // bytes that it may grow to
	b     []byte // what is accessible
	space []byte // addresses reserved for b; nil: b lies on the heap

	starved   bool    // the system denied bytes
	attached  bool    // space is a private mapping of the image's file
	looks     []uint8 // for each page of the system, how often in a row it was looked at for nothing
	spans     []span  // the pages that are its own, where known says so
	watchable bool    // it may be watched
	known     bool    // spans are what was its own after the last restore
	watched   bool    // since Watch
	faults    int64   // that the thread had taken at Watch
	cold      []span  // scratch
	answers           // scratch
}

// A span is a range of bytes in an area.
type span struct{ from, to int }

// extend adds a part after the last span, or to it if it goes on there.
func extend(spans []span, from, to int) []span {
	if last := len(spans) - 1; last >= 0 && spans[last].to == from {
		spans[last].to = to
		return spans
	}
	return append(spans, span{from, to})
}

// A finder finds the pages of an area that were written to, and adds them to
// its spans.
type finder struct {
	way  Way
	find func(*area) error
}

// Memory returns an empty memory, zeroed as it grows to max bytes at most.
func (s *System) Memory(max uint64) *Memory {
	if s.mapping {
		if m, err := s.mapped(max); err == nil {
			return m
		}
	}
	return &Memory{&area{sys: s, max: max}}
}

// mapped returns an empty memory that is a mapping.
func (s *System) mapped(max uint64) (*Memory, error) {
	space, err := reserve(max)
	if err != nil {
		return nil, err
	}
	return &Memory{&area{sys: s, max: max, space: space, b: space[:0:0]}}, nil
}

// Reallocate makes size bytes accessible, if that is more than there are, and
// returns them. It returns nil if they are not to be had.
func (m *Memory) Reallocate(size uint64) []byte {
	a := m.area
	has := uint64(len(a.b))
	switch {
	case size > a.max:
		return nil
	case size <= has:
		return a.b[:size:size]
	case a.space != nil:
		if protect(a.space[has:size]) != nil {
			a.starved = true
			return nil
		}
		a.b = a.space[:size:size]
	default:
		b := make([]byte, size)
		copy(b, a.b)
		a.b = b
	}
	return a.b
}

// Starved reports whether Reallocate returned nil although the size was allowed:
// the system had no more, and another time may have.
func (m *Memory) Starved() bool { return m.starved }

// Watch begins a time in which this goroutine alone uses the memory; Restore or
// Free end it, by the same goroutine, which is held to its thread until then. If
// the thread takes no page fault meanwhile, no page can have become the memory's
// own, and Restore need not ask the kernel.
//
// Of an image, a few memories for each processor can be watched, others it leaves
// alone: a goroutine that has to wait in such a time keeps its thread waiting.
func (m *Memory) Watch() {
	a := m.area
	if a.known && !a.watched && a.watchable {
		runtime.LockOSThread()
		a.faults, a.watched = a.sys.faults(a), true
	}
}

// unwatch ends a Watch, and reports whether spans still hold.
func (a *area) unwatch() bool {
	if !a.watched {
		return false
	}
	now := a.sys.faults(a)
	runtime.UnlockOSThread()
	a.watched = false
	return a.known && now == a.faults && now >= 0
}

// Bytes returns what is accessible, until the memory grows or is freed.
func (m *Memory) Bytes() []byte { return m.b }

// Free ends the use of a memory. Freeing it again does nothing.
func (m *Memory) Free() {
	a := m.area
	if a == nil {
		return
	}
	m.area = nil
	a.unwatch()
	if a.im == nil || !a.im.keep(a) {
		a.unmap()
	}
}

// unmap gives the addresses back.
func (a *area) unmap() {
	if a.space != nil {
		release(a.space)
	}
	a.space, a.b = nil, nil
	if a.watchable {
		a.watchable = false
		a.im.watchable.Add(-1)
	}
}
