package binary

// An Effect is the effect of an instruction on the operand stack.
type Effect struct {
	Takes uint8   // number of values popped
	Makes ValType // type of the value pushed, FuncRef for any reference; 0: none
}

// Effect returns the effect of an instruction on the operand stack. It reports false if the opcode
// alone does not tell: for blocks, jumps except br_if, calls, reads of locals and globals,
// local.tee, select, and unknown opcodes.
func (o Op) Effect() (Effect, bool) {
	var e knownEffect
	switch o >> 8 {
	case 0:
		e = effects[o]
	case 0xfc:
		e = fcEffects[o&0xff]
	case 0xfd:
		e = fdEffects[o&0xff]
	}
	return e.Effect, e.known
}

type knownEffect struct {
	Effect
	known bool
}

// effectSetter returns a function that sets the effect of ranges of opcodes, each given by its
// first and last.
func effectSetter(e *[256]knownEffect) func(takes uint8, makes ValType, ranges ...int) {
	return func(takes uint8, makes ValType, ranges ...int) {
		for i := 0; i < len(ranges); i += 2 {
			for op := ranges[i]; op <= ranges[i+1]; op++ {
				e[op] = knownEffect{Effect{takes, makes}, true}
			}
		}
	}
}

// effects of the one-byte opcodes.
var effects = func() (e [256]knownEffect) {
	set := effectSetter(&e)
	set(0, 0, 0x01, 0x01)
	set(1, 0, 0x0d, 0x0d, 0x1a, 0x1a, 0x21, 0x21, 0x24, 0x24) // br_if, drop, local.set, global.set
	set(1, FuncRef, 0x25, 0x25)
	set(2, 0, 0x26, 0x26, 0x36, 0x3e) // table.set, stores
	set(1, I32, 0x28, 0x28, 0x2c, 0x2f, 0x40, 0x40)
	set(1, I64, 0x29, 0x29, 0x30, 0x35)
	set(1, F32, 0x2a, 0x2a)
	set(1, F64, 0x2b, 0x2b)
	set(0, I32, 0x3f, 0x3f, 0x41, 0x41)
	set(0, I64, 0x42, 0x42)
	set(0, F32, 0x43, 0x43)
	set(0, F64, 0x44, 0x44)
	set(2, I32, 0x46, 0x4f, 0x51, 0x66, 0x6a, 0x78)
	set(1, I32, 0x45, 0x45, 0x50, 0x50, 0x67, 0x69, 0xa7, 0xab, 0xbc, 0xbc, 0xc0, 0xc1, 0xd1, 0xd1)
	set(2, I64, 0x7c, 0x8a)
	set(1, I64, 0x79, 0x7b, 0xac, 0xb1, 0xbd, 0xbd, 0xc2, 0xc4)
	set(2, F32, 0x92, 0x98)
	set(1, F32, 0x8b, 0x91, 0xb2, 0xb6, 0xbe, 0xbe)
	set(2, F64, 0xa0, 0xa6)
	set(1, F64, 0x99, 0x9f, 0xb7, 0xbb, 0xbf, 0xbf)
	set(0, FuncRef, 0xd0, 0xd0, 0xd2, 0xd2) // ref.null, ref.func
	return e
}()

// fcEffects of the 0xFC group, by number.
var fcEffects = func() (e [256]knownEffect) {
	set := effectSetter(&e)
	set(1, I32, 0, 3)
	set(1, I64, 4, 7)
	set(3, 0, 8, 8, 10, 12, 14, 14, 17, 17) // memory.init, copy and fill; table.init, copy and fill
	set(0, 0, 9, 9, 13, 13)                 // data.drop, elem.drop
	set(2, I32, 15, 15)                     // table.grow
	set(0, I32, 16, 16)                     // table.size
	return e
}()

// fdEffects of the SIMD group, by number.
var fdEffects = func() (e [256]knownEffect) {
	set := effectSetter(&e)
	set(2, V128, 0x0d, 0xff)
	set(0, V128, 0x0c, 0x0c)
	set(1, V128, 0x00, 0x0a, 0x0f, 0x14, 0x4d, 0x4d, 0x5c, 0x62, 0x67, 0x6a, 0x74, 0x75, 0x7a, 0x7a, 0x7c, 0x81, 0x87, 0x8a, 0x94, 0x94,
		0xa0, 0xa1, 0xa7, 0xaa, 0xc0, 0xc1, 0xc7, 0xca, 0xe0, 0xe1, 0xe3, 0xe3, 0xec, 0xed, 0xef, 0xef, 0xf8, 0xff)
	set(2, 0, 0x0b, 0x0b, 0x58, 0x5b)
	set(3, V128, 0x52, 0x52)
	set(1, I32, 0x15, 0x16, 0x18, 0x19, 0x1b, 0x1b, 0x53, 0x53, 0x63, 0x64, 0x83, 0x84, 0xa3, 0xa4, 0xc3, 0xc4)
	set(1, I64, 0x1d, 0x1d)
	set(1, F32, 0x1f, 0x1f)
	set(1, F64, 0x21, 0x21)
	for op, sh := range fdShapes {
		if sh == immBad {
			e[op] = knownEffect{}
		}
	}
	return e
}()
