package meter

import "github.com/rubric-host/rubric-host/host/wasm/binary"

type kind byte

const (
	none              kind = iota
	charge                 // take arg fuel; if check, refill when it is below zero
	renumber               // the function index arg of a call or ref.func changes
	leave                  // return, as a branch to the label arg of the function body
	chargeByteLength       // charge for the length of a bulk memory instruction
	chargeEntryLength      // charge for the length of a bulk table instruction
	grow                   // memory.grow, through a helper that charges
	openLoop               // the start of a loop that gets a pad
	closeLoop              // the end of that loop
	branch                 // br or br_if, with label arg
	branchTable            // br_table, with the labels at arg in analysis.tables
	orZero                 // before a comparison of opcode arg; see wazero112_masks.go
	selectFloat            // a select of type arg; see wazero112_selects.go
	rewritten              // opcode arg, expressed by others; see wazero112_rewrites.go

	retypeBlock // a block whose result is an exception
	throwTag    // throw; arg is in analysis.throwSites
	rethrow     // throw_ref; arg is in analysis.throwSites
	checkThrown // after a call: branch if it ended with an exception; arg is in analysis.throwSites
	openTry     // try_table; arg is in analysis.tries
	closeTry    // the end of that try_table
)

// An edit replaces code[at:end]. Edits are sorted by place.
type edit struct {
	at, end uint32
	arg     uint32
	kind    kind
	check   bool // of a charge
}

// code appends the metered form of the i-th defined function's code to dst.
func (w *writer) code(dst []byte, i int) []byte {
	f, code := &w.a.functions[i], w.m.Code[i].Code
	end := len(code) - 1 // of the function
	results := w.m.Types[w.m.Functions[i]].Results
	if f.recursive {
		dst = w.enterDepth(dst, f.weight())
	}
	if f.throws {
		dst = append(dst, byte(binary.Block), emptyBlock)
	}
	if f.recursive || f.throws {
		dst = append(dst, byte(binary.Block))
		dst = binary.AppendS64(dst, w.blockType(results))
	}
	at := uint32(0)
	edits := w.a.edits[f.edits[0]:f.edits[1]]
	for k := range edits {
		e := &edits[k]
		dst = append(dst, code[at:e.at]...)
		at = e.end
		dst = w.edit(dst, f, e, code[e.at:e.end], k == 0)
	}
	dst = append(dst, code[at:end]...)
	if f.recursive || f.throws {
		dst = w.epilogue(append(dst, byte(binary.End)), f)
	}
	if f.throws {
		dst = w.epilogue(append(dst, byte(binary.Return), byte(binary.End)), f)
		dst = appendZeros(dst, results)
	}
	return append(dst, byte(binary.End))
}

// epilogue gives back the depth of a recursive function.
func (w *writer) epilogue(dst []byte, f *function) []byte {
	if !f.recursive {
		return dst
	}
	dst = w.leaveDepth(dst, f.weight())
	if f.work > boundedExit {
		dst = w.check(dst)
	}
	return dst
}

// edit appends the replacement of old.
func (w *writer) edit(dst []byte, f *function, e *edit, old []byte, entry bool) []byte {
	switch e.kind {
	case none:
		return append(dst, old...)
	case charge:
		if e.check || entry && !f.bounded && !f.guarded {
			dst = w.check(dst)
		}
		dst = w.charge(dst, int64(e.arg))
	case renumber:
		dst = binary.AppendU32(append(dst, old[0]), w.newIndex(e.arg))
	case leave:
		if !f.recursive {
			return append(dst, old...)
		}
		dst = binary.AppendU32(append(dst, byte(binary.Br)), e.arg)
	case retypeBlock, throwTag, rethrow, checkThrown, openTry, closeTry:
		dst = w.exception(dst, f, e, old)
	case openLoop:
		dst = w.openLoop(dst, old)
	case closeLoop:
		dst = w.closeLoop(dst)
	case branch:
		dst = binary.AppendU32(append(dst, old[0]), e.arg)
	case branchTable:
		n := w.a.tables[e.arg]
		dst = binary.AppendU32(append(dst, old[0]), n-1)
		for _, l := range w.a.tables[e.arg+1 : e.arg+1+n] {
			dst = binary.AppendU32(dst, l)
		}
	case orZero:
		if e.arg < i64Eqz {
			return append(dst, byte(binary.I32Const), 0, i32Or)
		}
		return append(dst, byte(binary.I64Const), 0, i64Or)
	case selectFloat:
		dst = selectBits(dst, f, binary.ValType(e.arg))
	case rewritten:
		dst = appendRewritten(dst, f, binary.Op(e.arg))
	case chargeByteLength:
		dst = appendCall(dst, w.helper(chargeBytes))
	case chargeEntryLength:
		dst = appendCall(dst, w.helper(chargeEntries))
	case grow:
		dst = appendCall(dst, w.helper(growMemory))
	}
	return dst
}

// weight returns the depth that a call of the function takes.
func (f *function) weight() int64 { return 1 + int64(f.slots/slotsPerDepth) }

// charge: fuel -= cost.
func (w *writer) charge(dst []byte, cost int64) []byte {
	dst = appendGlobal(dst, binary.GlobalGet, w.fuel)
	dst = binary.AppendS64(append(dst, byte(binary.I64Const)), cost)
	dst = append(dst, byte(binary.I64Sub))
	return appendGlobal(dst, binary.GlobalSet, w.fuel)
}

// check: if fuel < 0 then fuel = refill(fuel).
func (w *writer) check(dst []byte) []byte {
	dst = appendGlobal(dst, binary.GlobalGet, w.fuel)
	dst = append(dst, byte(binary.I64Const), 0, byte(binary.I64LtS), byte(binary.If), emptyBlock)
	dst = appendGlobal(dst, binary.GlobalGet, w.fuel)
	dst = appendCall(dst, w.refill)
	dst = appendGlobal(dst, binary.GlobalSet, w.fuel)
	return append(dst, byte(binary.End))
}

// padFrames is the number of blocks that a pad adds around a loop.
const padFrames = 3

// openLoop writes the start of a padded loop:
//
//	block $done
//	  loop $again
//	    block $cold
//	      loop               ;; as it was
//	        fuel < 0, br_if $cold
func (w *writer) openLoop(dst, old []byte) []byte {
	if len(old) == 2 && binary.ValType(old[1]) == binary.ExnRef {
		old = []byte{old[0], byte(binary.I64)}
	}
	dst = append(append(dst, byte(binary.Block)), old[1:]...)
	dst = append(dst, old...)
	dst = append(dst, byte(binary.Block), emptyBlock)
	dst = append(dst, old...)
	dst = appendGlobal(dst, binary.GlobalGet, w.fuel)
	return append(dst, byte(binary.I64Const), 0, byte(binary.I64LtS), byte(binary.BrIf), 1)
}

// closeLoop writes the end of a padded loop:
//
//	      end
//	      br $done
//	    end $cold
//	    fuel = refill(fuel)
//	    br $again
//	  end $again
//	end $done
func (w *writer) closeLoop(dst []byte) []byte {
	dst = append(dst, byte(binary.End), byte(binary.Br), 2, byte(binary.End))
	dst = appendGlobal(dst, binary.GlobalGet, w.fuel)
	dst = appendCall(dst, w.refill)
	dst = appendGlobal(dst, binary.GlobalSet, w.fuel)
	return append(dst, byte(binary.Br), 0, byte(binary.End), byte(binary.End))
}

// enterDepth: depth -= weight; if depth < 0 then trap.
func (w *writer) enterDepth(dst []byte, weight int64) []byte {
	dst = appendGlobal(dst, binary.GlobalGet, w.depth)
	dst = binary.AppendS64(append(dst, byte(binary.I32Const)), weight)
	dst = append(dst, i32Sub)
	dst = appendGlobal(dst, binary.GlobalSet, w.depth)
	dst = appendGlobal(dst, binary.GlobalGet, w.depth)
	dst = append(dst, byte(binary.I32Const), 0, i32LtS, byte(binary.If), emptyBlock)
	return append(dst, byte(binary.Unreachable), byte(binary.End))
}

// leaveDepth: depth += weight.
func (w *writer) leaveDepth(dst []byte, weight int64) []byte {
	dst = appendGlobal(dst, binary.GlobalGet, w.depth)
	dst = binary.AppendS64(append(dst, byte(binary.I32Const)), weight)
	dst = append(dst, i32Add)
	return appendGlobal(dst, binary.GlobalSet, w.depth)
}

func appendGlobal(dst []byte, op binary.Op, index uint32) []byte {
	return binary.AppendU32(append(dst, byte(op)), index)
}

func appendCall(dst []byte, index uint32) []byte {
	return binary.AppendU32(append(dst, byte(binary.Call)), index)
}

// Opcodes that package binary does not name.
const (
	emptyBlock = 0x40
	i32Eqz     = 0x45
	i32Eq      = 0x46
	i32LtS     = 0x48
	i32LtU     = 0x49
	i32Add     = 0x6a
	i32Sub     = 0x6b
	i32And     = 0x71
	i32Or      = 0x72
	i32WrapI64 = 0xa7
	i64Eqz     = 0x50
	i64Mul     = 0x7e
	i64And     = 0x83
	i64Or      = 0x84
	i64Shl     = 0x86
	i64ShrU    = 0x88
	i64ExtendU = 0xad // i64.extend_i32_u

	i32Popcnt   = 0x69
	i64Popcnt   = 0x7b
	f32Min      = 0x96
	f32Copysign = 0x98
	f64Min      = 0xa4
	f64Copysign = 0xa6
	bitselect   = 0xfd52
	i64x2Mul    = 0xfdd5
	f32x4Min    = 0xfde8
	f32x4Max    = 0xfde9
	f64x2Min    = 0xfdf4
	f64x2Max    = 0xfdf5

	i32ReinterpretF32 = 0xbc
	i64ReinterpretF64 = 0xbd
	f32ReinterpretI32 = 0xbe
	f64ReinterpretI64 = 0xbf
)
