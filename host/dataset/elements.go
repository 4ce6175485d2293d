package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// elements cuts JSON: a row for each element of a list, or for each of several
// values one after the other. It only counts brackets and quotes: a broken
// element is found when it is parsed, and the next one is read all the same,
// where jsontext would stop.
type elements struct {
	in     *bufio.Reader
	limit  int
	pos    diag.Pos // of the next byte
	buf    []byte
	list   bool // inside a list
	count  int  // elements read
	begun  bool
	ended  bool
	failed *diag.Diagnostic
}

func newElements(in *bufio.Reader, name string, limit int) splitter {
	return &elements{in: in, limit: limit, pos: diag.Pos{File: name, Line: 1, Column: 1}}
}

func (e *elements) problem() *diag.Diagnostic { return e.failed }

func (e *elements) next(row *rawRow) bool {
	if e.ended || !e.seek() {
		e.ended = true
		return false
	}
	pos := e.pos
	size, whole, err := e.read()
	e.count++
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		e.fail(err)
		return false
	case size > e.limit:
		*row = rawRow{pos: pos, bad: only(tooLong(pos, size, e.limit))}
	case !whole:
		*row = rawRow{pos: pos, bad: only(diag.Diagnostic{Code: "row-truncated", Pos: pos, Message: "the row has no end: the file ends in the middle of it",
			Hint: "look for a missing quote or bracket in this row, or a file cut off while it was written"})}
	default:
		*row = rawRow{json: e.buf, pos: pos}
	}
	return true
}

// seek goes to the first byte of the next element; false: there is none.
func (e *elements) seek() bool {
	c, ok := e.peek()
	if !e.begun && ok {
		e.begun = true
		if c == '[' {
			e.list = true
			e.skip(1)
			c, ok = e.peek()
		}
	}
	switch {
	case !ok && e.list && e.failed == nil:
		e.broken("row-truncated", "complete the file, or remove the broken end", "the list has no end: the file was cut off")
	case !ok:
	case !e.list:
		return true
	case c == ']':
		e.skip(1)
		if _, more := e.peek(); more {
			e.broken("row-syntax", "write all rows in one list, or one object a line with "+fault.OptionDatasetFormat+" jsonl", "something follows the list; it is not read")
		}
		return false
	case e.count == 0:
		return true
	case c == ',':
		e.skip(1)
		if c, ok = e.peek(); ok && c != ']' {
			return true
		}
		e.broken("row-syntax", "remove the last comma", "a row is missing after the comma")
	default:
		e.broken("row-syntax", "put a comma between rows", "missing comma between this row and the one before; the rest of the file is not read")
	}
	return false
}

// peek passes over white space and returns the byte after it.
func (e *elements) peek() (byte, bool) {
	for {
		c, err := e.in.Peek(1)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				e.fail(err)
			}
			return 0, false
		}
		switch c[0] {
		case ' ', '\t', '\n', '\r':
			e.skip(1)
		default:
			return c[0], true
		}
	}
}

func (e *elements) skip(n int) {
	b, _ := e.in.Peek(n) // they are in the buffer
	e.pos = advance(e.pos, b, len(b))
	_, _ = e.in.Discard(len(b))
}

// read collects one element in e.buf, up to the limit. whole is false if the
// file ended inside.
func (e *elements) read() (size int, whole bool, err error) {
	e.buf = e.buf[:0]
	var s scan
	for !s.done {
		if _, err = e.in.Peek(1); err != nil {
			break
		}
		chunk, _ := e.in.Peek(e.in.Buffered())
		n := s.over(chunk)
		if size += n; size <= e.limit {
			e.buf = append(e.buf, chunk[:n]...)
		}
		e.skip(n)
	}
	return size, s.done || s.bare, err
}

// scan finds the end of a JSON value by its brackets and quotes.
type scan struct {
	depth           int
	quoted, escaped bool
	bare            bool // a value without brackets or quotes
	done            bool
}

// over continues with the next bytes of the value, and returns how many of them
// belong to it.
func (s *scan) over(b []byte) int {
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case s.escaped:
			s.escaped = false
		case s.quoted:
			if i += plain(b[i:]); i == len(b) {
				return len(b)
			}
			if b[i] == '\\' {
				s.escaped = true
				continue
			}
			s.quoted = false
			s.done = s.depth == 0
		case c == '"':
			s.quoted = true
			s.bare = false
		case c == '{' || c == '[':
			s.depth++
			s.bare = false
		case s.depth > 0 && (c == '}' || c == ']'):
			s.depth--
			s.done = s.depth == 0
		case s.depth == 0 && (c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\t' || c == '\r'):
			s.done = true
			if i == 0 && !s.bare { // never stand still
				return 1
			}
			return i
		case s.depth == 0:
			s.bare = true
		}
		if s.done {
			return i + 1
		}
	}
	return len(b)
}

func (e *elements) fail(err error) {
	e.ended, e.failed = true, unreadable(e.pos, err)
}

func (e *elements) broken(code, hint, message string) {
	e.failed = &diag.Diagnostic{Code: code, Pos: e.pos, Message: message, Hint: hint}
}

// plain returns how many bytes come before the first quote or backslash. It looks at eight at a time.
func plain(b []byte) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for i := 0; i < len(b); i++ {
		if i+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[i:])
			quote, backslash := x^'"'*ones, x^'\\'*ones
			end := ((quote-ones)&^quote | (backslash-ones)&^backslash) & high // of the first, and perhaps of others after it
			if end == 0 {
				i += 7
				continue
			}
			return i + bits.TrailingZeros64(end)/8
		}
		if b[i] == '"' || b[i] == '\\' {
			return i
		}
	}
	return len(b)
}
