//go:build unix && !linux

package worker

import (
	"os"
	"syscall"
)

func die() {
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

func escape() []byte { return nil }
