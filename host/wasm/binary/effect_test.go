package binary_test

import (
	"slices"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// TestEffect_OfEveryInstruction holds the effects to the opcodes that are read.
func TestEffect_OfEveryInstruction(t *testing.T) {
	more := []binary.Op{ // those without an effect, or with one that their opcode does not tell
		binary.Nop, binary.DataDrop, binary.ElemDrop,
		binary.Unreachable, binary.Block, binary.Loop, binary.If, binary.Else, binary.Throw, binary.ThrowRef, binary.End, binary.Br, binary.BrTable, binary.Return,
		binary.Call, binary.CallIndirect, binary.Select, binary.SelectT, binary.TryTable, binary.LocalGet, binary.LocalTee, binary.GlobalGet,
	}
	immediates := append([]byte{0x70}, make([]byte, 40)...) // a reference type, too
	n := 0
	for group, last := range map[int]int{0x00: 0xff, 0xfc: 0x11, 0xfd: 0xff} {
		for number := range last + 1 {
			op, code := binary.Op(group<<8|number), []byte{byte(number)}
			if group != 0 {
				code = append([]byte{byte(group)}, binary.AppendU32(nil, uint32(number))...)
			}
			immediate := immediates[1:]
			switch op {
			case 0xfc, 0xfd:
				continue
			case binary.RefNull:
				immediate = immediates
			case binary.SelectT:
				immediate = append([]byte{1}, immediates...)
			case binary.Block, binary.Loop, binary.If, binary.TryTable:
				immediate = append([]byte{0x40}, immediates...)
			}
			body := binary.Body{Code: append(code, immediate...)}
			it := body.Instructions()
			read := it.Next()
			e := op.Effect()
			known := e != binary.Effect{}
			if want := read && !slices.Contains(more, op); known != want {
				t.Errorf("opcode %#x: read %v, an effect %v: %v", op, read, known, e)
			}
			if known {
				n++
			}
			if e.Takes > 3 {
				t.Errorf("opcode %#x takes %d values", op, e.Takes)
			}
		}
	}
	if n < 400 {
		t.Errorf("%d effects", n)
	}
}
