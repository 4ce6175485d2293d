package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// granted is what a worker is told of what its module was granted.
type granted struct {
	Files  bool         `json:"files"`
	HTTP   bool         `json:"http"`
	Clock  bool         `json:"clock"`
	Random bool         `json:"random"`
	Bounds grant.Bounds `json:"bounds"`
}

// grantedBy says what an access grants; nil says that there is none.
func grantedBy(a *grant.Access) *granted {
	if a == nil {
		return nil
	}
	return &granted{Files: a.Tree != nil, HTTP: a.Sends(), Clock: a.Clock, Random: a.Random, Bounds: a.Bounds}
}

// access is what guests of this worker are given: a clock and random numbers, which
// every process has, and what asks the parent for the rest.
func (s *server) access(g *granted) *grant.Access {
	a := &grant.Access{Clock: g.Clock, Random: g.Random, Bounds: g.Bounds}
	if g.Files {
		a.Tree = asker{s, g.Bounds}
	}
	if g.HTTP {
		a.Client = asker{s, g.Bounds}
	}
	return a
}

// An asker has done elsewhere what was granted.
type asker struct {
	s      *server
	bounds grant.Bounds
}

// jobKey finds the job in the context of a call.
type jobKey struct{}

func jobOf(ctx context.Context) *job { return ctx.Value(jobKey{}).(*job) }

// Open has a file opened.
func (k asker) Open(ctx context.Context, name string) (*grant.File, error) {
	name, err := grant.Clean(name)
	if err != nil {
		return nil, err
	}
	j := jobOf(ctx)
	r, err := k.s.ask(j, &ask{op: askOpen, name: name})
	if err != nil {
		return nil, err
	}
	number, dir, size := uint32(r.number(4)), r.number(1) == 1, int64(r.number(8))
	if err := r.whole(); err != nil {
		return nil, err
	}
	return grant.NewFile(name, dir, size, &farFile{k.s, j, number}), nil
}

// Do has a request sent.
func (k asker) Do(ctx context.Context, req *grant.Request) (*grant.Response, error) {
	if err := k.bounds.Check(req); err != nil {
		return nil, err
	}
	left := k.bounds.Timeout
	if end, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(end))
	}
	r, err := k.s.ask(jobOf(ctx), &ask{op: askSend, left: left, request: *req})
	if err != nil {
		return nil, err
	}
	resp := r.response()
	return resp, r.whole()
}

// A farFile is a file that the parent has open for a call.
type farFile struct {
	s      *server
	j      *job
	number uint32
}

// ReadAt is that of grant.Source.
func (f *farFile) ReadAt(b []byte, at int64) (total int, err error) {
	for total < len(b) {
		want := min(len(b)-total, mostRead)
		r, err := f.s.ask(f.j, &ask{op: askRead, file: f.number, at: uint64(at) + uint64(total), size: uint32(want)})
		if err != nil {
			return total, err
		}
		if len(r.b) > want {
			return total, errTold
		}
		n := copy(b[total:], r.b)
		if total += n; n < want {
			break
		}
	}
	return total, nil
}

// Entries is that of grant.Source.
func (f *farFile) Entries() (all []grant.Entry, err error) {
	for more := true; more; {
		r, err := f.s.ask(f.j, &ask{op: askList, file: f.number, at: uint64(len(all))})
		if err != nil {
			return nil, err
		}
		var list []grant.Entry
		list, more = r.entries()
		if err := r.whole(); err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// Close has the file closed with the next ask, or when the call ends.
func (f *farFile) Close() error {
	f.j.released = append(f.j.released, f.number)
	return nil
}

// errTold is what is wrong with an answer that the parent did not write so. It
// ends the call.
var errTold = fault.New(fault.Internal, "the answer to a request has another form")

// whole says that all was there, and no more.
func (r *body) whole() error {
	if r.short || len(r.b) > 0 {
		return errTold
	}
	return nil
}

// ask asks the parent, and waits. The body is good until the call asks again.
func (s *server) ask(j *job, a *ask) (*body, error) {
	a.id, a.released = j.id, j.released
	j.asks.Store(true)
	err := s.out.write(func(b []byte) []byte { return appendAsk(b, a) })
	if err != nil { // nobody is there, and this process ends
		return nil, fault.As(fault.Internal, err)
	}
	j.released = j.released[:0]
	<-j.told
	r := &body{b: j.answered}
	switch r.number(1) {
	case toldDone:
		return r, nil
	case toldNotExist:
		return nil, grant.ErrNotExist
	case toldDenied:
		return nil, grant.ErrDenied
	case toldFailed:
		return nil, readTrusted(r)
	}
	return nil, errTold
}

// readTrusted reads the error that the parent wrote, as it is.
func readTrusted(r *body) error {
	class, hint, message := fault.Class(r.text()), string(r.text()), string(r.text())
	r.text()
	if r.whole() != nil {
		return errTold
	}
	err := fault.As(class, errors.New(message))
	if hint != "" {
		err = fault.WithHint(err, "%s", hint)
	}
	return err
}

// answer gives a call what it was told.
func (s *server) answer(frame []byte) error {
	r := body{b: frame}
	id := r.number(8)
	s.mu.Lock()
	j := s.open[id]
	s.mu.Unlock()
	if j == nil || !j.asks.CompareAndSwap(true, false) {
		return fmt.Errorf("%w: an unrequested answer", errFrame)
	}
	j.answered = append(j.answered[:0], r.b...)
	j.told <- struct{}{}
	return nil
}
