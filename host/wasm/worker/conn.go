package worker

import (
	"fmt"
	"sync"
	"syscall"
)

// A conn is the parent's end of the pipes of one worker. A loader uses it first, then an
// owner, and beside it two goroutines: one calls read, one calls write.
type conn struct {
	p        *process
	in       *frameReader
	findings []Finding

	out     coder // messages that are not written yet
	raw     syscall.RawConn
	attempt attempt
	try     func(fd uintptr) bool // attempt.write
	rest    chan []byte           // left to write
	writing []byte                // the buffer that write has; nil: none
	spare   []byte
	batches chan *batch // that are not posted
}

func newConn(p *process) *conn {
	k := &conn{p: p, in: newFrameReader(p.out, mostLoading), rest: make(chan []byte, 1), batches: make(chan *batch, 2)}
	k.try = k.attempt.write
	k.raw, _ = p.in.SyscallConn() // it is open
	return k
}

// send writes a message and waits until it is written.
func (k *conn) send(as kind, m message) error {
	c := coder{split: true}
	appendFrame(&c, as, m)
	if _, err := k.p.in.Write(c.b); err != nil {
		return err
	}
	_, err := k.p.in.Write(c.last)
	return err
}

// queue adds a message to the queue, which flush writes.
func (k *conn) queue(as kind, m message) { appendFrame(&k.out, as, m) }

// unread returns how many bytes the worker has not read, those in the pipe apart.
func (k *conn) unread() int { return len(k.out.b) + len(k.writing) }

// flush writes the queue as far as it can without blocking, and leaves the rest to write.
// Failures are ignored: read reports that the worker has ended.
func (k *conn) flush() {
	if k.writing != nil || len(k.out.b) == 0 {
		return
	}
	b := k.out.b
	n, err := k.tryWrite(b)
	if err == nil && n < len(b) {
		k.writing, k.out.b = b, k.spare[:0]
		k.rest <- b[n:]
		return
	}
	k.out.b = pooled(b)
}

// write writes the bytes that flush leaves, until rest is closed, and calls written after
// each buffer.
func (k *conn) write(written func()) {
	for b := range k.rest {
		k.p.in.Write(b) //nolint:errcheck // see flush
		written()
	}
}

// written takes back the buffer that write had.
func (k *conn) written() {
	k.spare, k.writing = pooled(k.writing), nil
	k.flush()
}

// pooled returns an empty buffer, unless it has become large.
func pooled(b []byte) []byte {
	if cap(b) > maxPooled {
		return nil
	}
	return b[:0]
}

// A batch holds the messages that arrived together.
type batch struct {
	from *conn
	list []event
}

// handle handles the events of a batch, and gives it back.
func (b *batch) handle(o *owner) {
	defer func() { // after a panic, too
		clear(b.list)
		b.list = b.list[:0]
		b.from.batches <- b
	}()
	for _, e := range b.list {
		e.handle(o)
	}
}

var responses = sync.Pool{New: func() any { return new(callResponse) }}

// free gives a response back for reuse.
func (m *callResponse) free() {
	m.answer, m.usage.Log = pooled(m.answer), pooled(m.usage.Log)
	responses.Put(m)
}

// read posts messages until the worker ends or violates the protocol. At most two batches
// are posted and not handled, which bounds the memory for a worker that floods.
func (k *conn) read(post func(event) bool) error {
	for range cap(k.batches) {
		k.batches <- &batch{from: k}
	}
	for {
		b := <-k.batches
		err := k.receive(b)
		post(b)
		if err != nil {
			return err
		}
	}
}

// receive reads a message, and those that have arrived with it.
func (k *conn) receive(b *batch) error {
	for more := true; more; more = k.in.buffered() {
		as, body, err := k.in.next()
		if err != nil {
			return err
		}
		switch as {
		case kindCallResponse:
			m := responses.Get().(*callResponse)
			if err := k.in.decode(body, as, m); err != nil {
				return err
			}
			b.list = append(b.list, m)
		case kindHostRequest:
			m := new(hostRequest)
			if err := k.in.decode(body, as, m); err != nil {
				return err
			}
			b.list = append(b.list, m)
		default:
			return fmt.Errorf("%w: %s", errProtocol, as)
		}
	}
	return nil
}
