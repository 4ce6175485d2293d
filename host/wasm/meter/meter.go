package meter

import (
	"cmp"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// Names that the metered module imports from, or exports to, the host. A module
// that uses the prefix itself is refused.
const (
	Reserved     = "rubric-host."       // prefix of every name below
	RefillModule = Reserved + "meter"   // module of the one import
	RefillName   = "refill"             // (fuel i64) -> (fuel i64): from the fuel left, below zero, to that after the refill
	FuelName     = Reserved + "fuel"    // exported global: i64, fuel that is left of the slice
	DepthName    = Reserved + "depth"   // exported global: i32, calls that may still nest
	StartName    = Reserved + "start"   // exported function: the start function, with Options.Unstarted
	DeniedName   = Reserved + "denied"  // exported global: i32, 1 once memory.grow failed; only where memory grows
	ThrownName   = Reserved + "thrown"  // exported global: i32, not 0 if a call ended with an uncaught exception; only where there are exceptions
	WholeName    = Reserved + "whole"   // exported function () -> i64, with Options.Stub: WholeMark in Result.Module, 0 in Result.Stub
	globalPrefix = Reserved + "global." // exported globals of the module itself, by index
)

// Options say how Rewrite meters. The zero value works.
type Options struct {
	// MemoryPages is the most memory, in pages of 64 KiB. Zero means 1,024.
	MemoryPages uint32

	// TableEntries is the greatest size of each table. Zero means 100,000.
	TableEntries uint32

	// Depth is the value that DepthName starts with. Zero means DefaultDepth.
	Depth int32

	// ExportGlobals exports every mutable global of the module under a
	// reserved name, so that the host can restore its value.
	ExportGlobals bool

	// Unstarted leaves initialisation to the host: it writes Result.Data into the memory,
	// then calls StartName. An instance that is made from an image needs neither.
	Unstarted bool

	// Without names exported functions that are never called, sorted. If what only they reach is a
	// quarter of the code, it traps: it is type-checked, and most of the time to compile it is saved.
	// Code and fuel of the rest do not change.
	Without []string

	// Stub, if not zero, requests Result.Stub. It is a digest of everything that the metered
	// module depends on; WholeMark follows from it.
	Stub [32]byte

	// PartStub is used in place of Stub if functions were left out.
	PartStub [32]byte

	rule rule // zero: that of TableVersion
}

// DefaultDepth is the depth that Options start with.
const DefaultDepth = 10_000

// A Result is a metered module.
type Result struct {
	Module  []byte
	Stub    []byte        // Module with functions that do nothing: enough to load machine code of Module
	Globals []string      // names under which Options.ExportGlobals exported
	Part    bool          // functions were left out, for Options.Without
	Throws  bool          // a call may end with an exception; ThrownName is exported
	Grows   bool          // the module can grow its memory; DeniedName is exported
	Data    []binary.Data // with Options.Unstarted: the initial content of the memory, in this order; each Offset is a constant
}

// A rule is a charging rule.
type rule struct {
	advance    uint64 // percent of its own cost that a run may pay in advance for others
	everywhere bool   // check the fuel at every charge, not only where code may repeat
}

var ruleOfTable = rule{advance: 100}

// Rewrite returns the metered form of m, which it does not change. The module must come
// from binary.Read. An error has class fault.Refused.
func Rewrite(m *binary.Module, o Options) (*Result, error) {
	o.MemoryPages = cmp.Or(o.MemoryPages, 1_024)
	o.TableEntries = cmp.Or(o.TableEntries, 100_000)
	o.Depth = cmp.Or(o.Depth, DefaultDepth)
	if o.rule == (rule{}) {
		o.rule = ruleOfTable
	}
	if err := check(m, o); err != nil {
		return nil, err
	}
	a := newAnalysis(m, o.rule)
	for i := range m.Code {
		a.function(i)
	}
	if a.err != nil {
		return nil, a.err
	}
	a.classify()
	w := newWriter(a, o)
	if len(o.Without) > 0 {
		if w.reached = a.reached(o.Without); w.reached != nil {
			w.o.Stub = o.PartStub
		}
	}
	return w.module(), nil
}

// check refuses modules that metering cannot bound.
func check(m *binary.Module, o Options) error {
	for _, i := range m.Imports {
		if strings.HasPrefix(i.Module, Reserved) {
			return fault.New(fault.Refused, "import %q %q: the prefix %q belongs to the host", i.Module, i.Name, Reserved)
		}
	}
	for _, e := range m.Exports {
		if strings.HasPrefix(e.Name, Reserved) {
			return fault.New(fault.Refused, "export %q: the prefix %q belongs to the host", e.Name, Reserved)
		}
	}
	for _, mem := range m.Memories {
		if mem.Min > o.MemoryPages {
			return fault.New(fault.Refused, "the module asks for %d pages of memory to begin with, %d allowed", mem.Min, o.MemoryPages)
		}
	}
	for _, t := range m.Tables {
		if t.Size.Min > o.TableEntries {
			return fault.New(fault.Refused, "the module asks for a table of %d entries, %d allowed", t.Size.Min, o.TableEntries)
		}
	}
	return checkTags(m)
}
