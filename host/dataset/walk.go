package dataset

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The functions here look into JSON that was found valid before, by its brackets and
// quotes. Of JSON that is not, which only a case made in Go can hold, they see some part.

// each calls visit for the elements of a list, until it returns false.
func each(list jsontext.Value, visit func(e jsontext.Value) bool) {
	rest, ok := inside(list, '[')
	for ok {
		var e jsontext.Value
		if e, rest, ok = cut(rest); ok {
			ok = visit(e)
		}
	}
}

// eachMember calls visit for the members of an object, until it returns false.
// name is quoted.
func eachMember(object jsontext.Value, visit func(name, v jsontext.Value) bool) {
	rest, ok := inside(object, '{')
	for ok {
		var name, v jsontext.Value
		name, rest, _ = cut(rest)
		if v, rest, ok = cut(rest); ok {
			ok = name.Kind() == '"' && visit(name, v)
		}
	}
}

func membersOf(object jsontext.Value) []Field {
	fields := make([]Field, 0, 8)
	eachMember(object, func(name, v jsontext.Value) bool {
		fields = append(fields, Field{text(name), v})
		return true
	})
	return fields
}

// inside returns the text behind the bracket that a list or object begins with.
func inside(v jsontext.Value, bracket byte) (rest []byte, ok bool) {
	rest = past(v)
	if len(rest) == 0 || rest[0] != bracket {
		return nil, false
	}
	return rest[1:], true
}

// cut returns the next value in a list or object, and the text behind it.
func cut(rest []byte) (v jsontext.Value, after []byte, ok bool) {
	rest = past(rest)
	if len(rest) == 0 || rest[0] == ']' || rest[0] == '}' {
		return nil, nil, false
	}
	var s scan
	n := s.over(rest)
	return rest[:n:n], rest[n:], s.done
}

// past returns the text behind white space and separators.
func past(rest []byte) []byte {
	for len(rest) > 0 && (rest[0] <= ' ' || rest[0] == ',' || rest[0] == ':') {
		rest = rest[1:]
	}
	return rest
}

// isName reports whether a quoted name is a word.
func isName(quoted jsontext.Value, word string) bool {
	return string(quoted[1:len(quoted)-1]) == word || bytes.IndexByte(quoted, '\\') >= 0 && text(quoted) == word
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
	if v.Kind() != '"' {
		return string(v)
	}
	if bytes.IndexByte(v, '\\') < 0 {
		return string(bytes.Trim(v, `"`))
	}
	b, err := jsontext.AppendUnquote(make([]byte, 0, len(v)), v)
	if err != nil {
		return string(v)
	}
	return string(b)
}
