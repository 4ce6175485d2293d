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
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "cache.key"), 0o644); err != nil {
		t.Fatal(err)
	}
	doctor := &patient{}
	doctor.cache(t.TempDir())
	if f := doctor.findings[0]; f.Status != "warn" || !strings.HasPrefix(f.Message, "nothing is kept: ") || !strings.Contains(f.Message, "cache.key has mode 0644") {
		t.Errorf("%+v", f)
	}
}
