package metric

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// A reader reads JSON strictly, in one pass and without garbage. What it takes
// jsontext takes too; beyond that it refuses nesting deeper than maxNesting and
// numbers that no float64 holds. The zero value is ready for reset.
type reader struct {
	b       []byte
	at      int    // of the next byte
	depth   int    // of lists and objects that are open
	names   []span // of the members of objects that are open, the innermost last
	scratch []byte // the last text that had escapes, without them
	spare   []byte // names that had escapes, without them
	escaped bool   // the last text had some
	why     string // what is wrong, at at
}

// A span is where a name lies: in spare, or in what is read.
type span struct {
	from, to int
	spare    bool
}

func (r *reader) reset(b []byte) {
	*r = reader{b: b, names: r.names[:0], scratch: r.scratch[:0], spare: r.spare[:0]}
}

// size is what the reader keeps for another text, in bytes, about.
func (r *reader) size() int { return 24*cap(r.names) + cap(r.scratch) + cap(r.spare) }

func (r *reader) bytes(s span) []byte {
	if s.spare {
		return r.spare[s.from:s.to]
	}
	return r.b[s.from:s.to]
}

// fail notes what is wrong; the first word of it counts.
func (r *reader) fail(format string, args ...any) bool {
	if r.why == "" {
		r.why = fmt.Sprintf(format, args...)
	}
	return false
}

// next passes over blanks and returns the byte behind them, 0 at the end.
func (r *reader) next() byte {
	for ; r.at < len(r.b); r.at++ {
		switch c := r.b[r.at]; c {
		case ' ', '\n', '\t', '\r':
		default:
			return c
		}
	}
	return 0
}

// end reports whether nothing follows.
func (r *reader) end() bool {
	if r.next(); r.at < len(r.b) {
		return r.fail("something follows the object")
	}
	return true
}

// open enters a list or an object.
func (r *reader) open() bool {
	if r.depth++; r.depth > maxNesting {
		return r.fail("lists and objects nest more than %d deep", maxNesting)
	}
	r.at++
	return true
}

// more goes on behind an element: to the next one, or out of what end closes.
// ok is false if neither is there.
func (r *reader) more(end byte) (more, ok bool) {
	switch c := r.next(); c {
	case ',':
		r.at++
		return true, true
	case end:
		r.at++
		r.depth--
		return false, true
	}
	return false, r.fail("a comma or %q is missing", end)
}

// list reads a list; each reads one element. A nil each passes over them.
func (r *reader) list(each func() bool) bool {
	if !r.open() {
		return false
	}
	if r.next() == ']' {
		r.at++
		r.depth--
		return true
	}
	for {
		if each == nil && !r.skip() || each != nil && !each() {
			return false
		}
		if more, ok := r.more(']'); !more {
			return ok
		}
	}
}

// many is how many members of an object are told apart by looking at each.
const many = 32

// object reads an object; member reads the value of one, whose name it gets
// without escapes. A nil member passes over them. A name that is there twice is
// refused.
func (r *reader) object(member func(name []byte) bool) bool {
	if !r.open() {
		return false
	}
	if r.next() == '}' {
		r.at++
		r.depth--
		return true
	}
	mark := len(r.names)
	var seen map[string]bool
	for {
		if !r.name() || !r.first(r.names[mark:], &seen) {
			return false
		}
		if member == nil && !r.skip() || member != nil && !member(r.bytes(r.names[len(r.names)-1])) {
			return false
		}
		if more, ok := r.more('}'); !more {
			r.names = r.names[:mark]
			return ok
		}
	}
}

// name reads the name of a member, and the colon.
func (r *reader) name() bool {
	if r.next() != '"' {
		return r.fail("the name of a member is missing")
	}
	from := r.at + 1
	name, ok := r.text()
	if !ok {
		return false
	}
	s := span{from: from, to: r.at - 1}
	if r.escaped {
		s = span{from: len(r.spare), to: len(r.spare) + len(name), spare: true}
		r.spare = append(r.spare, name...)
	}
	r.names = append(r.names, s)
	if r.next() != ':' {
		return r.fail("a colon is missing")
	}
	r.at++
	return true
}

// first reports whether the last of names is not among the others. seen holds
// them once they are many.
func (r *reader) first(names []span, seen *map[string]bool) bool {
	last := len(names) - 1
	name, twice := r.bytes(names[last]), false
	if last < many {
		for _, s := range names[:last] {
			twice = twice || s.to-s.from == len(name) && bytes.Equal(r.bytes(s), name)
		}
	} else {
		if *seen == nil {
			*seen = make(map[string]bool, 2*many)
			for _, s := range names[:last] {
				(*seen)[string(r.bytes(s))] = true
			}
		}
		twice = (*seen)[string(name)]
		(*seen)[string(name)] = true
	}
	if twice {
		return r.fail("the member %q is there twice", clip(string(name), 60))
	}
	return true
}

// skip passes over a value of any kind.
func (r *reader) skip() bool {
	switch c := r.next(); {
	case c == '"':
		_, ok := r.text()
		return ok
	case c == '{':
		return r.object(nil)
	case c == '[':
		return r.list(nil)
	case c == 't':
		return r.word("true")
	case c == 'f':
		return r.word("false")
	case c == 'n':
		return r.word("null")
	case c == '-' || '0' <= c && c <= '9':
		_, ok := r.number()
		return ok
	}
	return r.fail("a value is missing")
}

func (r *reader) word(w string) bool {
	if !bytes.HasPrefix(r.b[r.at:], []byte(w)) {
		return r.fail("a value is missing")
	}
	r.at += len(w)
	return true
}

// What a byte is inside a text.
const (
	letter = iota
	quote
	escape
	control
	beyondASCII
)

var textBytes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c == '"':
			t[c] = quote
		case c == '\\':
			t[c] = escape
		case c < ' ':
			t[c] = control
		case c >= utf8.RuneSelf:
			t[c] = beyondASCII
		}
	}
	return t
}()

// text reads a text at its quote. What it returns is valid until the next call.
func (r *reader) text() ([]byte, bool) {
	rest := r.b[r.at+1:]
	wide := false
	r.escaped = false
	for i := 0; i < len(rest); i++ {
		switch textBytes[rest[i]] {
		case quote:
			r.at += i + 2
			return r.plain(rest[:i], wide)
		case escape:
			r.escaped = true
			i++
		case control:
			r.at += i + 1
			return nil, r.fail("a text holds the control character %#02x", rest[i])
		case beyondASCII:
			wide = true
		}
	}
	r.at = len(r.b)
	return nil, r.fail("a text has no end")
}

// plain checks the inside of a text and takes its escapes out.
func (r *reader) plain(inside []byte, wide bool) ([]byte, bool) {
	switch {
	case r.escaped:
		var err error
		r.scratch, err = jsontext.AppendUnquote(r.scratch[:0], r.b[r.at-len(inside)-2:r.at])
		if err != nil {
			return nil, r.fail("a text is not valid: a wrong escape, or not UTF-8")
		}
		return r.scratch, true
	case wide && !utf8.Valid(inside):
		return nil, r.fail("a text is not valid UTF-8")
	}
	return inside, true
}

// digits passes over digits and reports whether there are any.
func (r *reader) digits() bool {
	rest := r.b[r.at:]
	n := 0
	for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	r.at += n
	return n > 0
}

// take passes over a byte if it is one of two.
func (r *reader) take(a, b byte) bool {
	if r.at < len(r.b) && (r.b[r.at] == a || r.b[r.at] == b) {
		r.at++
		return true
	}
	return false
}

// number reads the literal of a number that a float64 holds.
func (r *reader) number() ([]byte, bool) {
	from := r.at
	r.take('-', '-')
	ok := r.take('0', '0') || r.digits()
	large := r.at-from > 300
	if ok && r.take('.', '.') {
		ok = r.digits()
	}
	if ok && r.take('e', 'E') {
		large = true
		r.take('+', '-')
		ok = r.digits()
	}
	literal := r.b[from:r.at]
	if !ok {
		return nil, r.fail("a number is cut short")
	}
	if large {
		if _, err := strconv.ParseFloat(string(literal), 64); err != nil {
			return nil, r.fail("the number %s is beyond what a float64 holds", clip(string(literal), 40))
		}
	}
	return literal, true
}

// found says what a value is, for messages.
func (r *reader) found() string {
	switch c := r.next(); {
	case c == '"':
		return "a text"
	case c == '{':
		return "an object"
	case c == '[':
		return "a list"
	case c == 't', c == 'f':
		return "true or false"
	case c == 'n':
		return "null"
	case c == '-' || '0' <= c && c <= '9':
		return "a number"
	}
	return "no JSON"
}

// float reads a number.
func (r *reader) float(what string) (float64, bool) {
	if c := r.next(); c != '-' && (c < '0' || c > '9') {
		return 0, r.fail("%s is %s, not a number", what, r.found())
	}
	literal, ok := r.number()
	if !ok {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(literal), 64)
	if err != nil {
		return 0, r.fail("%s is beyond what a float64 holds", what)
	}
	return x + 0, true // negative zero is zero
}

// whole reads a number that counts something.
func (r *reader) whole(what string) (int, bool) {
	x, ok := r.float(what)
	switch {
	case !ok:
		return 0, false
	case x != math.Trunc(x) || x < 0 || x > math.MaxInt32:
		return 0, r.fail("%s is %v, not a whole number from 0", what, x)
	}
	return int(x), true
}

// string reads a text.
func (r *reader) string(what string) (string, bool) {
	if r.next() != '"' {
		return "", r.fail("%s is %s, not a text", what, r.found())
	}
	text, ok := r.text()
	return string(text), ok
}

// begins reports whether a value of a kind is next: '[' or '{'.
func (r *reader) begins(c byte, what, want string) bool {
	if r.next() != c {
		return r.fail("%s is %s, not %s", what, r.found(), want)
	}
	return true
}
