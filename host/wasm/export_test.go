package wasm

import (
	"context"

	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/tetratelabs/wazero/api"
)

// WASI lists the functions that are there, each with the letters of its type.
func WASI() map[string]string {
	shapes := map[string]string{}
	for _, f := range wasiFunctions {
		shapes[f.name] = f.shape
	}
	return shapes
}

// Denying returns options under which memories are put back without some ways.
func Denying(o Options, ways ...image.Way) Options {
	o.denied = ways
	return o
}

// KeptForm is the version of what is kept.
const KeptForm = keptForm

// Hollowing returns options under which every module is kept hollow.
func Hollowing(o Options) Options {
	o.hollow = 1
	return o
}

// Metered returns a module as it is compiled, and what is kept of it.
func (r *Runtime) Metered(name string, module []byte) (whole, form []byte, err error) {
	m := r.newModule(name, digestOf(module), len(module), Limits{})
	m.hollows = false // what is hollow names the machine
	w, err := m.rewrite(module)
	if err != nil {
		return nil, nil, err
	}
	form, err = appendForm(nil, w)
	return w.Module, form, err
}

// Break makes a function of WASI panic with a value, until it is mended.
func Break(name string, value any) (mend func()) {
	f := wasi.find(name)
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

// Early reports whether the module is interpreted until there is machine code.
func (m *Module) Early() bool { return m.code.Load().early }

// EarlyInstances returns how many idle instances are.
func (m *Module) EarlyInstances() (n int) {
	for _, i := range m.idle.drain() {
		if i.code.early {
			n++
		}
		i.close()
	}
	return n
}

// Slower leaves QuickJS as it is for scripts that are loaded until it is undone.
func Slower() (undo func()) {
	was := quickjsFaster
	quickjsFaster = ""
	return func() { quickjsFaster = was }
}

// Library returns a tree with the library of an interpreter, said to have so many
// bytes, in front of what was granted.
func Library(name, content string, size int64, granted grant.Opener) grant.Opener {
	return stocked{newLibrary(name, size, func() []byte { return []byte(content) }), granted}
}
