package wasm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/tetratelabs/wazero/api"
)

// extismScorerType is what scorers of the Extism ABI answer: 0, or that they
// failed.
var (
	extismScorerType = binary.FuncType{Results: []binary.ValType{binary.I32}}
	haskellType      = binary.FuncType{Params: []binary.ValType{binary.I32, binary.I32}}
)

// Exports by which languages are started, and what else is no scorer.
const (
	constructorsExport = "__wasm_call_ctors"
	haskellExport      = "hs_init"
	asyncifyPrefix     = "asyncify_"
)

var notScorers = []string{startExport, initializeExport, constructorsExport, haskellExport, "hs_exit", "__wasm_call_dtors", "_emscripten_stack_restore"}

// extismScorers returns the exports of the type of a scorer, those that answer
// no code too; else, of a module that has none, its _start.
func extismScorers(m *binary.Module) []string {
	var names []string
	for _, e := range m.Exports {
		if e.Kind != binary.FunctionKind || slices.Contains(notScorers, e.Name) || strings.HasPrefix(e.Name, asyncifyPrefix) {
			continue
		}
		if typed(m, e.Index, extismScorerType) || typed(m, e.Index, actionType) {
			names = append(names, e.Name)
		}
	}
	if len(names) == 0 && has(m, startExport, actionType) {
		names = append(names, startExport)
	}
	slices.Sort(names)
	return names
}

// onlyStarts reports whether a module is a program that speaks to its host as
// Extism plugins do.
func onlyStarts(m *binary.Module) bool { return slices.Contains(extismScorers(m), startExport) }

// checkExtism says what keeps a module from being called by the Extism ABI.
func checkExtism(m *binary.Module) error {
	if err := checkImports(m, &extismEnv, &wasiImports); err != nil {
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

// readyExtism starts the language that a plugin is written in, as Extism's own
// hosts do.
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
	if haskell == nil || len(haskell.Definition().ParamTypes()) != len(haskellType.Params) {
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
	name, k := i.m.traits.Exports[export], i.kernel
	if err := k.Begin(request, i.m.vars); err != nil {
		return answer, fmt.Errorf("plugin %s: %s: %w", i.m.name, name, err)
	}
	i.request, i.stack = request, [2]uint64{}
	err := i.callScorer(export)
	i.request = nil
	i.charge()
	if err != nil {
		return answer, err
	}
	if err := i.said(name, uint32(i.stack[0])); err != nil {
		return answer, err
	}
	out, err := k.Output()
	switch {
	case err != nil:
		return answer, fmt.Errorf("plugin %s: %s: %w", i.m.name, name, err)
	case len(out) > i.m.limits.OutputBytes:
		return answer, i.tooLong(name, uint64(len(out)))
	}
	return append(answer, out...), nil
}

// callScorer calls a function, or runs a program.
func (i *instance) callScorer(export int) error {
	if i.m.traits.Late {
		return i.program()
	}
	if err := i.enter(i.scorer(export)); err != nil {
		return i.failure(i.m.traits.Exports[export], err)
	}
	return i.fed()
}

// mostSaid is how much of a plugin's error is kept, in bytes.
const mostSaid = 2_000

// said returns the failure that a plugin reports.
func (i *instance) said(name string, code uint32) error {
	text, failed := i.kernel.Failed()
	switch {
	case len(text) > 0:
		return i.fault(fault.PluginError, name, "%s", plain(text, mostSaid))
	case failed:
		return i.fault(fault.PluginError, name, "the plugin answers with an error, whose text it has freed%s", logged(i.world.Log()))
	case code != 0:
		return i.fault(fault.PluginError, name, "the plugin answers with code %d and no text%s", int32(code), logged(i.world.Log()))
	}
	return nil
}

// plain returns hostile text fit for one line of a terminal, in any script.
func plain(b []byte, most int) string {
	end := ""
	if len(b) > most {
		b, end = b[:most], "..."
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return '?'
		}
		return r
	}, string(b)) + end
}

// charge takes fuel for what the kernel has moved.
func (i *instance) charge() {
	if i.kernel.Work > 0 {
		i.budget.Spend(i.kernel.Work)
		i.kernel.Work = 0
	}
}

// An extismFunction is one import of the Extism ABI. It may leave a result in
// args[0].
type extismFunction func(i *instance, args []uint64) error

// host returns the function as wazero calls it.
func (f extismFunction) host() api.GoModuleFunc {
	return func(ctx context.Context, _ api.Module, args []uint64) {
		i := instanceOf(ctx)
		if err := f(i, args); err != nil {
			panic(ended{err})
		}
		i.charge()
	}
}

const extismEnvModule = "extism:host/env"

// extismEnv is what plugins of the Extism ABI may import. What is meant for
// hosts is not there: input_set, reset, memory_bytes and the like.
var extismEnv = hostModule{extismEnvModule, []hostFunction{
	{"alloc", "I:I", extismFunction(extismAlloc).host()},
	{"free", "I:", extismFunction(extismFree).host()},
	{"length", "I:I", extismFunction(extismLength).host()},
	{"length_unsafe", "I:I", extismFunction(extismLength).host()},
	{"load_u8", "I:i", extismFunction(extismLoad8).host()},
	{"load_u64", "I:I", extismFunction(extismLoad64).host()},
	{"store_u8", "Ii:", extismFunction(extismStore8).host()},
	{"store_u64", "II:", extismFunction(extismStore64).host()},

	{"input_length", ":I", extismFunction(extismInputLength).host()},
	{"input_offset", ":I", extismFunction(extismInputOffset).host()},
	{"input_load_u8", "I:i", extismFunction(extismInput8).host()},
	{"input_load_u64", "I:I", extismFunction(extismInput64).host()},
	{"output_set", "II:", extismFunction(extismOutputSet).host()},
	{"error_set", "I:", extismFunction(extismErrorSet).host()},
	{"error_get", ":I", extismFunction(extismErrorGet).host()},

	{"config_get", "I:I", extismFunction(extismConfigGet).host()},
	{"var_get", "I:I", extismFunction(extismVarGet).host()},
	{"var_set", "II:", extismFunction(extismVarSet).host()},

	{"get_log_level", ":i", extismFunction(extismLogLevel).host()},
	{"log_trace", "I:", extismLog("")},
	{"log_debug", "I:", extismLog("")},
	{"log_info", "I:", extismLog("info: ")},
	{"log_warn", "I:", extismLog("warn: ")},
	{"log_error", "I:", extismLog("error: ")},

	{"http_request", "II:I", extismFunction(extismHTTP).host()},
	{"http_status_code", ":i", extismFunction(extismStatus).host()},
	{"http_headers", ":I", extismFunction(extismHeaders).host()},
}}

func extismAlloc(i *instance, a []uint64) (err error) {
	a[0], err = i.kernel.Alloc(a[0])
	return err
}

func extismFree(i *instance, a []uint64) error {
	i.kernel.Free(a[0])
	return nil
}

func extismLength(i *instance, a []uint64) error {
	a[0] = i.kernel.Length(a[0])
	return nil
}

func extismLoad8(i *instance, a []uint64) (err error) {
	a[0], err = i.kernel.Load8(a[0])
	return err
}

func extismLoad64(i *instance, a []uint64) (err error) {
	a[0], err = i.kernel.Load64(a[0])
	return err
}

func extismStore8(i *instance, a []uint64) error  { return i.kernel.Store8(a[0], byte(a[1])) }
func extismStore64(i *instance, a []uint64) error { return i.kernel.Store64(a[0], a[1]) }

func extismInputLength(i *instance, a []uint64) error {
	a[0] = i.kernel.InputLength()
	return nil
}

func extismInputOffset(i *instance, a []uint64) error {
	a[0] = i.kernel.InputAt()
	return nil
}

func extismInput8(i *instance, a []uint64) error {
	a[0] = i.kernel.Input8(a[0])
	return nil
}

func extismInput64(i *instance, a []uint64) error {
	a[0] = i.kernel.Input64(a[0])
	return nil
}

func extismOutputSet(i *instance, a []uint64) error { return i.kernel.SetOutput(a[0], a[1]) }
func extismErrorSet(i *instance, a []uint64) error  { return i.kernel.SetError(a[0]) }

func extismErrorGet(i *instance, a []uint64) error {
	a[0] = i.kernel.ErrorAt()
	return nil
}

// readingCost is how much more a byte of JSON costs that is read than one that
// is copied: some 4 ns.
const readingCost = 64

// extismConfigGet leaves the key to the plugin, as Extism's hosts do.
func extismConfigGet(i *instance, a []uint64) error {
	key, err := i.kernel.Text(a[0], "the key of a configuration")
	if err != nil {
		return err
	}
	a[0] = 0
	value, ok := i.m.owner.config(i.request, key)
	i.budget.Spend(readingCost * (200 + len(i.request)))
	if !ok {
		return nil
	}
	a[0], err = i.kernel.Place(value)
	return err
}

func extismVarGet(i *instance, a []uint64) (err error) {
	a[0], err = i.kernel.Var(a[0])
	return err
}

func extismVarSet(i *instance, a []uint64) error { return i.kernel.SetVar(a[0], a[1]) }

// extismInfo is the level from which on messages are kept.
const extismInfo = 2

func extismLogLevel(_ *instance, a []uint64) error {
	a[0] = extismInfo
	return nil
}

// extismLog keeps a message in the log, unless the level has no name here.
func extismLog(level string) api.GoModuleFunc {
	return extismFunction(func(i *instance, a []uint64) error {
		text, err := i.kernel.Text(a[0], "a message")
		if err != nil {
			return err
		}
		if level != "" {
			i.world.Print([]byte(level))
			i.world.Print(text)
			i.world.Print([]byte{'\n'})
		}
		i.kernel.Free(a[0])
		return nil
	}).host()
}
