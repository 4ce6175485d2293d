package wasm

import (
	"context"
	"runtime"
	"sync"

	"github.com/rubric-host/rubric-host/host/fault"
)

// A pool keeps idle instances of a prototype, the one that was used last on top: its memory is
// still in a processor's cache.
type pool struct {
	of *prototype

	mu   sync.Mutex
	idle []*instance
}

// idlePerProcessor is more than one, because a call that outlasts a slice of fuel yields to others.
const idlePerProcessor = 4

// borrow returns an idle instance, or starts one, and watches what a call writes to it.
func (p *pool) borrow(caller context.Context) (*instance, error) {
	i := p.get()
	if i == nil {
		var err error
		if i, err = p.of.start(caller); err != nil {
			return nil, err
		}
	}
	i.linear.Watch()
	return i, nil
}

// release restores an instance whose call ended with an error or nil, and keeps it, or closes it.
func (p *pool) release(i *instance, err error) {
	i.end()
	if !p.of.traits.Restorable || !sound(err) || !i.restore(p.of.image) || !p.put(i) {
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

// get takes an idle instance, or nil if there is none.
func (p *pool) get() *instance {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	i := p.idle[last]
	p.idle[last] = nil // whoever borrows it may discard it
	p.idle = p.idle[:last]
	return i
}

// put returns an instance to the pool. It reports false if the pool is full.
func (p *pool) put(i *instance) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) >= idlePerProcessor*runtime.GOMAXPROCS(0) {
		return false
	}
	p.idle = append(p.idle, i)
	return true
}

// drain closes all idle instances.
func (p *pool) drain() {
	for i := p.get(); i != nil; i = p.get() {
		i.close()
	}
}
