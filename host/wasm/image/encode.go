package image

import (
	"encoding/binary"
	"errors"
)

// errEncoding says that bytes are no image.
var errEncoding = errors.New("the bytes are no image")

// encoding begins what AppendEncoded writes.
const encoding = "image 1\n"

// AppendEncoded appends all that an image is to b: the same bytes for the same
// memory and globals, in every process and on every system.
func (im *Image) AppendEncoded(b []byte) []byte {
	le := binary.LittleEndian
	b = append(b, encoding...)
	b = le.AppendUint64(b, uint64(len(im.b)))
	b = le.AppendUint32(b, uint32(len(im.globals)))
	for _, g := range im.globals {
		b = le.AppendUint64(b, g)
	}
	b = le.AppendUint32(b, uint32(len(im.holds)))
	for _, s := range im.holds {
		b = le.AppendUint64(b, uint64(s.from))
		b = le.AppendUint64(b, uint64(s.to))
	}
	for _, s := range im.holds {
		b = append(b, im.b[s.from:s.to]...)
	}
	return b
}

// Decode makes the image that AppendEncoded wrote, whose memories may grow to max
// bytes. It refuses what is no image, or is larger than max; it does not know
// whether the bytes are those that were written. b is not kept.
func (s *System) Decode(b []byte, max uint64) (*Image, error) {
	r := decoder{b: b}
	if string(r.take(len(encoding))) != encoding {
		return nil, errEncoding
	}
	size := r.uint64()
	globals := make([]uint64, r.count(8))
	for k := range globals {
		globals[k] = r.uint64()
	}
	parts := make([]part, r.count(16))
	at := uint64(0)
	for k := range parts {
		from, to := r.uint64(), r.uint64()
		if from < at || to <= from || to > size || from%block != 0 || to%block != 0 {
			return nil, errEncoding
		}
		parts[k].span, at = span{int(from), int(to)}, to
	}
	for k := range parts {
		parts[k].b = r.take(parts[k].to - parts[k].from)
	}
	if r.short || len(r.b) != 0 || size > max || size%pageSize != 0 {
		return nil, errEncoding
	}
	return s.image(max, int(size), parts, globals), nil
}

// pageSize is that of a WebAssembly memory.
const pageSize = 64 << 10

// A decoder takes bytes from the front. What is not there reads as nothing, and
// short says so.
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

// count reads a number of entries of so many bytes, at most as many as there can
// be.
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
