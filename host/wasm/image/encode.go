package image

import (
	"bytes"
	"encoding/binary"
	"errors"
)

var errEncoding = errors.New("the bytes are not an image")

// Magic numbers of an image, and of the difference to another.
const (
	encoding   = "image 1\n"
	difference = "image +\n"
)

// AppendEncoded appends the image in binary form to b, as the difference to base unless
// that is nil. The bytes are the same for the same memory and globals, in every process and
// on every system.
func (im *Image) AppendEncoded(b []byte, base *Image) []byte {
	spans, begins := im.nonzero, encoding
	if base != nil {
		spans, begins = im.changes(base), difference
	}
	le := binary.LittleEndian
	b = append(b, begins...)
	b = le.AppendUint64(b, uint64(len(im.b)))
	b = le.AppendUint32(b, uint32(len(im.globals)))
	for _, g := range im.globals {
		b = le.AppendUint64(b, g)
	}
	b = le.AppendUint32(b, uint32(len(spans)))
	for _, s := range spans {
		b = le.AppendUint64(b, uint64(s.from))
		b = le.AppendUint64(b, uint64(s.to))
	}
	for _, s := range spans {
		b = append(b, im.b[s.from:s.to]...)
	}
	return b
}

// changes returns the blocks that differ from base.
func (im *Image) changes(base *Image) (spans []span) {
	if im.base == base {
		return im.changed
	}
	for _, p := range differing(im.b, base.b, []span{{0, len(im.b)}}) {
		spans = append(spans, p.span)
	}
	return spans
}

// Decode reads an image that AppendEncoded wrote with the same base. Its memories may grow
// to max bytes. It refuses malformed bytes and larger images, but cannot tell whether the
// bytes were changed. It does not keep b.
func (s *System) Decode(b []byte, base *Image, max uint64) (*Image, error) {
	begins := encoding
	if base != nil {
		begins = difference
	}
	size, globals, parts, err := decode(b, begins, max)
	switch {
	case err != nil:
		return nil, err
	case base == nil:
		return s.image(max, size, parts, globals), nil
	case size < len(base.b):
		return nil, errEncoding
	}
	return s.image(max, size, overlay(base, size, parts), globals), nil
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

// decode reads the size of a memory, its globals and parts.
func decode(b []byte, begins string, max uint64) (int, []uint64, []part, error) {
	r := decoder{b: b}
	if string(r.take(len(begins))) != begins {
		return 0, nil, nil, errEncoding
	}
	size := r.uint64()
	if size > max || size%pageSize != 0 {
		return 0, nil, nil, errEncoding
	}
	globals := make([]uint64, r.count(8))
	for k := range globals {
		globals[k] = r.uint64()
	}
	parts := make([]part, r.count(16))
	at := uint64(0)
	for k := range parts {
		from, to := r.uint64(), r.uint64()
		if from < at || to <= from || to > size || from%block != 0 || to%block != 0 {
			return 0, nil, nil, errEncoding
		}
		parts[k].span, at = span{int(from), int(to)}, to
	}
	for k := range parts {
		parts[k].b = r.take(parts[k].to - parts[k].from)
	}
	if r.short || len(r.b) != 0 {
		return 0, nil, nil, errEncoding
	}
	return int(size), globals, parts, nil
}

const pageSize = 64 << 10

// A decoder takes bytes from the front. If there are too few, it returns nil and sets short.
type decoder struct {
	b     []byte
	short bool
}

func (r *decoder) take(n int) []byte {
	if n > len(r.b) {
		r.short, r.b = true, nil
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *decoder) uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// count reads a number of entries of so many bytes each, bounded by the bytes left.
func (r *decoder) count(bytes int) int {
	if b := r.take(4); b != nil {
		n := int(binary.LittleEndian.Uint32(b))
		if n <= len(r.b)/bytes {
			return n
		}
	}
	r.short, r.b = true, nil
	return 0
}
