package meter

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// On amd64, wazero 1.12 compiles a select of floats or vectors to code that may return a stale
// register (https://github.com/wazero/wazero/issues/2534, fixed by pull request 2535 after 1.12).
// To its register allocator, a conditional move only writes its destination, so the value in
// it, which is one of the two, may be evicted. The meter selects the bits of floats instead, and
// vectors by a mask. It costs no fuel.
//
// A select may lack its type. Functions with such selects are walked again, to infer the
// types of their operands.

func (a *analysis) selectInstruction(f *function, it *binary.Instructions) {
	if it.Op == binary.Select {
		a.unknown = append(a.unknown, len(a.edits))
		a.replace(none, it, 0)
	} else if t := selectType(it); inFloatRegister(t) {
		a.replace(selectFloat, it, uint32(t))
		f.scratch |= scratchOf(t)
	}
}

// resolve finds the types of the selects without one, in the i-th defined function.
func (a *analysis) resolve(f *function, i int) {
	if len(a.unknown) == 0 {
		return
	}
	a.operands.begin(i)
	it := a.m.Code[i].Instructions()
	for _, edit := range a.unknown {
		e := &a.edits[edit]
		if t := a.operands.selects(&it, int(e.at)); inFloatRegister(t) {
			e.kind, e.arg = selectFloat, uint32(t)
			f.scratch |= scratchOf(t)
		}
	}
}

func selectType(it *binary.Instructions) binary.ValType {
	code := it.Code(it.Start, it.End)
	return binary.ValType(code[len(code)-1])
}

func inFloatRegister(t binary.ValType) bool {
	return t == binary.F32 || t == binary.F64 || t == binary.V128
}

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
