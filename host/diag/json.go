package diag

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// EscapeJSON returns valid JSON text in which no character can steer a terminal that
// shows it, or turn the direction of the text after it: the controls that JSON does
// not escape (DEL and C1), line separators, direction marks and overrides, and the
// byte order mark are written as \u escapes, which mean the same. It returns text
// itself if there is nothing to do.
func EscapeJSON(text []byte) []byte {
	i := steering(text)
	if i < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for i >= 0 {
		out = append(out, text[:i]...)
		r, n := utf8.DecodeRune(text[i:])
		out = fmt.Appendf(out, `\u%04x`, r)
		text = text[i+n:]
		i = steering(text)
	}
	return append(out, text...)
}

// steering returns the position of the first character of b that EscapeJSON
// escapes, or -1.
func steering(b []byte) int {
	// Eight bytes at a time while all are below DEL: adding 1 to DEL gives the high bit, too.
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		if x := binary.LittleEndian.Uint64(b[i:]); (x|(x&^high+ones))&high != 0 {
			break
		}
	}
	for ; i < len(b); i++ {
		c := b[i]
		if c < 0x7F || c > 0xEF {
			continue
		}
		var next, last byte
		if i+1 < len(b) {
			next = b[i+1]
		}
		if i+2 < len(b) {
			last = b[i+2]
		}
		switch {
		case c == 0x7F, // DEL
			c == 0xC2 && next >= 0x80 && next <= 0x9F, // C1
			c == 0xD8 && next == 0x9C,                 // Arabic letter mark
			c == 0xE2 && next == 0x80 && (last == 0x8E || last == 0x8F || last >= 0xA8 && last <= 0xAE), // marks, separators, embeddings, overrides
			c == 0xE2 && next == 0x81 && last >= 0xA6 && last <= 0xA9,                                   // isolates
			c == 0xEF && next == 0xBB && last == 0xBF:                                                   // byte order mark
			return i
		}
	}
	return -1
}
