package binary

// An Op is an instruction's opcode: the byte itself, 0xFC00 plus the number
// for the 0xFC group, 0xFD00 plus the number for SIMD.
type Op uint16

// The instructions that a rewriter or an inspector distinguishes. Other opcodes are the numbers of
// the specification.
const (
	Unreachable  Op = 0x00
	Nop          Op = 0x01
	Block        Op = 0x02
	Loop         Op = 0x03
	If           Op = 0x04
	Else         Op = 0x05
	Throw        Op = 0x08
	ThrowRef     Op = 0x0a
	End          Op = 0x0b
	Br           Op = 0x0c
	BrIf         Op = 0x0d
	BrTable      Op = 0x0e
	Return       Op = 0x0f
	Call         Op = 0x10
	CallIndirect Op = 0x11
	Drop         Op = 0x1a
	Select       Op = 0x1b
	SelectT      Op = 0x1c
	TryTable     Op = 0x1f
	LocalGet     Op = 0x20
	LocalSet     Op = 0x21
	LocalTee     Op = 0x22
	GlobalGet    Op = 0x23
	GlobalSet    Op = 0x24
	TableGet     Op = 0x25
	TableSet     Op = 0x26
	I32Load      Op = 0x28
	I64Store32   Op = 0x3e
	MemorySize   Op = 0x3f
	MemoryGrow   Op = 0x40
	I32Const     Op = 0x41
	I64Const     Op = 0x42
	F32Const     Op = 0x43
	F64Const     Op = 0x44
	I64LtS       Op = 0x53
	I64Sub       Op = 0x7d
	RefNull      Op = 0xd0
	RefIsNull    Op = 0xd1
	RefFunc      Op = 0xd2

	MemoryInit Op = 0xfc08
	DataDrop   Op = 0xfc09
	MemoryCopy Op = 0xfc0a
	MemoryFill Op = 0xfc0b
	TableInit  Op = 0xfc0c
	ElemDrop   Op = 0xfc0d
	TableCopy  Op = 0xfc0e
	TableGrow  Op = 0xfc0f
	TableSize  Op = 0xfc10
	TableFill  Op = 0xfc11

	V128Const Op = 0xfd0c
)

// slot maps an op to its place in Module.uses: SIMD shares one.
func (o Op) slot() int {
	switch o >> 8 {
	case 0xfc:
		return 256 + int(o&0xff)
	case 0xfd:
		return 511
	}
	return int(o & 0xff)
}

// A shape is the list of immediates of an opcode.
type shape byte

const (
	immBad       shape = iota
	immNone            // no immediate
	immBlockType       // of block, loop, if
	immLabel           // one label
	immLabels          // br_table
	immTag             // tag index
	immTry             // of try_table
	immFunction        // function index
	immIndirect        // type and table index
	immLocal           // local index
	immGlobal          // global index
	immTable           // table index
	immMemarg          // alignment and offset
	immZeroByte        // memory index, always 0 in core 2.0
	immI32
	immI64
	immF32
	immF64
	immSelectTypes // result types of select
	immRefType     // heap type of ref.null
	immGroup       // prefix: the number follows
	immDataZero    // data index, memory 0
	immData        // data index
	immZeroZero    // two memories
	immElemTable   // element and table index
	immElem        // element index
	immTableTable  // two tables
	immV128        // 16 bytes
	immLane        // one byte
	immMemargLane  // alignment, offset, one byte
)

// setter returns a function that sets entries of a table in ranges, each given by its first and last.
func setter[T any](table *[256]T) func(v T, ranges ...int) {
	return func(v T, ranges ...int) {
		for ; len(ranges) > 0; ranges = ranges[2:] {
			for i := ranges[0]; i <= ranges[1]; i++ {
				table[i] = v
			}
		}
	}
}

// shapes of the one-byte opcodes.
var shapes = func() (s [256]shape) {
	set := setter(&s)
	set(immNone, 0x00, 0x01, 0x05, 0x05, 0x0a, 0x0b, 0x0f, 0x0f, 0x1a, 0x1b, 0x45, 0xc4, 0xd1, 0xd1)
	set(immBlockType, 0x02, 0x04)
	set(immTag, 0x08, 0x08)
	set(immLabel, 0x0c, 0x0d)
	set(immLabels, 0x0e, 0x0e)
	set(immFunction, 0x10, 0x10, 0xd2, 0xd2)
	set(immIndirect, 0x11, 0x11)
	set(immSelectTypes, 0x1c, 0x1c)
	set(immTry, 0x1f, 0x1f)
	set(immLocal, 0x20, 0x22)
	set(immGlobal, 0x23, 0x24)
	set(immTable, 0x25, 0x26)
	set(immMemarg, 0x28, 0x3e)
	set(immZeroByte, 0x3f, 0x40)
	set(immI32, 0x41, 0x41)
	set(immI64, 0x42, 0x42)
	set(immF32, 0x43, 0x43)
	set(immF64, 0x44, 0x44)
	set(immRefType, 0xd0, 0xd0)
	set(immGroup, 0xfc, 0xfd)
	return s
}()

// fcShapes of the 0xFC group, by number.
var fcShapes = [...]shape{
	immNone, immNone, immNone, immNone, immNone, immNone, immNone, immNone, // saturating conversions
	immDataZero, immData, immZeroZero, immZeroByte, // memory.init, data.drop, memory.copy, memory.fill
	immElemTable, immElem, immTableTable, immTable, immTable, immTable, // table.init, elem.drop, table.copy, grow, size, fill
}

// fdShapes of the SIMD group, by number.
var fdShapes = func() (s [256]shape) {
	set := setter(&s)
	set(immNone, 0x00, 0xff)
	set(immBad, 0x9a, 0x9a, 0xa2, 0xa2, 0xa5, 0xa6, 0xaf, 0xb0, 0xb2, 0xb4, 0xbb, 0xbb, 0xc2, 0xc2, 0xc5, 0xc6, 0xcf, 0xd0, 0xd2, 0xd4, 0xe2, 0xe2, 0xee, 0xee)
	set(immMemarg, 0x00, 0x0b, 0x5c, 0x5d)
	set(immV128, 0x0c, 0x0d)
	set(immLane, 0x15, 0x22)
	set(immMemargLane, 0x54, 0x5b)
	return s
}()
