package wasm

import (
	"context"
	"slices"
	"time"

	"github.com/rubric-host/rubric-host/host/wasm/extism"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/wasi"
)

// A sandbox is all that a guest can use and reach during a call: fuel and time, the world of
// WASI, the network, Extism's kernel, a peer. It counts what the guest uses.
type sandbox struct {
	budget callBudget
	guest  time.Duration // in the guest since the call began, if the runtime is timed
	world  wasi.World
	net    network
	kernel *extism.Kernel // nil: the module has another ABI
	peer   *peer          // nil: it has none
}

// begin starts the budget and the world of a call, or of starting a guest.
func (i *instance) begin(caller context.Context, clock uint64, access *grant.Access) {
	i.guest, i.net.access = 0, access
	l := &i.proto.limits
	i.world.Reset(clock, access, l.LogBytes, l.LogLines)
	i.budget.begin(caller, l)
}

// beginStart begins the start of a guest, to which nothing is granted: all instances start alike.
func (i *instance) beginStart(caller context.Context) {
	i.begin(caller, wasi.ClockStart, i.proto.library.with(nil))
}

// usage returns the resources that the current call has used so far. Its memory has now so
// many bytes.
func (s *sandbox) usage(memory uint64) Usage {
	u := Usage{Fuel: s.budget.used(), PeakMemoryBytes: memory, Guest: s.guest}
	if s.peer != nil {
		u.PeerFuel, u.PeakMemoryBytes = s.peer.fuel(), max(u.PeakMemoryBytes, s.peer.peak)
	}
	if log := s.world.Log(); len(log) > 0 {
		u.Log = slices.Clone(log)
	}
	return u
}

// end closes what the call has opened.
func (s *sandbox) end() {
	s.budget.caller = nil
	s.world.Close()
	s.net.forget()
}
