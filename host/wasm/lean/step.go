package lean

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// Opcodes that are named nowhere else.
const (
	i32Eqz     = 0x45 // the comparisons of i32 follow it
	i32GeU     = 0x4f
	i32Add     = 0x6a
	i32Sub     = 0x6b
	i32And     = 0x71
	i32Extend8 = 0xc0 // i32.extend8_s; i32.extend16_s follows it
)

// maxFrame is the size of the largest frame that is analysed.
const maxFrame = 1 << 20

// step analyses one instruction.
func (w *walk) step(it *binary.Instructions, k int32) {
	switch it.Op {
	case binary.Block, binary.Loop, binary.If:
		w.open(it, k)
		return
	case binary.Else:
		w.elseArm()
		return
	case binary.End:
		w.close()
		return
	}
	if w.dead {
		return
	}
	switch it.Op {
	case binary.Br, binary.BrIf, binary.BrTable, binary.Return, binary.Unreachable:
		w.leave(it)
	case binary.Call, binary.CallIndirect:
		w.call(it)
	case binary.LocalGet, binary.LocalSet, binary.LocalTee:
		w.local(it, k)
	case binary.GlobalGet:
		v := unknown
		if it.Index == w.stackPointer {
			v = value{kind: pointer, from: k}
		}
		w.push(v)
	case binary.GlobalSet:
		v := w.pop()
		if it.Index != w.stackPointer {
			w.markEscaping(v)
		} else {
			w.move(v, k)
		}
	case binary.I32Const:
		n, _ := binary.ConstExpr(append(slices.Clone(it.Code(it.Start, it.End)), byte(binary.End))).I32()
		w.push(value{kind: number, n: n, from: k})
	case i32Add, i32Sub:
		w.push(w.sum(it.Op, k))
	case binary.Drop:
		if v := w.pop(); v.kind == place {
			w.frames[v.frame].kept = true
		}
	default:
		w.other(it, k)
	}
}

// leave analyses a jump or trap.
func (w *walk) leave(it *binary.Instructions) {
	switch it.Op {
	case binary.BrIf:
		w.popEscaping(1)
		w.jump(it.Index)
		return
	case binary.Br:
		w.jump(it.Index)
	case binary.Return:
		w.jump(uint32(len(w.blocks) - 1))
	case binary.BrTable:
		w.popEscaping(1)
		for _, l := range it.Labels(nil) {
			w.jump(l)
		}
	}
	w.markDead()
}

// call analyses a call. Its arguments escape.
func (w *walk) call(it *binary.Instructions) {
	var t binary.FuncType
	if it.Op == binary.Call {
		t, _ = w.m.FunctionType(it.Index)
	} else {
		t = w.m.Types[it.Index]
		w.popEscaping(1)
	}
	w.popEscaping(len(t.Params))
	w.pushUnknown(len(t.Results))
}

// local analyses an access to a local.
func (w *walk) local(it *binary.Instructions, k int32) {
	if it.Op == binary.LocalGet {
		v := w.locals[it.Index]
		w.failed = w.failed || v.kind == mixed
		v.from = k
		w.push(v)
		return
	}
	v := w.pop()
	if v.kind == place && w.frames[v.frame].computed[1] != k-1 { // a copy of an address
		w.frames[v.frame].kept = true
	}
	v.from = nowhere
	w.locals[it.Index] = v
	if it.Op == binary.LocalTee {
		v.from = k
		w.push(v)
	}
}

// sum analyses i32.add and i32.sub, which compute the start of a frame, or a place in one.
// Compilers often subtract 64 by adding -64, which is shorter.
func (w *walk) sum(op binary.Op, k int32) value {
	b, a := w.pop(), w.pop()
	if op == i32Add && a.kind == number {
		a, b = b, a
	}
	by := int64(b.n)
	if op == i32Sub {
		by = -by
	}
	switch {
	case a.kind == pointer && b.kind == number && by < 0 && by >= -maxFrame && a.from == k-2 && w.instructions[k-2].op == binary.GlobalGet:
		w.frames = append(w.frames, frame{size: int32(-by), computed: [2]int32{k - 2, k}})
		return value{kind: place, frame: int32(len(w.frames) - 1), from: nowhere}
	case a.kind == place && b.kind == number && by >= 0 && int64(a.n)+by <= int64(w.frames[a.frame].size):
		return value{kind: place, frame: a.frame, n: a.n + int32(by), from: nowhere}
	}
	w.markComputed(a)
	w.markComputed(b)
	return unknown
}

// markComputed records that a value is an operand of a computation. If it is a place, the result may
// be any place in the frame.
func (w *walk) markComputed(v value) {
	if v.kind == place {
		w.frames[v.frame].escapes = true
	}
	w.markEscaping(v)
}

// move analyses a write to the stack pointer.
func (w *walk) move(v value, k int32) {
	if v.kind != place {
		w.failed = w.failed || v.kind == mixed
		for i := range w.frames {
			w.frames[i].kept = true
		}
		return
	}
	f := &w.frames[v.frame]
	switch {
	case v.n == 0 && v.from == k-1:
		f.enters = append(f.enters, [2]int32{k - 1, k})
	case v.n == f.size && k >= 3 && w.ends(k):
		f.leaves = append(f.leaves, [2]int32{k - 3, k})
	default:
		f.kept = true
	}
}

// ends reports whether the instructions before k add a constant to a local or subtract it.
func (w *walk) ends(k int32) bool {
	op := w.instructions[k-1].op
	return w.instructions[k-3].op == binary.LocalGet && w.instructions[k-2].op == binary.I32Const && (op == i32Add || op == i32Sub)
}

// other analyses an instruction that only pops and pushes values.
func (w *walk) other(it *binary.Instructions, k int32) {
	e, known := it.Op.Effect()
	if it.Op == binary.Select || it.Op == binary.SelectT {
		e, known = binary.Effect{Takes: 3, Makes: binary.I32}, true // of any type
	}
	switch {
	case !known || it.Op>>8 == 0xfd: // vectors are not followed
		w.failed = true
		return
	case width(it.Op) > 0:
		w.popEscaping(int(e.Takes) - 1)
		w.memoryAccess(it, k)
	case passesOn(it.Op):
		w.popEscaping(int(e.Takes))
	default:
		for range e.Takes {
			w.markComputed(w.pop())
		}
	}
	if e.Makes != 0 {
		w.pushUnknown(1)
	}
}

// passesOn reports whether an instruction passes addresses on unchanged, or compares them. All
// others compute.
func passesOn(op binary.Op) bool {
	return op == binary.Select || op == binary.SelectT || op == binary.MemoryCopy || op == binary.MemoryFill || op >= i32Eqz && op <= i32GeU
}

// memoryAccess analyses a load or store, whose address is on the stack.
func (w *walk) memoryAccess(it *binary.Instructions, k int32) {
	v := w.pop()
	if v.kind != place {
		w.failed = w.failed || v.kind == mixed || v.kind == pointer
		return
	}
	offset, f := int64(v.n)+int64(offset(it)), &w.frames[v.frame]
	if offset+int64(width(it.Op)) > int64(f.size) {
		f.escapes = true
		return
	}
	w.accesses = append(w.accesses, access{v.frame, int32(offset), k, v.from})
}

// offset returns the offset that a load or store adds to its address.
func offset(it *binary.Instructions) uint32 {
	_, rest, _ := binary.ReadU32(it.Code(it.Start+1, it.End))
	n, _, _ := binary.ReadU32(rest)
	return n
}
