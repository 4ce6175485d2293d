package wasm

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/rubric-host/rubric-host/host/fault"
	wasmbin "github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/lean"
	"github.com/rubric-host/rubric-host/host/wasm/script"
	"github.com/rubric-host/rubric-host/host/wasm/wasi"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental/table"
)

//go:embed cpython.py
var cpythonDriver string

// A cpython is a build of CPython: how it is started. Their objects lie alike.
type cpython struct {
	arguments []string // of the program, before the driver
	starts    []string // what is called, in this order
}

// cpython312 is a program: isolated from its surroundings, without site, without
// compiled files, without buffers, UTF-8.
var cpython312 = cpython{[]string{"python", "-I", "-S", "-B", "-u", "-X", "utf8", "-c"}, []string{startExport}}

// cpython315 is a library whose run is the program; it is isolated as it comes.
var cpython315 = cpython{[]string{"/usr/local/bin/python.wasm", "-c"}, []string{initializeExport, "run"}}

// python runs in CPython 3.12, a program that is not made to be called. It is run
// until the driver parks it: in the middle of a call to the host, which never
// returns. What it was doing lies in its memory and is of no interest any more.
// From then on it is entered as an extension written in C would enter it, by the
// slot tp_call of a function of the driver: to start a script, which makes the
// image of that, and for every call.
var python = language{
	Language: languageNamed(script.Python), driver: cpythonDriver,
	how:        convention{abi: Scripted, check: cpython312.check, scorers: noScorers, late: never, ready: beginCPython, call: callCPython, lean: lean.CPython312},
	alone:      cpython312.park,
	usualPages: 2_048, mostPages: 4_096, startFuel: 10_000_000_000,
	module: wasmbin.Limits{FileBytes: 64 << 20},
}

// pythonSci runs in CPython 3.15 with numpy, scipy, pandas, scikit-learn and others
// compiled in, seven times the code of python. It has exceptions, which the meter
// takes out, and its library in an archive beside it.
var pythonSci = language{
	Language: languageNamed(script.PythonSci), driver: cpythonDriver,
	how:        convention{abi: Scripted, check: cpython315.check, scorers: noScorers, late: never, ready: beginCPython, call: callCPython, nameless: true},
	alone:      cpython315.park,
	usualPages: 4_096, mostPages: 4_096, startFuel: 100_000_000_000, compile: 30 * time.Minute,
	module: wasmbin.Limits{
		FileBytes: 256 << 20, Functions: 100_000, Exceptions: true,
		Branches: 64_000, Loops: 16_000, BranchTables: 64_000, LocalsByBranch: 1 << 40, LocalsByLoop: 1 << 40,
	},
	file: "python315.zip",
}

// nobody is the host of a Python that could call one: there is none.
var nobody = hostModule{"host", []hostFunction{
	{"call", "iiii:i", api.GoModuleFunc(func(_ context.Context, _ api.Module, stack []uint64) { stack[0] = math.MaxUint32 })},
}}

// Slots of a script in CPython, addresses in its memory but for the second.
const (
	pyEmpty    = iota // the empty tuple
	pyEntry           // the entry of the table that calls a function
	pyBytes           // the type bytes
	pyFunction        // the driver's function for the first scorer, others follow; before there is a script: what starts one
)

// The layout of objects in a build of CPython 3.12 for 32 bits.
const (
	pyTypeAt  = 4  // of an object: its type
	pyCallAt  = 64 // of a type: tp_call
	pySizeAt  = 8  // of a bytes object: its length
	pyBytesAt = 16 // of a bytes object: its bytes
)

func (c *cpython) check(m *wasmbin.Module) error {
	if err := checkImports(m, &wasiImports, &nobody); err != nil {
		return err
	}
	for _, name := range c.starts {
		if _, ok := m.Export(name); !ok {
			return fault.New(fault.Load, "CPython has no %q", name)
		}
	}
	return checkMemory(m)
}

// mostAnnounced is how much a driver may say.
const mostAnnounced = 64 << 10

// announced is what the driver says: where things are, or what is wrong.
type announced struct {
	Error string   `json:"error"`
	Begin uint64   `json:"begin"`
	Empty uint64   `json:"empty"`
	Bytes uint64   `json:"bytes"`
	Serve []uint64 `json:"serve"`
}

// park runs CPython until its driver parks it.
func (c *cpython) park(i *instance) (err error) {
	p := &i.world.Program
	*p = wasi.Program{Args: append(slices.Clone(c.arguments), cpythonDriver), MaxStdout: mostAnnounced, Parks: true}
	for _, name := range c.starts {
		if err = i.enter(i.mod.ExportedFunction(name)); err != nil {
			break
		}
	}
	said := p.Stdout
	*p = wasi.Program{}
	if !errors.Is(err, wasi.ErrParked) {
		return i.unstarted("CPython cannot be started: %v", err)
	}
	var a announced
	if err := json.Unmarshal(bytes.TrimRight(said, "\n"), &a); err != nil {
		return i.unstarted("what CPython says at its start cannot be read: %v", err)
	}
	of, _ := i.mem.ReadUint32Le(uint32(a.Begin) + pyTypeAt)
	entry, ok := i.mem.ReadUint32Le(of + pyCallAt)
	if !ok {
		return i.unstarted("CPython says that its functions are at %d", a.Begin)
	}
	i.m.scripted.slots = []uint64{pyEmpty: a.Empty, pyEntry: uint64(entry), pyBytes: a.Bytes, pyFunction: a.Begin}
	return nil
}

// beginCPython starts a script.
func beginCPython(i *instance) error {
	s := i.m.scripted
	told, err := json.Marshal(map[string]any{"entry": s.script.Entry, "files": s.script.Files, "functions": i.m.traits.Exports, "program": s.script.Program}, json.Deterministic(true))
	if err != nil {
		return i.unstarted("%v", err)
	}
	said, err := i.python("starting "+s.script.Entry, s.slots[pyFunction], told, nil)
	if err != nil {
		return err
	}
	var a announced
	if err := json.Unmarshal(said, &a); err != nil {
		return i.unstarted("what CPython says of %s cannot be read: %v", s.script.Entry, err)
	}
	switch {
	case a.Error != "":
		return i.unstarted("%s", block([]byte(a.Error)))
	case len(a.Serve) != len(i.m.traits.Exports):
		return i.unstarted("CPython has started %d functions of %d", len(a.Serve), len(i.m.traits.Exports))
	}
	s.slots = append(s.slots[:pyFunction:pyFunction], a.Serve...)
	return nil
}

// enters returns the function by which CPython's objects are called.
func (i *instance) enters() (f api.Function, err error) {
	if len(i.inner) > 0 {
		return i.inner[0], nil
	}
	defer func() {
		if p := recover(); p != nil { // no entry of that number or type
			err = fault.New(fault.Load, "plugin %s: CPython has another layout than is known: %s", i.m.name, printable(fmt.Sprint(p), 200))
		}
	}()
	const w = api.ValueTypeI32
	f = table.LookupFunction(i.mod, 0, uint32(i.m.scripted.slots[pyEntry]), []api.ValueType{w, w, w}, []api.ValueType{w})
	i.inner = []api.Function{f}
	return f, nil
}

// callCPython calls a function of a script and appends its answer to answer.
func callCPython(i *instance, export int, request, answer []byte) ([]byte, error) {
	name, slots := i.m.traits.Exports[export], i.m.scripted.slots
	if len(slots) != pyFunction+len(i.m.traits.Exports) {
		return answer, i.fault(fault.Internal, name, "the image has %d slots", len(slots))
	}
	return i.python(name, slots[pyFunction+export], request, answer)
}

// python calls a function of the driver, which reads what is given and answers a
// bytes object, and appends that to answer.
func (i *instance) python(name string, function uint64, given, answer []byte) ([]byte, error) {
	f, err := i.enters()
	if err != nil {
		return answer, err
	}
	slots := i.m.scripted.slots
	i.world.Program.Stdin = given
	i.script[0], i.script[1], i.script[2] = function, slots[pyEmpty], 0
	err = i.enterWith(f, i.script[:3])
	i.world.Program.Stdin = nil
	switch {
	case err != nil:
		return answer, i.failure(name, err)
	case i.linear.Starved():
		return answer, i.starved("plugin " + i.m.name + ": " + name)
	}
	at := uint32(i.script[0])
	if at == 0 { // an exception that the driver could not catch: there is no memory to do so
		return answer, i.outOfMemory(name)
	}
	head, ok := i.mem.Read(at, pyBytesAt)
	if !ok || uint64(binary.LittleEndian.Uint32(head[pyTypeAt:])) != slots[pyBytes] {
		return answer, i.fault(fault.Output, name, "the driver's answer is not a bytes object")
	}
	size := binary.LittleEndian.Uint32(head[pySizeAt:])
	if uint64(size) > uint64(i.m.limits.OutputBytes) {
		return answer, i.tooLong(name, uint64(size))
	}
	b, ok := i.mem.Read(at+pyBytesAt, size)
	if !ok {
		return answer, i.fault(fault.Output, name, "the answer, %d bytes at %d, is outside of the memory of %d bytes", size, at, i.size())
	}
	return append(answer, b...), nil
}
