package worker

import "syscall"

// attributes put a worker in a process group of its own, where no key of the terminal
// reaches it, and have it killed when its parent ends.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
