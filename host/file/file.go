// Package file opens untrusted paths: regular files only, and no
// more of them than a limit. It puts files of the user in their place.
//
// Stability: experimental.
package file

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// Check refuses special files: opening a named pipe waits for a writer,
// which no signal ends, and a device may have no end. Pipes that are open already, as
// <(command) has them, are files. An error has class fault.Invalid; whether the file exists
// is not looked at.
func Check(path string) error {
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
	return fault.WithHint(fault.New(fault.Invalid, "%s is %s, not a regular file", path, what), "copy it to a file, or pass it as <(cat %s)", path)
}

// Open opens a file of a run, or another that is read more than once. Other than a regular
// file it is refused, as Check has it; a file that does not exist is fs.ErrNotExist.
func Open(path string, flag int) (*os.File, error) {
	if err := Check(path); err != nil {
		return nil, fault.WithHint(err, "remove it, or name a regular file")
	}
	return os.OpenFile(path, flag, 0o644) //nolint:gosec // reports and runs are for everybody who may read the directory
}

// Read reads a file of at most limit bytes. An error has class fault.NotFound or
// fault.Invalid, and names the kind of a path that is not a file.
func Read(path string, limit int64) ([]byte, error) {
	if err := Check(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, OpenFault(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, readFault(path, err)
	case info.IsDir():
		return nil, fault.WithHint(fault.New(fault.Invalid, "%s is a directory", path), "name a file in it")
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, readFault(path, err)
	case int64(len(b)) > limit:
		return nil, fault.New(fault.Invalid, "%s has more than %d bytes", path, limit)
	}
	return b, nil
}

// TempPrefix begins the names of the files that Put has not moved to their place yet.
const TempPrefix = ".new-"

// Put writes a file that belongs to the user alone, whole or not at all: beside its place first,
// then moved there. It makes the directory. Several processes may put the same file.
func Put(path string, content []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, TempPrefix+"*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it is renamed
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// CreateTemp is os.CreateTemp for a file that gets the name of another later: it has a mode, less
// what the user's umask takes from it.
func CreateTemp(dir, pattern string, mode fs.FileMode) (*os.File, error) {
	before, after, _ := strings.Cut(pattern, "*")
	for {
		name := before + strconv.FormatUint(rand.Uint64(), 36) + after //nolint:gosec // O_EXCL, not chance, keeps others away
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// OpenFault says why a file that the user named cannot be opened. If it does not exist, the
// hint names the file of its directory that is probably meant.
func OpenFault(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return readFault(path, err)
	}
	if _, linkErr := os.Lstat(path); linkErr == nil {
		return fault.New(fault.NotFound, "%s is a symbolic link to a file that does not exist", path)
	}
	err = fault.New(fault.NotFound, "%s: no such file", path)
	if strings.HasPrefix(path, "file:") {
		return fault.WithHint(err, "write a path, without file://")
	}
	dir := filepath.Dir(path)
	entries, readErr := os.ReadDir(dir)
	if readErr != nil {
		return fault.WithHint(err, "the directory %s does not exist either", dir)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if s := diag.Suggest(filepath.Base(path), names); s != "" {
		return fault.WithHint(err, "did you mean %s?", filepath.Join(dir, s))
	}
	return err
}

func readFault(path string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return fault.New(fault.Invalid, "%s: %w", path, err)
}
