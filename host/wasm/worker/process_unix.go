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
