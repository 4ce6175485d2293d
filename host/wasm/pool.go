package wasm

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A pool keeps idle instances, without locks. A goroutine tends to get the instance that its
// processor used last, which is still in that processor's cache.
type pool struct {
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

func newPool() *pool { return &pool{slots: make([]slot, slotsPerProcessor*runtime.GOMAXPROCS(0))} }

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

// drain removes and returns all idle instances.
func (p *pool) drain() (all []*instance) {
	for k := range p.slots {
		if i := p.slots[k].Swap(nil); i != nil {
			all = append(all, i)
		}
	}
	return all
}
