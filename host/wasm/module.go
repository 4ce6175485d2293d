package wasm

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/wasi"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Module is a loaded module, ready to be called. It is safe for concurrent use. Close it, or
// the Runtime that it came from, when no call is running.
type Module struct {
	prototype
	access   *grant.Access // nil: nothing is granted
	idle     *pool
	peers    *pool    // of instances that serve others as peers: these write to other pages
	computed computed // for scripts with a peer
	front    *Module  // is asked before the script; nil: there is none
}

// Name returns the name that Load was given.
func (m *Module) Name() string { return m.name }

// Digest returns "sha256:<hex>" of the bytes that Load was given.
func (m *Module) Digest() string { return m.digest }

// ABI returns how the module is called.
func (m *Module) ABI() ABI { return m.convention.abi }

// Exports returns the names of the scorers, sorted.
func (m *Module) Exports() []string { return slices.Clone(m.traits.Exports) }

// Limits returns the limits that hold, defaults filled in.
func (m *Module) Limits() Limits { return m.limits }

// CacheMiss reports whether the module had to be compiled, or the interpreter of a script
// started, although there is a cache.
func (m *Module) CacheMiss() bool { return m.cacheMiss }

// FrontMiss is CacheMiss of the front of a script.
func (m *Module) FrontMiss() bool { return m.front != nil && m.front.cacheMiss }

// Keeps reports whether instances are restored and reused. If not, every call starts a new
// one, which is slower.
func (m *Module) Keeps() bool { return m.traits.Restorable }

// ImageDigest returns "sha256:<hex>" of the initial state of every instance: memory
// and globals. It is the same in every process. Empty: the module has no image, or
// its start has not run yet.
func (m *Module) ImageDigest() string {
	if !m.traits.Restorable || m.traits.PerCall {
		return ""
	}
	return digest.Of(m.image.AppendEncoded(nil))
}

// Call passes a request to a scorer, and returns its answer, appended to answer[:0]. The answer
// may be empty. Usage is valid for failed calls too.
//
// The answer depends on the module, the export, the request and the grants, on nothing
// else.
func (m *Module) Call(ctx context.Context, export string, request, answer []byte) ([]byte, Usage, error) {
	answer = answer[:0]
	at, found := m.find(export)
	if !found {
		known := xslices.Map(m.traits.Exports, func(name string) string { return fmt.Sprintf("%q", fault.Clip(name, maxName)) })
		return answer, Usage{}, fault.New(fault.NotFound, "plugin %s: unknown scorer %q; it has [%s]", m.name, fault.Clip(export, maxName), fault.First(maxListed, known, " "))
	}
	if len(request) > m.limits.InputBytes {
		return answer, Usage{}, fault.WithHint(
			fault.New(fault.Input, "plugin %s: %s: the request has %d bytes, %d allowed", m.name, export, len(request), m.limits.InputBytes),
			"shorten the case")
	}
	if ctx.Err() != nil {
		return answer, Usage{}, fmt.Errorf("plugin %s: %s: not called: %w", m.name, export, flight.Stopped(ctx))
	}
	if got, usage, done, err := m.callFront(ctx, export, request, answer); done {
		return got, usage, err
	}
	return m.callWith(ctx, at, m, request, answer)
}

// callFront has the front of a script answer. It reports false if the script is to be called, as if
// the front had not been: it has left the answer to that, or has failed by itself.
func (m *Module) callFront(ctx context.Context, export string, request, answer []byte) (got []byte, usage Usage, done bool, err error) {
	if m.front == nil {
		return nil, Usage{}, false, nil
	}
	at, found := m.front.find(export)
	if !found {
		return nil, Usage{}, false, nil
	}
	got, usage, err = m.front.callWith(ctx, at, m, request, answer)
	if err != nil { // a limit that the script has, too, or the caller
		return got, usage, ctx.Err() != nil || fault.Is(err, fault.Deadline), err
	}
	return got, usage, len(got) > 0, nil
}

// callWith calls a scorer, whose peers are instances of a script.
func (m *Module) callWith(ctx context.Context, at int, script *Module, request, answer []byte) ([]byte, Usage, error) {
	i, err := m.idle.borrow(ctx)
	if err != nil {
		return answer, Usage{}, err
	}
	i.begin(ctx, wasi.ClockCall, m.access)
	if script.script != nil && script.script.Peer != nil {
		i.beginPeer(script)
	}
	answer, err = m.convention.call(i, at, request, answer)
	instead := i.peer.instead(err)
	i.peer.finish()
	usage := i.usage(i.size())
	m.idle.release(i, err)
	if len(instead) > 0 {
		return append(answer[:0], instead...), usage, nil
	}
	return answer, usage, err
}

// Close frees the module and its instances.
func (m *Module) Close(ctx context.Context) error {
	m.runtime.forget(m)
	m.idle.drain()
	m.peers.drain()
	m.computed.pool.drain()
	err := m.prototype.close(ctx)
	if m.front != nil {
		err = errors.Join(err, m.front.Close(ctx))
	}
	if err != nil {
		return fmt.Errorf("close plugin %s: %w", m.name, err)
	}
	return nil
}
