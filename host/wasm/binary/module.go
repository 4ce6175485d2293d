package binary

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Module is a decoded module. Byte slices in it share memory with the bytes
// that were read: neither may be changed. The zero value is an empty module.
type Module struct {
	Types     []FuncType
	Imports   []Import
	Functions []uint32 // type index of each defined function
	Tables    []Table
	Memories  []Size   // in pages of 64 KiB
	Tags      []uint32 // type index of each tag of exceptions
	Globals   []Global
	Exports   []Export
	Start     *uint32
	Elements  []Element
	DataCount *uint32
	Code      []Body // one for each entry of Functions
	Data      []Data
	Customs   []Custom

	// Needs are the least limits with which Read accepts the module; zero fields, if it was not read.
	Needs Limits

	uses [512]bool // by Op.slot
}

// A FuncType is the type of a function.
type FuncType struct {
	Params  []ValType
	Results []ValType
}

// A ValType is the type of a value, as the binary format encodes it.
type ValType byte

// The value types.
const (
	I32       ValType = 0x7f
	I64       ValType = 0x7e
	F32       ValType = 0x7d
	F64       ValType = 0x7c
	V128      ValType = 0x7b
	FuncRef   ValType = 0x70
	ExternRef ValType = 0x6f
	ExnRef    ValType = 0x69 // only with Limits.Exceptions, and not in tables, globals and select
)

func (t ValType) valid() bool { return t >= V128 && t <= I32 || t.reference() }

func (t ValType) reference() bool { return t == FuncRef || t == ExternRef }

// A Kind is the kind of an import or export.
type Kind byte

// The kinds.
const (
	FunctionKind Kind = iota
	TableKind
	MemoryKind
	GlobalKind
)

// An Import is an entity that the host must provide. Which field describes it
// depends on Kind.
type Import struct {
	Module string
	Name   string
	Kind   Kind
	Type   uint32     // of a function
	Table  Table      // of a table
	Memory Size       // of a memory, in pages
	Global GlobalType // of a global
}

// A Table is the type of a table.
type Table struct {
	Of   ValType // FuncRef or ExternRef
	Size Size    // in entries
}

// A Size is a least and, if HasMax, a greatest size.
type Size struct {
	Min    uint32
	Max    uint32 // meaningless unless HasMax
	HasMax bool
}

// A GlobalType is the type of a global.
type GlobalType struct {
	Type    ValType
	Mutable bool
}

// A Global is a defined global.
type Global struct {
	GlobalType
	Init ConstExpr
}

// An Export makes something visible to the host under a name.
type Export struct {
	Name  string
	Kind  Kind
	Index uint32
}

// A Mode says when a segment is written.
type Mode byte

// The modes.
const (
	Active      Mode = iota // at instantiation
	Passive                 // by an instruction
	Declarative             // never: the segment only declares functions
)

// An Element is an element segment. Either Functions or Exprs holds its
// entries, as the module has them.
type Element struct {
	Mode      Mode
	Table     uint32 // of an active segment
	Offset    ConstExpr
	Type      ValType
	Functions []uint32
	Exprs     []ConstExpr
	flags     uint32 // form in the binary format
}

// A Data is a data segment.
type Data struct {
	Mode   Mode
	Memory uint32 // of an active segment
	Offset ConstExpr
	Bytes  []byte
	flags  uint32 // form in the binary format
}

// A Custom is a custom section.
type Custom struct {
	Name  string
	Bytes []byte
	After byte // id of the section that it follows; 0 at the front
}

// Custom returns the bytes of the first custom section of that name, or nil.
// An empty section is not nil.
func (m *Module) Custom(name string) []byte {
	if c := xslices.Find(m.Customs, func(c *Custom) bool { return c.Name == name }); c != nil {
		return slices.Clip(c.Bytes)
	}
	return nil
}

// Imported returns the number of imports of a kind, which is the index of the first defined one.
func (m *Module) Imported(k Kind) int {
	return xslices.Count(m.Imports, func(i Import) bool { return i.Kind == k })
}

// Count returns the number of a kind, imports included.
func (m *Module) Count(k Kind) int {
	n := m.Imported(k)
	switch k {
	case FunctionKind:
		n += len(m.Functions)
	case TableKind:
		n += len(m.Tables)
	case MemoryKind:
		n += len(m.Memories)
	case GlobalKind:
		n += len(m.Globals)
	}
	return n
}

// FunctionType returns the type of a function by its index, imported ones
// first. It reports false without such a function.
func (m *Module) FunctionType(index uint32) (FuncType, bool) {
	for i := range m.Imports {
		if m.Imports[i].Kind != FunctionKind {
			continue
		}
		if index == 0 {
			return m.typeAt(m.Imports[i].Type)
		}
		index--
	}
	if uint64(index) >= uint64(len(m.Functions)) {
		return FuncType{}, false
	}
	return m.typeAt(m.Functions[index])
}

func (m *Module) typeAt(index uint32) (FuncType, bool) {
	if uint64(index) >= uint64(len(m.Types)) {
		return FuncType{}, false
	}
	return m.Types[index], true
}

// BlockSignature returns the parameters and results of a block type. They must not be changed.
func (m *Module) BlockSignature(t BlockType) (params, results []ValType) {
	if t >= 0 {
		return m.Types[t].Params, m.Types[t].Results
	}
	if r, one := t.Result(); one {
		return nil, single[r][:]
	}
	return nil, nil
}

// single has a list of one for each type.
var single = func() (s [256][1]ValType) {
	for t := range s {
		s[t][0] = ValType(t)
	}
	return s
}()

// AppendLocals appends the types of the locals of the i-th defined function,
// parameters included, to dst.
func (m *Module) AppendLocals(dst []ValType, i int) []ValType {
	dst = append(dst, m.Types[m.Functions[i]].Params...)
	for _, l := range m.Code[i].Locals {
		for range l.Count {
			dst = append(dst, l.Type)
		}
	}
	return dst
}

// Export returns the export of that name.
func (m *Module) Export(name string) (Export, bool) {
	for _, e := range m.Exports {
		if e.Name == name {
			return e, true
		}
	}
	return Export{}, false
}

// Uses reports whether an instruction occurs in the code. For a SIMD instruction, it reports whether
// any occurs.
func (m *Module) Uses(op Op) bool { return m.uses[op.slot()] }

// PassiveData returns a passive data segment.
func PassiveData(b []byte) Data { return Data{Mode: Passive, Bytes: b, flags: 1} }
