// Package dataset reads eval cases: JSONL, JSON, CSV and YAML files, and
// standard input. It streams: a million rows take the memory of one.
//
// Stability: stable.
package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Case is one item to grade: an output, and what belongs to it. A Case is
// read-only once it is made, and may be shared between goroutines.
type Case struct {
	ID   string // unique in its dataset
	Made bool   // the row has no id; ID was made from its content

	Input      string // the question, messages flattened to text; may be empty
	Messages   []Message
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
	FieldContext    = "context"
	FieldMetadata   = "metadata"
	FieldTags       = "tags"
	FieldCluster    = "cluster"
	FieldLogprobs   = "logprobs"
)

// Place says where the case was read, for messages.
func (c *Case) Place() string {
	switch {
	case c.File == "":
		return fmt.Sprintf("case %q", c.ID)
	case c.Line == 0:
		return fmt.Sprintf("case %q (%s)", c.ID, c.File)
	}
	return fmt.Sprintf("case %q (%s:%d)", c.ID, c.File, c.Line)
}

// Raw returns the field at a dotted path ("metadata.lang", "choices.0.text") as
// JSON, or nil if there is none.
func (c *Case) Raw(path string) jsontext.Value {
	for i := range c.Fields {
		if c.Fields[i].Name == path {
			return c.Fields[i].Value
		}
	}
	head, rest, dotted := strings.Cut(path, ".")
	if !dotted {
		return nil
	}
	for i := range c.Fields {
		if c.Fields[i].Name == head {
			return at(c.Fields[i].Value, rest)
		}
	}
	return nil
}

// at follows a dotted path into a JSON value.
func at(v jsontext.Value, path string) jsontext.Value {
	for path != "" {
		var head string
		head, path, _ = strings.Cut(path, ".")
		switch v.Kind() {
		case '{':
			var m map[string]jsontext.Value
			if json.Unmarshal(v, &m) != nil {
				return nil
			}
			v = m[head]
		case '[':
			var list []jsontext.Value
			n, err := strconv.Atoi(head)
			if err != nil || json.Unmarshal(v, &list) != nil || n < 0 || n >= len(list) {
				return nil
			}
			v = list[n]
		default:
			return nil
		}
		if v == nil {
			return nil
		}
	}
	return v
}

// Texts returns the strings at a dotted path: one for a string, several for a
// list of strings; numbers and booleans as JSON writes them. ok is false if the
// path does not exist, is null, or holds an object.
func (c *Case) Texts(path string) (texts []string, ok bool) {
	return texts1(c.Raw(path))
}

func texts1(v jsontext.Value) ([]string, bool) {
	switch v.Kind() {
	case '"':
		return []string{text(v)}, true
	case '0', 't', 'f':
		return []string{string(v)}, true
	case '[':
		var list []jsontext.Value
		if json.Unmarshal(v, &list) != nil {
			return nil, false
		}
		out := make([]string, 0, len(list))
		for _, e := range list {
			if k := e.Kind(); k == '[' || k == '{' || k == 'n' {
				return nil, false
			}
			out = append(out, text(e))
		}
		return out, true
	}
	return nil, false
}

// text returns a JSON string decoded, and any other value as it is written.
func text(v jsontext.Value) string {
	if v.Kind() != '"' {
		return string(v)
	}
	b, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return string(v)
	}
	return string(b)
}

// Object returns the case as a plain object, decoded: what a template or a
// schema sees.
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
// fields in order. Two rows that differ only in white space between tokens
// have the same digest.
func (c *Case) Digest() string {
	h := sha256.New()
	var size [8]byte
	write := func(b []byte) {
		n := len(b)
		for i := range size {
			size[i] = byte(n >> (8 * i))
		}
		h.Write(size[:])
		h.Write(b)
	}
	for _, f := range c.Fields {
		write([]byte(f.Name))
		write(f.Value)
	}
	var sum [sha256.Size]byte
	return "sha256:" + hex.EncodeToString(h.Sum(sum[:0]))
}
