package grant

import (
	"context"
	"errors"

	"github.com/rubric-host/rubric-host/host/fault"
)

// An Access is what was granted, opened. The zero value and nil grant nothing.
// It is safe for concurrent use; close it when no call uses it any more.
type Access struct {
	Clock  bool
	Random bool
	Tree   *Tree   // nil: no files
	Client *Client // nil: no requests

	grants []Grant
}

// OpenAccess makes an access of grants. Several directories are an error of class
// Usage: a guest sees one, as its root.
func OpenAccess(list []Grant, b Bounds) (*Access, error) {
	a := &Access{grants: list}
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
			if a.Tree != nil {
				return nil, errors.Join(fault.WithHint(fault.New(fault.Usage, "fs:read is granted for %s and for %s", a.Tree.Dir(), g.Target),
					"grant the directory that holds both"), a.Close())
			}
			t, err := OpenTree(g.Target)
			if err != nil {
				return nil, err
			}
			a.Tree = t
		default:
			return nil, fault.New(fault.Internal, "grant %q", g)
		}
	}
	if len(hosts) > 0 {
		a.Client = NewClient(hosts, b)
	}
	return a, nil
}

// Grants returns what was granted.
func (a *Access) Grants() []Grant {
	if a == nil {
		return nil
	}
	return a.grants
}

// ErrNoNetwork says that no request was granted.
var ErrNoNetwork = fault.WithHint(fault.New(fault.Refused, "the plugin asks for the network, which it is not given"),
	"allow a host that its manifest asks for with --allow PLUGIN=http:HOST, or put what it looks up into the case")

// Sends reports whether some requests were granted.
func (a *Access) Sends() bool { return a != nil && a.Client != nil }

// Send sends a request, or says that none was granted.
func (a *Access) Send(ctx context.Context, r *Request) (*Response, error) {
	if !a.Sends() {
		return nil, ErrNoNetwork
	}
	return a.Client.Do(ctx, r)
}

// Close lets go of everything.
func (a *Access) Close() error {
	if a == nil {
		return nil
	}
	if a.Client != nil {
		a.Client.Close()
	}
	if a.Tree != nil {
		return a.Tree.Close()
	}
	return nil
}
