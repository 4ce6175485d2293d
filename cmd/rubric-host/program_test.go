package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
)

// TestCommandsFor_IsTheOneAskedFor makes each alone.
func TestCommandsFor_IsTheOneAskedFor(t *testing.T) {
	for _, c := range commands() {
		if list := commandsFor([]string{c.name, "--help"}); c.make(newProgram(nil, nil, nil, "version")).Name() != c.name || len(list) != 1 && c.name != "config" && c.name != "completion" {
			t.Errorf("%s: %d commands", c.name, len(list))
		}
	}
	if n := len(commandsFor([]string{"--json", "score"})); n != len(commands()) {
		t.Errorf("%d commands after a flag", n)
	}
}

func TestStopping_SaysToResumeWhereRowsAreKept(t *testing.T) {
	p := newProgram(nil, nil, nil)
	if _, hint := p.stopping(); hint != "run the command again" {
		t.Errorf("without a run: %q", hint)
	}
	p.keeps.Store(true)
	if _, hint := p.stopping(); hint != "" { // that of the class: the same command resumes
		t.Errorf("in a run: %q", hint)
	}
}

// timeout(1) sends SIGTERM to the program, then to its process group, which is the program
// again. Were the second signal another one, this test would end here.
func TestInterruptible_IgnoresTheEchoOfASignal(t *testing.T) {
	own, err := os.FindProcess(os.Getpid())
	must(t, err)
	ctx, stop := interruptible(context.Background(), io.Discard, func() (string, string) { return "", "" }, time.Minute)
	defer stop()
	arrived := make(chan os.Signal, 1) // never stopped: one that came after stop would end this process
	signal.Notify(arrived, syscall.SIGTERM)
	for range 2 {
		must(t, own.Signal(syscall.SIGTERM))
		<-arrived
		<-ctx.Done()
	}
}

// A signalling is standard input that never comes: whoever waits for it is signalled.
type signalling struct{}

func (signalling) Read([]byte) (int, error) {
	if own, err := os.FindProcess(os.Getpid()); err == nil {
		_ = own.Signal(syscall.SIGTERM)
	}
	select {}
}

func TestRun_ASignalEndsTheWaitForStandardInput(t *testing.T) {
	for _, args := range [][]string{{"score", "exact", "-"}, {"rubric", "validate", "-"}, {"rubric", "generate", "--task", "x", "--good", "-", "--judge", "openai:m"}, {"score", "exact", "--lines"}} {
		if code := run(args, signalling{}, io.Discard, io.Discard); code != fault.Terminated.ExitCode() {
			t.Errorf("%q: exit %d", args, code)
		}
	}
}
