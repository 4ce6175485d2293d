//go:build unix

package grant

import "syscall"

// nonblock keeps a FIFO that took the place of a file from holding the host.
const nonblock = syscall.O_NONBLOCK
