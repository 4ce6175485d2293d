package machinecode

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"sync"
)

// hugePage is the size of one. From twice as much on, machine code is not held in memory beside wazero's.
const hugePage = 2 << 20

// A Code is machine code that Compile wrote, while it is read. Close it after Open's cache was used.
type Code struct {
	reader func() io.ReadCloser // waits; nil: there is none, or it was refused
	free   func()
}

// Read reads machine code beside its caller. All of it was verified before wazero gets any.
func Read(from *io.SectionReader, verify func(io.Reader) bool) *Code {
	c := &Code{free: func() {}}
	c.reader = sync.OnceValue(func() io.ReadCloser {
		if from.Size() > 2*hugePage {
			if !verify(io.NewSectionReader(from, 0, from.Size())) {
				return nil
			}
			return io.NopCloser(whole{bufio.NewReader(from)})
		}
		var b []byte
		b, c.free = memory(int(from.Size()), start(from))
		if _, err := io.ReadFull(from, b); err != nil || !verify(bytes.NewReader(b)) {
			return nil
		}
		return io.NopCloser(&pages{b})
	})
	if from.Size() > hugePage/2 { // a goroutine takes longer to begin than to read less
		go c.reader()
	}
	return c
}

// Close frees the memory of the code that wazero has not taken.
func (c *Code) Close() {
	c.reader()
	c.free()
}

// start returns where the machine code proper begins in what wazero writes: after its own name and version, the
// number of functions, the place of each, and the size. If that changes, pages are copied.
func start(from io.ReaderAt) int {
	var head [32]byte
	_, _ = from.ReadAt(head[:], 0)
	functions := 7 + int(min(head[6], 20))
	return functions + 4 + 8*int(binary.LittleEndian.Uint32(head[functions:])) + 8
}

// whole reads from a file. wazero reads 8 bytes for each function, then all machine code at once, into a new mapping that
// is to be executable. It expects as much as it asks for.
type whole struct{ from *bufio.Reader }

func (w whole) Read(b []byte) (int, error) {
	if len(b) > hugePage {
		preferHuge(b)
	}
	return io.ReadFull(w.from, b)
}

// pages is whole for a copy in memory, whose pages it gives away.
type pages struct{ rest []byte }

func (p *pages) Read(b []byte) (int, error) {
	if len(p.rest) < len(b) {
		return 0, io.ErrUnexpectedEOF
	}
	moved := 0
	if len(b) > 64<<10 {
		var err error
		if moved, err = move(b, p.rest); err != nil {
			return 0, err
		}
	}
	copy(b[moved:], p.rest[moved:])
	p.rest = p.rest[len(b):]
	return len(b), nil
}
