package grant

import (
	"context"
	"errors"

	"github.com/rubric-host/rubric-host/host/fault"
)

// An Opener opens files for guests: a Tree, or a proxy for one in another process. It is safe
// for concurrent use. The context is that of the call.
type Opener interface {
	Open(ctx context.Context, name string) (*File, error)
}

// A Sender sends requests for guests: a Client, or a proxy for one in another process. It is
// safe for concurrent use.
type Sender interface {
	Do(ctx context.Context, r *Request) (*Response, error)
}

// An Access holds opened grants. The zero value and nil grant nothing. It is safe for
// concurrent use. Close it when no call uses it any more.
type Access struct {
	Clock  bool
	Random bool
	Tree   Opener // nil: no files
	Client Sender // nil: no requests

	close []func() error
}

// OpenAccess opens grants. A guest sees one directory, as its root: several are an error of class
// Usage.
func OpenAccess(list []Grant) (*Access, error) {
	a := &Access{}
	var tree *Tree
	var hosts []string
	for _, g := range list {
		switch g.Kind {
		case Clock:
			a.Clock = true
		case Random:
			a.Random = true
		case HTTP:
			hosts = append(hosts, g.Target)
		case Files:
			if tree != nil {
				return nil, errors.Join(fault.WithHint(fault.New(fault.Usage, "fs:read is granted for %s and for %s", tree.dir, g.Target),
					"grant the directory that holds both"), a.Close())
			}
			var err error
			if tree, err = openTree(g.Target); err != nil {
				return nil, err
			}
			a.Tree, a.close = tree, append(a.close, tree.Close)
		default:
			return nil, fault.New(fault.Internal, "grant %q", g)
		}
	}
	if len(hosts) > 0 {
		c := newClient(hosts)
		a.Client, a.close = c, append(a.close, func() error { c.Close(); return nil })
	}
	return a, nil
}

// ErrNoNetwork is the error of a request without a grant.
var ErrNoNetwork = fault.WithHint(fault.New(fault.Refused, "the plugin asks for the network, which it is not given"),
	"allow a host that its manifest requests, PLUGIN=http:HOST in "+fault.OptionAllow+", or put the data that it fetches into the case")

// Sends reports whether requests to some host were granted.
func (a *Access) Sends() bool { return a != nil && a.Client != nil }

// Send sends a request, or returns ErrNoNetwork.
func (a *Access) Send(ctx context.Context, r *Request) (*Response, error) {
	if !a.Sends() {
		return nil, ErrNoNetwork
	}
	return a.Client.Do(ctx, r)
}

// Close closes directories and connections.
func (a *Access) Close() (all error) {
	if a == nil {
		return nil
	}
	for _, c := range a.close {
		all = errors.Join(all, c())
	}
	a.close = nil
	return all
}
