package binary

// A walk validates the instructions of one body.
type walk struct {
	r      *reader
	c      *cursor
	it     Instructions
	locals uint32
	open   []Op     // open blocks, outermost first; If only until its else
	carry  []uint32 // how many values a jump to each of them hands on
	tables uint64   // labels of all br_tables

	branches, loops, nested uint64 // nested: loops within each other, now
	deepest, mostNested     uint64 // blocks, and loops, within each other so far
	widest                  uint64 // labels of a br_table so far
	values                  uint64 // that calls, blocks and jumps hand on
}

// run validates every instruction.
func (w *walk) run() {
	w.open = append(w.open, Block)
	for w.it.Next() {
		if len(w.open) == 0 {
			w.fail("code after the end of the function")
			return
		}
		w.r.m.uses[w.it.Op.slot()] = true
		if w.check(); !w.c.ok() {
			return
		}
	}
	if t := w.it.trouble; t != "" {
		w.fail("%s: 0x%x", t, w.it.Op)
	} else if len(w.open) != 0 {
		w.fail("%d blocks are not ended", len(w.open))
	}
}

func (w *walk) enter() {
	switch t := w.it.BlockType(); {
	case t >= 0:
		if w.below("type", uint32(t), w.r.types); !w.c.ok() {
			return
		}
	case t != NoResult:
		if v, ok := t.Result(); !ok || v == ExnRef && !w.r.max.Exceptions {
			w.fail("malformed block type")
		}
	}
	params, results := w.r.m.BlockSignature(w.it.BlockType())
	w.values += uint64(len(params) + len(results))
	carried := len(results)
	if w.it.Op == Loop {
		carried = len(params)
	}
	w.open, w.carry = append(w.open, w.it.Op), append(w.carry, uint32(carried))
	if n := uint64(len(w.open)) - 1; n > w.deepest {
		w.deepest = n
		w.hold("Nesting", n, "blocks within each other")
	}
	if w.it.Op == Loop {
		w.loops++
		if w.nested++; w.nested > w.mostNested {
			w.mostNested = w.nested
			w.hold("LoopNesting", w.nested, "loops within each other")
		}
	}
}

// finish checks the totals of the function. These limits bound the time to compile: with wazero it
// grows with the square of branches and loops, with their product with locals, and with the number of values.
func (w *walk) finish() {
	locals := uint64(w.locals)
	w.hold("Branches", w.branches, "branches in one function")
	w.hold("BranchTables", w.tables, "br_table labels in one function")
	w.hold("Loops", w.loops, "loops in one function")
	w.hold("LocalsByBranch", locals*w.branches, "locals times branches in one function")
	w.hold("LocalsByLoop", locals*w.loops, "locals times loops in one function")
	w.hold("Values", w.values, "values handed on in one function")
}

// longCode is how many values an indirect call and a copy count for: each is compiled in as
// much time, to code that checks bounds and types.
const longCode = 15

// check validates an instruction.
func (w *walk) check() {
	it, r := &w.it, w.r
	switch op := it.Op; op {
	case Block, Loop, If:
		w.branches++
		w.enter()
	case TryTable:
		w.clauses()
		w.enter()
	case Else:
		w.branches++
		if top := len(w.open) - 1; w.open[top] == If {
			w.open[top] = Block
		} else {
			w.fail("else without if")
		}
	case End:
		top := len(w.open) - 1
		if w.open[top] == Loop {
			w.nested--
		}
		w.open, w.carry = w.open[:top], w.carry[:top]
	case LocalGet, LocalSet, LocalTee:
		w.below("local", it.Index, w.locals)
	case Throw, ThrowRef:
		switch {
		case !w.r.max.Exceptions:
			w.fail(noExceptions)
		case op == Throw:
			w.below("tag", it.Index, r.tagged)
		}
	case Br, BrIf:
		if op == BrIf {
			w.branches++
		}
		w.jump(it.Index)
	case Return:
		w.values += uint64(w.carry[0])
	case BrTable:
		w.branchTable()
	case Call:
		if w.below("function", it.Index, r.functions); w.c.ok() {
			w.values += uint64(r.results[it.Index])
		}
	case RefFunc:
		w.below("function", it.Index, r.functions)
	case CallIndirect:
		if w.below("type", it.Index, r.types); w.c.ok() {
			w.values += uint64(len(r.m.Types[it.Index].Results)) + longCode
		}
		w.below("table", it.Index2, r.tables)
	case GlobalGet, GlobalSet:
		w.below("global", it.Index, r.globals)
	case TableGet, TableSet, TableGrow, TableSize:
		w.below("table", it.Index, r.tables)
	case TableFill, MemoryFill: // each is compiled to a loop
		w.branches++
		w.loops++
		if op == TableFill {
			w.below("table", it.Index, r.tables)
		} else {
			w.below("memory", 0, r.memories)
		}
	case TableInit:
		w.values += longCode
		w.below("element", it.Index, r.elements)
		w.below("table", it.Index2, r.tables)
	case TableCopy:
		w.values += longCode
		w.below("table", it.Index, r.tables)
		w.below("table", it.Index2, r.tables)
	case MemoryCopy:
		w.values += longCode
		w.below("memory", 0, r.memories)
	case ElemDrop:
		w.below("element", it.Index, r.elements)
	case DataDrop, MemoryInit:
		w.below("data segment", it.Index, r.data)
		if op == MemoryInit {
			w.values += longCode
			w.below("memory", 0, r.memories)
		}
	default:
		if op.touchesMemory() {
			w.below("memory", 0, r.memories)
		}
	}
}

// clauses checks the jump targets of a try_table. Its clauses name labels around it, not its own.
func (w *walk) clauses() {
	n := uint64(w.it.Index)
	if w.branches += n + 1; !w.r.max.Exceptions {
		w.fail(noExceptions)
	}
	if w.hold("BranchTable", n, "clauses of one try_table"); !w.c.ok() {
		return
	}
	w.r.clauses = w.it.Clauses(w.r.clauses[:0])
	for _, c := range w.r.clauses {
		w.below("label", c.Label, uint32(len(w.open)))
		if !c.Kind.All() {
			w.below("tag", c.Tag, w.r.tagged)
		}
	}
}

// touchesMemory reports whether an op needs a memory: for SIMD, those with a
// memory immediate.
func (o Op) touchesMemory() bool {
	switch {
	case o >= I32Load && o <= MemoryGrow, o == MemoryCopy, o == MemoryFill:
		return true
	case o>>8 == 0xfd:
		sh := fdShapes[o&0xff]
		return sh == immMemarg || sh == immMemargLane
	}
	return false
}

func (w *walk) branchTable() {
	w.branches++
	n := uint64(w.it.Index) + 1
	w.tables += n
	if n > w.widest {
		w.widest = n
		if w.hold("BranchTable", n, "labels in one br_table"); !w.c.ok() {
			return
		}
	}
	w.r.labels = w.it.Labels(w.r.labels[:0])
	for _, label := range w.r.labels {
		w.jump(label)
	}
}

func (w *walk) jump(label uint32) {
	if w.below("label", label, uint32(len(w.open))); w.c.ok() {
		w.values += uint64(w.carry[len(w.carry)-1-int(label)])
	}
}

func (w *walk) below(what string, index, n uint32) {
	if index >= n {
		w.fail("%s %d of instruction 0x%x does not exist; the module has %d", what, index, w.it.Op, n)
	}
}

func (w *walk) fail(format string, args ...any) {
	w.c.failAt(w.offset(), "", format, args...)
}

func (w *walk) hold(limit string, n uint64, what string) { w.c.hold(w.offset(), limit, n, what) }

// offset returns the place of the current instruction in the module.
func (w *walk) offset() int { return w.c.base + w.c.at + w.it.Start }
