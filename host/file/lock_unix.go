//go:build unix

package file

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rubric-host/rubric-host/host/fault"
)

// lockWait is how long Lock waits for another process.
const lockWait = 10 * time.Second

// Lock takes an open file for its descriptor until it is closed: for a moment, to write
// to it. Other writers wait. An error of class fault.Conflict says that another holds it
// for ten seconds.
func Lock(f *os.File) error {
	for end := time.Now().Add(lockWait); ; time.Sleep(5 * time.Millisecond) {
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
