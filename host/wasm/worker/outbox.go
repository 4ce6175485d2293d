package worker

import (
	"io"
	"sync"
)

// An outbox writes messages without holding up those who send them. Messages that are sent
// while others are written gather, and are written together.
type outbox struct {
	w    io.Writer
	wake chan struct{} // of capacity 1: messages wait, perhaps

	mu      sync.Mutex
	c       coder // unwritten messages
	spare   []byte
	writing int // bytes that run writes
}

func newOutbox(w io.Writer) *outbox { return &outbox{w: w, wake: make(chan struct{}, 1)} }

// send hands a message to run.
func (o *outbox) send(k kind, m message) {
	o.mu.Lock()
	appendFrame(&o.c, k, m)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// unwritten returns how many bytes the other end has not read, those in the pipe apart.
func (o *outbox) unwritten() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.c.b) + o.writing
}

// run writes messages until wake is closed. Failures are ignored: who reads from the other
// end learns that it has ended.
func (o *outbox) run() {
	for range o.wake {
		o.mu.Lock()
		b := o.c.b
		o.c.b, o.writing = o.spare, len(b)
		o.mu.Unlock()
		o.w.Write(b) //nolint:errcheck // see above
		o.mu.Lock()
		if o.spare, o.writing = b[:0], 0; cap(b) > maxKept {
			o.spare = nil
		}
		o.mu.Unlock()
	}
}

// maxKept is the size of the largest buffer that is kept for other messages.
const maxKept = 1 << 20
