package result

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// Restore is the hint for a damaged file of a run.
const Restore = "restore the file, or evaluate again"

// maxRow is the longest line that a RowReader takes.
const maxRow = 256 << 20

// A RowReader reads the lines of a rows.jsonl file. It is used by one goroutine.
type RowReader struct {
	in    *file.Lines
	line  int
	start int64 // of the last whole row
	size  int64 // of it, without its line break
	end   int64 // after the last whole row
	whole bool  // the last whole row ends with a line break
	err   error
}

// NewRowReader returns a RowReader over r.
func NewRowReader(r io.Reader) *RowReader {
	return &RowReader{in: file.NewLines(r, maxRow), whole: true}
}

// A TornError says that the last line of a file was not written to its end: the
// program or the machine went down meanwhile. Everything before Offset is whole.
type TornError struct {
	Line   int
	Offset int64  // where the torn line begins
	Reason string // why it cannot be read
}

// Error says which line is torn.
func (e *TornError) Error() string {
	return fmt.Sprintf("line %d is torn: it begins at byte %d and does not end: %s", e.Line, e.Offset, e.Reason)
}

// Unwrap returns a fault of class Invalid.
func (e *TornError) Unwrap() error {
	return fault.WithHint(fault.New(fault.Invalid, "%s", e.Reason), "run the same command again: it cuts the torn line and scores that case again")
}

// Ended reports whether an error of a RowReader says that there is no further row: the end
// of the file, or a last line that was not written to its end.
func Ended(err error) bool {
	_, torn := errors.AsType[*TornError](err)
	return torn || errors.Is(err, io.EOF)
}

// Next returns the next row, or io.EOF. A line that is not a row is an error of class fault.Invalid, behind
// which reading continues; a last line without its end is a *TornError.
func (r *RowReader) Next() (*Row, error) {
	var row *Row
	err := r.next(func(line []byte) error {
		row = new(Row)
		return decode(line, row, &row.Schema)
	})
	if err != nil {
		return nil, err
	}
	return row, nil
}

// A RowHead is one entry of a list of rows.
type RowHead struct {
	Schema     int           `json:"schema"`
	Case       string        `json:"case,omitzero"`
	CaseDigest string        `json:"case_digest,omitzero"`
	Repeat     int           `json:"repeat,omitzero"`
	Rubric     string        `json:"rubric,omitzero"`
	Status     rubric.Status `json:"status"`
	Score      *float64      `json:"score"`
	Passed     *bool         `json:"passed"`
}

// NextHead is Next for callers that need no more than the head: the rest of the
// row must be JSON, and is not read further.
func (r *RowReader) NextHead() (RowHead, error) {
	var head RowHead
	err := r.next(func(line []byte) error {
		head = RowHead{}
		return decode(line, &head, &head.Schema)
	})
	return head, err
}

func (r *RowReader) next(decode func(line []byte) error) error {
	for r.err == nil {
		text, size, err := r.in.Next()
		if size == 0 && err != nil {
			r.err = err
			break
		}
		r.line++
		if len(bytes.TrimSpace(text)) == 0 && size <= maxRow {
			r.end, r.whole = r.end+int64(size), err == nil
			continue
		}
		var bad error
		if size > maxRow {
			bad = fault.New(fault.Invalid, "%d bytes are more than a row may have", size)
		} else {
			bad = decode(text)
		}
		if bad == nil {
			r.start, r.size = r.end, int64(len(bytes.TrimSuffix(text, []byte("\n"))))
			r.end, r.whole = r.end+int64(size), err == nil
			return nil
		}
		if err != nil {
			r.err = err
			if errors.Is(err, io.EOF) {
				return &TornError{Line: r.line, Offset: r.end, Reason: bad.Error()}
			}
			break
		}
		r.end, r.whole = r.end+int64(size), true
		return fault.WithHint(fault.New(fault.Invalid, "line %d is not a row: %s", r.line, strings.TrimPrefix(bad.Error(), "jsontext: ")), "%s", cmp.Or(fault.OwnHint(bad), Restore))
	}
	if err := r.err; !errors.Is(err, io.EOF) {
		r.err = io.EOF
		return fmt.Errorf("after line %d: %w", r.line, err)
	}
	return io.EOF
}

func decode(line []byte, into any, schema *int) error {
	if err := json.Unmarshal(line, into); err != nil {
		return fault.As(fault.Invalid, err)
	}
	return checkSchema("row", *schema)
}

// checkSchema returns an error about the schema version of a record.
func checkSchema(what string, version int) error {
	switch {
	case version == 0:
		return fault.WithHint(fault.New(fault.Invalid, "it has no schema version"), "name the run directory, its rows.jsonl or its run.json")
	case version > SchemaVersion || version < 0:
		return fault.WithHint(fault.New(fault.Invalid, "the %s has schema version %d, this program reads up to %d", what, version, SchemaVersion), "use the version of rubric-host that wrote it, or a newer one")
	}
	return nil
}

// Place returns where the row that was read last begins, and its size without the line
// break, both in bytes.
func (r *RowReader) Place() (offset, size int64) { return r.start, r.size }

// Tail says where a writer continues after the last row: it cuts the file at end, and writes a line break
// first if terminated is false.
func (r *RowReader) Tail() (end int64, terminated bool) { return r.end, r.whole }

// ReadRows returns an iterator over the rows of r; see RowReader.Next.
func ReadRows(r io.Reader) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		rows := NewRowReader(r)
		for {
			row, err := rows.Next()
			if errors.Is(err, io.EOF) || !yield(row, err) {
				return
			}
		}
	}
}

// Failing returns the cases of rows that have no score or did not pass, by id.
// Rows that cannot be read are in the error, which does not end the reading.
func Failing(rows iter.Seq2[*Row, error]) (map[string]bool, error) {
	cases := map[string]bool{}
	var first error
	for row, err := range rows {
		switch {
		case err != nil && first == nil:
			first = err
		case err == nil && row.Fails():
			cases[row.Case] = true
		}
	}
	return cases, first
}
