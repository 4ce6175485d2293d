package meter

import (
	le "encoding/binary"
	"math"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// Instructions that wazero 1.12 miscompiles are expressed by others. They cost no more fuel.
//
// On amd64, wazero expands some instructions into several machine instructions, which change a
// register in place. Its register allocator believes that they only read it. If it needs the
// register to reload another operand, it evicts and later restores the old value. That
// breaks instructions whose operands are first read after such a change: copysign, bitselect
// and some on vectors.
//
// On arm64, i32.popcnt counts all 64 bits of a register. Its upper half may hold bits that a
// load or a wrap left there.

// miscompiled reports whether an instruction must be replaced.
func miscompiled(op binary.Op) bool {
	switch op {
	case i32Popcnt, f32Copysign, f64Copysign, bitselect, i64x2Mul, f32x4Min, f32x4Max, f64x2Min, f64x2Max:
		return true
	}
	return false
}

// rewrite records such an instruction.
func (a *analysis) rewrite(f *function, it *binary.Instructions) {
	a.replace(rewritten, it, uint32(it.Op))
	switch it.Op {
	case i32Popcnt:
	case f32Copysign, f64Copysign:
		f.scratch |= scalars
	default:
		f.scratch |= vectors
	}
}

func appendRewritten(dst []byte, f *function, op binary.Op) []byte {
	switch op {
	case i32Popcnt:
		return append(dst, i64ExtendU, i64Popcnt, i32WrapI64)
	case f32Copysign, f64Copysign:
		return copysign(dst, f.float(op == f64Copysign))
	case bitselect:
		return byMask(dst, f)
	case i64x2Mul:
		return byLane(dst, f, lanes{2, 0x1d, 0x12, 0x1e}, i64Mul)
	case f32x4Min, f32x4Max:
		return byLane(dst, f, lanes{4, 0x1f, 0x13, 0x20}, f32Min+byte(op-f32x4Min))
	}
	return byLane(dst, f, lanes{2, 0x21, 0x14, 0x22}, f64Min+byte(op-f64x2Min))
}

// copysign takes the sign from the value on top, and the other bits from the one below.
func copysign(dst []byte, s *floatForm) []byte {
	dst = append(binary.AppendS64(append(dst, s.bits, s.constant), s.sign), s.and)
	dst = append(local(dst, binary.LocalSet, s.other), s.bits, s.constant)
	dst = append(binary.AppendS64(dst, ^s.sign), s.and)
	return append(local(dst, binary.LocalGet, s.other), s.or, s.back)
}

// byMask is bitselect: the bits of the first of three vectors where the mask, on top, has
// ones, and those of the second where it has zeros.
func byMask(dst []byte, f *function) []byte {
	mask, other := f.vectors()
	dst = local(dst, binary.LocalSet, mask)
	dst = vector(local(dst, binary.LocalTee, other), 0x51) // v128.xor
	dst = vector(local(dst, binary.LocalGet, mask), 0x4e)  // v128.and
	return vector(local(dst, binary.LocalGet, other), 0x51)
}

// lanes has the number of lanes of a shape, and the opcodes to extract a lane, to splat a
// value, and to replace a lane.
type lanes struct{ n, extract, splat, replace byte }

// byLane applies the scalar op to each pair of lanes.
func byLane(dst []byte, f *function, l lanes, op byte) []byte {
	x, y := f.vectors()
	dst = local(local(dst, binary.LocalSet, y), binary.LocalSet, x)
	for k := range l.n {
		for _, v := range []uint32{x, y} {
			dst = append(vector(local(dst, binary.LocalGet, v), l.extract), k)
		}
		if dst = append(dst, op); k == 0 {
			dst = vector(dst, l.splat)
		} else {
			dst = append(vector(dst, l.replace), k)
		}
	}
	return dst
}

func local(dst []byte, op binary.Op, index uint32) []byte {
	return binary.AppendU32(append(dst, byte(op)), index)
}

func vector(dst []byte, op byte) []byte { return le.AppendUvarint(append(dst, 0xfd), uint64(op)) }

// A scratch says which additional locals the replacements in a function need. They come
// after all others.
type scratch byte

const (
	scalars scratch = 1 << iota // a condition, and the bits of an f32 and an f64
	vectors                     // two
)

func (s scratch) declared() (l []binary.Locals) {
	if s&scalars != 0 {
		l = append(l, binary.Locals{Count: 2, Type: binary.I32}, binary.Locals{Count: 1, Type: binary.I64})
	}
	if s&vectors != 0 {
		l = append(l, binary.Locals{Count: 2, Type: binary.V128})
	}
	return l
}

// A floatForm has the scratch locals for a float type, the opcodes to reinterpret it as
// bits, to compute with them and back, and its sign bit.
type floatForm struct {
	condition, other              uint32
	bits, constant, and, or, back byte
	sign                          int64
}

func (f *function) float(wide bool) *floatForm {
	if wide {
		return &floatForm{f.locals, f.locals + 2, i64ReinterpretF64, byte(binary.I64Const), i64And, i64Or, f64ReinterpretI64, math.MinInt64}
	}
	return &floatForm{f.locals, f.locals + 1, i32ReinterpretF32, byte(binary.I32Const), i32And, i32Or, f32ReinterpretI32, math.MinInt32}
}

func (f *function) vectors() (uint32, uint32) {
	at := f.locals
	if f.scratch&scalars != 0 {
		at += 3
	}
	return at, at + 1
}

// scratchOf returns the scratch locals for values of a type.
func scratchOf(t binary.ValType) scratch {
	if t == binary.V128 {
		return vectors
	}
	return scalars
}
