//go:build unix && !linux

package worker

import "syscall"

// attributes put a worker in a process group of its own, where no key of the terminal
// reaches it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
