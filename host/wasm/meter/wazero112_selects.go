package meter

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// wazero 1.12 compiles a select of floats or vectors on amd64 so that it may give
// what a register had by chance (wazero's issue 2534): to its register allocator, a
// conditional move only writes where it moves to, so that what was there, which is
// one of the two values, can be gone. So a select of floats is written as one of
// their bits, and one of vectors as a bitwise one, by a mask. It costs no fuel.
//
// A select mostly does not say what it selects. What it finds on the stack was mostly
// made a few instructions before, in the same stretch of code without blocks and jumps:
// there the types of the operands are followed, from the start of the stretch. If
// that does not tell, they are followed through the whole function.

// selects are those of a function, while it is walked.
type selects struct {
	operands operands
	function int
	stretch  int                 // where the current one starts
	followed int                 // where that one starts in which operands are followed; -1: there is none
	it       binary.Instructions // how far they are followed
	unknown  []int               // selects of which the stretch does not tell, by their places in analysis.edits
}

// reset starts the i-th defined function.
func (s *selects) reset(i int) {
	s.function, s.stretch, s.followed, s.unknown = i, 0, -1, s.unknown[:0]
}

// typeOf returns what a select that does not name its type selects, or 0 if the
// stretch does not tell.
func (s *selects) typeOf(it *binary.Instructions) binary.ValType {
	if s.followed < 0 {
		s.operands.begin(s.function)
	}
	if s.followed != s.stretch {
		s.operands.forget()
		s.followed, s.it = s.stretch, *it
		s.it.End = s.stretch
	}
	return s.operands.selects(&s.it, it.Start)
}

// choose notes a select.
func (a *analysis) choose(f *function, it *binary.Instructions) {
	var t binary.ValType
	if it.Op == binary.SelectT {
		t = selectType(it)
	} else if t = a.selects.typeOf(it); t == 0 {
		a.selects.unknown = append(a.selects.unknown, len(a.edits))
		a.replace(none, it, 0)
	}
	if inFloatRegister(t) {
		a.replace(selectFloat, it, uint32(t))
		f.scratch |= scratchOf(t)
	}
}

// resolve finds the types of the selects that are left, in the i-th defined function.
func (a *analysis) resolve(f *function, i int) {
	if len(a.selects.unknown) == 0 {
		return
	}
	a.selects.operands.begin(i)
	it := a.m.Code[i].Instructions()
	for _, edit := range a.selects.unknown {
		e := &a.edits[edit]
		if t := a.selects.operands.selects(&it, int(e.at)); inFloatRegister(t) {
			e.kind, e.arg = selectFloat, uint32(t)
			f.scratch |= scratchOf(t)
		}
	}
}

// selectType returns the type that a select names.
func selectType(it *binary.Instructions) binary.ValType {
	code := it.Code(it.Start, it.End)
	return binary.ValType(code[len(code)-1])
}

func inFloatRegister(t binary.ValType) bool {
	return t == binary.F32 || t == binary.F64 || t == binary.V128
}

// selectBits writes a select of floats or vectors.
func selectBits(dst []byte, f *function, t binary.ValType) []byte {
	if t == binary.V128 {
		dst = append(dst, i32Eqz, byte(binary.I32Const), 1, i32Sub)
		return byMask(vector(dst, 0x11), f) // i32x4.splat
	}
	s := f.float(t == binary.F64)
	dst = append(local(dst, binary.LocalSet, s.condition), s.bits)
	dst = append(local(dst, binary.LocalSet, s.other), s.bits)
	dst = local(local(dst, binary.LocalGet, s.other), binary.LocalGet, s.condition)
	return append(dst, byte(binary.Select), s.back)
}
