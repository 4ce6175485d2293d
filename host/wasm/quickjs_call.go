package wasm

import (
	"bytes"
	_ "embed"
	"errors"

	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/fault"
)

// js calls a function of QuickJS with what is in i.script.
func (i *instance) js(function int, args ...uint64) (uint64, error) {
	if i.inner == nil {
		i.inner = make([]api.Function, jsFunctions)
	}
	f := i.inner[function]
	if f == nil {
		f = i.mod.ExportedFunction(jsNames[function])
		i.inner[function] = f
	}
	copy(i.script[:], args)
	if err := i.enterWith(f, i.script[:]); err != nil {
		return 0, err
	}
	return i.script[0], nil
}

// callQuickJS calls a function of a script and appends its answer to answer.
func callQuickJS(i *instance, export int, request, answer []byte) ([]byte, error) {
	name, slots := i.m.traits.Exports[export], i.m.scripted.slots
	if len(slots) != jsSlots {
		return answer, i.fault(fault.Internal, name, "the image has %d slots", len(slots))
	}
	serve := i.jsServe
	if i.m.scripted.script.Program {
		serve = i.jsRun
	}
	v, err := serve(export, request)
	if !i.jsGuarded() {
		return answer, fault.WithHint(i.fault(fault.Depth, name, "calls nest too deep for a stack of %d bytes", jsStack), "%s", noRecursion)
	}
	if err != nil {
		return answer, i.jsFailure(name, err)
	}
	b, err := i.jsText(name, v)
	if err != nil {
		return answer, err
	}
	answer = append(answer, b...)
	if bytes.HasPrefix(b, failureMark) {
		answer = i.jsLocated(name, answer)
	}
	return answer, nil
}

// failureMark is how an answer begins that is a failure.
var failureMark = []byte(`{"error":`)

// jsText returns the bytes of a string that is an answer, in the guest's memory.
func (i *instance) jsText(name string, v uint64) ([]byte, error) {
	slots := i.m.scripted.slots
	room := uint32(slots[jsRoom])
	at, err := i.js(jsToText, slots[jsContext], uint64(room), v, 0)
	if err != nil {
		return nil, i.jsFailure(name, err)
	}
	if i.linear.Starved() {
		return nil, i.starved("plugin " + i.m.name + ": " + name)
	}
	size, _ := i.mem.ReadUint32Le(room)
	if uint64(size) > uint64(i.m.limits.OutputBytes) {
		return nil, i.tooLong(name, uint64(size))
	}
	b, ok := i.mem.Read(uint32(at), size)
	if at == 0 || !ok {
		return nil, i.outOfMemory(name)
	}
	return b, nil
}

// jsLocated replaces the answer of a failure by one that says better where it
// was, if there is one. To find out is an attempt: it may use up the fuel.
func (i *instance) jsLocated(name string, answer []byte) []byte {
	slots := i.m.scripted.slots
	v, err := i.js(jsCall, slots[jsContext], slots[jsLocate], jsUndefined, 0, slots[jsRoom])
	if err != nil || v>>32 == jsTagException || !i.jsGuarded() {
		return answer
	}
	if b, err := i.jsText(name, v); err == nil && len(b) > 0 {
		return append(answer[:0], b...)
	}
	return answer
}

const noRecursion = "make it work without recursion, or recurse less deep"

// noBytes is what lies below a stack that was deep enough.
var noBytes [jsGuard]byte

// jsGuarded reports whether the stack was deep enough for all that was called.
func (i *instance) jsGuarded() bool {
	b, ok := i.mem.Read(uint32(i.m.scripted.slots[jsBelow]), jsGuard)
	return ok && bytes.Equal(b, noBytes[:])
}

// errJSMemory says that QuickJS has no room for what the host asks of it.
var errJSMemory = errors.New("no room")

// jsFailure turns the error of a call into one that says where.
func (i *instance) jsFailure(name string, err error) error {
	if errors.Is(err, errJSMemory) {
		return i.outOfMemory(name)
	}
	return i.failure(name, err)
}

// outOfMemory says that a script has used all memory that it may.
func (i *instance) outOfMemory(name string) error {
	if i.linear.Starved() {
		return i.starved("plugin " + i.m.name + ": " + name)
	}
	return fault.WithHint(i.fault(fault.Memory, name, "no memory is left of %d bytes", i.m.traits.MostMemory), "raise --memory, or make the plugin use less")
}

// jsRequest makes a string of a request.
func (i *instance) jsRequest(request []byte) (uint64, error) {
	at, err := i.js(jsMalloc, uint64(len(request)+1))
	if err != nil {
		return 0, err
	}
	if at == 0 || !i.mem.Write(uint32(at), request) {
		return 0, errJSMemory
	}
	return i.js(jsNewString, i.m.scripted.slots[jsContext], at, uint64(len(request)))
}

// jsRunJobs runs the jobs of promises until none is pending.
func (i *instance) jsRunJobs() error {
	slots := i.m.scripted.slots
	for {
		pending, err := i.js(jsPending, slots[jsRuntime])
		if err != nil || pending == 0 {
			return err
		}
		if _, err := i.js(jsRunPending, slots[jsRuntime], slots[jsRoom]); err != nil {
			return err
		}
	}
}

// jsServe passes a request to the driver, and returns what it answers: a string.
func (i *instance) jsServe(export int, request []byte) (uint64, error) {
	slots := i.m.scripted.slots
	js, room := slots[jsContext], uint32(slots[jsRoom])
	text, err := i.jsRequest(request)
	if err != nil {
		return 0, err
	}
	i.mem.WriteUint64Le(room, text)
	i.mem.WriteUint64Le(room+8, uint64(export)) // an integer has tag 0
	v, err := i.js(jsCall, js, slots[jsServe], jsUndefined, 2, uint64(room))
	if err != nil || v != jsUndefined {
		return i.jsValue(v, err)
	}
	if err := i.jsRunJobs(); err != nil {
		return 0, err
	}
	i.mem.WriteUint64Le(room, uint64(export))
	return i.jsValue(i.js(jsCall, js, slots[jsWait], jsUndefined, 1, uint64(room)))
}

// jsRun runs a program, and returns what it printed, or why that is no answer: a
// string.
func (i *instance) jsRun(_ int, request []byte) (uint64, error) {
	slots := i.m.scripted.slots
	js, room := slots[jsContext], uint32(slots[jsRoom])
	text, err := i.jsRequest(request)
	if err != nil {
		return 0, err
	}
	driver := func(f int, v uint64) (uint64, error) {
		i.mem.WriteUint64Le(room, v)
		return i.jsValue(i.js(jsCall, js, slots[f], jsUndefined, 1, uint64(room)))
	}
	if v, err := driver(jsServe, text); err != nil || v != jsUndefined {
		return v, err
	}
	ran, err := i.js(jsEvalFunction, js, slots[jsProgram])
	if err != nil {
		return 0, err
	}
	if ran>>32 == jsTagException {
		e, err := i.js(jsException, js)
		if err != nil {
			return 0, err
		}
		return driver(jsEnded, e)
	}
	for {
		if err := i.jsRunJobs(); err != nil {
			return 0, err
		}
		v, err := driver(jsWait, jsUndefined)
		if err != nil || v != jsUndefined && v != jsNull {
			return v, err
		}
		if v == jsNull { // nothing is left to do
			break
		}
	}
	state := uint64(1)
	if slots[jsModular] == 1 {
		if state, err = i.js(jsPromiseState, js, ran); err != nil {
			return 0, err
		}
	}
	if state == 2 {
		e, err := i.js(jsPromiseResult, js, ran)
		if err != nil {
			return 0, err
		}
		return driver(jsEnded, e)
	}
	if _, err := i.js(jsStdLoop, js); err != nil {
		return 0, err
	}
	return driver(jsFinish, state) // an integer has tag 0
}

// jsValue refuses an exception. The driver catches all; what it cannot catch is
// that there is no memory to do so.
func (i *instance) jsValue(v uint64, err error) (uint64, error) {
	if err == nil && v>>32 == jsTagException {
		return 0, errJSMemory
	}
	return v, err
}
