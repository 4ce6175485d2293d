package grant

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Bounds on what a guest may read below a directory.
const (
	maxOpen    = 64      // files and directories at once
	maxEntries = 100_000 // of one directory
	maxPath    = 4_096   // bytes
)

// Errors of a Tree, for whoever translates them.
var (
	ErrNotExist = fs.ErrNotExist
	ErrDenied   = errors.New("it leads out of the directory, or is neither a file nor a directory")
	ErrTooMany  = errors.New("too many files are open")
)

// A Tree is a directory that may be read, and nothing else: what leads out of
// it, by "..", an absolute path or a link, is denied, and so is what is neither a
// regular file nor a directory. It is safe for concurrent use.
type Tree struct {
	root *os.Root
	dir  string
}

// OpenTree opens a directory. Close it in the end.
func OpenTree(dir string) (*Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fault.WithHint(fault.New(fault.NotFound, "fs:read:%s: %w", dir, err), "grant a directory that exists")
	}
	return &Tree{root, dir}, nil
}

// Close lets go of the directory.
func (t *Tree) Close() error { return t.root.Close() }

// Dir returns the directory as it was granted.
func (t *Tree) Dir() string { return t.dir }

// An Entry is a name in a directory.
type Entry struct {
	Name string
	Dir  bool
}

// A File is an open file or directory of a tree. One goroutine uses it.
type File struct {
	f     *os.File
	Name  string // below the tree, with slashes; "." is the tree itself
	Dir   bool
	Size  int64
	names []Entry // of a directory, once listed
}

// Open opens a file or directory for reading. name has slashes.
func (t *Tree) Open(name string) (*File, error) {
	if len(name) > maxPath || strings.ContainsRune(name, 0) || strings.ContainsRune(name, '\\') {
		return nil, ErrDenied
	}
	name = path.Clean(name)
	if path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../") {
		return nil, ErrDenied
	}
	// A FIFO would hold whoever opens it until somebody writes, and a device may
	// do anything: look before opening, and again at what was opened.
	info, err := t.root.Stat(name)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil, ErrDenied
	}
	if err != nil {
		return nil, treeError(err)
	}
	f, err := t.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, treeError(err)
	}
	if info, err = f.Stat(); err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return nil, errors.Join(ErrDenied, f.Close())
	}
	return &File{f: f, Name: name, Dir: info.IsDir(), Size: info.Size()}, nil
}

// treeError keeps what a guest may know of an error: not where the tree lies.
func treeError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotExist
	}
	return ErrDenied
}

// ReadAt reads from a place of a file; it returns 0 and no error at its end.
func (f *File) ReadAt(b []byte, at int64) (int, error) {
	if f.Dir || at < 0 {
		return 0, ErrDenied
	}
	n, err := f.f.ReadAt(b, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return n, ErrDenied
	}
	return n, nil
}

// Entries lists a directory, sorted: files and directories, the first 100,000
// that the system names.
func (f *File) Entries() ([]Entry, error) {
	if !f.Dir {
		return nil, ErrDenied
	}
	if f.names != nil {
		return f.names, nil
	}
	list, err := f.f.ReadDir(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, ErrDenied
	}
	f.names = []Entry{}
	for _, e := range list {
		if e.IsDir() || e.Type().IsRegular() {
			f.names = append(f.names, Entry{strings.ToValidUTF8(e.Name(), "\uFFFD"), e.IsDir()})
		}
	}
	slices.SortFunc(f.names, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return f.names, nil
}

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }

// Open files of a guest, by a number from 0. The zero value holds none.
type Open struct{ list []*File }

// Add keeps a file and returns its number. It fails with ErrTooMany, and closes
// the file.
func (o *Open) Add(f *File) (int, error) {
	if at := slices.Index(o.list, nil); at >= 0 {
		o.list[at] = f
		return at, nil
	}
	if len(o.list) >= maxOpen {
		return 0, errors.Join(ErrTooMany, f.Close())
	}
	o.list = append(o.list, f)
	return len(o.list) - 1, nil
}

// Get returns the file of a number, or nil.
func (o *Open) Get(n int) *File {
	if n < 0 || n >= len(o.list) {
		return nil
	}
	return o.list[n]
}

// Close closes the file of a number; it reports false if there is none.
func (o *Open) Close(n int) bool {
	f := o.Get(n)
	if f == nil {
		return false
	}
	o.list[n] = nil
	// It was only read.
	_ = f.Close()
	return true
}

// CloseAll closes every file.
func (o *Open) CloseAll() {
	for n := range o.list {
		o.Close(n)
	}
	o.list = o.list[:0]
}
