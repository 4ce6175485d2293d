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
	exits      []exit
	escapes    []uint32 // callees whose exceptions leave the function, as in callees
	tries      []try
	clauses    []binary.Clause // of all tries, with labels of the metered code
	throwing   []bool          // by number of a type: a function of it may be called through a table and throw
	trouble    error
}

// newAnalysis returns an analysis that has seen all but the code.
func newAnalysis(m *binary.Module, r rule) *analysis {
	size := codeBytes(m)
	a := &analysis{
		m: m, rule: r, imported: uint32(m.Imported(binary.FunctionKind)), taken: map[uint32]bool{},
		functions: make([]function, len(m.Code)), edits: make([]edit, 0, size/16), callees: make([]uint32, 0, size/64),
		runs:       runs{list: make([]run, 0, 256), frames: make([]frame, 0, 32)},
		exceptions: len(m.Tags) > 0 || m.Uses(binary.TryTable) || m.Uses(binary.ThrowRef),
	}
	a.addresses()
	a.selects.operands.start(m)
	return a
}

// function analyses the i-th defined function.
func (a *analysis) function(i int) {
	f := &a.functions[i]
	f.edits[0], f.callees[0], f.escapes[0] = len(a.edits), len(a.callees), len(a.escapes)
	f.locals, f.slots = locals(a.m, i)
	a.runs.reset(a, f)
	a.masks.reset(len(a.m.Types[a.m.Functions[i]].Params))
	a.selects.reset(i)
	spent := uint64(0)               // on plain instructions since the last one that is not
	it := a.m.Code[i].Instructions() // not in the loop's head, which would copy it each time
	for it.Next() {
		t := &opcodes[min(it.Op, groups)]
		if t.is&a.masks.watch != 0 && a.masks.look(&it, t.is) {
			a.insert(hide, it.Start, uint32(it.Op))
		}
		if t.is&plain != 0 {
			spent += uint64(t.cost)
		} else {
			a.runs.spend(spent)
			f.work += spent
			spent = 0
			if t.is&control != 0 {
				f.work += uint64(t.cost)
				a.control(f, &it, uint64(t.cost))
			} else {
				f.work += a.special(f, &it)
			}
		}
		a.masks.past(&it)
	}
	a.runs.settle()
	a.resolve(f, i)
	a.shorten(f)
	f.edits[1], f.callees[1], f.escapes[1] = len(a.edits), len(a.callees), len(a.escapes)
}

// shorten drops the edits of a function that do nothing, but for the first one, which
// is of its entry.
func (a *analysis) shorten(f *function) {
	rest := f.edits[0] + 1
	kept := a.edits[:rest]
	for k := rest; k < len(a.edits); k++ {
		if a.edits[k].kind != none {
			kept = append(kept, a.edits[k])
		}
	}
	a.edits = kept
}

// A trait is what sets opcodes apart.
type trait byte

const (
	plain    trait = 1 << iota // only costs its place in the table
	control                    // a block's start or end, or a jump
	ands                       // makes masks; see wazero112_masks.go
	keeps                      // writes to a local
	compares                   // two integers, and tells its sides apart
)

// An opcode is what the analysis knows of one.
type opcode struct {
	cost uint16
	is   trait
}

// groups is the place in opcodes of all that take more than a byte.
const groups = 0x100

// opcodes are those of one byte.
var opcodes = func() (t [groups + 1]opcode) {
	for op := range binary.Op(groups) {
		switch {
		case miscompiled(op), op == binary.Select, op == binary.SelectT, op == binary.MemoryGrow, op == binary.RefFunc:
		case op == binary.TryTable, op < binary.Call && op != binary.Nop:
			t[op].is = control
		case op >= 0x1a && op < 0xfc:
			t[op].is = plain
		}
		t[op].cost = uint16(Cost(op))
		t[op].is |= maskTraits(op)
	}
	return t
}()

// control deals with the start or end of a block, and with a jump, of this cost.
func (a *analysis) control(f *function, it *binary.Instructions, cost uint64) {
	if it.Op != binary.BrIf { // what it does not take stays where it is
		a.selects.stretch = it.End
	}
	switch it.Op {
	case binary.Loop: // each round costs; see runs.open
		f.endless = true
		a.runs.open(it)
		return
	case binary.Else:
		a.runs.arm(it)
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

// special deals with any other instruction that is not plain. It returns what the
// instruction costs, as far as that is known.
func (a *analysis) special(f *function, it *binary.Instructions) uint64 {
	cost := Cost(it.Op)
	switch it.Op {
	case binary.Call, binary.CallIndirect, binary.RefFunc:
		cost += a.reference(f, it)
		if a.exceptions && it.Op != binary.RefFunc {
			a.runs.called(it)
		}
	case binary.Select, binary.SelectT:
		a.choose(f, it)
	case binary.MemoryGrow:
		f.endless = true
		a.replace(grow, it, 0)
	default:
		if miscompiled(it.Op) {
			a.rewrite(f, it)
		}
		if it.Op>>8 == 0xfc {
			cost += a.bulk(f, it)
		}
	}
	a.runs.spend(cost)
	return cost
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
func (a *analysis) insert(k kind, at int, arg uint32) {
	a.edits = append(a.edits, edit{kind: k, at: uint32(at), end: uint32(at), arg: arg})
}

// bulk notes a bulk instruction. It returns what the instruction costs beside
// its place in the table, if that is known beforehand.
func (a *analysis) bulk(f *function, it *binary.Instructions) uint64 {
	kind, is := bulkOps[it.Op]
	if !is {
		return 0
	}
	if n, ok := binary.ConstExpr(it.Code(a.masks.start, it.Start)).I32(); ok && n >= 0 && n <= shortBulk {
		return uint64(n)
	}
	f.endless = true
	a.insert(kind, it.Start, 0)
	return 0
}

// bulkOps says which instructions are charged by length, and how.
var bulkOps = map[binary.Op]kind{
	binary.MemoryInit: perByte, binary.MemoryCopy: perByte, binary.MemoryFill: perByte,
	binary.TableInit: perEntry, binary.TableCopy: perEntry, binary.TableFill: perEntry, binary.TableGrow: perEntry,
}

// shortBulk is the greatest length that is charged with the code around it,
// where an i32.const just before says what the length is.
const shortBulk = 1024

// locals returns how many parameters and locals the i-th defined function has, and
// how many values of 8 bytes they take.
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
