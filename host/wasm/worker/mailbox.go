package worker

import "sync"

// A mailbox hands events, which an owner calls, to it.
type mailbox struct {
	events chan func(*owner)
	ended  chan struct{}  // closed when the owner has ended
	group  sync.WaitGroup // goroutines that post events
}

// post hands an event to the owner, which must not call it. It reports false if the owner
// has ended.
func (b *mailbox) post(event func(*owner)) bool {
	select {
	case b.events <- event:
		return true
	case <-b.ended:
		return false
	}
}
