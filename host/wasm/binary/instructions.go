package binary

import "cmp"

// Instructions walks a body, one instruction at a time:
//
//	for it := body.Instructions(); it.Next(); {
//		// it.Op, it.Start, it.End, it.Index ...
//	}
//
// It never reads beyond the body. A copy continues independently.
type Instructions struct {
	Op     Op
	Start  int    // offset of the instruction in the body's code
	End    int    // offset just after it
	Index  uint32 // first index immediate: label, function, type, local, global, table, data, element, tag
	Index2 uint32 // second index immediate, of call_indirect, *.init and table.copy

	code    []byte
	labels  int    // of br_table: where the vector starts; of try_table: where the clauses do
	trouble string // why the walk stopped before the end of the code; empty: it did not
}

// Instructions walks the body's code.
func (b *Body) Instructions() Instructions { return Instructions{code: b.Code} }

// Code returns a part of the code, by offsets.
func (it *Instructions) Code(from, to int) []byte { return it.code[from:to] }

// Next goes to the next instruction. It reports false at the end of the code,
// and at an instruction that is malformed or unknown.
func (it *Instructions) Next() bool {
	at := it.End
	if at >= len(it.code) {
		return false
	}
	c := it.code[at]
	it.Start, it.Op = at, Op(c)
	if at = it.immediates(shapes[c], at+1); at < 0 || at > len(it.code) {
		it.trouble = cmp.Or(it.trouble, "malformed immediate or unexpected end of code")
		it.End = len(it.code)
		return false
	}
	it.End = at
	return true
}

// immediates reads the immediates of a shape. It returns the offset after them, negative if they
// are malformed.
func (it *Instructions) immediates(sh shape, at int) int {
	switch sh {
	case immNone:
	case immLabel, immFunction, immLocal, immGlobal, immTable, immTag, immData, immElem:
		at = it.index(at, &it.Index)
	case immMemarg:
		at = it.memarg(at)
	case immI32:
		_, at = signed(it.code, at, 32)
	case immBlockType:
		_, at = signed(it.code, at, 33)
	case immLabels:
		at = it.skipLabels(at)
	case immTry:
		if _, at = signed(it.code, at, 33); at >= 0 {
			at = it.skipClauses(at)
		}
	case immIndirect, immElemTable, immTableTable:
		if at = it.index(at, &it.Index); at >= 0 {
			at = it.index(at, &it.Index2)
		}
	case immI64:
		_, at = signed(it.code, at, 64)
	case immF32:
		at += 4
	case immF64:
		at += 8
	case immV128:
		at += 16
	case immLane:
		at++
	case immMemargLane:
		if at = it.memarg(at); at >= 0 {
			at++
		}
	case immZeroByte:
		at = it.zero(at)
	case immZeroZero:
		at = it.zero(it.zero(at))
	case immDataZero:
		at = it.zero(it.index(at, &it.Index))
	case immSelectTypes:
		at = it.selectType(at)
	case immRefType:
		if at < len(it.code) && ValType(it.code[at]).reference() {
			return at + 1
		}
		return -1
	case immGroup:
		return it.group(at)
	default:
		it.trouble = "unknown instruction"
		return -1
	}
	return at
}

// group reads the number that follows a prefix, and the immediates.
func (it *Instructions) group(at int) int {
	n, at := u32(it.code, at)
	if at < 0 {
		return -1
	}
	sh := immBad
	switch {
	case it.Op == 0xfc && n < uint32(len(fcShapes)):
		sh = fcShapes[n]
	case it.Op == 0xfd && n < uint32(len(fdShapes)):
		sh = fdShapes[n]
	}
	it.Op = it.Op<<8 | Op(n&0xff)
	return it.immediates(sh, at)
}

func (it *Instructions) index(at int, to *uint32) int {
	*to, at = u32(it.code, at)
	return at
}

// memarg reads alignment and offset. Bits above the alignment announce
// proposals that are not core 2.0.
func (it *Instructions) memarg(at int) int {
	align, at := u32(it.code, at)
	if at < 0 || align >= 0x20 {
		return -1
	}
	_, at = u32(it.code, at)
	return at
}

func (it *Instructions) zero(at int) int {
	if at < 0 || at >= len(it.code) || it.code[at] != 0 {
		return -1
	}
	return at + 1
}

func (it *Instructions) selectType(at int) int {
	n, at := u32(it.code, at)
	if at < 0 || n != 1 || at >= len(it.code) || !ValType(it.code[at]).valid() {
		return -1
	}
	return at + 1
}

func (it *Instructions) skipLabels(at int) int {
	it.labels = at
	n, at := u32(it.code, at)
	if at < 0 || uint64(n)+1 > uint64(len(it.code)-at) {
		return -1
	}
	it.Index = n // for the limit: the number of labels besides the default
	for n++; n > 0 && at >= 0; n-- {
		_, at = u32(it.code, at)
	}
	return at
}

// Labels appends the labels of a br_table to dst, the default one last.
func (it *Instructions) Labels(dst []uint32) []uint32 {
	n, at := u32(it.code, it.labels)
	for n++; n > 0 && at >= 0; n-- {
		var l uint32
		if l, at = u32(it.code, at); at >= 0 {
			dst = append(dst, l)
		}
	}
	return dst
}

// A Clause is one catch of a try_table.
type Clause struct {
	Kind  CatchKind
	Tag   uint32 // of Catch and CatchRef
	Label uint32 // jump target; 0 is the block around the try_table
}

// A CatchKind is a kind of catch clause: whether it has a tag, and pushes a reference.
type CatchKind byte

// The kinds: of one tag, or all, with the values of the exception and perhaps
// the exception itself.
const (
	Catch CatchKind = iota
	CatchRef
	CatchAll
	CatchAllRef
)

// All reports whether a kind catches every exception.
func (k CatchKind) All() bool { return k >= CatchAll }

// Ref reports whether a kind pushes the exception itself.
func (k CatchKind) Ref() bool { return k == CatchRef || k == CatchAllRef }

// skipClauses skips the clauses of a try_table and sets Index to their number.
func (it *Instructions) skipClauses(at int) int {
	it.labels = at
	n, at := u32(it.code, at)
	if at < 0 || uint64(n)*2 > uint64(len(it.code)-at) {
		return -1
	}
	it.Index = n
	var c Clause
	for ; n > 0 && at >= 0; n-- {
		at = c.read(it.code, at)
	}
	return at
}

// read reads a clause. It returns the offset after it, negative if it is malformed.
func (c *Clause) read(code []byte, at int) int {
	if at >= len(code) || code[at] > byte(CatchAllRef) {
		return -1
	}
	c.Kind, c.Tag, at = CatchKind(code[at]), 0, at+1
	if !c.Kind.All() {
		if c.Tag, at = u32(code, at); at < 0 {
			return -1
		}
	}
	c.Label, at = u32(code, at)
	return at
}

// Clauses appends the clauses of a try_table to dst.
func (it *Instructions) Clauses(dst []Clause) []Clause {
	n, at := u32(it.code, it.labels)
	for ; n > 0 && at >= 0; n-- {
		var c Clause
		if at = c.read(it.code, at); at >= 0 {
			dst = append(dst, c)
		}
	}
	return dst
}

// BlockType returns the type of a block, loop, if or try_table.
func (it *Instructions) BlockType() BlockType {
	t, _ := signed(it.code, it.Start+1, 33)
	return BlockType(t)
}

// A BlockType is the type of a block: the index of a function type if it is
// not negative, else no result or one.
type BlockType int64

// NoResult is the type of a block without parameters and results.
const NoResult BlockType = -64

// Result returns the one result of a block whose type is not an index.
func (t BlockType) Result() (ValType, bool) {
	v := ValType(byte(t) & 0x7f)
	return v, t < 0 && t >= -64 && (v.valid() || v == ExnRef)
}
