package runner

import (
	"iter"
	"os"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/result"
)

// ReadRows returns an iterator over the rows of a run directory, in order; see
// result.RowReader.Next. A file that cannot be opened is an error of class fault.NotFound.
// Where fewer rows stand there than the run has counted, the last error has class
// fault.Invalid.
func ReadRows(dir string) iter.Seq2[*result.Row, error] {
	return func(yield func(*result.Row, error) bool) {
		f, err := file.Open(filepath.Join(dir, RowsFile), os.O_RDONLY)
		if err != nil {
			yield(nil, fault.New(fault.NotFound, "%w", err))
			return
		}
		defer f.Close()
		counted, id, n := 0, "", 0
		if run, err := ReadRun(dir); err == nil && run.Status != result.Running {
			counted, id = run.Counts.Rows, run.ID
		}
		for row, err := range result.ReadRows(f) {
			if !yield(row, err) {
				return
			}
			if err == nil {
				n++
			}
		}
		if n < counted {
			yield(nil, fault.WithHint(fault.New(fault.Invalid, "%s has %d of the %d rows that run %s has counted", RowsFile, n, counted, id),
				"restore the file, or evaluate again"))
		}
	}
}
