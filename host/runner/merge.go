package runner

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/result"
)

// Merge makes the directory of a run below root that holds the cases, rows and calls of finished
// runs, those of one after those of the other. The caller closes it, and knows that no two runs
// have a row in common.
func Merge(root string, run *result.Run, dirs []string) (*Dir, Kept, error) {
	d, err := Create(root, run)
	if err != nil {
		return nil, Kept{}, err
	}
	for _, name := range []string{CasesFile, RowsFile, CallsFile} {
		for _, dir := range dirs {
			err = errors.Join(err, appendFile(filepath.Join(d.path, name), filepath.Join(dir, name)))
		}
	}
	if err != nil {
		return nil, Kept{}, errors.Join(writeFault(d.path, err), d.Discard())
	}
	if err := d.Close(); err != nil {
		return nil, Kept{}, err
	}
	return Resume(d.path, !run.Dataset.NoContent, func(*result.Row) bool { return false })
}

// appendFile appends a file of a run to that of another; one that does not exist is
// empty, and a last line without its break gets one.
func appendFile(to, from string) error {
	r, err := file.Open(from, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := file.Open(to, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return err
	}
	size, err := io.Copy(w, r)
	var last [1]byte
	if n, _ := r.ReadAt(last[:], size-1); n == 1 && last[0] != '\n' {
		_, more := w.WriteString("\n")
		err = errors.Join(err, more)
	}
	return errors.Join(err, w.Close())
}
