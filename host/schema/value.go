package schema

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
)

// bounds limit a JSON text.
type bounds struct{ bytes, elements, depth int }

var (
	schemaBounds = bounds{MaxBytes, 100_000, 100}
	valueBounds  = bounds{4 << 20, 100_000, 100}
)

// Bounds on a number, which keep its exact value small.
const (
	maxDigits   = 1000
	maxExponent = 1000
)

// errNotJSON is the class of errors of text that is not JSON.
var errNotJSON = errors.New("is not JSON")

// number is a JSON number as written; the library knows this type.
type number = stdjson.Number

// decode decodes a JSON text into the types that the library validates, numbers
// as written. The error follows a subject: the text exceeds the bounds (class
// Input), or it is errNotJSON.
func decode(text jsontext.Value, b bounds) (any, error) {
	if len(text) > b.bytes {
		return nil, fault.New(fault.Input, "has %d bytes; at most %d are validated", len(text), b.bytes)
	}
	var v any
	var refused error
	elements := 0
	one := json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *any) error {
		kind := d.PeekKind()
		switch elements++; {
		case elements > b.elements:
			refused = fault.New(fault.Input, "has more than %d elements", b.elements)
		case (kind == '{' || kind == '[') && d.StackDepth() == b.depth:
			refused = fault.New(fault.Input, "nests more than %d deep", b.depth)
		case kind != '0':
			return errors.ErrUnsupported // the library takes over
		default:
			literal, err := d.ReadValue()
			if err != nil {
				return err
			}
			*v, refused = numberOf(string(literal))
		}
		return refused
	})
	d := jsontext.NewDecoder(bytes.NewBuffer(text))
	err := json.UnmarshalDecode(d, &v, json.WithUnmarshalers(one))
	if refused != nil {
		return nil, refused
	}
	if err == nil {
		if _, err = d.ReadToken(); errors.Is(err, io.EOF) {
			return v, nil
		}
		if err == nil {
			err = errors.New("something follows the value")
		}
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		err = syntax
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return nil, fmt.Errorf("%w: %s", errNotJSON, strings.TrimPrefix(err.Error(), "jsontext: "))
}

// numberOf refuses a literal whose exact value would fill memory.
func numberOf(literal string) (any, error) {
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(literal), "e")
	small := len(mantissa) <= maxDigits
	if scientific {
		n, err := strconv.Atoi(exponent)
		small = small && err == nil && n <= maxExponent && n >= -maxExponent
	}
	if !small {
		const most = 40
		if len(literal) > most {
			literal = literal[:most] + "…"
		}
		return nil, fault.New(fault.Input, "holds the number %s: at most %d digits and exponents up to %d are validated", literal, maxDigits, maxExponent)
	}
	return number(literal), nil
}

// plainInt reports whether a number is a short integer: most are.
func plainInt(n number) bool {
	return len(n) < 18 && !strings.ContainsAny(string(n), ".eE") && n != "-0"
}

// weight is the work of looking at every part of a value.
func weight(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			n += len(name)/64 + 1 + weight(inner)
		}
	case []any:
		for _, inner := range v {
			n += weight(inner)
		}
	case string:
		n += len(v) / 64
	case number:
		if !plainInt(v) {
			n += len(v) / 8
		}
		if i := strings.IndexAny(string(v), "eE"); i >= 0 {
			e, _ := strconv.Atoi(string(v[i+1:]))
			n += max(e, -e) / 8
		}
	}
	return n
}

// appendKey appends a text that equal values share, and only they.
func appendKey(b []byte, v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		b = append(b, '{')
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b = appendKey(appendKey(b, name), v[name])
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
	case number:
		b = append(b, '#')
		if plainInt(v) {
			return append(append(b, v...), ';')
		}
		r, _ := new(big.Rat).SetString(string(v))
		return append(append(b, r.RatString()...), ';')
	case bool:
		return strconv.AppendBool(b, v)
	}
	return append(b, "null"...)
}

// longestPath returns the most bytes that the names on a path into a value have.
func longestPath(v any) int {
	longest := 0
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			longest = max(longest, len(name)+1+longestPath(inner))
		}
	case []any:
		for _, inner := range v {
			longest = max(longest, len("/0")+longestPath(inner))
		}
	}
	return longest
}
