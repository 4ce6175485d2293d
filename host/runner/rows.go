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
// result.RowReader.Next. A file that cannot be opened is its only error, of class
// fault.NotFound.
func ReadRows(dir string) iter.Seq2[*result.Row, error] {
	return func(yield func(*result.Row, error) bool) {
		f, err := file.Open(filepath.Join(dir, RowsFile), os.O_RDONLY)
		if err != nil {
			yield(nil, fault.New(fault.NotFound, "%w", err))
			return
		}
		defer f.Close()
		result.ReadRows(f)(yield)
	}
}
