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
	for ; i >= 0; i = steering(text) {
		r, n := utf8.DecodeRune(text[i:])
		out = fmt.Appendf(append(out, text[:i]...), `\u%04x`, r)
		text = text[i+n:]
	}
	return append(out, text...)
}

// steering returns the position of the first character that EscapeJSON escapes, or -1.
func steering(text []byte) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for i := 0; i < len(text); {
		if i+8 <= len(text) { // a look at eight bytes: adding 1 to DEL gives the high bit, too
			if x := binary.LittleEndian.Uint64(text[i:]); (x|(x&^high+ones))&high == 0 {
				i += 8
				continue
			}
		}
		r, n := utf8.DecodeRune(text[i:])
		if r >= 0x7F && r <= 0x9F || // DEL and C1
			r == 0x061C || r == 0x200E || r == 0x200F || // direction marks
			r >= 0x2028 && r <= 0x202E || // separators, embeddings, overrides
			r >= 0x2066 && r <= 0x2069 || // isolates
			r == 0xFEFF { // byte order mark
			return i
		}
		i += n
	}
	return -1
}
