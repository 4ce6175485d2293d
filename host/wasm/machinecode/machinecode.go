// Package machinecode makes wazero run the machine code of a module under the name of its stub: a
// module with the same types, imports and exports, and empty functions. wazero decodes and
// validates a module before it looks for machine code, which takes most of the time for a large
// module; a stub is a hundredth of its size.
//
// This depends on private details of wazero 1.12. No other package does:
//
//   - a cache directory has one directory for wazero's version and the machine, and in
//     it a file for each module, whose name follows from the module's bytes;
//   - a file holds only machine code: nothing but its name tells the module;
//   - wazero does not read beyond its own data in that file.
//
// The tests fail when one of these changes. wazero itself only checks a CRC: verify the file before
// Open. The package can go when wazero can skip decoding for cached modules.
//
// Stability: experimental.
package machinecode

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/tetratelabs/wazero"
)

// ErrNotKept is the error for machine code that could not be written.
var ErrNotKept = errors.New("machine code was not written")

// wazero 1.12 keeps its version without a lock when it is first asked for it, and a goroutine that
// reads it meanwhile crashes (wazero/wazero#2532, mended after 1.12). Binaries of tests have no version to
// keep. Nothing is written: no directory has this name.
var _, _ = wazero.NewCompilationCacheWithDir("\x00")

// Compile compiles a module and its stub, both at once, with caches in dir, which must be
// empty. It leaves one file: the machine code of the module where wazero looks for that of
// the stub. It returns the file's path within dir, an error of compile, or ErrNotKept.
func Compile(ctx context.Context, dir string, module, stub []byte, compile func(module []byte, cache wazero.CompilationCache) error) (string, error) {
	aside := filepath.Join(dir, "stub")
	var stubErr, err error
	var both sync.WaitGroup
	both.Go(func() { stubErr = compileIn(ctx, aside, stub, compile) })
	both.Go(func() { err = compileIn(ctx, dir, module, compile) })
	both.Wait()
	if err = cmp.Or(err, stubErr); err != nil {
		return "", err
	}
	as := File(aside)
	if os.RemoveAll(aside) != nil {
		return "", ErrNotKept
	}
	file := File(dir)
	if as == "" || file == "" || os.Rename(filepath.Join(dir, file), filepath.Join(dir, as)) != nil {
		return "", ErrNotKept
	}
	return as, nil
}

// compileIn compiles a module with a cache of its own.
func compileIn(ctx context.Context, dir string, module []byte, compile func([]byte, wazero.CompilationCache) error) error {
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return ErrNotKept
	}
	return cmp.Or(compile(module, cache), cache.Close(ctx))
}

// File returns the one file that a cache has, relative to its directory; empty if
// there is not one.
func File(dir string) string {
	found, err := fs.Glob(os.DirFS(dir), "*/*")
	if err != nil || len(found) != 1 {
		return ""
	}
	return filepath.FromSlash(found[0])
}

// Open returns a cache in which wazero finds the machine code of Compile in dir.
func Open(dir string) (wazero.CompilationCache, error) { return wazero.NewCompilationCacheWithDir(dir) }
