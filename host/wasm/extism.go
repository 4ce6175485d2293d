package wasm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/extism"
)

// extismScorerShape is that of scorers of the Extism ABI, which return 0 for success.
const extismScorerShape = ":i"

// Exports that initialise a language's runtime, and others that are not scorers.
const (
	constructorsExport = "__wasm_call_ctors"
	haskellExport      = "hs_init"
	asyncifyPrefix     = "asyncify_"
)

var notScorers = []string{startExport, initializeExport, constructorsExport, haskellExport, "hs_exit", "__wasm_call_dtors", "_emscripten_stack_restore"}

// extismScorers returns the exports with the type of a scorer, with or without a result. If
// there are none, it returns _start, if that exists.
func extismScorers(m *binary.Module) []string {
	var names []string
	for _, e := range m.Exports {
		if e.Kind != binary.FunctionKind || !printable(e.Name) || slices.Contains(notScorers, e.Name) || strings.HasPrefix(e.Name, asyncifyPrefix) {
			continue
		}
		if typed(m, e.Index, extismScorerShape) || typed(m, e.Index, actionShape) {
			names = append(names, e.Name)
		}
	}
	if len(names) == 0 && has(m, startExport, actionShape) {
		names = append(names, startExport)
	}
	slices.Sort(names)
	return names
}

// checkExtism refuses a module that cannot be called by the Extism ABI.
func checkExtism(m *binary.Module) error {
	if err := checkImports(m, &extismImports, &wasiImports); err != nil {
		return err
	}
	if len(extismScorers(m)) == 0 {
		return fault.New(fault.Load, "no function without parameters that answers an i32 is exported, so nothing can be called")
	}
	usesMemory := len(m.Memories) > 0
	for k := range m.Imports {
		usesMemory = usesMemory || m.Imports[k].Module == wasiModule
	}
	if usesMemory {
		if err := checkMemory(m); err != nil {
			return err
		}
	}
	return checkStart(m)
}

// readyExtism initialises the runtime of the plugin's language, as Extism's own hosts do.
func readyExtism(i *instance) error {
	if err := i.kernel.Begin(nil, nil); err != nil {
		return err
	}
	haskell := i.mod.ExportedFunction(haskellExport)
	for _, name := range []string{initializeExport, constructorsExport} {
		if i.mod.ExportedFunction(name) == nil {
			continue
		}
		if err := i.run(name); err != nil {
			return err
		}
		break
	}
	if haskell == nil || len(haskell.Definition().ParamTypes()) != len(i.stack) {
		return nil
	}
	i.stack = [2]uint64{}
	if err := i.enter(haskell); err != nil {
		return i.failure(haskellExport, err)
	}
	return nil
}

// callExtism calls a scorer by the Extism ABI and appends its answer to answer.
func callExtism(i *instance, export int, request, answer []byte) ([]byte, error) {
	name, k := i.proto.traits.Exports[export], i.kernel
	if err := k.Begin(request, i.proto.vars); err != nil {
		return answer, fmt.Errorf("plugin %s: %s: %w", i.proto.name, name, err)
	}
	i.stack = [2]uint64{}
	err := enterExtism(i, export)
	k.End()
	chargeExtism(i)
	if err != nil {
		return answer, err
	}
	if err := pluginError(i, name, uint32(i.stack[0])); err != nil {
		return answer, err
	}
	out, err := k.Output()
	switch {
	case err != nil:
		return answer, fmt.Errorf("plugin %s: %s: %w", i.proto.name, name, err)
	case len(out) > i.proto.limits.OutputBytes:
		return answer, i.tooLong(name, uint64(len(out)))
	}
	return append(answer, out...), nil
}

// enterExtism calls a function, or runs a program.
func enterExtism(i *instance, export int) error {
	if i.proto.traits.PerCall {
		return i.program()
	}
	name := i.proto.traits.Exports[export]
	if err := i.enter(i.scorer(export, name)); err != nil {
		return i.failure(name, err)
	}
	return i.checkStarved(startExport)
}

// maxPluginError is how much of a plugin's error is kept, in bytes.
const maxPluginError = 2_000

func pluginError(i *instance, name string, code uint32) error {
	text, failed := i.kernel.Failed()
	switch {
	case len(text) > 0:
		return i.fault(fault.PluginError, name, "%s", plain(string(text), maxPluginError))
	case failed:
		return i.fault(fault.PluginError, name, "the plugin answers with an error, whose text it has freed%s", logged(i.world.Log()))
	case code != 0:
		return i.fault(fault.PluginError, name, "the plugin answers with code %d and no text%s", int32(code), logged(i.world.Log()))
	}
	return nil
}

// chargeExtism takes fuel for the kernel's work.
func chargeExtism(i *instance) {
	if i.kernel.Work > 0 {
		i.budget.Spend(i.kernel.Work)
		i.kernel.Work = 0
	}
}

// extismImports are the imports of the Extism ABI: those of package extism, and requests.
var extismImports = func() hostModule {
	h := hostModule{name: extism.Module}
	for _, f := range extism.Functions() {
		h.functions = append(h.functions, hostFunction{f.Name, f.Shape, extismHost(func(i *instance, args []uint64) error { return f.Invoke(i.kernel, args) })})
	}
	h.functions = append(h.functions,
		hostFunction{"http_request", "II:I", extismHost(extismHTTP)},
		hostFunction{"http_status_code", ":i", extismHost(extismStatus)},
		hostFunction{"http_headers", ":I", extismHost(extismHeaders)})
	return h
}()

// extismHost returns a function of the Extism ABI as wazero calls it.
func extismHost(call func(i *instance, args []uint64) error) api.GoModuleFunc {
	return func(ctx context.Context, _ api.Module, args []uint64) {
		i := instanceOf(ctx)
		if err := call(i, args); err != nil {
			panic(hostError{err})
		}
		chargeExtism(i)
	}
}
