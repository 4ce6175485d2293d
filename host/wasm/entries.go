package wasm

import (
	"fmt"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental/table"

	"github.com/rubric-host/rubric-host/host/fault"
)

// entries are the functions of a guest that the host calls, and the stacks for that. Those
// of scorers and interpreters are looked up when they are first called.
type entries struct {
	mod       api.Module
	alloc     api.Function
	scorers   []api.Function // in the order of traits.Exports
	functions []api.Function // of an interpreter: ScriptRuntime.Functions
	indirect  api.Function   // target of Guest.CallIndirect

	stack [2]uint64
	args  [6]uint64 // for calls into an interpreter
}

func (e *entries) scorer(export int, name string) api.Function {
	f := e.scorers[export]
	if f == nil {
		f = e.mod.ExportedFunction(name)
		e.scorers[export] = f
	}
	return f
}

// function returns function k of an interpreter, one of names.
func (e *entries) function(k int, names []string) api.Function {
	if e.functions == nil {
		e.functions = make([]api.Function, len(names))
	}
	f := e.functions[k]
	if f == nil {
		f = e.mod.ExportedFunction(names[k])
		e.functions[k] = f
	}
	return f
}

// inTable returns a function by its index in an interpreter's table: one with three
// parameters and one result of 32 bits. It must be the same index in every call.
func (e *entries) inTable(index uint32) (_ api.Function, err error) {
	if e.indirect != nil {
		return e.indirect, nil
	}
	defer func() {
		if p := recover(); p != nil { // no entry of that index or type
			err = hostError{fault.New(fault.Load, "the interpreter has an unknown layout: %s", plain(fmt.Sprint(p), 200))}
		}
	}()
	const w = api.ValueTypeI32
	e.indirect = table.LookupFunction(e.mod, 0, index, []api.ValueType{w, w, w}, []api.ValueType{w})
	return e.indirect, nil
}
