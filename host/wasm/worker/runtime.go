package worker

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/store"
)

// Isolation says which plugins run in worker processes: a second layer of
// isolation around the sandbox. Scores do not depend on it.
type Isolation string

// The kinds of isolation.
const (
	Auto   Isolation = "auto"   // all but built-in plugins without a peer, in programs that can be a worker
	Always Isolation = "always" // all; host.New fails where that is impossible
	Never  Isolation = "never"  // none
)

// Options say how workers are started. The zero value works in a program that
// calls Main.
type Options struct {
	// Command is the program to start as a worker, with Argument as its argument. It
	// must call Main, and have the same version of this package. Empty: this program, if
	// it called Main.
	Command string

	// CacheDir keeps modules and images between processes, in the directory "isolated";
	// see wasm.Options. It is used where workers can be confined to their own part of
	// it: under Linux with Landlock, and where they are not confined at all. Empty:
	// every worker compiles its module.
	CacheDir string

	// Key seals artifacts; see wasm.Options. A worker gets a key for its own module.
	Key private.Key

	// Interpreter runs modules without compiling them; see wasm.Options.
	Interpreter bool

	// Interpreters is as in wasm.Options. It is called in this process.
	Interpreters func(ctx context.Context, language string) ([]byte, error)

	// Doing is as in wasm.Options. It is called in this process, with untrusted text.
	Doing func(step string)

	// Parallel is how many calls a worker makes at once. 0: one per processor.
	Parallel int

	// Grace is the time that a call may take beyond its deadline, and loading beyond its
	// limits, before the worker is killed. 0: 250 ms.
	Grace time.Duration

	more []string // arguments, for tests
}

// A Runtime loads modules, each in a worker of its own. It is safe for concurrent use.
// Close it.
type Runtime struct {
	o       Options
	command string
	args    []string
	store   *store.Store // nil: nothing is kept
	key     private.Key  // from which those of entries are derived

	mu      sync.Mutex
	modules map[*Module]bool
}

// New returns a runtime, without starting a worker. An error has class fault.Usage if this
// program cannot be started as a worker, or fault.Invalid if the cache directory cannot be
// used.
func New(o Options) (*Runtime, error) {
	if o.Parallel <= 0 {
		o.Parallel = runtime.GOMAXPROCS(0)
	}
	if o.Grace <= 0 {
		o.Grace = 250 * time.Millisecond
	}
	r := &Runtime{o: o, command: o.Command, args: []string{o.Command, Argument}, modules: map[*Module]bool{}}
	if o.Command == "" {
		if err := Available(); err != nil {
			return nil, err
		}
		var err error
		if r.command, err = self(); err != nil {
			return nil, fault.New(fault.Usage, "this program cannot be started as a worker: %w", err)
		}
		r.args[0] = os.Args[0]
	}
	r.args = append(r.args, o.more...)
	var err error
	if r.store, r.key, err = openStore(&r.o); err != nil {
		return nil, err
	}
	return r, nil
}

// Available returns nil if this program can be started as a worker, else an error of class
// fault.Usage.
func Available() error {
	if mainCalled.Load() {
		return nil
	}
	return fault.WithHint(fault.New(fault.Usage, "plugins cannot be isolated: this program cannot run as a worker"),
		"call worker.Main first thing in main, or name a program that does, such as rubric-host")
}

// self returns the path of this program, even if its file was replaced.
func self() (string, error) {
	const running = "/proc/self/exe"
	if runtime.GOOS == "linux" {
		if _, err := os.Stat(running); err == nil {
			return running, nil
		}
	}
	return os.Executable()
}

// Load starts a worker that loads a module. The errors are those of wasm.Runtime.Load, and
// in addition fault.Worker if the worker cannot be started or dies twice while it starts,
// and fault.Load if it is killed because compiling does not end.
//
// Grants stay in this process, which opens files and sends requests for the worker.
func (r *Runtime) Load(ctx context.Context, src wasm.Source, limits wasm.Limits) (*Module, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("plugin %s: not loaded: %w", src.Name, flight.Stopped(ctx))
	}
	l, err := newLoader(r, &src, limits)
	if err != nil {
		return nil, err
	}
	k, about, err := l.first(ctx)
	if fault.Is(err, fault.Worker) && ctx.Err() == nil {
		k, about, err = l.first(ctx)
	}
	if err != nil {
		return nil, err
	}
	if about.CacheMiss {
		l.forgetEntry()
	}
	if about.FrontMiss && l.front != nil {
		l.front.forgetEntry()
	}
	l.limits.MemoryPages = about.MemoryPages
	m := &Module{runtime: r, about: *about, name: l.src.Name, limits: l.limits, owner: newOwner(l, k, about)}
	go m.owner.run()
	r.mu.Lock()
	r.modules[m] = true
	r.mu.Unlock()
	return m, nil
}

// Close ends all workers. Pending calls fail.
func (r *Runtime) Close(ctx context.Context) error {
	r.mu.Lock()
	modules := r.modules
	r.modules = map[*Module]bool{}
	r.mu.Unlock()
	for m := range modules {
		m.Close(ctx) //nolint:errcheck // it never fails
	}
	return nil
}

func (r *Runtime) forget(m *Module) {
	r.mu.Lock()
	delete(r.modules, m)
	r.mu.Unlock()
}

// limitsDigest returns the digest of limits. Both sides must decode the same ones.
func limitsDigest(l wasm.Limits) string { return digest.Of(fmt.Appendf(nil, "%+v", l)) }
