package worker

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync/atomic"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Argument is the first argument of a program that is started as a worker.
const Argument = "__worker"

// mark is the only environment variable of a worker. A process that has it starts no
// workers, so that a program that does not call Main cannot start itself without end.
const mark = "RUBRIC_HOST_WORKER"

// mainCalled reports that this program called Main, and so can be started as a worker.
var mainCalled atomic.Bool

// Main runs a worker and exits, if the process was started as one. In any other process it
// returns at once, and notes that this program can be started as a worker. Call it first
// in main, before flags are parsed: every worker runs the code before it.
func Main() {
	if len(os.Args) < 2 || os.Args[1] != Argument {
		mainCalled.Store(os.Getenv(mark) == "")
		return
	}
	os.Exit(run(os.Stdin, os.Stdout, os.Stderr))
}

// run is a worker from its start to its end. It returns the exit code.
func run(in, out *os.File, errOut io.Writer) int {
	debug.SetTraceback("single") // one goroutine's stack says enough
	os.Clearenv()
	err := serve(in, out, hooks{})
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errProtocol):
		err = fault.WithHint(fault.As(fault.Usage, err), "%s starts a worker process; it is not a command", Argument)
	}
	fmt.Fprintf(errOut, "worker: %v\n", err)
	if h := fault.Hint(err); h != "" {
		fmt.Fprintln(errOut, h)
	}
	return fault.ExitCode(err)
}
