package document

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/diag"
)

// A Place is where an element stands in its Source, which turns it into a line
// and a column when a message needs them. Places are comparable; the zero value
// is the beginning.
type Place struct {
	line   int32 // from 1, as the YAML parser counts; 0: column is a byte offset
	column int32 // from 1, in characters
}

// offset is the place of a byte.
func offset(n int) Place {
	return Place{column: int32(min(max(n, 0), mostBytes))} //nolint:gosec // bounded on the line
}

// A Source is the bytes of a document with the index needed to name places in
// them.
type Source struct {
	File  string // for messages alone; may be empty
	Bytes []byte // as given, with their byte order mark

	text   []byte  // without it
	lines  []int32 // offsets in text of the first byte of each line
	breaks []int32 // the same as the YAML parser counts lines

	// marks are the offsets of every stride-th character of a long line, by
	// line, so that a document on one line is not read again for every place.
	marks map[int32][]int32
}

// stride is the number of characters from one mark to the next.
const stride = 1024

// NewSource returns the source of bytes, which it keeps.
func NewSource(file string, src []byte) *Source {
	return &Source{File: file, Bytes: src, text: bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF"))}
}

// Pos returns the line of a place and its column in bytes, the byte order mark
// included. It is a place of the source, whatever is asked for.
func (s *Source) Pos(at Place) diag.Pos {
	s.index()
	off := s.offset(at)
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
func (s *Source) Line(at Place) int {
	if at.line > 0 {
		at.column = 1 // it makes no difference
	}
	return s.Pos(at).Line
}

// offset returns the byte that a place is at.
func (s *Source) offset(at Place) int32 {
	end := int32(len(s.text)) //nolint:gosec // at most mostBytes
	switch {
	case at.line == 0:
		return min(at.column, end)
	case int(at.line) > len(s.breaks):
		return end
	case int(at.line) < len(s.breaks):
		end = s.breaks[at.line] - 1 // not behind the line
	}
	off, column := s.breaks[at.line-1], at.column-1
	if end-off > 2*stride {
		marks := s.marksOf(at.line, off, end)
		i := min(column/stride, int32(len(marks))-1) //nolint:gosec // at most mostBytes
		off, column = marks[i], column-i*stride
	}
	for ; column > 0 && off < end; column-- {
		_, size := utf8.DecodeRune(s.text[off:end])
		off += int32(size) //nolint:gosec // 1 to 4
	}
	return off
}

// marksOf returns the marks of a line, which begin with its first character.
func (s *Source) marksOf(line, off, end int32) []int32 {
	marks := s.marks[line]
	if marks != nil {
		return marks
	}
	for n := 0; off < end; n++ {
		if n%stride == 0 {
			marks = append(marks, off)
		}
		_, size := utf8.DecodeRune(s.text[off:end])
		off += int32(size) //nolint:gosec // 1 to 4
	}
	if s.marks == nil {
		s.marks = map[int32][]int32{}
	}
	s.marks[line] = marks
	return marks
}

// index finds the lines, once.
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
	if s.breaks = s.lines; hasOtherBreaks(s.text) {
		s.breaks = []int32{0}
		for i := 0; i < len(s.text); {
			size := breakAt(s.text[i:])
			if i += max(size, 1); size > 0 {
				s.breaks = append(s.breaks, int32(i)) //nolint:gosec // at most mostBytes
			}
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

// hasOtherBreaks reports whether there are line breaks that do not end in a
// line feed.
func hasOtherBreaks(text []byte) bool {
	if bytes.Contains(text, []byte("\u0085")) || bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029")) {
		return true
	}
	return bytes.Count(text, []byte{'\r'}) != bytes.Count(text, []byte("\r\n"))
}
