//go:build unix

package grant

import "syscall"

// nonblock prevents a FIFO, renamed over a file, from blocking the host.
const nonblock = syscall.O_NONBLOCK
