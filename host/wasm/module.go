package wasm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync/atomic"

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
	name    string
	digest  string
	limits  Limits
	how     *convention
	exports []string // scorers, sorted

	code     atomic.Pointer[code]
	grows    bool         // its memory can grow
	throws   bool         // a call may end with an exception
	most     uint64       // bytes of memory
	imported uint32       // functions that it imports, the refill apart
	data     []meter.Data // what the memory starts with
	globals  []string     // under which its mutable globals are exported
	keeps    bool         // memory and globals are all its state
	late     bool         // a call begins with what has not run yet
	vars     extism.Vars  // what Extism's variables are before a call
	image    *image.Image // what instances start with: initialised, if keeps
	idle     *pool
	owner    *Runtime
	access   *grant.Access // nil: nothing is granted
	scripted *scripted     // nil: the module is no script
	hollows  bool          // it is kept hollow; see hollow.go
	made     bool          // what runs it was not kept
	language *language     // nil: the module is no interpreter
	borrows  bool          // the code is that of an interpreter, which others use too
	rising   *rising       // nil: the code stays what it is
}

// Name returns the name that Load was given.
func (m *Module) Name() string { return m.name }

// Digest returns "sha256:<hex>" of the bytes that Load was given.
func (m *Module) Digest() string { return m.digest }

// ABI returns how the module is called.
func (m *Module) ABI() ABI { return m.how.abi }

// Exports returns the names of the scorers, sorted.
func (m *Module) Exports() []string { return slices.Clone(m.exports) }

// Limits returns the limits that hold, defaults filled in.
func (m *Module) Limits() Limits { return m.limits }

// Made reports whether what runs the module had to be made, though its form and
// its machine code are of those that Options.CacheDir keeps: they were not there, or
// not as they should be.
func (m *Module) Made() bool { return m.made && m.hollows }

// Grant gives every later call what was granted; call it before the first. With
// it an answer may depend on more than the request. What is granted must stay
// open until the module is closed.
func (m *Module) Grant(a *grant.Access) { m.access = a }

// Keeps reports whether instances are used again after their state was put
// back. If not, every call gets a new one, which is right too but slower.
func (m *Module) Keeps() bool { return m.keeps }

// Call passes a request to a scorer and appends the answer to answer[:0], which
// it returns; the answer may be empty. Usage is that of the attempt, also when
// it failed.
//
// The answer depends on the module, the export and the request alone.
func (m *Module) Call(ctx context.Context, export string, request, answer []byte) ([]byte, Usage, error) {
	answer = answer[:0]
	at, found := m.find(export)
	if !found {
		return answer, Usage{}, fault.New(fault.NotFound, "plugin %s: there is no scorer %q; it has [%s]", m.name, fault.Clip(export, maxName),
			listed(len(m.exports), " ", func(i int) string { return fmt.Sprintf("%q", fault.Clip(m.exports[i], maxName)) }))
	}
	if len(request) > m.limits.InputBytes {
		return answer, Usage{}, fault.WithHint(
			fault.New(fault.Input, "plugin %s: %s: the request has %d bytes, %d allowed", m.name, export, len(request), m.limits.InputBytes),
			"shorten the case")
	}
	if ctx.Err() != nil {
		return answer, Usage{}, fmt.Errorf("plugin %s: %s: not called: %w", m.name, export, flight.Stopped(ctx))
	}
	if c := m.code.Load(); c.early {
		return m.callEarly(ctx, at, request, answer)
	}
	answer, usage, _, err := m.attempt(ctx, at, request, answer)
	return answer, usage, err
}

// attempt calls a scorer in an instance. It reports whether that was interpreted
// until there is machine code.
func (m *Module) attempt(ctx context.Context, at int, request, answer []byte) ([]byte, Usage, bool, error) {
	i, slot := m.idle.get()
	if i != nil && i.code != m.code.Load() {
		i.close()
		i = nil
	}
	if i == nil {
		var err error
		if i, err = m.start(ctx, slot); err != nil {
			return answer, Usage{}, m.code.Load().early, err
		}
	}
	i.linear.Watch()
	i.begin(ctx, clockCall)
	i.access = m.access
	answer, err := i.score(at, request, answer)
	usage, early := i.usage(), i.code.early
	m.release(i, err)
	return answer, usage, early, err
}

// find returns the index of a scorer. A program is one, whatever its manifest
// calls it.
func (m *Module) find(export string) (int, bool) {
	if m.how.abi == Command {
		return 0, true
	}
	return slices.BinarySearch(m.exports, export)
}

// usage returns what the current call used so far.
func (i *instance) usage() Usage {
	u := Usage{Fuel: i.used(), PeakMemoryBytes: i.size(), Guest: i.guest}
	if len(i.world.log) > 0 {
		u.Log = slices.Clone(i.world.log)
	}
	return u
}

// release puts an instance back to where it began, or throws it away.
func (m *Module) release(i *instance, err error) {
	i.caller = nil
	i.files.closeAll()
	i.exchanged = exchange{}
	if !m.keeps || !sound(err) || i.code != m.code.Load() || !i.restore() || !m.idle.put(i) {
		i.close()
	}
}

// sound reports whether memory and globals are all that a call has changed. A
// trap leaves nothing else behind: wazero forgets the guest's frames. Deep
// recursion leaves a stack of megabytes.
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
	if m.rising != nil {
		m.rising.end(ctx)
	}
	for _, i := range m.idle.drain() {
		i.close()
	}
	var err error
	if !m.borrows {
		err = m.code.Load().close(ctx)
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
