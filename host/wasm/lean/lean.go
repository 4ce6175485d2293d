package lean

import (
	"cmp"
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// Version names what Rewrite makes of a module. Whoever keeps what was made of it
// counts it among what that depends on.
const Version = 2

// Options say what a module is like. The zero value works for what LLVM links.
type Options struct {
	Stack  uint32 // index of the global that is the stack pointer
	Inline int    // the most bytes of code of a function that is put where it is called; zero means 64

	// Objects are variables in the frames of functions, by the index that a function
	// has among those that the module defines. If an address that goes where it is not
	// followed is in none of them, all of the frame is taken for reached by anybody, as
	// it is where nothing is known.
	Objects map[uint32][]Object
}

// Rewrite returns a module that does what m does, with fewer accesses to memory and
// fewer calls; see the package on what it relies on. The module must come from
// binary.Read and is left alone. It comes back as it is if Options.Stack is no stack
// pointer: an i32 that changes.
func Rewrite(m *binary.Module, o Options) *binary.Module {
	o.Inline = cmp.Or(o.Inline, 64)
	at := int(o.Stack) - m.Imported(binary.GlobalKind)
	if at < 0 || at >= len(m.Globals) || m.Globals[at].GlobalType != (binary.GlobalType{Type: binary.I32, Mutable: true}) {
		return m
	}
	out := *m
	out.Code = slices.Clone(m.Code)
	w := &walk{m: m, stackPointer: o.Stack}
	for i := range m.Code {
		w.objects = o.Objects[uint32(i)]
		if w.follow(i) {
			out.Code[i] = w.rewritten(i)
		}
	}
	inline(&out, o.Inline)
	return &out
}

// locals returns how many locals a function has, parameters included.
func locals(m *binary.Module, i int) uint32 {
	n := uint32(len(m.Types[m.Functions[i]].Params))
	for _, l := range m.Code[i].Locals {
		n += l.Count
	}
	return n
}
