package wasm

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/private"
)

// Machine code runs outside of every sandbox, and wazero loads what it finds in a cache:
// all it checks is a CRC. So each module has a cache of its own with one file, sealed
// with the runtime's key over its content, its name and the module; and wazero gets the
// directory only after the seal was verified. wazero does not look behind its own data,
// where the seal stands.

// codeDir is the directory of a module's machine code.
func (m *Module) codeDir() string { return filepath.Join(m.owner.kept, m.formName()+".code") }

// codeName is what the machine code of a module in a file is sealed as.
func (m *Module) codeName(file string) string { return m.formName() + ":" + filepath.ToSlash(file) }

// onlyFile returns the name of the file that is alone in the one directory of dir, relative
// to dir; empty if there is more, less, or something that others can reach.
func onlyFile(dir string) string {
	for _, path := range []string{dir, filepath.Dir(dir)} {
		if info, err := os.Lstat(path); err != nil || private.Check(path, info) != nil {
			return ""
		}
	}
	name := onlyEntry(dir)
	if name == "" {
		return ""
	}
	inner := filepath.Join(dir, name)
	if info, err := os.Lstat(inner); err != nil || !info.IsDir() || private.Check(inner, info) != nil {
		return ""
	}
	if file := onlyEntry(inner); file != "" {
		return filepath.Join(name, file)
	}
	return ""
}

func onlyEntry(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		return ""
	}
	return entries[0].Name()
}

// openCode returns a cache with the machine code of a module, or nil: what is there was
// not sealed for this module with this key.
func (r *Runtime) openCode(m *Module) wazero.CompilationCache {
	if r.kept == "" {
		return nil
	}
	dir := m.codeDir()
	file := onlyFile(dir)
	if file == "" {
		return nil
	}
	f, size := openKept(filepath.Join(dir, file))
	if f == nil {
		return nil
	}
	defer f.Close()
	if !r.key.Verify(m.codeName(file), f, size) {
		return nil
	}
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return nil
	}
	return cache
}

// keepCode seals the machine code of a module, which is in a file of dir, and moves dir to
// where openCode looks. Not being able to is no failure.
func (r *Runtime) keepCode(m *Module, dir, file string) {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_RDWR, 0)
	if err != nil {
		return
	}
	seal, err := r.key.Seal(m.codeName(file), f) // it reads to the end
	if err == nil {
		_, err = f.Write(seal)
	}
	if errors.Join(err, f.Close()) != nil {
		return
	}
	place := m.codeDir()
	if os.Rename(dir, place) == nil {
		return
	}
	os.RemoveAll(place)   //nolint:errcheck // then the next line fails
	os.Rename(dir, place) //nolint:errcheck // the next process tries again
}

// keptCode makes what runs a module of its machine code that is kept, or returns nil.
func (r *Runtime) keptCode(ctx context.Context, m *Module, w *rewritten) *code {
	cache := r.openCode(m)
	if cache == nil {
		return nil
	}
	c, err := r.compileIn(ctx, m, w, cache)
	if err != nil {
		cache.Close(ctx) //nolint:errcheck // it holds nothing
		return nil
	}
	c.kept = cache
	return c
}
