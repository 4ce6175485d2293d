package image

import (
	"bytes"
	"errors"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// An Image is the state of an instance at one moment: its memory and the values
// of its mutable globals. It does not change, and is safe for concurrent use.
// Close it after its memories.
type Image struct {
	sys     *System
	max     uint64 // bytes that its memories may grow to
	b       []byte // what the memory holds
	holds   []span // what of it is not zero, in blocks
	globals []uint64

	file     *os.File // holds b; nil: b lies on the heap
	unmapped error    // why it does

	watchable atomic.Int32 // memories that may be

	mu     sync.Mutex
	idle   []*area // as the image is, ready to be used again
	closed bool
}

// A part is some of a memory.
type part struct {
	span
	b []byte
}

// Freeze makes an image of what a memory holds now, and of the globals that go
// with it. The memory stays what it is.
func (s *System) Freeze(m *Memory, globals []uint64) *Image {
	spans := []span{{0, len(m.b)}}
	if m.space != nil && m.im == nil && s.find != nil && m.written() == nil {
		spans = m.spans // the rest was never written to: to look would take page faults
	}
	return s.image(m.max, len(m.b), split(m.b, spans), slices.Clone(globals))
}

// image makes an image of all that is not zero in it.
func (s *System) image(max uint64, size int, parts []part, globals []uint64) *Image {
	im := &Image{sys: s, max: max, globals: globals, unmapped: errNoMap}
	for _, p := range parts {
		im.holds = extend(im.holds, p.from, p.to)
	}
	if s.mapping && size > 0 {
		im.unmapped = im.store(size, parts)
	}
	if im.file == nil {
		im.b = make([]byte, size)
		for _, p := range parts {
			copy(im.b[p.from:], p.b)
		}
	}
	return im
}

// store puts all parts into a file of our own and maps that.
func (im *Image) store(size int, parts []part) error {
	f, err := im.sys.backing()
	if err != nil {
		return err
	}
	err = f.Truncate(int64(size))
	for _, p := range parts {
		if err == nil {
			_, err = f.WriteAt(p.b, int64(p.from))
		}
	}
	if err == nil {
		seal(f)
		im.b, err = mapFile(f, size)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	im.file = f
	return nil
}

// Size returns the bytes of memory.
func (im *Image) Size() int { return len(im.b) }

// Globals returns the values of the globals. They must not be changed.
func (im *Image) Globals() []uint64 { return im.globals }

// Memory returns a memory that holds what the image does.
func (im *Image) Memory() *Memory {
	if a := im.take(); a != nil {
		return &Memory{a}
	}
	if im.file != nil {
		if m, err := im.sys.mapped(im.max); err == nil {
			m.im = im
			if all := (span{0, len(im.b)}); m.attach(all) == nil {
				m.b, m.attached = m.space[:all.to:all.to], true
				m.watchable = im.admit()
				return m
			}
			m.unmap()
		}
	}
	return &Memory{&area{sys: im.sys, im: im, max: im.max, b: bytes.Clone(im.b)}}
}

// mostWatched is how many memories of an image can be watched at once, for each
// processor.
const mostWatched = 4

// admit reports whether one more memory can be watched.
func (im *Image) admit() bool {
	if im.sys.faults == nil {
		return false
	}
	if int(im.watchable.Add(1)) > mostWatched*runtime.GOMAXPROCS(0) {
		im.watchable.Add(-1)
		return false
	}
	return true
}

// MemoryUpTo is Memory, of a memory that may grow to max bytes if that is less
// than those of the image.
func (im *Image) MemoryUpTo(max uint64) *Memory {
	m := im.Memory()
	m.max = min(m.max, max)
	return m
}

// take returns an area that was used before, or nil.
func (im *Image) take() *area {
	im.mu.Lock()
	defer im.mu.Unlock()
	last := len(im.idle) - 1
	if last < 0 {
		return nil
	}
	a := im.idle[last]
	im.idle = im.idle[:last]
	return a
}

// keep puts an area back to what the image is, for the next memory. It reports
// false if there are enough of them.
func (im *Image) keep(a *area) bool {
	if !a.shrink() {
		return false
	}
	a.max = im.max
	a.restore()
	im.mu.Lock()
	defer im.mu.Unlock()
	if im.closed || len(im.idle) >= runtime.GOMAXPROCS(0) {
		return false
	}
	im.idle = append(im.idle, a)
	return true
}

// Close frees the image.
func (im *Image) Close() {
	im.mu.Lock()
	defer im.mu.Unlock()
	im.closed = true
	for _, a := range im.idle {
		a.unmap()
	}
	im.idle = nil
	if im.file != nil {
		release(im.b)
		// What it held is gone with it.
		_ = im.file.Close()
	}
	im.b, im.file = nil, nil
}

// zeros is what a block is compared with.
var zeros [block]byte

// split returns the parts of the spans of a memory that are not zero.
func split(memory []byte, spans []span) (parts []part) {
	for _, s := range spans {
		for at := s.from; at < s.to; at += block {
			if bytes.Equal(memory[at:at+block], zeros[:]) {
				continue
			}
			if last := len(parts) - 1; last >= 0 && parts[last].to == at {
				parts[last].to += block
				parts[last].b = memory[parts[last].from:parts[last].to]
				continue
			}
			parts = append(parts, part{span{at, at + block}, memory[at : at+block]})
		}
	}
	return parts
}
