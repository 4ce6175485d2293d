package meter

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// A function holds the results of the analysis for one defined function.
type function struct {
	edits     [2]int // range in analysis.edits
	callees   [2]int // range in analysis.callees
	work      uint64 // fuel of every instruction once
	slots     uint64 // parameters and locals; a vector takes two
	unbounded bool   // has a loop, an indirect call, or a bulk instruction
	guarded   bool   // every call enters a padded loop before it calls anything

	uncaught       [2]int // range in analysis.uncaught
	throwsUncaught bool   // has a throw that it does not catch itself
	throws         bool   // may end with an exception, its own or another's; see exceptions.go

	locals  uint32 // parameters and locals
	scratch scratch

	recursive bool // may call itself, directly or through others; see graph.go
	bounded   bool // always ends after little work; see graph.go
}

// indirectly marks an entry of analysis.callees as a type: the call may reach any function
// of that type whose address is taken.
const indirectly = 1 << 31

// An analysis walks functions once and collects the edits.
type analysis struct {
	m            *binary.Module
	imported     uint32 // functions
	rule         rule
	functions    []function
	edits        []edit
	callees      []uint32        // function indices, or types with indirectly
	tables       []uint32        // labels of the br_tables that change: count, then labels
	addressTaken map[uint32]bool // functions whose address is taken
	types        []uint32        // numbers of the types; equal types have equal numbers
	holdsImport  map[uint32]bool // numbers of the types of imports that a table may hold
	runs         runs
	masks        masks
	operands     operands
	unknown      []int // selects of the function without a type, by index in edits

	// For modules with exceptions; see exceptions.go.
	exceptions bool
	throwSites []throwSite
	uncaught   []uint32 // callees whose exceptions leave the function, as in callees
	tries      []try
	clauses    []binary.Clause // of all tries, with labels of the metered code
	throwing   []bool          // by number of a type: a function of it may be called through a table and throw
	err        error
}

// newAnalysis returns an analysis of everything but the code.
func newAnalysis(m *binary.Module, r rule) *analysis {
	size := codeBytes(m)
	a := &analysis{
		m: m, rule: r, imported: uint32(m.Imported(binary.FunctionKind)), addressTaken: map[uint32]bool{},
		functions: make([]function, len(m.Code)), edits: make([]edit, 0, size/16), callees: make([]uint32, 0, size/64),
		runs:       runs{list: make([]run, 0, 256), frames: make([]frame, 0, 32)},
		exceptions: len(m.Tags) > 0 || m.Uses(binary.TryTable) || m.Uses(binary.ThrowRef),
	}
	a.addresses()
	a.operands.start(m)
	return a
}

// function analyses the i-th defined function.
func (a *analysis) function(i int) {
	f := &a.functions[i]
	f.edits[0], f.callees[0], f.uncaught[0] = len(a.edits), len(a.callees), len(a.uncaught)
	f.locals, f.slots = locals(a.m, i)
	a.runs.reset(a, f)
	a.masks.reset(len(a.m.Types[a.m.Functions[i]].Params))
	a.unknown = a.unknown[:0]
	it := a.m.Code[i].Instructions() // declared outside of the loop: its head would copy it each round
	for it.Next() {
		if a.masks.suspect(&it) {
			a.insert(orZero, it.Start, uint32(it.Op))
		}
		cost := Cost(it.Op)
		if it.Op < binary.Call && it.Op != binary.Nop || it.Op == binary.TryTable {
			a.control(f, &it, cost)
		} else {
			cost += a.otherOp(f, &it)
			a.runs.spend(cost)
		}
		f.work += cost
		a.masks.advance(&it)
	}
	a.runs.assignCharges()
	a.resolve(f, i)
	a.dropEmptyEdits(f)
	f.edits[1], f.callees[1], f.uncaught[1] = len(a.edits), len(a.callees), len(a.uncaught)
}

// dropEmptyEdits drops the edits that do nothing, except for the first: the entry of the
// function.
func (a *analysis) dropEmptyEdits(f *function) {
	rest := f.edits[0] + 1
	kept := a.edits[:rest]
	for k := rest; k < len(a.edits); k++ {
		if a.edits[k].kind != none {
			kept = append(kept, a.edits[k])
		}
	}
	a.edits = kept
}

// control handles the start or end of a block, or a jump, of a cost.
func (a *analysis) control(f *function, it *binary.Instructions, cost uint64) {
	switch it.Op {
	case binary.Loop: // each round costs; see runs.open
		f.unbounded = true
		a.runs.open(it)
		return
	case binary.Else:
		a.runs.elseArm(it)
		return
	case binary.End:
		a.runs.close(it)
		return
	}
	a.runs.spend(cost)
	switch it.Op {
	case binary.Block, binary.If:
		a.runs.open(it)
	case binary.TryTable:
		a.runs.openTry(it)
	case binary.Throw, binary.ThrowRef:
		a.runs.throw(it)
	default:
		a.runs.jump(it)
	}
}

// otherOp handles all other instructions. It returns the known part of their additional cost.
func (a *analysis) otherOp(f *function, it *binary.Instructions) (cost uint64) {
	switch it.Op {
	case binary.Call, binary.CallIndirect, binary.RefFunc:
		cost = a.reference(f, it)
		if a.exceptions && it.Op != binary.RefFunc {
			a.runs.called(it)
		}
	case binary.Select, binary.SelectT:
		a.selectInstruction(f, it)
	case binary.MemoryGrow:
		f.unbounded = true
		a.replace(grow, it, 0)
	default:
		if miscompiled(it.Op) {
			a.rewrite(f, it)
		}
		if it.Op>>8 == 0xfc {
			cost = a.bulk(f, it)
		}
	}
	return cost
}

// reference records a call or ref.func, and returns the additional cost of the call.
func (a *analysis) reference(f *function, it *binary.Instructions) uint64 {
	if it.Op == binary.CallIndirect {
		f.unbounded = true
		a.callees = append(a.callees, it.Index|indirectly)
		return a.importCharge(it)
	}
	a.replace(renumber, it, it.Index)
	switch {
	case it.Op == binary.RefFunc:
		a.addressTaken[it.Index] = true
	case it.Index < a.imported:
		return a.importCharge(it)
	default:
		a.callees = append(a.callees, it.Index)
	}
	return 0
}

// importCharge returns the additional cost of a call that may reach an import.
func (a *analysis) importCharge(it *binary.Instructions) uint64 {
	if it.Op == binary.Call && it.Index < a.imported || it.Op == binary.CallIndirect && a.holdsImport[a.types[it.Index]] {
		return importCost
	}
	return 0
}

// replace records an edit in place of an instruction.
func (a *analysis) replace(k kind, it *binary.Instructions, arg uint32) {
	a.edits = append(a.edits, edit{kind: k, at: uint32(it.Start), end: uint32(it.End), arg: arg})
}

// insert records an edit between two instructions.
func (a *analysis) insert(k kind, at int, arg uint32) {
	a.edits = append(a.edits, edit{kind: k, at: uint32(at), end: uint32(at), arg: arg})
}

// bulk records a bulk instruction. It returns the additional cost if the length is a small
// constant; otherwise the metered code charges for the length.
func (a *analysis) bulk(f *function, it *binary.Instructions) uint64 {
	kind, is := bulkOps[it.Op]
	if !is {
		return 0
	}
	if n, ok := binary.ConstExpr(it.Code(a.masks.start, it.Start)).I32(); ok && n >= 0 && n <= shortBulk {
		return uint64(n)
	}
	f.unbounded = true
	a.insert(kind, it.Start, 0)
	return 0
}

// bulkOps are the instructions that are charged by length.
var bulkOps = map[binary.Op]kind{
	binary.MemoryInit: chargeByteLength, binary.MemoryCopy: chargeByteLength, binary.MemoryFill: chargeByteLength,
	binary.TableInit: chargeEntryLength, binary.TableCopy: chargeEntryLength, binary.TableFill: chargeEntryLength, binary.TableGrow: chargeEntryLength,
}

// shortBulk is the greatest constant length that is charged with the code around it.
const shortBulk = 1024

// locals returns the number of parameters and locals of the i-th defined function, and the
// number of 8-byte slots that they take.
func locals(m *binary.Module, i int) (n uint32, slots uint64) {
	count := func(more uint32, t binary.ValType) {
		n, slots = n+more, slots+uint64(more)
		if t == binary.V128 {
			slots += uint64(more)
		}
	}
	for _, p := range m.Types[m.Functions[i]].Params {
		count(1, p)
	}
	for _, l := range m.Code[i].Locals {
		count(l.Count, l.Type)
	}
	return n, slots
}

// addresses collects the functions in tables and globals, and the types of the imports
// among them.
func (a *analysis) addresses() {
	note := func(e binary.ConstExpr) {
		if it := e.Instruction(); it.Op == binary.RefFunc {
			a.addressTaken[it.Index] = true
		}
	}
	for i := range a.m.Elements {
		for _, f := range a.m.Elements[i].Functions {
			a.addressTaken[f] = true
		}
		for _, e := range a.m.Elements[i].Exprs {
			note(e)
		}
	}
	for _, g := range a.m.Globals {
		note(g.Init)
	}
	a.types, _ = typeNumbers(a.m.Types)
	a.holdsImport = map[uint32]bool{}
	function := uint32(0)
	for _, i := range a.m.Imports {
		if i.Kind != binary.FunctionKind {
			continue
		}
		// The code is not analysed yet, so any ref.func may name it.
		if a.addressTaken[function] || a.m.Uses(binary.RefFunc) {
			a.holdsImport[a.types[i.Type]] = true
		}
		function++
	}
}
