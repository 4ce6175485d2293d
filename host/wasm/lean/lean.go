package lean

import (
	"cmp"
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// Options describe a module. The zero value works for modules that LLVM links.
type Options struct {
	Stack  uint32 // index of the global that is the stack pointer
	Inline int    // functions with at most this many bytes of code are inlined; zero means 64

	// Objects are the variables in the frames of functions, by index of the defined
	// function. If an escaping address is in none of them, all of the frame counts as
	// shared, as in functions without objects.
	Objects map[uint32][]Object
}

// Rewrite returns a module equivalent to m, with fewer memory accesses and calls; see the
// package for its assumptions. The module must come from binary.Read, and is not changed. If
// Options.Stack is not a mutable i32, the result is m.
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

// locals returns the number of locals of a function, parameters included.
func locals(m *binary.Module, i int) uint32 {
	n := uint32(len(m.Types[m.Functions[i]].Params))
	for _, l := range m.Code[i].Locals {
		n += l.Count
	}
	return n
}
