//go:build unix

package cache_test

import "syscall"

var _ = func() bool { makeFIFO = syscall.Mkfifo; return true }()
