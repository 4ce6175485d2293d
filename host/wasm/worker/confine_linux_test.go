package worker

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// escapes are attacks by code that has broken out of the sandbox in a worker, and the
// defence against each.
var escapes = []struct {
	name string
	by   []string
	try  func() error
}{
	{"read a file", []string{Landlock, Seccomp}, func() error { _, err := os.ReadFile("/etc/passwd"); return err }},
	{"read its own memory as a file", []string{Landlock, Seccomp}, func() error { _, err := os.Open("/proc/self/mem"); return err }},
	{"list a directory", []string{Landlock, Seccomp}, func() error { _, err := os.ReadDir("/"); return err }},
	{"make a file", []string{Landlock, Seccomp}, func() error { return os.WriteFile("/dev/shm/rubric-host-escape", nil, 0o600) }},
	{"start a program", []string{Landlock, Seccomp}, func() error { return exec.Command("/bin/true").Run() }},
	{"start a process", []string{Seccomp}, func() error {
		pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
		switch {
		case errno != 0:
			return errno
		case pid == 0:
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		return nil
	}},
	{"reach a TCP port", []string{Landlock, Seccomp}, func() error {
		c, err := net.DialTimeout("tcp", "127.0.0.1:1", time.Second)
		if errors.Is(err, unix.ECONNREFUSED) {
			return nil // it got there
		}
		if err == nil {
			c.Close()
		}
		return err
	}},
	{"make a socket", []string{Seccomp}, func() error { _, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0); return err }},
	{"signal its parent", []string{Landlock, Seccomp}, func() error { return unix.Kill(os.Getppid(), 0) }},
	{"trace its parent", []string{Landlock, Seccomp}, func() error { return unix.PtraceSeize(os.Getppid()) }},
	{"use 64 GiB of memory", []string{Limits}, func() error {
		_, err := unix.Mmap(-1, 0, 64*gib, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
		return err
	}},
	{"hold a thousand files", []string{Limits}, func() error {
		for range 1000 {
			fd, err := unix.MemfdCreate("escape", 0)
			if err != nil {
				return err
			}
			defer unix.Close(fd)
		}
		return nil
	}},
	{"raise its limits", []string{Seccomp}, func() error {
		return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: 1, Max: 1})
	}},
	{"allow new privileges", []string{Privileges}, func() error {
		if n, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); err == nil && n == 0 {
			return nil
		}
		return unix.EPERM
	}},
	{"see the environment", []string{"start"}, func() error {
		if len(os.Environ()) > 0 {
			return nil
		}
		return unix.EPERM
	}},
	{"stay in the directory of its parent", []string{"start"}, func() error {
		if dir, err := os.Getwd(); err == nil && dir != "/" {
			return nil
		}
		return unix.EPERM
	}},
	{"use a descriptor that was not meant for it", []string{Descriptors}, func() error {
		return unix.Fstat(leaked, &unix.Stat_t{})
	}},
}

// leaked is a descriptor that the tests leave open for their workers.
const leaked = 77

// escape returns the names of the escapes that succeed, one a line.
func escape() []byte {
	var out []byte
	for _, e := range escapes {
		done := make(chan error)
		go func() { done <- e.try() }() // on any thread
		if err := <-done; err == nil {
			out = append(append(out, e.name...), '\n')
		}
	}
	return out
}

// TestConfine_PreventsEscapes tries to escape, with everything given up and without
// each of the two that overlap. A defence that the kernel lacks cannot be tested.
func TestConfine_PreventsEscapes(t *testing.T) {
	null, err := os.Open("/dev/null")
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Dup2(int(null.Fd()), leaked); err != nil { // and not closed on exec
		t.Fatal(err)
	}
	defer unix.Close(leaked)
	for _, without := range []string{mad, Landlock, Seccomp, Descriptors, Privileges} {
		t.Run("without "+without, func(t *testing.T) {
			m := load(t, isolated(t, Options{more: []string{without}}), "mad", bleu(t), wasm.Limits{})
			have := []string{"start"}
			for _, f := range findingsOf(m) {
				if f.Why == "" {
					have = append(have, f.Name)
				} else {
					t.Logf("%s: %v", f.Name, f.Why)
				}
			}
			got, _, err := m.Call(t.Context(), "bleu", request("#escape"), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range escapes {
				kept := slices.ContainsFunc(e.by, func(name string) bool { return slices.Contains(have, name) })
				escaped := bytes.Contains(got, []byte(e.name+"\n"))
				if escaped && kept || without == Descriptors && e.by[0] == Descriptors && !escaped {
					t.Errorf("it could %s: %v, with %q", e.name, escaped, have)
				}
			}
		})
	}
}

// TestConfine_EntryIsReadOnly has one try, with files that it
// could open were it not for Landlock.
func TestConfine_EntryIsReadOnly(t *testing.T) {
	wasmtest.NeedsKernel(t, canKeep(), "Landlock (Linux 5.13 or later)")
	o := madOptions()
	o.CacheDir = filepath.Join(t.TempDir(), "cache")
	m := load(t, isolated(t, o), "mad", large(t), wasm.Limits{})
	other := load(t, isolated(t, o), "mad", large(t), wasm.Limits{Depth: 77})
	for dir, want := range map[string]string{m.owner.l.entryDir: "read,", other.owner.l.entryDir: "", o.CacheDir: ""} {
		got, _, err := m.Call(t.Context(), "exact", []byte("#plant "+dir), nil)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", dir, got, err, want)
		}
	}
	got, _, err := m.Call(t.Context(), "exact", request("#escape"), nil)
	if err != nil || len(got) > 0 {
		t.Errorf("it could %q, %v", got, err)
	}
}

// TestConfine_LimitsMemory meets the limit of the process, long
// before the machine's.
func TestConfine_LimitsMemory(t *testing.T) {
	m := load(t, isolated(t, madOptions()), "mad", bleu(t), wasm.Limits{})
	_, _, err := m.Call(t.Context(), "bleu", request("#eat"), nil)
	// The last message of a process without memory depends on the allocator: Go, C, a
	// new thread, or none that can still print.
	if !fault.Is(err, fault.Worker) || strings.Contains(err.Error(), unstopped) {
		t.Error(err)
	}
	if _, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

// TestFindings_NameAllThatTheKernelHas prints the missing ones.
func TestFindings_NameAllThatTheKernelHas(t *testing.T) {
	list, err := isolated(t, Options{}).Findings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
		t.Logf("%-14s %s %s", f.Name, f.Note, f.Why)
		if optional := f.Name == Landlock || f.Name == Seccomp; f.Why != "" && !optional {
			t.Errorf("%s: %s", f.Name, f.Why)
		}
	}
	if want := "[descriptors parent-death limits no-new-privs landlock seccomp]"; fmt.Sprint(names) != want {
		t.Errorf("%v, want %v", names, want)
	}
	if !slices.ContainsFunc(list, func(f Finding) bool { return f.Why == "" }) {
		t.Error("nothing is given up")
	}
}
