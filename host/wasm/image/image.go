package image

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rubric-host/rubric-host/host/xslices"
)

// An Image is a snapshot of an instance: its memory and the values of its mutable globals. It
// is immutable and safe for concurrent use. Close it after its memories.
type Image struct {
	sys     *System
	max     uint64 // bytes: maximum size of its memories
	b       []byte // content of the memory
	nonzero []span // the blocks of b that are not all zero
	globals []uint64

	file      *os.File // nonzero b; nil: b lies on the heap
	notMapped error    // why b lies on the heap

	watchable atomic.Int32 // number of memories that may be watched

	mu     sync.Mutex
	idle   []*area // equal to the image, for reuse
	closed bool
}

// A part is a range of a memory with its content.
type part struct {
	span
	b []byte
}

// Freeze makes an image of a memory and of the globals that go with it. The memory does not
// change.
func (s *System) Freeze(m *Memory, globals []uint64) *Image {
	spans, globals := []span{{0, len(m.b)}}, slices.Clone(globals)
	found := (m.attached || m.space != nil && m.im == nil) && s.find != nil && m.written() == nil
	if found {
		spans = m.spans // the rest was never written to, and reading it would take page faults
	}
	var parts []part
	if !found || m.im == nil {
		parts = differing(m.b, nil, spans)
	} else {
		parts = overlay(m.im, len(m.b), differing(m.b, m.im.b, spans))
	}
	im, _ := s.image(m.max, len(m.b), globals, xslices.Map(parts, func(p part) span { return p.span }), func(to io.WriterAt) error {
		for _, p := range parts {
			if _, err := to.WriteAt(p.b, int64(p.from)); err != nil {
				return err
			}
		}
		return nil
	}) // a heap takes everything
	return im
}

// overlay returns the nonzero parts of an image in which some parts are replaced.
func overlay(base *Image, size int, changed []part) (parts []part) {
	blocks := make([][]byte, size/block)
	for _, s := range base.nonzero {
		for at := s.from; at < s.to; at += block {
			blocks[at/block] = base.b[at : at+block]
		}
	}
	for _, p := range changed {
		for at := p.from; at < p.to; at += block {
			b := p.b[at-p.from : at-p.from+block]
			if bytes.Equal(b, zeros[:]) {
				b = nil
			}
			blocks[at/block] = b
		}
	}
	for k, b := range blocks {
		if b != nil {
			parts = join(parts, k*block, b)
		}
	}
	return parts
}

// image makes an image that is zero but for some spans, which write writes: to a file of our own or, if
// that fails, to the heap.
func (s *System) image(max uint64, size int, globals []uint64, spans []span, write func(io.WriterAt) error) (*Image, error) {
	im := &Image{sys: s, max: max, globals: globals, notMapped: errNoMap}
	for _, s := range spans {
		im.nonzero = extend(im.nonzero, s.from, s.to)
	}
	if s.mapping && size > 0 {
		im.notMapped = im.store(size, write)
	}
	if im.file == nil {
		im.b = make([]byte, size)
		if err := write(heap(im.b)); err != nil {
			return nil, err
		}
	}
	return im, nil
}

// A heap is memory that can be written to as a file is.
type heap []byte

func (h heap) WriteAt(b []byte, at int64) (int, error) { return copy(h[at:], b), nil }

// store has the content written to a file of our own and maps it.
func (im *Image) store(size int, write func(io.WriterAt) error) error {
	f, err := im.sys.backing()
	if err != nil {
		return err
	}
	if err = f.Truncate(int64(size)); err == nil {
		err = write(f)
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

// Memory returns a memory with the content of the image.
func (im *Image) Memory() *Memory {
	if a := im.recycled(); a != nil {
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

// maxWatched is the number of memories of an image that can be watched at once, per processor.
const maxWatched = 4

// admit reports whether one more memory can be watched.
func (im *Image) admit() bool {
	if im.sys.faults == nil {
		return false
	}
	if int(im.watchable.Add(1)) > maxWatched*runtime.GOMAXPROCS(0) {
		im.watchable.Add(-1)
		return false
	}
	return true
}

// MemoryUpTo is Memory with a maximum size of max bytes, if that is less than that of the
// image.
func (im *Image) MemoryUpTo(max uint64) *Memory {
	m := im.Memory()
	m.max = min(m.max, max)
	return m
}

// recycled returns an area that was used before and restored, or nil.
func (im *Image) recycled() *area {
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

// recycle restores an area for the next memory. It reports false if enough areas are idle.
func (im *Image) recycle(a *area) bool {
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
		// Its content is not needed any more.
		_ = im.file.Close()
	}
	im.b, im.file = nil, nil
}

var zeros [block]byte

// differing returns the parts of spans of a memory that differ from what was there, which is zero
// beyond the end of was.
func differing(memory, was []byte, spans []span) (parts []part) {
	for _, s := range spans {
		for at := s.from; at < s.to; at += block {
			before := zeros[:]
			if at < len(was) {
				before = was[at : at+block]
			}
			if b := memory[at : at+block]; !bytes.Equal(b, before) {
				parts = join(parts, at, b)
			}
		}
	}
	return parts
}

// join appends a block to parts, or extends the last part if that ends before it, in the memory and
// where its bytes lie.
func join(parts []part, at int, b []byte) []part {
	if last := len(parts) - 1; last >= 0 && parts[last].to == at {
		p := &parts[last]
		if n := len(p.b); cap(p.b) > n && &p.b[:n+1][n] == &b[0] {
			p.b, p.to = p.b[:n+block], at+block
			return parts
		}
	}
	return append(parts, part{span{at, at + block}, b})
}
