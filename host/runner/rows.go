package runner

import (
	"iter"
	"os"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/result"
)

// ReadRows returns the rows of a run directory, in order.
func ReadRows(dir string) (iter.Seq2[*result.Row, error], func() error, error) {
	f, err := file.Open(filepath.Join(dir, RowsFile), os.O_RDONLY)
	if err != nil {
		return nil, nil, fault.New(fault.NotFound, "%w", err)
	}
	return result.ReadRows(f), f.Close, nil
}
