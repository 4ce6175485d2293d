package wasi

import (
	"errors"
	"fmt"

	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// An errno is an error number of WASI preview 1: an error that the guest handles.
type errno uint32

func (e errno) Error() string { return fmt.Sprintf("errno %d", uint32(e)) }

const (
	errAcces  errno = 2
	errBadf   errno = 8
	errFault  errno = 21
	errInval  errno = 28
	errIsdir  errno = 31
	errMfile  errno = 33
	errNoent  errno = 44
	errNosys  errno = 52
	errNotdir errno = 54
	errRofs   errno = 69
	errSpipe  errno = 70
)

var (
	// ErrOutput ends a program whose standard output exceeds Program.MaxStdout.
	ErrOutput = errors.New("the answer is too long")

	// ErrParked ends a program that has parked; see Program.Parks.
	ErrParked = errors.New("parked")
)

// An ExitError ends a program that called proc_exit.
type ExitError struct{ Code uint32 }

func (e ExitError) Error() string { return fmt.Sprintf("exit code %d", e.Code) }

// errnoOf returns the errno for an error of a granted file. Other errors are
// returned as they are, and end the call: if the guest saw a failure of the machine,
// it could turn it into a score.
func errnoOf(err error) error {
	switch {
	case errors.Is(err, grant.ErrNotExist):
		return errNoent
	case errors.Is(err, grant.ErrDenied):
		return errAcces
	}
	return err
}
