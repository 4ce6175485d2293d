package worker

import (
	"bufio"
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

func appendFrame(c *coder, k kind, m message) {
	start := len(c.b)
	c.b = append(c.b, 0, 0, 0, 0, byte(k))
	m.fields(c)
	binary.LittleEndian.PutUint32(c.b[start:], uint32(len(c.b)-start-4))
}

// A frameReader reads frames. The body of one is valid until the next is read.
type frameReader struct {
	r    *bufio.Reader
	most int // bytes that a body may have
	head [headBytes]byte
	body []byte // buffer for bodies that are not long
	c    coder  // of decode
}

// readAhead is the buffer for one read, which may bring many small frames.
const readAhead = 64 << 10

func newFrameReader(r io.Reader, most int) *frameReader {
	return &frameReader{r: bufio.NewReaderSize(r, readAhead), most: most, body: make([]byte, readAhead)}
}

// next returns the next frame. The error is io.EOF at the end between two frames, and
// wraps errProtocol for an invalid length.
func (f *frameReader) next() (k kind, body []byte, err error) {
	if _, err := io.ReadFull(f.r, f.head[:]); err != nil {
		return 0, nil, err
	}
	size := binary.LittleEndian.Uint32(f.head[:])
	if size == 0 || uint64(size)-1 > uint64(f.most) {
		return 0, nil, fmt.Errorf("%w: a frame of %d bytes, %d allowed", errProtocol, size, f.most+1)
	}
	if n := int(size) - 1; n <= len(f.body) {
		body = f.body[:n]
	} else {
		body = make([]byte, n)
	}
	if _, err = io.ReadFull(f.r, body); errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return kind(f.head[headBytes-1]), body, err
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
