package wasm

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/host/wasm/lean"
	"github.com/rubric-host/rubric-host/host/wasm/machinecode"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
	"github.com/rubric-host/rubric-host/host/wasm/store"
)

// The artifact of a module has its machine code and these parts.
const (
	traitsPart  = "traits"  // JSON
	stubPart    = "stub"    // the metered module with functions that do nothing; see package machinecode
	dataPart    = "data"    // what the memory starts with
	libraryPart = "library" // of an interpreter
)

// cacheVersion is the version of these parts, of what the meter produces, and of what
// Load refuses: count it up when one of them changes.
// TestMeterOutputHasAVersion notices a change of the meter.
const cacheVersion = 13

// CacheVersion names everything that determines artifacts, apart from the module, its
// limits and wazero. It is part of every key.
func CacheVersion() string {
	return fmt.Sprintf("%d-%d-%d", meter.TableVersion, cacheVersion, lean.Version)
}

// key is that of the module's artifact: a digest of everything that it depends on.
func (m *Module) key() string {
	l := &m.limits
	return store.Key("module", CacheVersion(), m.digest, compiler(), fmt.Sprint(l.MemoryPages, l.Depth), fmt.Sprintf("%+v", l.Module))
}

// stubDigest is the key as bytes, from which a module's machine code is recognised; see
// isWhole.
func (m *Module) stubDigest() (sum [32]byte) {
	hex.Decode(sum[:], []byte(m.key())) //nolint:errcheck // it is in hexadecimal
	return sum
}

// compiler names what makes machine code here.
func compiler() string {
	name := runtime.GOOS + " " + runtime.GOARCH
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, d := range build.Deps {
			if d.Path == "github.com/tetratelabs/wazero" {
				name += " " + d.Version
			}
		}
	}
	return name
}

// errNotKept says that the store cannot be written.
var errNotKept = errors.New("not kept")

// keep compiles a rewritten module and puts it into the store.
func (r *Runtime) keep(ctx context.Context, m *Module, w *rewritten) error {
	d := r.store.Draft()
	if d == nil {
		return errNotKept
	}
	defer d.Discard()
	file, err := machinecode.Compile(ctx, d.Dir, w.module, w.stub, func(module []byte, cache wazero.CompilationCache) error {
		c, err := r.codeOf(ctx, m, module, w.Imports, cache)
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
	err = d.Seal(m.key(), file, store.Part{Name: traitsPart, Data: head}, store.Part{Name: stubPart, Data: w.stub},
		store.Part{Name: dataPart, Data: appendData(nil, w.data)}, store.Part{Name: libraryPart, Data: w.library})
	if err != nil {
		return err
	}
	if r.store.Has(m.key()) || d.Commit(m.key()) { // perhaps another process was quicker
		return nil
	}
	return errNotKept
}

// restore takes a module from the store. It reports false on a miss.
func (r *Runtime) restore(ctx context.Context, m *Module) bool {
	if r.store == nil {
		return false
	}
	a := r.store.Get(m.key())
	if a == nil {
		return false
	}
	defer a.Close()
	if r.restoreFrom(ctx, m, a) {
		return true
	}
	m.forgetImage()
	if m.code != nil {
		m.code.close(ctx) //nolint:errcheck // it has no files and sockets
		m.code = nil
	}
	if ctx.Err() == nil {
		r.store.Remove(m.key())
	}
	return false
}

func (r *Runtime) restoreFrom(ctx context.Context, m *Module, a *store.Artifact) bool {
	if json.Unmarshal(a.Part(traitsPart), &m.traits) != nil {
		return false
	}
	if how := conventionFor(m.traits.ABI); how != nil {
		m.how = how
	}
	if m.how == nil {
		return false
	}
	var ok bool
	var reading sync.WaitGroup // what the memory starts with takes as long as the machine code
	reading.Go(func() { ok = r.restoreMemory(m, a) })
	m.code = r.storedCode(ctx, m, a)
	reading.Wait()
	return ok && m.code != nil && m.isWhole()
}

// restoreMemory takes what the memory of a module starts with: the image of an interpreter
// that was started alone, else data.
func (r *Runtime) restoreMemory(m *Module, a *store.Artifact) (ok bool) {
	if m.script != nil && m.script.Start != nil && r.restoreImage(m) {
		return true
	}
	m.data, ok = readData(a.Part(dataPart))
	return ok
}

// storedCode returns the machine code of an artifact, or nil. Machine code runs outside of
// every sandbox, so wazero gets the directory only after the seal was verified.
func (r *Runtime) storedCode(ctx context.Context, m *Module, a *store.Artifact) *code {
	stub := a.Part(stubPart)
	if stub == nil || !a.Verify(store.Code) {
		return nil
	}
	cache, err := machinecode.Open(a.Dir)
	if err != nil {
		return nil
	}
	c, err := r.codeOf(ctx, m, stub, m.traits.Imports, cache)
	if err != nil {
		cache.Close(ctx) //nolint:errcheck // it holds nothing
		return nil
	}
	c.cache = cache
	return c
}

// isWhole reports whether a module's machine code is that of the whole module: if wazero
// did not find it, it has compiled the stub.
func (m *Module) isWhole() bool {
	i := m.newInstance(m.owner.system.Memory(m.traits.MostMemory), 0)
	defer i.close()
	if i.link() != nil {
		return false
	}
	f := i.mod.ExportedFunction(meter.WholeName)
	return f != nil && i.enter(f) == nil && int64(i.stack[0]) == meter.WholeMark(m.stubDigest())
}

// appendData encodes what a memory starts with.
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

// readData decodes it. It reports false if that is not what b is.
func readData(b []byte) ([]meter.Data, bool) {
	if len(b) < 4 {
		return nil, false
	}
	le := binary.LittleEndian
	n := uint64(le.Uint32(b))
	if b = b[4:]; n > uint64(len(b))/8 {
		return nil, false
	}
	list, rest := make([]meter.Data, n), b[8*n:]
	for k := range list {
		size := uint64(le.Uint32(b[8*k+4:]))
		if size > uint64(len(rest)) {
			return nil, false
		}
		list[k] = meter.Data{Offset: le.Uint32(b[8*k:]), Bytes: rest[:size:size]}
		rest = rest[size:]
	}
	return slices.Clip(list), true
}
