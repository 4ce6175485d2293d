package cache_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/cache"
)

// makeFIFO makes a named pipe; nil where there are none.
var makeFIFO func(path string, mode uint32) error

func open(t *testing.T, dir string, o cache.Options) *cache.Store {
	t.Helper()
	s, err := cache.Open(dir, o)
	must(t, err)
	return s
}

func put(t *testing.T, s *cache.Store, k cache.Key, answer string) {
	t.Helper()
	must(t, s.Put(k, []byte(answer)))
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			list = append(list, path)
		}
		return err
	})
	must(t, err)
	return list
}

func TestKeyOf_SeparatesParts(t *testing.T) {
	if cache.KeyOf([]byte("ab"), []byte("c")) == cache.KeyOf([]byte("a"), []byte("bc")) {
		t.Error("parts run into each other")
	}
}

func TestStore_Modes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "answers")
	k := cache.KeyOf([]byte("question"))
	put(t, open(t, dir, cache.Options{}), k, "one")
	for _, c := range []struct {
		mode        cache.Mode
		reads       bool
		wantWritten string
	}{
		{cache.On, true, "on"}, {cache.Read, true, "on"}, {cache.Refresh, false, "refresh"}, {cache.Off, false, "refresh"},
	} {
		s := open(t, dir, cache.Options{Mode: c.mode})
		if _, ok := s.Get(k); ok != c.reads {
			t.Errorf("%s: Get found %v, want %v", c.mode, ok, c.reads)
		}
		put(t, s, k, string(c.mode))
		if got, _ := open(t, dir, cache.Options{}).Get(k); string(got) != c.wantWritten {
			t.Errorf("%s: the store then holds %q, want %q", c.mode, got, c.wantWritten)
		}
	}
	if _, err := cache.Open(dir, cache.Options{Mode: "always"}); err == nil {
		t.Error("an unknown mode is taken")
	}
}

func TestStore_MissesDamagedAndForeignEntries(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "answers")
	s := open(t, dir, cache.Options{})
	k, other := cache.KeyOf([]byte("k")), cache.KeyOf([]byte("other"))
	damage := map[string]func(path string) error{
		"flipped bit": func(p string) error {
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			b[len(b)-1] ^= 1
			return os.WriteFile(p, b, 0o600)
		},
		"cut short": func(p string) error { return os.Truncate(p, 10) },
		"empty":     func(p string) error { return os.Truncate(p, 0) },
		"huge":      func(p string) error { return os.Truncate(p, 1<<32) },
		"a link": func(p string) error {
			target := p + ".elsewhere"
			if err := os.Rename(p, target); err != nil {
				return err
			}
			return os.Symlink(target, p)
		},
		"of another question": func(p string) error {
			put(t, s, other, "other answer")
			for _, f := range files(t, dir) {
				if f != p {
					b, err := os.ReadFile(f)
					if err == nil && bytes.HasSuffix(b, []byte("other answer")) {
						return os.WriteFile(p, b, 0o600)
					}
				}
			}
			return fs.ErrNotExist
		},
	}
	if makeFIFO != nil {
		damage["a FIFO"] = func(p string) error {
			if err := os.Remove(p); err != nil {
				return err
			}
			return makeFIFO(p, 0o600)
		}
	}
	for name, harm := range damage {
		must(t, os.RemoveAll(dir))
		put(t, s, k, "answer")
		if err := harm(files(t, dir)[0]); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, ok := s.Get(k); ok {
			t.Errorf("%s: Get returned %q", name, got)
		}
		put(t, s, k, "again")
		if got, _ := s.Get(k); string(got) != "again" {
			t.Errorf("%s: after Put, Get returned %q", name, got)
		}
	}
}

func TestOpen_RefusesDirectoriesOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs mode bits, which Windows lacks")
	}
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o777))
	if _, err := cache.Open(dir, cache.Options{}); err == nil {
		t.Error("a directory that others can write to is taken")
	}
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(t.TempDir(), link))
	if _, err := cache.Open(link, cache.Options{}); err == nil {
		t.Error("a link is taken")
	}
}

func TestPrune_RemovesLeastRecentlyUsed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "answers")
	s := open(t, dir, cache.Options{MaxBytes: 500})
	start := time.Now().Add(-48 * time.Hour)
	for i := range 20 {
		k := cache.KeyOf([]byte{byte(i)})
		put(t, s, k, fmt.Sprintf("%068d", i)) // 100 bytes a file
		for _, f := range files(t, dir) {
			if b, err := os.ReadFile(f); err == nil && bytes.HasSuffix(b, fmt.Appendf(nil, "%068d", i)) {
				at := start.Add(time.Duration(i) * time.Minute)
				must(t, os.Chtimes(f, at, at))
			}
		}
	}
	if _, ok := s.Get(cache.KeyOf([]byte{3})); !ok { // used now, and so kept
		t.Fatal("entry 3 is missing")
	}
	must(t, s.Close())
	info, err := cache.Describe(dir)
	if err != nil || info.Entries != 5 || info.Bytes != 500 {
		t.Fatalf("after Close: %+v, %v", info, err)
	}
	for i, want := range map[int]bool{0: false, 3: true, 15: false, 16: true, 19: true} {
		if _, ok := s.Get(cache.KeyOf([]byte{byte(i)})); ok != want {
			t.Errorf("entry %d: kept %v, want %v", i, ok, want)
		}
	}
	if n, err := cache.Clear(dir); n != 5 || err != nil {
		t.Errorf("Clear removed %d, %v", n, err)
	}
	if info, err := cache.Describe(dir); err != nil || info.Entries != 0 {
		t.Errorf("after Clear: %+v, %v", info, err)
	}
}

func TestStore_IsSafeForConcurrentUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "answers")
	s := open(t, dir, cache.Options{MaxBytes: 2000})
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 50 {
				k := cache.KeyOf([]byte{byte(i)})
				if b, ok := s.Get(k); ok && string(b) != fmt.Sprint(i) {
					t.Errorf("entry %d holds %q", i, b)
				}
				if err := s.Put(k, fmt.Append(nil, i)); err != nil {
					t.Error(err)
				}
				if g == 0 && i%10 == 0 {
					if _, err := cache.Prune(dir, 1000); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
