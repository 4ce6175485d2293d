package wasm

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// A large module takes long to be read and metered, and wazero validates all of it
// before it looks for machine code: that is most of a process that scores once. So
// what is kept of a large module, a plugin or an interpreter, is hollow: a module with
// the same types, imports and exports, whose functions do nothing, and a digest of all
// that the whole one depends on. The machine code of the whole module is put where
// wazero looks for that of the hollow one.
//
// Should it not be there, wazero compiles the hollow functions; should it be another
// module's, it is not what was asked for. A function that hollow and whole modules
// have tells: meter.WholeName. Then the module is made ready anew.

// worthHollow is the size of a module from which on it is kept hollow: below, a
// file more costs what it saves.
const worthHollow = 16 << 10

// form is all that a module's form depends on: what it was before, and how it is
// rewritten, limited and compiled. Its bytes are a digest, which the hollow module
// holds, so that it finds no machine code of an older program.
func (m *Module) form() [32]byte {
	l := &m.limits
	return digestAll("form", KeptVersion(), m.digest, compiler(), fmt.Sprint(l.MemoryPages, l.Depth), fmt.Sprintf("%+v", l.Module))
}

// formFile and dataFile are the names under which a module's form is kept, and the
// memory that it begins with: who has an image does not read that.
func (m *Module) formFile() string { return m.formName() + ".form" }
func (m *Module) dataFile() string { return m.formName() + ".data" }

func (m *Module) formName() string {
	sum := m.form()
	return hex.EncodeToString(sum[:])
}

// keepForm compiles a module and keeps it. An error is one of compiling; not being
// able to keep it is none.
func (r *Runtime) keepForm(ctx context.Context, m *Module, w *rewritten) error {
	form, err := appendForm(nil, w)
	if err != nil {
		return nil //nolint:nilerr // it is not kept
	}
	r.forgetUnfinished()
	if w.library != nil {
		r.writeKept(libraryFile(m.language), w.library)
	}
	r.writeKept(m.dataFile(), appendData(nil, w.Data))
	r.writeKept(m.formFile(), form)
	return r.compileApart(ctx, m, w)
}

// compileApart compiles a module and keeps its machine code, unless it is kept: that of
// a module that is kept hollow under the name by which wazero looks for the hollow form.
func (r *Runtime) compileApart(ctx context.Context, m *Module, w *rewritten) error {
	name := ""
	if m.hollows {
		dir, err := os.MkdirTemp(r.kept, "new-*")
		if err != nil {
			return nil //nolint:nilerr // it is not kept
		}
		defer os.RemoveAll(dir) //nolint:errcheck // nobody looks there
		if name, err = r.compileInto(ctx, m, hollowed(w), dir); err != nil || name == "" {
			return err
		}
		if _, c := r.hollow(ctx, m); c != nil { // perhaps only the form was lost
			return c.forget(ctx)
		}
	}
	dir, err := os.MkdirTemp(r.kept, "new-*")
	if err != nil {
		return nil //nolint:nilerr // it is not kept
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it is not there any more, or of no use
	file, err := r.compileInto(ctx, m, w, dir)
	if err != nil || file == "" {
		return err
	}
	if name == "" {
		name = file
	} else if os.Rename(filepath.Join(dir, file), filepath.Join(dir, name)) != nil {
		return nil
	}
	r.keepCode(m, dir, name)
	return nil
}

func hollowed(w *rewritten) *rewritten {
	h := *w
	result := *w.Result
	result.Module = w.Hollow
	h.Result = &result
	return &h
}

// compileInto compiles a module into a directory of its own. It returns the name of the
// one file that is there then, relative to the directory, or nothing.
func (r *Runtime) compileInto(ctx context.Context, m *Module, w *rewritten, dir string) (file string, err error) {
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return "", nil //nolint:nilerr // it is not kept
	}
	c, err := r.compileIn(ctx, m, w, cache)
	if err != nil {
		return "", errors.Join(err, cache.Close(ctx))
	}
	if err := errors.Join(c.close(ctx), cache.Close(ctx)); err != nil {
		return "", err
	}
	return onlyFile(dir), nil
}

// hollow returns a module that is kept, with its machine code; or nothing, if
// anything of it is not as it should be. The module itself it leaves alone.
func (r *Runtime) hollow(ctx context.Context, m *Module) (*rewritten, *code) {
	w := r.keptForm(m)
	if w == nil || m.how == nil && w.how == nil {
		return nil, nil
	}
	var data []meter.Data
	c := r.hollowCode(ctx, m, w, func() (ok bool) {
		data, ok = readData(r.readKept(m.dataFile()))
		return ok
	})
	w.Data = data
	return w, c
}

// hollowCode returns the machine code of a module of which the form is kept, or nil.
// What else the module needs is as large: read reads it at the same time, and says
// whether it is there.
func (r *Runtime) hollowCode(ctx context.Context, m *Module, w *rewritten, read func() bool) *code {
	like := &Module{name: m.name, digest: m.digest, limits: m.limits, how: m.how, owner: r}
	like.take(w)
	cache := r.openCode(m)
	if cache == nil {
		return nil
	}
	var reading sync.WaitGroup
	var there bool
	reading.Go(func() { there = read() })
	c, err := r.compileIn(ctx, like, w, cache)
	reading.Wait()
	if err != nil {
		cache.Close(ctx) //nolint:errcheck // it holds nothing
		return nil
	}
	c.kept = cache
	if like.code.Store(c); !there || !like.isWhole() {
		c.forget(ctx) //nolint:errcheck // nothing without files and sockets can fail to close
		return nil
	}
	return c
}

// isWhole reports whether a module's machine code is that of the whole module, and
// of no other.
func (m *Module) isWhole() bool {
	i := m.newInstance(m.owner.system.Memory(m.most), 0)
	defer i.close()
	if i.link() != nil {
		return false
	}
	f := i.mod.ExportedFunction(meter.WholeName)
	return f != nil && i.enter(f) == nil && int64(i.stack[0]) == meter.WholeMark(m.form())
}

// forget frees code that the cache's memory must not hold either.
func (c *code) forget(ctx context.Context) error {
	return errors.Join(c.compiled.Close(ctx), c.close(ctx))
}

// keptForm returns a module as it was rewritten before, hollow and without what its
// memory begins with, or nil.
func (r *Runtime) keptForm(m *Module) *rewritten {
	if !m.hollows {
		return nil
	}
	return readForm(r.readKept(m.formFile()))
}

// hollows reports whether a module of a size is kept hollow here.
func (r *Runtime) hollows(size int) bool { return r.kept != "" && size >= r.worthHollow }
