package worker

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// A Module is a module that is loaded in a worker. It is safe for concurrent use. Close
// it, or the Runtime that it came from.
type Module struct {
	runtime *Runtime
	about   loadResponse
	name    string
	limits  wasm.Limits
	owner   *owner
	ids     atomic.Uint64 // of calls
}

// Call is like that of wasm.Module, with the same answer, usage and errors. In
// addition, an error has class fault.Worker if the call kills its worker twice.
func (m *Module) Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error) {
	answer = answer[:0]
	switch {
	case len(request) > min(m.limits.InputBytes, mostTrusted-mostName-mostFixed):
		return answer, wasm.Usage{}, fault.WithHint(
			fault.New(fault.Input, "plugin %s: %s: the request has %d bytes, %d allowed", m.name, export, len(request), m.limits.InputBytes),
			"shorten the case")
	case ctx.Err() != nil:
		return answer, wasm.Usage{}, fmt.Errorf("plugin %s: %s: not called: %w", m.name, export, flight.Stopped(ctx))
	}
	c := &pending{callRequest: callRequest{m.ids.Add(1), export, request}, size: len(request), answer: answer, done: make(chan struct{}, 1)}
	if !m.owner.post(func(o *owner) { o.call(c) }) {
		<-m.owner.ended
		return answer, wasm.Usage{}, m.owner.gone(export)
	}
	select {
	case <-c.done:
	case <-ctx.Done():
		err := fmt.Errorf("plugin %s: %s: stopped: %w", m.name, export, flight.Stopped(ctx))
		m.owner.post(func(o *owner) { o.abandon(c, err) })
		<-c.done
	}
	return c.answer, c.usage, c.err
}

// Close ends the worker. Calls that wait fail.
func (m *Module) Close(context.Context) error {
	m.owner.post((*owner).close)
	<-m.owner.ended
	m.owner.group.Wait()
	m.runtime.forget(m)
	return nil
}
