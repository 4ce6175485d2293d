package meter

import (
	"math"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// A helper is a function that the meter adds to the module.
type helper int

const (
	chargeBytes   helper = iota // (length) -> length; charges per byte, up to the size of the largest memory
	chargeEntries               // (length) -> length; charges per entry, up to the size of the largest table
	growMemory                  // memory.grow; charges per added page
	takeThrown                  // () -> the pending exception, which is then no longer pending; see exceptions.go
	putThrown                   // (exception): makes it pending again
	helpers
)

var helperNames = [helpers]string{Reserved + "charge-bytes", Reserved + "charge-entries", Reserved + "memory.grow", Reserved + "catch", Reserved + "throw"}

// helper returns the index of a helper, and adds it on first use.
func (w *writer) helper(h helper) uint32 {
	if w.added[h] == 0 {
		w.added[h] = w.next
		w.helpersUsed = append(w.helpersUsed, h)
		w.next++
	}
	return w.added[h]
}

func (h helper) signature() (params, results []binary.ValType) {
	switch h {
	case takeThrown:
		return nil, []binary.ValType{binary.I64}
	case putThrown:
		return []binary.ValType{binary.I64}, nil
	}
	return []binary.ValType{binary.I32}, []binary.ValType{binary.I32}
}

func (w *writer) body(h helper) binary.Body {
	var b []byte
	local := func(op binary.Op, index byte) { b = append(b, byte(op), index) }
	switch h {
	case chargeBytes, chargeEntries:
		most := w.o.TableEntries
		if h == chargeBytes {
			most = uint32(min(uint64(w.o.MemoryPages)<<16, math.MaxUint32))
		}
		b = appendGlobal(b, binary.GlobalGet, w.fuel)
		for range 2 { // length, most, length < most, select: a greater length fails anyway
			local(binary.LocalGet, 0)
			b = binary.AppendS64(append(b, byte(binary.I32Const)), int64(int32(most)))
		}
		b = append(b, i32LtU, byte(binary.Select), i64ExtendU)
		if h == chargeBytes {
			b = append(b, byte(binary.I64Const), bytesShift, i64ShrU)
		}
		b = append(b, byte(binary.I64Sub))
		b = appendGlobal(b, binary.GlobalSet, w.fuel)
		b = w.check(b)
		local(binary.LocalGet, 0)
	case growMemory:
		local(binary.LocalGet, 0)
		b = append(b, byte(binary.MemoryGrow), 0)
		local(binary.LocalTee, 1)
		b = append(b, byte(binary.I32Const), 0x7f, i32Eq, byte(binary.If), emptyBlock)
		b = append(b, byte(binary.I32Const), 1)
		b = appendGlobal(b, binary.GlobalSet, w.denied)
		b = append(b, byte(binary.Else))
		b = appendGlobal(b, binary.GlobalGet, w.fuel)
		local(binary.LocalGet, 0)
		b = append(b, i64ExtendU)
		b = binary.AppendS64(append(b, byte(binary.I64Const)), pageCost)
		b = append(b, i64Mul, byte(binary.I64Sub))
		b = appendGlobal(b, binary.GlobalSet, w.fuel)
		b = w.check(b)
		b = append(b, byte(binary.End))
		local(binary.LocalGet, 1)
	case takeThrown:
		b = w.takeThrown(b)
	case putThrown:
		b = w.putThrown(b)
	}
	body := binary.Body{Code: append(b, byte(binary.End))}
	if h == growMemory {
		body.Locals = []binary.Locals{{Count: 1, Type: binary.I32}}
	}
	return body
}
