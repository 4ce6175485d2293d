package image

import "runtime"

// A Memory is one linear memory. One goroutine uses it at a time. It has the
// methods of wazero's experimental.LinearMemory.
type Memory struct{ *area }

// An area is the address range behind a memory. Its image may recycle it for another Memory.
type area struct {
	sys   *System
	im    *Image // nil: not frozen yet
	max   uint64 // bytes: maximum size
	b     []byte // the accessible part
	space []byte // addresses reserved for b; nil: b lies on the heap

	starved   bool     // the system denied bytes
	attached  bool     // space is a private mapping of the image's file
	unchanged []uint16 // by page: number of restores in a row that found it unchanged
	spans     []span   // if known: the pages that are private to the mapping
	watchable bool     // it may be watched
	known     bool     // spans are valid since the last restore
	watched   bool     // since Watch
	faults    int64    // page faults of the thread at Watch
	kept      []span   // scratch
	cold      []span   // scratch
	touched   byte     // scratch
	scratch            // of the finder
}

// A span is a range of bytes in an area.
type span struct{ from, to int }

// extend appends a range to spans, or extends the last span if they touch.
func extend(spans []span, from, to int) []span {
	if last := len(spans) - 1; last >= 0 && spans[last].to == from {
		spans[last].to = to
		return spans
	}
	return append(spans, span{from, to})
}

// A finder appends the written pages of an area to its spans.
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

// Reallocate grows the accessible part to size bytes, and returns it. It returns nil if the
// size exceeds the maximum, or the system refuses memory.
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

// Starved reports whether Reallocate returned nil although the size was allowed: the system
// refused memory, which it may not do next time.
func (m *Memory) Starved() bool { return m.starved }

// Watch starts to count page faults, until the same goroutine calls Restore or Free. Only this
// goroutine may use the memory meanwhile; it is locked to its thread. If the thread takes no
// page fault, no page of the memory became private, and Restore need not ask the kernel.
//
// A few memories of an image per processor can be watched; for others, Watch does nothing. A
// goroutine that blocks while it watches blocks its thread.
func (m *Memory) Watch() {
	a := m.area
	if a.known && !a.watched && a.watchable {
		runtime.LockOSThread()
		a.faults, a.watched = a.sys.faults(a), true
	}
}

// unwatch ends a Watch, and reports whether spans are still valid.
func (a *area) unwatch() bool {
	if !a.watched {
		return false
	}
	now := a.sys.faults(a)
	runtime.UnlockOSThread()
	a.watched = false
	return a.known && now == a.faults && now >= 0
}

// Bytes returns the accessible part. It is valid until the memory grows or is freed.
func (m *Memory) Bytes() []byte { return m.b }

// Free ends the use of a memory. Freeing it again does nothing.
func (m *Memory) Free() {
	a := m.area
	if a == nil {
		return
	}
	m.area = nil
	a.unwatch()
	if a.im == nil || !a.im.recycle(a) {
		a.unmap()
	}
}

// unmap releases the address range.
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
