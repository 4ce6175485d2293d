package dataset

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The functions here walk over JSON that was found valid before, without
// checking it again: several times as fast, and they are called for every row.
// Of JSON that is not valid they make what they can; they never panic.

// each calls visit for the elements of a list, until it returns false.
func each(list jsontext.Value, visit func(e jsontext.Value) bool) {
	for i := space(list, 1); i < len(list) && list[i] != ']'; {
		end := valueEnd(list, i)
		if !visit(list[i:end:end]) {
			return
		}
		i = afterComma(list, end)
	}
}

// eachMember calls visit for the members of an object, until it returns false.
// name is quoted.
func eachMember(object jsontext.Value, visit func(name, v jsontext.Value) bool) {
	for i := space(object, 1); i < len(object) && object[i] == '"'; {
		nameEnd := stringEnd(object, i)
		start := space(object, nameEnd)
		if start < len(object) && object[start] == ':' {
			start = space(object, start+1)
		}
		end := valueEnd(object, start)
		if !visit(object[i:nameEnd:nameEnd], object[start:end:end]) {
			return
		}
		i = afterComma(object, end)
	}
}

// space returns the position of the first byte from i on that is not white
// space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return min(i, len(b))
}

func afterComma(b []byte, i int) int {
	if i = space(b, i); i < len(b) && b[i] == ',' {
		i = space(b, i+1)
	}
	return i
}

// valueEnd returns the position after the value that begins at i, and always
// more than i unless i is the end.
func valueEnd(b []byte, i int) int {
	depth, start := 0, i
	for i < len(b) {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth--; depth >= 0 || i == start {
				i++
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 && i > start {
				return i
			}
			i++
			continue
		default:
			i++
			continue
		}
		if depth <= 0 {
			return i
		}
	}
	return len(b)
}

// stringEnd returns the position after the string that begins at i, or the end
// of b if the string has none.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			break
		}
		i += n + 1
		slashes := 0
		for j := i - 2; j >= 0 && b[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
	return len(b)
}

// isName reports whether a quoted name is a word without escapes.
func isName(quoted jsontext.Value, word string) bool {
	return len(quoted) == len(word)+2 && string(quoted[1:len(quoted)-1]) == word ||
		bytes.IndexByte(quoted, '\\') >= 0 && text(quoted) == word
}

// at follows a dotted path into a JSON value.
func at(v jsontext.Value, path string) jsontext.Value {
	for more := true; more && v != nil; {
		var head string
		head, path, more = strings.Cut(path, ".")
		switch v.Kind() {
		case '{':
			v = member(v, head)
		case '[':
			n, err := strconv.Atoi(head)
			if err != nil || n < 0 {
				return nil
			}
			v = element(v, n)
		default:
			return nil
		}
	}
	return v
}

// member returns the member of an object that has a name, or nil.
func member(object jsontext.Value, name string) (found jsontext.Value) {
	eachMember(object, func(key, v jsontext.Value) bool {
		if isName(key, name) {
			found = v
		}
		return found == nil
	})
	return found
}

// element returns the n-th element of a list, from 0, or nil.
func element(list jsontext.Value, n int) (found jsontext.Value) {
	each(list, func(e jsontext.Value) bool {
		if n--; n < 0 {
			found = e
		}
		return n >= 0
	})
	return found
}

// text returns a JSON string decoded, and any other value as it is written.
func text(v jsontext.Value) string {
	if v.Kind() != '"' || len(v) < 2 {
		return string(v)
	}
	inner := v[1 : len(v)-1]
	i := bytes.IndexByte(inner, '\\')
	if i < 0 {
		return string(inner)
	}
	var b strings.Builder
	b.Grow(len(inner))
	for ; i >= 0 && i+1 < len(inner); i = bytes.IndexByte(inner, '\\') {
		c := escapes[inner[i+1]]
		if c == 0 { // \u
			return unquote(v)
		}
		b.Write(inner[:i])
		b.WriteByte(c)
		inner = inner[i+2:]
	}
	b.Write(inner)
	return b.String()
}

// unquote decodes a JSON string with any escapes.
func unquote(v jsontext.Value) string {
	b, err := jsontext.AppendUnquote(make([]byte, 0, len(v)), v)
	if err != nil {
		return string(v)
	}
	return string(b)
}

// escapes are what may follow a backslash, but for u.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
