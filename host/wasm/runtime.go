package wasm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm/extism"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/wasm/store"
	"github.com/tetratelabs/wazero"
)

// Options say how modules are compiled. The zero value works.
type Options struct {
	// CacheDir keeps modules and started scripts between processes. It is created if it
	// does not exist. New refuses a directory that other users can reach, and only files
	// that were sealed with Key are loaded. Empty: nothing is kept.
	CacheDir string

	// Key seals what CacheDir keeps: a cache that was copied, planted or changed has
	// other seals, and is a miss. Nil: the key of this user, see private.UserKey; if
	// there is none, nothing is kept.
	Key private.Key

	// Interpreter runs modules without compiling them: slower by a factor of
	// thirty to a hundred, with the same answers and the same fuel.
	Interpreter bool

	// Config answers a plugin of the Extism ABI that asks for a key of its
	// configuration: with the value that a request carries, and whether it
	// carries one. It must be safe for concurrent use, and keep nothing. Nil:
	// extism.Config.
	Config func(request, key []byte) (value []byte, ok bool)

	// Timed measures Usage.Guest, for some 100 ns a call.
	Timed bool

	// Scripts returns the script that a module is, or nil if it is none. Nil: no module is.
	Scripts func(module []byte) (*Script, error)

	// Interpreters returns the module that runs the scripts of a language which
	// the program does not carry. Nil: there is none.
	Interpreters func(ctx context.Context, language string) ([]byte, error)

	// Doing is called before each slow step of preparing an interpreter, with its name.
	// Nil: it is not.
	Doing func(step string)

	// ScriptImage keeps the image of a script, in place of CacheDir. Nil: CacheDir does.
	ScriptImage ScriptImage

	denied []image.Way // what image.Probe must not use, for tests
}

// A Runtime loads modules. It is safe for concurrent use.
type Runtime struct {
	interpreter bool
	timed       bool
	system      *image.System
	config      func(request, key []byte) ([]byte, bool)
	cache       wazero.CompilationCache // in memory, shared by all modules; nil for the interpreter

	scripts      func(module []byte) (*Script, error)
	interpreters func(context.Context, string) ([]byte, error)
	doing        func(string)
	image        ScriptImage  // nil: the store keeps it
	store        *store.Store // nil: nothing is kept
	key          private.Key  // of artifacts

	mu      sync.Mutex
	modules map[*Module]bool
	opened  map[string]*flight.Once[*interpreter] // by language
}

// New returns a runtime. An error has class fault.Invalid: the cache directory
// cannot be used. Close the runtime when no call is running.
func New(_ context.Context, o Options) (*Runtime, error) {
	r := &Runtime{
		interpreter: o.Interpreter, timed: o.Timed, config: o.Config, scripts: o.Scripts, interpreters: o.Interpreters, image: o.ScriptImage,
		modules: map[*Module]bool{}, opened: map[string]*flight.Once[*interpreter]{},
	}
	if r.doing = o.Doing; r.doing == nil {
		r.doing = func(string) {}
	}
	if r.config == nil {
		r.config = extism.Config
	}
	if err := r.openCache(o); err != nil {
		return nil, err
	}
	r.system = image.Probe(o.denied...)
	return r, nil
}

// openCache opens the store, and the cache in memory that modules share without one.
func (r *Runtime) openCache(o Options) error {
	if o.Interpreter {
		return nil
	}
	r.cache = wazero.NewCompilationCache()
	r.key = o.Key.Derive("artifacts")
	if o.CacheDir == "" {
		return nil
	}
	if err := private.Dir(o.CacheDir); err != nil {
		return noCache(err)
	}
	if r.key == nil {
		key, err := private.UserKey()
		if err != nil {
			return nil //nolint:nilerr // nothing is kept
		}
		r.key = key.Derive("artifacts")
	}
	var err error
	if r.store, err = store.Open(filepath.Join(o.CacheDir, "modules"), r.key); err != nil {
		return noCache(err)
	}
	return nil
}

// noCache says that a directory cannot be the cache.
func noCache(err error) error {
	return fault.WithHint(fault.As(fault.Invalid, fmt.Errorf("compile cache: %w", err)),
		"give the cache a directory of its own, or run without one")
}

// Memory says by which ways the memories of instances are put back here, best
// first. The first that finds written pages and has no error is used for what is
// larger than 64 KiB.
func (r *Runtime) Memory() []image.Finding { return r.system.Findings() }

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
	all = errors.Join(all, r.closeInterpreters(ctx))
	if r.cache != nil {
		all = errors.Join(all, r.cache.Close(ctx))
	}
	r.system.Close()
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
