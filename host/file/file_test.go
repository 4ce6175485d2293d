package file_test

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rubric-host/rubric-host/host/file"
)

func TestPut_WritesWholeForTheUserAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "dir")
	path := filepath.Join(dir, "data")
	content := bytes.Repeat([]byte("x"), 1<<20)
	var puts sync.WaitGroup
	for range 4 {
		puts.Go(func() {
			if err := file.Put(path, content); err != nil {
				t.Error(err)
			}
		})
	}
	puts.Wait()
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, content) {
		t.Errorf("the file has %d bytes, error %v", len(got), err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the directory holds %d files, error %v; want 1", len(left), err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may use the file: %v, error %v", info.Mode(), err)
	}
}

func TestPut_LeavesNothingBehindOnFailure(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "data")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := file.Put(path, nil); err == nil {
		t.Error("a directory was replaced by a file")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the directory holds %d files, error %v; want 1", len(left), err)
	}
}
