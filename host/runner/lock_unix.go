//go:build unix

package runner

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/rubric-host/rubric-host/host/fault"
)

// lock takes the file for this process until it is closed.
func lock(f *os.File) error {
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return fault.WithHint(fault.New(fault.Conflict, "another process is writing this run"), "wait for it, or start anew with --fresh")
	}
	return nil
}
