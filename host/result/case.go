package result

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// A Case is a line of cases.jsonl: the content of a case as it was read. Rows
// find it by their case digest.
type Case struct {
	Schema int         `json:"schema"`
	Digest string      `json:"digest"` // of the fields, "sha256:<hex>"
	ID     string      `json:"id"`     // of the first case with this content
	Source *CaseSource `json:"source,omitzero"`

	// Fields is the object of all fields, in order and after mapping. Nil: the run keeps no content.
	Fields jsontext.Value `json:"case,omitzero"`
}

// A CaseSource is where a case was read.
type CaseSource struct {
	File string `json:"file"`
	Line int    `json:"line,omitzero"` // from 1; 0: lines mean nothing in this format
}

// AppendCase appends the line of a case to dst, without a line break. Without
// content it leaves the fields out.
func AppendCase(dst []byte, c *dataset.Case, content bool) []byte {
	head := Case{Schema: SchemaVersion, Digest: c.Digest(), ID: c.ID}
	if c.File != "" {
		head.Source = &CaseSource{File: c.File, Line: c.Line}
	}
	b, err := json.Marshal(head, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic(err) // it holds text and numbers, which JSON takes
	}
	dst = append(dst, bytes.TrimSuffix(diag.EscapeJSON(b), []byte("}"))...)
	if content {
		dst = c.AppendFields(append(dst, `,"case":`...))
	}
	return append(dst, '}')
}

// ReadCase reads a line of cases.jsonl. It shares memory with line. An error has
// class fault.Invalid.
func ReadCase(line []byte) (*Case, error) {
	var c Case
	if err := json.Unmarshal(line, &c); err != nil {
		return nil, fault.As(fault.Invalid, err)
	}
	return &c, checkSchema("case", c.Schema)
}

// Restore returns the case as it was graded, under the id of a row (empty: its own); without content it has
// an id and a place. An error is a *ChangedContent of class fault.Mismatch, or of class fault.Invalid.
func (c *Case) Restore(id string) (*dataset.Case, error) {
	id = cmp.Or(id, c.ID)
	var pos diag.Pos
	if s := c.Source; s != nil {
		pos = diag.Pos{File: s.File, Line: s.Line}
	}
	if c.Fields == nil {
		return &dataset.Case{ID: id, File: pos.File, Line: pos.Line}, nil
	}
	restored, err := dataset.Restore(c.Fields, id, pos)
	if err != nil {
		return nil, err
	}
	if d := restored.Digest(); d != c.Digest {
		return nil, fault.New(fault.Mismatch, "%w", &ChangedContent{Case: id, Was: c.Digest, Is: d})
	}
	return restored, nil
}

// ChangedContent says that the content of a case is not that of its digest.
type ChangedContent struct{ Case, Was, Is string }

func (c *ChangedContent) Error() string {
	return fmt.Sprintf("case %q: its content has digest %s, not %s", c.Case, c.Is, c.Was)
}
