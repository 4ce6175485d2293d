package binary

// A walk checks the instructions of one body.
type walk struct {
	r      *reader
	c      *cursor
	it     Instructions
	locals uint32
	ifs    []bool // open blocks, outermost first: whether an else may come
	blocks uint64
	tables uint64 // labels of all br_tables
	calls  bool
	loops  bool
}

func (w *walk) run() {
	w.ifs = append(w.ifs, false)
	it, uses := &w.it, &w.r.m.uses
	for it.Next() {
		if len(w.ifs) == 0 {
			w.fail("code after the end of the function")
			return
		}
		uses[it.Op.slot()] = true
		switch it.Op {
		case LocalGet, LocalSet, LocalTee:
			if it.Index >= w.locals {
				w.outOfRange("local", it.Index, w.locals)
			}
		case Block, Loop, If:
			w.open()
		case Else:
			if top := len(w.ifs) - 1; w.ifs[top] {
				w.ifs[top] = false
			} else {
				w.fail("else without if")
			}
		case End:
			w.ifs = w.ifs[:len(w.ifs)-1]
		default:
			w.indices()
		}
		if !w.c.ok() {
			return
		}
	}
	if t := it.Trouble(); t != "" {
		w.fail("%s: 0x%x", t, it.Op)
	} else if len(w.ifs) != 0 {
		w.fail("%d blocks are not ended", len(w.ifs))
	}
}

func (w *walk) open() {
	switch t := w.it.BlockType(); {
	case t >= 0:
		w.below("type", uint32(t), w.r.types)
	case t != NoResult:
		if _, ok := t.Result(); !ok {
			w.fail("malformed block type")
		}
	}
	w.blocks++
	w.loops = w.loops || w.it.Op == Loop
	w.ifs = append(w.ifs, w.it.Op == If)
	if n := uint64(len(w.ifs)) - 1; n > w.r.l.Nesting {
		w.beyond("Nesting", n, w.r.l.Nesting, "blocks within each other")
	}
}

// indices checks the immediates of all but the commonest instructions.
func (w *walk) indices() {
	it, r := &w.it, w.r
	switch op := it.Op; op {
	case Br, BrIf:
		w.below("label", it.Index, uint32(len(w.ifs)))
	case BrTable:
		w.branchTable()
	case Call:
		w.calls = true
		w.below("function", it.Index, r.functions)
	case RefFunc:
		w.below("function", it.Index, r.functions)
	case CallIndirect:
		w.calls = true
		w.below("type", it.Index, r.types)
		w.below("table", it.Index2, r.tables)
	case GlobalGet, GlobalSet:
		w.below("global", it.Index, r.globals)
	case TableGet, TableSet, TableGrow, TableSize, TableFill:
		w.below("table", it.Index, r.tables)
	case TableInit:
		w.below("element", it.Index, r.elements)
		w.below("table", it.Index2, r.tables)
	case TableCopy:
		w.below("table", it.Index, r.tables)
		w.below("table", it.Index2, r.tables)
	case ElemDrop:
		w.below("element", it.Index, r.elements)
	case DataDrop, MemoryInit:
		w.below("data segment", it.Index, r.data)
		if op == MemoryInit {
			w.below("memory", 0, r.memories)
		}
	default:
		if op.touchesMemory() {
			w.below("memory", 0, r.memories)
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
	it, l := &w.it, &w.r.l
	n := uint64(it.Index) + 1
	if n > l.BranchTable {
		w.beyond("BranchTable", n, l.BranchTable, "labels in one br_table")
		return
	}
	if w.tables += n; w.tables > l.BranchTables {
		w.beyond("BranchTables", w.tables, l.BranchTables, "br_table labels in one function")
		return
	}
	w.r.labels = it.Labels(w.r.labels[:0])
	for _, label := range w.r.labels {
		w.below("label", label, uint32(len(w.ifs)))
	}
}

func (w *walk) below(what string, index, n uint32) {
	if index >= n {
		w.outOfRange(what, index, n)
	}
}

func (w *walk) outOfRange(what string, index, n uint32) {
	w.fail("%s %d of instruction 0x%x does not exist, there are %d", what, index, w.it.Op, n)
}

func (w *walk) fail(format string, args ...any) {
	w.c.failAt(w.offset(), "", format, args...)
}

func (w *walk) beyond(limit string, n, max uint64, what string) {
	w.c.failAt(w.offset(), limit, "%d %s, %d allowed", n, what, max)
}

// offset returns the place of the current instruction in the module.
func (w *walk) offset() int { return w.c.base + w.c.at + w.it.Start }
