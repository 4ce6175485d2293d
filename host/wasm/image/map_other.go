//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package image

import (
	"errors"
	"os"
)

// Without mappings, memories lie on the heap, and are compared and copied.

func reserve(uint64) ([]byte, error)        { return nil, errors.ErrUnsupported }
func release([]byte)                        {}
func protect([]byte) error                  { return errors.ErrUnsupported }
func unprotect([]byte) error                { return errors.ErrUnsupported }
func (a *area) attach(span) error           { return errors.ErrUnsupported }
func advise([]byte) error                   { return errors.ErrUnsupported }
func mapFile(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }
func (*System) backing() (*os.File, error)  { return nil, errors.ErrUnsupported }
func tryMemfd() error                       { return errors.ErrUnsupported }
func seal(*os.File)                         {}
