package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// A session is what a call has of what its module was granted. The lock of the
// module guards it, but for files while it is busy: one goroutine has them then.
type session struct {
	files map[uint32]*grant.File
	last  uint32 // number that was given to a file
	busy  bool   // something is being done
	over  bool   // the call has ended

	life context.Context //nolint:containedctx // of requests, until nobody waits for the call; nil: none was sent
	stop context.CancelFunc
}

// asks begins to do what a worker asks for. An error says that the worker is out
// of its mind: an honest one asks for nothing that was not granted, for no file
// that its call has not open, for one thing at a time in each call, and reads what
// it is told.
func (m *Module) asks(k *conn, frame []byte) error {
	a, err := readAsk(frame)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.byID[a.id]
	switch {
	case m.access == nil, m.access.Tree == nil && a.op != askSend, m.access.Client == nil && a.op == askSend:
		return fmt.Errorf("%w: it requests something that was not granted", errFrame)
	case c == nil:
		return fmt.Errorf("%w: it asks for something for a call that was not made", errFrame)
	case c.session == nil && k.sessions == m.runtime.o.Parallel:
		return fmt.Errorf("%w: it asks for things for more calls than it makes at once", errFrame)
	case c.session == nil:
		c.session = &session{files: map[uint32]*grant.File{}}
		k.sessions++
	}
	s := c.session
	switch {
	case s.busy, k.asks >= m.runtime.o.Parallel:
		return fmt.Errorf("%w: it asks for more before it was told", errFrame)
	case k.owed+k.owing > 2*m.runtime.o.Parallel*mostTold(m.access.Bounds):
		return fmt.Errorf("%w: it sends requests and does not read the answers", errFrame)
	}
	done, err := s.take(a)
	if err != nil {
		return err
	}
	if a.op == askSend && s.stop == nil {
		s.life, s.stop = context.WithCancel(m.life)
		if c.abandoned {
			s.stop()
		}
	}
	s.busy = true
	k.asks++
	f := s.files[a.file]
	m.group.Go(func() { m.do(k, s, a, f, done) })
	return nil
}

// take holds an ask to what the call has open, and returns the files that it
// needs no more.
func (s *session) take(a *ask) (done []*grant.File, err error) {
	for _, n := range a.released {
		f := s.files[n]
		if f == nil {
			return done, fmt.Errorf("%w: it lets go of file %d, which the call does not have", errFrame, n)
		}
		delete(s.files, n)
		done = append(done, f)
	}
	switch {
	case (a.op == askRead || a.op == askList) && s.files[a.file] == nil:
		err = fmt.Errorf("%w: it asks for file %d, which the call does not have", errFrame, a.file)
	case a.op == askOpen && len(s.files) >= mostFiles:
		err = fmt.Errorf("%w: it has %d files open, and asks for more", errFrame, mostFiles)
	}
	return done, err
}

// tolds are buffers for answers.
var tolds = sync.Pool{New: func() any { return new([]byte) }}

// do does what was asked for, of the file f if of one, and tells the worker.
func (m *Module) do(k *conn, s *session, a *ask, f *grant.File, done []*grant.File) {
	closeAll(done)
	buf := tolds.Get().(*[]byte)
	b := s.answer((*buf)[:0], m, a, f)
	m.mu.Lock()
	s.busy = false
	k.asks--
	if m.conn == k {
		k.buf = append(k.buf, b...)
		k.owed += len(b)
		k.flush(m)
	}
	if s.over {
		s.leave(m)
	}
	m.mu.Unlock()
	if *buf = b; cap(b) <= maxPooled {
		tolds.Put(buf)
	}
}

// answer appends a frame: the number of the call, how the ask ended, and what it
// gave.
func (s *session) answer(b []byte, m *Module, a *ask, f *grant.File) []byte {
	b = append(binary.LittleEndian.AppendUint64(begin(b, kindTold), a.id), toldDone)
	head := len(b)
	b, err := s.carryOut(b, m, a, f)
	if err == nil {
		return end(b, 0)
	}
	b = b[:head]
	switch {
	case errors.Is(err, grant.ErrNotExist):
		b[head-1] = toldNotExist
	case errors.Is(err, grant.ErrDenied):
		b[head-1] = toldDenied
	default:
		b[head-1] = toldFailed
		b = appendError(b, err)
	}
	return end(b, 0)
}

// carryOut does what was asked for, and appends what it gave.
func (s *session) carryOut(b []byte, m *Module, a *ask, f *grant.File) ([]byte, error) {
	switch a.op {
	case askOpen:
		return s.open(m.life, b, m.access.Tree, a.name)
	case askRead:
		b = slices.Grow(b, int(a.size))
		n, err := f.ReadAt(b[len(b):len(b)+int(a.size)], int64(a.at))
		return b[:len(b)+n], err
	case askList:
		list, err := f.Entries()
		return appendEntries(b, list[min(a.at, uint64(len(list))):]), err
	}
	ctx, cancel := context.WithTimeout(s.life, min(a.left, m.limits.Deadline))
	defer cancel()
	resp, err := m.access.Send(ctx, &a.request)
	if err != nil {
		return b, err
	}
	b = appendResponse(b, resp)
	if most := mostTold(m.access.Bounds); len(b) > most {
		return b, fault.New(fault.Output, "%s: the response has %d bytes, at most %d", a.request.URL, len(b), most)
	}
	return b, nil
}

// open opens a file for a call, and appends its number, whether it is a directory
// and its size.
func (s *session) open(life context.Context, b []byte, tree grant.Opener, name string) ([]byte, error) {
	f, err := tree.Open(life, name)
	if err != nil {
		return b, err
	}
	s.last++
	s.files[s.last] = f
	b = binary.LittleEndian.AppendUint32(b, s.last)
	dir := byte(0)
	if f.Dir {
		dir = 1
	}
	return binary.LittleEndian.AppendUint64(append(b, dir), uint64(f.Size)), nil
}

// halt stops the request that a call has sent, if it has; those that it sends yet
// fail.
func (c *pending) halt() {
	if c.session != nil && c.session.stop != nil {
		c.session.stop()
	}
}

// finish ends the session of a call, if there is one.
func (c *pending) finish(m *Module, k *conn) {
	c.halt()
	s := c.session
	if c.session = nil; s == nil {
		return
	}
	k.sessions--
	if s.over = true; !s.busy {
		s.leave(m)
	}
}

// leave lets go of the files of a session that nobody uses any more. A system may
// take its time for that, so it is not done under the lock.
func (s *session) leave(m *Module) {
	if len(s.files) == 0 {
		return
	}
	list := make([]*grant.File, 0, len(s.files))
	for _, f := range s.files {
		list = append(list, f)
	}
	clear(s.files)
	m.group.Go(func() { closeAll(list) })
}

func closeAll(list []*grant.File) {
	for _, f := range list {
		f.Close() //nolint:errcheck // it was only read
	}
}
