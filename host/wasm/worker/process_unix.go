//go:build unix

package worker

import (
	"os"
	"syscall"
)

// root is the working directory of a worker.
func root() string { return "/" }

// polled returns f as a file whose reads and writes park goroutines, not
// threads.
func polled(f *os.File) *os.File {
	if syscall.SetNonblock(int(f.Fd()), true) != nil {
		return f
	}
	return os.NewFile(f.Fd(), f.Name())
}

// An attempt is a write that does not block. It is part of a conn, so that a write
// allocates nothing.
type attempt struct {
	b   []byte
	n   int
	err error
}

func (a *attempt) write(fd uintptr) bool {
	for {
		a.n, a.err = syscall.Write(int(fd), a.b)
		if a.err != syscall.EINTR { //nolint:errorlint // it is an Errno
			return true
		}
	}
}

// tryWrite writes as much as there is room for.
func (k *conn) tryWrite(b []byte) (int, error) {
	k.attempt.b = b
	if err := k.raw.Write(k.try); err != nil {
		return 0, err
	}
	if k.attempt.err == syscall.EAGAIN { //nolint:errorlint // it is an Errno
		return 0, nil
	}
	return k.attempt.n, k.attempt.err
}
