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
	"slices"
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
