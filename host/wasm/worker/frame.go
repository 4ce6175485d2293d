package worker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// errProtocol is wrapped by the error of every message that an honest worker does not
// send. Whoever sends one is killed.
var errProtocol = errors.New("protocol violation")

// A frame holds one message: the length of the rest in four bytes, the kind in one, the
// message's fields. Numbers are little-endian.
const headBytes = 5

// appendFrame appends a message to the frames in c.
func appendFrame(c *coder, k kind, m message) {
	start := len(c.b)
	c.b = append(c.b, 0, 0, 0, 0, byte(k))
	m.fields(c)
	binary.LittleEndian.PutUint32(c.b[start:], uint32(len(c.b)-start-4+len(c.last)))
}

// A frameReader reads frames. The body of one is valid until the next is read.
type frameReader struct {
	r    io.Reader
	most int // bytes that a body may have
	buf  []byte
	at   int   // of buf, where unread bytes begin
	c    coder // of decode
}

// readAhead is the least room for one read, which may bring many small frames.
const readAhead = 64 << 10

func newFrameReader(r io.Reader, most int) *frameReader {
	return &frameReader{r: r, most: most, buf: make([]byte, 0, readAhead)}
}

// next returns the next frame. The error is io.EOF at the end between two frames, and
// wraps errProtocol for an invalid length.
func (f *frameReader) next() (kind, []byte, error) {
	if err := f.fill(headBytes); err != nil {
		return 0, nil, err
	}
	size := binary.LittleEndian.Uint32(f.buf[f.at:])
	if size == 0 || uint64(size)-1 > uint64(f.most) {
		return 0, nil, fmt.Errorf("%w: a frame of %d bytes, %d allowed", errProtocol, size, f.most+1)
	}
	if err := f.fill(int(size) + 4); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, nil, err
	}
	whole := f.buf[f.at : f.at+int(size)+4]
	f.at += len(whole)
	return kind(whole[4]), whole[headBytes:], nil
}

// buffered reports whether next returns without reading.
func (f *frameReader) buffered() bool {
	left := f.buf[f.at:]
	return len(left) >= headBytes && uint64(len(left)) >= 4+uint64(binary.LittleEndian.Uint32(left))
}

// decode reads the fields of a message from a body, all of it. Slices and strings are
// copies, in the buffers that m has already. The error wraps errProtocol.
func (f *frameReader) decode(body []byte, k kind, m message) error {
	f.c = coder{b: body, reading: true}
	m.fields(&f.c)
	if len(f.c.b) > 0 {
		f.c.fail(nil)
	}
	if f.c.err != nil {
		return fmt.Errorf("%w: %s of %d bytes: %w", errProtocol, k, len(body), f.c.err)
	}
	return nil
}

// receive reads a message of one kind.
func (f *frameReader) receive(want kind, m message) error {
	k, body, err := f.next()
	if err != nil {
		return err
	}
	if k != want {
		return fmt.Errorf("%w: %s instead of %s", errProtocol, k, want)
	}
	return f.decode(body, k, m)
}

// fill reads until n bytes from at are in the buffer.
func (f *frameReader) fill(n int) error {
	for len(f.buf)-f.at < n {
		f.room(n)
		got, err := f.r.Read(f.buf[len(f.buf):cap(f.buf)])
		f.buf = f.buf[:len(f.buf)+got]
		switch {
		case got > 0:
		case errors.Is(err, io.EOF) && len(f.buf) > f.at:
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
	}
	return nil
}

// room makes room for n bytes from at. The room that a large frame needed is freed with
// the next small one.
func (f *frameReader) room(n int) {
	rest := f.buf[f.at:]
	want := max(n, readAhead)
	switch {
	case cap(f.buf) < want || cap(f.buf) > readAhead && want == readAhead:
		f.buf = append(make([]byte, 0, want), rest...)
	case f.at > 0:
		f.buf = f.buf[:copy(f.buf, rest)]
	default:
		return
	}
	f.at = 0
}
