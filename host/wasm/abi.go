package wasm

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// An ABI is a calling convention of modules.
type ABI string

// The ABIs. Imports and exports of a module tell its ABI.
const (
	Direct  ABI = "direct"  // memory, alloc, and functions from (pointer, length) to both packed
	Extism  ABI = "extism"  // imports from extism:host/env
	Command ABI = "command" // a WASI preview 1 program: _start
	Unknown ABI = ""
)

// Exports with a meaning in the direct ABI.
const (
	memoryExport     = "memory"
	allocExport      = "alloc"
	initializeExport = "_initialize"
	startExport      = "_start"
	dataExport       = "data"
)

// CommandExport is the name of the one scorer of a program. A call may use any other name.
const CommandExport = "score"

const (
	wasiModule   = "wasi_snapshot_preview1"
	extismModule = "extism:host/"
)

// Shapes of functions: a letter for each parameter, a colon, a letter for each result. i is
// i32, I is i64.
const (
	allocShape  = "i:i"
	scorerShape = "ii:I"
	dataShape   = "iiii:"
	actionShape = ":"
)

// maxName bounds a name in a message, in bytes.
const maxName = 200

// ABIOf returns the ABI of a module.
func ABIOf(m *binary.Module) ABI {
	for _, i := range m.Imports {
		if strings.HasPrefix(i.Module, extismModule) {
			return Extism
		}
	}
	switch {
	case has(m, allocExport, allocShape) && len(scorers(m)) > 0:
		return Direct
	case has(m, startExport, actionShape):
		return Command
	}
	return Unknown
}

func has(m *binary.Module, name, shape string) bool {
	e, ok := m.Export(name)
	return ok && e.Kind == binary.FunctionKind && typed(m, e.Index, shape)
}

func typed(m *binary.Module, function uint32, shape string) bool {
	t, ok := m.FunctionType(function)
	return ok && shaped(t, shape)
}

func shaped(t binary.FuncType, shape string) bool {
	params, results := typesOf[binary.ValType](shape)
	return slices.Equal(t.Params, params) && slices.Equal(t.Results, results)
}

// typesOf returns the parameters and results of a shape. Packages binary and api have the
// same numbers for types.
func typesOf[T ~byte](shape string) (params, results []T) {
	of := func(letters string) (types []T) {
		for _, l := range letters {
			if l == 'i' {
				types = append(types, T(binary.I32))
			} else {
				types = append(types, T(binary.I64))
			}
		}
		return types
	}
	left, right, _ := strings.Cut(shape, ":")
	return of(left), of(right)
}

// printable reports whether a name can stand in a message: with a line break in it, a scorer could
// write lines of its own into a log.
func printable(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}

// scorers returns the names of the exported functions with the type of a scorer, sorted.
func scorers(m *binary.Module) []string {
	exports := xslices.Filter(m.Exports, func(e binary.Export) bool {
		return e.Kind == binary.FunctionKind && printable(e.Name) && typed(m, e.Index, scorerShape)
	})
	return slices.Sorted(slices.Values(xslices.Map(exports, func(e binary.Export) string { return e.Name })))
}

// checkDirect refuses a module that cannot be called by the direct ABI.
func checkDirect(m *binary.Module) error {
	if err := checkImports(m, &wasiImports, &directImports); err != nil {
		return err
	}
	if err := checkMemory(m); err != nil {
		return err
	}
	switch {
	case !has(m, allocExport, allocShape):
		return fault.WithHint(fault.New(fault.Load, `no function "alloc" from i32 to i32 is exported`),
			"export what sdk/ABI.md says, or build a program with _start that reads standard input, or a plugin with an Extism kit")
	case len(scorers(m)) == 0:
		return fault.New(fault.Load, "no function from (i32, i32) to i64 is exported, so nothing can be called")
	}
	return checkStart(m)
}

// checkStart refuses a module that cannot be started.
func checkStart(m *binary.Module) error {
	if m.Start != nil && !typed(m, *m.Start, actionShape) {
		return fault.New(fault.Load, "the start function must be one without parameters and results")
	}
	if e, ok := m.Export(initializeExport); ok && !has(m, initializeExport, actionShape) {
		return fault.New(fault.Load, "%q must be a function without parameters and results, it is export %d", initializeExport, e.Index)
	}
	return checkElements(m)
}

// checkElements refuses element segments outside of their table, as the specification demands.
// wazero 1.12 silently skips such a segment and all segments after it.
func checkElements(m *binary.Module) error {
	for k := range m.Elements {
		e := &m.Elements[k]
		if e.Mode != binary.Active {
			continue
		}
		at, known := e.Offset.I32()
		n, size := max(len(e.Functions), len(e.Exprs)), m.Tables[e.Table].Size.Min
		if !known || uint64(uint32(at))+uint64(n) > uint64(size) {
			return fault.New(fault.Load, "start: element segment %d, %d entries at %d, is outside of its table of %d entries", k, n, uint32(at), size)
		}
	}
	return nil
}

// checkImports refuses imports that the host does not provide.
func checkImports(m *binary.Module, allowed ...*hostModule) error {
	var unknown []string
	for i := range m.Imports {
		in := &m.Imports[i]
		shape, known := shapeOf(in, allowed)
		if !known {
			unknown = append(unknown, fmt.Sprintf("%q %q", fault.Clip(in.Module, maxName), fault.Clip(in.Name, maxName)))
			continue
		}
		if !shaped(m.Types[in.Type], shape) {
			unknown = append(unknown, fmt.Sprintf("%q %q with another type", fault.Clip(in.Module, maxName), fault.Clip(in.Name, maxName)))
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	hint := "build it for wasm32-unknown-unknown or wasm32-wasip1 without further imports"
	if slices.Contains(unknown, `"env" "abort"`) {
		hint += "; compile AssemblyScript with the option use of asc set to abort="
	}
	return fault.WithHint(fault.New(fault.Refused, "the module has unknown imports: %s", fault.First(maxListed, unknown, ", ")), "%s", hint)
}

// maxListed bounds the names in a message.
const maxListed = 10
