package worker

import "sync"

// An event is handled by an owner.
type event interface{ handle(o *owner) }

// A todo is an event.
type todo func(o *owner)

func (f todo) handle(o *owner) { f(o) }

// A mailbox is a queue of events for one goroutine. It takes all that have gathered at
// once, which costs less than a channel that is read event by event.
type mailbox struct {
	mu     sync.Mutex
	list   []event
	closed bool
	wake   chan struct{} // of capacity 1: list is not empty any more
}

// post adds an event. It reports false if the mailbox is closed.
func (b *mailbox) post(e event) bool {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return false
	}
	b.list = append(b.list, e)
	first := len(b.list) == 1
	b.mu.Unlock()
	if first {
		b.wake <- struct{}{}
	}
	return true
}

// take waits for events, and returns them in exchange for an empty list.
func (b *mailbox) take(empty []event) []event {
	<-b.wake
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.list
	b.list = empty
	return list
}

// close returns the events that were not taken.
func (b *mailbox) close() []event {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	return b.list
}
