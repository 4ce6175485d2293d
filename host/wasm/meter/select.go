package meter

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// wazero 1.12 compiles a select of floats or vectors on amd64 so that it may give
// what a register had by chance (wazero's issue 2534): to its register allocator, a
// conditional move only writes where it moves to, so that what was there, which is
// one of the two values, can be gone. So a select of floats is written as one of
// their bits, and one of vectors as a bitwise one, by a mask. It costs no fuel.
//
// A select mostly does not say what it selects. In functions that have both one
// that does not and floats, a second walk follows the types of all operands.

// selects are those of a function, while it is walked.
type selects struct {
	untyped  []int // their places in analysis.edits
	floats   bool  // there are floats or vectors
	operands operands

	everywhere bool // globals hold some
}

// start starts a module.
func (s *selects) start(m *binary.Module) {
	s.everywhere = slices.ContainsFunc(m.Globals, func(g binary.Global) bool { return inFloatRegister(g.Type) }) ||
		slices.ContainsFunc(m.Imports, func(i binary.Import) bool { return i.Kind == binary.GlobalKind && inFloatRegister(i.Global.Type) })
}

// reset starts the i-th defined function.
func (s *selects) reset(m *binary.Module, i int, f *function) {
	t := &m.Types[m.Functions[i]]
	s.untyped, s.floats = s.untyped[:0], s.everywhere || slices.ContainsFunc(t.Params, inFloatRegister)
	f.locals = uint32(len(t.Params))
	for _, l := range m.Code[i].Locals {
		f.locals += l.Count
		s.floats = s.floats || inFloatRegister(l.Type)
	}
}

// called notes a call, which may give a float.
func (s *selects) called(m *binary.Module, it *binary.Instructions) {
	switch it.Op {
	case binary.Call:
		t, _ := m.FunctionType(it.Index)
		s.floats = s.floats || slices.ContainsFunc(t.Results, inFloatRegister)
	case binary.CallIndirect:
		s.floats = s.floats || slices.ContainsFunc(m.Types[it.Index].Results, inFloatRegister)
	}
}

// choose notes a select.
func (a *analysis) choose(f *function, it *binary.Instructions) {
	if it.Op == binary.Select {
		a.selects.untyped = append(a.selects.untyped, len(a.edits))
		a.replace(none, it, 0)
	} else if t := selectType(it); inFloatRegister(t) {
		a.replace(selectFloat, it, uint32(t))
		f.scratch |= scratchOf(t)
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

// resolve finds the types of the selects of the i-th defined function.
func (a *analysis) resolve(f *function, i int) {
	s := &a.selects
	s.operands.begin(a.m, i)
	it := a.m.Code[i].Instructions()
	for _, edit := range s.untyped {
		t, ok := s.operands.untilSelect(&it)
		if !ok {
			return
		}
		if inFloatRegister(t) {
			e := &a.edits[edit]
			e.kind, e.arg = selectFloat, uint32(t)
			f.scratch |= scratchOf(t)
		}
	}
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
