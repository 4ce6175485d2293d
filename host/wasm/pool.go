package wasm

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A pool keeps idle instances. Taking one and giving it back takes no lock, and
// a goroutine tends to get the instance that its processor used last, which is
// still in that processor's cache.
type pool struct {
	slots []slot
	turn  atomic.Uint32
	near  sync.Pool // of *int: the slot that this processor used last
}

// A slot holds one instance, on cache lines of its own.
type slot struct {
	atomic.Pointer[instance]
	_ [120]byte
}

// slotsPerProcessor is generous: calls that outlast a slice of fuel let others
// run in between.
const slotsPerProcessor = 4

func newPool() *pool {
	return &pool{slots: make([]slot, slotsPerProcessor*runtime.GOMAXPROCS(0))}
}

// get takes an idle instance, or returns nil if there is none. It returns the
// slot near this processor too, where a new instance belongs.
func (p *pool) get() (i *instance, start int) {
	if hint, ok := p.near.Get().(*int); ok {
		start = *hint
		p.near.Put(hint)
	} else {
		start = int(p.turn.Add(1)) % len(p.slots)
		hint := start
		p.near.Put(&hint)
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

// put gives an instance back. It reports false if there is no room.
func (p *pool) put(i *instance) bool {
	start := i.slot
	for k := range p.slots {
		at := (start + k) % len(p.slots)
		i.slot = at // before anybody can take it
		if p.slots[at].CompareAndSwap(nil, i) {
			return true
		}
	}
	return false
}

// drain takes out all idle instances.
func (p *pool) drain() (all []*instance) {
	for k := range p.slots {
		if i := p.slots[k].Swap(nil); i != nil {
			all = append(all, i)
		}
	}
	return all
}
