package wasm

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm/image"
)

// Options say how modules are compiled. The zero value works.
type Options struct {
	// CacheDir keeps compiled modules and started scripts between processes. It is created
	// if it does not exist. New refuses a directory that other users can reach, and only
	// files sealed with Key are loaded. Empty: no cache.
	CacheDir string

	// Key seals the files in CacheDir: files that were copied, planted or changed are cache
	// misses. Nil: the key of this user, see private.UserKey; without one, there is no
	// cache.
	Key private.Key

	// Carried returns the artifact that the program carries for a key, as Pack returned it; nil: none.
	// Nil: it carries none. It is trusted as the program is.
	Carried func(key string) *io.SectionReader

	// Interpreter interprets modules in place of compiling them: 30 to 100 times slower,
	// with the same answers and the same fuel.
	Interpreter bool

	// Timed measures Usage.Guest, which costs some 100 ns a call.
	Timed bool

	// Scripts returns the script in a module, or nil if the module is not a script. Nil: none is.
	Scripts func(module []byte) (*Script, error)

	// Interpreters returns the interpreter of a language whose ScriptRuntime.Module is nil. Nil:
	// there is none.
	Interpreters func(ctx context.Context, language string) ([]byte, error)

	// Doing is called with the name of each slow step of preparing an interpreter, before
	// it. It may be nil.
	Doing func(step string)

	// ScriptImage keeps the image of a script, in place of CacheDir. Nil: CacheDir does.
	ScriptImage *ScriptImage

	// FrontDir keeps the fronts of scripts, in place of CacheDir, sealed by FrontKey. Empty: CacheDir does.
	FrontDir string
	FrontKey private.Key

	denied []image.Way // ways that image.Probe must not use, for tests
}

// A Runtime loads modules. It is safe for concurrent use.
type Runtime struct {
	timed     bool
	system    func() *image.System // waits until it was probed
	artifacts artifacts
	fronts    artifacts // of scripts

	scripts      func(module []byte) (*Script, error)
	interpreters interpreters

	mu      sync.Mutex
	modules map[*Module]bool
}

// New returns a runtime. An error has class fault.Invalid: the cache directory
// cannot be used. Close the runtime when no call is running. It may still try ways to restore memory; Memory waits for that.
func New(_ context.Context, o Options) (*Runtime, error) {
	r := &Runtime{timed: o.Timed, scripts: o.Scripts, modules: map[*Module]bool{}}
	r.interpreters = interpreters{runtime: r, find: o.Interpreters, doing: o.Doing, opened: map[string]*opened{}}
	if o.Doing == nil {
		r.interpreters.doing = func(string) {}
	}
	var err error
	if r.artifacts, err = openArtifacts(o); err != nil {
		return nil, err
	}
	if r.fronts = r.artifacts; o.FrontDir != "" {
		if r.fronts, err = openArtifacts(Options{CacheDir: o.FrontDir, Key: o.FrontKey}); err != nil {
			return nil, err
		}
		r.fronts.shared = r.artifacts.shared
	}
	r.system = sync.OnceValue(func() *image.System { return image.Probe(o.denied...) })
	go r.system()
	return r, nil
}

// Memory returns the ways to restore the memory of an instance on this machine, best first.
// Memories larger than 64 KiB use the first one that finds written pages and has no error.
func (r *Runtime) Memory() []image.Finding { return r.system().Findings() }

// Close frees the runtime and every module that it loaded.
func (r *Runtime) Close(ctx context.Context) error {
	r.mu.Lock()
	modules := r.modules
	r.modules = map[*Module]bool{}
	r.mu.Unlock()
	var all error
	for m := range modules {
		all = errors.Join(all, m.Close(ctx))
	}
	all = errors.Join(all, r.interpreters.closeInterpreters(ctx))
	if shared := r.artifacts.shared; shared != nil {
		all = errors.Join(all, shared.Close(ctx))
	}
	r.system().Close()
	return all
}

func (r *Runtime) remember(m *Module) {
	r.mu.Lock()
	r.modules[m] = true
	r.mu.Unlock()
}

func (r *Runtime) forget(m *Module) {
	r.mu.Lock()
	delete(r.modules, m)
	r.mu.Unlock()
}
