//go:build unix

package runner

import (
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rubric-host/rubric-host/host/fault"
)

// lock takes the file for this process until it is closed.
func lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	for range 20 { // another process may be checking whether the run is active
		if err == nil {
			return nil
		}
		time.Sleep(5 * time.Millisecond)
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err != nil {
		return fault.WithHint(fault.New(fault.Conflict, "another process is writing this run"), "wait for it, or start a new run with "+fault.OptionFresh)
	}
	return nil
}

// locked reports whether a process has locked the file.
func locked(f *os.File) bool { return unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil }
