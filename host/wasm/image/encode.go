package image

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/rubric-host/rubric-host/host/xslices"
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
	wire := xslices.Map(spans, func(s span) [2]uint64 { return [2]uint64{uint64(s.from), uint64(s.to)} })
	b = append(b, begins...)
	for _, v := range []any{uint64(len(im.b)), uint32(len(im.globals)), im.globals, uint32(len(spans)), wire} {
		b, _ = binary.Append(b, binary.LittleEndian, v) // sizes are fixed
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
	b, ok := bytes.CutPrefix(b, []byte(begins))
	read := func(v any) {
		n, err := binary.Decode(b, binary.LittleEndian, v)
		ok, b = ok && err == nil, b[n:]
	}
	var size uint64
	var globals []uint64
	var spans [][2]uint64
	var count uint32
	read(&size)
	if read(&count); ok && uint64(count) <= uint64(len(b)/8) {
		globals = make([]uint64, count)
		read(globals)
	} else {
		ok = false
	}
	if read(&count); ok && uint64(count) <= uint64(len(b)/16) {
		spans = make([][2]uint64, count)
		read(spans)
	} else {
		ok = false
	}
	if !ok || size > max || size%pageSize != 0 {
		return 0, nil, nil, errEncoding
	}
	parts := make([]part, len(spans))
	at := uint64(0)
	for k, s := range spans {
		from, to := s[0], s[1]
		if from < at || to <= from || to > size || from%block != 0 || to%block != 0 || to-from > uint64(len(b)) {
			return 0, nil, nil, errEncoding
		}
		parts[k], at = part{span{int(from), int(to)}, b[:to-from]}, to
		b = b[to-from:]
	}
	if len(b) != 0 {
		return 0, nil, nil, errEncoding
	}
	return int(size), globals, parts, nil
}

const pageSize = 64 << 10
