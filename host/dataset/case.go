// Package dataset reads eval cases: JSONL, JSON, CSV and YAML files, and
// standard input. It streams: a million rows take the memory of a few, and
// some 30 bytes a row to tell their ids apart. YAML is read as a whole.
//
// A row is an object. The fields of a Case are found by name or alias (aliases.go);
// every other field is kept for templates, references and plugins. An invalid row is
// an error in its place of the stream, with a position, a code and a hint; reading
// continues after it.
//
// Stability: stable.
package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// A Case is one item to grade: an output with its context. A Case is
// read-only once it is made, and may be shared between goroutines.
type Case struct {
	ID   string // unique in its dataset
	Made bool   // the row has no id; ID was made from its content apart from the output

	Input      string   // the question, messages flattened to text; may be empty
	Output     string   // the answer to grade as text; structured outputs as JSON
	HasOutput  bool     // false: the row says nothing to grade
	References []string // expected answers, the row's references before expected_output
	Context    []string
	Tags       map[string]string
	Cluster    string // cases of one cluster are not independent; may be empty

	// Fields are every top-level field of the row after mapping, in order, as
	// JSON. The fields above are decoded from them.
	Fields []Field

	// Rubric is the key of the case's own rubric in its eval file; empty: the
	// rubric of the run.
	Rubric string

	File string // where the case was read
	Line int    // from 1; the line where the row begins, 0 if lines mean nothing there

	// SampleOf is the id of the problem that the output is a sample of; empty: the
	// dataset has no samples.
	SampleOf string

	// Probe is the kind of answer that an audit has put in place of the output;
	// empty: the output is graded for its own sake. See Probes.
	Probe string

	// SameAs is the id of the first sample of the case's problem that has the same
	// output; empty: this is the first, or the dataset has no samples.
	SameAs string

	column     int               // from 1, in Line; 0 if it is not known
	base       string            // the id before it was numbered as that of a sample
	digest     [sha256.Size]byte // of Fields, if digested
	digestText string            // as Digest returns it; empty: not digested
}

// A Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// A Field is one top-level field of a row.
type Field struct {
	Name  string
	Value jsontext.Value
}

// The names of the fields that a Case decodes. Any other field is kept too, for
// templates, references and plugins.
const (
	FieldID         = "id"
	FieldInput      = "input"
	FieldOutput     = "output"
	FieldReferences = "references"
	FieldExpected   = "expected_output"
	FieldOutcome    = "expected_outcome" // the expected outcome in words; for judges
	FieldContext    = "context"
	FieldMetadata   = "metadata"
	FieldTags       = "tags"
	FieldCluster    = "cluster"
	FieldLogprobs   = "logprobs"
	FieldSampleOf   = "sample_of"   // set by a Reader that reads samples
	FieldProbe      = "audit_probe" // set by a Reader that makes an audit
)

// Without returns fields without those of these names.
func Without(fields []Field, names ...string) []Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f Field) bool { return slices.Contains(names, f.Name) })
}

// indexOf returns the place of the field with a name, -1 if there is none.
func indexOf(fields []Field, name string) int {
	for i := range fields {
		if fields[i].Name == name {
			return i
		}
	}
	return -1
}

// Set gives the field with a name a value; without one it is added at the end.
func Set(fields []Field, name string, v jsontext.Value) []Field {
	if i := indexOf(fields, name); i >= 0 {
		fields[i].Value = v
		return fields
	}
	return append(fields, Field{name, v})
}

// Place says where the case was read, for messages.
func (c *Case) Place() string {
	if c.File == "" {
		return fmt.Sprintf("case %q", c.ID)
	}
	return fmt.Sprintf("case %q (%s)", c.ID, c.Source())
}

// pos is where the row begins. A run names a row without a readable id by it.
func (c *Case) pos() diag.Pos { return diag.Pos{File: c.File, Line: c.Line, Column: c.column} }

// Source returns the file of a case and its line, if they are known.
func (c *Case) Source() string {
	if c.Line == 0 {
		return c.File
	}
	return fmt.Sprintf("%s:%d", c.File, c.Line)
}

// Raw returns the field at a dotted path ("metadata.lang", "choices.0.text") as
// JSON, or nil if there is none. A field whose own name has dots comes first.
func (c *Case) Raw(path string) jsontext.Value { return rawAt(c.Fields, path) }

func rawAt(fields []Field, path string) jsontext.Value {
	if i := indexOf(fields, path); i >= 0 {
		return fields[i].Value
	}
	head, rest, dotted := strings.Cut(path, ".")
	if i := indexOf(fields, head); dotted && i >= 0 {
		return at(fields[i].Value, rest)
	}
	return nil
}

// Texts returns the strings at a dotted path: one for a string, several for a
// list of strings; numbers and booleans as JSON writes them. ok is false if the
// path does not exist, is null, or holds an object.
func (c *Case) Texts(path string) (texts []string, ok bool) { return scalarTexts(c.Raw(path)) }

// ReferencesAt returns the texts at a dotted path, as the case's own references are read:
// several for a list, other values than strings as JSON. ok is false if the path does not exist or is
// null.
func (c *Case) ReferencesAt(path string) (texts []string, ok bool) {
	v := c.Raw(path)
	if k := v.Kind(); k == 0 || k == 'n' {
		return nil, false
	}
	return referenceTexts(v), true
}

// scalarTexts returns the text of a scalar, or those of a list of scalars.
func scalarTexts(v jsontext.Value) ([]string, bool) {
	switch v.Kind() {
	case '"':
		return []string{text(v)}, true
	case '0', 't', 'f':
		return []string{string(v)}, true
	case '[':
		out, ok := []string{}, true
		each(v, func(e jsontext.Value) bool {
			k := e.Kind()
			ok = k != '[' && k != '{' && k != 'n'
			out = append(out, text(e))
			return ok
		})
		if !ok {
			return nil, false
		}
		return out, true
	}
	return nil, false
}

// Reasoned returns the parts of an output that is an object of thinking and output, such as
// {"thinking": "…", "output": "…"}. ok is false for any other output.
func (c *Case) Reasoned() (thinking, output string, ok bool) {
	var form struct {
		Thinking string `json:"thinking"`
		Output   string `json:"output"`
	}
	raw := c.Raw(FieldOutput)
	if raw.Kind() != '{' || json.Unmarshal(raw, &form, json.RejectUnknownMembers(true)) != nil {
		return "", "", false
	}
	return form.Thinking, form.Output, true
}

// Object returns the case as a plain object, decoded, for templates and schemas.
func (c *Case) Object() map[string]any {
	m := make(map[string]any, len(c.Fields))
	for _, f := range c.Fields {
		var v any
		if json.Unmarshal(f.Value, &v) == nil {
			m[f.Name] = v
		}
	}
	return m
}

// Target returns the graded thing as a plain object: the output where it is an
// object, or text that parses as one; else the case itself.
func (c *Case) Target() map[string]any {
	v := c.Raw(FieldOutput)
	if v.Kind() == '"' {
		v = jsontext.Value(strings.TrimSpace(c.Output))
	}
	if v.Kind() == '{' {
		var m map[string]any
		if json.Unmarshal(v, &m) == nil {
			return m
		}
	}
	return c.Object()
}

// Digest returns the digest of the case's content, "sha256:<hex>": of its
// fields in order. Two rows that differ only in white space between tokens, or
// in whether invisible characters are escaped, have the same digest.
func (c *Case) Digest() string {
	if c.digestText != "" {
		return c.digestText
	}
	return digestText(digestFields(c.Fields))
}

func (c *Case) setDigest() {
	c.digest = digestFields(c.Fields)
	c.digestText = digestText(c.digest)
}

func digestText(sum [sha256.Size]byte) string { return "sha256:" + hex.EncodeToString(sum[:]) }

// digestFields hashes names and values, each with its length before it as eight
// bytes, the lowest first.
func digestFields(fields []Field) (sum [sha256.Size]byte) {
	h := sha256.New()
	var scratch [64]byte
	for i := range fields {
		f := &fields[i]
		b := binary.LittleEndian.AppendUint64(scratch[:0], uint64(len(f.Name)))
		b = append(b, f.Name...)
		h.Write(binary.LittleEndian.AppendUint64(b, uint64(len(f.Value))))
		h.Write(f.Value)
	}
	h.Sum(sum[:0])
	return sum
}

// Labels returns the texts that a case has under a field: at a dotted path, such
// as a CSV column or metadata.lang, else at that path of its metadata, else its
// tag of that name. A list has several, and "tags" all of them, as key=value or
// key. Nil: the case has no such field, or it is null or an object.
func (c *Case) Labels(field string) []string {
	if field == FieldTags {
		var out []string
		for key, value := range c.Tags {
			if value != "" {
				key += "=" + value
			}
			out = append(out, key)
		}
		slices.Sort(out)
		return out
	}
	for _, path := range []string{field, FieldMetadata + "." + field} {
		if texts, ok := c.Texts(path); ok {
			return texts
		}
	}
	if value, ok := c.Tags[field]; ok {
		return []string{value}
	}
	return nil
}

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
