package judge

import (
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The bounds of an answer's text. No real answer comes near them; longer text is
// noise, and must not cost time or memory.
const (
	maxText  = 1 << 20 // bytes of an answer
	maxDepth = 16      // nesting of an object that is looked at
)

// A member is a name and a value of a JSON object, in the order written.
type member struct {
	name  string
	value jsontext.Value
}

// A found is a JSON object in a text, and where it stands.
type found struct {
	members    []member
	start, end int
}

// objects calls visit with every JSON object in text, in the order in which
// they begin. Text around and between them does not matter, and braces that are
// not JSON are skipped. An object inside another is visited only if visit does
// not take the outer one.
//
// The work is bounded by maxDepth times the length of text: it ends there,
// whatever the text is made of.
func objects(text string, visit func(found) (took bool)) {
	work := 4 * maxDepth * (len(text) + 1)
	for at := 0; work > 0; at++ {
		open := strings.IndexByte(text[at:], '{')
		if open < 0 {
			return
		}
		at += open
		length, looked := balanced(text[at:])
		if work -= looked; length == 0 {
			continue
		}
		work -= length
		if list, err := members(jsontext.Value(text[at : at+length])); err == nil && visit(found{list, at, at + length}) {
			at += length - 1
		}
	}
}

// balanced returns the length of the braces that text begins with, up to the
// one that closes the first; 0 if they do not balance. It knows strings, and
// nothing else of JSON. looked is how far it had to look. jsontext
// has no bound on nesting below 10,000, and would spend all work on junk that opens
// braces before the answer.
func balanced(text string) (length, looked int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			if depth++; depth > maxDepth {
				return 0, i
			}
		case c == '}':
			if depth--; depth == 0 {
				return i + 1, i + 1
			}
		}
	}
	return 0, len(text)
}

var errNotObject = errors.New("not one JSON object")

// members returns the members of a JSON object in order, names that occur twice
// included: the caller decides about those.
func members(object jsontext.Value) ([]member, error) {
	d := jsontext.NewDecoder(strings.NewReader(string(object)), jsontext.AllowDuplicateNames(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, errNotObject
	}
	var out []member
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		m := member{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		m.value = value.Clone()
		out = append(out, m)
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errNotObject
	}
	return out, nil
}

// thoughtsEnd closes the reasoning that some servers leave in the text.
const thoughtsEnd = "</think>"

// withoutThoughts returns the part of an answer after its reasoning. A tag inside
// a JSON object is part of the answer: the judge quotes it.
func withoutThoughts(text string) string {
	if !strings.Contains(text, thoughtsEnd) {
		return text
	}
	cut, at := 0, 0
	outside := func(end int) {
		if i := strings.LastIndex(text[at:end], thoughtsEnd); i >= 0 {
			cut = at + i + len(thoughtsEnd)
		}
	}
	objects(text, func(f found) bool {
		outside(f.start)
		at = f.end
		return true
	})
	outside(len(text))
	return text[cut:]
}
