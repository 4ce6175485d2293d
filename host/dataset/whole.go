package dataset

import (
	"bufio"
	"cmp"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
)

// whole reads a file as one row: its text is the output, its name the ID and the field "file".
type whole struct {
	in     *bufio.Reader // nil: the row was read
	pos    diag.Pos
	limit  int
	failed *diag.Diagnostic
}

func newWhole(in *bufio.Reader, name string, limit int) splitter {
	return &whole{in: in, pos: diag.Pos{File: name, Line: 1, Column: 1}, limit: limit}
}

func (w *whole) problem() *diag.Diagnostic { return w.failed }

func (w *whole) next(row *rawRow) bool {
	if w.in == nil {
		return false
	}
	text, err := io.ReadAll(io.LimitReader(w.in, int64(w.limit)+1))
	more, rest := io.Copy(io.Discard, w.in) // the digest is that of all bytes
	w.in = nil
	switch {
	case err != nil, rest != nil:
		w.failed = unreadable(w.pos, cmp.Or(err, rest))
		return false
	case len(text) > w.limit:
		*row = rawRow{pos: w.pos, bad: only(tooLong(w.pos, len(text)+int(more), w.limit))}
		return true
	}
	*row = rawRow{pos: w.pos}
	for _, f := range []struct{ name, text string }{{FieldID, w.pos.File}, {"file", w.pos.File}, {FieldOutput, string(text)}} {
		v, bad := cellValue(f.name, f.text)
		switch {
		case bad != nil:
			row.bad.Add(diag.Diagnostic{Code: bad.code, Path: f.name, Pos: w.pos, Message: "the " + f.name + " " + bad.message, Hint: bad.hint})
		case v == nil:
			v = jsontext.Value(`""`)
		}
		row.fields = append(row.fields, Field{f.name, v})
	}
	return true
}
