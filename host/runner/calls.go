package runner

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/file"
)

// Calls opens the recording of the judge's calls to append to it; a torn last
// line is cut. The file is at its beginning, and every write goes to its end. It
// is forced to disk like the rows, and closed with the directory.
func (d *Dir) Calls() (*os.File, error) {
	f, err := file.Open(filepath.Join(d.path, CallsFile), os.O_CREATE|os.O_APPEND|os.O_RDWR)
	if err != nil {
		return nil, dirFault(d.path, err)
	}
	end, err := wholeLines(f)
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(dirFault(d.path, err), f.Close())
	}
	d.calls = f
	return f, nil
}

// wholeLines returns where the last whole line of a file ends.
func wholeLines(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	buf := make([]byte, 64<<10)
	for end := info.Size(); end > 0; {
		start := max(0, end-int64(len(buf)))
		part := buf[:end-start]
		if _, err := f.ReadAt(part, start); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return start + int64(i) + 1, nil
		}
		end = start
	}
	return 0, nil
}
