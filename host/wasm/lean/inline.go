package lean

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// inline puts small functions of m where they are called. Their own code stays: they
// may be called in other ways. It replaces entries of m.Code.
func inline(m *binary.Module, most int) {
	in := &inliner{m: m, most: most, imported: uint32(m.Imported(binary.FunctionKind))}
	in.states, in.small = make([]state, len(m.Code)), make([]*callee, len(m.Code))
	for i := range m.Code {
		in.visit(uint32(i), 0)
	}
}

// A state says how far a function is.
type state byte

const (
	fresh state = iota
	under       // its callees are being visited: if they call it, they call themselves
	ready
)

// An inliner puts small functions where they are called, the innermost first.
type inliner struct {
	m        *binary.Module
	most     int // bytes of code of a small function
	imported uint32
	states   []state
	small    []*callee // of functions that are ready and small
}

const (
	mostChain = 200 // of calls that are followed
	mostLess  = 4   // times the code of a small function: what is larger does not become small
)

// visit makes the code of a function, after that of the functions that it calls.
func (in *inliner) visit(i uint32, chain int) {
	if in.states[i] != fresh {
		return
	}
	in.states[i] = under
	body := &in.m.Code[i]
	if body.Calls && chain < mostChain {
		it := body.Instructions()
		for it.Next() {
			if c := it.Index - in.imported; it.Op == binary.Call && it.Index >= in.imported && len(in.m.Code[c].Code) <= mostLess*in.most {
				in.visit(c, chain+1)
			}
		}
	}
	if body.Calls {
		in.fill(i)
	}
	in.states[i], in.small[i] = ready, in.callee(i)
}

// fill puts small functions into the code of one.
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

// A pool is the locals that a function got for those that were put into it. They use
// them in turn.
type pool struct {
	first uint32 // index of the first
	types []binary.ValType
	taken []bool
}

// take returns a local of a type that the current one does not use yet.
func (p *pool) take(t binary.ValType) uint32 {
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
