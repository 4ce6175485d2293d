package worker

import (
	"slices"
	"time"

	"github.com/rubric-host/rubric-host/host/wasm"
)

// A pending call has a caller that waits for done.
type pending struct {
	callRequest
	size   int // of the request
	answer []byte
	usage  wasm.Usage
	err    error
	done   chan struct{} // of capacity 1

	gone    bool      // its caller does not wait any longer
	alone   bool      // was in flight when a worker died: it is retried alone
	since   time.Time // it has begun; zero: perhaps not
	session *session  // nil: it has requested nothing
}

// finish gives a call its outcome. The owner has removed it from its lists.
func (c *pending) finish(err error) {
	if !c.gone {
		c.err = err
		c.done <- struct{}{}
	}
}

// calls are the pending calls of one module. They wait until they fit the window, and are
// in flight until they are answered. A worker begins the calls in flight in the order in
// which they were sent.
type calls struct {
	parallel int // that a worker makes at once
	waiting  []*pending
	flight   []*pending
	bytes    int // of the requests in flight
}

// window is how many calls are in flight at most: enough for batches, few enough to
// retry.
func window(parallel int) int { return 32 * parallel }

// windowBytes bounds the requests in flight, if there are several.
const windowBytes = 8 << 20

func byID(list []*pending, id uint64) int {
	return slices.IndexFunc(list, func(c *pending) bool { return c.id == id })
}

// fits reports whether a waiting call may be sent. One that is retried is sent alone.
func (q *calls) fits(c *pending) bool {
	switch {
	case len(q.flight) == 0:
		return true
	case q.flight[0].alone || c.alone:
		return false
	}
	return len(q.flight) < window(q.parallel) && q.bytes+c.size <= windowBytes
}

// launch puts the waiting calls that fit into flight, and returns them.
func (q *calls) launch() []*pending {
	before := len(q.flight)
	for _, c := range q.waiting {
		if !q.fits(c) {
			break
		}
		q.flight = append(q.flight, c)
		q.bytes += c.size
	}
	launched := q.flight[before:]
	q.waiting = slices.Delete(q.waiting, 0, len(launched))
	return launched
}

// begun returns the calls that the worker may have begun, the first in flight. It notes
// when they began: when the responses before them arrived, so never too early.
func (q *calls) begun() []*pending {
	list := q.flight[:min(len(q.flight), q.parallel)]
	var now time.Time
	for n := len(list) - 1; n >= 0 && list[n].since.IsZero(); n-- {
		if now.IsZero() {
			now = time.Now()
		}
		list[n].since = now
	}
	return list
}

func (q *calls) land(n int) *pending {
	c := q.flight[n]
	q.flight = slices.Delete(q.flight, n, n+1)
	q.bytes -= c.size
	return c
}
