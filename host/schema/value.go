package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
)

// bounds limit a JSON text.
type bounds struct{ bytes, elements, depth int }

var (
	schemaBounds = bounds{MaxBytes, 100_000, 100}
	valueBounds  = bounds{4 << 20, 100_000, 100}
)

// errNotJSON is the class of errors of text that is no JSON.
var errNotJSON = errors.New("is not JSON")

// An object is a decoded JSON object. The other decoded values are []any,
// string, *number, bool and nil.
type object struct {
	names []string // in the order of the text
	at    map[string]any
}

// decode decodes a JSON text, its numbers as they are written, so that none is
// rounded. The error says, after a subject, that the text is beyond bounds, or
// is errNotJSON.
func decode(text jsontext.Value, b bounds) (any, error) {
	if len(text) > b.bytes {
		return nil, fault.New(fault.Input, "has %d bytes; at most %d are validated", len(text), b.bytes)
	}
	d := decoder{dec: jsontext.NewDecoder(bytes.NewBuffer(text)), bounds: b}
	v, err := d.value()
	if err == nil {
		if _, err = d.dec.ReadToken(); errors.Is(err, io.EOF) {
			return v, nil
		}
		if err == nil {
			err = errors.New("something follows the value")
		}
	}
	if fault.Is(err, fault.Input) {
		return nil, err
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return nil, fmt.Errorf("%w: %s", errNotJSON, strings.TrimPrefix(err.Error(), "jsontext: "))
}

type decoder struct {
	dec      *jsontext.Decoder
	bounds   bounds
	elements int
}

func (d *decoder) value() (any, error) {
	if d.elements++; d.elements > d.bounds.elements {
		return nil, fault.New(fault.Input, "has more than %d elements", d.bounds.elements)
	}
	token, err := d.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{', '[':
		if d.dec.StackDepth() > d.bounds.depth {
			return nil, fault.New(fault.Input, "nests more than %d deep", d.bounds.depth)
		}
		if token.Kind() == '{' {
			return d.object()
		}
		return d.list()
	case '"':
		return token.String(), nil
	case '0':
		return newNumber(token.String())
	case 't', 'f':
		return token.Bool(), nil
	}
	return nil, nil
}

func (d *decoder) object() (any, error) {
	out := &object{at: map[string]any{}}
	for {
		name, err := d.dec.ReadToken()
		if err != nil || name.Kind() == '}' {
			return out, err
		}
		key := name.String()
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		out.names, out.at[key] = append(out.names, key), v
	}
}

func (d *decoder) list() (any, error) {
	out := []any{}
	for {
		if kind := d.dec.PeekKind(); kind == ']' {
			_, err := d.dec.ReadToken()
			return out, err
		}
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
}

// typeOf names the type of a value as schemas do.
func typeOf(v any) string {
	switch v.(type) {
	case *object:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case *number:
		return "number"
	case bool:
		return "boolean"
	}
	return "null"
}

// weight is how much work a key is.
func weight(v any) int {
	switch v := v.(type) {
	case *object:
		n := 1
		for name, inner := range v.at {
			n += len(name)/64 + 1 + weight(inner)
		}
		return n
	case []any:
		n := 1
		for _, inner := range v {
			n += weight(inner)
		}
		return n
	case string:
		return 1 + len(v)/64
	case *number:
		return v.cost()
	}
	return 1
}

// key returns a text that only equal values share.
func key(v any) string { return string(appendKey(nil, v)) }

func appendKey(b []byte, v any) []byte {
	switch v := v.(type) {
	case *object:
		b = append(b, '{')
		for _, name := range slices.Sorted(maps.Keys(v.at)) {
			b = appendKey(appendKey(b, name), v.at[name])
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for _, inner := range v {
			b = appendKey(b, inner)
		}
		return append(b, ']')
	case string:
		b = append(strconv.AppendInt(append(b, '"'), int64(len(v)), 10), ':')
		return append(b, v...)
	case *number:
		return append(append(append(b, '#'), v.key()...), ';')
	case bool:
		return strconv.AppendBool(b, v)
	}
	return append(b, "null"...)
}

// brief writes a value for a message.
func brief(v any) string {
	switch v := v.(type) {
	case *object, []any:
		return "the " + typeOf(v) + " of the schema"
	case string:
		return strconv.Quote(clip(v))
	case *number:
		return briefNumber(v.literal)
	case bool:
		return strconv.FormatBool(v)
	}
	return "null"
}

// isRegex reports whether text is a pattern that may be compiled.
func isRegex(text string) bool {
	re, err := syntax.Parse(text, syntax.Perl)
	return err == nil && programSize(re) <= maxProgram
}
