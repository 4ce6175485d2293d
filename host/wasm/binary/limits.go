package binary

import "reflect"

// Limits bound the modules that Read accepts. A zero field means its default; the zero value is
// for untrusted modules. CPython 3.12 compiled without optimisation, the largest real module examined, is below half of each
// default except FileBytes. Within the defaults, a function compiles in a few seconds.
type Limits struct {
	FileBytes       uint64 // the whole module; default 16 MiB
	Types           uint64 // function types; default 10,000
	Params          uint64 // parameters of one type; default 1,000
	Results         uint64 // results of one type; default 1,000
	TypeValues      uint64 // parameters and results of all types together; default 100,000
	Imports         uint64 // default 256
	Exports         uint64 // default 10,000
	NameBytes       uint64 // of one name of an import or export; default 1,000
	Customs         uint64 // custom sections; default 1,000
	DataSegments    uint64 // default 100,000
	ElementSegments uint64 // element segments; default 10,000
	Elements        uint64 // entries of all element segments together, which every new instance writes; default 100,000
	Functions       uint64 // defined functions; default 50,000
	BodyBytes       uint64 // code of one function; default 512 KiB
	Locals          uint64 // locals of one function, parameters included; default 1,000
	Nesting         uint64 // blocks, loops and ifs within each other; default 2,000
	BranchTable     uint64 // labels of one br_table; default 4,096
	BranchTables    uint64 // labels of all br_tables of one function; default 16,384
	Branches        uint64 // blocks, loops, ifs, elses, br_ifs, br_tables and fills of one function; default 8,000
	Loops           uint64 // loops of one function, and memory.fill and table.fill, which are compiled to loops; default 2,000
	LoopNesting     uint64 // loops within each other; default 200
	LocalsByBranch  uint64 // locals times branches of one function; default 1,000,000
	LocalsByLoop    uint64 // locals times loops of one function; default 200,000
	Values          uint64 // values that the calls, blocks and jumps of one function hand on, 15 for each indirect call and copy of memory or a table; default 300,000
	Tables          uint64 // default 16
	TableEntries    uint64 // least sizes of all tables together; default 100,000
	Globals         uint64 // default 10,000
	Tags            uint64 // of exceptions; default 100
	MemoryPages     uint64 // least size of the memory, in pages of 64 KiB; default 1,024

	ImportMemory bool // accept an imported memory; the host never does
	ImportTable  bool // accept an imported table; the host never does

	// Exceptions accepts tags, try_table, throw and throw_ref. The host accepts them from
	// interpreters with a known digest, never from a plugin. Package meter removes them.
	Exceptions bool
}

var limitDefaults = Limits{
	FileBytes:       16 << 20,
	Types:           10_000,
	Params:          1_000,
	Results:         1_000,
	TypeValues:      100_000,
	Imports:         256,
	Exports:         10_000,
	NameBytes:       1_000,
	Customs:         1_000,
	DataSegments:    100_000,
	ElementSegments: 10_000,
	Elements:        100_000,
	Functions:       50_000,
	BodyBytes:       512 << 10,
	Locals:          1_000,
	Nesting:         2_000,
	BranchTable:     4_096,
	BranchTables:    16_384,
	Branches:        8_000,
	Loops:           2_000,
	LoopNesting:     200,
	LocalsByBranch:  1_000_000,
	LocalsByLoop:    200_000,
	Values:          300_000,
	Tables:          16,
	TableEntries:    100_000,
	Globals:         10_000,
	Tags:            100,
	MemoryPages:     1_024,
}

// WithDefaults returns the limits with every zero field replaced by its default.
func (l Limits) WithDefaults() Limits {
	of, defaults := reflect.ValueOf(&l).Elem(), reflect.ValueOf(limitDefaults)
	for i := range of.NumField() {
		if of.Field(i).IsZero() {
			of.Field(i).Set(defaults.Field(i))
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
