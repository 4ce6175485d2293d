package wasm

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/tetratelabs/wazero"

	wasmbin "github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// An interpreter is large, and wazero reads and validates all of a module before
// it looks for machine code: of CPython, that is two thirds of a process that
// scores once. So what is kept of an interpreter is hollow: a module with the
// same types, imports and exports, whose functions do nothing. The machine code
// of the whole module is put where wazero looks for that of the hollow one.
//
// Should it not be there, wazero compiles the hollow functions. A function that
// both have tells: meter.WholeName. Then the interpreter is made ready anew.

// keptHeader says what follows in the file of an interpreter.
type keptHeader struct {
	Imports  [][2]string `json:"imports"`
	Imported uint32      `json:"imported"`
	Most     uint64      `json:"most"`
	Keeps    bool        `json:"keeps"`
	Globals  []string    `json:"globals"`
	Grows    bool        `json:"grows"`
	Starts   bool        `json:"starts"`
	Throws   bool        `json:"throws"`
	Library  int64       `json:"library"` // bytes, in a file of their own
}

// dataFile is the name under which the memory that an interpreter begins with is
// kept: who has an image does not read it.
func dataFile(l *language) string { return key("data", l.Interpreter, compiler()) + ".data" }

// keepInterpreter compiles an interpreter and keeps it. An error is one of
// compiling; not being able to keep it is none.
func (r *Runtime) keepInterpreter(ctx context.Context, base *Module, w *rewritten) error {
	l := languageFor(base.name)
	h := keptHeader{
		Imported: w.imported, Most: w.most, Keeps: w.keeps, Globals: w.Globals, Grows: w.Grows, Starts: w.Starts, Throws: w.Throws,
		Library: int64(len(w.library)),
	}
	for i := range w.imports {
		h.Imports = append(h.Imports, [2]string{w.imports[i].Module, w.imports[i].Name})
	}
	head, err := json.Marshal(h)
	if err != nil || !canKeep(r.kept) {
		return nil //nolint:nilerr // it is not kept
	}
	if w.library != nil {
		writeKept(r.kept, libraryFile(l), w.library)
	}
	writeKept(r.kept, dataFile(l), appendData(nil, w.Data))
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	writeKept(r.kept, interpreterFile(l), append(append(b, head...), w.Hollow...))
	if _, c := r.hollow(ctx, base); c != nil { // only the files were lost
		return c.forget(ctx)
	}
	return r.compileApart(ctx, base, w)
}

// compileApart compiles an interpreter, and puts its machine code where that of
// its hollow form is looked for.
func (r *Runtime) compileApart(ctx context.Context, base *Module, w *rewritten) error {
	dir, err := os.MkdirTemp(r.kept, "new-*")
	if err != nil {
		return nil //nolint:nilerr // it is not kept
	}
	defer os.RemoveAll(dir) //nolint:errcheck // nobody looks there
	var files [2]string
	for k, form := range []*rewritten{w, hollowed(w)} {
		if files[k], err = r.compileInto(ctx, base, form, filepath.Join(dir, []string{"whole", "hollow"}[k])); err != nil {
			return err
		}
	}
	if files[0] == "" || files[1] == "" {
		return nil
	}
	if name, err := filepath.Rel(filepath.Join(dir, "hollow"), files[1]); err == nil {
		copyFile(filepath.Join(r.coded, name), files[0])
	}
	return nil
}

// copyFile makes a copy of a file, whole or not at all. A worker that may write
// to both directories may not move what is in one into the other.
func copyFile(to, from string) {
	source, err := os.Open(from)
	if err != nil {
		return
	}
	defer source.Close()
	f, err := os.CreateTemp(filepath.Dir(to), "new-*")
	if err != nil {
		return
	}
	_, err = io.Copy(f, source)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), to)
	}
	if err != nil {
		os.Remove(f.Name()) //nolint:errcheck // nothing more can be done
	}
}

func hollowed(w *rewritten) *rewritten {
	h := *w
	result := *w.Result
	result.Module = w.Hollow
	h.Result = &result
	return &h
}

// compileInto compiles a module into a directory of its own. It returns the one
// file that is there then, or nothing.
func (r *Runtime) compileInto(ctx context.Context, base *Module, w *rewritten, dir string) (file string, err error) {
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return "", nil //nolint:nilerr // it is not kept
	}
	c, err := r.compileIn(ctx, base, w, cache)
	if err != nil {
		return "", errors.Join(err, cache.Close(ctx))
	}
	if err := errors.Join(c.close(ctx), cache.Close(ctx)); err != nil {
		return "", err
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if file != "" {
				return fs.ErrExist
			}
			file = path
		}
		return err
	})
	if err != nil {
		return "", nil //nolint:nilerr // it is not kept
	}
	return file, nil
}

// hollow returns an interpreter that is kept, with its machine code, or nothing.
func (r *Runtime) hollow(ctx context.Context, base *Module) (*rewritten, *code) {
	w := r.keptInterpreter(languageFor(base.name))
	if w == nil {
		return nil, nil
	}
	base.take(w)
	c, err := r.compile(ctx, base, w)
	if err != nil {
		return nil, nil
	}
	base.code.Store(c)
	if !base.isWhole() {
		c.forget(ctx) //nolint:errcheck // nothing without files and sockets can fail to close
		return nil, nil
	}
	return w, c
}

// isWhole reports whether the machine code is that of the whole module.
func (m *Module) isWhole() bool {
	i := m.newInstance(m.owner.system.Memory(m.most), 0)
	defer i.close()
	if i.link() != nil {
		return false
	}
	f := i.mod.ExportedFunction(meter.WholeName)
	return f != nil && i.enter(f) == nil && i.stack[0] == 1
}

// forget frees code that the cache's memory must not hold either.
func (c *code) forget(ctx context.Context) error {
	return errors.Join(c.compiled.Close(ctx), c.close(ctx))
}

// keptInterpreter returns an interpreter as it was rewritten before, hollow, or
// nil.
func (r *Runtime) keptInterpreter(l *language) *rewritten {
	b := readKept(r.kept, interpreterFile(l))
	if len(b) < 4 {
		return nil
	}
	n := uint64(binary.LittleEndian.Uint32(b))
	if b = b[4:]; n > uint64(len(b)) {
		return nil
	}
	var h keptHeader
	if json.Unmarshal(b[:n], &h) != nil {
		return nil
	}
	w := &rewritten{
		Result:   &meter.Result{Module: b[n:], Globals: h.Globals, Grows: h.Grows, Starts: h.Starts, Throws: h.Throws},
		imported: h.Imported, most: h.Most, keeps: h.Keeps, libraryBytes: h.Library,
	}
	for _, in := range h.Imports {
		w.imports = append(w.imports, wasmbin.Import{Module: in[0], Name: in[1]})
	}
	if l.alone == nil { // each script needs it
		if w.Data = r.keptData(l); w.Data == nil {
			return nil
		}
	}
	return w
}

// appendData appends the memory that an interpreter begins with.
func appendData(b []byte, list []meter.Data) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(len(list)))
	for _, d := range list {
		b = le.AppendUint32(le.AppendUint32(b, d.Offset), uint32(len(d.Bytes)))
	}
	for _, d := range list {
		b = append(b, d.Bytes...)
	}
	return b
}

// keptData returns it, or nil.
func (r *Runtime) keptData(l *language) []meter.Data {
	b := readKept(r.kept, dataFile(l))
	if len(b) < 4 {
		return nil
	}
	le := binary.LittleEndian
	n := uint64(le.Uint32(b))
	if b = b[4:]; n > uint64(len(b))/8 {
		return nil
	}
	list, rest := make([]meter.Data, n), b[8*n:]
	for k := range list {
		size := uint64(le.Uint32(b[8*k+4:]))
		if size > uint64(len(rest)) {
			return nil
		}
		list[k] = meter.Data{Offset: le.Uint32(b[8*k:]), Bytes: rest[:size:size]}
		rest = rest[size:]
	}
	return slices.Clip(list)
}
