package wasm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// A ScriptRuntime runs the scripts of a language: an interpreter, which is a
// module known by its digest, and the limits that apply to it. It must not be changed.
type ScriptRuntime struct {
	Name        string                 // as Options.Interpreters is asked for it
	Title       string                 // in messages
	Interpreter string                 // "sha256:<hex>" of the module
	Module      func() ([]byte, error) // nil: Options.Interpreters returns it
	Driver      func() string          // all source that starting a script runs besides the script; part of the key of images

	// Functions are exports of the module that Guest.Call calls. A module that lacks one is
	// refused.
	Functions []string

	// Stubs are imports beyond WASI that the module may have. They do nothing.
	Stubs []Stub

	// Alone starts the interpreter without a script, where that takes long: scripts then
	// start from the image of it. The handles are those that Script.Start finds. Nil: a
	// script starts with its interpreter.
	Alone func(Guest) (handles []uint64, err error)

	MemoryPages    uint32        // of a script, where Limits say nothing
	MaxMemoryPages uint32        // of a script, whatever Limits say
	Depth          int32         // of nested calls of a script, where Limits say nothing: an interpreter takes several for one of the script's
	StartFuel      uint64        // of starting a script, where Limits say less
	AloneFuel      uint64        // of Alone
	Compile        time.Duration // of the interpreter, and of starting a script, where Limits say nothing; zero: as of any module
	Read           binary.Limits // of the interpreter; other modules are not read with them

	// Library is the name of a file that the interpreter reads, below /usr/local/lib: the
	// bytes of the module's custom section LibrarySection. Empty: there is none.
	Library string

	// Nameless drops the names of functions: those of this interpreter explain nothing in
	// a trace.
	Nameless bool
}

// LibrarySection is the custom section of an interpreter that has the files that its
// language comes with.
const LibrarySection = "rubric-host.library"

// A Stub is a function that can be imported and always answers the same. In its shape, a
// letter stands for each parameter, then a colon, then a letter for each result: i is i32,
// I is i64.
type Stub struct {
	Module, Name, Shape string
	Result              uint64
}

// A Script is a script that an interpreter runs.
type Script struct {
	Runtime *ScriptRuntime
	Exports []string // scorers, sorted

	// Start runs the script. The memory of the guest is then the image that every call
	// begins with, and handles are kept with it: addresses, for example.
	Start func(Guest) (handles []uint64, err error)

	// Call appends the answer of an export, an index of Exports, to answer.
	Call func(g Guest, export int, request, answer []byte) ([]byte, error)

	// Front is a module of the direct ABI. It is asked first, for its own exports, with the same
	// peers; the script is called if it answers nothing or fails. Empty: there is none.
	Front []byte

	// Peer appends the answer of a peer to answer: of an instance of this script that
	// another one asks during a call. An error of class fault.Trap is the peer's, in its
	// own words. Nil: there are no peers.
	Peer func(g Guest, request, answer []byte) ([]byte, error)
}

// Limits returns the limits of a script, with every zero field replaced by the language's
// default or, where it has none, the usual one.
func (l *ScriptRuntime) Limits(limits Limits) Limits {
	limits.MemoryPages = cmp.Or(limits.MemoryPages, l.MemoryPages)
	limits.MemoryPages = min(limits.MemoryPages, l.MaxMemoryPages)
	limits.Compile = cmp.Or(limits.Compile, l.Compile)
	limits.Depth = cmp.Or(limits.Depth, l.Depth)
	return limits.WithDefaults()
}

// interpreters are those of a runtime, each opened for the first script in its language and
// compiled once. An interpreter is a prototype, with an image if its language starts it
// alone.
type interpreters struct {
	runtime *Runtime
	find    func(ctx context.Context, language string) ([]byte, error) // Options.Interpreters
	doing   func(step string)                                          // Options.Doing

	mu     sync.Mutex
	opened map[string]*opened // by language
}

// An opened interpreter is a prototype with its code, for a script whose image is kept, and one with its memory
// too, for a script that is to be started.
type opened struct{ code, started flight.Once[*prototype] }

// interpreterCompile is how long an interpreter may take to be compiled in this process. It
// is known by its digest, so only the machine can be slow.
const interpreterCompile = 10 * time.Minute

// of returns the interpreter of a language.
func (s *interpreters) of(l *ScriptRuntime) *opened {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened[l.Name] == nil {
		s.opened[l.Name] = &opened{}
	}
	return s.opened[l.Name]
}

// interpreterOf returns the interpreter of a language, without a memory. The first caller opens it.
func (s *interpreters) interpreterOf(ctx context.Context, l *ScriptRuntime) (*prototype, error) {
	return s.of(l).code.Do(ctx, func(ctx context.Context) (*prototype, error) { return s.openInterpreter(ctx, l) })
}

// started returns the interpreter of a language with its memory. The first caller starts it, if its language
// says so.
func (s *interpreters) started(ctx context.Context, l *ScriptRuntime) (*prototype, error) {
	return s.of(l).started.Do(ctx, func(ctx context.Context) (*prototype, error) {
		in, err := s.interpreterOf(ctx, l)
		if err != nil {
			return nil, err
		}
		p := *in
		p.script = &hosted{Script: in.script.Script}
		return &p, s.startInterpreter(ctx, &p)
	})
}

// startInterpreter takes the image of an interpreter from the store, or starts it, if its language says so. Else
// its memory is its data.
func (s *interpreters) startInterpreter(ctx context.Context, p *prototype) error {
	alone := p.script.Start != nil
	if alone && s.runtime.artifacts.loadImage(p) {
		return nil
	}
	if p.data == nil && !s.runtime.artifacts.readData(p) {
		again := *p
		w, err := s.meterInterpreter(ctx, &again)
		if err != nil {
			return err
		}
		p.data = w.data
	}
	if !alone {
		return nil
	}
	s.doing("starting it")
	if err := p.first(ctx); err != nil {
		return err
	}
	s.runtime.artifacts.saveImage(p)
	return nil
}

// openInterpreter takes an interpreter from the store, or compiles it.
func (s *interpreters) openInterpreter(ctx context.Context, l *ScriptRuntime) (*prototype, error) {
	p := &prototype{name: l.Name, digest: l.Interpreter, convention: interpreted(l), runtime: s.runtime}
	p.limits = Limits{MemoryPages: l.MaxMemoryPages, Compile: max(l.Compile, interpreterCompile), Depth: l.Depth, Module: l.Read}.WithDefaults()
	p.script = &hosted{Script: &Script{Runtime: l, Start: l.Alone}} // alone, it is a script of no source
	var library []byte                                              // nil: the store has it
	if !s.runtime.artifacts.load(ctx, p) {
		w, err := s.meterInterpreter(ctx, p)
		if err != nil {
			return nil, err
		}
		s.doing("compiling it")
		if err = s.runtime.artifacts.compile(ctx, p, w); err != nil {
			return nil, err
		}
		library, p.data = w.library, w.data
	}
	p.library = s.libraryOf(p, library)
	return p, nil
}

// interpreted is the convention of an interpreter, and of scripts in it.
func interpreted(l *ScriptRuntime) *convention {
	stubs := &hostModule{}
	for _, s := range l.Stubs {
		stubs.name = s.Module
		stubs.functions = append(stubs.functions, s.function())
	}
	return &convention{
		abi: Scripted, scorers: func(*binary.Module) []string { return nil }, nameless: l.Nameless, stubs: stubs,
		check: func(m *binary.Module) error { return checkInterpreter(m, l, stubs) },
		ready: (*instance).startScript,
		call: func(i *instance, export int, request, answer []byte) ([]byte, error) {
			return i.proto.script.Call(Guest{i}, export, request, answer)
		},
	}
}

// checkInterpreter refuses a module without the exports that its language needs.
func checkInterpreter(m *binary.Module, l *ScriptRuntime, stubs *hostModule) error {
	for _, name := range l.Functions {
		if e, ok := m.Export(name); !ok || e.Kind != binary.FunctionKind {
			return fault.New(fault.Load, "%s does not export %q", l.Title, name)
		}
	}
	if err := checkImports(m, &wasiImports, stubs); err != nil {
		return err
	}
	return checkMemory(m)
}

// libraryOf returns the library of an interpreter, nil if it has none. A library of nil is
// read from the store when it is first used.
func (s *interpreters) libraryOf(p *prototype, b []byte) *library {
	name := p.script.Runtime.Library
	if name == "" {
		return nil
	}
	if b != nil {
		return newLibrary(name, int64(len(b)), func() []byte { return b })
	}
	return newLibrary(name, p.traits.Library, func() []byte {
		a := s.runtime.artifacts.store.Get(p.key())
		if a == nil {
			return nil
		}
		defer a.Close()
		b := a.Part(libraryPart)
		if b == nil {
			s.runtime.artifacts.store.Remove(p.key())
		}
		return b
	})
}

func (s *interpreters) meterInterpreter(ctx context.Context, p *prototype) (*rewritten, error) {
	l := p.script.Runtime
	s.doing("reading " + l.Title)
	module, err := s.interpreterBytes(ctx, l)
	if err != nil {
		return nil, err
	}
	s.doing("metering it")
	w, err := p.rewrite(module)
	if err != nil {
		return nil, fmt.Errorf("the interpreter of %s: %w", l.Name, err)
	}
	if l.Library != "" {
		w.library, _ = binary.CustomSection(module, LibrarySection)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("the interpreter of %s is not loaded: %w", l.Name, flight.Stopped(ctx))
	}
	if !w.Restorable {
		return nil, fault.New(fault.Load, "the interpreter of %s has state that cannot be restored", l.Name)
	}
	return w, nil
}

// interpreterBytes returns the interpreter of a language. It is, bit by bit, the one with
// the known digest.
func (s *interpreters) interpreterBytes(ctx context.Context, l *ScriptRuntime) ([]byte, error) {
	find := l.Module
	if find == nil {
		if s.find == nil {
			return nil, fault.WithHint(fault.New(fault.NotFound, "the runtime %q is not installed", l.Name), "install it: "+fault.OptionAddRuntime+" %s FILE", l.Name)
		}
		find = func() ([]byte, error) { return s.find(ctx, l.Name) }
	}
	b, err := find()
	if err != nil {
		return nil, err
	}
	has := digest.Of(b)
	switch {
	case has == l.Interpreter:
		return b, nil
	case l.Module != nil:
		return nil, fault.New(fault.Internal, "the interpreter of %s that the program carries is %s, want %s", l.Name, has, l.Interpreter)
	default:
		return nil, fault.WithHint(fault.New(fault.Mismatch, "the interpreter of %s is %s, want %s", l.Name, has, l.Interpreter),
			"install the right one: "+fault.OptionAddRuntime+" %s FILE", l.Name)
	}
}

// closeInterpreters frees the interpreters, when no script uses them any more.
func (s *interpreters) closeInterpreters(ctx context.Context) (all error) {
	s.mu.Lock()
	list := s.opened
	s.opened = map[string]*opened{}
	s.mu.Unlock()
	for _, o := range list {
		if in, made := o.started.Value(); made {
			in.forgetImage()
		}
		if in, made := o.code.Value(); made {
			all = errors.Join(all, in.close(ctx))
		}
	}
	return all
}
