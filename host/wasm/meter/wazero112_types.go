package meter

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// operands follows the types of the operands on the stack of a function, as far as they
// are known. Of code that is not valid it knows less, and of code that is never
// executed little.
type operands struct {
	m       *binary.Module
	globals []binary.ValType // of all

	locals []binary.ValType
	values []binary.ValType // 0 is unknown
	bottom int              // values below it are outside of the innermost block
	frames []operandFrame

	selected binary.ValType // by the last select that does not name its type; 0 is unknown
}

// An operandFrame is an open block, or the function.
type operandFrame struct {
	around          int // bottom, around it
	params, results []binary.ValType
}

func (o *operands) start(m *binary.Module) {
	o.m = m
	for i := range m.Imports {
		if in := &m.Imports[i]; in.Kind == binary.GlobalKind {
			o.globals = append(o.globals, in.Global.Type)
		}
	}
	for i := range m.Globals {
		o.globals = append(o.globals, m.Globals[i].Type)
	}
}

// begin starts the i-th defined function.
func (o *operands) begin(i int) {
	o.values, o.bottom = o.values[:0], 0
	o.frames = append(o.frames[:0], operandFrame{results: o.m.Types[o.m.Functions[i]].Results})
	o.locals = o.m.AppendLocals(o.locals[:0], i)
}

// selects advances to the select at an offset, which does not name its type, executes
// it, and returns its type, or 0 if that is unknown.
func (o *operands) selects(it *binary.Instructions, at int) binary.ValType {
	for it.End <= at && it.Next() {
		o.step(it)
	}
	return o.selected
}

func (o *operands) push(t ...binary.ValType) { o.values = append(o.values, t...) }

// pop takes values off, but none of those around the block.
func (o *operands) pop(n int) { o.values = o.values[:max(len(o.values)-n, o.bottom)] }

// selectInstruction does a select that does not name its type.
func (o *operands) selectInstruction() {
	o.selected = 0
	for k := len(o.values) - 2; k >= max(len(o.values)-3, o.bottom) && o.selected == 0; k-- {
		o.selected = o.values[k]
	}
	o.pop(3)
	o.push(o.selected)
}

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
	case binary.LocalGet:
		o.push(o.locals[it.Index])
	case binary.LocalTee:
	case binary.GlobalGet:
		o.push(o.globals[it.Index])
	case binary.Call:
		t, _ := o.m.FunctionType(it.Index)
		o.call(t)
	case binary.CallIndirect:
		o.pop(1)
		o.call(o.m.Types[it.Index])
	case binary.Select:
		o.selectInstruction()
	case binary.SelectT:
		o.pop(3)
		o.push(selectType(it))
	default:
		e := op.Effect()
		if o.pop(int(e.Takes)); e.Makes != 0 {
			o.push(e.Makes)
		}
	}
}

func (o *operands) call(t binary.FuncType) {
	o.pop(len(t.Params))
	o.push(t.Results...)
}

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
