package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// request sends a host request of a call and waits for the response, which is valid until
// the call's next one.
func (s *server) request(j *job, r *hostRequest) (*hostResponse, error) {
	r.id, r.Released = j.call.id, j.released
	j.asking.Store(true)
	s.out.send(kindHostRequest, r)
	j.released = j.released[:0]
	<-j.answered
	if err := j.response.error(); err != nil {
		return nil, err
	}
	return &j.response, nil
}

// respond hands a host response to the call that waits for it.
func (s *server) respond(body []byte) error {
	var id cancel // every message of a call begins with its number
	id.fields(&coder{b: body, reading: true})
	j := s.job(id.id)
	if j == nil || !j.asking.CompareAndSwap(true, false) {
		return fmt.Errorf("%w: a host response without a request", errProtocol)
	}
	j.response = hostResponse{data: j.response.data}
	if err := s.in.decode(body, kindHostResponse, &j.response); err != nil {
		return err
	}
	j.answered <- struct{}{}
	return nil
}

// access returns the access of this worker's calls: a clock and random numbers, which
// every process has, and the parent for the rest.
func (s *server) access(g *granted) *grant.Access {
	a := &grant.Access{Clock: g.Clock, Random: g.Random}
	if g.Files {
		a.Tree = client{s}
	}
	if g.HTTP {
		a.Client = client{s}
	}
	return a
}

// A client requests granted files and network from the parent.
type client struct{ s *server }

type jobKey struct{}

func jobOf(ctx context.Context) *job { return ctx.Value(jobKey{}).(*job) }

// Open implements grant.Opener.
func (k client) Open(ctx context.Context, name string) (*grant.File, error) {
	name, err := grant.Clean(name)
	if err != nil {
		return nil, err
	}
	j := jobOf(ctx)
	r, err := k.s.request(j, &hostRequest{Op: opOpen, Name: name})
	if err != nil {
		return nil, err
	}
	return grant.NewFile(name, r.Dir, r.Size, &remoteFile{k.s, j, r.File}), nil
}

// Do implements grant.Sender.
func (k client) Do(ctx context.Context, req *grant.Request) (*grant.Response, error) {
	if err := req.Check(); err != nil {
		return nil, err
	}
	timeout := grant.Timeout
	if end, ok := ctx.Deadline(); ok {
		timeout = min(timeout, time.Until(end))
	}
	r, err := k.s.request(jobOf(ctx), &hostRequest{Op: opSend, Timeout: timeout, Request: *req})
	if err != nil {
		return nil, err
	}
	return new(r.Response), nil
}

// A remoteFile is a file that the parent has open for a call.
type remoteFile struct {
	s      *server
	j      *job
	number uint32
}

// ReadAt implements grant.Source.
func (f *remoteFile) ReadAt(b []byte, at int64) (total int, err error) {
	for total < len(b) {
		want := min(len(b)-total, mostRead)
		r, err := f.s.request(f.j, &hostRequest{Op: opRead, File: f.number, Offset: uint64(at) + uint64(total), Size: uint32(want)})
		if err != nil {
			return total, err
		}
		n := copy(b[total:], r.data)
		if total += n; n < want {
			break
		}
	}
	return total, nil
}

// Entries implements grant.Source.
func (f *remoteFile) Entries() (all []grant.Entry, err error) {
	for more := true; more; {
		r, err := f.s.request(f.j, &hostRequest{Op: opList, File: f.number, Offset: uint64(len(all))})
		if err != nil {
			return nil, err
		}
		all, more = append(all, r.Entries...), r.More
	}
	return all, nil
}

// Close has the file closed with the next request, or when the call ends.
func (f *remoteFile) Close() error {
	f.j.released = append(f.j.released, f.number)
	return nil
}
