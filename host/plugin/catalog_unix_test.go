//go:build unix

package plugin

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
)

// TestReadFile_RefusesDevicesAndPipes would wait, or read, for ever.
func TestReadFile_RefusesDevicesAndPipes(t *testing.T) {
	dir := tree(t, map[string]string{"p/plugin.yaml": "plugin: a\n"})
	for _, name := range []string{"pipe.wasm", "p/a.wasm"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Open(nil, dir)
	if err != nil || len(c.Broken()) != 2 {
		t.Fatal(err)
	}
	for k, want := range []string{"a.wasm is not a regular file", "pipe.wasm is not a regular file"} {
		if err := c.Broken()[k].Err; fault.Of(err) != fault.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	for _, path := range []string{filepath.Join(dir, "pipe.wasm"), os.DevNull, "/dev/zero"} {
		if _, err := ReadFile(path); fault.Of(err) != fault.Invalid || !strings.Contains(err.Error(), "is not a regular file") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "q"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "q", ManifestFile), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(filepath.Join(dir, "q")); fault.Of(err) != fault.Invalid || !strings.Contains(err.Error(), "plugin.yaml is not a regular file") {
		t.Errorf("a manifest that is a pipe: %v", err)
	}
}
