package worker

import (
	"io"
	"runtime"
	"sync"
	"time"
)

// An outbox writes messages. Those that are sent while another goroutine writes, and
// responses that are not urgent, gather and are written together.
type outbox struct {
	w io.Writer

	mu      sync.Mutex
	c       coder // what is to be written
	spare   []byte
	writing bool
	err     error

	held     int           // responses in c that nobody is going to write yet
	sweeping bool          // the sweeper is going to write them
	wake     chan struct{} // wakes the sweeper; nil: nothing is held
}

// send writes a message, or leaves it to the goroutine that writes.
func (o *outbox) send(k kind, m message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	appendFrame(&o.c, k, m)
	return o.flush()
}

// flush writes what has gathered. It is called with the lock held, and releases it while
// it writes.
func (o *outbox) flush() error {
	if o.writing {
		return nil
	}
	o.writing = true
	for len(o.c.b) > 0 && o.err == nil {
		b := o.c.b
		o.c.b, o.held = o.spare[:0], 0
		o.mu.Unlock()
		_, err := o.w.Write(b)
		o.mu.Lock()
		o.err, o.spare = err, b[:0]
		if cap(b) > maxPooled {
			o.spare = nil
		}
	}
	o.writing = false
	return o.err
}

// hold sends a response, or keeps it until there are as many as calls that wait to be
// made: they keep this worker busy until those who got responses send more calls.
func (o *outbox) hold(m *callResponse, waiting int) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	appendFrame(&o.c, kindCallResponse, m)
	o.held++
	if o.wake == nil || o.held >= waiting || len(o.c.b) >= readAhead {
		return o.flush()
	}
	if !o.sweeping {
		o.sweeping = true
		o.wake <- struct{}{}
	}
	return nil
}

// heldFor is how long a response may be held, or twice that. Calls of a millisecond gain
// too little from being answered together to wait longer.
const heldFor = 2 * time.Millisecond

// sweep starts the sweeper, which writes responses that are held for long: the calls
// after them may be slow. A guest keeps its processor to itself, so with one processor
// the sweeper could not run, and nothing is held.
func (o *outbox) sweep() {
	if runtime.GOMAXPROCS(0) == 1 {
		return
	}
	o.wake = make(chan struct{}, 1)
	go func() {
		for range o.wake {
			for o.swept() {
			}
		}
	}()
}

// swept writes what is held after a while, and reports whether anything was.
func (o *outbox) swept() bool {
	time.Sleep(heldFor)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.held == 0 {
		o.sweeping = false
		return false
	}
	o.flush() //nolint:errcheck // if nobody reads, the input ends as well
	return true
}
