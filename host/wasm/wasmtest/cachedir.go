package wasmtest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/rubric-host/rubric-host/host/amount" // less garbage collection
)

// CacheDir returns a cache directory that the tests of all packages share, so that large
// modules (QuickJS, programs in Go) are compiled once, not once per package. Its name is a
// digest of the engine's sources, the versions of its dependencies and of Go: a change of
// the engine starts with an empty cache. It outlives the test: tests of caching, and tests that
// change its files, use t.TempDir.
func CacheDir(t testing.TB) string {
	t.Helper()
	dir, err := SharedCache()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// SharedCache is CacheDir for TestMain. The working directory must be in the module when
// it is first called.
var SharedCache = sync.OnceValues(func() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	digest, err := engineDigest()
	if err != nil {
		return "", err
	}
	base = filepath.Join(base, "rubric-host-tests")
	dir, now := filepath.Join(base, digest), time.Now()
	for range 2 { // another process may remove it in between, if it is a day old
		if err = errors.Join(os.MkdirAll(dir, 0o700), os.Chtimes(dir, now, now)); err == nil {
			break
		}
	}
	removeOld(base)
	return dir, err
})

// engineDigest is of all that compiled modules depend on.
func engineDigest() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	add := func(path string) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Fprintln(h, path[len(root):])
		_, err = io.Copy(h, f)
		return err
	}
	for _, of := range []string{"go.mod", "go.sum", "host/wasm", "host/script", "host/private"} {
		err = errors.Join(err, filepath.WalkDir(filepath.Join(root, filepath.FromSlash(of)), func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && (e.Name() == "testdata" || e.Name() == "wasmtest"):
				return fs.SkipDir
			case !e.Type().IsRegular() || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, ".md"):
				return nil
			}
			return add(path)
		}))
	}
	return hex.EncodeToString(h.Sum(nil))[:16], err
}

// moduleRoot returns the directory of go.mod above the working directory.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = above
	}
	return "", err
}

// removeOld removes the caches of engines that no test has used for a day.
func removeOld(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
			os.RemoveAll(filepath.Join(base, e.Name())) //nolint:errcheck // best effort
		}
	}
}
