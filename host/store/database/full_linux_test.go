package database_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

// alone runs a test in a process of its own, and reports whether this is that one. The go command has a test write
// a log of the files that it opens, which must be able to grow.
func alone(t *testing.T) bool {
	t.Helper()
	const mark = "RUBRIC_HOST_TEST_FULL_DISK"
	if os.Getenv(mark) != "" {
		return true
	}
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), mark+"=1")
	if out, err := c.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// limited lets no file of this process grow beyond a size while work runs.
func limited(t *testing.T, size uint64, work func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	var old syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old))
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: size, Max: old.Max}))
	defer func() { must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old)) }()
	work()
}

// TestStore_FullDisk writes until no file can grow any more. The failed write is not
// damage, leaves nothing, and the store works again when there is room.
func TestStore_FullDisk(t *testing.T) {
	if !alone(t) {
		return
	}
	path := filepath.Join(t.TempDir(), "x.db")
	s := open(t, path)
	defer s.Close()
	large := func(id string) registry.Snapshot {
		r := rubricOf(id)
		r.Document = bytes.Repeat([]byte(id+"."), 50_000)
		return r
	}
	var written []string
	var failed error
	limited(t, 2<<20, func() {
		for i := 0; i < 100 && failed == nil; i++ {
			id := fmt.Sprint("r", i)
			if _, failed = s.PutRubrics(t.Context(), []registry.Snapshot{rubricOf("small" + id), large(id)}); failed == nil {
				written = append(written, id)
			}
		}
		if failed == nil {
			t.Fatal("the disk is never full")
		}
		if err := s.PutArtifacts(t.Context(), []*review.Artifact{artifactOf("a")}, nil); err != nil && !fault.Is(err, fault.Storage) {
			t.Errorf("another write: %v (%s)", err, fault.Of(err))
		}
	})
	if !fault.Is(failed, fault.Storage) || fault.ExitCode(failed) != 4 {
		t.Errorf("a full disk: %v (%s)", failed, fault.Of(failed))
	}
	must(t, s.Check(t.Context()))
	list, err := s.Rubrics(t.Context(), registry.Filter{})
	must(t, err)
	if len(list) != 2*len(written) || len(written) == 0 {
		t.Errorf("%d rubrics, %d pairs were acknowledged", len(list), len(written))
	}
	for _, id := range written {
		got, err := s.Rubric(t.Context(), id, "")
		must(t, err)
		if !bytes.Equal(got.Document, large(id).Document) {
			t.Errorf("%s has other content", id)
		}
	}
	_, err = s.PutRubrics(t.Context(), []registry.Snapshot{large("after")})
	must(t, err)
}

// TestOpen_FullDisk opens a new file where nothing can be written.
func TestOpen_FullDisk(t *testing.T) {
	if !alone(t) {
		return
	}
	path := filepath.Join(t.TempDir(), "x.db")
	limited(t, 0, func() {
		if s, err := sqlite.Open(t.Context(), path); !fault.Is(err, fault.Storage) {
			t.Errorf("%v (%s)", err, fault.Of(err))
			if err == nil {
				s.Close()
			}
		}
	})
	must(t, open(t, path).Close())
}

// TestOpen_ReadOnly opens a file that may not be written, which root may.
func TestOpen_ReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	must(t, open(t, path).Close())
	must(t, os.Chmod(path, 0o400))
	s, err := sqlite.Open(t.Context(), path)
	if os.Getuid() == 0 {
		must(t, err)
		must(t, s.Close())
	} else if !fault.Is(err, fault.Storage) {
		t.Errorf("%v (%s)", err, fault.Of(err))
	}
}
