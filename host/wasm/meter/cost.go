package meter

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// TableVersion is the version of the cost table and the charging rule. With another version,
// the same call may use another amount of fuel; so plans and caches record it.
const TableVersion = 1

// Costs beyond single instructions, in fuel.
const (
	importCost = 200 // a call of an import, on top of the call itself

	bytesShift = 3 // 8 bytes for a unit: memory.fill, memory.copy, memory.init

	pageCost = 8192 // a page added by memory.grow
)

// Cost returns the fuel of an instruction. One unit is about the time of an addition; two
// billion take about a second on a desktop core of 2024. Calls to imports, bulk instructions
// and memory.grow cost more, depending on their operands.
func Cost(op binary.Op) uint64 {
	if op < 256 {
		return uint64(costs[op])
	}
	if op>>8 == 0xfd {
		return 2
	}
	return uint64(fcCosts[op&0xff])
}

// costs of the one-byte opcodes.
var costs = func() (c [256]uint16) {
	for i := range c {
		c[i] = 1
	}
	set := func(cost uint16, ops ...binary.Op) {
		for _, op := range ops {
			c[op] = cost
		}
	}
	set(0, binary.Nop, binary.Block, binary.Else, binary.End) // no machine code
	set(8, binary.Throw, binary.ThrowRef)
	set(2, binary.BrTable, binary.TableGet, binary.TableSet)
	set(4, binary.Call)
	set(6, binary.CallIndirect)
	set(8, 0x6d, 0x6e, 0x6f, 0x70, 0x7f, 0x80, 0x81, 0x82) // integer division and remainder
	set(4, 0x91, 0x95, 0x9f, 0xa3)                         // f32.sqrt, f32.div, f64.sqrt, f64.div
	set(3, 0xa8, 0xa9, 0xaa, 0xab, 0xae, 0xaf, 0xb0, 0xb1) // conversions to integers that may trap
	set(100, binary.RefFunc, binary.MemoryGrow)            // leave compiled code
	return c
}()

// fcCosts of the 0xFC group, by number.
var fcCosts = [256]uint16{
	3, 3, 3, 3, 3, 3, 3, 3, // saturating conversions
	10, 2, 10, 10, // memory.init, data.drop, memory.copy, memory.fill
	10, 2, 10, 100, 1, 10, // table.init, elem.drop, table.copy, grow, size, fill
}

// slotsPerDepth is the number of parameters and locals, of 8 bytes each, for which a call
// counts as one more level of depth.
const slotsPerDepth = 32
