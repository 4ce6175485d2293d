package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Drafting takes minutes: changes that people make meanwhile are not overwritten.
func TestRewriteFile_RefusesAFileThatHasChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "evals.yaml")
	write := func(text string) {
		t.Helper()
		must(t, os.WriteFile(name, []byte(text), 0o600))
	}
	write("mine")
	if err := rewriteFile(name, []byte("read"), []byte("drafted")); fault.Of(err) != fault.Conflict {
		t.Errorf("err = %v", err)
	}
	if b, err := os.ReadFile(name); err != nil || string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
	if err := rewriteFile(name, []byte("mine"), []byte("drafted")); err != nil {
		t.Error(err)
	}
	if err := rewriteFile(name+"x", []byte("mine"), []byte("drafted")); fault.Of(err) != fault.Conflict {
		t.Errorf("err = %v", err)
	}
}
