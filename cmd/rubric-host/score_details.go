package main

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// detailColumns is the width in which a value within the details stays on one line.
const detailColumns = 80

// spread writes an object or list over several lines, and the values in it on one line each if
// they fit: fifty numbers of a list do not fill a screen. v is valid JSON.
func spread(v jsontext.Value, indent string) string {
	d := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	open, _ := d.ReadToken() // no read fails: the JSON is valid
	ends := map[jsontext.Kind]string{'{': "}", '[': "]"}
	if ends[open.Kind()] == "" {
		return string(v)
	}
	var lines []string
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		line := indent + "  "
		if open.Kind() == '{' {
			name, _ := d.ReadValue()
			line += string(name) + ": "
		}
		value, err := d.ReadValue()
		if err != nil {
			return string(v)
		}
		one := value.Clone()
		if one.Format(jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)) != nil || len(line)+len(one) >= detailColumns {
			lines = append(lines, line+spread(value.Clone(), indent+"  "))
			continue
		}
		lines = append(lines, line+string(one))
	}
	if len(lines) == 0 {
		return string(v)
	}
	return open.String() + "\n" + strings.Join(lines, ",\n") + "\n" + indent + ends[open.Kind()]
}
