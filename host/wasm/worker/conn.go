package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// A conn is a running worker, and what goes to it. Its module's lock guards it.
type conn struct {
	p        *process
	frames   *frameReader
	findings []Finding

	raw        syscall.RawConn
	attempt    attempt
	try        func(fd uintptr) bool // attempt.write
	buf, spare []byte                // to be written; written before
	writing    bool
	held       int         // calls in buf
	owed       int         // bytes of what it asked for, in buf
	owing      int         // the same, being written
	asks       int         // that something is being done for
	sessions   int         // of calls that have asked for something
	rest       chan []byte // what could not be written at once

	running int      // calls that the worker has begun
	next    *pending // the first in flight that it may not have begun
	timer   *time.Timer
	armed   bool
	heard   time.Time // of the last outcome that another was waited for with
	overdue *pending  // the call that the worker is killed for
	frozen  bool      // it is killed because nothing of it goes on
}

// connect starts a worker and loads the module in it.
func (m *Module) connect(ctx context.Context) (*conn, *loaded, error) {
	return m.connectFor(ctx, false)
}

// connectFor starts a worker that loads the module, or only fills its directory
// of compiled code.
func (m *Module) connectFor(ctx context.Context, fill bool) (*conn, *loaded, error) {
	r := m.runtime
	p, err := m.launch()
	if err != nil {
		return nil, nil, fault.WithHint(fault.New(fault.Worker, "plugin %s: its worker does not start: %w", m.name, err), "check that %s can be run", r.command)
	}
	if !fill {
		m.mu.Lock()
		m.started++
		m.mu.Unlock()
	}
	k := &conn{p: p, frames: newFrameReader(p.out, mostJSON), rest: make(chan []byte, 1)}
	k.try = k.attempt.write
	var late atomic.Bool
	limit := time.AfterFunc(startLimit, func() { late.Store(true); p.end() })
	defer limit.Stop()
	defer context.AfterFunc(ctx, p.end)()
	about, err := m.load(ctx, k, limit, fill)
	if err == nil {
		return k, about, nil
	}
	p.leave(err)
	p.close()
	switch {
	case ctx.Err() != nil:
		err = fmt.Errorf("plugin %s: not loaded: %w", m.name, flight.Stopped(ctx))
	case late.Load() && k.findings != nil:
		err = fault.New(fault.Load, "plugin %s: compiling takes longer than %v; its worker was killed", m.name, m.limits.Compile)
	case late.Load():
		err = fault.New(fault.Worker, "plugin %s: its worker says nothing for %v", m.name, startLimit)
	case !fault.Is(err, fault.Internal): // what the worker says
	default:
		err = fault.New(fault.Worker, "plugin %s: load: its worker ended: %s", m.name, p.why(err))
	}
	return nil, nil, err
}

// kept returns the digest of a module whose bytes a worker need not be given, as the store
// has it; else nothing.
func (m *Module) kept(fill bool) string {
	if fill || m.script || m.cache == "" {
		return ""
	}
	return m.digest
}

// launch starts a worker, unless one was started in advance.
func (m *Module) launch() (*process, error) {
	if p := m.ahead; p != nil {
		m.ahead = nil
		return p, nil
	}
	return start(m.runtime.command, m.runtime.args)
}

// greet tells a worker what it is to be, and hears what it has given up.
func (k *conn) greet(h hello) error {
	h.Version, h.Meter = version, meter.TableVersion
	b, err := json.Marshal(h, wire)
	if err != nil {
		return err
	}
	if err := k.send(kindHello, b); err != nil {
		return err
	}
	return k.meet(digest(h.Limits))
}

// load has a worker load the module. limit is when to give up.
func (m *Module) load(ctx context.Context, k *conn, limit *time.Timer, fill bool) (*loaded, error) {
	l, o := m.limits, &m.runtime.o
	image := ""
	if !fill {
		image = m.imageDir()
	}
	err := k.greet(hello{
		Name: m.name, Limits: m.asked, Interpreter: o.Interpreter, Timed: o.Timed, Parallel: o.Parallel, Size: len(m.module), CacheDir: m.cache, Key: m.seals(), Fill: fill,
		Script: m.script, Kept: m.kept(fill), Compile: m.compileBytes(fill), Granted: grantedBy(m.access),
		ImageDir: image, Keep: !fill && m.imageKey() != "",
	})
	if err != nil {
		return nil, err
	}
	if l.Compile > 0 && l.Deadline > 0 { // else it is told what is wrong with them
		start := l.Deadline
		if m.script { // starting it is bound as compiling is
			start = max(start, l.Compile)
		}
		limit.Reset(l.Compile + start + o.Grace)
	}
	if m.kept(fill) == "" {
		if err := k.send(kindModule, m.module); err != nil {
			return nil, err
		}
	}
	about, err := m.settled(ctx, k, fill)
	if err != nil {
		if image != "" { // it may be at fault: the next worker starts without
			m.runtime.store.Remove(m.imageKey())
		}
		return nil, err
	}
	k.frames.most = max(l.OutputBytes, mostError) + l.LogBytes + mostFixed
	if m.access != nil {
		k.frames.most = max(k.frames.most, mostAsk(m.access.Bounds))
	}
	k.raw, err = k.p.in.SyscallConn()
	return about, err
}

// send writes a frame, and waits until it is written.
func (k *conn) send(as kind, body []byte) error {
	head := begin(nil, as)
	binary.LittleEndian.PutUint32(head, uint32(len(body)+1))
	if _, err := k.p.in.Write(head); err != nil {
		return err
	}
	_, err := k.p.in.Write(body)
	return err
}

// meet reads a worker's answer to a hello.
func (k *conn) meet(limits string) error {
	as, b, err := k.frames.next()
	if err != nil {
		return err
	}
	var r ready
	if as != kindReady {
		return fmt.Errorf("%w: kind %d, not an answer to a hello", errFrame, as)
	}
	if err := json.Unmarshal(b, &r, wire); err != nil {
		return fmt.Errorf("%w: the answer to a hello: %w", errFrame, err)
	}
	if r.Version != version || r.Meter != meter.TableVersion || r.Limits != limits {
		return fault.WithHint(fault.New(fault.Mismatch, "the worker has version %d with fuel table %d, not %d with %d, or other limits", r.Version, r.Meter, version, meter.TableVersion),
			"let the worker be a program of the same version")
	}
	k.findings = make([]Finding, 0, len(r.Hardened))
	for _, g := range r.Hardened {
		f := Finding{Name: diag.Plain(g.Name), Note: diag.Plain(g.Note)}
		if g.Why != "" {
			f.Err = errors.New(diag.Plain(g.Why))
		}
		k.findings = append(k.findings, f)
	}
	return nil
}

// settled reads what came of loading the module, and answers what is asked
// before that.
func (m *Module) settled(ctx context.Context, k *conn, fill bool) (*loaded, error) {
	as, b, err := m.heard(k)
	if err == nil && as == kindNeed && m.kept(fill) != "" { // once
		if err = k.send(kindModule, m.module); err == nil {
			as, b, err = m.heard(k)
		}
	}
	if err == nil && as == kindNeed && m.script { // once: a script has one interpreter
		if err = m.interpreter(ctx, k, b); err == nil {
			as, b, err = m.heard(k)
		}
	}
	var image *taking
	defer func() { image.drop() }()
	for err == nil && as == kindMade && !fill && m.imageKey() != "" {
		if image == nil {
			image = m.take()
		}
		if err = image.add(b); err == nil {
			as, b, err = k.frames.next()
		}
	}
	if err != nil {
		return nil, err
	}
	switch as {
	case kindFailed:
		failure, err := readError(b)
		if err == nil {
			err = failure
		}
		return nil, err
	case kindLoaded:
		var l loaded
		if err := json.Unmarshal(b, &l, wire); err != nil {
			return nil, fmt.Errorf("%w: answer to load: %w", errFrame, err)
		}
		l.MemoryPages = min(l.MemoryPages, 1<<16)
		image.keep(m.imageKey())
		return &l, nil
	}
	return nil, fmt.Errorf("%w: kind %d instead of the answer to load", errFrame, as)
}

// mostSteps is how often a worker may say what it does.
const mostSteps = 16

// heard reads the next frame that is no word of what the worker does.
func (m *Module) heard(k *conn) (as kind, b []byte, err error) {
	for range mostSteps {
		as, b, err = k.frames.next()
		if err != nil || as != kindDoing || !m.script {
			return as, b, err
		}
		if doing := m.runtime.o.Doing; doing != nil {
			doing(diag.Plain(string(b[:min(len(b), mostExport)])))
		}
	}
	return as, b, err
}

// interpreter gives a worker the interpreter that it asks for.
func (m *Module) interpreter(ctx context.Context, k *conn, language []byte) error {
	if len(language) > mostLanguage {
		return fmt.Errorf("%w: a language with a name of %d bytes", errFrame, len(language))
	}
	name := diag.Plain(string(language))
	err := fault.WithHint(fault.New(fault.NotFound, "the runtime %q is not installed", name), "rubric-host runtime add %s FILE", name)
	if find := m.runtime.o.Interpreters; find != nil {
		var b []byte
		if b, err = find(ctx, string(language)); err == nil {
			return k.send(kindFound, b)
		}
	}
	return k.send(kindMissing, appendError(nil, err))
}

// adopt makes k the worker of the module, and sends what waits.
func (m *Module) adopt(k *conn) {
	m.conn = k
	k.timer = time.AfterFunc(time.Hour, func() { m.watch(k) })
	k.timer.Stop()
	m.group.Go(func() { m.read(k) })
	m.group.Go(func() { m.write(k) })
	m.pump()
}

// flush writes what is in the buffer, as far as that is possible without
// waiting. It gives up the lock while it writes.
func (k *conn) flush(m *Module) {
	for !k.writing && len(k.buf) > 0 {
		b := k.buf
		k.buf, k.spare, k.writing, k.held = k.spare[:0], nil, true, 0
		k.owing, k.owed = k.owed, 0
		m.mu.Unlock()
		n, err := k.tryWrite(b)
		m.mu.Lock()
		if err == nil && n < len(b) {
			k.rest <- b[n:]
			return
		}
		k.wrote(b, err)
	}
}

// wrote takes a buffer back. What cannot be written is dropped: the reader finds
// out that nobody is there.
func (k *conn) wrote(b []byte, err error) {
	k.writing, k.owing = false, 0
	if err != nil {
		k.buf, k.owed, k.held = nil, 0, 0
	}
	if cap(b) <= maxPooled {
		k.spare = b[:0]
	}
}

// write writes what could not be written at once.
func (m *Module) write(k *conn) {
	for {
		select {
		case b := <-k.rest:
			_, err := k.p.in.Write(b)
			m.mu.Lock()
			k.wrote(b, err)
			k.flush(m)
			m.mu.Unlock()
		case <-k.p.gone:
			return
		}
	}
}

// read takes outcomes until there are no more.
func (m *Module) read(k *conn) {
	for {
		as, b, err := k.frames.next()
		switch {
		case err != nil:
		case as == kindAsk:
			err = m.asks(k, b)
		default:
			err = m.outcome(k, as, b)
		}
		if err != nil {
			m.died(k, err)
			return
		}
	}
}

// outcome takes the outcome of one call. An error says that the worker is out of
// its mind.
func (m *Module) outcome(k *conn, as kind, frame []byte) error {
	o, err := readOutcome(frame)
	if err != nil {
		return err
	}
	var failure error
	switch {
	case as == kindFault:
		if failure, err = readError(o.rest); err != nil {
			return err
		}
		o.rest = nil
	case as != kindAnswer:
		return fmt.Errorf("%w: kind %d, not an outcome", errFrame, as)
	case len(o.rest) > m.limits.OutputBytes:
		return fmt.Errorf("%w: an answer of %d bytes, %d allowed", errFrame, len(o.rest), m.limits.OutputBytes)
	}
	if len(o.log) > m.limits.LogBytes || o.memory > m.mostMemory() {
		return fmt.Errorf("%w: a usage beyond the limits", errFrame)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.byID[o.id]
	if c == nil {
		return fmt.Errorf("%w: an outcome of a call that was not made", errFrame)
	}
	if o.guest < 0 || o.guest > m.elapsed(c) {
		return fmt.Errorf("%w: %d ns in the guest, more than the call has taken", errFrame, int64(o.guest))
	}
	m.land(k, c)
	m.deaths = 0
	if m.flight.len > 0 {
		k.heard = time.Now()
	}
	if !c.abandoned {
		c.usage.Fuel, c.usage.PeakMemoryBytes, c.usage.Guest = o.fuel, o.memory, o.guest
		if len(o.log) > 0 {
			c.usage.Log = slices.Clone(o.log)
		}
		c.answer, c.err = append(c.answer[:0], o.rest...), failure
	}
	m.settle(c)
	m.pump()
	return nil
}
