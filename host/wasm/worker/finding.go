package worker

import (
	"context"
	"errors"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// A Finding says whether a worker gave up something before it read any of a
// module.
type Finding struct {
	Name string // one of the names below
	Note string // what was given up, in words
	Err  error  // why it was not; nil if it was
}

// What a worker gives up, where the operating system has a way.
const (
	Descriptors = "descriptors"  // open files that were not meant for it
	Limits      = "limits"       // memory, files and core dumps beyond what it needs
	Privileges  = "no-new-privs" // ever becoming another user
	Landlock    = "landlock"     // files, network ports, signals to others
	Seccomp     = "seccomp"      // all system calls but those it needs
	ParentDeath = "parent-death" // living longer than its parent
)

// Findings starts a worker, asks it what it gives up, and ends it. Nothing is
// left out: what this operating system has no way for is a Finding with an
// error.
func (r *Runtime) Findings(ctx context.Context) ([]Finding, error) {
	p, err := r.start()
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
