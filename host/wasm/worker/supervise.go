package worker

import (
	"fmt"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
)

// begin notes which calls the worker has begun: the first in flight, as many as
// it makes at once, for it begins them in the order in which they were sent. It
// knows so only when outcomes arrive, and so never too early.
func (m *Module) begin(k *conn) {
	if k.next == nil || k.running == m.runtime.o.Parallel {
		return
	}
	now := time.Now()
	for ; k.next != nil && k.running < m.runtime.o.Parallel; k.next = k.next.next {
		k.next.since, k.next.running = now, true
		k.running++
	}
	if !k.armed {
		k.armed = true
		k.timer.Reset(m.patience())
	}
}

// patience is how long a call may take before its worker is killed. A module
// whose state cannot be put back is started for each call, with a deadline of
// its own.
func (m *Module) patience() time.Duration {
	if !m.keeps {
		return 2*m.limits.Deadline + m.runtime.o.Grace
	}
	return m.limits.Deadline + m.runtime.o.Grace
}

// watch kills the worker if its first call takes too long. Else it looks again
// when that could be. If other calls that have begun have no outcome either, it
// cannot tell whose fault it is.
func (m *Module) watch(k *conn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.flight.first
	switch {
	case m.conn != k || m.closed:
	case c == nil:
		k.armed = false
	default:
		left := m.patience() - time.Since(c.since)
		if left > 0 {
			k.timer.Reset(left)
			return
		}
		if k.running == 1 || k.heard.After(c.since.Add(m.patience()/2)) {
			k.overdue = c
		} else {
			k.frozen = true
		}
		k.p.kill()
	}
}

// land takes a call out of flight.
func (m *Module) land(k *conn, c *pending) {
	switch {
	case c.running:
		k.running--
	case k.next == c:
		k.next = c.next
	}
	c.finish(m, k)
	m.flight.remove(c)
	delete(m.byID, c.id)
	m.bytes -= c.size
}

// died takes leave of a worker that has ended, or whose frames make no sense.
// Calls that were in flight are made again: alone, if it can be their fault. The
// one that was alone already, or that the worker was killed for, fails.
func (m *Module) died(k *conn, reason error) {
	k.p.leave(reason)
	k.p.close()
	k.timer.Stop()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.conn = nil
	m.deaths++
	for c := m.flight.last; c != nil; c = m.flight.last {
		guilty := k.overdue == nil && (!k.frozen || c.running)
		m.land(k, c)
		switch {
		case c.abandoned:
			c.free()
		case c == k.overdue:
			m.fail(c, m.tookTooLong(c))
		case c.suspect && k.overdue == nil && !m.closed: // and so it was alone
			m.fail(c, fault.New(fault.Worker, "plugin %s: %s: its worker crashed twice: %s", m.name, c.export, k.p.why(reason)))
		default:
			c.suspect, c.running = c.suspect || guilty, false
			m.waiting.pushFirst(c)
		}
	}
	if m.waiting.len > 0 {
		m.revive()
	}
}

func (m *Module) tookTooLong(c *pending) error {
	return fault.WithHint(fault.New(fault.Deadline, "plugin %s: %s: still running after %v; its worker was killed", m.name, c.export, m.limits.Deadline),
		"raise --deadline, or lower --fuel so that it stops sooner")
}

// revive starts a new worker, unless one is being started.
func (m *Module) revive() {
	if m.reviving || m.closed {
		return
	}
	m.reviving = true
	deaths := m.deaths
	m.group.Go(func() { m.restart(deaths) })
}

// starts is how often a worker is started in vain before what waits for it
// fails.
const starts = 3

// restart starts a new worker, the later the more have died.
func (m *Module) restart(deaths int) {
	var k *conn
	var err error
	for n := range starts {
		if !m.pause(deaths + n) {
			break
		}
		if k, _, err = m.connect(m.life); err == nil {
			break
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reviving = false
	switch {
	case m.closed:
		if k != nil {
			k.p.end()
			k.p.close()
		}
	case k == nil:
		err = fault.As(fault.Worker, fmt.Errorf("its worker died, and no other starts: %w", err))
		for c := m.waiting.first; c != nil; c = m.waiting.first {
			m.waiting.remove(c)
			m.fail(c, err)
		}
	default:
		m.adopt(k)
	}
}

// pause waits before a worker is started: not at all after the first death,
// then 5 ms, doubled up to 80 ms. It reports false if the module was closed.
func (m *Module) pause(deaths int) bool {
	if deaths <= 1 {
		return m.life.Err() == nil
	}
	t := time.NewTimer(5 * time.Millisecond << min(deaths-2, 4))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-m.life.Done():
		return false
	}
}
