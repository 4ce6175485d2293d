package image

import (
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/rubric-host/rubric-host/host/xslices"
)

var errEncoding = errors.New("the bytes are not an image")

// encoding is the magic number of an image.
const encoding = "image 1\n"

// AppendEncoded appends the image in binary form to b. The bytes are the same for the same memory and
// globals, in every process and on every system.
func (im *Image) AppendEncoded(b []byte) []byte {
	wire := xslices.Map(im.nonzero, func(s span) [2]uint64 { return [2]uint64{uint64(s.from), uint64(s.to)} })
	content := 0
	for _, s := range im.nonzero {
		content += s.to - s.from
	}
	b = append(slices.Grow(b, 64+8*len(im.globals)+16*len(wire)+content), encoding...)
	for _, v := range []any{uint64(len(im.b)), uint32(len(im.globals)), im.globals, uint32(len(wire)), wire} {
		b, _ = binary.Append(b, binary.LittleEndian, v) // sizes are fixed
	}
	for _, s := range im.nonzero {
		b = append(b, im.b[s.from:s.to]...)
	}
	return b
}

// Decode reads an image that AppendEncoded wrote. Its memories may grow to max bytes. It refuses
// malformed bytes and larger images, but cannot tell whether the bytes were changed. The content of the memory is not held twice.
func (s *System) Decode(from *io.SectionReader, max uint64) (*Image, error) {
	size, globals, spans, at, err := decode(from, max)
	if err != nil {
		return nil, err
	}
	return s.image(max, size, globals, spans, func(to io.WriterAt) error {
		from, piece := io.NewSectionReader(from, at, from.Size()-at), make([]byte, 64<<10)
		for _, s := range spans {
			for at := s.from; at < s.to; at += len(piece) {
				b := piece[:min(len(piece), s.to-at)]
				if _, err := io.ReadFull(from, b); err != nil {
					return err
				}
				if _, err := to.WriteAt(b, int64(at)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// decode reads all but the content of a memory, which begins at the returned place.
func decode(from *io.SectionReader, max uint64) (size int, globals []uint64, spans []span, at int64, err error) {
	var head struct {
		Magic   [len(encoding)]byte
		Size    uint64
		Globals uint32
	}
	var count uint32
	var wire [][2]uint64
	read := func(v any) bool { return binary.Read(from, binary.LittleEndian, v) == nil }
	left := func() int64 {
		at, _ = from.Seek(0, io.SeekCurrent) // it never fails
		return from.Size() - at
	}
	ok := read(&head) && string(head.Magic[:]) == encoding && int64(head.Globals) <= left()/8
	if ok {
		globals = make([]uint64, head.Globals)
		ok = read(globals) && read(&count) && int64(count) <= left()/16
	}
	if ok {
		wire = make([][2]uint64, count)
		ok = read(wire)
	}
	if !ok || head.Size > max || head.Size%pageSize != 0 {
		return 0, nil, nil, 0, errEncoding
	}
	content, end := uint64(left()), uint64(0)
	for _, s := range wire {
		if s[0] < end || s[1] <= s[0] || s[1] > head.Size || s[0]%block != 0 || s[1]%block != 0 || s[1]-s[0] > content {
			return 0, nil, nil, 0, errEncoding
		}
		spans, end = append(spans, span{int(s[0]), int(s[1])}), s[1]
		content -= s[1] - s[0]
	}
	if content != 0 {
		return 0, nil, nil, 0, errEncoding
	}
	return int(head.Size), globals, spans, at, nil
}

const pageSize = 64 << 10
