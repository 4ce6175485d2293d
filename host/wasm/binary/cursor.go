package binary

import (
	"fmt"
	"unicode/utf8"
)

// A cursor reads one section. The first error sticks: everything after it reads as zero, so callers
// check once per entry.
type cursor struct {
	b       []byte
	at      int
	base    int // offset of b in the module
	section string

	bounds  *bounds
	trouble *Refusal
}

// left returns the number of unread bytes.
func (c *cursor) left() int { return len(c.b) - c.at }

func (c *cursor) ok() bool { return c.trouble == nil }

// fail records an error at the current offset, unless there is one already.
func (c *cursor) fail(format string, args ...any) { c.failAt(c.here(), "", format, args...) }

// hold notes that the module needs n of a limit, and fails at an offset beyond it.
func (c *cursor) hold(offset int, limit string, n uint64, what string) {
	if max := c.bounds.need(limit, n); n > max {
		c.failAt(offset, limit, "%d %s, %d allowed", n, what, max)
	}
}

func (c *cursor) failAt(offset int, limit, format string, args ...any) {
	if c.trouble == nil {
		c.trouble = &Refusal{Section: c.section, Offset: offset, Limit: limit, Message: fmt.Sprintf(format, args...)}
		c.at = len(c.b)
	}
}

func (c *cursor) u8() byte {
	if c.at >= len(c.b) {
		c.fail("unexpected end")
		return 0
	}
	c.at++
	return c.b[c.at-1]
}

func (c *cursor) u32() uint32 {
	v, next := u32(c.b, c.at)
	if next < 0 {
		c.fail("malformed number")
		return 0
	}
	c.at = next
	return v
}

// take returns the next n bytes, shared with the module.
func (c *cursor) take(n uint32) []byte {
	if uint64(n) > uint64(c.left()) {
		c.fail("%d bytes announced, %d left", n, c.left())
		return nil
	}
	c.at += int(n)
	return c.b[c.at-int(n) : c.at : c.at]
}

// count reads the length of a vector with entries of at least size bytes. It refuses a length for
// which the bytes do not suffice, before anything is allocated.
func (c *cursor) count(what string, size int) int {
	n := c.u32()
	if uint64(n)*uint64(size) > uint64(c.left()) {
		c.fail("%d %s announced, %d bytes left", n, what, c.left())
		return 0
	}
	return int(n)
}

// limited is count with a limit.
func (c *cursor) limited(what string, size int, limit string) int {
	at := c.here()
	n := c.count(what, size)
	if c.hold(at, limit, uint64(n), what); !c.ok() {
		return 0
	}
	return n
}

// here returns the offset of the next byte in the module.
func (c *cursor) here() int { return c.base + c.at }

func (c *cursor) index(what string, n int) uint32 {
	i := c.u32()
	if c.ok() && uint64(i) >= uint64(n) {
		c.fail("%s %d does not exist; the module has %d", what, i, n)
	}
	return i
}

// listOf reads n entries; those after an error stay zero.
func listOf[T any](c *cursor, n int, read func() T) []T {
	out := make([]T, n)
	for i := 0; i < n && c.ok(); i++ {
		out[i] = read()
	}
	return out
}

// name reads a length-prefixed UTF-8 string.
func (c *cursor) name() string {
	b := c.take(c.u32())
	if !utf8.Valid(b) {
		c.fail("name is not valid UTF-8")
		return ""
	}
	return string(b)
}
