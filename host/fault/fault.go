// Package fault names the classes of failure and how each one surfaces: its
// exit code, and the sentence that names the next step.
//
// A fault is an ordinary error that carries a class, and optionally a hint.
// Wrapping keeps both: Of and Hint look through any chain built with %w.
//
// Stability: stable.
package fault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// An Error is an error with a class. The zero Hint means the class's own
// advice applies.
type Error struct {
	Class Class
	Hint  string // an imperative sentence; empty if there is nothing more to say than Class.Advice
	Err   error  // never nil
}

// Error returns the text of the wrapped error; class and hint do not alter it.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e *Error) Unwrap() error { return e.Err }

// New returns an error of class c. The format and its arguments are those of
// fmt.Errorf, %w included.
func New(c Class, format string, args ...any) error {
	return &Error{Class: c, Err: fmt.Errorf(format, args...)}
}

// As gives err the class c and leaves its text alone. It returns nil if err is nil.
func As(c Class, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Class: c, Err: err}
}

// WithHint attaches an imperative sentence that names the next step. The class
// of err is kept. It returns nil if err is nil.
func WithHint(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return &Error{Class: Of(err), Hint: fmt.Sprintf(format, args...), Err: err}
}

// Of returns the class of err: that of the outermost Error in its chain,
// Interrupted or Timeout for a bare context error, and Internal for anything
// else. It returns None if err is nil.
func Of(err error) Class {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Class
	}
	switch {
	case err == nil:
		return None
	case errors.Is(err, context.Canceled):
		return Interrupted
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout
	}
	return Internal
}

// Is reports whether the class of err is one of classes.
func Is(err error, classes ...Class) bool { return slices.Contains(classes, Of(err)) }

// Hint returns the first hint in the chain of err, else the advice of its
// class, else the empty string.
func Hint(err error) string { return cmp.Or(OwnHint(err), Of(err).Advice()) }

// OwnHint returns the first hint in the chain of err, else the empty string.
func OwnHint(err error) string {
	for f, ok := errors.AsType[*Error](err); ok; f, ok = errors.AsType[*Error](f.Err) {
		if f.Hint != "" {
			return f.Hint
		}
	}
	return ""
}

// ExitCode returns the exit code of the program for err; 0 if err is nil.
func ExitCode(err error) int { return Of(err).ExitCode() }

// Guard runs work, and turns a panic into an error: a panic in a goroutine of its own
// ends the process, whose exit code would be that of invalid usage.
func Guard(work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Panicked(p)
		}
	}()
	return work()
}

// Panicked returns the error of a panic, of class Internal: p is the result of recover,
// called by the deferred function that calls Panicked. Trace returns the Go functions
// that panicked, with their packages and without the runtime's own.
func Panicked(p any) error {
	var pcs [100]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	var names []string
	for more := true; more && len(names) < 30; {
		var f runtime.Frame
		f, more = frames.Next()
		if name := f.Function[strings.LastIndexByte(f.Function, '/')+1:]; name != "" && !strings.HasPrefix(name, "runtime.") {
			names = append(names, Clip(name, 80))
		}
	}
	return WithTrace(New(Internal, "panic: %s", Clip(fmt.Sprint(p), 2000)), names)
}

// A traced error knows in which functions of a plugin it happened.
type traced struct {
	error
	frames []string
}

// Unwrap returns the error without its trace.
func (t traced) Unwrap() error { return t.error }

// WithTrace attaches the names of the functions that a plugin was in, innermost
// first. It returns nil if err is nil.
func WithTrace(err error, frames []string) error {
	if err == nil {
		return nil
	}
	return traced{err, frames}
}

// Trace returns the functions that a plugin was in when a call or its start
// failed, innermost first: at most 30 of them, each at most 80 printable ASCII
// characters. Names are those of the module's name section, which its author
// chose; func[7] is function 7 of a module that names none. It returns nil for
// other errors, but for those of Panicked. The caller must not change it.
func Trace(err error) []string {
	if t, ok := errors.AsType[traced](err); ok {
		return t.frames
	}
	return nil
}

// Clip cuts a text that a message quotes to at most n bytes of valid UTF-8, and an
// ellipsis.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// First joins the first n texts of a list, and counts the others: "a, b, and 3 more".
func First(n int, list []string, between string) string {
	if more := len(list) - n; more > 0 {
		list = append(list[:n:n], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, between)
}
