package wasm

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// A Source is a module to load.
type Source struct {
	Name   string // in messages
	Module []byte // must not be changed while the module is in use

	// Digest is Module.Digest of the bytes, for callers that know it. Empty: it is computed.
	Digest string

	// Open returns the bytes, if Module is nil. With a Digest, it is only called if the
	// store does not have the module.
	Open func() ([]byte, error)

	// Scorers are those that will be called, so that what only others need is not compiled. Empty: all.
	// Others cannot be called. Scripts, programs and workers always have all.
	Scorers []string

	// Data are files that the guest gets when it is started, before its image is taken. The
	// caller has verified them; they must not be changed. Only modules of the direct ABI that
	// export "data" take any.
	Data []Data

	// Access holds the grants of every call; answers may then depend on more than the
	// request. It must stay open until the module is closed. Nil: nothing is granted.
	Access *grant.Access
}

// Data is a data file of a module.
type Data struct {
	Name  string
	Bytes []byte
}

// Bytes returns the bytes of the module.
func (s *Source) Bytes() ([]byte, error) {
	if s.Module != nil || s.Open == nil {
		return s.Module, nil
	}
	return s.Open()
}

// Load takes a module that has one of the ABIs from the store, or reads, meters and
// compiles it, and starts its first instance. A script, in the form of package script, is
// started in its interpreter.
//
// An error has class fault.Invalid for invalid limits; fault.Refused for a module that is
// malformed, beyond a limit or has unknown imports; fault.Load for one that has no ABI or
// does not compile; else the class of the failure to start.
func (r *Runtime) Load(ctx context.Context, src Source, limits Limits) (*Module, error) {
	m, err := r.newModule(&src, limits)
	if err != nil {
		return nil, err
	}
	if !r.stored(ctx, &m.prototype, src.Scorers) { // a script never is, under this key
		if src.Module, err = src.Bytes(); err != nil {
			return nil, err
		}
		if s, err := r.readScript(&src); err != nil {
			return nil, err
		} else if s != nil {
			return r.loadScript(ctx, m, s, limits)
		}
		if err := r.build(ctx, &m.prototype, src.Module); err != nil {
			return nil, err
		}
	}
	r.remember(m)
	if err := m.first(ctx); err != nil {
		return nil, errors.Join(err, m.Close(ctx))
	}
	return m, nil
}

// stored takes a module from the program or the store, with all scorers or only with those that will be called.
func (r *Runtime) stored(ctx context.Context, p *prototype, scorers []string) bool {
	if r.artifacts.load(ctx, p) {
		return true
	}
	some := slices.Compact(slices.Sorted(slices.Values(scorers)))
	p.scorers = some
	return len(some) > 0 && r.artifacts.load(ctx, p)
}

// Compile puts a module, or the interpreter of a script, into the store. Nothing of the
// module runs. The errors are those of Load.
func (r *Runtime) Compile(ctx context.Context, src Source, limits Limits) error {
	module, err := src.Bytes()
	if err != nil {
		return err
	}
	src.Module = module
	s, err := r.readScript(&src)
	if err != nil {
		return err
	}
	if s != nil {
		if _, err = r.interpreters.started(ctx, s.Runtime); err != nil {
			return fmt.Errorf("plugin %s: %w", src.Name, err)
		}
		return nil
	}
	m, err := r.newModule(&src, limits)
	if err != nil {
		return err
	}
	if err := r.build(ctx, &m.prototype, module); err != nil {
		return err
	}
	return m.code.close(ctx)
}

// newModule returns a module that was not read yet. Without a digest in src, it reads its bytes
// and computes it.
func (r *Runtime) newModule(src *Source, limits Limits) (*Module, error) {
	if src.Digest == "" {
		module, err := src.Bytes()
		if err != nil {
			return nil, err
		}
		src.Module, src.Digest = module, digest.Of(module)
	}
	m := &Module{access: src.Access, prototype: prototype{name: src.Name, digest: src.Digest, limits: limits.WithDefaults(), runtime: r, files: src.Data}}
	if err := m.limits.check(); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", m.name, err)
	}
	m.idle, m.peers, m.computed.pool = &pool{of: &m.prototype}, &pool{of: &m.prototype}, &pool{of: &m.prototype}
	return m, nil
}

// build reads, meters and compiles a module.
func (r *Runtime) build(ctx context.Context, p *prototype, module []byte) error {
	w, err := p.rewrite(module)
	if err != nil {
		return fmt.Errorf("plugin %s: %w", p.name, err)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("plugin %s: not loaded: %w", p.name, flight.Stopped(ctx))
	}
	return r.artifacts.compile(ctx, p, w)
}

type rewritten struct {
	traits
	module  []byte        // metered
	stub    []byte        // empty without a store
	data    []binary.Data // initial content of the memory
	library []byte        // of an interpreter
}

// traits are the facts about a module that its instances need beside its code.
type traits struct {
	ABI        ABI         `json:"abi"`
	Exports    []string    `json:"exports"`    // scorers, sorted
	PerCall    bool        `json:"late"`       // every call starts the program
	Imports    [][2]string `json:"imports"`    // modules and names
	Imported   uint32      `json:"imported"`   // number of imported functions, without the refill
	MaxMemory  uint64      `json:"memory"`     // bytes
	Restorable bool        `json:"restorable"` // memory and globals are all its state
	Globals    []string    `json:"globals"`    // export names of its mutable globals
	Grows      bool        `json:"grows"`      // its memory can grow
	Throws     bool        `json:"throws"`     // a call may end with an exception
	Library    int64       `json:"library"`    // bytes
}

// rewrite reads, checks and meters a module.
func (p *prototype) rewrite(module []byte) (*rewritten, error) {
	read, err := binary.Read(module, p.limits.Module)
	if err != nil {
		return nil, err
	}
	if p.convention == nil {
		p.convention = conventionOf(read)
	}
	if err := p.convention.check(read); err != nil {
		return nil, err
	}
	if p.convention.nameless {
		read.Customs = nil
	}
	exports := p.convention.scorers(read)
	out := &rewritten{traits: traits{
		ABI: p.convention.abi, Exports: exports, PerCall: p.convention.abi == Command || p.convention.abi == Extism && slices.Contains(exports, startExport), Imported: uint32(read.Imported(binary.FunctionKind)),
		MaxMemory: maxMemory(read, p.limits), Restorable: Restorable(read),
	}}
	for k := range read.Imports {
		out.Imports = append(out.Imports, [2]string{read.Imports[k].Module, read.Imports[k].Name})
	}
	o := meter.Options{
		MemoryPages: p.limits.MemoryPages, TableEntries: uint32(p.limits.Module.TableEntries),
		Depth: p.limits.Depth, ExportGlobals: out.Restorable, Unstarted: true,
	}
	if p.runtime.artifacts.store != nil {
		o.Stub, o.PartStub = keyBytes(p.keyFor(nil)), keyBytes(p.key())
	}
	if len(p.scorers) > 0 && out.ABI == Direct {
		o.Without = slices.DeleteFunc(slices.Clone(out.Exports), func(name string) bool { return slices.Contains(p.scorers, name) })
	}
	metered, err := meter.Rewrite(read, o)
	if err != nil {
		return nil, err
	}
	if !metered.Part {
		p.scorers = nil
	}
	out.module, out.stub, out.data = metered.Module, metered.Stub, metered.Data
	out.Globals, out.Grows, out.Throws = metered.Globals, metered.Grows, metered.Throws
	return out, nil
}

// maxMemory returns the bytes that the memory of a module may grow to.
func maxMemory(read *binary.Module, l Limits) uint64 {
	if len(read.Memories) == 0 {
		return 0
	}
	pages := l.MemoryPages
	if size := read.Memories[0]; size.HasMax {
		pages = min(pages, size.Max)
	}
	return uint64(pages) << 16
}

// Restorable reports whether instances of m are restored and reused after a call: calls can only
// change its memory and globals. Tables, dropped segments and the upper half of a vector cannot be
// read back. If not, every call starts a new instance.
func Restorable(m *binary.Module) bool {
	changing := []binary.Op{binary.TableSet, binary.TableGrow, binary.TableFill, binary.TableCopy, binary.TableInit, binary.ElemDrop, binary.DataDrop}
	return !slices.ContainsFunc(changing, m.Uses) && !slices.ContainsFunc(m.Globals, func(g binary.Global) bool {
		return g.Mutable && g.Type != binary.I32 && g.Type != binary.I64 && g.Type != binary.F32 && g.Type != binary.F64
	})
}

func provide(ctx context.Context, rt wazero.Runtime, imports [][2]string, stubs *hostModule) error {
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
	if stubs == nil {
		return nil
	}
	return stubs.provide(ctx, rt, imports)
}
