package worker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A frame is what goes through the pipes: the length of the rest in four bytes,
// the kind in one, the body. Numbers are little-endian.
type kind byte

// Kinds of frames to a worker.
const (
	kindHello   kind = 1 + iota // hello, in JSON; first
	kindModule                  // the bytes of the module; second
	kindCall                    // see appendCall
	kindCancel                  // the number of the call
	kindFound                   // the interpreter that was asked for
	kindMissing                 // there is none: see appendError
	kindTold                    // what came of an ask: see session.answer
)

// Kinds of frames from a worker.
const (
	kindReady  kind = 0x80 + iota // ready, in JSON; first
	kindLoaded                    // loaded, in JSON
	kindFailed                    // the module does not load: see appendError
	kindAnswer                    // see appendAnswer
	kindFault                     // a call failed: see appendFault
	kindNeed                      // the name of the language whose interpreter loading needs; empty: the module itself
	kindAsk                       // something that was granted: see appendAsk
	kindDoing                     // what the worker does next that takes long, while it makes an interpreter ready
	kindMade                      // the image of a script, to be kept; before kindLoaded
)

const headBytes = 5

// errFrame is what is wrong with a stream that does not hold frames.
var errFrame = errors.New("not a frame")

// begin starts a frame at the end of b. end gives it its length.
func begin(b []byte, k kind) []byte { return append(b, 0, 0, 0, 0, byte(k)) }

// end gives the frame that starts at an offset its length.
func end(b []byte, start int) []byte {
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start-4))
	return b
}

// appendFrame appends a whole frame.
func appendFrame(b []byte, k kind, body []byte) []byte {
	start := len(b)
	return end(append(begin(b, k), body...), start)
}

// A frameReader reads frames. The body of one is good until the next is read.
type frameReader struct {
	r    io.Reader
	most int // bytes that a body may have
	buf  []byte
	at   int // of buf, what is not consumed yet
}

// readAhead is the least room for what a read brings: many small frames.
const readAhead = 64 << 10

func newFrameReader(r io.Reader, most int) *frameReader {
	return &frameReader{r: r, most: most, buf: make([]byte, 0, readAhead)}
}

// next returns the next frame. The error is io.EOF at the end between two
// frames, and wraps errFrame for what is none.
func (f *frameReader) next() (kind, []byte, error) {
	if err := f.fill(headBytes); err != nil {
		return 0, nil, err
	}
	size := binary.LittleEndian.Uint32(f.buf[f.at:])
	if size == 0 || uint64(size)-1 > uint64(f.most) {
		return 0, nil, fmt.Errorf("%w: a length of %d, %d allowed", errFrame, size, f.most+1)
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

// fill makes sure that n bytes from at are there.
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

// room makes room for n bytes from at. What a large frame needed is given back
// with the next small one.
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
