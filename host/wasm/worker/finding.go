package worker

import (
	"context"
	"errors"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// A Finding reports whether a worker dropped a privilege before it read a module.
type Finding struct {
	Name string `json:"name"`           // one of the names below
	Note string `json:"note,omitzero"`  // the dropped right, in words
	Why  string `json:"error,omitzero"` // why it was not dropped; empty if it was
}

// Names of privileges that a worker drops, where the operating system has a way.
const (
	Descriptors = "descriptors"  // open files that it inherited by accident
	Limits      = "limits"       // memory, files and core dumps beyond its need
	Privileges  = "no-new-privs" // ever becoming another user
	Landlock    = "landlock"     // files, network ports, signals to others
	Seccomp     = "seccomp"      // all system calls but those it needs
	ParentDeath = "parent-death" // outliving its parent
)

// Findings starts a worker, returns how it is confined, and ends it. A privilege that this
// operating system cannot drop is a Finding with an error.
func (r *Runtime) Findings(ctx context.Context) ([]Finding, error) {
	p, err := start(r.command, r.args)
	if err != nil {
		return nil, fault.New(fault.Worker, "no worker starts: %w", err)
	}
	defer context.AfterFunc(ctx, p.kill)()
	k := newConn(p)
	limits := wasm.Limits{}.WithDefaults()
	if err := k.greet(&loadRequest{Name: "none", Limits: limits, Parallel: r.o.Parallel, Interpreter: r.o.Interpreter}); err != nil {
		p.leave(err)
		return nil, fault.As(fault.Worker, errors.New("the worker ended: "+p.why(err)))
	}
	p.close()
	return k.findings, nil
}
