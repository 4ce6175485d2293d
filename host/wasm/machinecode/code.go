package machinecode

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"sync"
)

const hugePage = 2 << 20 // bytes

// A Code reads machine code that Compile wrote. Close it after the cache of Open was used.
type Code struct {
	reader func() io.Reader // waits; nil: there is none, or it was refused
	close  func()
}

// Read reads machine code: up to 4 MB in a goroutine, more when wazero asks for it. wazero gets nothing before all of it
// was verified.
func Read(from *io.SectionReader, verify func(io.Reader) bool) *Code {
	c := &Code{close: func() {}}
	if size := from.Size(); size > 2*hugePage {
		c.reader = sync.OnceValue(func() io.Reader {
			if !verify(io.NewSectionReader(from, 0, size)) {
				return nil
			}
			return whole{bufio.NewReader(from)}
		})
		return c
	}
	free := func() {}
	c.reader = sync.OnceValue(func() io.Reader {
		var b []byte
		b, free = memory(int(from.Size()), start(from))
		if _, err := io.ReadFull(from, b); err != nil || !verify(bytes.NewBuffer(b)) {
			return nil
		}
		return &pages{b}
	})
	c.close = func() {
		c.reader()
		free() // what wazero has not taken
	}
	go c.reader()
	return c
}

// Close ends the reading.
func (c *Code) Close() { c.close() }

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

// pages reads from a copy in memory, as whole does from a file. It moves the copy's pages where it can.
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
