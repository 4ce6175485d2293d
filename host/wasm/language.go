package wasm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/script"
)

// A language is one that scripts are written in: the module that runs them, and
// how it is started and called.
type language struct {
	script.Language
	how    convention
	driver string // what the interpreter is told before it is told the script
	bytes  []byte // of the interpreter, if the program carries it

	// alone starts the interpreter without a script, where that takes long: scripts
	// are then started from the image of it. Nil: a script starts with its
	// interpreter.
	alone func(*instance) error

	usualPages uint32        // of memory, where Limits say nothing
	mostPages  uint32        // of memory, whatever Limits say
	startFuel  uint64        // of starting a script, where Limits say less
	compile    time.Duration // of the interpreter, and of starting a script, where Limits say nothing; zero: as of any module

	module binary.Limits // of the interpreter. Nobody else's module is read with them
	file   string        // name of the interpreter's library, if it has one beside it
}

// languageTable are the languages whose interpreters are known, in every bit.
func languageTable() []*language { return []*language{&javaScript, &python, &pythonSci} }

// CompileBytes returns how much memory it may take to compile the interpreter of
// a language, beside what a call may use.
func CompileBytes(language string) uint64 {
	const usual, large = 1 << 30, 5 << 30
	if l := languageFor(language); l != nil && l.compile > 0 {
		return large
	}
	return usual
}

// LimitsFor returns the limits that hold for a script in a language, with every zero
// field replaced by the language's default or, where it has none, the usual one.
// Empty: those of a module.
func LimitsFor(language string, given Limits) Limits {
	if l := languageFor(language); l != nil {
		return l.limits(given)
	}
	return given.WithDefaults()
}

// languageOf returns the language of a script.
func languageOf(s *script.Script) (*language, error) {
	if l := languageFor(s.Language); l != nil {
		return l, nil
	}
	var names []string
	for _, l := range languageTable() {
		names = append(names, l.Name)
	}
	return nil, fault.WithHint(fault.New(fault.Refused, "scripts in %q cannot be run", printable(s.Language, 40)), "there is %s", strings.Join(names, ", "))
}

// languageFor returns the language of a name, nil if there is none.
func languageFor(name string) *language {
	for _, l := range languageTable() {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// knownCompile is how long an interpreter may take to be compiled in this process. It
// is known by its digest, so what takes long is the machine.
const knownCompile = 10 * time.Minute

// An engine is an interpreter that is compiled, for any number of scripts. It has
// the form of a module that is never called itself.
type engine struct{ flight.Once[*Module] }

// engine returns the interpreter of a language, compiled when first asked for.
// One that could not be had is asked for again.
func (r *Runtime) engine(ctx context.Context, l *language) (*Module, error) {
	r.mu.Lock()
	e := r.engines[l.Name]
	if e == nil {
		e = &engine{}
		r.engines[l.Name] = e
	}
	r.mu.Unlock()
	base, err := e.Do(ctx, func(ctx context.Context) (*Module, error) { return r.openEngine(ctx, l) })
	if err != nil && ctx.Err() == nil {
		r.mu.Lock()
		if r.engines[l.Name] == e {
			delete(r.engines, l.Name)
		}
		r.mu.Unlock()
	}
	return base, err
}

// openEngine takes an interpreter from the store, or compiles it.
func (r *Runtime) openEngine(ctx context.Context, l *language) (*Module, error) {
	base := &Module{name: l.Name, digest: l.Interpreter, how: &l.how, owner: r, language: l}
	base.limits = Limits{MemoryPages: l.mostPages, Compile: max(l.compile, knownCompile), Module: l.module}.WithDefaults()
	base.scripted = &scripted{language: l, script: &script.Script{}}
	var library []byte // nil: the store has it
	if !r.restore(ctx, base) {
		w, err := r.meterInterpreter(ctx, base)
		if err != nil {
			return nil, err
		}
		r.doing("compiling it")
		if err = r.compile(ctx, base, w); err != nil {
			return nil, err
		}
		library = w.library
	}
	base.scripted.library = r.libraryOf(base, library)
	if err := base.startAlone(ctx); err != nil {
		return nil, errors.Join(err, base.code.close(ctx))
	}
	return base, nil
}

// libraryOf returns the library of an interpreter, nil if it has none. A library of nil is
// read from the store when it is asked for.
func (r *Runtime) libraryOf(base *Module, b []byte) *library {
	if base.language.file == "" {
		return nil
	}
	if b != nil {
		return newLibrary(base.language.file, int64(len(b)), func() []byte { return b })
	}
	return newLibrary(base.language.file, base.traits.Library, func() []byte {
		a := r.store.Get(base.key())
		if a == nil {
			return nil
		}
		defer a.Close()
		b := a.Part(libraryPart)
		if b == nil {
			r.store.Remove(base.key())
		}
		return b
	})
}

// forgetImage frees the image of a module that has no instances.
func (m *Module) forgetImage() {
	if m.image != nil {
		m.image.Close()
		m.image = nil
	}
}

// meterInterpreter reads and meters an interpreter.
func (r *Runtime) meterInterpreter(ctx context.Context, base *Module) (*rewritten, error) {
	l := base.language
	r.doing("reading " + l.Title)
	bytes, err := r.interpreterBytes(ctx, l)
	if err != nil {
		return nil, err
	}
	r.doing("metering it")
	w, err := base.rewrite(bytes)
	if err != nil {
		return nil, fmt.Errorf("the interpreter of %s: %w", l.Name, err)
	}
	if l.file != "" {
		w.library, _ = binary.CustomSection(bytes, script.Library)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("the interpreter of %s is not made ready: %w", l.Name, flight.Stopped(ctx))
	}
	if !w.Restorable {
		return nil, fault.New(fault.Load, "the interpreter of %s has state that cannot be put back", l.Name)
	}
	return w, nil
}

// aloneFuel is what starting an interpreter may use.
const aloneFuel = 40_000_000_000

// startAlone makes the image of an interpreter that runs no script yet.
func (m *Module) startAlone(ctx context.Context) error {
	l := m.language
	if l.alone == nil || m.image != nil {
		return nil
	}
	m.owner.doing("starting it")
	i := m.newInstance(m.owner.system.Memory(m.traits.MostMemory), 0)
	defer i.close()
	if err := i.link(); err != nil {
		return err
	}
	if err := i.fill(); err != nil {
		return err
	}
	i.beginStart(ctx)
	i.bootWith(aloneFuel)
	if err := l.alone(i); err != nil {
		return err
	}
	m.image = i.freeze()
	m.owner.keepImage(m)
	return nil
}

// interpreterBytes returns the module that runs a language, in every bit the one
// that is known.
func (r *Runtime) interpreterBytes(ctx context.Context, l *language) ([]byte, error) {
	b := l.bytes
	if b == nil {
		if r.interpreters == nil {
			return nil, fault.WithHint(fault.New(fault.NotFound, "the runtime %q is not installed", l.Name), "rubric-host runtime add %s FILE", l.Name)
		}
		var err error
		if b, err = r.interpreters(ctx, l.Name); err != nil {
			return nil, err
		}
	}
	if has := digestOf(b); has != l.Interpreter {
		return nil, fault.WithHint(fault.New(fault.Mismatch, "the interpreter of %s is %s; the one that is known is %s", l.Name, has, l.Interpreter),
			"install the right one with rubric-host runtime add %s FILE", l.Name)
	}
	return b, nil
}

// closeEngines frees the interpreters, when no script uses them any more.
func (r *Runtime) closeEngines(ctx context.Context) (all error) {
	r.mu.Lock()
	engines := r.engines
	r.engines = map[string]*engine{}
	r.mu.Unlock()
	for _, e := range engines {
		if base, made := e.Value(); made {
			all = errors.Join(all, base.code.close(ctx))
		}
	}
	return all
}
