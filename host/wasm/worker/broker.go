package worker

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// A broker serves the host requests of one worker's calls, with the access of the parent.
// Its methods are called by the owner of the worker, except serve.
//
// Host requests are untrusted. An honest worker requests nothing that was not granted, no
// file that its call does not have open, one thing at a time for each call, and for no
// more calls than it makes at once.
type broker struct {
	access   *grant.Access   // nil: nothing was granted
	life     context.Context //nolint:containedctx // until the module is closed
	deadline time.Duration   // of a call
	parallel int             // calls that a worker makes at once
	group    *sync.WaitGroup // of goroutines

	sessions int // of calls that are not answered yet
	busy     int // requests that are being served
}

// A session holds the open files and the HTTP request of a call.
type session struct {
	files map[uint32]*grant.File
	last  uint32 // number of a file
	busy  bool   // a request is being served
	over  bool   // the call was answered

	ctx    context.Context //nolint:containedctx // of the call's HTTP requests; nil: none was sent
	cancel context.CancelFunc
	data   []byte // of the response, reused
}

// admit checks a host request for a call, nil if there is none, and notes that it is being
// served. It returns the session and the files that the call has closed.
func (b *broker) admit(c *pending, r *hostRequest) (s *session, closed []*grant.File, err error) {
	granted := false
	switch r.Op {
	case opOpen, opRead, opList:
		granted = b.access != nil && b.access.Tree != nil
	case opSend:
		granted = b.access.Sends()
	}
	switch {
	case !granted:
		return nil, nil, fmt.Errorf("%w: it requests something that was not granted", errProtocol)
	case c == nil:
		return nil, nil, fmt.Errorf("%w: a host request for a call that was not made", errProtocol)
	case c.session == nil && b.sessions == b.parallel:
		return nil, nil, fmt.Errorf("%w: host requests for more calls than it makes at once", errProtocol)
	case c.session == nil:
		c.session = &session{files: map[uint32]*grant.File{}}
		b.sessions++
	}
	s = c.session
	if s.busy || b.busy >= b.parallel {
		return nil, nil, fmt.Errorf("%w: a host request before the last one was answered", errProtocol)
	}
	if closed, err = s.release(r); err != nil {
		b.close(closed)
		return nil, nil, err
	}
	if r.Op == opSend && s.ctx == nil {
		s.ctx, s.cancel = context.WithCancel(b.life)
		if c.gone {
			s.cancel()
		}
	}
	s.busy = true
	b.busy++
	return s, closed, nil
}

// release takes the files of a session that its call has closed, and checks the one that
// it requests.
func (s *session) release(r *hostRequest) (closed []*grant.File, err error) {
	for _, n := range r.Released {
		f := s.files[n]
		if f == nil {
			return closed, fmt.Errorf("%w: it closes file %d, which the call does not have", errProtocol, n)
		}
		delete(s.files, n)
		closed = append(closed, f)
	}
	switch {
	case (r.Op == opRead || r.Op == opList) && s.files[r.File] == nil:
		err = fmt.Errorf("%w: it requests file %d, which the call does not have", errProtocol, r.File)
	case r.Op == opOpen && len(s.files) >= mostFiles:
		err = fmt.Errorf("%w: it has %d files open, and requests another", errProtocol, mostFiles)
	}
	return closed, err
}

// serve serves a host request, on the file f if it names one. It returns the response and the
// file that it has opened. A panic becomes a response of class fault.Internal.
func (b *broker) serve(s *session, r *hostRequest, f *grant.File) (resp *hostResponse, opened *grant.File) {
	resp = &hostResponse{id: r.id}
	err := fault.Guard(func() (err error) {
		switch r.Op {
		case opOpen:
			if opened, err = b.access.Tree.Open(b.life, r.Name); err == nil {
				resp.Dir, resp.Size = opened.Dir, opened.Size
			}
		case opRead:
			if cap(s.data) < int(r.Size) {
				s.data = make([]byte, r.Size)
			}
			var n int
			n, err = f.ReadAt(s.data[:r.Size], int64(r.Offset))
			resp.data = s.data[:n]
		case opList:
			var list []grant.Entry
			list, err = f.Entries()
			resp.page(list[min(r.Offset, uint64(len(list))):])
		case opSend:
			err = b.send(s, r, resp)
		}
		return err
	})
	if err != nil {
		resp.fail(err)
	}
	return resp, opened
}

func (b *broker) send(s *session, r *hostRequest, resp *hostResponse) error {
	ctx, cancel := context.WithTimeout(s.ctx, min(r.Timeout, b.deadline))
	defer cancel()
	got, err := b.access.Send(ctx, &r.Request)
	if err != nil {
		return err
	}
	size := len(got.Body)
	for name, value := range got.Header {
		size += 8 + len(name) + len(value)
	}
	if most := mostHostResponse - mostFixed; size > most {
		return fault.New(fault.Output, "%s: the response has %d bytes, at most %d", r.Request.URL, size, most)
	}
	resp.Response = *got
	return nil
}

// served notes that a request was served, and gives the file that was opened to the
// session.
func (b *broker) served(s *session, resp *hostResponse, opened *grant.File) {
	s.busy = false
	b.busy--
	if opened != nil {
		s.last++
		resp.File = s.last
		s.files[s.last] = opened
	}
	if s.over {
		b.closeFiles(s)
	}
}

// stop ends the HTTP request of a call, and those that it sends yet.
func (c *pending) stop() {
	if c.session != nil && c.session.cancel != nil {
		c.session.cancel()
	}
}

// end ends the session of a call, if it has one.
func (b *broker) end(c *pending) {
	c.stop()
	s := c.session
	if c.session = nil; s == nil {
		return
	}
	b.sessions--
	if s.over = true; !s.busy {
		b.closeFiles(s)
	}
}

// closeFiles closes the files of a session that is over.
func (b *broker) closeFiles(s *session) {
	b.close(slices.Collect(maps.Values(s.files)))
	clear(s.files)
}

// close closes files. That may block, so a goroutine does it.
func (b *broker) close(list []*grant.File) {
	if len(list) > 0 {
		b.group.Go(func() { closeAll(list) })
	}
}

// closeAll closes files that were only read, so no failure matters.
func closeAll(list []*grant.File) {
	for _, f := range list {
		fault.Guard(f.Close) //nolint:errcheck // see above
	}
}
