//go:build unix

package grant

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

func TestTree_FIFODoesNotBlock(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := openTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if _, err := tree.Open(t.Context(), "pipe"); !errors.Is(err, ErrDenied) {
		t.Error(err)
	}
}
