package conformance

import (
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The judge answers of the vectors are in each system's own wire form. They are
// translated into ours by renaming their members, and by moving them to their place
// in our form. No value is repaired: a boolean stays a boolean, NaN stays NaN, broken
// JSON stays broken, prose and fences stay where they are.

// A part is a member of a JSON object, in the order written; names may repeat.
type part struct {
	name  string
	value jsontext.Value
}

// parts returns the members of an object; none of other values.
func parts(v jsontext.Value) (list []part) {
	d := jsontext.NewDecoder(strings.NewReader(string(v)), jsontext.AllowDuplicateNames(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil
		}
		p := part{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return nil
		}
		p.value = value.Clone()
		list = append(list, p)
	}
	return list
}

// valueOf returns the first member that has one of names, nil if there is none.
func valueOf(list []part, names ...string) jsontext.Value {
	for _, p := range list {
		if slices.Contains(names, p.name) {
			return p.value
		}
	}
	return nil
}

// elements returns the elements of a list; ok is false if v is none.
func elements(v jsontext.Value) (list []jsontext.Value, ok bool) {
	d := jsontext.NewDecoder(strings.NewReader(string(v)), jsontext.AllowDuplicateNames(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '[' {
		return nil, false
	}
	for d.PeekKind() != ']' {
		e, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		list = append(list, e.Clone())
	}
	return list, true
}

// object writes an object, members without a value left out.
func object(list ...part) jsontext.Value {
	b := []byte{'{'}
	for _, p := range list {
		if p.value == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ", "...)
		}
		b, _ = jsontext.AppendQuote(b, p.name)
		b = append(append(b, ": "...), p.value...)
	}
	return append(b, '}')
}

// bare are words that stand where JSON wants a value and are none; quoted is how
// they are kept while the JSON around them is read.
var (
	bare   = regexp.MustCompile(`:\s*(-?Infinity|NaN|maybe)\b`)
	quoted = regexp.MustCompile(`"bare:([^"]*)"`)
)

// eachObject replaces every outermost JSON object in text by the result of say; say
// returns nil for one that is not of the wire form. Text that is not JSON stays, and
// so does a bare word in an object that is otherwise JSON.
func eachObject(text string, say func([]part) jsontext.Value) string {
	var out strings.Builder
	for {
		head, rest, found := strings.Cut(text, "{")
		out.WriteString(head)
		if !found {
			return quoted.ReplaceAllString(out.String(), "$1")
		}
		rest = "{" + rest
		value, ok := leading(rest)
		if mended := bare.ReplaceAllString(rest, `: "bare:$1"`); !ok {
			if value, ok = leading(mended); ok {
				rest = mended
			}
		}
		if !ok {
			out.WriteByte('{')
			text = rest[1:]
			continue
		}
		list := parts(value)
		said := say(list)
		if said == nil {
			said = value
		}
		out.Write(said)
		text = rest[len(value):]
	}
}

// leading returns the JSON value that text begins with.
func leading(text string) (jsontext.Value, bool) {
	d := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
	v, err := d.ReadValue()
	return v.Clone(), err == nil
}

// renamed returns a translation that only renames members, in whatever text they
// stand.
func renamed(pairs ...string) func(string) string {
	var names []string
	for _, name := range pairs {
		names = append(names, `"`+name+`"`)
	}
	return strings.NewReplacer(names...).Replace
}

// A check is a system's answer on one criterion, in our words.
type check struct {
	name    string // the criterion, as the answer names it
	verdict jsontext.Value
	reason  jsontext.Value
}

// ours says checks in our form: keyed by criterion where there are several, one
// verdict where there is one criterion.
func ours(ids []string, checks []check, more ...part) jsontext.Value {
	if len(ids) != 1 {
		var verdicts []part
		for _, c := range checks {
			verdicts = append(verdicts, part{c.name, object(part{"reason", c.reason}, part{"verdict", c.verdict})})
		}
		return object(append([]part{{"verdicts", object(verdicts...)}}, more...)...)
	}
	var only []part
	for _, c := range checks {
		if c.name == ids[0] {
			only = append(only, part{"reason", c.reason}, part{"verdict", c.verdict})
		}
	}
	return object(only...)
}

// plainText returns the text of a JSON string, and any other value as written.
func plainText(v jsontext.Value) string {
	if v.Kind() != '"' {
		return string(v)
	}
	b, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return string(v)
	}
	return string(b)
}
