package script

import (
	"bytes"
	"errors"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// A quickjs is QuickJS with a script.
type quickjs struct {
	wasm.Guest
	handles []uint64
}

func callQuickJS(g wasm.Guest, s *Script, export int, request, answer []byte) ([]byte, error) {
	q := quickjs{g, g.Handles()}
	name := g.Export(export)
	if len(q.handles) != jsHandles {
		return answer, g.Fault(fault.Internal, name, "the image has %d handles", len(q.handles))
	}
	serve := q.serve
	if s.Program {
		serve = q.run
	}
	v, err := serve(export, request)
	b, _, err := q.text(name, v, err)
	if err != nil {
		return answer, err
	}
	return append(answer, b...), nil
}

// peerQuickJS answers in a peer. It frees its allocations: a peer may answer often before its
// memory is restored.
func peerQuickJS(g wasm.Guest, _ *Script, request, answer []byte) ([]byte, error) {
	const name = "servePeer"
	q := quickjs{g, g.Handles()}
	text, given, err := q.request(request)
	var v uint64
	if err == nil {
		v, err = q.settled(jsPeerServe, jsPeerWait, text)
	}
	b, at, err := q.text(name, v, err)
	if err != nil {
		return answer, err
	}
	answer = append(answer, b...)
	js := q.handles[jsContext]
	for _, free := range []struct {
		f         int
		arguments []uint64
	}{{jsFree, []uint64{given}}, {jsFreeText, []uint64{js, at}}, {jsFreeValue, []uint64{js, v}}, {jsFreeValue, []uint64{js, text}}} {
		if _, err := q.Call(free.f, free.arguments...); err != nil {
			return answer, q.failure(name, err)
		}
	}
	return peerAnswer(g, name, answer)
}

// text returns the bytes of a string that is the answer of a call, in the guest's memory, and
// their address; else what the call failed of.
func (q quickjs) text(name string, v uint64, failed error) (b []byte, at uint64, err error) {
	switch {
	case !q.guarded():
		return nil, 0, fault.WithHint(q.Fault(fault.Depth, name, "calls nest too deep for a stack of %d bytes", jsStack), "make it work without recursion, or recurse less deep")
	case failed != nil:
		return nil, 0, q.failure(name, failed)
	}
	room := uint32(q.handles[jsRoom])
	at, err = q.Call(jsToText, q.handles[jsContext], uint64(room), v, 0)
	if err != nil {
		return nil, at, q.failure(name, err)
	}
	if at == 0 {
		return nil, at, q.OutOfMemory(name)
	}
	size, _ := q.Memory().ReadUint32Le(room)
	b, err = q.Answer(name, uint32(at), size)
	return b, at, err
}

// noBytes is the guard of a stack that was deep enough.
var noBytes [jsGuard]byte

// guarded reports whether the stack was deep enough for all that was called.
func (q quickjs) guarded() bool {
	b, ok := q.Memory().Read(uint32(q.handles[jsBelow]), jsGuard)
	return ok && bytes.Equal(b, noBytes[:])
}

// errJSMemory means that QuickJS could not allocate memory for the host.
var errJSMemory = errors.New("no memory")

// failure adds the plugin and the function to the error of a call.
func (q quickjs) failure(name string, err error) error {
	if errors.Is(err, errJSMemory) {
		return q.OutOfMemory(name)
	}
	return q.Failure(name, err)
}

// request makes a string of QuickJS of a request, and returns the address of the bytes that
// it was made of.
func (q quickjs) request(request []byte) (v, at uint64, err error) {
	at, err = q.Call(jsMalloc, uint64(len(request)+1))
	if err != nil {
		return 0, 0, err
	}
	if at == 0 || !q.Memory().Write(uint32(at), request) {
		return 0, 0, errJSMemory
	}
	v, err = q.Call(jsNewString, q.handles[jsContext], at, uint64(len(request)))
	return v, at, err
}

// serve passes a request to the driver, and returns its answer, a string.
func (q quickjs) serve(export int, request []byte) (uint64, error) {
	text, _, err := q.request(request)
	if err != nil {
		return 0, err
	}
	return q.settled(jsServe, jsWait, text, uint64(export)) // an integer has tag 0
}

// settled calls a function of the driver and, if its answer is pending, runs jobs and asks
// another one, until that has one: a script may have more to do when no job is left. Both
// get the last argument.
func (q quickjs) settled(serve, wait int, arguments ...uint64) (uint64, error) {
	js, room := q.handles[jsContext], uint32(q.handles[jsRoom])
	for k, v := range arguments {
		q.Memory().WriteUint64Le(room+8*uint32(k), v)
	}
	v, err := q.Call(jsCall, js, q.handles[serve], jsUndefined, uint64(len(arguments)), uint64(room))
	if err != nil || v != jsUndefined {
		return withoutException(v, err)
	}
	for {
		if _, err := q.Call(jsRunJobs, q.handles[jsRuntime], uint64(room)); err != nil {
			return 0, err
		}
		q.Memory().WriteUint64Le(room, arguments[len(arguments)-1])
		if v, err := q.Call(jsCall, js, q.handles[wait], jsUndefined, 1, uint64(room)); err != nil || v != jsUndefined {
			return withoutException(v, err)
		}
	}
}

// run runs a program, and returns its output, or the answer of a failure: a string.
func (q quickjs) run(_ int, request []byte) (uint64, error) {
	js, room := q.handles[jsContext], uint32(q.handles[jsRoom])
	text, _, err := q.request(request)
	if err != nil {
		return 0, err
	}
	driver := func(f int, v uint64) (uint64, error) {
		q.Memory().WriteUint64Le(room, v)
		return withoutException(q.Call(jsCall, js, q.handles[f], jsUndefined, 1, uint64(room)))
	}
	if v, err := driver(jsServe, text); err != nil || v != jsUndefined {
		return v, err
	}
	ran, err := q.Call(jsRunCompiled, js, q.handles[jsProgram])
	if err != nil {
		return 0, err
	}
	if ran>>32 == jsTagException {
		e, err := q.Call(jsException, js)
		if err != nil {
			return 0, err
		}
		return driver(jsEnded, e)
	}
	for {
		if _, err := q.Call(jsRunJobs, q.handles[jsRuntime], uint64(room)); err != nil {
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
	if q.handles[jsModular] == 1 {
		if state, err = q.Call(jsPromiseState, js, ran); err != nil {
			return 0, err
		}
	}
	if state == 2 {
		e, err := q.Call(jsPromiseResult, js, ran)
		if err != nil {
			return 0, err
		}
		return driver(jsEnded, e)
	}
	if _, err := q.Call(jsRunTimers, js); err != nil {
		return 0, err
	}
	return driver(jsFinish, state) // an integer has tag 0
}

// withoutException refuses an exception. The driver catches all exceptions unless memory is exhausted.
func withoutException(v uint64, err error) (uint64, error) {
	if err == nil && v>>32 == jsTagException {
		return 0, errJSMemory
	}
	return v, err
}
