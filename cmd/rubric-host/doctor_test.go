package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/private"
)

// TestDoctor_SaysThatNothingIsKept covers a key that others can read: the script
// cache_poisoned shows that everything works without it.
func TestDoctor_SaysThatNothingIsKept(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs modes of files, which Windows does not have")
	}
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	t.Setenv("HOME", state) // darwin
	if _, err := private.UserKey(); err != nil {
		t.Fatal(err)
	}
	dir, err := private.StateDir()
	must(t, err)
	must(t, os.Chmod(filepath.Join(dir, "cache.key"), 0o644))
	var doctor checklist
	doctor.cache(t.TempDir())
	if f := doctor[0]; f.Status != "warn" || !strings.HasPrefix(f.Message, "nothing is kept: ") || !strings.Contains(f.Message, "cache.key has mode 0644") {
		t.Errorf("%+v", f)
	}
}

// TestDoctor_CacheOfOthers: machine code in a directory that others can write to is not trusted.
func TestDoctor_CacheOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs modes of files, which Windows does not have")
	}
	state, dir := t.TempDir(), t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	t.Setenv("HOME", state)                      // darwin
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // what is tested
		t.Fatal(err)
	}
	var doctor checklist
	doctor.cache(dir)
	if f := doctor[0]; f.Status != "fail" || !strings.Contains(f.Message, dir+" has mode 0755") || f.Advice != "chmod 700 "+dir {
		t.Errorf("%+v", f)
	}
}
