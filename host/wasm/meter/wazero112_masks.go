package meter

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// wazero 1.12 compiles a branch on 0 < (a & b), where the zero may be a local that
// nothing was written to, to one on (a & b) < 0, on amd64 and arm64: it makes one
// machine instruction of a mask that is compared with zero, and forgets which of
// the two was on the left. For equality that is all one. So what may be a mask, and
// is the right side of another comparison, gets a zero or'ed to it, which the
// compiler does not look through. It costs no fuel.
//
// On arm64 a branch on an unsigned (a & b) < 0 is wrong too: the instruction clears the
// flag of carry, which comparing with zero sets. So what may be that zero is hidden as
// well, where a mask may be on its left.
//
// What may be a mask is found in one walk: a value that an instruction takes was
// made before it, wherever the code then went, unless it is one of several.

// masks is what is known of a function while it is walked.
type masks struct {
	watch trait  // of instructions that are looked at
	held  []bool // by local: may be a mask
	set   []bool // by parameter: was written to
	op    binary.Op
	index uint32 // of the instruction before, as op is
	start int    // of it
}

// reset starts a function with so many parameters.
func (m *masks) reset(parameters int) {
	m.op, m.start, m.held = binary.Unreachable, 0, m.held[:0]
	if m.watch = ands; parameters > 0 {
		m.watch |= keeps
	}
	m.set = slices.Grow(m.set[:0], parameters)[:parameters]
	clear(m.set)
}

// past notes the instruction that was looked at.
func (m *masks) past(it *binary.Instructions) { m.op, m.index, m.start = it.Op, it.Index, it.Start }

// look looks at an instruction with a trait that is watched. It reports whether it is a
// comparison whose right side may be a mask.
func (m *masks) look(it *binary.Instructions, t trait) (hide bool) {
	switch {
	case t&keeps != 0:
		if int(it.Index) < len(m.set) {
			m.set[it.Index] = true
		}
		if m.watch&compares != 0 && m.top() {
			m.hold(it.Index)
		}
	case t&compares != 0:
		hide = m.top() || unsigned(it.Op) && m.zero(it)
	default:
		m.watch = keeps | compares // from the first mask on
	}
	return hide
}

// unsigned reports whether what compares is of unsigned integers.
func unsigned(op binary.Op) bool {
	if op >= binary.I64LtS {
		op -= binary.I64LtS
	} else {
		op -= i32LtS
	}
	return op&1 == 1
}

// zero reports whether what is on top of the stack, and no mask, may be a zero that
// the compiler knows: one that is written so, or a local without a value.
func (m *masks) zero(it *binary.Instructions) bool {
	switch m.op {
	case binary.I32Const, binary.I64Const:
		for _, b := range it.Code(m.start+1, it.Start) {
			if b&0x7f != 0 {
				return false
			}
		}
		return true
	case binary.LocalGet, binary.LocalTee:
		return int(m.index) >= len(m.set) || m.set[m.index]
	}
	return false
}

// top reports whether what is on top of the stack may be a mask.
func (m *masks) top() bool {
	switch {
	case m.op == binary.LocalGet || m.op == binary.LocalTee:
		return int(m.index) < len(m.held) && m.held[m.index]
	case m.op > 0xff:
		return true
	}
	return !made[m.op]
}

func (m *masks) hold(local uint32) {
	for len(m.held) <= int(local) {
		m.held = append(m.held, false)
	}
	m.held[local] = true
}

// maskTraits returns those of an opcode that watch may name.
func maskTraits(op binary.Op) trait {
	switch {
	case op == i32And || op == i64And:
		return ands
	case op == binary.LocalSet || op == binary.LocalTee:
		return keeps
	case op >= i32LtS && op < i32LtS+8 || op >= binary.I64LtS && op < binary.I64LtS+8:
		return compares
	}
	return 0
}

// made are the opcodes after which the top of the stack is what they have made,
// and that is no mask.
var made = func() (m [256]bool) {
	m[binary.GlobalGet] = true
	for op := 0x28; op <= 0xc4; op++ { // loads; constants and all that computes
		m[op] = (op < 0x36 || op == 0x3f || op > 0x40) && op != i32And && op != i64And
	}
	for _, op := range []int{0x74, 0x75, 0x76, 0x86, 0x87, 0x88} {
		m[op] = false // a shift by zero is what is shifted
	}
	return m
}()
