package worker

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
)

// An owner is a goroutine that has the calls of one module, and the worker that makes
// them. Nothing else reads or writes its fields: others post events.
type owner struct {
	calls
	mailbox
	l        *loader
	keeps    bool            // the module can be restored after a call
	life     context.Context //nolint:containedctx // until the module is closed
	stop     context.CancelFunc
	deadline *time.Timer // posts a check of the deadline
	armed    bool        // the timer runs

	closed     bool
	failure    error   // why it was closed; nil: by Close
	worker     *worker // nil: none
	restarting bool
	deaths     int // of workers since the last response
	workers    int // that were started
	serving    int // host requests, of dead workers too
}

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

// A worker makes the calls of a module until it dies.
type worker struct {
	*conn
	broker *broker
	heard  time.Time // of the last response that left other calls in flight

	// Why it is being killed, if it is.
	violation error
	overdue   *pending // it took longer than its deadline
}

// newOwner returns an owner of a worker. run starts it.
func newOwner(l *loader, k *conn, about *loadResponse) *owner {
	o := &owner{calls: calls{parallel: l.r.o.Parallel}, mailbox: mailbox{events: make(chan func(*owner)), ended: make(chan struct{})}, l: l, keeps: about.Keeps}
	o.life, o.stop = context.WithCancel(context.Background())
	o.deadline = time.AfterFunc(time.Hour, func() { o.post((*owner).checkDeadline) })
	o.deadline.Stop()
	o.adopt(k)
	return o
}

// run handles events until the module is closed and its worker has ended. A panic closes
// the module: its calls fail with class fault.Internal.
func (o *owner) run() {
	defer close(o.ended)
	defer o.deadline.Stop()
	for !o.closed || o.worker != nil || o.restarting || o.serving > 0 {
		o.guard()
	}
	for _, c := range append(o.waiting, o.flight...) {
		c.finish(o.gone(c.export))
	}
	o.waiting, o.flight = nil, nil
}

// guard waits for an event, and handles it and those that others wait to post. A panic
// skips one.
func (o *owner) guard() {
	defer func() {
		if p := recover(); p != nil {
			o.failure = fault.Panicked(p)
			o.close()
		}
	}()
	(<-o.events)(o)
	more := true
	for n := 0; more && n < window(o.parallel); n++ { // a worker may flood
		select {
		case e := <-o.events:
			e(o)
		default:
			more = false
		}
	}
	o.pump()
}

// gone is the error of calls of a module that is closed.
func (o *owner) gone(export string) error {
	if o.failure != nil {
		return fmt.Errorf("plugin %s: %s: %w", o.l.src.Name, export, o.failure)
	}
	return fault.New(fault.Worker, "plugin %s: %s: it was closed", o.l.src.Name, export)
}

// close makes the owner end, once its worker has.
func (o *owner) close() {
	o.closed = true
	o.stop()
	if o.worker != nil {
		o.worker.p.kill()
	}
}

func (o *owner) call(c *pending) {
	if o.closed {
		c.finish(o.gone(c.export))
		return
	}
	o.waiting = append(o.waiting, c)
}

// abandon finishes a call whose caller does not wait any longer. If it is in flight, it
// stays there, and the worker is told to stop it.
func (o *owner) abandon(c *pending, err error) {
	if n := slices.Index(o.waiting, c); n >= 0 {
		o.waiting = slices.Delete(o.waiting, n, n+1)
	} else if slices.Contains(o.flight, c) {
		c.stop()
		o.worker.out.send(kindCancel, &cancel{c.id})
	} else {
		return // it was finished
	}
	c.finish(err)
	c.gone = true
}

// pump sends the calls that fit the window.
func (o *owner) pump() {
	switch {
	case o.closed:
		return
	case o.worker == nil:
		if len(o.waiting) > 0 {
			o.restart()
		}
		return
	}
	for _, c := range o.launch() {
		o.worker.out.send(kindCallRequest, &c.callRequest)
	}
	if len(o.begun()) > 0 && !o.armed {
		o.armed = true
		o.deadline.Reset(o.patience())
	}
}

// patience is how long a call may take before its worker is killed. A module that cannot
// be restored is started for each call, with a deadline of its own.
func (o *owner) patience() time.Duration {
	d := o.l.limits.Deadline
	if !o.keeps {
		d *= 2
	}
	return d + o.l.r.o.Grace
}

// checkDeadline kills the worker if the first call takes too long. If other calls in flight
// are not answered either, any of them may be the cause: responses to those before it may
// be lost.
func (o *owner) checkDeadline() {
	if len(o.flight) == 0 {
		o.armed = false
		return
	}
	c := o.flight[0]
	if left := o.patience() - time.Since(c.since); left > 0 {
		o.deadline.Reset(left)
		return
	}
	w := o.worker
	if len(o.flight) == 1 || w.heard.After(c.since.Add(o.patience()/2)) {
		w.overdue = c
	}
	w.p.kill()
}

// land takes a call out of flight, and ends its session.
func (o *owner) land(n int) *pending {
	c := o.calls.land(n)
	o.worker.broker.end(c)
	return c
}

// message takes a message of the worker, unless it is being killed for one.
func (o *owner) message(m message) {
	w := o.worker
	if w.violation != nil {
		return
	}
	var err error
	switch m := m.(type) {
	case *callResponse:
		err = o.response(m)
	case *hostRequest:
		err = o.hostRequest(w, m)
	}
	if err != nil {
		w.violation = err
		w.p.kill()
	}
}

func (o *owner) response(m *callResponse) error {
	l := &o.l.limits
	if len(m.answer) > l.OutputBytes {
		return fmt.Errorf("%w: an answer of %d bytes, %d allowed", errProtocol, len(m.answer), l.OutputBytes)
	}
	if most := uint64(l.MemoryPages) << 16; len(m.usage.Log) > l.LogBytes || m.usage.PeakMemoryBytes > most {
		return fmt.Errorf("%w: a usage beyond the limits", errProtocol)
	}
	var failed error
	if m.failure != nil {
		var violation error
		if failed, violation = m.failure.untrusted(); violation != nil {
			return violation
		}
	}
	n := byID(o.flight, m.id)
	if n < 0 {
		return fmt.Errorf("%w: a response to a call that was not made", errProtocol)
	}
	c := o.land(n)
	o.deaths = 0
	if len(o.flight) > 0 {
		o.worker.heard = time.Now()
	}
	if !c.gone {
		c.answer, c.usage = append(c.answer, m.answer...), m.usage
	}
	c.finish(failed)
	return nil
}

func (o *owner) hostRequest(w *worker, r *hostRequest) error {
	b := w.broker
	var c *pending
	if n := byID(o.flight, r.id); n >= 0 {
		c = o.flight[n]
	}
	if most := windowBytes + o.l.limits.InputBytes + 2*b.parallel*mostHostResponse; w.out.unwritten() > most {
		return fmt.Errorf("%w: it does not read the responses to its host requests", errProtocol)
	}
	s, closed, err := b.admit(c, r)
	if err != nil {
		return err
	}
	f := s.files[r.File]
	o.serving++
	o.group.Go(func() {
		closeAll(closed)
		resp, opened := b.serve(s, r, f)
		o.post(func(o *owner) {
			o.serving--
			b.served(s, resp, opened)
			if o.worker == w {
				w.out.send(kindHostResponse, resp)
			}
		})
	})
	return nil
}

func (o *owner) adopt(k *conn) {
	o.workers++
	o.worker = &worker{conn: k, broker: &broker{access: o.l.src.Access, life: o.life, deadline: o.l.limits.Deadline, parallel: o.parallel, group: &o.group}}
	o.group.Go(func() {
		var reason error
		panicked := fault.Guard(func() error {
			reason = k.read(func(m message) { o.post(func(o *owner) { o.message(m) }) })
			return nil
		})
		k.p.leave(reason)
		o.post(func(o *owner) { o.died(reason, panicked) })
	})
	o.group.Go(k.out.run)
}

// died takes leave of a worker. Calls that were in flight are retried, alone if they can
// be the cause. One that was alone already, or that the worker was killed for, fails.
func (o *owner) died(reason, panicked error) {
	w := o.worker
	o.armed = false
	close(w.out.wake)
	o.deaths++
	if w.violation != nil {
		reason = w.violation
	}
	var retried []*pending
	for len(o.flight) > 0 {
		c := o.land(0)
		switch {
		case c == w.overdue:
			c.finish(fault.WithHint(fault.New(fault.Deadline, "plugin %s: %s: still running after %v; its worker was killed", o.l.src.Name, c.export, o.l.limits.Deadline),
				"raise "+fault.OptionDeadline+", or lower "+fault.OptionFuel+" so that it stops sooner"))
		case c.gone:
		case panicked != nil && c.alone:
			c.finish(fmt.Errorf("plugin %s: %s: %w", o.l.src.Name, c.export, panicked))
		case c.alone && w.overdue == nil && !o.closed:
			c.finish(fault.New(fault.Worker, "plugin %s: %s: its worker crashed twice: %s", o.l.src.Name, c.export, w.p.why(reason)))
		default:
			c.alone = c.alone || w.overdue == nil
			c.since = time.Time{}
			retried = append(retried, c)
		}
	}
	o.worker, o.waiting = nil, append(retried, o.waiting...)
}

// starts is how often a worker is started in vain before the calls that wait for it fail.
const starts = 3

// restart starts a new worker, unless one is being started.
func (o *owner) restart() {
	if o.restarting {
		return
	}
	o.restarting = true
	deaths := o.deaths
	o.group.Go(func() {
		var k *conn
		err := fault.Guard(func() (err error) {
			for n := range starts {
				if !o.pause(deaths + n) {
					return o.life.Err()
				}
				if k, _, err = o.l.connect(o.life, false); err == nil {
					return nil
				}
			}
			return fault.As(fault.Worker, fmt.Errorf("its worker died, and no other starts: %w", err))
		})
		o.post(func(o *owner) { o.restarted(k, err) })
	})
}

// pause waits before a worker is started: not at all after the first death, then 5 ms,
// doubled up to 80 ms. It reports false if the module was closed.
func (o *owner) pause(deaths int) bool {
	if deaths <= 1 {
		return o.life.Err() == nil
	}
	t := time.NewTimer(5 * time.Millisecond << min(deaths-2, 4))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-o.life.Done():
		return false
	}
}

// restarted adopts a new worker, or fails the calls that wait for one.
func (o *owner) restarted(k *conn, err error) {
	o.restarting = false
	switch {
	case o.closed:
		if k != nil {
			k.p.close()
		}
	case err != nil:
		for _, c := range o.waiting {
			c.finish(fmt.Errorf("plugin %s: %s: %w", o.l.src.Name, c.export, err))
		}
		o.waiting = nil
	default:
		o.adopt(k)
	}
}
