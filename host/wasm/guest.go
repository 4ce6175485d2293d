package wasm

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/api"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/wasi"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Guest is a running interpreter as its ScriptRuntime sees it. It is valid during Start and
// Call of a Script, for the goroutine that they run in.
type Guest struct{ i *instance }

// Export returns the name of an export, by its index in Script.Exports.
func (g Guest) Export(k int) string { return g.i.proto.traits.Exports[k] }

// Memory returns the guest's memory. Offsets and sizes from the guest are untrusted: its
// methods report those that are out of bounds.
func (g Guest) Memory() api.Memory { return g.i.mem }

// Handles returns the result of Start for this script or, while it runs, for the
// interpreter alone. It must not be changed.
func (g Guest) Handles() []uint64 { return g.i.proto.script.handles }

// Call calls the function k of ScriptRuntime.Functions, and returns its result if it has one.
// It takes at most six arguments.
func (g Guest) Call(k int, args ...uint64) (uint64, error) {
	return g.enter(g.i.function(k, g.i.proto.script.Runtime.Functions), args)
}

// CallExport is Call for any function that the interpreter exports.
func (g Guest) CallExport(name string, args ...uint64) (uint64, error) {
	f := g.i.mod.ExportedFunction(name)
	if f == nil {
		return 0, fmt.Errorf("%s does not export %q", g.i.proto.script.Runtime.Name, name)
	}
	return g.enter(f, args)
}

// CallIndirect calls a function by its index in the interpreter's table: one with three
// parameters and one result of 32 bits. It must be the same index in every call.
func (g Guest) CallIndirect(index uint32, a, b, c uint64) (uint64, error) {
	f, err := g.i.inTable(index)
	if err != nil {
		return 0, err
	}
	return g.enter(f, []uint64{a, b, c})
}

func (g Guest) enter(f api.Function, args []uint64) (uint64, error) {
	i := g.i
	copy(i.args[:], args)
	err := i.enterWith(f, i.args[:])
	return i.args[0], err
}

// SetGlobal sets mutable global k of the interpreter, in the module's order.
func (g Guest) SetGlobal(k int, v uint64) { g.i.globals[k].Set(v) }

// SetStdin sets the bytes that the guest reads from standard input.
func (g Guest) SetStdin(b []byte) { g.i.world.Program.Stdin = b }

// RunUntilParked calls exported functions in order until the guest parks itself: it
// has written to standard output, at most so many bytes, and asks for the resolution
// of a clock. The call that was running never returns; later calls enter the guest
// again. The result is the standard output.
func (g Guest) RunUntilParked(exports, arguments []string, most int) ([]byte, error) {
	p := &g.i.world.Program
	*p = wasi.Program{Args: arguments, MaxStdout: most, Parks: true}
	var err error
	for _, name := range exports {
		if _, err = g.CallExport(name); err != nil {
			break
		}
	}
	output := p.Stdout
	*p = wasi.Program{}
	if errors.Is(err, wasi.ErrParked) {
		return output, nil
	}
	if err == nil {
		err = errors.New("it ended")
	}
	return nil, g.StartError("%s cannot be started: %v", g.i.proto.script.Runtime.Title, err)
}

// Answer returns a range of the guest's memory that is the answer of an export. An error
// has class fault.Output or fault.Memory.
func (g Guest) Answer(export string, at, size uint32) ([]byte, error) {
	return g.i.answerAt(export, at, size)
}

// Failure turns the error of a call into the plugin's, with its class, and a trace.
func (g Guest) Failure(doing string, err error) error { return g.i.failure(doing, err) }

// Fault returns an error of a class that names plugin and export.
func (g Guest) Fault(c fault.Class, export, format string, args ...any) error {
	return g.i.fault(c, export, format, args...)
}

// StartError returns an error in terms of the script's author: it cannot be started.
func (g Guest) StartError(format string, args ...any) error {
	why, printed := fmt.Sprintf(format, args...), lastLogged(g.i.world.Log())
	if strings.Contains(why, "\n") { // a traceback
		printed = strings.Replace(printed, "; ", "\n  ", 1)
	}
	return fault.WithHint(fault.New(fault.Load, "plugin %s: %s%s", g.i.proto.name, why, printed), "correct the script")
}

// OutOfMemory returns an error: a script has used all the memory that it may use.
func (g Guest) OutOfMemory(export string) error {
	if err := g.i.checkStarved(export); err != nil {
		return err
	}
	return fault.WithHint(g.Fault(fault.Memory, export, "no memory is left of %d bytes", g.i.proto.traits.MaxMemory), "raise "+fault.OptionMemory+", or make the plugin use less")
}

// Printable returns untrusted text fit for several lines of a terminal, each of at most
// 2,000 bytes.
func Printable(b []byte) string {
	lines := bytes.Split(bytes.TrimRight(b, "\n"), []byte("\n"))
	return strings.Join(xslices.Map(lines, func(l []byte) string { return plain(string(l), maxPluginError) }), "\n")
}

// startScript starts an interpreter with its script, and makes the image that calls begin
// with.
func (i *instance) startScript() error {
	s := i.proto.script
	// Starting happens once, so the caller's limits of a call do not apply.
	fuel := max(i.proto.limits.Fuel, s.Runtime.StartFuel)
	if s.base == nil {
		fuel = s.Runtime.AloneFuel
	}
	i.budget.allow(fuel, max(i.proto.limits.Deadline, i.proto.limits.Compile))
	handles, err := s.Start(Guest{i})
	s.handles = slices.Clip(handles)
	return err
}
