package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/rubric-host/rubric-host/host/file"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// rowIndex finds the rows of a run by case and repeat. It is safe for
// concurrent use once it is made.
type rowIndex struct {
	file  *os.File
	at    map[rowKey]rowPlace
	cases []rowKey // the first row of each case, in the order of the file
}

type rowKey struct {
	id     string
	repeat int
}

type rowPlace struct {
	start, size int64
	digest      string
	read        *bool
}

// indexRows notes where each row of a run lies.
func indexRows(dir string) (*rowIndex, error) {
	f, err := file.Open(filepath.Join(dir, runner.RowsFile), os.O_RDONLY)
	if err != nil {
		return nil, fault.New(fault.NotFound, "%w", err)
	}
	x := &rowIndex{file: f, at: map[rowKey]rowPlace{}}
	known := map[string]bool{}
	r := result.NewRowReader(f)
	for start := int64(0); ; {
		row, err := r.Next()
		var torn *result.TornError
		switch {
		case errors.Is(err, io.EOF), errors.As(err, &torn):
			return x, nil
		case err != nil:
			return nil, errors.Join(fmt.Errorf("%s: %w", f.Name(), err), f.Close())
		}
		end, _ := r.Tail()
		x.at[rowKey{row.Case, row.Repeat}] = rowPlace{start: start, size: end - start, digest: row.CaseDigest, read: new(bool)}
		start = end
		if !known[row.Case] {
			known[row.Case] = true
			x.cases = append(x.cases, rowKey{row.Case, row.Repeat})
		}
	}
}

func (x *rowIndex) close() { _ = x.file.Close() } // it was only read

// lacks reports whether the run has no row of a case with this content: then
// there is nothing to verify.
func (x *rowIndex) lacks(_ int, id string, repeat int, digest string) bool {
	p, ok := x.at[rowKey{id, repeat}]
	if ok && p.digest == digest {
		*p.read = true
		return false
	}
	return true
}

func (x *rowIndex) read(id string, repeat int) (*result.Row, error) {
	p, ok := x.at[rowKey{id, repeat}]
	if !ok {
		return nil, fault.New(fault.NotFound, "the run has no row for case %q, repeat %d", id, repeat)
	}
	b := make([]byte, p.size)
	if _, err := x.file.ReadAt(b, p.start); err != nil {
		return nil, fault.New(fault.Invalid, "%w", err)
	}
	var row result.Row
	if err := json.Unmarshal(b, &row); err != nil {
		return nil, fault.New(fault.Invalid, "case %q: %w", id, err)
	}
	return &row, nil
}

// unread returns some of the cases that the dataset did not hold.
func (x *rowIndex) unread(most int) []string {
	var out []string
	for key, p := range x.at {
		if !*p.read {
			out = append(out, key.id)
		}
	}
	slices.Sort(out)
	return out[:min(most, len(out))]
}
