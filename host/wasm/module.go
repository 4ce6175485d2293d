package wasm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/extism"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// A Module is a loaded module, ready to be called. It is safe for concurrent
// use. Close it, or the Runtime that it came from, when no call is running.
type Module struct {
	name       string
	digest     string
	limits     Limits
	convention *convention
	traits     traits
	owner      *Runtime
	access     *grant.Access // nil: nothing is granted

	code      *code
	cacheMiss bool         // there is a store, but code was not in it
	data      []meter.Data // initial memory
	files     []Data       // that the guest gets when it is started
	vars      extism.Vars  // Extism's variables at the start of a call
	image     *image.Image // state of a new instance: initialised, if restorable
	idle      *pool
	peers     *pool // idle instances that serve others as peers: these write to other pages

	computed computed // for scripts with a peer

	script *hosted // whose interpreter owns code; nil: the module is not a script
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

// CacheMiss reports whether the module had to be compiled although there is a cache.
func (m *Module) CacheMiss() bool { return m.cacheMiss }

// Keeps reports whether instances are restored and reused. If not, every call starts a new
// one, which is slower.
func (m *Module) Keeps() bool { return m.traits.Restorable }

// Call passes a request to a scorer, and returns its answer, appended to answer[:0]. The answer
// may be empty. Usage is valid for failed calls too.
//
// The answer depends on the module, the export, the request and the grants, on nothing
// else.
func (m *Module) Call(ctx context.Context, export string, request, answer []byte) ([]byte, Usage, error) {
	answer = answer[:0]
	at, found := m.find(export)
	if !found {
		return answer, Usage{}, fault.New(fault.NotFound, "plugin %s: unknown scorer %q; it has [%s]", m.name, fault.Clip(export, maxName),
			listed(len(m.traits.Exports), " ", func(i int) string { return fmt.Sprintf("%q", fault.Clip(m.traits.Exports[i], maxName)) }))
	}
	if len(request) > m.limits.InputBytes {
		return answer, Usage{}, fault.WithHint(
			fault.New(fault.Input, "plugin %s: %s: the request has %d bytes, %d allowed", m.name, export, len(request), m.limits.InputBytes),
			"shorten the case")
	}
	if ctx.Err() != nil {
		return answer, Usage{}, fmt.Errorf("plugin %s: %s: not called: %w", m.name, export, flight.Stopped(ctx))
	}
	i, err := m.borrow(ctx, m.idle)
	if err != nil {
		return answer, Usage{}, err
	}
	i.linear.Watch()
	i.beginCall(ctx)
	answer, err = i.score(at, request, answer)
	if i.peer != nil {
		i.peer.finish()
	}
	usage := i.usage()
	m.release(i, err)
	return answer, usage, err
}

// borrow takes an idle instance from a pool, or starts one for it.
func (m *Module) borrow(caller context.Context, from *pool) (*instance, error) {
	i, slot := from.get()
	if i != nil {
		return i, nil
	}
	i, err := m.start(caller, slot)
	if err != nil {
		return nil, err
	}
	i.pool = from
	return i, nil
}

// find returns the index of a scorer. A program answers to any name.
func (m *Module) find(export string) (int, bool) {
	if m.convention.abi == Command {
		return 0, true
	}
	return slices.BinarySearch(m.traits.Exports, export)
}

// usage returns the resources that the current call has used so far.
func (i *instance) usage() Usage {
	u := Usage{Fuel: i.budget.used(), PeakMemoryBytes: i.size(), Guest: i.guest}
	if i.peer != nil {
		u.PeerFuel, u.PeakMemoryBytes = i.peer.fuel(), max(u.PeakMemoryBytes, i.peer.peak)
	}
	if log := i.world.Log(); len(log) > 0 {
		u.Log = slices.Clone(log)
	}
	return u
}

// release restores an instance, or closes it.
func (m *Module) release(i *instance, err error) {
	i.budget.caller = nil
	i.world.Close()
	i.net.forget()
	if !m.traits.Restorable || !sound(err) || !i.restore(m.image) || !i.pool.put(i) {
		i.close()
	}
}

// sound reports whether an instance can be restored after a call with this error. A trap leaves
// nothing behind: wazero drops the guest's frames. Deep recursion leaves a stack of megabytes.
func sound(err error) bool {
	if err == nil {
		return true
	}
	class := fault.Of(err)
	return class != fault.Depth && class != fault.Internal
}

// Close frees the module and its instances.
func (m *Module) Close(ctx context.Context) error {
	m.owner.forget(m)
	for _, p := range []*pool{m.idle, m.peers} {
		for _, i := range p.drain() {
			i.close()
		}
	}
	var err error
	if m.script == nil {
		err = m.code.close(ctx)
	}
	if m.image != nil {
		m.image.Close()
	}
	if err != nil {
		return fmt.Errorf("close plugin %s: %w", m.name, err)
	}
	return nil
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
