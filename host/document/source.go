package document

import (
	"bytes"
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
)

// A Place is where an element stands in its Source, which turns it into a line
// and a column when a message needs them. Places are comparable; the zero value
// is the beginning.
type Place struct{ offset int32 }

func offset(n int) Place {
	return Place{int32(min(max(n, 0), mostBytes))} //nolint:gosec // bounded on the line
}

// A Source is the bytes of a document with the index needed to name places in
// them.
type Source struct {
	File  string // for messages alone; may be empty
	Bytes []byte // as given, with their byte order mark

	text  []byte  // without it
	lines []int32 // offsets in text of the first byte of each line
}

// NewSource returns the source of bytes, which it keeps.
func NewSource(file string, src []byte) *Source {
	return &Source{File: file, Bytes: src, text: bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF"))}
}

// Pos returns the line of a place and its column in bytes, the byte order mark
// included. It is a place of the source, whatever is asked for.
func (s *Source) Pos(at Place) diag.Pos {
	s.index()
	off := min(at.offset, int32(len(s.text))) //nolint:gosec // at most mostBytes
	line, exactly := slices.BinarySearch(s.lines, off)
	if exactly {
		line++
	}
	p := diag.Pos{File: s.File, Line: line, Column: int(off-s.lines[line-1]) + 1}
	if line == 1 {
		p.Column += len(s.Bytes) - len(s.text)
	}
	return p
}

// Line returns the line of a place, from 1.
func (s *Source) Line(at Place) int { return s.Pos(at).Line }

func (s *Source) index() {
	if s.lines != nil {
		return
	}
	s.lines = make([]int32, 1, 2+bytes.Count(s.text, []byte{'\n'}))
	for i, c := range s.text {
		if c == '\n' {
			s.lines = append(s.lines, int32(i+1)) //nolint:gosec // at most mostBytes
		}
	}
}

// breakAt returns the length of the line break that text begins with, as YAML
// 1.1 has them; 0: there is none.
func breakAt(text []byte) int {
	switch text[0] {
	case '\n':
		return 1
	case '\r':
		if len(text) > 1 && text[1] == '\n' {
			return 2
		}
		return 1
	case 0xC2: // next line
		if len(text) > 1 && text[1] == 0x85 {
			return 2
		}
	case 0xE2: // line and paragraph separator
		if len(text) > 2 && text[1] == 0x80 && text[2]&^1 == 0xA8 {
			return 3
		}
	}
	return 0
}
