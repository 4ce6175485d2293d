package wasm

import (
	"context"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// A convention is how modules of one ABI are held and called. Everything else
// is the same for all: limits, fuel, images, pools, failures.
type convention struct {
	abi     ABI
	check   func(*binary.Module) error    // what keeps a module from being loaded
	scorers func(*binary.Module) []string // what can be called, sorted
	late    func(*binary.Module) bool     // the image is taken before anything runs, and a call runs it

	// ready runs what a guest runs once, after the start function. Not for late
	// ones.
	ready func(*instance) error

	// call appends the answer of a scorer to answer.
	call func(i *instance, export int, request, answer []byte) ([]byte, error)

	nameless bool // names of its functions say nothing to those who read a trace

	stubs *hostModule // imports that do nothing, besides hostModules; nil: none
}

var (
	directly = convention{abi: Direct, check: checkDirect, scorers: scorers, late: never, ready: readyDirect, call: callDirect}
	byExtism = convention{abi: Extism, check: checkExtism, scorers: extismScorers, late: onlyStarts, ready: readyExtism, call: callExtism}
	programs = convention{abi: Command, check: checkCommand, scorers: commandScorers, late: always, call: callCommand}
)

func never(*binary.Module) bool  { return false }
func always(*binary.Module) bool { return true }

// conventionOf returns how a module is called. What has no ABI is taken for a
// module of the direct one, which says what it lacks.
func conventionOf(m *binary.Module) *convention {
	switch ABIOf(m) {
	case Extism:
		return &byExtism
	case Command:
		return &programs
	}
	return &directly
}

// conventionFor returns how modules of an ABI are called, nil if nothing is known of
// it, or it is not one of modules.
func conventionFor(abi ABI) *convention {
	for _, c := range []*convention{&directly, &byExtism, &programs} {
		if c.abi == abi {
			return c
		}
	}
	return nil
}

// A hostModule is what guests may import from under one name.
type hostModule struct {
	name      string
	functions []hostFunction
}

// function returns a stub as wazero calls it.
func (s Stub) function() hostFunction {
	return hostFunction{s.Name, s.Shape, api.GoModuleFunc(func(_ context.Context, _ api.Module, stack []uint64) {
		if len(stack) > 0 {
			stack[0] = s.Result
		}
	})}
}

// A hostFunction is one import as wazero calls it.
type hostFunction struct {
	name  string
	shape string // letters of parameters, colon, letters of results: i is i32, I is i64
	call  api.GoModuleFunc
}

// hostModules are all that there is to import.
var hostModules = []*hostModule{&wasiImports, &extismImports, &own}

func (h *hostModule) find(name string) *hostFunction {
	for k := range h.functions {
		if h.functions[k].name == name {
			return &h.functions[k]
		}
	}
	return nil
}

// shapeOf returns the type that an import must have.
func shapeOf(in *binary.Import, allowed []*hostModule) (string, bool) {
	for _, h := range allowed {
		if f := h.find(in.Name); f != nil && in.Module == h.name && in.Kind == binary.FunctionKind {
			return f.shape, true
		}
	}
	return "", false
}

// provide makes the functions that a module imports.
func (h *hostModule) provide(ctx context.Context, rt wazero.Runtime, imports [][2]string) error {
	b := rt.NewHostModuleBuilder(h.name)
	seen := map[string]bool{}
	for _, in := range imports {
		f := h.find(in[1])
		if in[0] != h.name || f == nil || seen[f.name] {
			continue
		}
		seen[f.name] = true
		params, results := typesOf(f.shape)
		b.NewFunctionBuilder().WithGoModuleFunction(f.call, params, results).Export(f.name)
	}
	if len(seen) == 0 {
		return nil
	}
	_, err := b.Instantiate(ctx)
	return err
}

// checkMemory says that there is no memory where there must be one.
func checkMemory(m *binary.Module) error {
	if e, ok := m.Export(memoryExport); !ok || e.Kind != binary.MemoryKind {
		return fault.New(fault.Load, `no memory is exported as "memory"`)
	}
	return nil
}
