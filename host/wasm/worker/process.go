package worker

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
)

// A process is the process of a worker.
type process struct {
	cmd     *exec.Cmd
	in, out *os.File // its standard input, for writing, and output, for reading
	said    head
	gone    chan struct{} // closed once it has ended and was waited for
}

// start starts a worker. Its thread is kept until the worker has ended: on Linux a worker
// is killed when the thread that started it ends.
func start(command string, args []string) (*process, error) {
	p := &process{gone: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.start(command, args)
		started <- err
		if err == nil {
			p.cmd.Wait() //nolint:errcheck // ProcessState says how it ended
			p.in.Close() //nolint:errcheck // nothing is left to be written
			close(p.gone)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

func (p *process) start(command string, args []string) error {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return errors.Join(err, theirIn.Close(), in.Close())
	}
	p.in, p.out = in, out
	p.cmd = &exec.Cmd{
		Path: command, Args: args, Env: []string{mark + "=1"}, Dir: root(),
		Stdin: theirIn, Stdout: theirOut, Stderr: &p.said, SysProcAttr: attributes(), WaitDelay: time.Second,
	}
	err = p.cmd.Start()
	err = errors.Join(err, theirIn.Close(), theirOut.Close())
	if err != nil {
		err = errors.Join(err, in.Close(), out.Close())
	}
	return err
}

// kill makes the process end, sooner or later.
func (p *process) kill() {
	p.cmd.Process.Kill() //nolint:errcheck // it may have ended already
}

// close kills the process, waits for its end, and frees it. Nobody reads its output any
// more.
func (p *process) close() {
	p.kill()
	<-p.gone
	p.out.Close() //nolint:errcheck // it was read
}

// leave closes a process for a reason. If that is the end of its output, it is given a
// second to end by itself, so that it can print why.
func (p *process) leave(reason error) {
	if ended(reason) {
		select {
		case <-p.gone:
		case <-time.After(time.Second):
		}
	}
	p.close()
}

// ended reports whether an error of a pipe means that its other end is closed.
func ended(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed)
}

// why returns in one line why a worker is not used any more: the reason, or how it ended
// and the beginning of its output.
func (p *process) why(reason error) string {
	if !ended(reason) {
		return reason.Error()
	}
	s := p.cmd.ProcessState.String()
	if line := p.said.line(); line != "" {
		s += fmt.Sprintf("; it printed: %q", line)
	}
	return s
}

// A head keeps the first bytes that are written to it.
type head struct {
	mu sync.Mutex
	b  []byte
}

// mostSaid is how many bytes of standard error are kept. A fatal error prints its message
// first.
const mostSaid = 4 << 10

// Write never fails.
func (h *head) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.b = append(h.b, b[:min(len(b), mostSaid-len(h.b))]...)
	return len(b), nil
}

// line returns the first line that is not blank, sanitized for a terminal.
func (h *head) line() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for line := range bytes.Lines(h.b) {
		if text := strings.TrimSpace(string(line)); text != "" {
			return diag.Plain(text[:min(len(text), 300)])
		}
	}
	return ""
}
