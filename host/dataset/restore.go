package dataset

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// AppendFields appends the fields of a case as one JSON object. Restore reads it.
func (c *Case) AppendFields(dst []byte) []byte {
	dst = append(dst, '{')
	for i := range c.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, diag.EscapeJSON(Quote(c.Fields[i].Name))...)
		dst = append(append(dst, ':'), c.Fields[i].Value...)
	}
	return append(dst, '}')
}

// Restore returns the case that AppendFields wrote as object, with the same
// digest. Unlike a row of a dataset it has no aliases or mappings left to apply.
// The id is that of the row if it has none of its own. The error has class
// fault.Invalid. The case shares no memory with object.
func Restore(object jsontext.Value, id string, pos diag.Pos) (*Case, error) {
	fields, bad := parse(slices.Clone(object), pos)
	if bad != nil {
		return nil, &RowError{ID: id, Pos: pos, Problems: bad}
	}
	c := &Case{ID: id, Made: true, Fields: fields, File: pos.File, Line: pos.Line}
	c.setDigest()
	var who [roles]int
	for role, a := range aliases {
		who[role] = slices.IndexFunc(fields, func(f Field) bool { return f.Name == a.field && f.Value.Kind() != 'n' })
	}
	complain := func(code, path, hint, format string, args ...any) {
		bad.Add(diag.Diagnostic{Code: code, Path: path, Pos: pos, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	if i := who[roleID]; i >= 0 {
		c.Made = false
		c.setID(fields[i].Value, complain)
	}
	c.fill(&who, complain)
	if bad != nil {
		return nil, fault.As(fault.Invalid, bad)
	}
	return c, nil
}
