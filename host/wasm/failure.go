package wasm

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/wasm/wasi"
)

// Errors of host functions that end a call.
var (
	errFuel     = errors.New("out of fuel")
	errDeadline = errors.New("out of time")
	errThrown   = errors.New("an uncaught exception")
)

// A hostError is the error of a host function. It ends the call.
type hostError struct{ error }

func (e hostError) Unwrap() error { return e.error }

// failure turns the error of a guest's function into an error with plugin, usage, limit, fix
// and trace.
func (i *instance) failure(doing string, err error) error {
	frames := framesOf(err.Error(), i.proto.traits.Imported)
	return fault.WithTrace(i.explain(doing, err, innermost(frames)), frames)
}

// explain classifies and words a failure. calls are the innermost functions.
func (i *instance) explain(doing string, err error, calls string) error {
	l := &i.proto.limits
	where := "plugin " + i.proto.name + ": " + doing
	var exit wasi.ExitError
	var stop flight.StoppedError
	var end hostError
	if starved := i.checkStarved(doing); starved != nil {
		return starved
	}
	switch {
	case errors.Is(err, errFuel):
		return fault.WithHint(fault.New(fault.Fuel, "%s: used %d of %d fuel", where, i.budget.used(), i.budget.count.Limit),
			"raise "+fault.OptionFuel+", or make the plugin do less work")
	case errors.Is(err, errDeadline):
		return fault.WithHint(fault.New(fault.Deadline, "%s: still running after %v, %d of %d fuel used", where, i.budget.deadline, i.budget.used(), i.budget.count.Limit),
			"raise "+fault.OptionDeadline+", or lower "+fault.OptionFuel+" so that it stops sooner")
	case errors.As(err, &stop):
		return fmt.Errorf("%s: stopped after %d fuel: %w", where, i.budget.used(), stop)
	case i.tooDeep(err):
		return fault.New(fault.Depth, "%s: calls nest too deep, %d allowed%s", where, l.Depth, calls)
	case i.budget.denied != nil && i.budget.denied.Get() != 0:
		return fault.WithHint(fault.New(fault.Memory, "%s: gave up after it was denied more than %d of %d bytes of memory: %s%s",
			where, i.size(), i.proto.traits.MaxMemory, reason(err), calls), "raise "+fault.OptionMemory+", or make the plugin use less")
	case errors.Is(err, wasi.ErrOutput):
		return i.tooLong(doing, uint64(l.OutputBytes)+1)
	case errors.As(err, &exit):
		return fault.New(fault.PluginError, "%s: the plugin ended itself with %w%s", where, exit, lastLogged(i.world.Log()))
	case errors.As(err, &end):
		return fmt.Errorf("%s: %w", where, end.error)
	case errors.Is(err, errThrown):
		return fault.New(fault.Trap, "%s: trap: %v%s", where, err, logged(i.world.Log()))
	case strings.Contains(firstLine(err.Error()), trapPrefix):
		return fault.New(fault.Trap, "%s: trap: %s%s%s", where, reason(err), calls, logged(i.world.Log()))
	}
	return fault.New(fault.Internal, "%s: %s", where, plain(firstLine(err.Error()), 300))
}

// checkStarved returns an error if the system, not a limit, has refused memory. The call fails,
// because its answer would depend on the machine; a guest may ignore it.
func (i *instance) checkStarved(doing string) error {
	if !i.linear.Starved() {
		return nil
	}
	return fault.WithHint(i.fault(fault.Memory, doing, "the machine has no more memory than the %d bytes that the plugin uses, %d allowed",
		i.size(), i.proto.traits.MaxMemory), "free memory, or run fewer cases at once")
}

// wazero's words for a trap.
const (
	trapPrefix    = "wasm error: "
	stackOverflow = "stack overflow"
)

// tooDeep reports whether a trap is the meter's limit of depth, or wazero's stack limit.
func (i *instance) tooDeep(err error) bool {
	return int32(i.budget.depth.Get()) < 0 || strings.HasSuffix(firstLine(err.Error()), stackOverflow)
}

// cutShort reports whether a call has ended at the 2,000 nested calls of wazero's interpreter: compiled, it has more.
func (i *instance) cutShort(err error) bool {
	return fault.Of(err) == fault.Depth && i.proto.runtime.artifacts.interpreter && int32(i.budget.depth.Get()) >= 0
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func reason(err error) string {
	line := firstLine(err.Error())
	if at := strings.Index(line, trapPrefix); at >= 0 {
		line = line[at+len(trapPrefix):]
	}
	return plain(line, 100)
}

// logged returns the last line of the log, as the end of a message.
func logged(log []byte) string {
	s := strings.TrimSpace(string(log))
	if s = s[strings.LastIndexByte(s, '\n')+1:]; s == "" {
		return ""
	}
	return fmt.Sprintf("; it printed: %q", plain(s, 200))
}

// lastLogged returns the end of the log, as the end of a message: programs often explain their
// exit in several lines.
func lastLogged(log []byte) string {
	const most = 400
	s := strings.TrimSpace(string(log))
	if s == "" {
		return ""
	}
	return fmt.Sprintf("; it printed: %q", plain(s[max(0, len(s)-most):], most))
}

// plain returns untrusted text fit for one line of a terminal, in any alphabet.
func plain(s string, most int) string {
	end := ""
	if len(s) > most {
		s, end = s[:most], "..."
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return '?'
		}
		return r
	}, s) + end
}
