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
	o.m, o.values, o.bottom = m, o.values[:0], 0
	o.frames = append(o.frames[:0], operandFrame{results: m.Types[m.Functions[i]].Results})
	o.locals = m.AppendLocals(o.locals[:0], i)
}

// untilSelect goes on to the next select that does not name its type, does it, and
// returns what it selects, or 0 if that is not known. At the end of the function,
// ok is false.
func (o *operands) untilSelect(it *binary.Instructions) (t binary.ValType, ok bool) {
	values, bottom := o.values, o.bottom
	for it.Next() {
		op := it.Op
		e := binary.Effect{Makes: rare}
		if op <= 0xff {
			e = effects[op]
		}
		switch e.Makes {
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
			values = values[:max(len(values)-int(e.Takes), bottom)]
			if e.Makes != 0 {
				values = append(values, e.Makes)
			}
		}
	}
	return 0, false
}

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
		e, _ := op.Effect()
		if o.pop(int(e.Takes)); e.Makes != 0 {
			o.push(e.Makes)
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
	f.params, f.results = o.m.BlockSignature(it.BlockType())
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

// Instead of a type that is made, in effects.
const (
	rare    binary.ValType = 1 // step deals with it
	ofLocal binary.ValType = 2 // the type of a local
)

// effects of the one-byte opcodes. A local.tee has none here.
var effects = func() (t [256]binary.Effect) {
	for op := range t {
		e, known := binary.Op(op).Effect()
		if !known {
			e.Makes = rare
		}
		t[op] = e
	}
	t[binary.LocalGet] = binary.Effect{Makes: ofLocal}
	t[binary.LocalTee] = binary.Effect{}
	return t
}()
