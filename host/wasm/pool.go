package wasm

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/rubric-host/rubric-host/host/fault"
)

// A pool keeps idle instances of a prototype, without locks. A goroutine tends to get the
// instance that its processor used last, which is still in that processor's cache.
type pool struct {
	of     *prototype
	slots  []slot
	turn   atomic.Uint32
	recent sync.Pool // of *int: the slot that this processor used last
}

// A slot holds one instance. It is padded to cache lines of its own.
type slot struct {
	atomic.Pointer[instance]
	_ [120]byte
}

// slotsPerProcessor is more than one, because a call that outlasts a slice of fuel yields to
// others.
const slotsPerProcessor = 4

func newPool(of *prototype) *pool {
	return &pool{of: of, slots: make([]slot, slotsPerProcessor*runtime.GOMAXPROCS(0))}
}

// borrow returns an idle instance, or starts one, and watches what a call writes to it.
func (p *pool) borrow(caller context.Context) (*instance, error) {
	i, slot := p.get()
	if i == nil {
		var err error
		if i, err = p.of.start(caller, slot); err != nil {
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

// get takes an idle instance, or nil if there is none, and returns the slot that this processor
// used last, for a new instance.
func (p *pool) get() (i *instance, start int) {
	if hint, ok := p.recent.Get().(*int); ok {
		start = *hint
		p.recent.Put(hint)
	} else {
		start = int(p.turn.Add(1)) % len(p.slots)
		hint := start
		p.recent.Put(&hint)
	}
	for k := range p.slots {
		at := (start + k) % len(p.slots)
		if p.slots[at].Load() == nil {
			continue
		}
		if i = p.slots[at].Swap(nil); i != nil {
			return i, start
		}
	}
	return nil, start
}

// put returns an instance to the pool. It reports false if the pool is full.
func (p *pool) put(i *instance) bool {
	start := i.slot
	for k := range p.slots {
		at := (start + k) % len(p.slots)
		i.slot = at // before another goroutine can take it
		if p.slots[at].CompareAndSwap(nil, i) {
			return true
		}
	}
	return false
}

// drain closes all idle instances.
func (p *pool) drain() {
	for k := range p.slots {
		if i := p.slots[k].Swap(nil); i != nil {
			i.close()
		}
	}
}
