package worker

import (
	"encoding/binary"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// A message lists its fields once, for writing and for reading.
type message interface{ fields(c *coder) }

// A coder appends fields to b, or reads them from b. A field that is missing or beyond its
// bound reads as zero, and is an error.
type coder struct {
	b       []byte
	reading bool
	err     error // the first
}

var errFields = errors.New("invalid fields")

// fail notes an error while reading, and drops the rest.
func (c *coder) fail(err error) {
	if c.b = nil; c.err == nil {
		if c.err = err; err == nil {
			c.err = errFields
		}
	}
}

// check fails if a field that was read is beyond its bound.
func (c *coder) check(ok bool) {
	if c.reading && !ok {
		c.fail(nil)
	}
}

func (c *coder) take(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.fail(nil)
		return nil
	}
	out := c.b[:n]
	c.b = c.b[n:]
	return out
}

// number is an integer in so many bytes.
func number[N ~byte | ~uint32 | ~uint64 | ~int64 | ~int](c *coder, v *N, size int) {
	var raw [8]byte
	if c.reading {
		copy(raw[:], c.take(size))
		*v = N(binary.LittleEndian.Uint64(raw[:]))
		return
	}
	binary.LittleEndian.PutUint64(raw[:], uint64(*v))
	c.b = append(c.b, raw[:size]...)
}

func (c *coder) flag(v *bool) {
	n := byte(0)
	if *v {
		n = 1
	}
	number(c, &n, 1)
	c.check(n <= 1)
	*v = n == 1
}

// count is the length of a list, whose elements have a byte at least.
func (c *coder) count(n int) int {
	number(c, &n, 4)
	if c.reading && n > len(c.b) {
		c.fail(nil)
		return 0
	}
	return n
}

// text is a string. A longer one is cut when it is written, between characters, and an
// error when it is read.
func (c *coder) text(v *string, most int) {
	if !c.reading {
		s := *v
		if len(s) > most {
			s = strings.ToValidUTF8(s[:most], "") // no half character at the end
		}
		c.count(len(s))
		c.b = append(c.b, s...)
		return
	}
	n := c.count(0)
	c.check(n <= most)
	if b := c.take(n); string(b) != *v {
		*v = string(b)
	}
}

func (c *coder) bytes(v *[]byte) {
	n := c.count(len(*v))
	if c.reading {
		*v = append((*v)[:0], c.take(n)...)
	} else {
		c.b = append(c.b, *v...)
	}
}

// json is a value in JSON, up to the end of the message.
func (c *coder) json(v any) {
	if !c.reading {
		b, err := json.Marshal(v, wire)
		if err != nil {
			panic(err) // the fields of our own messages
		}
		c.b = append(c.b, b...)
		return
	}
	if err := json.Unmarshal(c.take(len(c.b)), v, wire); err != nil {
		c.fail(err)
	}
}

// wire is how JSON is written and read: strictly, times in nanoseconds.
var wire = json.JoinOptions(json.Deterministic(true), json.RejectUnknownMembers(true), jsonv1.FormatDurationAsNano(true))
