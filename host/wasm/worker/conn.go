package worker

import (
	"fmt"
	"sync"
)

// A conn is the parent's end of the pipes of one worker. A loader uses it first, then an
// owner, and beside it two goroutines: one calls read, one out.run.
type conn struct {
	p        *process
	in       *frameReader
	findings []Finding

	out     *outbox
	batches chan *batch // that are not posted
}

func newConn(p *process) *conn {
	return &conn{p: p, in: newFrameReader(p.out, mostLoading), out: newOutbox(p.in), batches: make(chan *batch, 2)}
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
