package dataset

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
)

// CheckFile refuses what is not read like a file: opening a named pipe waits for a writer,
// which no signal ends, and a device may have no end. Pipes that are open already, as
// <(command) has them, are files. An error has class fault.Invalid; whether the file exists
// is not looked at.
func CheckFile(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil //nolint:nilerr // opening it says so
	}
	mode := info.Mode()
	open := strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/") || filepath.Clean(path) == "/dev/stdin"
	if mode.IsRegular() || mode.IsDir() || open && mode&fs.ModeDevice == 0 {
		return nil
	}
	what := "a device"
	switch {
	case mode&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	}
	return fault.WithHint(fault.New(fault.Invalid, "%s is %s, not a regular file", path, what), "read it through standard input: - < %s", path)
}

// OpenRegular opens a file of a run, or another that is read more than once. Other than a regular
// file it is refused, as CheckFile has it; a file that does not exist is fs.ErrNotExist.
func OpenRegular(path string, flag int) (*os.File, error) {
	if err := CheckFile(path); err != nil {
		return nil, fault.WithHint(err, "remove it, or name a regular file")
	}
	return os.OpenFile(path, flag, 0o644) //nolint:gosec // reports and runs are for everybody who may read the directory
}
