package worker

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// A Module is a module that is loaded in a worker. It is safe for concurrent
// use. Close it, or the Runtime that it came from.
type Module struct {
	runtime  *Runtime
	name     string
	digest   string
	module   []byte
	asked    wasm.Limits // as Load was given them
	limits   wasm.Limits
	script   bool
	language string        // of the script, as it says
	cache    string        // directory of its entry in the store; empty: there is none
	access   *grant.Access // what calls were granted; nil: nothing
	ahead    *process      // a worker that starts while the module is looked at; nil: there is none
	exports  []string
	keeps    bool

	life  context.Context //nolint:containedctx // until Close, for workers that are started
	end   context.CancelFunc
	group sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	conn     *conn // nil: there is no worker
	reviving bool  // one is being started
	deaths   int   // since the last outcome
	started  int   // workers

	ids     uint64
	waiting queue // not sent
	flight  queue // sent, in the order in which the worker begins them
	byID    map[uint64]*pending
	bytes   int // of the requests in flight
}

// Name returns the name that Load was given.
func (m *Module) Name() string { return m.name }

// Digest returns "sha256:<hex>" of the bytes that Load was given.
func (m *Module) Digest() string { return m.digest }

// Exports returns the names of the scorers, sorted.
func (m *Module) Exports() []string { return slices.Clone(m.exports) }

// Limits returns the limits that hold, defaults filled in.
func (m *Module) Limits() wasm.Limits { return m.limits }

// Keeps is that of wasm.Module.
func (m *Module) Keeps() bool { return m.keeps }

// Workers returns how many workers were started so far; 1 if none has died.
func (m *Module) Workers() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.started
}

// Findings returns what the worker gave up before it read the module.
func (m *Module) Findings() []Finding {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.conn == nil {
		return nil
	}
	return slices.Clone(m.conn.findings)
}

// window is how many calls are sent to a worker before it answers: enough for
// batches, few enough to make again.
func window(parallel int) int { return 32 * parallel }

// windowBytes is how many bytes of requests are sent before an answer, if there
// is more than one.
const windowBytes = 8 << 20

// A pending call is one that its caller waits for.
type pending struct {
	id              uint64
	export          string
	request, answer []byte
	size            int // of the request
	usage           wasm.Usage
	err             error
	done            chan struct{} // of capacity 1

	suspect   bool // was under way when a worker died: it is made alone
	abandoned bool // its caller has gone
	settled   bool // it has an outcome
	running   bool // the worker has begun it
	since     time.Time
	sent      time.Time // if the runtime is timed
	session   *session  // nil: the call has asked for nothing

	next, prev *pending
	in         *queue
}

var pendings = sync.Pool{New: func() any { return &pending{done: make(chan struct{}, 1)} }}

func (c *pending) free() {
	*c = pending{done: c.done}
	pendings.Put(c)
}

// Call is that of wasm.Module: answer, usage and errors are the same. Beyond
// these, an error has class fault.Worker if the call takes its worker down,
// twice.
func (m *Module) Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error) {
	answer = answer[:0]
	switch {
	case len(request) > min(m.limits.InputBytes, mostRequest):
		return answer, wasm.Usage{}, fault.WithHint(
			fault.New(fault.Input, "plugin %s: %s: the request has %d bytes, %d allowed", m.name, export, len(request), m.limits.InputBytes),
			"shorten the case")
	case ctx.Err() != nil:
		return answer, wasm.Usage{}, fmt.Errorf("plugin %s: %s: not called: %w", m.name, export, flight.Stopped(ctx))
	}
	c := pendings.Get().(*pending)
	c.export, c.request, c.answer, c.size = export, request, answer, len(request)
	if !m.submit(c) {
		c.free()
		return answer, wasm.Usage{}, m.gone(export)
	}
	select {
	case <-c.done:
	case <-ctx.Done():
		if m.abandon(c) {
			return answer, wasm.Usage{}, fmt.Errorf("plugin %s: %s: stopped: %w", m.name, export, flight.Stopped(ctx))
		}
		<-c.done
	}
	answer, usage, err := c.answer, c.usage, c.err
	c.free()
	return answer, usage, err
}

func (m *Module) gone(export string) error {
	return fault.New(fault.Worker, "plugin %s: %s: it was closed", m.name, export)
}

// submit queues a call and sends what can be sent. It reports false if the
// module is closed.
func (m *Module) submit(c *pending) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return false
	}
	m.ids++
	c.id = m.ids
	m.waiting.push(c)
	m.pump()
	return true
}

// abandon forgets a call whose caller goes away. It reports false if the call
// has its outcome already.
func (m *Module) abandon(c *pending) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case c.settled:
		return false
	case c.in == &m.waiting:
		m.waiting.remove(c)
		c.free()
	default:
		c.abandoned, c.request, c.answer = true, nil, nil
		c.halt()
		if k := m.conn; k != nil {
			k.buf = appendCancel(k.buf, c.id)
			k.flush(m)
		}
	}
	return true
}

// settle gives a call its outcome.
func (m *Module) settle(c *pending) {
	if c.abandoned {
		c.free()
		return
	}
	c.settled = true
	c.done <- struct{}{}
}

// fail settles a call with an error.
func (m *Module) fail(c *pending, err error) {
	c.err = err
	m.settle(c)
}

// pump sends what can be sent: all that fit the window, or one suspect alone.
func (m *Module) pump() {
	k := m.conn
	if k == nil {
		m.revive()
		return
	}
	for c := m.waiting.first; c != nil && m.fits(c); c = m.waiting.first {
		m.waiting.remove(c)
		m.flight.push(c)
		m.byID[c.id] = c
		m.bytes += c.size
		if k.next == nil {
			k.next = c
		}
		if m.runtime.o.Timed {
			c.sent = time.Now()
		}
		k.buf = appendCall(k.buf, c.id, c.export, c.request)
		k.held++
	}
	m.begin(k)
	if m.hungry(k) {
		k.flush(m)
	}
}

// hungry reports whether calls that are not sent yet should be. Those that were
// sent keep the worker busy while some more gather, and whenever one of them is
// answered this is asked again.
func (m *Module) hungry(k *conn) bool {
	sent := m.flight.len - k.held
	return sent < 2*m.runtime.o.Parallel || 2*k.held >= sent || len(k.buf) >= readAhead
}

// elapsed returns the most time that a call can have spent in its guest.
func (m *Module) elapsed(c *pending) time.Duration {
	if c.sent.IsZero() {
		return 0
	}
	return time.Since(c.sent)
}

func (m *Module) fits(c *pending) bool {
	f := m.flight.first
	switch {
	case f == nil:
		return true
	case f.suspect || c.suspect:
		return false
	}
	return m.flight.len < window(m.runtime.o.Parallel) && m.bytes+c.size <= windowBytes
}

// mostMemory is what a call can use, its host's part included.
func (m *Module) mostMemory() uint64 {
	return uint64(m.limits.MemoryPages)<<16 + uint64(m.limits.HostBytes) + uint64(m.limits.VarBytes)
}

// Close ends the worker. Calls that are under way fail.
func (m *Module) Close(context.Context) error {
	m.mu.Lock()
	m.closed = true
	m.end()
	k := m.conn
	m.mu.Unlock()
	if k != nil {
		k.p.end()
	}
	m.group.Wait()
	m.mu.Lock()
	for c := m.waiting.first; c != nil; c = m.waiting.first {
		m.waiting.remove(c)
		m.fail(c, m.gone(c.export))
	}
	m.mu.Unlock()
	m.runtime.forget(m)
	return nil
}

// A queue is a list of calls. The zero value is empty.
type queue struct {
	first, last *pending
	len         int
}

func (q *queue) push(c *pending) {
	c.in, c.prev, c.next = q, q.last, nil
	if q.last != nil {
		q.last.next = c
	} else {
		q.first = c
	}
	q.last = c
	q.len++
}

func (q *queue) pushFirst(c *pending) {
	c.in, c.prev, c.next = q, nil, q.first
	if q.first != nil {
		q.first.prev = c
	} else {
		q.last = c
	}
	q.first = c
	q.len++
}

func (q *queue) remove(c *pending) {
	if c.prev != nil {
		c.prev.next = c.next
	} else {
		q.first = c.next
	}
	if c.next != nil {
		c.next.prev = c.prev
	} else {
		q.last = c.prev
	}
	c.in, c.prev, c.next = nil, nil, nil
	q.len--
}
