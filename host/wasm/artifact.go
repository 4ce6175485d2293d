package wasm

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/machinecode"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
	"github.com/rubric-host/rubric-host/host/wasm/store"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// The artifact of a module has its machine code and these parts.
const (
	traitsPart  = "traits"  // JSON
	stubPart    = "stub"    // the metered module with functions that do nothing; see package machinecode
	dataPart    = "data"    // initial contents of the memory, as a module with nothing else
	libraryPart = "library" // of an interpreter
	namePart    = "name"    // wazero's of the machine code
)

// besideCode are the parts of an artifact but its machine code.
var besideCode = []string{traitsPart, stubPart, dataPart, libraryPart, namePart}

// carriedKey seals the artifacts of Pack. It is no secret: a program trusts what it carries as its own code.
var carriedKey = private.Key("carried by the program")

// cacheVersion is the version of these parts, of the meter's output, and of the rules
// by which Load refuses modules: increment it when one of them changes.
// TestCacheVersion_CoversMeterOutput notices a change of the meter.
const cacheVersion = 21

// CacheVersion names everything that determines artifacts, apart from the module, its
// limits and wazero. It is part of every key.
func CacheVersion() string { return fmt.Sprintf("%d-%d", meter.TableVersion, cacheVersion) }

// key is that of the module's artifact: a digest of everything that it depends on.
func (p *prototype) key() string { return p.keyFor(p.scorers) }

// keyFor returns the key of the artifact that has these scorers only; none: all.
func (p *prototype) keyFor(scorers []string) string {
	l := &p.limits
	parts := []string{"module", CacheVersion(), p.digest, Compiler(), fmt.Sprint(l.MemoryPages, l.Depth), fmt.Sprintf("%+v", l.Module)}
	return store.Key(append(parts, scorers...)...)
}

// keyBytes returns a key as bytes, from which a module's machine code is recognised; see
// isWhole.
func keyBytes(key string) (sum [32]byte) {
	hex.Decode(sum[:], []byte(key)) //nolint:errcheck // it is in hexadecimal
	return sum
}

// Compiler names the compiler: platform and version of wazero.
func Compiler() string { return compiler() }

var compiler = sync.OnceValue(func() string {
	name := runtime.GOOS + " " + runtime.GOARCH
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, d := range build.Deps {
			if d.Path == "github.com/tetratelabs/wazero" {
				name += " " + d.Version
			}
		}
	}
	return name
})

// artifacts compiles modules and keeps them, and the images of scripts.
type artifacts struct {
	interpreter bool                               // interpret instead of compiling
	shared      wazero.CompilationCache            // of all modules that are not in the store; nil: no cache
	store       *store.Store                       // nil: nothing is kept
	key         private.Key                        // of seals
	images      *ScriptImage                       // nil: the store keeps the images of scripts
	carried     func(key string) *io.SectionReader // nil: the program carries no artifacts
}

func openArtifacts(o Options) (a artifacts, err error) {
	a = artifacts{interpreter: o.Interpreter, images: o.ScriptImage}
	if o.Interpreter {
		return a, nil
	}
	a.shared, a.key, a.carried = wazero.NewCompilationCache(), o.Key.Derive("artifacts"), o.Carried
	if o.CacheDir == "" {
		return a, nil
	}
	if err := private.Dir(o.CacheDir); err != nil {
		return a, badCacheDir(err)
	}
	if a.key == nil {
		key, err := private.UserKey()
		if err != nil {
			return a, nil //nolint:nilerr // nothing is kept
		}
		a.key = key.Derive("artifacts")
	}
	if a.store, err = store.Open(filepath.Join(o.CacheDir, "modules"), a.key); err != nil {
		return a, badCacheDir(err)
	}
	return a, nil
}

// badCacheDir returns the error for a directory that cannot hold the store.
func badCacheDir(err error) error {
	return fault.WithHint(fault.As(fault.Invalid, fmt.Errorf("compile cache: %w", err)),
		"give the cache a directory of its own with "+fault.OptionCacheDir+", or run without one")
}

// SlowHint is the hint for a module that takes longer than Limits.Compile.
const SlowHint = "try again when the machine is less busy; else make the module smaller"

// compile compiles a rewritten module: through the store if it can be written, else in
// memory.
func (s *artifacts) compile(ctx context.Context, p *prototype, w *rewritten) error {
	p.cacheMiss = s.store != nil
	err := s.save(ctx, p, w)
	if err == nil {
		if s.load(ctx, p) {
			return nil
		}
		err = ctx.Err()
	}
	if ctx.Err() == nil && !errors.Is(err, context.DeadlineExceeded) { // perhaps the store failed: a full disk, say
		p.code, err = s.codeOf(ctx, p, w.module, w.Imports, s.shared)
	}
	switch {
	case err == nil:
		p.traits, p.data = w.traits, w.data
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("plugin %s: compile: %w", p.name, flight.Stopped(ctx))
	case errors.Is(err, context.DeadlineExceeded):
		return fault.WithHint(fault.New(fault.Load, "plugin %s: compiling takes longer than %v", p.name, p.limits.Compile), SlowHint)
	}
	return fault.As(fault.Load, fmt.Errorf("plugin %s: %s", p.name, plain(firstLine(err.Error()), 300)))
}

func (s *artifacts) save(ctx context.Context, p *prototype, w *rewritten) error {
	d := s.store.Draft()
	if d == nil {
		return machinecode.ErrNotKept
	}
	defer d.Discard()
	name, err := machinecode.Compile(ctx, d, w.module, w.stub, func(module []byte, cache wazero.CompilationCache) error {
		c, err := s.codeOf(ctx, p, module, w.Imports, cache)
		if err != nil {
			return err
		}
		return c.close(ctx)
	})
	if err != nil {
		return err
	}
	w.Library = int64(len(w.library))
	head, err := json.Marshal(w.traits)
	if err != nil {
		return err
	}
	return s.keep(d, p.key(), store.Part{Name: traitsPart, Data: head}, store.Part{Name: stubPart, Data: w.stub}, store.Part{Name: dataPart, Data: dataModule(w.data)},
		store.Part{Name: libraryPart, Data: w.library}, store.Part{Name: namePart, Data: name[:]})
}

// keep makes a draft with machine code an artifact.
func (s *artifacts) keep(d *store.Draft, key string, parts ...store.Part) error {
	err := d.Seal(key, parts...)
	if err == nil && !s.store.Has(key) && !d.Commit(key) { // perhaps another process was quicker
		err = machinecode.ErrNotKept
	}
	return err
}

// load takes a module from the program, or from the store. It reports false on a miss. If the program carries it
// for another processor, wazero does not find the machine code.
func (s *artifacts) load(ctx context.Context, p *prototype) bool {
	key := p.key()
	if s.carried != nil && s.readModule(ctx, p, key, store.DecodeOwned(s.carried(key), key, carriedKey)) {
		return true
	}
	a := s.store.Get(key)
	defer a.Close()
	if s.readModule(ctx, p, key, a) {
		return true
	}
	if a != nil && ctx.Err() == nil {
		s.store.Remove(key)
	}
	return false
}

// Pack compiles a module, and returns its artifact and the artifact's key, for Options.Carried.
// The runtime must have a store. The errors are those of Load.
func (r *Runtime) Pack(ctx context.Context, src Source, limits Limits) (key string, artifact []byte, err error) {
	if err := r.Compile(ctx, src, limits); err != nil {
		return "", nil, err
	}
	m, err := r.newModule(&src, limits)
	if err != nil {
		return "", nil, err
	}
	key = m.key()
	a := r.artifacts.store.Get(key)
	if a == nil {
		return "", nil, fault.New(fault.Storage, "plugin %s: %w", src.Name, machinecode.ErrNotKept)
	}
	defer a.Close()
	artifact, err = store.Encode(key, carriedKey, append(partsOf(a), store.Part{Name: store.Code, Data: a.Part(store.Code)})...)
	return key, artifact, err
}

func partsOf(a *store.Artifact) []store.Part {
	return xslices.Map(besideCode, func(name string) store.Part { return store.Part{Name: name, Data: a.Part(name)} })
}

// readModule takes a module from an artifact, and reports whether it could; nil: there is none.
func (s *artifacts) readModule(ctx context.Context, p *prototype, key string, a *store.Artifact) (whole bool) {
	defer func() {
		if !whole && p.code != nil {
			p.code.close(ctx) //nolint:errcheck // it has no files and sockets
			p.code = nil
		}
	}()
	if a == nil {
		return false
	}
	code := machinecode.Read(a.Open(store.Code), func(content io.Reader) bool { return a.Seals(store.Code, content) })
	defer code.Close()
	if json.Unmarshal(a.Part(traitsPart), &p.traits) != nil {
		return false
	}
	if convention := conventionFor(p.traits.ABI); convention != nil {
		p.convention = convention
	}
	if p.convention == nil {
		return false
	}
	memory := make(chan bool)
	go func() { memory <- p.script != nil || s.readMemory(p, a) }() // that of an interpreter may not be needed
	p.code = s.readCode(ctx, p, a, code)
	return <-memory && p.code != nil && p.isWhole(key)
}

// readMemory reads the initial memory of a module.
func (s *artifacts) readMemory(p *prototype, a *store.Artifact) bool {
	m, err := binary.Read(a.Part(dataPart), p.limits.Module)
	if err != nil || m.DataCount == nil {
		return false
	}
	p.data = m.Data
	return true
}

// dataModule returns a module with a memory and these contents, and their count.
func dataModule(data []binary.Data) []byte {
	count := uint32(len(data)) //nolint:gosec // it was read as one
	return (&binary.Module{Memories: []binary.Size{{}}, DataCount: &count, Data: data}).Append(nil)
}

// readCode returns the machine code of an artifact, or nil. Machine code runs outside of the
// sandbox, so wazero gets it only after its seal was verified: meanwhile, it makes a runtime.
func (s *artifacts) readCode(ctx context.Context, p *prototype, a *store.Artifact, machine *machinecode.Code) *code {
	stub, name := a.Part(stubPart), a.Part(namePart)
	if stub == nil || len(name) != len(machinecode.Name{}) {
		return nil
	}
	cache := machinecode.Open(machinecode.Name(name), machine)
	c, err := s.codeOf(ctx, p, stub, p.traits.Imports, cache)
	if err != nil {
		cache.Close(ctx) //nolint:errcheck // it holds nothing
		return nil
	}
	c.cache = cache
	return c
}
