package script

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Language is one that scripts may be written in.
type Language struct {
	Name        string   // as manifests say it
	Title       string   // for people
	Extensions  []string // of its files, the usual one first
	Interpreter string   // "sha256:<hex>" of the module that runs it
	Source      string   // name of the language of its files: that of two runtimes may be one
	Carried     bool     // the program carries the interpreter
}

// Names of languages.
const (
	JavaScript = "js"
	Python     = "python"
	PythonSci  = "python-sci"
)

// A runtime is how scripts in a language are started and called.
type runtime struct {
	Language
	engine wasm.ScriptRuntime // Name, Title and Interpreter are those of Language

	start func(g wasm.Guest, s *Script) (handles []uint64, err error)
	call  func(g wasm.Guest, s *Script, export int, request, answer []byte) ([]byte, error)
	peer  func(g wasm.Guest, s *Script, request, answer []byte) ([]byte, error)
}

// runtimes are all that there are. The first one of a file name extension is its default.
var runtimes = tabled(&javaScript, &python, &pythonSci)

func tabled(list ...*runtime) []*runtime {
	for _, r := range list {
		r.engine.Name, r.engine.Title, r.engine.Interpreter = r.Name, r.Title, r.Interpreter
		r.Carried = r.engine.Module != nil
	}
	return list
}

// carried returns what decompresses an interpreter that the program carries: CPython's 17 MB in a
// tenth of a second. A process that finds the compiled one in its store does not need it.
func carried(compressed []byte) func() ([]byte, error) {
	return func() ([]byte, error) {
		z, err := gzip.NewReader(bytes.NewReader(compressed))
		if err == nil {
			var b []byte
			if b, err = io.ReadAll(z); err == nil {
				return b, nil
			}
		}
		return nil, fmt.Errorf("the interpreter that the program carries: %w", err)
	}
}

// runtimeOf returns the runtime of a language, nil if there is none.
func runtimeOf(language string) *runtime {
	for _, r := range runtimes {
		if r.Name == language {
			return r
		}
	}
	return nil
}

// Open returns the script that a module is, for wasm.Options.Scripts; nil if it is none. An
// error has class fault.Refused or fault.Mismatch.
func Open(module []byte) (*wasm.Script, error) {
	if !Is(module) {
		return nil, nil //nolint:nilnil // a module that is not a script
	}
	s, err := Read(module)
	if err != nil {
		return nil, err
	}
	r := runtimeOf(s.Language)
	if r == nil {
		names := xslices.Map(runtimes, func(r *runtime) string { return r.Name })
		return nil, fault.WithHint(fault.New(fault.Refused, "scripts in %q cannot be run", fault.Clip(s.Language, 40)), "there is %s", strings.Join(names, ", "))
	}
	if s.Interpreter != r.Interpreter {
		return nil, fault.WithHint(fault.New(fault.Mismatch, "it requires the interpreter %s of %s; there is %s",
			fault.Clip(s.Interpreter, 80), r.Name, r.Interpreter), "make the plugin again with this version of rubric-host")
	}
	script := &wasm.Script{
		Runtime: &r.engine, Exports: s.Functions(),
		Start: func(g wasm.Guest) ([]uint64, error) { return r.start(g, s) },
		Call: func(g wasm.Guest, export int, request, answer []byte) ([]byte, error) {
			return r.call(g, s, export, request, answer)
		},
	}
	script.Front, _ = binary.CustomSection(module, FrontSection)
	if s.Peer {
		script.Peer = func(g wasm.Guest, request, answer []byte) ([]byte, error) { return r.peer(g, s, request, answer) }
	}
	return script, nil
}

// LimitsFor returns the limits of a script in a language, with every zero field replaced by
// the language's default or, where it has none, the usual one. Of no language, they are
// those of a module.
func LimitsFor(language string, limits wasm.Limits) wasm.Limits {
	if r := runtimeOf(language); r != nil {
		return r.engine.Limits(limits)
	}
	return limits.WithDefaults()
}

// CompileBytes returns how many bytes of memory it may take to compile the interpreter of a
// language, besides the limits of a call.
func CompileBytes(language string) uint64 {
	const usual, large = 1 << 30, 5 << 30
	if r := runtimeOf(language); r != nil && r.engine.Compile > 0 {
		return large
	}
	return usual
}

// Languages returns the languages there are.
func Languages() []Language {
	return xslices.Map(runtimes, func(r *runtime) Language { return r.Language })
}

// Find returns the language of a name.
func Find(name string) (Language, bool) {
	if r := runtimeOf(name); r != nil {
		return r.Language, true
	}
	return Language{}, false
}

// Of returns the language that a file's name says it is written in: of several
// runtimes for one, the first.
func Of(file string) (Language, bool) {
	extension := strings.ToLower(path.Ext(file))
	for _, r := range runtimes {
		if slices.Contains(r.Extensions, extension) {
			return r.Language, true
		}
	}
	return Language{}, false
}
