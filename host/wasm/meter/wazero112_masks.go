package meter

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// wazero 1.12 compiles a branch on 0 < (a & b) as one on (a & b) < 0, on amd64 and arm64; the
// zero may also be a local without a value. It fuses the mask and its comparison with zero
// into one machine instruction, and forgets on which side the zero was. Comparisons for
// equality are not affected. The meter therefore or's a zero to the right side of an ordered
// comparison if it may be a mask: the compiler does not look through that. It costs no fuel.
//
// On arm64 a branch on an unsigned (a & b) < 0 is wrong too: the fused instruction clears the
// carry flag, which a comparison with zero sets. So a right side that may be that zero is
// treated alike, where a mask may be on the left.
//
// One walk finds the possible masks, conservatively: an operand whose origin is unknown may be
// one.

// masks is the state of the walk through a function.
type masks struct {
	any     bool   // there was a mask
	mayMask []bool // by local: may be a mask
	set     []bool // by parameter: it was written to
	op      binary.Op
	index   uint32 // of the previous instruction, as op is
	start   int    // of it
}

// reset starts a function with so many parameters.
func (m *masks) reset(parameters int) {
	m.op, m.start, m.mayMask, m.any = binary.Unreachable, 0, m.mayMask[:0], false
	m.set = slices.Grow(m.set[:0], parameters)[:parameters]
	clear(m.set)
}

// advance notes the instruction that was visited.
func (m *masks) advance(it *binary.Instructions) { m.op, m.index, m.start = it.Op, it.Index, it.Start }

// suspect reports whether an instruction is a comparison by order whose right side may be a mask.
func (m *masks) suspect(it *binary.Instructions) bool {
	switch op := it.Op; {
	case op == i32And || op == i64And:
		m.any = true
	case op == binary.LocalSet || op == binary.LocalTee:
		if int(it.Index) < len(m.set) {
			m.set[it.Index] = true
		}
		if m.any && m.top() {
			m.markMask(it.Index)
		}
	case op >= i32LtS && op < i32LtS+8 || op >= binary.I64LtS && op < binary.I64LtS+8:
		return m.any && (m.top() || unsigned(op) && m.zero(it))
	}
	return false
}

// unsigned reports whether a comparison is of unsigned integers.
func unsigned(op binary.Op) bool {
	if op >= binary.I64LtS {
		op -= binary.I64LtS
	} else {
		op -= i32LtS
	}
	return op&1 == 1
}

// zero reports whether the top of the stack may be a zero that the compiler knows: a
// constant, or a local without a value.
func (m *masks) zero(it *binary.Instructions) bool {
	switch m.op {
	case binary.I32Const, binary.I64Const:
		return !slices.ContainsFunc(it.Code(m.start+1, it.Start), func(b byte) bool { return b&0x7f != 0 })
	case binary.LocalGet, binary.LocalTee:
		return int(m.index) >= len(m.set) || m.set[m.index]
	}
	return false
}

// top reports whether the top of the stack may be a mask.
func (m *masks) top() bool {
	switch {
	case m.op == binary.LocalGet || m.op == binary.LocalTee:
		return int(m.index) < len(m.mayMask) && m.mayMask[m.index]
	case m.op > 0xff:
		return true
	}
	return !producesNoMask[m.op]
}

func (m *masks) markMask(local uint32) {
	for len(m.mayMask) <= int(local) {
		m.mayMask = append(m.mayMask, false)
	}
	m.mayMask[local] = true
}

// producesNoMask are the opcodes whose result is on top of the stack and is never a mask.
var producesNoMask = func() (m [256]bool) {
	m[binary.GlobalGet] = true
	for op := 0x28; op <= 0xc4; op++ { // loads, constants, arithmetic
		m[op] = (op < 0x36 || op == 0x3f || op > 0x40) && op != i32And && op != i64And
	}
	for _, op := range []int{0x74, 0x75, 0x76, 0x86, 0x87, 0x88} {
		m[op] = false // a shift by zero returns its operand
	}
	return m
}()
