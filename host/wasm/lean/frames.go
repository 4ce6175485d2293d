package lean

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// A change is the change of one instruction.
type change byte

const (
	unchanged change = iota
	deleted
	teeToSet // local.tee becomes local.set
)

// A rewriting holds the changes to a function.
type rewriting struct {
	*walk
	changes      []change
	slots        map[int32]*slot // by the load or store that it replaces
	dropsAddress map[int32]bool  // loads and stores whose address stays on the stack, and must be dropped
}

// rewritten returns the i-th function, which was walked, with its slots as locals.
func (w *walk) rewritten(i int) binary.Body {
	body := w.m.Code[i]
	byPlace, list := w.slots(locals(w.m, i))
	if len(list) == 0 {
		return body
	}
	r := &rewriting{w, make([]change, len(w.instructions)), map[int32]*slot{}, map[int32]bool{}}
	for _, a := range w.accesses {
		r.access(a, byPlace[[2]int32{a.frame, a.offset}])
	}
	for k := range w.frames {
		r.removeFrame(&w.frames[k])
	}
	body.Locals = slices.Clone(body.Locals)
	for _, s := range list {
		body.Locals = append(body.Locals, binary.Locals{Count: 1, Type: s.of})
	}
	body.Code = r.code(body.Code)
	return body
}

// access decides on the changes of an access and of the instruction that pushes its address.
func (r *rewriting) access(a access, s *slot) {
	if s == nil {
		r.frames[a.frame].kept = true
		return
	}
	r.slots[a.at] = s
	switch {
	case a.address != nowhere && r.instructions[a.address].op == binary.LocalGet:
		r.changes[a.address] = deleted
	case a.address != nowhere && r.instructions[a.address].op == binary.LocalTee:
		r.changes[a.address] = teeToSet
	default:
		r.dropsAddress[a.at] = true
		r.frames[a.frame].kept = true
	}
}

// removeFrame deletes the instructions that allocate and free a frame whose address is not
// needed any more.
func (r *rewriting) removeFrame(f *frame) {
	held := f.computed[1] + 1 // the instruction that sets a local to the address
	if f.escapes || f.kept || len(f.escaped) > 0 || len(f.enters) > 1 || len(f.enters) == 0 && len(f.leaves) > 0 {
		return
	}
	entered := len(f.enters) == 1 && f.enters[0][0] == held
	switch r.instructions[held].op {
	case binary.LocalSet:
	case binary.LocalTee:
		if r.changes[held] != teeToSet && !entered {
			return
		}
	default:
		return
	}
	gone := append([][2]int32{{f.computed[0], held}}, f.enters...)
	for _, g := range append(gone, f.leaves...) {
		for k := g[0]; k <= g[1]; k++ {
			r.changes[k] = deleted
		}
	}
}

// code returns the code with all changes applied.
func (r *rewriting) code(old []byte) (dst []byte) {
	for k, in := range r.instructions {
		s := r.slots[int32(k)]
		switch {
		case r.changes[k] == deleted:
		case r.changes[k] == teeToSet:
			dst = binary.AppendU32(append(dst, byte(binary.LocalSet)), in.index)
		case s == nil:
			dst = append(dst, old[in.start:in.end]...)
		case in.op >= i32Store:
			dst = s.store(dst, r.dropsAddress[int32(k)])
		default:
			dst = s.load(dst, in.op, r.dropsAddress[int32(k)])
		}
	}
	return dst
}

// store writes the replacement of a store: the local holds the zero-extended value.
func (s *slot) store(dst []byte, drop bool) []byte {
	if s.width < 4 {
		dst = binary.AppendS64(append(dst, byte(binary.I32Const)), 1<<(8*s.width)-1)
		dst = append(dst, i32And)
	}
	dst = binary.AppendU32(append(dst, byte(binary.LocalSet)), s.local)
	if drop {
		dst = append(dst, byte(binary.Drop))
	}
	return dst
}

// load writes the replacement of a load.
func (s *slot) load(dst []byte, op binary.Op, drop bool) []byte {
	if drop {
		dst = append(dst, byte(binary.Drop))
	}
	dst = binary.AppendU32(append(dst, byte(binary.LocalGet)), s.local)
	if signed := s.width < 4 && op%2 == 0; signed {
		dst = append(dst, i32Extend8+byte(s.width)-1)
	}
	return dst
}
