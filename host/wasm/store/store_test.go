package store

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/private"
)

var testKey = private.Key(strings.Repeat("k", 32))

func open(t *testing.T, key private.Key) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "store"), key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var parts = []Part{{"a", []byte("alpha")}, {"empty", nil}, {"b", bytes.Repeat([]byte("beta"), 1<<19)}}

func TestPut_GetReturnsIt(t *testing.T) {
	s := open(t, testKey)
	if s.Get("x") != nil || s.Has("x") {
		t.Error("an empty store has an artifact")
	}
	s.Put("x", parts...)
	a := s.Get("x")
	if a == nil || !s.Has("x") {
		t.Fatal("it is a miss")
	}
	defer a.Close()
	for _, p := range parts {
		if got := a.Part(p.Name); !bytes.Equal(got, p.Data) || !a.Verify(p.Name) {
			t.Errorf("%s has %d bytes, want %d", p.Name, len(got), len(p.Data))
		}
	}
	if a.Part("c") != nil || a.Verify("c") {
		t.Error("it has a part that was not put")
	}
	var none *Store
	if none.Put("x", parts...); none.Get("x") != nil || none.Draft() != nil {
		t.Error("a nil store has something")
	}
}

// TestDraft_WrittenIsTheFirstPart writes to a draft before it is sealed.
func TestDraft_WrittenIsTheFirstPart(t *testing.T) {
	s := open(t, testKey)
	d := s.Draft()
	defer d.Discard()
	for _, piece := range []string{"co", "", "de"} {
		if n, err := d.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := d.Seal("x", parts...); err != nil || !d.Commit("x") {
		t.Fatal(err)
	}
	a := s.Get("x")
	if a == nil {
		t.Fatal("it is a miss")
	}
	defer a.Close()
	if !a.Verify(Code) || string(a.Part(Code)) != "code" || string(a.Part("a")) != "alpha" {
		t.Errorf("%q, %q", a.Part(Code), a.Part("a"))
	}
	if read, err := io.ReadAll(a.Open(Code)); string(read) != "code" || err != nil {
		t.Errorf("%q, %v", read, err)
	}
	if read, err := io.ReadAll(a.Open("none")); len(read) > 0 || err != nil {
		t.Errorf("%q, %v", read, err)
	}
}

// TestDecode_RefusesAnyChangedByte changes and cuts an artifact everywhere. Every
// part of it is then the sealed one or an error.
func TestDecode_RefusesAnyChangedByte(t *testing.T) {
	list := []Part{{"a", []byte("alpha")}, {"b", []byte("beta")}}
	whole, err := Encode("x", testKey, list...)
	if err != nil {
		t.Fatal(err)
	}
	intact := func(a *Artifact) bool {
		return a != nil && string(a.Part("a")) == "alpha" && string(a.Part("b")) == "beta"
	}
	if !intact(Decode(whole, "x", testKey)) {
		t.Fatal("it cannot be decoded")
	}
	for k := range whole {
		b := bytes.Clone(whole)
		b[k] ^= 0x20
		if intact(Decode(b, "x", testKey)) {
			t.Errorf("byte %d does not count", k)
		}
		for _, p := range []string{"a", "b"} {
			if a := Decode(b, "x", testKey); a != nil && a.Part(p) != nil && string(a.Part(p)) != map[string]string{"a": "alpha", "b": "beta"}[p] {
				t.Errorf("byte %d: %s is %q", k, p, a.Part(p))
			} else if a != nil && a.Seals(p, strings.NewReader("alpha")) != (p == "a") {
				t.Errorf("byte %d: %s has the seal of alpha", k, p)
			}
		}
		if Decode(whole[:k], "x", testKey) != nil || Decode(whole[k+1:], "x", testKey) != nil && intact(Decode(whole[k+1:], "x", testKey)) {
			t.Errorf("it can be cut at %d", k)
		}
	}
	owned := func(name string) *Artifact {
		return DecodeOwned(io.NewSectionReader(bytes.NewReader(whole), 0, int64(len(whole))), name, testKey)
	}
	if !intact(owned("x")) || owned("y") != nil || DecodeOwned(nil, "x", testKey) != nil {
		t.Error("within the program it is not the one of its key")
	}
	if Decode(whole, "y", testKey) != nil || Decode(whole, "x", private.Key(strings.Repeat("o", 32))) != nil || Decode(whole, "x", nil) != nil {
		t.Error("it is an artifact of another key")
	}
}

// TestDecode_SealedLengthsAreChecked seals an index with sizes that cannot be.
func TestDecode_SealedLengthsAreChecked(t *testing.T) {
	for _, sizes := range [][]int64{{-1}, {1}, {1 << 62}, {0, 1}, {1 << 62, 1 << 62}} {
		var before []indexed
		for _, n := range sizes {
			before = append(before, indexed{Name: "a", Size: n})
		}
		var b bytes.Buffer
		if err := write(&b, "x", testKey, before, nil); err != nil {
			t.Fatal(err)
		}
		if Decode(b.Bytes(), "x", testKey) != nil {
			t.Errorf("%v is read", sizes)
		}
	}
}

// TestGet_RefusesFilesThatOthersCanReach spoils an artifact without changing a byte.
func TestGet_RefusesFilesThatOthersCanReach(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs mode bits")
	}
	// Only a directory is an entry: a worker is confined to it.
	for name, spoil := range map[string]func(dir, file string) error{
		"a mode of the file":      func(_, file string) error { return os.Chmod(file, 0o644) },
		"a mode of the directory": func(dir, _ string) error { return os.Chmod(dir, 0o755) },
		"a name":                  func(dir, file string) error { return os.Rename(file, filepath.Join(dir, "second")) },
		"a link to the directory": func(dir, _ string) error {
			other := filepath.Join(t.TempDir(), "there")
			if err := os.Rename(dir, other); err != nil {
				return err
			}
			return os.Symlink(other, dir)
		},
		"a link": func(dir, file string) error {
			other := filepath.Join(t.TempDir(), "there")
			if err := os.Rename(file, other); err != nil {
				return err
			}
			return os.Symlink(other, file)
		},
		"a directory": func(dir, file string) error {
			if err := os.Remove(file); err != nil {
				return err
			}
			return os.MkdirAll(filepath.Join(file, "deep", "deeper"), 0o700)
		},
		"a file in place of the directory": func(dir, _ string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, []byte("file"), 0o600))
		},
		"another key's": func(dir, file string) error {
			b, err := Encode("y", testKey, parts...)
			if err != nil {
				return err
			}
			return os.WriteFile(file, b, 0o600)
		},
	} {
		s := open(t, testKey)
		s.Put("x", parts...)
		if err := spoil(s.Path("x"), filepath.Join(s.Path("x"), File)); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat(s.Path("x")); s.Has("x") && (err != nil || !info.IsDir()) {
			t.Errorf("%s: it is an entry", name)
		}
		if a := s.Get("x"); a != nil {
			t.Errorf("%s: it is a hit", name)
		}
		s.Put("x", parts...)
		a := s.Get("x")
		if a == nil {
			t.Errorf("%s: it is not put again", name)
		}
		a.Close()
	}
}

// TestCommit_RemovesLeastRecentlyUsed exceeds the limits of number and size, with
// leftovers of killed processes.
func TestCommit_RemovesLeastRecentlyUsed(t *testing.T) {
	for _, tt := range []struct {
		name  string
		most  int
		bytes int64
		want  string
	}{
		{"room for all", 100, 10_000, "a b c d e live new-fresh"},
		{"room for three, and one in use", 3, 10_000, "c d e live new-fresh"},
		{"room for three hundred bytes", 100, 350, "c d e live new-fresh"},
		{"room for one", 1, 10_000, "e live new-fresh"},
		{"room for none", 0, 0, "live new-fresh"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t, nil)
			s.Use("live")
			for n, name := range []string{"live", "a", "b", "c", "d", "e", "new-fresh", "new-left", "old-left"} {
				if err := os.MkdirAll(s.Path(name), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(s.Path(name), "file"), make([]byte, 100), 0o600); err != nil {
					t.Fatal(err)
				}
				used := time.Now().Add(time.Duration(n-100) * time.Minute)
				if name == "new-fresh" {
					used = time.Now()
				}
				if err := os.Chtimes(s.Path(name), used, used); err != nil {
					t.Fatal(err)
				}
			}
			s.sweep(tt.most, tt.bytes)
			entries, err := os.ReadDir(s.dir)
			var left []string
			for _, e := range entries {
				left = append(left, e.Name())
			}
			slices.Sort(left)
			if got := strings.Join(left, " "); err != nil || got != tt.want {
				t.Errorf("%s is left, want %s; %v", got, tt.want, err)
			}
		})
	}
}

// TestCommit_SweepsFromTimeToTime finds what a killed process left after the first commit, and after
// later ones.
func TestCommit_SweepsFromTimeToTime(t *testing.T) {
	s := open(t, testKey)
	left, long := s.Path("new-left"), time.Now().Add(-2*leftOverAfter)
	for n := range 2*sweepEvery + 1 {
		if err := os.MkdirAll(left, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(left, long, long); err != nil {
			t.Fatal(err)
		}
		s.Put("x", parts...)
		if _, err := os.Stat(left); os.IsNotExist(err) != (n%sweepEvery == 0) {
			t.Errorf("after commit %d: %v", n+1, err)
		}
	}
}

// TestUse_ProtectsAnEntry uses one that is old.
func TestUse_ProtectsAnEntry(t *testing.T) {
	s := open(t, testKey)
	s.Put("x", parts...)
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(s.Path("x"), long, long); err != nil {
		t.Fatal(err)
	}
	other, err := Open(s.dir, testKey) // another process
	if err != nil {
		t.Fatal(err)
	}
	other.Get("x").Close()
	if info, err := os.Stat(s.Path("x")); err != nil || time.Since(info.ModTime()) > time.Minute {
		t.Errorf("it was used, and looks as if it was not: %v", err)
	}
	if other.sweep(0, 0); !other.Has("x") {
		t.Error("a process has removed what it uses")
	}
}
