package wasm

import (
	"bytes"
	"context"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/wasm/store"
)

// Denying returns options under which memories are put back without some ways.
func Denying(o Options, ways ...image.Way) Options {
	o.denied = ways
	return o
}

// ArtifactVersion is the version of the parts of an artifact.
const ArtifactVersion = cacheVersion

// Metered returns a module as it is compiled for some of its scorers, none: for all; and its parts in an artifact.
func (r *Runtime) Metered(name string, module []byte, scorers ...string) (metered, traits []byte, err error) {
	m, err := r.newModule(&Source{Name: name, Module: module}, Limits{})
	if err != nil {
		return nil, nil, err
	}
	m.scorers = scorers
	w, err := m.rewrite(module)
	if err != nil {
		return nil, nil, err
	}
	traits, err = json.Marshal(w.traits)
	return w.module, append(traits, dataModule(w.data)...), err
}

// MovedCode returns an artifact of Pack whose machine code is for a processor that wazero does not find here.
func MovedCode(key string, packed []byte) []byte {
	a := store.DecodeOwned(io.NewSectionReader(bytes.NewReader(packed), 0, int64(len(packed))), key, carriedKey)
	moved, err := store.Encode(key, carriedKey, append(partsOf(a)[:len(besideCode)-1], store.Part{Name: store.Code, Data: a.Part(store.Code)},
		store.Part{Name: namePart, Data: make([]byte, 32)})...)
	if err != nil {
		panic(err)
	}
	return moved
}

// Key is that of a module's artifact under limits.
func Key(l Limits) string { return (&prototype{limits: l}).key() }

// Grant gives later calls the granted files.
func (m *Module) Grant(a *grant.Access) { m.access = a }

// Break makes a function of WASI panic with a value, until it is mended.
func Break(name string, value any) (mend func()) {
	f := wasiImports.find(name)
	call := f.call
	f.call = func(context.Context, api.Module, []uint64) { panic(value) }
	return func() { f.call = call }
}

// An Import is a function that guests may import, with the letters of its type.
type Import struct{ Module, Name, Shape string }

// Imports lists all of them.
func Imports() (all []Import) {
	for _, h := range hostModules {
		for _, f := range h.functions {
			all = append(all, Import{h.name, f.name, f.shape})
		}
	}
	return all
}

// Library returns a tree with the library of an interpreter, of the declared size,
// before the granted files.
func Library(name, content string, size int64, granted grant.Opener) grant.Opener {
	return libraryTree{newLibrary(name, size, func() []byte { return []byte(content) }), granted}
}
