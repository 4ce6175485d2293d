package worker

import "sync"

// An event is handled by an owner.
type event interface{ handle(o *owner) }

// A todo is an event.
type todo func(o *owner)

func (f todo) handle(o *owner) { f(o) }

// A mailbox hands events to an owner.
type mailbox struct {
	events chan event
	ended  chan struct{}  // closed when the owner has ended
	group  sync.WaitGroup // goroutines that post events
}

func newMailbox() mailbox { return mailbox{events: make(chan event), ended: make(chan struct{})} }

// post hands an event to the owner, which must not call it. It reports false if the owner
// has ended.
func (b *mailbox) post(e event) bool {
	select {
	case b.events <- e:
		return true
	case <-b.ended:
		return false
	}
}
