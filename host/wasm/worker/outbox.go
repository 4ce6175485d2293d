package worker

import (
	"io"
	"runtime"
	"sync"
	"time"
)

// An outbox collects frames while others are being written, or while there is no
// hurry, and writes them together.
type outbox struct {
	w io.Writer

	mu         sync.Mutex
	buf, spare []byte
	writing    bool
	err        error

	held     int           // answers in buf that nobody has seen to yet
	sweeping bool          // somebody sees to them before long
	wake     chan struct{} // has them do so; nil: nothing is held
}

// write adds a frame and writes it, or leaves it to who is writing.
func (o *outbox) write(add func(b []byte) []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.buf = add(o.buf)
	return o.flush()
}

// flush writes what is there. It is called with the lock held, and gives it up
// while it writes.
func (o *outbox) flush() error {
	if o.writing {
		return nil
	}
	o.writing = true
	for len(o.buf) > 0 && o.err == nil {
		b := o.buf
		o.buf, o.held = o.spare[:0], 0
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

// hold writes what is there, or leaves an answer that was added until there are
// more: as many as calls that wait to be made, which keep this worker busy until
// those who got answers send more. It is called with the lock held.
func (o *outbox) hold(waiting int) error {
	o.held++
	if o.wake == nil || o.held >= waiting || len(o.buf) >= readAhead {
		return o.flush()
	}
	if !o.sweeping {
		o.sweeping = true
		o.wake <- struct{}{}
	}
	return nil
}

// heldFor is how long an answer may be held, or twice that. What calls of a
// millisecond save by being answered together is not worth more.
const heldFor = 2 * time.Millisecond

// sweep lets answers be held, and writes those that are held for long: others
// may take their time. A guest keeps its processor to itself; with one alone
// nobody could see to what is held.
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
