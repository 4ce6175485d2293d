//go:build darwin || freebsd || netbsd || openbsd

package image

import (
	"errors"
	"os"
)

// backing returns a file without a name.
func (*System) backing() (*os.File, error) { return unlinked() }

// tryMemfd fails: this system has no files in memory.
func tryMemfd() error { return errors.ErrUnsupported }

// seal does nothing: no other process has a descriptor of the file.
func seal(*os.File) {}
