package worker

import (
	"os"

	"golang.org/x/sys/unix"
)

func die() {
	unix.Tgkill(os.Getpid(), unix.Gettid(), unix.SIGKILL)
	select {}
}
