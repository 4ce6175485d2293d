package dataset

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// MaxBad is the number of unusable rows beyond which a dataset is given up when more than half
// of its rows so far are unusable: another file is meant, and each of its rows would be kept
// with a message. Preflight gives up as soon as it has met as many and no usable one.
const MaxBad = 1_000

// An outcome is the result of Next for a row that was read ahead.
type outcome struct {
	c   *Case
	err error
}

// Preflight finds out, before anything is graded, whether the dataset is usable:
// it looks at the beginning of every file, and reads up to the first usable row, at most MaxBad rows.
// Next returns the rows that it has read, too. The error has class fault.Empty if there are
// no rows, and fault.Invalid, with the fix, if a file is in another format than
// it seems or no row is usable.
func (r *Reader) Preflight() error {
	var bad diag.List
	for _, s := range r.sources {
		if d := s.misnamed(r.opts); d != nil {
			bad.Add(*d)
		}
	}
	if len(bad) > 0 {
		first := bad[0]
		return fault.WithHint(fault.New(fault.Invalid, "%s: %s; %s", first.Pos.File, first.Message, first.Hint), "nothing was scored or sent")
	}
	var ahead []outcome
	defer func() { r.more = append(ahead, r.more...) }()
	for len(ahead) < MaxBad {
		c, err := r.row()
		if errors.Is(err, io.EOF) {
			break
		}
		ahead = append(ahead, outcome{c, err})
		if err == nil {
			return nil
		}
	}
	return r.unusable(ahead)
}

// Garbage says that the dataset is given up, as MaxBad has it; else it returns nil. The error has
// class fault.Invalid.
func (r *Reader) Garbage() error {
	if r.totals.Bad <= MaxBad || 2*r.totals.Bad <= r.totals.Rows {
		return nil
	}
	return fault.WithHint(fault.New(fault.Invalid, "%d of the first %d rows of the dataset are unusable: the rest is not read", r.totals.Bad, r.totals.Rows),
		"check that this is the dataset you mean, and its format ("+fault.OptionDatasetFormat+")")
}

// unusable says why no row that was read ahead is usable.
func (r *Reader) unusable(ahead []outcome) error {
	var first *diag.Diagnostic
	alike, rows := 0, 0
	for _, o := range ahead {
		row, ok := errors.AsType[*RowError](o.err)
		if !ok || len(row.Problems) == 0 {
			continue
		}
		d := &row.Problems[0]
		if d.Code == codeEmpty {
			continue
		}
		rows++
		first = cmp.Or(first, d)
		if d.Code == first.Code {
			alike++
		}
	}
	if first == nil {
		name := "the dataset"
		if len(r.sources) == 1 {
			name = r.sources[0].name
		}
		return fault.WithHint(fault.New(fault.Empty, "%s has no rows: nothing to grade", name), "check the program that writes it")
	}
	what := fmt.Sprintf("%s: %s", diag.Pos{File: first.Pos.File, Line: first.Pos.Line}, first.Message)
	if first.Hint != "" {
		what += "; " + first.Hint
	}
	if rows > 1 {
		what += fmt.Sprintf(" (none of the first %d rows is usable, %d of them for this reason)", rows, alike)
	}
	return fault.WithHint(fault.New(fault.Invalid, "%s", what), "nothing was scored or sent")
}

// codeMismatch marks the problem of a file that is not of the format that its name says.
const codeMismatch = "format-mismatch"

// misnamed looks at the beginning of a regular file, and names the problem with
// it as a whole: it is not text, or not of the format that its name says.
func (s *source) misnamed(o Options) *diag.Diagnostic {
	if info, err := os.Stat(s.path); s.path == "" || err != nil || !info.Mode().IsRegular() {
		return nil // a pipe can be read only once
	}
	_, open, problem := s.begin(o)
	if problem == nil {
		_ = open.close() // it was only read
	} else if slices.Contains([]string{codeMismatch, "file-binary", "file-encoding"}, problem.Code) {
		return problem
	}
	return nil // reading it says so
}

// spread reports whether text begins with a JSON list or object that continues after
// its first line.
func spread(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return false
	}
	line, rest, more := bytes.Cut(text, []byte("\n"))
	if !more || len(bytes.TrimSpace(rest)) == 0 {
		return false
	}
	var torn *jsontext.SyntacticError
	dec := jsontext.NewDecoder(bytes.NewReader(bytes.TrimSpace(line)))
	if _, err := dec.ReadValue(); !errors.As(err, &torn) || !errors.Is(torn.Err, io.ErrUnexpectedEOF) {
		return false // the line is whole, or wrong in another way
	}
	dec = jsontext.NewDecoder(bytes.NewReader(text))
	_, err := dec.ReadValue()
	return err == nil || errors.As(err, &torn) && errors.Is(torn.Err, io.ErrUnexpectedEOF) && len(text) > sniffed/2
}
