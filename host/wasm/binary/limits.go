package binary

import (
	"reflect"
	"strconv"
)

// Limits bound the modules that Read accepts. A zero field means its default, by its tag; the zero value is
// for untrusted modules. CPython 3.12 compiled without optimisation, the largest real module examined, is below half of each
// default except FileBytes. Within the defaults, a function compiles in a few seconds.
type Limits struct {
	FileBytes       uint64 `default:"16_777_216"` // the whole module
	Types           uint64 `default:"10_000"`     // function types
	Params          uint64 `default:"1_000"`      // parameters of one type
	Results         uint64 `default:"1_000"`      // results of one type
	TypeValues      uint64 `default:"100_000"`    // parameters and results of all types together
	Imports         uint64 `default:"256"`
	Exports         uint64 `default:"10_000"`
	NameBytes       uint64 `default:"1_000"` // of one name of an import or export
	Customs         uint64 `default:"1_000"` // custom sections
	DataSegments    uint64 `default:"100_000"`
	ElementSegments uint64 `default:"10_000"`    // element segments
	Elements        uint64 `default:"100_000"`   // entries of all element segments together, which every new instance writes
	Functions       uint64 `default:"50_000"`    // defined functions
	BodyBytes       uint64 `default:"524_288"`   // code of one function
	Locals          uint64 `default:"1_000"`     // locals of one function, parameters included
	Nesting         uint64 `default:"2_000"`     // blocks, loops and ifs within each other
	BranchTable     uint64 `default:"4_096"`     // labels of one br_table
	BranchTables    uint64 `default:"16_384"`    // labels of all br_tables of one function
	Branches        uint64 `default:"8_000"`     // blocks, loops, ifs, elses, br_ifs, br_tables and fills of one function
	Loops           uint64 `default:"2_000"`     // loops of one function, and memory.fill and table.fill, which are compiled to loops
	LoopNesting     uint64 `default:"200"`       // loops within each other
	LocalsByBranch  uint64 `default:"1_000_000"` // locals times branches of one function
	LocalsByLoop    uint64 `default:"200_000"`   // locals times loops of one function
	Values          uint64 `default:"300_000"`   // values that the calls, blocks and jumps of one function hand on, 15 for each indirect call and copy of memory or a table
	Tables          uint64 `default:"16"`
	TableEntries    uint64 `default:"100_000"` // least sizes of all tables together
	Globals         uint64 `default:"10_000"`
	Tags            uint64 `default:"100"`   // of exceptions
	MemoryPages     uint64 `default:"1_024"` // least size of the memory, in pages of 64 KiB

	ImportMemory bool // accept an imported memory; the host never does
	ImportTable  bool // accept an imported table; the host never does

	// Exceptions accepts tags, try_table, throw and throw_ref. The host accepts them from
	// interpreters with a known digest, never from a plugin. Package meter removes them.
	Exceptions bool
}

// WithDefaults returns the limits with every zero field replaced by its default.
func (l Limits) WithDefaults() Limits {
	of := reflect.ValueOf(&l).Elem()
	for i := range of.NumField() {
		if text, has := of.Type().Field(i).Tag.Lookup("default"); has && of.Field(i).IsZero() {
			n, _ := strconv.ParseUint(text, 0, 64)
			of.Field(i).SetUint(n)
		}
	}
	return l
}

// limitFields are the numbers of the fields of Limits, by name.
var limitFields = func() map[string]int {
	m := map[string]int{}
	for i, t := 0, reflect.TypeFor[Limits](); i < t.NumField(); i++ {
		m[t.Field(i).Name] = i
	}
	return m
}()

// bounds are the limits of a module, and what it needs of them.
type bounds struct{ max, needs Limits }

// need notes that a module needs n of a limit, a field of Limits, and returns the limit.
func (b *bounds) need(limit string, n uint64) (max uint64) {
	i := limitFields[limit]
	if f := reflect.ValueOf(&b.needs).Elem().Field(i); n > f.Uint() {
		f.SetUint(n)
	}
	return reflect.ValueOf(&b.max).Elem().Field(i).Uint()
}
