//go:build !unix

package worker

import (
	"os"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return nil }

// root is the working directory of a worker: that of its parent.
func root() string { return "" }

func polled(f *os.File) *os.File { return f }

type attempt struct{}

func (a *attempt) write(uintptr) bool { return true }

// tryWrite writes nothing: every write may block.
func (k *conn) tryWrite([]byte) (int, error) { return 0, nil }
