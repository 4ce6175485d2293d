package grant

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Bounds on the files of a guest.
const (
	MaxOpen    = 64      // files and directories that a guest has open at once
	MaxPath    = 4_096   // bytes of a name
	maxEntries = 100_000 // of one directory
)

// Errors of a Tree that guests may see.
var (
	ErrNotExist = fs.ErrNotExist
	ErrDenied   = errors.New("it leads out of the directory, or is neither a file nor a directory")
)

// A Tree is a directory that guests may read. Paths that lead out of it, by "..", an absolute path
// or a link, are denied, and so is everything but regular files and directories. It is safe for
// concurrent use.
type Tree struct {
	root *os.Root
	dir  string // as it was granted
}

// openTree opens a directory. Close it after use.
func openTree(dir string) (*Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fault.WithHint(fault.New(fault.NotFound, "fs:read:%s: %w", dir, err), "grant a directory that exists")
	}
	return &Tree{root, dir}, nil
}

// Close closes the directory.
func (t *Tree) Close() error { return t.root.Close() }

// An Entry is a name in a directory.
type Entry struct {
	Name string
	Dir  bool
}

// A File is an open file or directory of a tree. One goroutine uses it.
type File struct {
	Name  string // below the tree, with slashes; "." is the tree itself
	Dir   bool
	Size  int64
	from  Source
	names []Entry // of a directory, once listed
}

// A Source is the content of a file or directory. Guests see the errors ErrNotExist and
// ErrDenied; other errors end the call.
type Source interface {
	// ReadAt fills b. At the end of the file it reads fewer bytes, without an error.
	ReadAt(b []byte, at int64) (int, error)

	// Entries lists a directory, sorted, names in UTF-8.
	Entries() ([]Entry, error)

	Close() error
}

// NewFile returns a file with a source; the other parameters are fields of File.
func NewFile(name string, dir bool, size int64, from Source) *File {
	return &File{Name: name, Dir: dir, Size: size, from: from}
}

// Clean returns the shortest form of a path below a tree. The error is ErrDenied for an invalid
// path, and for one that leads out of the tree.
func Clean(name string) (string, error) {
	if len(name) > MaxPath || !utf8.ValidString(name) || strings.ContainsRune(name, 0) || strings.ContainsRune(name, '\\') {
		return "", ErrDenied
	}
	name = path.Clean(name)
	if path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../") {
		return "", ErrDenied
	}
	return name, nil
}

// Open opens a file or directory for reading. The path has slashes. Errors are ErrNotExist,
// ErrDenied, or for a failure of the machine, one of class Trap.
func (t *Tree) Open(_ context.Context, name string) (*File, error) {
	name, err := Clean(name)
	if err != nil {
		return nil, err
	}
	// Opening a FIFO blocks until a writer comes, and a device may do anything: check the
	// type before opening, and again after it: a FIFO may have been renamed over the file.
	info, err := t.root.Stat(name)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil, ErrDenied
	}
	if err != nil {
		return nil, treeError(err)
	}
	f, err := t.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, treeError(err)
	}
	if info, err = f.Stat(); err != nil {
		return nil, errors.Join(failed(err), f.Close())
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, errors.Join(ErrDenied, f.Close())
	}
	return NewFile(name, info.IsDir(), info.Size(), onDisk{f}), nil
}

// ofMachine are failures of the machine: the file may exist nevertheless.
var ofMachine = []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EIO, syscall.EINTR, syscall.EBUSY}

// treeError translates an error for a guest, without the location of the tree. A failure of the
// machine ends the call: an answer based on it would be wrong.
func treeError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotExist
	}
	for _, e := range ofMachine {
		if errors.Is(err, e) {
			return failed(err)
		}
	}
	return ErrDenied
}

// failed returns the error for a failure of the machine, without the location of the file.
func failed(err error) error {
	if where, ok := errors.AsType[*fs.PathError](err); ok {
		err = where.Err
	}
	return fault.WithHint(fault.New(fault.Trap, "a file that was granted cannot be read: %w", err), "check the machine's resources, or run fewer cases at once")
}

// ReadAt reads from an offset. At the end of the file it returns 0 and no error.
func (f *File) ReadAt(b []byte, at int64) (int, error) {
	if f.Dir || at < 0 {
		return 0, ErrDenied
	}
	return f.from.ReadAt(b, at)
}

// Entries lists the files and directories of a directory, sorted: at most the first 100,000 that
// the system returns. A second call returns the same list.
func (f *File) Entries() ([]Entry, error) {
	if !f.Dir {
		return nil, ErrDenied
	}
	if f.names != nil {
		return f.names, nil
	}
	list, err := f.from.Entries()
	if err != nil {
		return nil, err
	}
	f.names = append([]Entry{}, list...)
	return f.names, nil
}

// Close closes the file.
func (f *File) Close() error { return f.from.Close() }

// onDisk is the source of an open file of this process.
type onDisk struct{ *os.File }

func (f onDisk) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(b, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return n, failed(err)
	}
	return n, nil
}

func (f onDisk) Entries() (names []Entry, err error) {
	list, err := f.ReadDir(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, failed(err)
	}
	for _, e := range list {
		if e.IsDir() || e.Type().IsRegular() {
			names = append(names, Entry{strings.ToValidUTF8(e.Name(), "\uFFFD"), e.IsDir()})
		}
	}
	slices.SortFunc(names, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return names, nil
}
