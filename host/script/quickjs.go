package script

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	quickjsmodule "github.com/rubric-host/rubric-host/host/script/quickjs"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// javaScript runs in QuickJS-NG. A call uses its C interface, and frees nothing: restoring the
// memory does.
var javaScript = runtime{
	Language: Language{
		Name: JavaScript, Title: "JavaScript (QuickJS-NG 0.16.2)", Extensions: []string{".js", ".mjs", ".cjs"}, Source: JavaScript,
		Interpreter: quickjsmodule.Digest,
	},
	engine: wasm.ScriptRuntime{
		Driver: func() string { return quickjsSplit() + quickjsDriver() }, Module: carried(quickjsmodule.Compressed), Functions: jsNames[:],
		MemoryPages: 1_024, MaxMemoryPages: 4_096, Depth: 150_000, StartFuel: 10_000_000_000,
	},
	start: startQuickJS, call: callQuickJS, peer: peerQuickJS,
}

// Functions that calls use, as indices of jsNames.
const (
	jsMalloc = iota
	jsNewString
	jsToText
	jsCall
	jsException
	jsRunJobs
	jsRunCompiled
	jsPromiseState
	jsPromiseResult
	jsRunTimers
	jsFree
	jsFreeText
	jsFreeValue
	jsFunctions
)

var jsNames = [jsFunctions]string{"malloc", "JS_NewStringLen", "JS_ToCStringLen2", "call", "JS_GetException", "run_jobs", "run_compiled", "JS_PromiseState", "JS_PromiseResult", "run_timers", "free", "JS_FreeCString", "JS_FreeValue"}

// Handles of a script in QuickJS, as indices. Most are values or addresses in its memory.
const (
	jsContext = iota
	jsRuntime
	jsServe
	jsWait
	jsRoom    // buffer for jsArguments values of eight bytes
	jsBelow   // lowest address of the stack
	jsProgram // the rest: of a program; compiled
	jsModular // 1: a module
	jsEnded
	jsFinish
	jsPeerServe // of a script with a peer
	jsPeerWait
	jsHandles
)

// Values of JSValue, whose upper half is a tag.
const (
	jsUndefined    = 3 << 32
	jsNull         = 2 << 32
	jsTagException = 6
)

// Bounds on a script's stack, which is allocated for it: that of the module has 64 KiB. QuickJS ends a
// script that uses 3,392 KiB of it, which is before the native stack can end.
const (
	jsStack     = 4 << 20
	jsGuard     = 64 << 10 // lowest bytes of it, which must stay zero
	jsHeap      = 4 << 20  // allocated before the image is made
	jsArguments = 2

	jsMostSaid = 2_000 // bytes of an exception that are read

	jsModule      = 1 << 0 // JS_EVAL_TYPE_MODULE
	jsCompileOnly = 1 << 5 // JS_EVAL_FLAG_COMPILE_ONLY
)

// A jsStarter starts QuickJS with a script. After the first error, its methods do nothing.
type jsStarter struct {
	g       wasm.Guest
	s       *Script
	err     error
	runtime uint64
	js      uint64 // the context
	room    uint64 // for two values
	driver  uint64 // zero: there is none yet
}

func startQuickJS(g wasm.Guest, source *Script) ([]uint64, error) {
	s := &jsStarter{g: g, s: source}
	s.ask("_initialize")
	below := s.stack()
	s.runtime = s.ask("JS_NewRuntime")
	s.js = s.ask("JS_NewContext", s.runtime)
	s.ask("js_std_add_helpers", s.js, 0, 0)
	s.ask("free", s.ask("malloc", jsHeap))
	s.room = s.ask("malloc", 8*jsArguments)
	s.eval(quickjsSplit())
	s.driver = s.eval(strings.ReplaceAll(quickjsDriver(), "@@ENTRY@@", path.Base(source.Entry)))
	handles := []uint64{jsContext: s.js, jsRuntime: s.runtime, jsRoom: s.room, jsBelow: below, jsPeerWait: 0}
	of := s.driver
	if source.Program {
		of = s.program()
		handles[jsEnded], handles[jsFinish] = s.member(of, "ended"), s.member(of, "finish")
		compiled, modular := s.compiled()
		if handles[jsProgram] = s.value(compiled); modular {
			handles[jsModular] = 1
		}
	} else {
		if source.Peer {
			s.peers()
		}
		namespace := s.run()
		s.bind(namespace)
		if source.Peer {
			in := s.callDriver("inPeer", namespace)
			handles[jsPeerServe], handles[jsPeerWait] = s.member(in, "serve"), s.member(in, "wait")
			if rejected := s.member(in, "rejected"); rejected != jsUndefined {
				s.ask("tell_rejections", s.js, rejected)
			}
		}
	}
	handles[jsServe], handles[jsWait] = s.member(of, "serve"), s.member(of, "wait")
	return handles, s.err
}

// program calls the driver's program, which defines the globals of Node, and returns the
// functions that run the script.
func (s *jsStarter) program() uint64 {
	s.ask("js_std_init_handlers", s.runtime)
	// run_timers ends the program with exit code 1 if a promise is rejected that nothing waits
	// for, as Node does.
	s.ask("track_rejections", s.runtime)
	files, err := json.Marshal(s.s.Files, json.Deterministic(true))
	if err != nil {
		s.err = err
	}
	return s.callDriver("program", s.string(files))
}

func (s *jsStarter) string(b []byte) uint64 {
	return s.ask("JS_NewStringLen", s.js, s.text(string(b)), uint64(len(b)))
}

// callDriver calls a function of the driver with at most jsArguments values.
func (s *jsStarter) callDriver(name string, values ...uint64) uint64 {
	return s.value(s.callMember(s.driver, name, values...))
}

func (s *jsStarter) callMember(of uint64, name string, values ...uint64) uint64 {
	f := s.member(of, name)
	if s.err != nil {
		return 0
	}
	for k, v := range values {
		s.g.Memory().WriteUint64Le(uint32(s.room)+8*uint32(k), v)
	}
	return s.ask("JS_Call", s.js, f, jsUndefined, uint64(len(values)), s.room)
}

// peers gives the driver the module std of QuickJS, for the global peer.
func (s *jsStarter) peers() {
	const std, text = "rubric-host:std", "export * from 'rubric-host:std'"
	s.ask("js_std_init_handlers", s.runtime)
	s.ask("js_init_module_std", s.js, s.text(std))
	compiled := s.value(s.compile("peer.js", text, jsModule))
	s.value(s.ask("run_compiled", s.js, compiled))
	s.callDriver("peers", s.ask("JS_GetModuleNamespace", s.js, compiled&0xFFFFFFFF))
}

// nodeModules are the modules of Node that a program may import; program.js
// implements them.
var nodeModules = func() map[string]string {
	m := map[string]string{}
	for name, exports := range map[string]string{"fs": "readFileSync", "process": "argv, env, exit, stdin, stdout, stderr"} {
		text := "const m = require('" + name + "'); export default m; export const { " + exports + " } = m;"
		m[name], m["node:"+name] = text, text
	}
	return m
}()

// stack allocates a stack, and returns its lowest address.
func (s *jsStarter) stack() uint64 {
	below := s.ask("calloc", jsStack, 1)
	if s.err == nil {
		s.g.SetGlobal(0, (below+jsStack)&^15)
	}
	return below
}

// ask calls a function of QuickJS, and returns its result if it has one.
func (s *jsStarter) ask(name string, args ...uint64) uint64 {
	if s.err != nil {
		return 0
	}
	v, err := s.g.CallExport(name, args...)
	if err != nil {
		s.err = s.g.Failure("starting "+s.s.Entry, err)
		return 0
	}
	return v
}

// text copies a text to memory, with a zero behind it, and returns its address.
func (s *jsStarter) text(t string) uint64 {
	at := s.ask("malloc", uint64(len(t)+1))
	if s.err == nil && (at == 0 || !s.g.Memory().WriteString(uint32(at), t) || !s.g.Memory().WriteByte(uint32(at)+uint32(len(t)), 0)) {
		s.err = s.g.StartError("no room for %d bytes of script", len(t))
	}
	return at
}

// compile compiles a source of a kind, 0 or jsModule.
func (s *jsStarter) compile(name, source string, kind uint64) uint64 {
	return s.ask("JS_Eval", s.js, s.text(source), uint64(len(source)), s.text(name), kind|jsCompileOnly)
}

// eval runs a source of ours.
func (s *jsStarter) eval(source string) uint64 {
	return s.value(s.ask("JS_Eval", s.js, s.text(source), uint64(len(source)), s.text("driver.js"), 0))
}

func (s *jsStarter) member(of uint64, name string) uint64 {
	return s.value(s.ask("JS_GetPropertyStr", s.js, of, s.text(name)))
}

// value returns v. If v is an exception, starting fails with it.
func (s *jsStarter) value(v uint64) uint64 {
	if s.err == nil && v>>32 == jsTagException {
		s.thrown(s.ask("JS_GetException", s.js))
	}
	return v
}

// thrown makes starting fail with a thrown value, in the words of the driver if there is one.
func (s *jsStarter) thrown(e uint64) {
	if s.err != nil {
		return
	}
	if driver := s.driver; driver != 0 {
		s.driver = 0 // its own exceptions are not explained
		if v := s.callMember(driver, "explain", e); s.err == nil && v>>32 != jsTagException {
			e = v
		}
	}
	if said := s.said(e); s.err == nil {
		s.err = s.g.StartError("%s", wasm.Printable(said))
	}
}

// said returns the beginning of a value as text.
func (s *jsStarter) said(v uint64) []byte {
	at := s.ask("JS_ToCStringLen2", s.js, s.room, v, 0)
	if s.err != nil {
		return nil
	}
	size, _ := s.g.Memory().ReadUint32Le(uint32(s.room))
	text, _ := s.g.Memory().Read(uint32(at), min(size, jsMostSaid))
	return text
}

// run evaluates the script, and returns its namespace if it is a module.
func (s *jsStarter) run() (namespace uint64) {
	compiled, modular := s.compiled()
	if !modular {
		s.value(s.ask("run_compiled", s.js, compiled))
		return jsUndefined
	}
	promise := s.value(s.ask("run_compiled", s.js, s.value(compiled)))
	for s.ask("JS_ExecutePendingJob", s.runtime, s.room) != 0 {
	}
	switch state := s.ask("JS_PromiseState", s.js, promise); {
	case s.err != nil:
	case state == 0:
		s.err = s.g.StartError("%s waits for something that never happens: a script has no timers and no files", path.Base(s.s.Entry))
	case state == 2:
		s.thrown(s.ask("JS_PromiseResult", s.js, promise))
	}
	return s.value(s.ask("JS_GetModuleNamespace", s.js, compiled&0xFFFFFFFF))
}

// compiled compiles the script, and reports whether it is a module. A source that is valid as a
// script is not one. Nothing runs.
func (s *jsStarter) compiled() (value uint64, modular bool) {
	name, text := path.Base(s.s.Entry), s.s.Files[s.s.Entry]
	wrong := uint64(0)
	if !strings.HasSuffix(name, ".mjs") {
		plain := s.compile(name, text, 0)
		if plain>>32 != jsTagException {
			return plain, false
		}
		wrong = s.ask("JS_GetException", s.js)
	}
	module := s.linked(name, text, []string{name})
	if module>>32 == jsTagException && !moduleWords().MatchString(text) {
		s.thrown(wrong)
	}
	return module, true
}

// linked compiles a module. If QuickJS reports an import that it does not have, that file of the
// script is compiled first. Names of modules are paths below the script's directory. Nothing
// runs. The modules in open are being compiled.
func (s *jsStarter) linked(name, text string, open []string) uint64 {
	files := s.s.Files
	for {
		v := s.compile(name, text, jsModule)
		if s.err != nil || v>>32 != jsTagException {
			return v
		}
		e := s.ask("JS_GetException", s.js)
		missing := s.missing(e)
		other, there := files[missing]
		if !there && s.s.Program {
			other, there = nodeModules[missing]
		}
		switch {
		case s.err != nil:
			return v
		case !there:
			return s.ask("JS_Throw", s.js, e)
		case slices.Contains(open, missing):
			s.err = s.g.StartError("%s and %s import each other; put what both need into a third file", name, missing)
			return v
		}
		s.value(s.linked(missing, other, append(slices.Clip(open), missing)))
		if s.err != nil {
			return v
		}
	}
}

// unfound matches QuickJS's error about a missing module.
var unfound = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ReferenceError: could not load module '(.+)'$`) })

// missing returns the module that an exception reports as missing; empty for other exceptions.
func (s *jsStarter) missing(e uint64) string {
	if found := unfound().FindSubmatch(s.said(e)); found != nil {
		return string(found[1])
	}
	return ""
}

// moduleWords begin a line in a source that is meant to be a module.
var moduleWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*(?:import|export)\b`) })

// bind makes the driver find the scorers.
func (s *jsStarter) bind(namespace uint64) {
	names, err := json.Marshal(s.s.Functions())
	if err != nil {
		s.err = err
	}
	wrong := s.callDriver("bind", s.string(names), namespace)
	if said := s.said(wrong); len(said) > 0 {
		s.err = s.g.StartError("%s: %s", path.Base(s.s.Entry), wasm.Printable(said))
	}
}
