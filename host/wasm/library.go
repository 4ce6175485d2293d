package wasm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// A library is the standard library of an interpreter: one file, in memory. It is
// read from the store on first use, which may be never: the image of a script holds
// the modules that it has imported.
type library struct {
	file string // below the root
	size int64

	once  sync.Once
	fetch func() []byte
	all   []byte
}

// libraryDir is the directory of the library, below the root.
const libraryDir = "usr/local/lib"

// newLibrary returns a library of size bytes, which fetch returns. If fetch returns fewer, they
// are lost, and calls that read the library fail.
func newLibrary(name string, size int64, fetch func() []byte) *library {
	return &library{file: path.Join(libraryDir, name), size: size, fetch: fetch}
}

// with returns an access that has the library in front of the grants.
func (l *library) with(granted *grant.Access) *grant.Access {
	if l == nil {
		return granted
	}
	var a grant.Access
	if granted != nil {
		a = *granted
	}
	a.Tree = libraryTree{l, a.Tree}
	return &a
}

func (l *library) bytes() ([]byte, error) {
	l.once.Do(func() { l.all = l.fetch() })
	if int64(len(l.all)) != l.size {
		return nil, fault.New(fault.Load, "the library of the interpreter was removed: start again")
	}
	return l.all, nil
}

// A libraryTree has a library in front of the granted files.
type libraryTree struct {
	*library
	granted grant.Opener // nil: nothing
}

// Open opens the library's file, a directory above it, or a granted file.
func (s libraryTree) Open(ctx context.Context, name string) (*grant.File, error) {
	name, err := grant.Clean(name)
	switch {
	case err != nil:
		return nil, err
	case name == s.file:
		return grant.NewFile(name, false, s.size, libraryFile{s.library, ""}), nil
	case s.granted != nil && name != libraryDir:
		return s.granted.Open(ctx, name)
	case name == ".":
		return grant.NewFile(name, true, 0, libraryFile{s.library, strings.Split(libraryDir, "/")[0]}), nil
	}
	rest, around := strings.CutPrefix(s.file, name+"/")
	if !around {
		return nil, grant.ErrNotExist
	}
	next, _, _ := strings.Cut(rest, "/")
	return grant.NewFile(name, true, 0, libraryFile{s.library, next}), nil
}

// A libraryFile is the open library, or a directory above it with one entry.
type libraryFile struct {
	*library
	entry string
}

// ReadAt reads from the file; at its end, fewer bytes.
func (s libraryFile) ReadAt(b []byte, at int64) (int, error) {
	all, err := s.bytes()
	if err != nil {
		return 0, err
	}
	n, err := bytes.NewReader(all).ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (s libraryFile) Entries() ([]grant.Entry, error) {
	return []grant.Entry{{Name: s.entry, Dir: s.entry != path.Base(s.file)}}, nil
}

func (s libraryFile) Close() error { return nil }
