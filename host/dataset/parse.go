package dataset

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

// maxDepth is the deepest nesting of lists and objects that a row may have.
const maxDepth = 100

// parse returns the members of the object in row, which the fields keep and
// may rewrite: it must not be touched afterwards. pos is the place of its first
// byte.
func parse(row []byte, pos diag.Pos) ([]Field, diag.List) {
	if v := jsontext.Value(row); !v.IsValid() || v.Kind() != '{' {
		return nil, only(syntax(row, pos))
	}
	fields := membersOf(row)
	var bad diag.List
	for i := range fields {
		if err := tidy(&fields[i].Value); err != nil {
			bad.Add(diag.Diagnostic{Code: err.code, Path: fields[i].Name, Pos: pos, Message: "field " + strconv.Quote(fields[i].Name) + err.message, Hint: err.hint})
		}
	}
	if bad != nil {
		return nil, bad
	}
	return fields, nil
}

// only returns d as a list of one; its severity is Error unless it says so.
func only(d diag.Diagnostic) (list diag.List) {
	list.Add(d)
	return list
}

var errNotObject = errors.New("not an object")

// whyInvalid returns the error of a row that is not an object of JSON.
func whyInvalid(row jsontext.Value) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(row))
	if dec.PeekKind() == '[' {
		return errNotObject
	}
	v, err := dec.ReadValue()
	if err == nil && v.Kind() != '{' {
		return errNotObject
	}
	if err == nil {
		_, err = dec.ReadToken()
	}
	return cmp.Or(err, errors.New("something follows the object"))
}

// flaw is the problem of a value that is valid JSON.
type flaw struct{ code, message, hint string }

// tidy takes the white space between tokens out of a valid value, in place, so
// that equal values are equal bytes, and finds values beyond the limits.
func tidy(v *jsontext.Value) *flaw {
	if kind := v.Kind(); kind != '{' && kind != '[' && kind != '0' || isTidy(*v) {
		return nil
	}
	if err := v.Compact(); err != nil {
		return &flaw{"row-syntax", ": " + err.Error(), ""} // it was valid
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(*v), jsontext.AllowDuplicateNames(true)) // there are none
	for {
		token, err := d.ReadToken()
		switch {
		case err != nil:
			return nil
		case d.StackDepth() >= maxDepth: // the row itself is a level
			return &flaw{"row-too-deep", fmt.Sprintf(" nests more than %d deep", maxDepth), "flatten the row"}
		case token.Kind() == '0':
			if _, err := token.Float(); err != nil {
				return &flaw{"number-range", fmt.Sprintf(": the number %s is beyond what a float64 holds", fault.Clip(token.String(), 80)), "write a number up to 1.8e308, null, or a string"}
			}
		}
	}
}

// isTidy reports whether tidy has nothing to do, as with nearly all values. With the look for
// steering characters by eight bytes (diag), these 48 lines save an eighth of the time of
// `score bleu --lines`.
func isTidy(v []byte) bool {
	depth, digits := 0, 0
	for i := 0; i < len(v); i++ {
		c := v[i]
		if c >= '0' && c <= '9' {
			if digits++; digits > 300 { // perhaps out of range
				return false
			}
			continue
		}
		if c|' ' == 'e' && digits > 0 { // an exponent: likewise
			return false
		}
		digits = 0
		switch c {
		case '"':
			for i++; ; i += 2 {
				if i += plain(v[i:]); v[i] == '"' {
					break
				}
			}
		case '[', '{':
			if depth++; depth == maxDepth {
				return false
			}
		case ']', '}':
			depth--
		case ' ', '\t', '\r', '\n':
			return false
		}
	}
	return true
}

// syntax turns the error of a row that is not an object of JSON into a
// diagnostic at the right place.
func syntax(row []byte, pos diag.Pos) diag.Diagnostic {
	d, err := diag.Diagnostic{Code: "row-syntax", Pos: pos}, whyInvalid(row)
	var syn *jsontext.SyntacticError
	switch {
	case errors.Is(err, errNotObject):
		d.Code, d.Message = "row-not-object", "the row is "+kindWord(row)+", not an object"
		d.Hint = `write each row as {"id": …, "output": …}`
		if trimmed := bytes.TrimLeft(row, " \t"); len(trimmed) > 0 && trimmed[0] == '[' {
			d.Hint += "; if the file is one JSON list, use " + fault.OptionDatasetFormat + " json"
		}
		return d
	case errors.As(err, &syn):
		d.Pos = advance(pos, row, int(syn.ByteOffset))
		explain(&d, row, syn)
	default:
		d.Message, d.Hint = "the row is not JSON: "+err.Error(), "write one object for each row"
	}
	return d
}

func explain(d *diag.Diagnostic, row []byte, syn *jsontext.SyntacticError) {
	at := min(max(0, int(syn.ByteOffset)), len(row))
	rest := row[at:]
	switch {
	case errors.Is(syn.Err, jsontext.ErrDuplicateName):
		d.Code, d.Message = "key-duplicate", fmt.Sprintf("duplicate key %q in an object", fault.Clip(syn.JSONPointer.LastToken(), 80))
		d.Path, d.Hint = string(syn.JSONPointer), "keep one of the two"
	case errors.Is(syn.Err, io.ErrUnexpectedEOF):
		d.Code, d.Message = "row-truncated", "the row ends in the middle of a value"
		d.Hint = "the file may have been cut off while it was written; complete or remove the row"
	case !utf8.Valid(row):
		d.Code, d.Message = "row-encoding", fmt.Sprintf("the row is not valid UTF-8: byte %#02x in column %d", row[document.ValidPrefix(row)], document.ValidPrefix(row)+1)
		d.Hint = toUTF8
	case strings.Contains(syn.Err.Error(), "surrogate"): // as Python's json writes one
		d.Code, d.Message = "row-surrogate", "a lone surrogate, which is half of a character"
		d.Hint = "replace it where the text is made; in Python: text.encode('utf-8', 'replace').decode()"
	case len(rest) > 0 && rest[0] < 0x20:
		d.Code, d.Message = "row-control", fmt.Sprintf("control character U+%04X in the row", rest[0])
		d.Hint = `write control characters as escapes such as \n or \u0000`
	case hasPrefix(rest, "NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"):
		d.Code, d.Message = "number-range", "NaN and infinities are not JSON numbers"
		d.Hint = "write null for a missing number"
	case hasPrefix(rest, "None", "True", "False", "'"):
		d.Message, d.Hint = "this is Python, not JSON: "+syn.Err.Error(), "write the rows with json.dumps"
	default:
		d.Message, d.Hint = "the row is not valid JSON: "+syn.Err.Error(), "correct the row, or write it again with a JSON library"
	}
}

func hasPrefix(b []byte, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return bytes.HasPrefix(b, []byte(w)) })
}

var kindWords = map[jsontext.Kind]string{'"': "a string", '[': "a list", '{': "an object", '0': "a number", 't': "a boolean", 'f': "a boolean", 'n': "null"}

func kindWord(v []byte) string {
	return cmp.Or(kindWords[jsontext.Value(bytes.TrimLeft(v, " \t\r\n")).Kind()], "no value")
}

// advance returns the place n bytes after pos.
func advance(pos diag.Pos, row []byte, n int) diag.Pos {
	before := row[:min(max(0, n), len(row))]
	if lines := bytes.Count(before, []byte{'\n'}); lines > 0 {
		pos.Line += lines
		pos.Column = len(before) - bytes.LastIndexByte(before, '\n')
		return pos
	}
	pos.Column += len(before)
	return pos
}
