package worker

import "fmt"

// A conn is the parent's end of the pipes of one worker. A loader uses it first, then an
// owner, and beside it two goroutines: one calls read, one out.run.
type conn struct {
	p        *process
	in       *frameReader
	out      *outbox
	findings []Finding
}

func newConn(p *process) *conn {
	return &conn{p: p, in: newFrameReader(p.out, mostLoading), out: newOutbox(p.in)}
}

// send writes a message and waits until it is written.
func (k *conn) send(as kind, m message) error {
	var c coder
	appendFrame(&c, as, m)
	_, err := k.p.in.Write(c.b)
	return err
}

// read posts messages until the worker ends or violates the protocol. One is posted once
// that before it is handled, which bounds the memory for a worker that floods.
func (k *conn) read(post func(message)) error {
	for {
		as, body, err := k.in.next()
		if err != nil {
			return err
		}
		var m message
		switch as {
		case kindCallResponse:
			m = new(callResponse)
		case kindHostRequest:
			m = new(hostRequest)
		default:
			return fmt.Errorf("%w: %s", errProtocol, as)
		}
		if err := k.in.decode(body, as, m); err != nil {
			return err
		}
		post(m)
	}
}
