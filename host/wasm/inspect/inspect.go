// Package inspect reports the contents of a module, its cost, and its distance from the limits of
// modules. Nothing is run.
//
// Stability: experimental.
package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Report describes the contents and the cost of a module. Names in it are the module's own:
// untrusted text.
type Report struct {
	Digest  string   `json:"digest"`
	ABI     string   `json:"abi"` // direct, extism, command, script or unknown
	Loads   bool     `json:"loads"`
	Why     string   `json:"why,omitzero"`     // why it does not load
	Scorers []string `json:"scorers,omitzero"` // names of the scorers
	Exports []Extern `json:"exports"`
	Imports []Extern `json:"imports"`
	Sizes   Sizes    `json:"sizes"`
	Memory  Memory   `json:"memory"`

	// Limits are all limits of modules, the nearest one first.
	Limits []Usage `json:"limits"`
	Cost   Cost    `json:"cost"`

	// Script describes a script, nil for other modules. Memory, limits and cost of the
	// report are then those of its form as a module without code, not of its interpreter.
	Script *Script `json:"script,omitzero"`
}

// A Script describes the contents of a script.
type Script struct {
	Language    string `json:"language"`             // a name of script.Languages, or an unknown one
	Interpreter string `json:"interpreter"`          // "sha256:<hex>" of the module that runs it
	Entry       string `json:"entry"`                // the file with the functions that score
	Files       []File `json:"files"`                // by name, with the modules that it imports
	Peer        bool   `json:"peer"`                 // a call may ask a second instance of the script
	FrontBytes  int    `json:"front_bytes,omitzero"` // of the module that is asked before the script; 0: none
}

// A File is a file that travels with a script.
type File struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

func scriptOf(s *script.Script, front []byte) *Script {
	out := &Script{Language: s.Language, Interpreter: s.Interpreter, Entry: s.Entry, Peer: s.Peer, FrontBytes: len(front)}
	for _, name := range s.Paths() {
		out.Files = append(out.Files, File{Name: name, Bytes: len(s.Files[name])})
	}
	return out
}

// An Extern is an import or an export.
type Extern struct {
	Module string `json:"module,omitzero"` // of an import
	Name   string `json:"name"`
	Kind   string `json:"kind"` // function, table, memory or global
	Type   string `json:"type"`
}

// Sizes count the parts of a module. Bytes are those of its file.
type Sizes struct {
	Bytes        int `json:"bytes"`
	Functions    int `json:"functions"`
	Instructions int `json:"instructions"`
	CodeBytes    int `json:"code_bytes"`
	DataBytes    int `json:"data_bytes"`
	CustomBytes  int `json:"custom_bytes"`
}

// Memory is the linear memory of a module, in pages of 64 KiB.
type Memory struct {
	MinPages uint32  `json:"min_pages"`
	MaxPages *uint32 `json:"max_pages"` // nil: as much as the host allows
	Grows    bool    `json:"grows"`     // an instruction may ask for more
}

// A Usage compares a module with a limit of binary.Limits.
type Usage struct {
	Name  string  `json:"name"`
	Value uint64  `json:"value"`
	Limit uint64  `json:"limit"`
	Share float64 `json:"share"` // Value of Limit, in [0, 1]
	Near  bool    `json:"near"`  // at least half
}

// Cost is the cost to load a module and to call it, beside its own work. Times are estimates.
type Cost struct {
	MeteredBytes  int  `json:"metered_bytes"` // with its fuel counters
	CompileMillis int  `json:"compile_ms"`    // of the first load, estimated
	InstanceBytes int  `json:"instance_bytes"`
	Keeps         bool `json:"keeps_instances"` // instances are restored and reused; if not, each call starts one
}

// compileNanos is the time to load a byte of code with wazero 1.12. The built-in plugins take 500
// to 640 ns on two cores of a server of 2023.
const compileNanos = 570

// Module reads, validates and meters a module, as for loading, and reports on it. The module does
// not run. An error of class fault.Refused is the reason why it cannot be loaded; RefusalOf has
// the details.
func Module(module []byte, l wasm.Limits) (*Report, error) {
	l = l.WithDefaults()
	m, err := binary.Read(module, l.Module)
	if err != nil {
		return nil, err
	}
	if err := wasm.Validate(context.Background(), module); err != nil {
		return nil, fault.As(fault.Refused, err)
	}
	metered, err := meter.Rewrite(m, meter.Options{MemoryPages: l.MemoryPages, TableEntries: uint32(l.Module.TableEntries), Depth: l.Depth})
	if err != nil {
		return nil, err
	}
	in := &Report{
		Digest: digest.Of(module), ABI: string(wasm.ABIOf(m)), Loads: true, Scorers: wasm.ScorersOf(m),
		Exports: exportsOf(m), Imports: importsOf(m), Memory: memoryOf(m), Sizes: Sizes{Bytes: len(module), Functions: len(m.Functions)},
	}
	in.ABI = cmp.Or(in.ABI, "unknown")
	if script.Is(module) {
		s, err := script.Read(module)
		if err != nil {
			return nil, err
		}
		front, _ := binary.CustomSection(module, script.FrontSection)
		in.ABI, in.Scorers, in.Script = string(wasm.Scripted), s.Functions(), scriptOf(s, front)
	} else if err := wasm.Check(m); fault.Is(err, fault.Refused) {
		return nil, fault.WithHint(fault.As(fault.Refused, &binary.Refusal{Section: "import", Message: err.Error()}), "%s", fault.Hint(err))
	} else if err != nil {
		in.Loads, in.Why = false, err.Error()
	}
	for i := range m.Code {
		in.Sizes.CodeBytes += len(m.Code[i].Code)
		for it := m.Code[i].Instructions(); it.Next(); {
			in.Sizes.Instructions++
		}
	}
	for i := range m.Data {
		in.Sizes.DataBytes += len(m.Data[i].Bytes)
	}
	for i := range m.Customs {
		in.Sizes.CustomBytes += len(m.Customs[i].Bytes)
	}
	in.Limits = usages(m, l.Module)
	in.Cost = Cost{
		MeteredBytes: len(metered.Module), InstanceBytes: int(in.Memory.MinPages) << 16, Keeps: wasm.Restorable(m),
		CompileMillis: 1 + in.Sizes.CodeBytes*compileNanos/1_000_000,
	}
	return in, nil
}

// usages compares what a module needs of each limit with the limit, nearest first.
func usages(m *binary.Module, l binary.Limits) []Usage {
	var out []Usage
	needs, limits := reflect.ValueOf(m.Needs), reflect.ValueOf(l)
	for i := range limits.NumField() {
		if limits.Field(i).Kind() != reflect.Uint64 {
			continue
		}
		n := Usage{Name: limits.Type().Field(i).Name, Value: needs.Field(i).Uint(), Limit: limits.Field(i).Uint()}
		n.Share = float64(n.Value) / float64(n.Limit)
		n.Near = n.Share >= 0.5
		out = append(out, n)
	}
	slices.SortStableFunc(out, func(a, b Usage) int { return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Name, b.Name)) })
	return out
}

// RefusalOf returns the place and reason of a refusal, or nil for other errors.
func RefusalOf(err error) *binary.Refusal {
	r, ok := errors.AsType[*binary.Refusal](err)
	if !ok && fault.Is(err, fault.Refused) {
		return &binary.Refusal{Section: "module", Message: err.Error()}
	}
	return r
}

func memoryOf(m *binary.Module) Memory {
	out := Memory{Grows: m.Uses(binary.MemoryGrow)}
	if len(m.Memories) > 0 {
		out.MinPages = m.Memories[0].Min
		if m.Memories[0].HasMax {
			out.MaxPages = &m.Memories[0].Max
		}
	}
	return out
}

func importsOf(m *binary.Module) []Extern {
	out := []Extern{}
	for i := range m.Imports {
		in := &m.Imports[i]
		e := Extern{Module: in.Module, Name: in.Name, Kind: kindNames[in.Kind]}
		switch in.Kind {
		case binary.FunctionKind:
			e.Type = functionText(m.Types[in.Type])
		case binary.GlobalKind:
			e.Type = globalText(in.Global)
		}
		out = append(out, e)
	}
	return out
}

var kindNames = map[binary.Kind]string{
	binary.FunctionKind: "function", binary.TableKind: "table", binary.MemoryKind: "memory", binary.GlobalKind: "global",
}

// exportsOf lists the exports of a module, in its order.
func exportsOf(m *binary.Module) []Extern {
	out := []Extern{}
	for _, x := range m.Exports {
		e := Extern{Name: x.Name, Kind: kindNames[x.Kind]}
		own := int(x.Index) - m.Imported(x.Kind) // below 0: a re-exported import
		switch {
		case x.Kind == binary.FunctionKind:
			t, _ := m.FunctionType(x.Index)
			e.Type = functionText(t)
		case own < 0:
			e.Type = "imported"
		case x.Kind == binary.TableKind:
			e.Type = typeNames[m.Tables[own].Of] + " " + sizeText(m.Tables[own].Size)
		case x.Kind == binary.MemoryKind:
			e.Type = sizeText(m.Memories[own]) + " pages"
		case x.Kind == binary.GlobalKind:
			e.Type = globalText(m.Globals[own].GlobalType)
		}
		out = append(out, e)
	}
	return out
}

func functionText(t binary.FuncType) string {
	return "(" + typeTexts(t.Params) + ") -> (" + typeTexts(t.Results) + ")"
}

func globalText(t binary.GlobalType) string {
	if t.Mutable {
		return "mutable " + typeNames[t.Type]
	}
	return typeNames[t.Type]
}

func sizeText(s binary.Size) string {
	if s.HasMax {
		return fmt.Sprintf("%d..%d", s.Min, s.Max)
	}
	return fmt.Sprintf("%d..", s.Min)
}

func typeTexts(list []binary.ValType) string {
	return strings.Join(xslices.Map(list, func(t binary.ValType) string { return typeNames[t] }), ", ")
}

var typeNames = map[binary.ValType]string{
	binary.I32: "i32", binary.I64: "i64", binary.F32: "f32", binary.F64: "f64", binary.V128: "v128",
	binary.FuncRef: "funcref", binary.ExternRef: "externref",
}
