package feedback

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
)

// maxImport is how many notes one file brings.
const maxImport = 1 << 20

// An opinion is a line that is imported: a note, of this program or written by others, or a
// given verdict.
type opinion struct {
	ID        string    `json:"id"`  // made again
	Run       string    `json:"run"` // the run that it is imported to counts
	Case      string    `json:"case"`
	Repeat    int       `json:"repeat"`
	Criterion string    `json:"criterion"`
	Agree     *bool     `json:"agree"`
	Label     *string   `json:"label"`
	Level     *string   `json:"level"`
	Met       *bool     `json:"met"`
	Value     *float64  `json:"value"`
	Comment   string    `json:"comment"`
	Reason    string    `json:"reason"`
	By        string    `json:"by"`
	At        time.Time `json:"at"`
}

var opinionKeys = []string{"id", "run", "case", "repeat", "criterion", "agree", "label", "level", "met", "value", "comment", "reason", "by", "at"}

// Import reads notes of a run, or verdicts as scorer.ReadGiven does, a JSON object a line. by and at stand in
// where a line does not say who and when. The error is a diag.List with every line that is wrong.
func Import(name string, r io.Reader, run, by string, at time.Time) ([]Note, error) {
	in := file.NewLines(r, MaxLine)
	var notes []Note
	var problems diag.List
	for n := 1; n <= maxImport; n++ {
		text, size, err := in.Next()
		bad := func(column int, err error) {
			problems.Add(diag.Diagnostic{Code: "note-invalid", Pos: diag.Pos{File: name, Line: n, Column: column}, Message: err.Error(), Hint: fault.OwnHint(err)})
		}
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
		}
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			bad(0, err)
			return nil, problems.Err()
		case text == nil && size > 0:
			bad(0, fmt.Errorf("the line has more than %d bytes", MaxLine))
		case len(bytes.TrimSpace(text)) > 0:
			note, column, problem := importLine(text, run, by, at)
			if problem != nil {
				bad(column, problem)
			} else {
				notes = append(notes, note)
			}
		}
		if err != nil {
			break
		}
		if n == maxImport {
			bad(0, fault.WithHint(fault.New(fault.Invalid, "the file has more than %d lines", maxImport), "split the file"))
		}
	}
	if len(notes) == 0 && len(problems) == 0 {
		problems.Add(diag.Diagnostic{Code: "notes-empty", Pos: diag.Pos{File: name}, Message: "the file holds no note"})
	}
	return notes, problems.Err()
}

// importLine reads a line. column is where it is not JSON.
func importLine(text []byte, run, by string, at time.Time) (n Note, column int, err error) {
	var o opinion
	if err := json.Unmarshal(text, &o, json.RejectUnknownMembers(true)); err != nil {
		var s *json.SemanticError
		var syntax *jsontext.SyntacticError
		switch {
		case errors.As(err, &syntax):
			return n, int(syntax.ByteOffset) + 1, fmt.Errorf("not JSON: %w", syntax.Err)
		case errors.As(err, &s) && errors.Is(err, json.ErrUnknownName):
			key := s.JSONPointer.LastToken()
			return n, 0, fault.WithHint(fault.New(fault.Invalid, "unknown key %q", key), "%s", diag.DidYouMean(key, opinionKeys))
		case errors.As(err, &s) && s.JSONPointer != "":
			return n, 0, fmt.Errorf("%s has the wrong type or form", s.JSONPointer.LastToken())
		}
		return n, 0, fault.WithHint(fault.New(fault.Invalid, "the line is not an object"), `write {"case": ID, "criterion": ID, "agree": true}, or label, value`)
	}
	n = Note{Run: run, Case: o.Case, Repeat: o.Repeat, Criterion: o.Criterion, Agree: o.Agree, Value: o.Value, Comment: cmp.Or(o.Comment, o.Reason), By: cmp.Or(o.By, by), At: o.At}
	if n.At.IsZero() {
		n.At = at
	}
	said := 0
	for _, label := range []*string{o.Label, o.Level} {
		if label != nil {
			n.Label = label
			said++
		}
	}
	if o.Met != nil {
		label := map[bool]string{true: "met", false: "unmet"}[*o.Met]
		n.Label = &label
		said++
	}
	if said > 1 {
		return n, 0, fault.WithHint(fault.New(fault.Invalid, "the line gives several of label, level and met"), "keep one of them")
	}
	return n, 0, n.Check()
}
