//go:build unix

package file

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Lock takes an open file for its descriptor until it is closed. An error of class
// fault.Conflict says that another has held it for all of the time to wait.
func Lock(f *os.File, wait time.Duration) error {
	for end := time.Now().Add(wait); ; time.Sleep(5 * time.Millisecond) {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR):
			return fault.New(fault.Storage, "%s cannot be locked: %w", f.Name(), err)
		case time.Now().After(end):
			return fault.WithHint(fault.New(fault.Conflict, "another process holds %s", f.Name()), "wait for it to end")
		}
	}
}

// Locked reports whether another descriptor has locked the file.
func Locked(f *os.File) bool { return unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil }
