package wasm

import (
	"bytes"
	"crypto/sha256"
	"sync"

	"github.com/rubric-host/rubric-host/host/wasm/wasi"
)

// computed are answers to requests that new instances of a module computed. They depend on
// the request and the module alone, so that a call is the same whether or not its answer is
// remembered.
type computed struct {
	pool  *pool // of instances that compute: these write to fewer pages than those that serve
	mu    sync.Mutex
	known map[[sha256.Size]byte]computation
	size  int // bytes of all answers
}

// A computation is an answer and its cost.
type computation struct {
	answer     []byte
	fuel, peak uint64
}

// maxComputed is the size of the answers that a module remembers: all are forgotten when
// there are more.
const maxComputed = 8 << 20

func (c *computed) get(key [sha256.Size]byte) (computation, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.known[key]
	return found, ok
}

func (c *computed) put(key [sha256.Size]byte, made computation) {
	const each = 256 // bytes of an entry, about
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size += each + len(made.answer)
	if c.known == nil || c.size > maxComputed {
		c.known, c.size = map[[sha256.Size]byte]computation{}, each+len(made.answer)
	}
	c.known[key] = made
}

// Compute has a new instance answer a request, and nothing else. The peer that runs ends. The
// call pays the fuel of the computation, also if the answer was remembered. Answers are
// remembered, failures are not.
func (p *peer) Compute(request []byte) (wasi.Reply, error) {
	if err := p.admit(request); err != nil {
		return wasi.Reply{}, err
	}
	p.end(nil)
	of, memory, key := p.of, p.computed, sha256.Sum256(request)
	made, known := memory.get(key)
	if known {
		of.budget.Spend(peerStartCost)
	} else {
		used := p.used
		if err := p.start(of.budget.left(), p.computed.pool); err != nil {
			return wasi.Reply{}, err
		}
		reply, err := p.answered(request)
		if reply.End == wasi.EndAnswer && err == nil {
			made = computation{bytes.Clone(reply.Payload), reply.Fuel, p.i.size()}
			p.end(nil)
			memory.put(key, made)
		}
		p.used = used // the call pays
		if err != nil || reply.End != wasi.EndAnswer {
			if charged := of.budget.charge(reply.Fuel); err == nil {
				err = charged
			}
			return reply, err
		}
	}
	p.peak = max(p.peak, made.peak)
	return wasi.Reply{End: wasi.EndAnswer, Payload: made.answer, Fuel: made.fuel}, of.budget.charge(made.fuel)
}
