package wasm

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/wasi"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A convention is how modules of one ABI are checked, started and called. Limits, fuel, images,
// pools and failures are the same for all ABIs.
type convention struct {
	abi     ABI
	check   func(*binary.Module) error    // refuses modules that do not follow it
	scorers func(*binary.Module) []string // names of the scorers, sorted

	// ready runs the initialisation of a guest, after the start function. Not called for
	// programs, which every call starts.
	ready func(*instance) error

	// call appends the answer of a scorer to answer.
	call func(i *instance, export int, request, answer []byte) ([]byte, error)

	nameless bool // traces do not show the names of its functions

	stubs *hostModule // additional imports, which do nothing; nil: none
}

var (
	directly = convention{abi: Direct, check: checkDirect, scorers: scorers, ready: readyDirect, call: callDirect}
	byExtism = convention{abi: Extism, check: checkExtism, scorers: extismScorers, ready: readyExtism, call: callExtism}
	programs = convention{abi: Command, check: checkCommand, scorers: commandScorers, call: callCommand}
)

// conventionOf returns the convention of a module. For a module without an ABI it is the direct
// one, whose check names the missing exports.
func conventionOf(m *binary.Module) *convention {
	if c := conventionFor(ABIOf(m)); c != nil {
		return c
	}
	return &directly
}

// conventionFor returns the convention of an ABI, nil for scripts and unknown ABIs.
func conventionFor(abi ABI) *convention {
	for _, c := range []*convention{&directly, &byExtism, &programs} {
		if c.abi == abi {
			return c
		}
	}
	return nil
}

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
	shape string
	call  api.GoModuleFunc
}

// checked calls the function, and then refills the fuel: a guest without loops may call it for long.
func (f *hostFunction) checked(ctx context.Context, mod api.Module, stack []uint64) {
	f.call(ctx, mod, stack)
	if err := instanceOf(ctx).budget.Checkpoint(); err != nil {
		panic(hostError{err})
	}
}

var hostModules = []*hostModule{&wasiImports, &extismImports, &directImports}

func (h *hostModule) find(name string) *hostFunction {
	return xslices.Find(h.functions, func(f *hostFunction) bool { return f.name == name })
}

func shapeOf(in *binary.Import, allowed []*hostModule) (string, bool) {
	for _, h := range allowed {
		if f := h.find(in.Name); f != nil && in.Module == h.name && in.Kind == binary.FunctionKind {
			return f.shape, true
		}
	}
	return "", false
}

// provide instantiates the functions that a module imports.
func (h *hostModule) provide(ctx context.Context, rt wazero.Runtime, imports [][2]string) error {
	b := rt.NewHostModuleBuilder(h.name)
	seen := map[string]bool{}
	for _, in := range imports {
		f := h.find(in[1])
		if in[0] != h.name || f == nil || seen[f.name] {
			continue
		}
		seen[f.name] = true
		params, results := typesOf[api.ValueType](f.shape)
		b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(f.checked), params, results).Export(f.name)
	}
	if len(seen) == 0 {
		return nil
	}
	_, err := b.Instantiate(ctx)
	return err
}

// checkMemory refuses a module that does not export a memory.
func checkMemory(m *binary.Module) error {
	if e, ok := m.Export(memoryExport); !ok || e.Kind != binary.MemoryKind {
		return fault.New(fault.Load, `no memory is exported as "memory"`)
	}
	return nil
}

// Check reports whether Load would refuse a module that binary.Read accepted, without
// compiling it. The error has class fault.Refused for unknown imports, and fault.Load for a
// module without an ABI.
func Check(m *binary.Module) error { return conventionOf(m).check(m) }

// ScorersOf returns the names of the scorers of m, sorted.
func ScorersOf(m *binary.Module) []string { return conventionOf(m).scorers(m) }

// wasiImports are the imports of WASI preview 1; package wasi implements them.
var wasiImports = func() hostModule {
	h := hostModule{name: wasiModule}
	for _, f := range wasi.Functions() {
		h.functions = append(h.functions, hostFunction{f.Name, f.Shape, wasiHost(&f)})
	}
	return h
}()

// wasiHost returns a function of WASI as wazero calls it.
func wasiHost(f *wasi.Function) api.GoModuleFunc {
	return func(ctx context.Context, _ api.Module, stack []uint64) {
		errno, err := f.Invoke(&instanceOf(ctx).world, stack)
		if err != nil {
			panic(hostError{err})
		}
		if len(stack) > 0 {
			stack[0] = uint64(errno)
		}
	}
}
