package wasm

import (
	"errors"
	"slices"
	"strconv"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/wasi"
)

// A peer is the second instance of a script's module that an instance of that, or of its front,
// sends requests to during a call. It is taken from a pool for the first request, and given back when it
// fails, is restarted, or the call ends. It has no peer and no grants.
//
// A request runs on the goroutine of the call, in an instance that nothing else uses: no
// guest is entered that is calling the host.
type peer struct {
	of       *instance // that sends the requests
	pool     *pool     // of peers
	computed *computed // answers of its module
	i        *instance // nil: none runs
	from     *pool     // of i

	most uint64 // fuel that the next instance may use; zero: the rest of the call's
	used uint64 // fuel of the instances of this call that have ended
	peak uint64 // bytes of memory of the largest of them

	answer []byte // buffer
	left   []byte // the answer to the call if it ends by fuel, memory or depth; empty: none
}

// Charges for the work of the host that its time does not bound, as bytes moved: some
// microseconds to enter an instance, some 100 to take one and to restore it.
const (
	peerAskCost   = 16 << 10
	peerStartCost = 2 << 20
)

// maxKeptAnswer is the size of the largest buffer that a peer keeps between calls.
const maxKeptAnswer = 64 << 10

// beginPeer gives a call the peers of a script.
func (i *instance) beginPeer(m *Module) {
	if i.peer == nil {
		i.peer = &peer{of: i, pool: m.peers, computed: &m.computed}
	}
	i.peer.begin()
	i.world.Peer = i.peer
}

// begin prepares for a call.
func (p *peer) begin() { p.most, p.used, p.peak, p.left = 0, 0, 0, nil }

// Ask sends a request to the peer, which it starts if none runs.
func (p *peer) Ask(request []byte) (wasi.Reply, error) {
	if err := p.admit(request); err != nil {
		return wasi.Reply{}, err
	}
	if p.i == nil {
		most := p.of.proto.limits.PeerFuel
		fuel := most - min(most, p.used)
		if p.most > 0 {
			fuel = min(fuel, p.most)
		}
		if fuel == 0 {
			return wasi.Reply{End: string(fault.Fuel)}, nil
		}
		if err := p.start(fuel, p.pool); err != nil {
			return wasi.Reply{}, err
		}
	}
	return p.answered(request)
}

// admit checks a request, and charges for it.
func (p *peer) admit(request []byte) error {
	if most := p.of.proto.limits.InputBytes; len(request) > most {
		return fault.WithHint(fault.New(fault.Input, "the request to its peer has %d bytes, %d allowed", len(request), most), "shorten the case")
	}
	return p.pay()
}

// answered passes a request to the instance that runs.
func (p *peer) answered(request []byte) (wasi.Reply, error) {
	proto, before := p.i.proto, p.i.budget.used()
	p.i.budget.prepare(&proto.limits)
	answer, err := proto.script.Peer(Guest{p.i}, request, p.answer[:0])
	p.answer = answer[:0]
	r := wasi.Reply{End: wasi.EndAnswer, Payload: answer, Fuel: p.i.budget.used() - before}
	if err == nil {
		return r, nil
	}
	end, payload, failed := p.why(err)
	p.end(err)
	r.End, r.Payload = end, payload
	return r, failed
}

// Restart ends the peer. The next one may use so much fuel; zero: the rest.
func (p *peer) Restart(fuel uint64) error {
	if err := p.pay(); err != nil {
		return err
	}
	p.end(nil)
	p.most = fuel
	return nil
}

// Leave notes the answer to the call if it ends by fuel, memory or depth; empty: none.
func (p *peer) Leave(answer []byte) error {
	if len(answer) > p.of.proto.limits.OutputBytes {
		return p.of.tooLong("leave", uint64(len(answer)))
	}
	p.left = slices.Clone(answer)
	return nil
}

// instead returns the answer to a call that has ended with an error; empty: it has none.
func (p *peer) instead(err error) []byte {
	class := fault.Of(err)
	if p == nil || class != fault.Fuel && class != fault.Memory && class != fault.Depth || p.of.linear.Starved() || p.of.cutShort(err) {
		return nil
	}
	return p.left
}

// pay charges the call for an operation on its peer. It looks at the call's time: to restore a
// large memory takes longer than a slice of fuel.
func (p *peer) pay() error {
	p.of.budget.Spend(peerAskCost)
	return p.of.budget.checkTime()
}

func (p *peer) start(fuel uint64, from *pool) error {
	of := p.of
	of.budget.Spend(peerStartCost)
	i, err := from.borrow(of.budget.caller)
	if err != nil {
		return err
	}
	i.begin(of.budget.caller, wasi.ClockCall, i.proto.library.with(nil))
	i.budget.allow(fuel, of.budget.deadline)
	i.budget.began = of.budget.began
	p.i, p.from = i, from
	return nil
}

// end gives the instance back. err is that of its last request.
func (p *peer) end(err error) {
	i := p.i
	if i == nil {
		return
	}
	p.i = nil
	p.used += i.budget.used()
	p.peak = max(p.peak, i.size())
	p.from.release(i, err)
}

// finish ends the peer, if there is one, with the call.
func (p *peer) finish() {
	if p == nil {
		return
	}
	p.end(nil)
	if cap(p.answer) > maxKeptAnswer {
		p.answer = nil
	}
}

// fuel returns the fuel that all instances of this call have used.
func (p *peer) fuel() uint64 {
	if p.i != nil {
		return p.used + p.i.budget.used()
	}
	return p.used
}

// why returns why the peer ended with an error, and its message. If the host has
// failed, or the call must end, failed is the error of the call that sent the request.
func (p *peer) why(err error) (end string, payload []byte, failed error) {
	var stop flight.StoppedError
	var exit wasi.ExitError
	class := fault.Of(err)
	switch {
	case errors.As(err, &stop):
		return "", nil, stop
	case class == fault.Deadline:
		return "", nil, errDeadline
	case p.i.linear.Starved() || p.i.cutShort(err):
		return "", nil, err
	case errors.As(err, &exit):
		return "exit", strconv.AppendUint(nil, uint64(exit.Code), 10), nil
	case class == fault.Trap || class == fault.PluginError:
		return string(fault.Trap), []byte(err.Error()), nil
	case class == fault.Fuel || class == fault.Depth || class == fault.Memory || class == fault.Output:
		return string(class), nil, nil
	}
	return "", nil, err
}
