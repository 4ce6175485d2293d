package dialect

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/diag"
)

// Bounds on a document. They are far above any rubric written by people and
// low enough that a hostile one costs no more than a moment.
const (
	MaxBytes = 16 << 20 // size of a document
	MaxNodes = 1 << 20  // elements of a document, after aliases are followed
	MaxDepth = 128      // nesting of lists and objects
)

// kind is the kind of a node.
type kind uint8

const (
	nullKind kind = iota
	boolKind
	numberKind
	textKind
	listKind
	objectKind
)

// describe says what a node is, for messages.
func (k kind) String() string {
	return [...]string{"nothing", "a boolean", "a number", "text", "a list", "an object"}[k]
}

// A spot is a place in a source: a line and a column in characters, as the YAML
// reader counts, or, with line 0, a byte offset.
type spot struct{ line, column int32 }

// A node is one element of a document, read from JSON or YAML alike.
type node struct {
	kind  kind
	bare  bool // a YAML scalar without quotes
	empty bool // a YAML key without a value
	flow  bool // written on one line, {like: this}, if it fits
	at    spot

	// value is the text of a text, the literal of a number, "true" or "false".
	value   string
	items   []*node  // of a list
	members []member // of an object, in document order
	remarks *remarks // comments around it, YAML only
}

// A member is a key of an object and its value.
type member struct {
	key     string
	whole   bool // YAML writes the key as an integer, not as text
	at      spot
	value   *node
	remarks *remarks
}

// remarks are the comments that go with a node.
type remarks struct{ head, line, foot string }

// get returns the value of a key, nil if there is none.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i := range n.members {
		if n.members[i].key == key {
			return n.members[i].value
		}
	}
	return nil
}

// has reports whether an object has one of keys.
func (n *node) has(keys ...string) bool {
	for _, k := range keys {
		if n.get(k) != nil {
			return true
		}
	}
	return false
}

// is reports whether n exists and is of a kind.
func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// A source is a document's bytes with what is needed to name places in them.
type source struct {
	file   string
	src    []byte // as given, with its byte order mark
	text   []byte // without it
	starts []int  // offsets in text of the first byte of each line
}

func newSource(file string, src []byte) *source {
	return &source{file: file, src: src, text: bytes.TrimPrefix(src, bom)}
}

var bom = []byte("\xEF\xBB\xBF")

func (s *source) lines() []int {
	if s.starts == nil {
		s.starts = append(s.starts, 0)
		for i, c := range s.text {
			if c == '\n' {
				s.starts = append(s.starts, i+1)
			}
		}
	}
	return s.starts
}

// pos returns the place of a spot, columns in bytes.
func (s *source) pos(at spot) diag.Pos {
	p := diag.Pos{File: s.file}
	starts := s.lines()
	if at.line == 0 {
		off := int(at.column)
		line := sort.SearchInts(starts, off+1)
		p.Line, p.Column = line, off-starts[line-1]+1
	} else {
		p.Line, p.Column = int(at.line), int(at.column)
		if p.Line <= len(starts) {
			p.Column = s.byteColumn(starts[p.Line-1], p.Column)
		}
	}
	if p.Line == 1 {
		p.Column += len(s.src) - len(s.text)
	}
	return p
}

// byteColumn turns a column in characters into one in bytes.
func (s *source) byteColumn(start, column int) int {
	rest, n := s.text[start:], 1
	for ; column > 1 && len(rest) > 0 && rest[0] != '\n'; column-- {
		_, size := utf8.DecodeRune(rest)
		rest, n = rest[size:], n+size
	}
	return n
}

// line returns the line of a spot.
func (s *source) line(at spot) int {
	if at.line > 0 {
		return int(at.line)
	}
	return s.pos(at).Line
}
