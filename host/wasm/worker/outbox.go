package worker

import (
	"io"
	"sync"
)

// An outbox writes messages. Those that are sent while another goroutine writes gather,
// and are written together.
type outbox struct {
	w io.Writer

	mu      sync.Mutex
	c       coder // unwritten messages
	spare   []byte
	writing bool
	err     error
}

// send writes a message, or leaves it to the goroutine that writes.
func (o *outbox) send(k kind, m message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	appendFrame(&o.c, k, m)
	if o.writing {
		return nil
	}
	o.writing = true
	for len(o.c.b) > 0 && o.err == nil {
		b := o.c.b
		o.c.b = o.spare
		o.mu.Unlock()
		_, err := o.w.Write(b)
		o.mu.Lock()
		o.err, o.spare = err, pooled(b)
	}
	o.writing = false
	return o.err
}
