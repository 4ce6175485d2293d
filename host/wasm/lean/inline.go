package lean

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// inline inlines the small functions of m. It replaces entries of m.Code. The functions
// themselves stay, for indirect calls.
func inline(m *binary.Module, most int) {
	in := &inliner{m: m, most: most, imported: uint32(m.Imported(binary.FunctionKind))}
	in.states, in.small = make([]state, len(m.Code)), make([]*callee, len(m.Code))
	for i := range m.Code {
		in.visit(uint32(i), 0)
	}
}

// A state is the progress of a function.
type state byte

const (
	fresh state = iota
	under       // its callees are being visited: a call of it is recursive
	ready
)

// An inliner inlines small functions, innermost first.
type inliner struct {
	m        *binary.Module
	most     int // bytes of code of a small function, at most
	imported uint32
	states   []state
	small    []*callee // by function that is ready; nil: not small
}

const (
	maxChain  = 200 // depth of nested calls that are followed
	maxShrink = 4   // times the size of a small function: larger ones do not become small
)

// visit inlines into a function, after the functions that it calls.
func (in *inliner) visit(i uint32, chain int) {
	if in.states[i] != fresh {
		return
	}
	in.states[i] = under
	body := &in.m.Code[i]
	if body.Calls && chain < maxChain {
		it := body.Instructions()
		for it.Next() {
			if c := it.Index - in.imported; it.Op == binary.Call && it.Index >= in.imported && len(in.m.Code[c].Code) <= maxShrink*in.most {
				in.visit(c, chain+1)
			}
		}
	}
	if body.Calls {
		in.fill(i)
	}
	in.states[i], in.small[i] = ready, in.callee(i)
}

// fill inlines small functions into one function.
func (in *inliner) fill(i uint32) {
	body := &in.m.Code[i]
	p := pool{first: locals(in.m, int(i))}
	var dst []byte
	from := 0
	it := body.Instructions()
	for it.Next() {
		if it.Op != binary.Call || it.Index < in.imported {
			continue
		}
		if c := in.small[it.Index-in.imported]; c != nil {
			dst = append(dst, it.Code(from, it.Start)...)
			dst = c.put(dst, &p)
			from = it.End
		}
	}
	if from == 0 {
		return
	}
	body.Code = append(dst, body.Code[from:]...)
	body.Locals = slices.Clone(body.Locals)
	for _, t := range p.types {
		body.Locals = append(body.Locals, binary.Locals{Count: 1, Type: t})
	}
}

// A pool has the additional locals of a function. Inlined functions share them.
type pool struct {
	first uint32 // index of the first
	types []binary.ValType
	taken []bool
}

// local returns a local of a type that the current inlined function does not use yet.
func (p *pool) local(t binary.ValType) uint32 {
	k := 0
	for k < len(p.types) && (p.taken[k] || p.types[k] != t) {
		k++
	}
	if k == len(p.types) {
		p.types, p.taken = append(p.types, t), append(p.taken, false)
	}
	p.taken[k] = true
	return p.first + uint32(k)
}
