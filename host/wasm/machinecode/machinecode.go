// Package machinecode makes wazero run the machine code of a module under the name of its stub: a
// module with the same types, imports and exports, and empty functions. wazero decodes and
// validates a module before it asks its cache for machine code, which takes most of the time for a large
// module; a stub is a hundredth of its size.
//
// This depends on private details of wazero 1.12. No other package does:
//
//   - a compilation cache has a field fileCache, an interface with the methods of file;
//   - it asks that for machine code by a name that follows from the module's bytes and the
//     features of the processor;
//   - it does not read beyond its own data.
//
// The tests fail when one of these changes. wazero itself only checks a CRC: Read verifies. The package
// can go when wazero can skip decoding for cached modules.
//
// Stability: experimental.
package machinecode

import (
	"cmp"
	"context"
	"errors"
	"io"
	"reflect"

	"github.com/tetratelabs/wazero"
)

// ErrNotKept is the error for machine code that could not be written.
var ErrNotKept = errors.New("machine code was not written")

// errElsewhere is the error for machine code of another module or processor.
var errElsewhere = errors.New("no machine code of that name")

// wazero 1.12 keeps its version without a lock when it is first asked for it, and a goroutine that
// reads it meanwhile crashes (wazero/wazero#2532, mended after 1.12). Binaries of tests have no version to
// keep. Nothing is written: no directory has this name.
var _, _ = wazero.NewCompilationCacheWithDir("\x00")

// Name is wazero's name for the machine code of a module on this processor.
type Name = [32]byte

// A file is where wazero keeps the machine code of one module.
type file struct {
	asked Name      // the last name that wazero asked for
	name  Name      // of code
	code  *Code     // nil: there is none
	to    io.Writer // takes what is added; nil: there must be code
	added bool      // something was
}

// Get returns the machine code of a name.
func (f *file) Get(name Name) (io.ReadCloser, bool, error) {
	f.asked = name
	switch {
	case f.to != nil:
		return nil, false, nil
	case f.code == nil || f.name != name || f.code.reader() == nil:
		return nil, false, errElsewhere
	}
	return io.NopCloser(f.code.reader()), true, nil
}

// Add takes the machine code of a name.
func (f *file) Add(_ Name, code io.Reader) error {
	if f.to == nil {
		return ErrNotKept
	}
	f.added = true
	_, err := io.Copy(f.to, code)
	return err
}

// Delete does nothing: machine code of another version of wazero is not used.
func (f *file) Delete(Name) error { return nil }

// cache returns a cache of wazero that has one file.
func (f *file) cache() wazero.CompilationCache {
	c := wazero.NewCompilationCache()
	held := reflect.ValueOf(c).Elem().FieldByName("fileCache")
	reflect.NewAt(held.Type(), held.Addr().UnsafePointer()).Elem().Set(reflect.ValueOf(f))
	return c
}

// Compile compiles a module with a cache, and writes the machine code to a writer. It returns wazero's
// name for that of the stub, an error of compile, or ErrNotKept.
func Compile(ctx context.Context, to io.Writer, module, stub []byte, compile func(module []byte, cache wazero.CompilationCache) error) (Name, error) {
	in := func(f *file, module []byte) error {
		c := f.cache()
		return errors.Join(compile(module, c), c.Close(ctx))
	}
	named, written := &file{}, &file{to: to}
	if err := in(named, stub); !errors.Is(err, errElsewhere) { // nothing of the stub is compiled
		return Name{}, cmp.Or(err, ErrNotKept)
	}
	if err := in(written, module); err != nil || !written.added {
		return Name{}, cmp.Or(err, ErrNotKept)
	}
	return named.asked, nil
}

// Open returns a cache in which wazero finds machine code once, under its name only.
func Open(name Name, code *Code) wazero.CompilationCache {
	return (&file{name: name, code: code}).cache()
}
