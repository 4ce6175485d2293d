package meter

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// operands follows the types of what is on the stack of a function, as far as they
// are known. Of code that is not valid it knows less, and of code that is never
// executed little.
type operands struct {
	m      *binary.Module
	locals []binary.ValType
	values []binary.ValType // 0 is unknown
	bottom int              // values below it are outside of the innermost block
	frames []operandFrame
}

// An operandFrame is an open block, or the function.
type operandFrame struct {
	around          int // bottom, around it
	params, results []binary.ValType
}

// begin starts the i-th defined function.
func (o *operands) begin(m *binary.Module, i int) {
	t := &m.Types[m.Functions[i]]
	o.m, o.values, o.bottom = m, o.values[:0], 0
	o.frames = append(o.frames[:0], operandFrame{results: t.Results})
	o.locals = append(o.locals[:0], t.Params...)
	for _, l := range m.Code[i].Locals {
		for range l.Count {
			o.locals = append(o.locals, l.Type)
		}
	}
}

// untilSelect goes on to the next select that does not name its type, does it, and
// returns what it selects, or 0 if that is not known. At the end of the function,
// ok is false.
func (o *operands) untilSelect(it *binary.Instructions) (t binary.ValType, ok bool) {
	values, bottom := o.values, o.bottom
	for it.Next() {
		op := it.Op
		e := effect{makes: rare}
		if op <= 0xff {
			e = effects[op]
		}
		switch e.makes {
		case rare:
			o.values = values
			if op == binary.Select {
				t = o.selected()
				return t, true
			}
			o.step(it)
			values, bottom = o.values, o.bottom
		case ofLocal:
			values = append(values, o.locals[it.Index])
		default:
			values = values[:max(len(values)-int(e.pops), bottom)]
			if e.makes != 0 {
				values = append(values, e.makes)
			}
		}
	}
	return 0, false
}

// single has a list of each type.
var single = func() (s [256][1]binary.ValType) {
	for t := range s {
		s[t][0] = binary.ValType(t)
	}
	return s
}()

func (o *operands) push(t ...binary.ValType) { o.values = append(o.values, t...) }

// pop takes values off, but none of those around the block.
func (o *operands) pop(n int) { o.values = o.values[:max(len(o.values)-n, o.bottom)] }

// selected does a select, and returns what it selects, or 0.
func (o *operands) selected() (t binary.ValType) {
	for k := len(o.values) - 2; k >= max(len(o.values)-3, o.bottom) && t == 0; k-- {
		t = o.values[k]
	}
	o.pop(3)
	o.push(t)
	return t
}

// step does an instruction that has no effect in the tables.
func (o *operands) step(it *binary.Instructions) {
	switch op := it.Op; op {
	case binary.Block, binary.Loop, binary.If, binary.TryTable:
		o.open(it)
	case binary.Else:
		o.values = append(o.values[:o.bottom], o.frames[len(o.frames)-1].params...)
	case binary.End:
		o.close()
	case binary.Unreachable, binary.Br, binary.BrTable, binary.Return, binary.Throw, binary.ThrowRef:
		o.values = o.values[:o.bottom]
	case binary.GlobalGet:
		o.push(o.global(it.Index))
	case binary.Call:
		t, _ := o.m.FunctionType(it.Index)
		o.call(&t)
	case binary.CallIndirect:
		o.pop(1)
		o.call(&o.m.Types[it.Index])
	case binary.SelectT:
		o.pop(3)
		o.push(selectType(it))
	default:
		e := fcEffects[op&0xff]
		if op >= 0xfd00 {
			e = fdEffects[op&0xff]
		}
		if o.pop(int(e.pops)); e.makes != 0 {
			o.push(e.makes)
		}
	}
}

func (o *operands) call(t *binary.FuncType) {
	o.pop(len(t.Params))
	o.push(t.Results...)
}

// open enters a block.
func (o *operands) open(it *binary.Instructions) {
	if it.Op == binary.If {
		o.pop(1)
	}
	f := operandFrame{around: o.bottom}
	switch t := it.BlockType(); {
	case t >= 0:
		f.params, f.results = o.m.Types[t].Params, o.m.Types[t].Results
	case t != binary.NoResult:
		r, _ := t.Result()
		f.results = single[r][:]
	}
	o.pop(len(f.params))
	o.bottom = len(o.values)
	o.push(f.params...)
	o.frames = append(o.frames, f)
}

// close leaves a block.
func (o *operands) close() {
	f := &o.frames[len(o.frames)-1]
	o.values = append(o.values[:o.bottom], f.results...)
	o.bottom = f.around
	if len(o.frames) > 1 {
		o.frames = o.frames[:len(o.frames)-1]
	}
}

func (o *operands) global(index uint32) binary.ValType {
	for i := range o.m.Imports {
		if g := &o.m.Imports[i]; g.Kind == binary.GlobalKind {
			if index == 0 {
				return g.Global.Type
			}
			index--
		}
	}
	return o.m.Globals[index].Type
}

// An effect is how many values an instruction takes, and what it makes.
type effect struct {
	pops  byte
	makes binary.ValType // 0 if nothing
}

// Instead of what is made, in effects.
const (
	rare    binary.ValType = 1 // step deals with it
	ofLocal binary.ValType = 2 // the type of a local
)

// A setter gives a range of opcodes an effect.
func setter(e *[256]effect) func(pops byte, makes binary.ValType, ranges ...int) {
	return func(pops byte, makes binary.ValType, ranges ...int) {
		for i := 0; i < len(ranges); i += 2 {
			for op := ranges[i]; op <= ranges[i+1]; op++ {
				e[op] = effect{pops, makes}
			}
		}
	}
}

// effects of the one-byte opcodes. A local.tee has none.
var effects = func() (e [256]effect) {
	set := setter(&e)
	set(0, rare, 0x00, 0x00, 0x02, 0x0c, 0x0e, 0x11, 0x1b, 0x1f, 0x23, 0x23, 0xfc, 0xfd)
	set(0, ofLocal, 0x20, 0x20)
	set(1, 0, 0x0d, 0x0d, 0x1a, 0x1a, 0x21, 0x21, 0x24, 0x24) // br_if, drop, local.set, global.set
	set(1, binary.FuncRef, 0x25, 0x25)                        // table.get, of any reference
	set(2, 0, 0x26, 0x26, 0x36, 0x3e)                         // table.set, stores
	set(1, binary.I32, 0x28, 0x28, 0x2c, 0x2f, 0x40, 0x40)
	set(1, binary.I64, 0x29, 0x29, 0x30, 0x35)
	set(1, binary.F32, 0x2a, 0x2a)
	set(1, binary.F64, 0x2b, 0x2b)
	set(0, binary.I32, 0x3f, 0x3f, 0x41, 0x41)
	set(0, binary.I64, 0x42, 0x42)
	set(0, binary.F32, 0x43, 0x43)
	set(0, binary.F64, 0x44, 0x44)
	set(2, binary.I32, 0x46, 0x4f, 0x51, 0x66, 0x6a, 0x78)
	set(1, binary.I32, 0x45, 0x45, 0x50, 0x50, 0x67, 0x69, 0xa7, 0xab, 0xbc, 0xbc, 0xc0, 0xc1, 0xd1, 0xd1)
	set(2, binary.I64, 0x7c, 0x8a)
	set(1, binary.I64, 0x79, 0x7b, 0xac, 0xb1, 0xbd, 0xbd, 0xc2, 0xc4)
	set(2, binary.F32, 0x92, 0x98)
	set(1, binary.F32, 0x8b, 0x91, 0xb2, 0xb6, 0xbe, 0xbe)
	set(2, binary.F64, 0xa0, 0xa6)
	set(1, binary.F64, 0x99, 0x9f, 0xb7, 0xbb, 0xbf, 0xbf)
	set(0, binary.FuncRef, 0xd0, 0xd0, 0xd2, 0xd2) // ref.null, of any type; ref.func
	return e
}()

// fcEffects of the 0xFC group, by number.
var fcEffects = func() (e [256]effect) {
	set := setter(&e)
	set(1, binary.I32, 0, 3)
	set(1, binary.I64, 4, 7)
	set(3, 0, 8, 8, 10, 12, 14, 14, 17, 17) // memory.init, copy and fill; table.init, copy and fill
	set(2, binary.I32, 15, 15)              // table.grow
	set(0, binary.I32, 16, 16)              // table.size
	return e
}()

// fdEffects of the SIMD group, by number.
var fdEffects = func() (e [256]effect) {
	set := setter(&e)
	set(2, binary.V128, 0x0d, 0xff)
	set(0, binary.V128, 0x0c, 0x0c)
	set(1, binary.V128, 0x00, 0x0a, 0x0f, 0x14, 0x4d, 0x4d, 0x5c, 0x62, 0x67, 0x6a, 0x74, 0x75, 0x7a, 0x7a, 0x7c, 0x81, 0x87, 0x8a, 0x94, 0x94,
		0xa0, 0xa1, 0xa7, 0xaa, 0xc0, 0xc1, 0xc7, 0xca, 0xe0, 0xe3, 0xec, 0xef, 0xf8, 0xff)
	set(2, 0, 0x0b, 0x0b, 0x58, 0x5b)
	set(3, binary.V128, 0x52, 0x52)
	set(1, binary.I32, 0x15, 0x16, 0x18, 0x19, 0x1b, 0x1b, 0x53, 0x53, 0x63, 0x64, 0x83, 0x84, 0xa3, 0xa4, 0xc3, 0xc4)
	set(1, binary.I64, 0x1d, 0x1d)
	set(1, binary.F32, 0x1f, 0x1f)
	set(1, binary.F64, 0x21, 0x21)
	return e
}()
