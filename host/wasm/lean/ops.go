package lean

import "github.com/rubric-host/rubric-host/host/wasm/binary"

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

// standIn returns the type of the local that can replace the variable of a load or
// store, 0 if there is none.
func standIn(op binary.Op) binary.ValType { return memoryOps[op-binary.I32Load].of }
