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
