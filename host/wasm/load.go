package wasm

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/lean"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
	"github.com/rubric-host/rubric-host/host/wasm/script"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Load reads, meters and compiles a module that has one of the ABIs, and starts
// its first instance. A script, in the form of package script, is started in its
// interpreter. The name is for messages. The bytes must not be changed
// while the module is in use.
//
// An error has class fault.Invalid for limits that mean nothing; fault.Refused for what is malformed, beyond a limit or
// imports what there is not; fault.Load for what has no ABI or does not
// compile; else the class of what went wrong when the instance started.
func (r *Runtime) Load(ctx context.Context, name string, module []byte, limits Limits) (*Module, error) {
	if script.Is(module) {
		return r.loadScript(ctx, name, module, limits)
	}
	return r.load(ctx, name, module, limits, (*Runtime).compile)
}

// A maker makes what runs a module that was rewritten, and says what that is: the
// same, or its hollow form.
type maker func(*Runtime, context.Context, *Module, *rewritten) (*rewritten, *code, error)

// newModule returns a module of which nothing was read yet.
func (r *Runtime) newModule(name, digest string, size int, limits Limits) *Module {
	return &Module{name: name, digest: digest, limits: limits.WithDefaults(), idle: newPool(), owner: r, hollows: r.hollows(size)}
}

// LoadKept is Load without the bytes of a module, for who knows their digest, in the
// form of Module.Digest: for a module whose form and machine code Options.CacheDir
// keeps. It returns nil if they are not there, or not as they should be. A script is
// never kept so.
func (r *Runtime) LoadKept(ctx context.Context, name, digest string, limits Limits) (*Module, error) {
	m := r.newModule(name, digest, r.worthHollow, limits)
	if err := m.limits.check(); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	w, c := r.hollow(ctx, m)
	if c == nil {
		return nil, nil
	}
	return m, m.begins(ctx, w, c)
}

// load makes a module. What runs it is kept, or comes from make.
func (r *Runtime) load(ctx context.Context, name string, module []byte, limits Limits, makeCode maker) (*Module, error) {
	m := r.newModule(name, digestOf(module), len(module), limits)
	if err := m.limits.check(); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	w, c := r.hollow(ctx, m)
	if m.made = c == nil; m.made {
		var err error
		if w, c, err = r.open(ctx, m, module, makeCode); err != nil {
			return nil, err
		}
	}
	if err := m.begins(ctx, w, c); err != nil {
		return nil, err
	}
	return m, nil
}

// begins makes a module what it was rewritten to, with its code, and starts the
// first instance.
func (m *Module) begins(ctx context.Context, w *rewritten, c *code) error {
	m.take(w)
	m.code.Store(c)
	m.owner.remember(m)
	if err := m.first(ctx); err != nil {
		return errors.Join(err, m.Close(ctx))
	}
	return nil
}

// open reads and rewrites a module, and makes what runs it.
func (r *Runtime) open(ctx context.Context, m *Module, module []byte, makeCode maker) (*rewritten, *code, error) {
	w, err := m.rewrite(module)
	if err != nil {
		return nil, nil, fmt.Errorf("plugin %s: %w", m.name, err)
	}
	if ctx.Err() != nil {
		return nil, nil, fmt.Errorf("plugin %s: not loaded: %w", m.name, flight.Stopped(ctx))
	}
	return makeCode(r, ctx, m, w)
}

// rewritten is a module ready to be compiled.
type rewritten struct {
	*meter.Result
	how          *convention // nil: of an interpreter that is kept
	exports      []string    // scorers, sorted
	late         bool        // a call begins with what has not run yet
	imports      []binary.Import
	imported     uint32 // functions
	most         uint64 // bytes of memory
	keeps        bool   // memory and globals are all its state
	library      []byte // of an interpreter, or
	libraryBytes int64  // how long it is, where it is kept
}

// rewrite reads, checks and meters a module.
func (m *Module) rewrite(module []byte) (*rewritten, error) {
	read, err := binary.Read(module, m.limits.Module)
	if err != nil {
		return nil, err
	}
	how := m.how
	if how == nil {
		how = conventionOf(read)
	}
	if err := how.check(read); err != nil {
		return nil, err
	}
	if how.nameless {
		read.Customs = nil
	}
	if how.lean != nil {
		read = lean.Rewrite(read, how.lean())
	}
	out := &rewritten{
		how: how, exports: how.scorers(read), late: how.late(read),
		imports: read.Imports, imported: uint32(read.Imported(binary.FunctionKind)), most: mostMemory(read, m.limits), keeps: restorable(read),
	}
	o := meter.Options{
		MemoryPages: m.limits.MemoryPages, TableEntries: uint32(m.limits.Module.TableEntries),
		Depth: m.limits.Depth, ExportGlobals: out.keeps, Unstarted: true,
	}
	if m.hollows {
		o.Hollow = m.form()
	}
	if out.Result, err = meter.Rewrite(read, o); err != nil {
		return nil, err
	}
	return out, nil
}

// take keeps of a rewritten module what instances of it need.
func (m *Module) take(w *rewritten) {
	if w.how != nil {
		m.how = w.how
	}
	m.exports, m.late = w.exports, w.late
	m.grows, m.throws, m.globals, m.data = w.Grows, w.Throws, w.Globals, w.Data
	m.most, m.imported, m.keeps = w.most, w.imported, w.keeps
}

// mostMemory returns the bytes that the memory of a module may grow to.
func mostMemory(read *binary.Module, l Limits) uint64 {
	if len(read.Memories) == 0 {
		return 0
	}
	pages := l.MemoryPages
	if size := read.Memories[0]; size.HasMax {
		pages = min(pages, size.Max)
	}
	return uint64(pages) << 16
}

// restorable reports whether memory and globals are all that a module can
// change: nothing reads back what tables hold and which segments are dropped,
// nor the upper half of a vector.
func restorable(m *binary.Module) bool {
	for _, op := range []binary.Op{
		binary.TableSet, binary.TableGrow, binary.TableFill, binary.TableCopy, binary.TableInit, binary.ElemDrop, binary.DataDrop,
	} {
		if m.Uses(op) {
			return false
		}
	}
	for _, g := range m.Globals {
		if g.Mutable && g.Type != binary.I32 && g.Type != binary.I64 && g.Type != binary.F32 && g.Type != binary.F64 {
			return false
		}
	}
	return true
}

// provide makes the host functions that a module imports.
func provide(ctx context.Context, rt wazero.Runtime, imports []binary.Import) error {
	i64 := []api.ValueType{api.ValueTypeI64}
	_, err := rt.NewHostModuleBuilder(meter.RefillModule).NewFunctionBuilder().
		WithGoFunction(api.GoFunc(refill), i64, i64).Export(meter.RefillName).Instantiate(ctx)
	if err != nil {
		return err
	}
	for _, h := range hostModules {
		if err := h.provide(ctx, rt, imports); err != nil {
			return err
		}
	}
	return nil
}

// typesOf returns the parameters and results that a shape spells.
func typesOf(shape string) (params, results []api.ValueType) {
	of := func(letters []byte) (types []api.ValueType) {
		for _, l := range letters {
			if l == 'i' {
				types = append(types, api.ValueTypeI32)
			} else {
				types = append(types, api.ValueTypeI64)
			}
		}
		return types
	}
	left, right, _ := bytes.Cut([]byte(shape), []byte(":"))
	return of(left), of(right)
}

// host returns the function as wazero calls it.
func (f wasiFunction) host() api.GoModuleFunc {
	return func(ctx context.Context, mod api.Module, stack []uint64) {
		mem := mod.Memory()
		errno := f.call(instanceOf(ctx), mem, stack)
		if len(stack) > 0 {
			stack[0] = uint64(errno)
		}
	}
}
