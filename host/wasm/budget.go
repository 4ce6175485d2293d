package wasm

import (
	"context"
	"time"

	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// A callBudget bounds one call: fuel, time and nested calls. It ends with the
// caller's context.
type callBudget struct {
	fuel, depth api.MutableGlobal
	denied      api.MutableGlobal // not zero: memory.grow was denied; nil if memory cannot grow
	thrown      api.MutableGlobal // not zero: an exception was not caught; nil if there are none

	count    meter.Budget
	deadline time.Duration
	began    time.Time       // zero until the first refill
	caller   context.Context //nolint:containedctx // for the refill, which has no parameter for it
}

// bind finds the meter's globals in an instance.
func (b *callBudget) bind(mod api.Module, t *traits) {
	b.fuel, b.depth = mutableGlobal(mod, meter.FuelName), mutableGlobal(mod, meter.DepthName)
	if t.Grows {
		b.denied = mutableGlobal(mod, meter.DeniedName)
	}
	if t.Throws {
		b.thrown = mutableGlobal(mod, meter.ThrownName)
	}
}

func (b *callBudget) begin(caller context.Context, l *Limits) {
	b.caller, b.began = caller, time.Time{}
	b.allow(l.Fuel, l.Deadline)
	b.prepare(l)
}

// prepare is called before the host enters a guest, which may have run before in this call.
func (b *callBudget) prepare(l *Limits) {
	b.depth.Set(uint64(l.Depth))
	if b.denied != nil {
		b.denied.Set(0)
	}
	if b.thrown != nil {
		b.thrown.Set(0)
	}
}

// allow starts the count of fuel again, with other limits.
func (b *callBudget) allow(fuel uint64, deadline time.Duration) {
	b.deadline = deadline
	b.fuel.Set(uint64(b.count.Start(fuel)))
}

// refill returns the next slice of fuel for a guest that has left, below zero. An error
// ends the call.
func (b *callBudget) refill(left int64) (int64, error) {
	left, ok := b.count.Refill(left)
	switch {
	case !ok:
		return left, errFuel
	case b.caller.Err() != nil:
		return left, flight.Stopped(b.caller)
	case b.began.IsZero():
		b.began = time.Now()
	case time.Since(b.began) > b.deadline:
		return left, errDeadline
	}
	return left, nil
}

// Spend charges for bytes that a host function moved.
func (b *callBudget) Spend(bytes int) { b.fuel.Set(b.fuel.Get() - uint64(bytes/8)) }

// charge takes fuel that another instance used for this call.
func (b *callBudget) charge(fuel uint64) error {
	b.fuel.Set(b.fuel.Get() - fuel)
	return b.Checkpoint()
}

// left returns the fuel that the call may still use.
func (b *callBudget) left() uint64 { return b.count.Limit - min(b.count.Limit, b.used()) }

// Checkpoint refills the fuel if it is used up, for host functions that work for long.
func (b *callBudget) Checkpoint() error {
	left := int64(b.fuel.Get())
	if left >= 0 {
		return nil
	}
	left, err := b.refill(left)
	b.fuel.Set(uint64(left))
	return err
}

// Context returns the caller's context.
func (b *callBudget) Context() context.Context { return b.caller }

// expiry returns when the call's time is over. It starts the clock.
func (b *callBudget) expiry() time.Time {
	if b.began.IsZero() {
		b.began = time.Now()
	}
	return b.began.Add(b.deadline)
}

// checkTime returns an error if the time of the call is over, or its caller has cancelled.
func (b *callBudget) checkTime() error {
	switch {
	case b.caller.Err() != nil:
		return flight.Stopped(b.caller)
	case time.Now().After(b.expiry()):
		return errDeadline
	}
	return nil
}

func (b *callBudget) used() uint64 { return b.count.Used(int64(b.fuel.Get())) }

// overdrawn reports whether host functions charged more fuel than the call may use, after
// the guest's last refill.
func (b *callBudget) overdrawn() bool { return int64(b.fuel.Get()) < 0 && b.used() > b.count.Limit }

func mutableGlobal(mod api.Module, name string) api.MutableGlobal {
	g, _ := mod.ExportedGlobal(name).(api.MutableGlobal)
	return g
}
