package lean

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// span says what the opcodes from first to last take from the stack and give.
type span struct {
	first, last  binary.Op
	takes, gives int
}

// spans are the opcodes that do no more than that, from the core specification 2.0,
// without SIMD and exceptions.
var spans = []span{
	{binary.Nop, binary.Nop, 0, 0},
	{binary.Select, binary.SelectT, 3, 1},
	{binary.TableGet, binary.TableGet, 1, 1}, {binary.TableSet, binary.TableSet, 2, 0},
	{binary.I32Load, 0x35, 1, 1}, {i32Store, binary.I64Store32, 2, 0},
	{binary.MemorySize, binary.MemorySize, 0, 1}, {binary.MemoryGrow, binary.MemoryGrow, 1, 1},
	{binary.I64Const, binary.F64Const, 0, 1},
	{0x45, 0x45, 1, 1}, {0x46, 0x4f, 2, 1}, {0x50, 0x50, 1, 1}, {0x51, 0x66, 2, 1}, // comparisons
	{0x67, 0x69, 1, 1}, {0x6c, 0x78, 2, 1}, {0x79, 0x7b, 1, 1}, {0x7c, 0x8a, 2, 1}, // of integers; add and sub are apart
	{0x8b, 0x91, 1, 1}, {0x92, 0x98, 2, 1}, {0x99, 0x9f, 1, 1}, {0xa0, 0xa6, 2, 1}, // of floats
	{0xa7, 0xc4, 1, 1}, // conversions
	{binary.RefNull, binary.RefNull, 0, 1}, {binary.RefIsNull, binary.RefIsNull, 1, 1}, {binary.RefFunc, binary.RefFunc, 0, 1},
	{0xfc00, 0xfc07, 1, 1}, // saturating conversions
	{binary.MemoryInit, binary.MemoryInit, 3, 0}, {binary.DataDrop, binary.DataDrop, 0, 0},
	{binary.MemoryCopy, binary.TableInit, 3, 0}, {binary.ElemDrop, binary.ElemDrop, 0, 0}, {binary.TableCopy, binary.TableCopy, 3, 0},
	{binary.TableGrow, binary.TableGrow, 2, 1}, {binary.TableSize, binary.TableSize, 0, 1}, {binary.TableFill, binary.TableFill, 3, 0},
}

// arities are those of the one-byte opcodes, as arity returns them.
var arities = func() (a [256][2]int) {
	for op := range a {
		a[op] = search(binary.Op(op))
	}
	return a
}()

func search(op binary.Op) [2]int {
	for _, s := range spans {
		if op >= s.first && op <= s.last {
			return [2]int{s.takes, s.gives}
		}
	}
	return [2]int{-1, -1}
}

// arity returns how many values an instruction takes and gives, or negative numbers
// if it is none that only does that.
func arity(op binary.Op) (takes, gives int) {
	if op < 256 {
		return arities[op][0], arities[op][1]
	}
	found := search(op)
	return found[0], found[1]
}

// Loads and stores, as the specification numbers them.
const (
	i32Store  = 0x36
	i32Store8 = 0x3a
)

// memoryOps has, from i32.load on, how many bytes each load and store touches, and the
// type of the local that can stand for them: none for the narrow ones of i64.
var memoryOps = [...]struct {
	width int32
	of    binary.ValType
}{
	{4, binary.I32}, {8, binary.I64}, {4, binary.F32}, {8, binary.F64}, // loads
	{1, binary.I32}, {1, binary.I32}, {2, binary.I32}, {2, binary.I32}, // of i32, 8 and 16 bits, signed and not
	{1, 0}, {1, 0}, {2, 0}, {2, 0}, {4, 0}, {4, 0}, // of i64
	{4, binary.I32}, {8, binary.I64}, {4, binary.F32}, {8, binary.F64}, // stores
	{1, binary.I32}, {2, binary.I32}, {1, 0}, {2, 0}, {4, 0},
}

// width returns how many bytes a load or store touches, 0 for any other instruction.
func width(op binary.Op) int32 {
	if op < binary.I32Load || op > binary.I64Store32 {
		return 0
	}
	return memoryOps[op-binary.I32Load].width
}

// standIn returns the type of the local that can stand for what a load or store
// touches, 0 if there is none.
func standIn(op binary.Op) binary.ValType { return memoryOps[op-binary.I32Load].of }
