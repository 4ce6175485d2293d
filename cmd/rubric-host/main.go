// Rubric-host grades model outputs with rubrics, and runs every scorer that is
// code in a sandbox. See the README, or rubric-host --help.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

func main() {
	worker.Main() // a process started as a worker ends here
	collectLess()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// firstCollection is the memory at which Go's collector starts: commands that end below it, such as a first
// score, take up to a fifth less processor time.
const firstCollection = 64 << 20

// collectLess lets the collector run less often, unless the environment sets it: an eighth of the processor time
// of eval, a third of that of score --lines, for 30 MB.
func collectLess() {
	if os.Getenv("GOGC") != "" {
		return
	}
	if os.Getenv("GOMEMLIMIT") != "" {
		debug.SetGCPercent(400)
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstCollection)
	runtime.AddCleanup(new(*byte), func(int) { collect() }, 0) // after the first collection
}

// collect ends the wait for firstCollection. The score of many lines does not wait: it makes
// garbage only, and fresh pages for it take a tenth of its processor time.
func collect() {
	if debug.SetMemoryLimit(-1) == firstCollection { // the environment did not set it
		debug.SetMemoryLimit(math.MaxInt64)
		pace()
	}
}

// pace sets the percentage after every collection.
func pace() {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return
	}
	runtime.AddCleanup(new(*byte), func(int) { pace() }, 0)
	now := []metrics.Sample{{Name: "/gc/scan/heap:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(now)
	debug.SetGCPercent(percentage(now[0].Value.Uint64(), now[1].Value.Uint64()))
}

// percentage is 400 of the memory that the collector has to read. Memory without pointers, such as the hashes of a
// million ids, costs it nothing, so what exceeds plain is not multiplied. Above large, memory may double, as by Go's
// own percentage: compare keeps over a gigabyte of two runs of a million cases.
func percentage(read, live uint64) int {
	const plain, large = 4 << 20, 256 << 20
	live = max(1, live)
	return int(100 * min(4*min(read+plain, live), max(large, live)) / live) //nolint:gosec // at most 400
}

// run is the program: it runs one command and returns the exit code. Only here
// is an error printed and turned into a code.
func run(args []string, in io.Reader, out, errOut io.Writer) (code int) {
	log.SetOutput(io.Discard) //nolint:forbidigo // Go's HTTP client would log unsolicited data of servers, keys and escape codes included
	stdout := &checkedOutput{Writer: out}
	p := newProgram(in, stdout, errOut, args...)
	defer func() {
		if r := recover(); r != nil {
			code = p.defect(args, r, debug.Stack())
		}
	}()
	ctx, stop := interruptible(context.Background(), errOut, p.stopping, signalEcho)
	defer stop()
	stdin := &input{Reader: in, ctx: ctx}
	p.in = stdin
	p.args = asked(args)
	p.root.SetArgs(p.args)
	err := cmp.Or(p.root.ExecuteContext(ctx), p.noHelp)
	if err != nil && stdin.ended.Load() {
		err = context.Cause(ctx) // the command took it for a problem of the input
	}
	if failed := stdout.failed(); failed != nil {
		err, p.told = failed, false // the rest follows from it, or is not worth more
	} else if errors.Is(stdout.first(), syscall.EPIPE) && errors.Is(err, syscall.EPIPE) {
		err = nil
	}
	p.json = p.json || slices.Contains(args, "--json") // it may stand behind a flag that is unknown
	p.report(err)
	return fault.ExitCode(err)
}

// An input is standard input whose reads end with the context, too. It is for one goroutine.
type input struct {
	io.Reader
	ctx   context.Context //nolint:containedctx // of the program
	ended atomic.Bool     // a read ended with it
	buf   []byte          // filled by a read, which may end after Read has returned
}

func (in *input) Read(b []byte) (int, error) {
	if in.buf == nil {
		in.buf = make([]byte, 64<<10)
	}
	var n int
	var err error
	read := make(chan struct{})
	if in.ctx.Err() == nil {
		go func() {
			defer close(read)
			n, err = in.Reader.Read(in.buf[:min(len(b), len(in.buf))])
		}()
	}
	select {
	case <-read:
		return copy(b, in.buf[:n]), err
	case <-in.ctx.Done():
		in.ended.Store(true)
		return 0, context.Cause(in.ctx)
	}
}

// A checkedOutput is standard output that remembers its first failure: results that
// could not be written are an error. It is safe for concurrent use.
type checkedOutput struct {
	io.Writer
	mu  sync.Mutex
	err error
}

func (c *checkedOutput) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	if err != nil {
		c.mu.Lock()
		c.err = cmp.Or(c.err, err)
		c.mu.Unlock()
	}
	return n, err
}

// first returns the first failure, or nil.
func (c *checkedOutput) first() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// failed returns the failure, of class fault.Storage. A reader that closed the pipe is
// not one: it had enough.
func (c *checkedOutput) failed() error {
	err := c.first()
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return fault.WithHint(fault.New(fault.Storage, "standard output: %w", reason(err)), "check that its disk is not full")
}

// signalEcho is the time within which a further signal is the first one again: timeout(1)
// signals its child and then the child's process group.
const signalEcho = 250 * time.Millisecond

// interruptible returns a context that ends at the first SIGINT or SIGTERM with its class as the cause, and says
// so. A second signal ends the program at once, unless it follows within echo.
func interruptible(parent context.Context, errOut io.Writer, says func() (message, hint string), echo time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // so that a reader that goes away does not end the run
	go func() {
		var first time.Time
		for {
			s, open := <-signals
			if !open {
				return
			}
			if !first.IsZero() && time.Since(first) < echo {
				continue
			}
			class := fault.Interrupted
			if s == syscall.SIGTERM {
				class = fault.Terminated
			}
			if !first.IsZero() {
				os.Exit(class.ExitCode())
			}
			first = time.Now()
			message, hint := says()
			fault.Guard(func() error { //nolint:errcheck // the run stops, told or not
				_, err := fmt.Fprintln(errOut, message)
				return err
			})
			cancel(fault.WithHint(fault.New(class, "stopped by a signal"), "%s", hint))
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel(nil)
	}
}

// defect reports a panic: a short text, and a file with everything that helps to
// find it.
func (con *console) defect(args []string, reason any, stack []byte) int {
	text := fmt.Sprintf("rubric-host %s\nargs: %q\npanic: %v\n\n%s", version(), withoutPasswords(args), reason, stack)
	place := ""
	if f, err := os.CreateTemp("", "rubric-host-defect-*.txt"); err == nil {
		if _, err = f.WriteString(text); err == nil && f.Close() == nil {
			place = "; the report is " + f.Name()
		}
	}
	fmt.Fprintf(con.err, "internal error of rubric-host (bug): %s%s\n", diag.Indented(fmt.Sprint(reason)), place)
	return fault.Internal.ExitCode()
}
