package meter

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// A function is what the analysis finds out about one defined function.
type function struct {
	edits   [2]int // range in analysis.edits
	callees [2]int // range in analysis.callees
	work    uint64 // fuel of every instruction once
	slots   uint64 // parameters and locals; a vector takes two
	endless bool   // has a loop, an indirect call, or work that its code does not show
	guarded bool   // every call runs into a padded loop before it calls anything

	escapes [2]int // range in analysis.escapes
	raises  bool   // throws something that it does not catch
	throws  bool   // may end with an exception, its own or another's; see exceptions.go

	locals  uint32 // parameters and locals
	scratch scratch

	recursive bool // may call itself, through others too; see graph.go
	bounded   bool // ends after little work, whatever happens; see graph.go
}

// indirectly marks an entry of analysis.callees as a type: any function of that
// type whose address is taken may be called.
const indirectly = 1 << 31

// An analysis walks functions and collects what rewriting them needs.
type analysis struct {
	m         *binary.Module
	imported  uint32 // functions
	rule      rule
	functions []function
	edits     []edit
	callees   []uint32        // function indices, or types with indirectly
	tables    []uint32        // labels of the br_tables that change: their number, then they
	taken     map[uint32]bool // functions whose address is taken
	types     []uint32        // numbers of the types; equal types have equal numbers
	outside   map[uint32]bool // numbers of the types of which a table may hold an import
	runs      runs
	masks     masks
	selects   selects

	// Of modules with exceptions; see exceptions.go.
	exceptions bool
	escapes    []uint32 // callees whose exceptions leave the function, as in callees
	tries      []try
	clauses    []binary.Clause // of all tries, with labels of the metered code
	throwing   []bool          // by number of a type: a function of it may be called through a table and throw
	trouble    error
}

// function analyses the i-th defined function.
func (a *analysis) function(i int) {
	f := &a.functions[i]
	f.edits[0], f.callees[0], f.escapes[0] = len(a.edits), len(a.callees), len(a.escapes)
	f.slots = slots(a.m, i)
	a.runs.reset(a, f)
	a.masks.reset(len(a.m.Types[a.m.Functions[i]].Params))
	a.selects.reset(a.m, i, f)
	seen := byte(0)                  // traits of all instructions
	before := -1                     // where the i32.const just before this instruction starts, or -1
	it := a.m.Code[i].Instructions() // not in the loop's head, which would copy it each time
	for it.Next() {
		traits := byte(0)
		if it.Op <= 0xff {
			traits = traitsOf[it.Op]
		}
		if traits&masking != 0 && a.masks.look(&it) {
			a.insert(hide, it.Start)
			a.edits[len(a.edits)-1].arg = uint32(it.Op)
		}
		a.masks.past(&it)
		seen |= traits
		cost := Cost(it.Op)
		if traits&plain != 0 {
			a.runs.spend(cost)
		} else {
			cost += a.special(f, &it, cost, before)
		}
		f.work += cost
		before = -1
		if it.Op == binary.I32Const {
			before = it.Start
		}
	}
	a.runs.settle()
	if len(a.selects.untyped) > 0 && (seen&float != 0 || a.selects.floats) {
		a.resolve(f, i)
	}
	f.edits[1], f.callees[1], f.escapes[1] = len(a.edits), len(a.callees), len(a.escapes)
}

// Traits of opcodes.
const (
	plain   = 1 << iota // only costs its place in the table
	masking             // see mask.go
	float               // makes a float
)

// traitsOf the one-byte opcodes.
var traitsOf = func() (t [256]byte) {
	for op := range t {
		switch o := binary.Op(op); {
		case spells(o), o == binary.Select, o == binary.SelectT, o == binary.MemoryGrow, o == binary.RefFunc, o == binary.TryTable:
		case op >= 0x1a && op < 0xfc:
			t[op] |= plain
		}
		if made := effects[op].Makes; made == binary.F32 || made == binary.F64 {
			t[op] |= float
		}
		if masksOrCompares(binary.Op(op)) {
			t[op] |= masking
		}
	}
	return t
}()

// special deals with an instruction that is not plain and has this cost. It
// returns what the instruction costs beside, if that is known.
func (a *analysis) special(f *function, it *binary.Instructions, cost uint64, before int) (more uint64) {
	switch it.Op {
	case binary.Loop:
		f.endless = true
		a.runs.open(it)
		return 0
	case binary.Block, binary.If:
		a.runs.spend(cost)
		a.runs.open(it)
		return 0
	case binary.Else:
		a.runs.arm(it)
		return 0
	case binary.End:
		a.runs.close(it)
		return 0
	case binary.Br, binary.BrIf, binary.BrTable, binary.Return, binary.Unreachable:
		a.runs.spend(cost)
		a.runs.jump(it)
		return 0
	case binary.TryTable:
		a.runs.spend(cost)
		a.runs.openTry(it)
		return 0
	case binary.Throw, binary.ThrowRef:
		a.runs.spend(cost)
		a.runs.throw(it)
		return 0
	case binary.Call, binary.CallIndirect, binary.RefFunc:
		more = a.reference(f, it)
		a.selects.called(a.m, it)
		if a.exceptions && it.Op != binary.RefFunc {
			a.runs.called(it)
		}
	case binary.Select, binary.SelectT:
		a.choose(f, it)
	case binary.MemoryGrow:
		f.endless = true
		a.replace(grow, it, 0)
	default:
		a.selects.floats = a.selects.floats || it.Op >= 0xfc00
		if spells(it.Op) {
			a.spell(f, it)
		}
		more = a.bulk(f, it, before)
	}
	a.runs.spend(cost + more)
	return more
}

// reference notes a call or the taking of an address, and returns what a call
// costs on top.
func (a *analysis) reference(f *function, it *binary.Instructions) uint64 {
	if it.Op == binary.CallIndirect {
		f.endless = true
		a.callees = append(a.callees, it.Index|indirectly)
		return a.leaving(it)
	}
	a.replace(renumber, it, it.Index)
	switch {
	case it.Op == binary.RefFunc:
		a.taken[it.Index] = true
	case it.Index < a.imported:
		return a.leaving(it)
	default:
		a.callees = append(a.callees, it.Index)
	}
	return 0
}

// leaving returns what a call costs on top if it leaves the guest, or may.
func (a *analysis) leaving(it *binary.Instructions) uint64 {
	if it.Op == binary.Call && it.Index < a.imported || it.Op == binary.CallIndirect && a.outside[a.types[it.Index]] {
		return importCost
	}
	return 0
}

// replace notes that something takes the place of an instruction.
func (a *analysis) replace(k kind, it *binary.Instructions, arg uint32) {
	a.edits = append(a.edits, edit{kind: k, at: uint32(it.Start), end: uint32(it.End), arg: arg})
}

// insert notes that something comes in at a place.
func (a *analysis) insert(k kind, at int) {
	a.edits = append(a.edits, edit{kind: k, at: uint32(at), end: uint32(at)})
}

// bulk notes a bulk instruction. It returns what the instruction costs beside
// its place in the table, if that is known beforehand.
func (a *analysis) bulk(f *function, it *binary.Instructions, before int) uint64 {
	kind, is := bulkOps[it.Op]
	if !is {
		return 0
	}
	if n, ok := short(it, before); ok {
		return n
	}
	f.endless = true
	a.insert(kind, it.Start)
	return 0
}

// bulkOps says which instructions are charged by length, and how.
var bulkOps = map[binary.Op]kind{
	binary.MemoryInit: perByte, binary.MemoryCopy: perByte, binary.MemoryFill: perByte,
	binary.TableInit: perEntry, binary.TableCopy: perEntry, binary.TableFill: perEntry, binary.TableGrow: perEntry,
}

// shortBulk is the greatest length that is charged with the code around it,
// where the instruction just before says what the length is.
const shortBulk = 1024

// short returns the fuel for a bulk instruction whose length is given by the
// i32.const at offset before, just in front of it, if that is short.
func short(it *binary.Instructions, before int) (uint64, bool) {
	if before < 0 {
		return 0, false
	}
	n, ok := binary.ConstExpr(it.Code(before, it.Start)).I32()
	return uint64(n), ok && n >= 0 && n <= shortBulk
}

// slots returns how many values of 8 bytes the parameters and locals of the
// i-th defined function take.
func slots(m *binary.Module, i int) (n uint64) {
	width := func(t binary.ValType) uint64 {
		if t == binary.V128 {
			return 2
		}
		return 1
	}
	for _, p := range m.Types[m.Functions[i]].Params {
		n += width(p)
	}
	for _, l := range m.Code[i].Locals {
		n += uint64(l.Count) * width(l.Type)
	}
	return n
}

// addresses notes the functions that tables and globals hold, and the types of
// imports among them.
func (a *analysis) addresses() {
	note := func(e binary.ConstExpr) {
		if it := e.Instruction(); it.Op == binary.RefFunc {
			a.taken[it.Index] = true
		}
	}
	for i := range a.m.Elements {
		for _, f := range a.m.Elements[i].Functions {
			a.taken[f] = true
		}
		for _, e := range a.m.Elements[i].Exprs {
			note(e)
		}
	}
	for _, g := range a.m.Globals {
		note(g.Init)
	}
	a.types, a.outside = typeNumbers(a.m), map[uint32]bool{}
	function := uint32(0)
	for _, i := range a.m.Imports {
		if i.Kind != binary.FunctionKind {
			continue
		}
		// Code is not read yet: it may take any address.
		if a.taken[function] || a.m.Uses(binary.RefFunc) {
			a.outside[a.types[i.Type]] = true
		}
		function++
	}
}
